"""Relations between objects, rooms and agents, computed from geometry.

The first twelve relations are PARTNR's, with the definitions and thresholds of its table 6
(appendix A.4.2 of the paper). The paper casts rays in a simulator. Here, furniture is a box with
hollows (its receptacles) and objects are boxes, so each ray has an exact result that is cheap to
compute. The other relations are for tasks about distance and sight.

All functions take a :class:`HouseState` and names of objects, furniture, agents or people of the
scene, and raise KeyError for other names. Distances are metres on the plan between boxes, 0 where
they overlap.

An object in a hand is not on top of, inside, next to or clustered with anything outside that hand,
and not on the floor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from homebody.worlds.house.model.house import Box, Point, Pose, Vector, box_at, to_world, turn
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.walking.doors import opaque_walls
from homebody.worlds.house.simulation.walking.obstacles import person_box
from homebody.worlds.house.simulation.walking.walls import (
    Floats,
    contains,
    hits,
    memory,
    room_at,
)

RAY = 1.0
"""Length of the rays of ``is_inside`` in metres."""
OPPOSING = 2
"""Pairs of opposing rays that must hit for ``is_inside``."""
IN_ROOM = 0.25
"""Minimum share of an object's keypoints that must be in a room."""
ABOVE_FLOOR = 0.04
"""Maximum height in metres of an object on the floor."""
NEXT_TO = 0.5
"""Maximum metres on the plan between objects that are next to each other."""
CLOSE = 1.5
"""Maximum metres between objects that are close. homebody chose this number and the next two,
because no paper states them."""
FACING_ANGLE = 45.0
"""Degrees to either side of straight ahead that count as facing."""
FACING_RANGE = 5.0
"""Maximum distance in metres between an object and one that it faces."""
EPSILON = 1e-6
"""Tolerance in metres of all thresholds, for floating-point noise."""


# -- PARTNR's ----------------------------------------------------------------------------------


def is_on_top(state: HouseState, name: str, other: str) -> bool:
    """Return whether a ray down from any corner of one object's box meets the other.

    As in the paper, a ray continues through the objects that it meets: a cup on a plate on a table
    is on top of both, and the contents of a wall cabinet are on top of the counter below.
    :func:`rests_on` tests for actual support.
    """
    if name == other:
        return False
    below, above = _box(state, other), _box(state, name)
    if above.high[2] <= below.low[2] + EPSILON:
        return False
    (a, b, _), (c, d, _) = below.low, below.high
    near = above.low[0] <= c + EPSILON and above.high[0] >= a - EPSILON
    if not (near and above.low[1] <= d + EPSILON and above.high[1] >= b - EPSILON):
        return False
    # upper corners suffice: their rays include those of the lower ones
    return _is_handled_alike(state, name, other) and any(
        a - EPSILON <= x <= c + EPSILON and b - EPSILON <= y <= d + EPSILON
        for x, y, _ in corners(state, name)[:4]
    )


def is_inside(state: HouseState, name: str, other: str) -> bool:
    """Return whether two pairs of opposing rays of 1 m hit another object on both sides.

    The rays start at the corners and the middle of an object's box, along the axes. They meet the
    walls, floor and ceiling of the hollow in which they begin, if the outer box continues behind
    them. Therefore the contents of a sink's basin are inside, and also objects between the boards
    of a bookcase or the arms of a sofa.
    """
    if name == other:
        return False
    outer, inner = _box(state, other), _box(state, name)
    for axis in range(3):
        if inner.low[axis] >= outer.high[axis] or inner.high[axis] <= outer.low[axis]:
            return False
    hollows = _hollows(state, other)
    count = 0
    for point in (*corners(state, name), inner.centre):
        if not _is_in_box(outer, point, -EPSILON):
            continue
        around = [hollow for hollow in hollows if _is_in_box(hollow, point)]
        if not around:  # rays that begin in solid matter meet nothing
            continue
        for axis in range(3):
            if all(_is_walled(outer, around, point, axis, side) for side in (-1, 1)):
                count += 1
                if count >= OPPOSING:
                    return _is_handled_alike(state, name, other)
    return False


