"""What a house is made of: rooms, openings, furniture, objects, people.

A :class:`House` is the scene as it is at first; it never changes. What changes while agents act is
in :class:`homebody.worlds.house.model.state.HouseState`.

Frame: metres, x to the right, y up on the plan (north), z up; floors are at z = 0. Angles are
degrees counter-clockwise seen from above. Of furniture and people, yaw 0 faces north (+y): its
front, where doors open and people stand to use it, is its +y side. Furniture stands at multiples
of 90 degrees, so that its boxes stay parallel to the axes.

A position is the centre of the bottom of a thing's box; a size is (width along x, depth along y,
height) before it is turned.
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
"""State -> whether it holds, of those that a thing affords."""


NOISE = 1e-6
"""Metres by which boxes may overlap and still only touch."""


@never_changes
@dataclass(frozen=True, slots=True)
class Box:
    """A box parallel to the axes, from ``low`` to ``high``."""

    low: Vector
    high: Vector

    @property
    def centre(self) -> Vector:
        """Its middle."""
        (a, b, c), (d, e, f) = self.low, self.high
        return (a + d) / 2, (b + e) / 2, (c + f) / 2

    @property
    def foot(self) -> Vector:
        """The middle of its bottom."""
        x, y, _ = self.centre
        return x, y, self.low[2]

    def meets(self, other: Box) -> bool:
        """Whether there is room that is in both; what only touches does not meet."""
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
    """Where a thing is: the centre of the bottom of its box, and its yaw."""

    position: Vector
    yaw: Degrees = 0.0


def box_at(pose: Pose, size: Vector) -> Box:
    """The smallest box parallel to the axes around a turned box."""
    cos, sin = turn(pose)
    cos, sin = abs(cos), abs(sin)
    width, depth = size[0] * cos + size[1] * sin, size[0] * sin + size[1] * cos
    x, y, z = pose.position
    low = (x - width / 2, y - depth / 2, z)
    return Box(low, (x + width / 2, y + depth / 2, z + size[2]))


def turn(pose: Pose) -> tuple[float, float]:
    """Cosine and sine of the yaw, the same on every platform."""
    # -0.0 would be found in a cache where 0.0 is, and has another sine
    return _turn(pose.yaw) if pose.yaw else (1.0, float(pose.yaw))


@lru_cache(4096)
def _turn(yaw: float) -> tuple[float, float]:
    angle = math.radians(yaw)
    return round(math.cos(angle), 12), round(math.sin(angle), 12)


def to_world(pose: Pose, point: Vector) -> Vector:
    """A point given relative to a thing, in the frame of the house."""
    cos, sin = turn(pose)
    x, y, z = pose.position
    return x + point[0] * cos - point[1] * sin, y + point[0] * sin + point[1] * cos, z + point[2]


@never_changes
@dataclass(frozen=True, slots=True)
class Room:
    """A room.

    Attributes:
        name: ``kitchen_0``; unique. Its floor is a receptacle named ``floor_kitchen_0``.
        kind: ``kitchen``, of the catalogue's room types.
        outline: Corners of its inner walls, counter-clockwise, rectilinear.
        height: Of its ceiling.
        floor: Material of the floor, a name of the catalogue.
        walls: Colour of the walls.
        covering: What is on the walls: ``paint stripes dots panels brick tiles``.
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
        """What its floor is called as a receptacle."""
        return f"floor_{self.name}"


@never_changes
@dataclass(frozen=True, slots=True)
class Opening:
    """A doorway, door or window in a wall.

    Attributes:
        name: ``doorway_3``, ``door_1`` or ``window_2``.
        kind: ``doorway`` (always open), ``door`` (inside the house, with a leaf that opens and
            shuts), ``entrance`` (the front door, shut) or ``window``.
        rooms: The two rooms it joins, or the one it belongs to.
        start: One end on the plan, in the middle of the wall.
        end: The other.
        bottom: Height of its lower edge; 0 for doors.
        top: Height of its upper edge.
        hinge: Of a door: the end about which its leaf turns, ``start`` or ``end``.
        swings_into: Of a door: the room in which its leaf stands when it is open.
        states: Of a door: ``open`` and ``locked``, as they are at first.
        key: Of a door: the object that unlocks it, or an empty string.
        style: Of a door: colours of its ``leaf`` and ``handle``.
    """

    name: Name
    kind: Annotated[str, OneOf(("doorway", "door", "entrance", "window"))]
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
        """Whether one can walk through it, if it is open."""
        return self.kind in ("doorway", "door")


