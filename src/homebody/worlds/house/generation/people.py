"""Adds people to a scene, with suitable activities and places.

The catalogue defines activities (``[people.activities]``). One is sampled among those that the room
and its furniture allow, then a place, then a person. Somebody who sits has a box from the floor,
over the front of the seat, and faces like the seat. Somebody who lies has a box on the mattress,
the head at the back of the bed. People only stand at places where everything can still be reached.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from homebody.core.ground.seeds import choose, shuffle
from homebody.worlds.house.generation.appearance import Looks, sample_age, sample_looks
from homebody.worlds.house.generation.attention import is_ahead, squared_distance, turn_to
from homebody.worlds.house.generation.floorspace import CELL, REACH, Footprint, RoomSpace
from homebody.worlds.house.generation.geometry import Rect, overlap
from homebody.worlds.house.generation.random_draws import sample_weighted
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import (
    Furniture,
    Opening,
    Person,
    Point,
    Pose,
    Room,
    Vector,
    box_at,
    to_world,
)
from homebody.worlds.house.model.outlines import grown_by
from homebody.worlds.house.model.people import box_size, seat_of
from homebody.worlds.house.model.people_kinds import Activity

_TRIES = 10
"""Maximum number of activities that are tried for each person."""
_LIVELY = 12.0
"""Total weight of activities above which the weight of a room does not increase."""
_FEET = 0.45
"""Maximum metres from the foot of a bed to the feet of somebody in it."""
_BELT = (0.155, 0.1)
"""Height of the belt of a treadmill, and distance of the runner behind its middle, metres."""
_USED = 780
"""Millimetres before a piece where somebody else can still stand to use it."""
_TALK = (750, 1100)
"""Millimetres between people who talk."""


@dataclass(slots=True)
class _Scene:
    """The scene to which people are added."""

    rng: np.random.Generator
    catalogue: Catalogue
    rooms: Sequence[Room]
    openings: Sequence[Opening]
    spaces: Sequence[RoomSpace]
    furniture: Sequence[Furniture]
    people: list[Person]

    def pieces(self, room: Room) -> list[Furniture]:
        return [piece for piece in self.furniture if piece.room == room.name]

    @property
    def occupied(self) -> set[str]:
        return {person.on for person in self.people if person.on}


def place_people(
    rng: np.random.Generator,
    catalogue: Catalogue,
    rooms: Sequence[Room],
    openings: Sequence[Opening],
    spaces: Sequence[RoomSpace],
    furniture: Sequence[Furniture],
    count: int,
) -> tuple[Person, ...]:
    """Place people where there is space. The result may have fewer people than requested.

    Args:
        rng: Random generator.
        catalogue: Activities and clothes.
        rooms: Rooms of the house.
        openings: Openings of the house; people look out of windows.
        spaces: Spaces of the rooms, in the same order; people who stand occupy some.
        furniture: Furniture of the house.
        count: Number of people.
    """
    scene = _Scene(rng, catalogue, rooms, openings, spaces, furniture, [])
    for _ in range(count):
        for _ in range(_TRIES):
            person = _make_person(scene)
            if person is not None:
                scene.people.append(person)
                break
    return tuple(scene.people)


def _make_person(scene: _Scene) -> Person | None:
    """Return a person with an activity, preferably in a room with many activities, or None."""
    rng, kinds = scene.rng, scene.catalogue.people
    options = [_options(scene, room) for room in scene.rooms]
    lively = [min(_LIVELY, math.fsum(activity.weight for activity in of)) for of in options]
    if not any(lively):
        return None
    number = sample_weighted(rng, lively)
    room = scene.rooms[number]
    activity = options[number][sample_weighted(rng, [option.weight for option in options[number]])]
    age = sample_age(rng, kinds, activity.ages)
    worn = [person.clothes for person in scene.people]
    looks = sample_looks(rng, kinds, age, activity.wears, worn)
    name = f"person_{len(scene.people)}"
    if activity.where == "on":
        return _on_something(scene, room, number, activity, looks, name)
    return _on_the_floor(scene, room, number, activity, looks, name)


def _options(scene: _Scene, room: Room) -> list[Activity]:
    """Return the possible activities in a room."""
    categories = {piece.category for piece in scene.pieces(room)}
    done = {person.activity for person in scene.people if person.room == room.name}
    return [
        activity
        for activity in scene.catalogue.people.activities.values()
        if (not activity.rooms or room.kind in activity.rooms)
        and (not activity.at or not categories.isdisjoint(activity.at))
        and not (activity.once and activity.phrase in done)
    ]


def _person(
    name: str, room: Room, activity: Activity, looks: Looks, pose: Pose, size: Vector, on: str = ""
) -> Person:
    return Person(
        name,
        activity.posture,
        room.name,
        pose,
        size,
        looks.clothes,
        on,
        age=looks.age,
        gender=looks.gender,
        build=looks.build,
        hair=looks.hair,
        gesture=activity.gesture,
        activity=activity.phrase,
    )


# -- on furniture ---------------------------------------------------------------------------------


def _on_something(
    scene: _Scene, room: Room, number: int, activity: Activity, looks: Looks, name: str
) -> Person | None:
    occupied = scene.occupied
    fit = [
        piece
        for piece in scene.pieces(room)
        if piece.category in activity.at
        and piece.name not in occupied
        and (activity.posture == "walking" or piece.receptacles)
        and (activity.posture != "lying" or piece.size[1] >= looks.height / 1000 + 0.2)
    ]
    for piece in shuffle(scene.rng, fit):
        person = _person(name, room, activity, looks, *_upon(piece, activity, looks), piece.name)
        if not _has_room(scene, person, number):
            continue
        if not activity.looks_at:
            return person
        sights = _sights(scene, room, activity, piece)
        seen = [at for at, spot in sights if is_ahead(person, spot)]
        if seen:
            return replace(person, looks_at=seen[0])
    return None


def _upon(piece: Furniture, activity: Activity, looks: Looks) -> tuple[Pose, Vector]:
    """Return the pose and the box of somebody on a piece."""
    yaw = piece.pose.yaw
    if activity.posture == "walking":  # towards the back, where the display is
        size = box_size("walking", looks.height, looks.width, looks.depth)
        return _pose_at(piece, (0.0, _BELT[1], _BELT[0]), (yaw + 180.0) % 360.0), size
    top = seat_of(piece)
    size = box_size(
        activity.posture, looks.height, looks.width, looks.depth, min(1000, round(top * 1000))
    )
    if activity.posture == "lying":
        head = -piece.size[1] / 2 + 0.1 + size[1] / 2
        feet = piece.size[1] / 2 - _FEET - size[1] / 2  # children lie within reach
        return _pose_at(piece, (0.0, max(head, feet), top), yaw), size
    # the back touches that of the seat, unless the knees were behind the front edge then
    tall, seat = looks.height / 1000, piece.receptacles[0]
    back = max(seat.low[1] - 0.045 * tall, piece.size[1] / 2 + 0.07 - 0.355 * tall)
    return _pose_at(piece, (0.0, back + size[1] / 2, 0.0), yaw), size


def _pose_at(piece: Furniture, at: Vector, yaw: float) -> Pose:
    x, y, z = to_world(piece.pose, at)
    z = round(z, 3) if at[2] else 0.0
    return Pose((round(x, 3), round(y, 3), z), yaw)


def _has_room(scene: _Scene, person: Person, number: int) -> bool:
    """Return whether a person is completely in the room and does not block anybody."""
    space, rect = scene.spaces[number], _rect(person)
    x0, y0, x1, y1 = space.bounds
    if rect[0] < x0 or rect[1] < y0 or rect[2] > x1 or rect[3] > y1:
        return False
    if any(overlap(rect, out) for out in (*space.outside, *space.swings)):
        return False
    return not any(overlap(rect, _rect(other)) for other in scene.people)


def _rect(person: Person) -> Rect:
    """Return the floor that a person occupies. If the person may still turn, it covers all
    directions."""
    box = box_at(person.pose, person.size)
    if not person.on and (not person.looks_at or person.pose.yaw % 90):
        x, y = (round(side * 1000) for side in person.pose.position[:2])
        half = _half(person.size)
        return x - half, y - half, x + half, y + half
    low = (math.floor(round(side * 1000, 3)) for side in box.low[:2])
    high = (math.ceil(round(side * 1000, 3)) for side in box.high[:2])
    x0, y0, x1, y1 = *low, *high
    return x0, y0, x1, y1


# -- on the floor ---------------------------------------------------------------------------------


def _on_the_floor(
    scene: _Scene, room: Room, number: int, activity: Activity, looks: Looks, name: str
) -> Person | None:
    size = box_size(activity.posture, looks.height, looks.width, looks.depth)
    if activity.where != "anywhere":
        return _at_something(scene, room, number, activity, name, looks, size)
    partners: list[Person | None] = [None]
    if "person" in activity.looks_at:
        partners = [
            other
            for other in scene.people
            if other.room == room.name and other.posture == "standing"
        ]
    elif activity.looks_at and not _sights(scene, room, activity, None):
        return None
    for partner in partners:
        spot = _free_spot(scene, number, size, partner)
        if spot is None:
            continue
        yaw = float(scene.rng.integers(24) * 15)
        person = _person(name, room, activity, looks, Pose((*spot, 0.0), yaw), size)
        if partner is not None:
            if not partner.looks_at:  # both talk
                back = replace(partner, looks_at=name, activity=activity.phrase, gesture="none")
                scene.people[scene.people.index(partner)] = turn_to(back, spot)
            return turn_to(replace(person, looks_at=partner.name), partner.pose.position)
        sights = _sights(scene, room, activity, None)
        if sights:
            at, where = min(sights, key=lambda sight: squared_distance(sight[1], spot))
            return turn_to(replace(person, looks_at=at), where)
        return person
    return None


def _at_something(
    scene: _Scene,
    room: Room,
    number: int,
    activity: Activity,
    name: str,
    looks: Looks,
    size: Vector,
) -> Person | None:
    """Return somebody at the front, back or side of a piece, facing it, or None."""
    fit = [piece for piece in scene.pieces(room) if piece.category in activity.at]
    for piece in shuffle(scene.rng, fit):
        hangs = piece.pose.position[2] > 0.3
        gap = activity.distance if activity.distance or not hangs else 0.3
        for at, yaw in _standing_places(piece, activity.where, gap, size):
            pose = _pose_at(piece, at, (piece.pose.yaw + yaw) % 360.0)
            person = _person(name, room, activity, looks, pose, size)
            person = replace(person, looks_at=piece.name)
            if not _has_room(scene, person, number):
                continue
            if _can_stand(scene.spaces[number], piece, _rect(person), size[2]):
                scene.spaces[number].take([Footprint(_rect(person))])
                return person
    return None


def _standing_places(
    piece: Furniture, where: str, gap: float, size: Vector
) -> Iterator[tuple[Vector, float]]:
    """Yield places to stand at a piece, in its frame, with the yaw that faces it."""
    width, depth = piece.size[0] / 2, piece.size[1] / 2
    off = gap + 0.02 + size[1] / 2
    shares = (0.0, 0.5, -0.5) if piece.size[0] > 0.9 else (0.0,)
    if where in ("before", "near"):
        for share in shares:
            yield (share * width, depth + off, 0.0), 180.0
    if where in ("behind", "near"):
        for share in shares:
            yield (share * width, -depth - off, 0.0), 0.0
    if where == "near":
        yield (width + off, 0.0, 0.0), 90.0
        yield (-width - off, 0.0, 0.0), 270.0


def _can_stand(space: RoomSpace, piece: Furniture, rect: Rect, height: float) -> bool:
    """Return whether somebody can stand at a place so that everything can still be reached. The
    piece must also be reachable from behind."""
    if any(overlap(rect, solid) for solid in space.solids) or space.is_under(rect, height):
        return False
    own, behind = _front(piece, 280, 650), _front(piece, 280, _USED)
    free = list(space.free)
    space.block(free, grown_by(rect, 300))
    reached = space.reachable_cells(free)
    if not all(reached[row] >> column & 1 for column, row in space.doors):
        return False
    accesses = [behind if access == own else access for access in space.access]
    return all(space.has_cell_in(reached, access) for access in (*accesses, grown_by(rect, REACH)))


def _front(piece: Furniture, near: int, far: int) -> Rect:
    """Return the floor in front of a piece, from one distance to another."""
    width, depth = piece.size[0] / 2, piece.size[1] / 2
    a = to_world(piece.pose, (-width, depth + near / 1000, 0.0))
    b = to_world(piece.pose, (width, depth + far / 1000, 0.0))
    xs, ys = (
        sorted((round(a[0] * 1000), round(b[0] * 1000))),
        sorted((round(a[1] * 1000), round(b[1] * 1000))),
    )
    return xs[0], ys[0], xs[1], ys[1]


def _half(size: Vector) -> int:
    """Return half the side, in whole millimetres, of a square in which somebody can turn."""
    return math.ceil(500 * math.sqrt(size[0] * size[0] + size[1] * size[1])) + 5


def _free_spot(scene: _Scene, number: int, size: Vector, partner: Person | None) -> Point | None:
    """Return a place on the free floor with space to turn, near a partner if given; or None."""
    space = scene.spaces[number]
    half, others = _half(size), [_rect(person) for person in scene.people]
    reached = space.reachable_cells(space.free)
    cells = [
        (space.bounds[0] + i * CELL + CELL // 2, space.bounds[1] + j * CELL + CELL // 2)
        for j, row in enumerate(reached)
        for i in range(row.bit_length())
        if row >> i & 1
    ]
    if partner is not None:
        px, py = (round(v * 1000) for v in partner.pose.position[:2])
        low, high = _TALK[0] ** 2, _TALK[1] ** 2
        cells = [(x, y) for x, y in cells if low <= (x - px) ** 2 + (y - py) ** 2 <= high]
    for _ in range(8 if cells else 0):
        x, y = choose(scene.rng, cells)
        footprint = Footprint((x - half, y - half, x + half, y + half))
        alone = not any(overlap(footprint.rect, other) for other in others)
        if (
            alone
            and space.has_room_for([footprint])
            and not space.is_under(footprint.rect, size[2])
        ):
            space.take([footprint])
            return x / 1000, y / 1000
    return None


# -- what they look at ----------------------------------------------------------------------------


def _sights(
    scene: _Scene, room: Room, activity: Activity, own: Furniture | None
) -> list[tuple[str, Point]]:
    """Return the names and places of objects to look at in a room, in the activity's order of
    preference."""
    sights: list[tuple[str, Point]] = []
    for category in activity.looks_at:
        if category == "window":
            sights += [
                (opening.name, _midpoint(opening.start, opening.end))
                for opening in scene.openings
                if opening.kind == "window" and room.name in opening.rooms
            ]
        pieces = [piece for piece in scene.pieces(room) if piece.category == category]
        if own is not None:
            pieces.sort(key=lambda piece: squared_distance(piece.pose.position, own.pose.position))
        sights += [
            (piece.name, (piece.pose.position[0], piece.pose.position[1])) for piece in pieces
        ]
    return sights


def _midpoint(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