def is_in_room(state: HouseState, name: str, room: str) -> bool:
    """Return whether 3 of 9 keypoints (corners and middle of its box) are in a room."""
    place = state.house.room[room]
    points = (*corners(state, name), _box(state, name).centre)
    inside = sum(
        -EPSILON <= z <= place.height + EPSILON and contains(place, (x, y)) for x, y, z in points
    )
    return inside >= IN_ROOM * len(points)


def is_on_floor(state: HouseState, name: str) -> bool:
    """Return whether its bottom is within 0.04 m of a floor of a room, clear of furniture."""
    x, y, z = state.poses[name].position if name in state.poses else _box(state, name).foot
    if abs(z) > ABOVE_FLOOR + EPSILON or _hand(state, name) is not None:
        return False
    for piece in state.house.furniture:
        box = state.box(piece.name)
        flat = box.high[2] <= ABOVE_FLOOR or piece.name == name
        if not flat and box.low[2] <= z + ABOVE_FLOOR and _is_over(box, (x, y)):
            return False
    return any(contains(room, (x, y)) for room in state.house.rooms)


def is_next_to(state: HouseState, name: str, other: str, limit: float = NEXT_TO) -> bool:
    """Return whether boxes overlap in height and are at most ``limit`` metres apart on the plan.

    Touching, like a cup and the table below it, is not overlapping. Nothing is next to itself.
    """
    if name == other:
        return False
    a, b = _box(state, name), _box(state, other)
    if a.high[2] <= b.low[2] + EPSILON or b.high[2] <= a.low[2] + EPSILON:
        return False
    return gap(a, b) <= limit + EPSILON and _is_handled_alike(state, name, other)


def is_clustered(state: HouseState, names: Sequence[str]) -> bool:
    """Return whether each of at least two objects is next to another of them."""
    if len(names) < 2:
        return False
    return all(
        any(is_next_to(state, name, other) for other in names if other != name) for name in names
    )


def is_clean(state: HouseState, name: str) -> bool:
    """Return whether a cleanable object is clean. This relation and the next five depend on
    states."""
    return state.states.get(name, {}).get("clean") is True


def is_dirty(state: HouseState, name: str) -> bool:
    """Return whether a cleanable object is not clean."""
    return state.states.get(name, {}).get("clean") is False


def is_filled(state: HouseState, name: str) -> bool:
    """Return whether a fillable object is full."""
    return state.states.get(name, {}).get("filled") is True


def is_empty(state: HouseState, name: str) -> bool:
    """Return whether a fillable object is not full."""
    return state.states.get(name, {}).get("filled") is False


def is_powered_on(state: HouseState, name: str) -> bool:
    """Return whether a powerable object is on."""
    return state.states.get(name, {}).get("powered_on") is True


def is_powered_off(state: HouseState, name: str) -> bool:
    """Return whether a powerable object is off."""
    return state.states.get(name, {}).get("powered_on") is False


# -- of places, distance and sight ----------------------------------------------------------------


def rests_on(state: HouseState, name: str, other: str) -> bool:
    """Return whether an object is on or in something, directly or through other objects."""
    at = name
    while at in state.places:
        at = state.places[at][0]
        if at == other:
            return True
    return False


def room_of(state: HouseState, name: str) -> str:
    """Return the room of an object: the room of its outermost bearer or, without a bearer, of its
    middle."""
    at = name
    while at in state.places:
        at = state.places[at][0]
    if at in state.house.piece:
        return state.house.piece[at].room
    if at in state.house.floors:
        return state.house.floors[at].name
    return room_at(state.house, _box(state, at).centre[:2])