@never_changes
@dataclass(frozen=True, slots=True)
class Receptacle:
    """A place on or in a piece of furniture where objects can be.

    Attributes:
        name: Unique in its furniture: ``top``, ``shelf_1``, ``inside``.
        kind: ``on`` or ``within``. ``within`` is out of sight and reach while the furniture is
            closed, if it can be closed at all.
        low: Lower corner of the free space, relative to the furniture (yaw 0, z from its bottom).
            Objects stand on this height.
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
    """A piece of furniture or an appliance; it stays where it is.

    Attributes:
        name: ``table_3``; unique.
        category: Of the catalogue: says what it affords and how it is drawn.
        room: Name of its room.
        pose: Where it stands.
        size: Of its box.
        receptacles: Where things can be put.
        style: Materials and colours by part, as its shape in the catalogue asks.
        states: Initial ones: ``open powered_on clean filled locked``, those that it affords.
        key: The object that unlocks it, or an empty string.
        material: What it is made of, one of those of its category, or an empty string.
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
        """The box around it in the house."""
        return box_at(self.pose, self.size)


@never_changes
@dataclass(frozen=True, slots=True)
class Thing:
    """A small object that can be picked up.

    Attributes:
        name: ``cup_0``; unique.
        category: Of the catalogue.
        size: Of its box.
        pose: Where it is at first.
        place: What it is on or in: ``(furniture, receptacle)``, ``(another object, receptacle)``,
            ``(floor name, "")``, or ``(person, "hand")``.
        style: Colours by part.
        states: Initial ones, those that it affords.
        receptacles: Where other objects can be put: baskets, boxes, bowls, trays.
        material: What it is made of, one of those of its category, or an empty string.
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
"""Of people. Who sits, lies or walks (on a treadmill) is on furniture, the others on the floor."""
GESTURES = ("none", "forward", "reading", "phone", "raised", "carrying")
"""What the arms of people do: nothing, work on what is before them, hold up something to read,
hold a telephone to the ear, are raised to be called upon, bear something before the belly."""
AGES = ("child", "teenager", "young_adult", "adult", "elderly")
GENDERS = ("female", "male")
BUILDS = ("slim", "average", "heavy")
HAIR = ("short", "long", "ponytail", "bun", "bob", "curly", "bald")


@never_changes
@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who is part of the scene and does not act.

    Attributes:
        name: ``person_1``.
        posture: One of :data:`POSTURES`.
        room: Name of the room.
        pose: Where, facing ``yaw``.
        size: Of the box.
        clothes: Colours of ``skin``, ``hair`` and what is worn, by the catalogue's names of
            garments: ``dress``, ``coat``, ``glasses`` ...
        on: The furniture that the person sits, lies or walks on, or an empty string.
        pointing_at: What a pointing person points at, or an empty string.
        age: One of :data:`AGES`.
        gender: One of :data:`GENDERS`.
        build: One of :data:`BUILDS`.
        hair: How it is worn, one of :data:`HAIR`.
        gesture: One of :data:`GESTURES`.
        activity: What the person does, as words that follow "is": ``watching television``.
        looks_at: What the person looks at: an opening, a piece, an object or a person, or an
            empty string.
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
    """A scene: see the module for frames and units.

    Attributes:
        seed: What it was generated from.
        kind: ``home``, or another kind of scene of the catalogue.
        wall: Thickness of walls.
        type: Of the kind, if it has types: ``studio``, ``shared_flat``; else an empty string.
        source: The file of the published scene that it was made of; empty if it was generated.
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
        """What the house is, without what was worked out of it."""
        return {each.name: getattr(self, each.name) for each in fields(self) if each.init}

    @cached_property
    def room(self) -> Mapping[str, Room]:
        """By name."""
        return {room.name: room for room in self.rooms}

    @cached_property
    def piece(self) -> Mapping[str, Furniture]:
        """Furniture by name."""
        return {piece.name: piece for piece in self.furniture}

    @cached_property
    def door(self) -> Mapping[str, Opening]:
        """The doors that have leaves, but for the front door, by name."""
        return {opening.name: opening for opening in self.openings if opening.kind == "door"}

    @cached_property
    def person(self) -> Mapping[str, Person]:
        """People by name."""
        return {person.name: person for person in self.people}

    @cached_property
    def boxes(self) -> Mapping[str, Box]:
        """The boxes of furniture by its name."""
        return {piece.name: piece.box for piece in self.furniture}

    @cached_property
    def thing(self) -> Mapping[str, Thing]:
        """Objects by name."""
        return {thing.name: thing for thing in self.things}

    @cached_property
    def floors(self) -> Mapping[str, Room]:
        """Rooms by the name of their floor."""
        return {room.floor_name: room for room in self.rooms}
