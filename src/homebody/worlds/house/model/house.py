"""The parts of a house: rooms, openings, furniture, objects, people.

A :class:`House` is the initial scene and never changes;
:class:`homebody.worlds.house.model.state.HouseState` has the changing parts.

Frame: metres, x to the right, y up on the plan (north), z up; floors are at z = 0. Angles are
degrees counter-clockwise seen from above. Yaw 0 faces north (+y): the front of furniture and people
is their +y side. Furniture stands at multiples of 90 degrees, so that its boxes stay parallel to
the axes. A position is the centre of the bottom of a box; a size is (width along x, depth along y,
height) before rotation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from typing import Annotated, Any, TypeAlias

from msgspec import Meta

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.bounds import (
    Channel,
    Decimals,
    Degrees,
    Height,
    Length,
    MaybeName,
    Metres,
    Name,
    OneOf,
    Phrase,
    Seed,
)

Point: TypeAlias = tuple[Metres, Metres]
"""(x, y) in metres."""
Vector: TypeAlias = tuple[Metres, Metres, Metres]
"""(x, y, z) in metres."""
Size: TypeAlias = tuple[Length, Length, Length]
"""Width, depth and height in metres."""
Colour: TypeAlias = tuple[Channel, Channel, Channel]
"""Red, green, blue in [0, 1]."""
Colours: TypeAlias = Annotated[Mapping[Name, Colour], Meta(max_length=64)]
"""Part -> colour."""
StateName: TypeAlias = Annotated[str, OneOf(("open", "powered_on", "clean", "filled", "locked"))]
States: TypeAlias = Mapping[StateName, bool]
"""State -> value, for the states that the object affords."""


NOISE = 1e-6
"""Overlap in metres up to which boxes only touch."""


@never_changes
@dataclass(frozen=True, slots=True)
class Box:
    """A box parallel to the axes, from ``low`` to ``high``."""

    low: Vector
    high: Vector

    @property
    def centre(self) -> Vector:
        """The centre."""
        (a, b, c), (d, e, f) = self.low, self.high
        return (a + d) / 2, (b + e) / 2, (c + f) / 2

    @property
    def foot(self) -> Vector:
        """The centre of the bottom."""
        x, y, _ = self.centre
        return x, y, self.low[2]

    def meets(self, other: Box) -> bool:
        """Return whether the interiors overlap; touching boxes do not meet."""
        return all(
            low < far - NOISE and near < high - NOISE
            for low, high, near, far in zip(self.low, self.high, other.low, other.high, strict=True)
        )

    @property
    def size(self) -> Vector:
        """Width, depth and height."""
        (a, b, c), (d, e, f) = self.low, self.high
        return d - a, e - b, f - c


@never_changes
@dataclass(frozen=True, slots=True)
class Pose:
    """A position and a yaw: the centre of the bottom of a box, and degrees."""

    position: Vector
    yaw: Degrees = 0.0


def box_at(pose: Pose, size: Vector) -> Box:
    """Return the smallest axis-parallel box around a rotated box."""
    cos, sin = turn(pose)
    cos, sin = abs(cos), abs(sin)
    width, depth = size[0] * cos + size[1] * sin, size[0] * sin + size[1] * cos
    x, y, z = pose.position
    low = (x - width / 2, y - depth / 2, z)
    return Box(low, (x + width / 2, y + depth / 2, z + size[2]))


def turn(pose: Pose) -> tuple[float, float]:
    """Return cosine and sine of the yaw, the same on every platform."""
    # -0.0 would be found in a cache where 0.0 is, and has another sine
    return _turn(pose.yaw) if pose.yaw else (1.0, float(pose.yaw))


@lru_cache(4096)
def _turn(yaw: float) -> tuple[float, float]:
    angle = math.radians(yaw)
    return round(math.cos(angle), 12), round(math.sin(angle), 12)


def to_world(pose: Pose, point: Vector) -> Vector:
    """Transform a point from the frame of an object to the frame of the house."""
    cos, sin = turn(pose)
    x, y, z = pose.position
    return x + point[0] * cos - point[1] * sin, y + point[0] * sin + point[1] * cos, z + point[2]


@never_changes
@dataclass(frozen=True, slots=True)
class Room:
    """A room.

    Attributes:
        name: Unique, such as ``kitchen_0``. Its floor is a receptacle named ``floor_kitchen_0``.
        kind: A room kind of the catalogue, such as ``kitchen``.
        outline: Corners of its inner walls, counter-clockwise, rectilinear.
        height: Height of the ceiling.
        floor: Material of the floor, a name of the catalogue.
        walls: Colour of the walls.
        covering: Pattern of the walls: ``paint stripes dots panels brick tiles``.
    """

    name: Name
    kind: Name
    outline: Annotated[tuple[Point, ...], Meta(min_length=4, max_length=64)]
    height: Length
    floor: Name
    walls: Colour
    covering: MaybeName = "paint"

    @property
    def floor_name(self) -> str:
        """The name of its floor as a receptacle."""
        return f"floor_{self.name}"


@never_changes
@dataclass(frozen=True, slots=True)
class Opening:
    """A doorway, door or window in a wall.

    Attributes:
        name: ``doorway_3``, ``door_1`` or ``window_2``.
        kind: ``doorway`` (always open), ``door`` (inside the house, with a leaf that opens and
            shuts), ``entrance`` (the front door, shut), ``garage_door`` (for cars, shut) or
            ``window``.
        rooms: The two rooms that it joins, or the room to which it belongs.
        start: One end on the plan, in the middle of the wall.
        end: The other end.
        bottom: Height of its lower edge; 0 for doors.
        top: Height of its upper edge.
        hinge: Door only: the end about which its leaf turns, ``start`` or ``end``.
        swings_into: Door only: the room in which its open leaf stands.
        states: Door only: initial ``open`` and ``locked``.
        key: Door only: the object that unlocks it, or an empty string.
        style: Door only: colours of its ``leaf`` and ``handle``.
    """

    name: Name
    kind: Annotated[str, OneOf(("doorway", "door", "entrance", "garage_door", "window"))]
    rooms: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
    start: Point
    end: Point
    bottom: Height
    top: Length
    hinge: Annotated[str, OneOf(("", "start", "end"))] = ""
    swings_into: MaybeName = ""
    states: States = field(default_factory=dict)
    key: MaybeName = ""
    style: Colours = field(default_factory=dict)

    @property
    def is_passage(self) -> bool:
        """True if one can walk through it when it is open."""
        return self.kind in ("doorway", "door")

    @property
    def middle(self) -> Point:
        """Its middle on the plan."""
        (ax, ay), (bx, by) = self.start, self.end
        return (ax + bx) / 2, (ay + by) / 2


@never_changes
@dataclass(frozen=True, slots=True)
class Receptacle:
    """A space on or in furniture or an object for other objects.

    Attributes:
        name: Unique in its bearer: ``top``, ``shelf_1``, ``inside``.
        kind: ``on`` or ``within``. ``within`` is out of sight and reach while the bearer is closed.
        low: Lower corner of the free space relative to the bearer (yaw 0, z from its bottom).
            Objects stand at this height.
        high: Upper corner.
    """

    name: Name
    kind: Annotated[str, OneOf(("on", "within"))]
    low: Vector
    high: Vector


Receptacles: TypeAlias = Annotated[tuple[Receptacle, ...], Meta(max_length=64)]


@never_changes
@dataclass(frozen=True, slots=True)
class Furniture:
    """A piece of furniture or an appliance, which never moves.

    Attributes:
        name: Unique, such as ``table_3``.
        category: A category of the catalogue, which has its affordances and shape.
        room: Name of its room.
        pose: Position and yaw.
        size: Box size.
        receptacles: Spaces for objects.
        style: Colours by part, as its shape requires.
        states: Initial values of the states that it affords, out of ``open powered_on clean filled
            locked``.
        key: The object that unlocks it, or an empty string.
        material: One of the materials of its category, or an empty string.
    """

    name: Name
    category: Name
    room: Name
    pose: Pose
    size: Size
    receptacles: Receptacles = ()
    style: Colours = field(default_factory=dict)
    states: States = field(default_factory=dict)
    key: MaybeName = ""
    material: MaybeName = ""

    @property
    def box(self) -> Box:
        """Its box in the house."""
        return box_at(self.pose, self.size)


@never_changes
@dataclass(frozen=True, slots=True)
class Thing:
    """A small object that can be picked up.

    Attributes:
        name: Unique, such as ``cup_0``.
        category: A category of the catalogue.
        size: Box size.
        pose: Initial pose.
        place: Initial place: ``(furniture, receptacle)``, ``(another object, receptacle)``,
            ``(floor name, "")`` or ``(person, "hand")``.
        style: Colours by part.
        states: Initial values of the states that it affords.
        receptacles: Spaces for other objects, in baskets, boxes, bowls and trays.
        material: One of the materials of its category, or an empty string.
    """

    name: Name
    category: Name
    size: Size
    pose: Pose
    place: tuple[Name, MaybeName]
    style: Colours = field(default_factory=dict)
    states: States = field(default_factory=dict)
    receptacles: Receptacles = ()
    material: MaybeName = ""


POSTURES = ("standing", "sitting", "lying", "pointing", "crouching", "walking")
"""Postures of people. Sitting, lying and walking (on a treadmill) need furniture, the others the
floor."""
GESTURES = ("none", "forward", "reading", "phone", "raised", "carrying")
"""Arm gestures of people: at rest, working ahead, reading, holding a telephone to the ear, raising
a hand, carrying in front."""
AGES = ("child", "teenager", "young_adult", "adult", "elderly")
GENDERS = ("female", "male")
BUILDS = ("slim", "average", "heavy")
HAIR = ("short", "long", "ponytail", "bun", "bob", "curly", "bald")


@never_changes
@dataclass(frozen=True, slots=True)
class Person:
    """A person who is part of the scene and does not act.

    Attributes:
        name: Unique, such as ``person_1``.
        posture: One of :data:`POSTURES`.
        room: Name of the room.
        pose: Position and yaw.
        size: Box size.
        clothes: Colours of ``skin``, ``hair`` and garments by their catalogue names: ``dress``,
            ``coat``, ``glasses`` ...
        on: The furniture on which the person sits, lies or walks, or an empty string.
        pointing_at: The target of a pointing person, or an empty string.
        age: One of :data:`AGES`.
        gender: One of :data:`GENDERS`.
        build: One of :data:`BUILDS`.
        hair: Hair style, one of :data:`HAIR`.
        gesture: One of :data:`GESTURES`.
        activity: Words that follow "is": ``watching television``.
        looks_at: The opening, piece, object or person that the person looks at, or an empty string.
    """

    name: Name
    posture: Annotated[str, OneOf(POSTURES)]
    room: Name
    pose: Pose
    size: Size
    clothes: Colours = field(default_factory=dict)
    on: MaybeName = ""
    pointing_at: MaybeName = ""
    age: Annotated[str, OneOf(AGES)] = "adult"
    gender: Annotated[str, OneOf(GENDERS)] = "female"
    build: Annotated[str, OneOf(BUILDS)] = "average"
    hair: Annotated[str, OneOf(HAIR)] = "short"
    gesture: Annotated[str, OneOf(GESTURES)] = "none"
    activity: Phrase = ""
    looks_at: MaybeName = ""


@never_changes
@dataclass(frozen=True)
class House:
    """A scene; the module docstring defines frames and units.

    Attributes:
        seed: The seed of its generation.
        kind: Kind of scene in the catalogue, such as ``home``.
        wall: Thickness of walls.
        type: Subtype of the kind, such as ``studio`` or ``shared_flat``, or an empty string.
        source: The file of the published scene from which it was made; empty if it was generated.
    """

    seed: Seed
    kind: Name
    rooms: Annotated[tuple[Room, ...], Meta(min_length=1, max_length=200)]
    openings: Annotated[tuple[Opening, ...], Meta(max_length=2000)] = ()
    furniture: Annotated[tuple[Furniture, ...], Meta(max_length=3000)] = ()
    things: Annotated[tuple[Thing, ...], Meta(max_length=20_000)] = ()
    people: Annotated[tuple[Person, ...], Meta(max_length=500)] = ()
    wall: Annotated[float, Meta(gt=0.0, le=1.0), Decimals(3)] = 0.12
    type: MaybeName = ""
    source: MaybeName = ""

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields without derived data."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.init}

    @cached_property
    def room(self) -> Mapping[str, Room]:
        """Rooms by name."""
        return {room.name: room for room in self.rooms}

    @cached_property
    def piece(self) -> Mapping[str, Furniture]:
        """Furniture by name."""
        return {piece.name: piece for piece in self.furniture}

    @cached_property
    def door(self) -> Mapping[str, Opening]:
        """Inner doors with leaves, by name; the front door is not among them."""
        return {opening.name: opening for opening in self.openings if opening.kind == "door"}

    @cached_property
    def person(self) -> Mapping[str, Person]:
        """People by name."""
        return {person.name: person for person in self.people}

    @cached_property
    def boxes(self) -> Mapping[str, Box]:
        """Boxes of furniture by name."""
        return {piece.name: piece.box for piece in self.furniture}

    @cached_property
    def thing(self) -> Mapping[str, Thing]:
        """Objects by name."""
        return {thing.name: thing for thing in self.things}

    @cached_property
    def floors(self) -> Mapping[str, Room]:
        """Rooms by the name of their floor."""
        return {room.floor_name: room for room in self.rooms}