def is_close(state: HouseState, name: str, other: str, limit: float = CLOSE) -> bool:
    """Return whether two objects are in one room and at most ``limit`` metres apart in 3D."""
    if name == other or room_of(state, name) != room_of(state, other):
        return False
    a, b = _box(state, name), _box(state, other)
    high = max(a.low[2] - b.high[2], b.low[2] - a.high[2], 0.0)
    flat = gap(a, b)
    return flat * flat + high * high <= limit * limit + EPSILON


def is_facing(
    state: HouseState,
    name: str,
    other: str,
    angle: float = FACING_ANGLE,
    limit: float = FACING_RANGE,
) -> bool:
    """Return whether an object faces another's middle within angle and range, nothing between."""
    if name == other:
        return False
    here, there = _box(state, name).centre, _box(state, other).centre
    ahead = to_world(Pose((0.0, 0.0, 0.0), _yaw(state, name)), (0.0, 1.0, 0.0))
    across, along = there[0] - here[0], there[1] - here[1]
    far = math.sqrt(across * across + along * along)
    if far <= EPSILON or far > limit + EPSILON:
        return False
    leaning = (across * ahead[0] + along * ahead[1]) / far
    if leaning < round(math.cos(math.radians(angle)), 9) - EPSILON:
        return False
    walls = opaque_walls(state)
    return not hits(np.array([here[:2]]), np.array([there[:2]]), *walls).any()


def is_occluded(state: HouseState, name: str, eye: Vector) -> bool:
    """Return whether no part of an object is visible from a point.

    It is in closed furniture, or every line to a corner, face centre or centre of its box hits a
    wall, a shut door, furniture or another object. Each piece counts as its whole box without its
    receptacles, whereas rendering uses real shapes. Range and direction of a look are ignored.
    """
    if is_shut_in(state, name):
        return True
    box = _box(state, name)
    targets = _sight_targets(box)
    starts = np.broadcast_to(np.array(eye), targets.shape)
    low, high = opaque_walls(state)
    blocked = hits(starts[:, :2], targets[:, :2], low, high).any(axis=1)
    if blocked.all():
        return True
    own = {name}
    at = name
    while at in state.places:  # bearers do not block sight: their hollows are open
        at = state.places[at][0]
        own.add(at)
    boxes = _solids(state, own)
    if not len(boxes):
        return False
    nearby = hits(starts[~blocked], targets[~blocked], boxes[:, :3], boxes[:, 3:])
    return bool(nearby.any(axis=1).all())


def is_shut_in(state: HouseState, name: str) -> bool:
    """Return whether an object is in something closed, at any depth."""
    at = name
    while at in state.places:
        holder, receptacle = state.places[at]
        own = state.states.get(holder)
        if own is not None and own.get("open") is False and _is_within(state, holder, receptacle):
            return True
        at = holder
    return False


# -- geometry ----------------------------------------------------------------------------------


def gap(box: Box, other: Box) -> float:
    """Return the distance between two boxes on the plan."""
    across = max(box.low[0] - other.high[0], other.low[0] - box.high[0], 0.0)
    along = max(box.low[1] - other.high[1], other.low[1] - box.high[1], 0.0)
    return math.sqrt(across * across + along * along)


def corners(state: HouseState, name: str) -> tuple[Vector, ...]:
    """Return the eight corners of an object's own rotated box, the upper four first."""
    if name in state.poses:
        pose, (w, d, h) = state.poses[name], state.house.thing[name].size
        cos, sin = turn(pose)
        x, y, z = pose.position
        return tuple(
            (x + across * cos - along * sin, y + across * sin + along * cos, z + up)
            for up, across, along in product((h, 0.0), (-w / 2, w / 2), (-d / 2, d / 2))
        )
    (a, b, c), (d, e, f) = (box := _box(state, name)).low, box.high
    return tuple((x, y, z) for z, x, y in product((f, c), (a, d), (b, e)))


def _box(state: HouseState, name: str) -> Box:
    try:
        return state.box(name)
    except KeyError:
        return person_box(state.house, name)


def _hand(state: HouseState, name: str) -> Place | None:
    """Return the bearer and hand that hold an object, directly or in something else."""
    place = state.places.get(name)
    while place is not None and place[0] in state.places:
        place = state.places[place[0]]
    return place if place is not None and state.can_hold(place[0]) else None


def _is_handled_alike(state: HouseState, name: str, other: str) -> bool:
    """Return whether neither of two objects is held, or both are in the same hand."""
    return not (state.bodies or state.house.people) or _hand(state, name) == _hand(state, other)


def _yaw(state: HouseState, name: str) -> float:
    if name in state.poses:
        return state.poses[name].yaw
    if name in state.bodies:
        return state.bodies[name].pose.yaw
    if name in state.house.piece:
        return state.house.piece[name].pose.yaw
    return next(person.pose.yaw for person in state.house.people if person.name == name)


def _is_over(box: Box, point: Point) -> bool:
    return box.low[0] < point[0] < box.high[0] and box.low[1] < point[1] < box.high[1]


def _is_in_box(box: Box, point: Vector, margin: float = EPSILON) -> bool:
    return all(
        low - margin <= at <= high + margin
        for low, at, high in zip(box.low, point, box.high, strict=True)
    )


def _is_walled(outer: Box, around: Sequence[Box], point: Vector, axis: int, side: int) -> bool:
    """Return whether a ray of 1 m along an axis meets matter between a hollow and the box's end."""
    if side > 0:
        far = max(hollow.high[axis] for hollow in around)
        return far < outer.high[axis] - EPSILON and far - point[axis] <= RAY + EPSILON
    far = min(hollow.low[axis] for hollow in around)
    return far > outer.low[axis] + EPSILON and point[axis] - far <= RAY + EPSILON


def _hollows(state: HouseState, name: str) -> Sequence[Box]:
    """Return the receptacles of an object as boxes of the house."""
    if name in state.house.piece:
        key = f"hollows {name}"
        hollows: Sequence[Box] | None = memory(state.house).get(key)
        if hollows is None:
            piece = state.house.piece[name]
            hollows = [
                _part(piece.pose, receptacle.low, receptacle.high)
                for receptacle in piece.receptacles
            ]
            memory(state.house)[key] = hollows
        return hollows
    thing = state.house.thing.get(name)
    if thing is None:
        return ()
    return [
        _part(state.poses[name], receptacle.low, receptacle.high)
        for receptacle in thing.receptacles
    ]


def _part(pose: Pose, low: Vector, high: Vector) -> Box:
    middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]
    size = high[0] - low[0], high[1] - low[1], high[2] - low[2]
    return box_at(Pose(to_world(pose, middle), pose.yaw), size)


def _is_within(state: HouseState, holder: str, receptacle: str) -> bool:
    piece = state.house.piece.get(holder) or state.house.thing[holder]
    return any(space.kind == "within" and space.name == receptacle for space in piece.receptacles)


def _sight_targets(box: Box) -> Floats:
    """Return corners, face centres and centre of a box, 1 % inside it, (15, 3)."""
    middle, half = np.array(box.centre), np.array(box.size) * 0.49
    ways = [way for way in product((-1, 0, 1), repeat=3) if sum(map(abs, way)) != 2]
    return middle + np.array(ways) * half


def _solids(state: HouseState, without: set[str]) -> Floats:
    """Return boxes that block sight, furniture and objects, (n, 6)."""
    boxes = [
        (*box.low, *box.high)
        for piece in state.house.furniture
        if piece.name not in without and (box := piece.box)
    ]
    for name in state.poses:
        if name not in without and not is_shut_in(state, name):
            box = state.box(name)
            boxes.append((*box.low, *box.high))
    return np.array(boxes).reshape(-1, 6)
