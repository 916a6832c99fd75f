"""Placement of objects: free poses on or in objects, without touching what is there.

A receptacle is a box of free space. The space of objects in it, and of furniture and people that
reach into it (a microwave on a counter), is removed. The contents of a basket count as part of it.
Candidate positions are along the edges of these boxes and on a small lattice. The candidate nearest
to the wanted point is used. The same state gives the same pose.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from homebody.worlds.house.model.house import (
    Box,
    Furniture,
    Pose,
    Receptacle,
    Thing,
    Vector,
    box_at,
    to_world,
)
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.relations import NEXT_TO
from homebody.worlds.house.simulation.walking.doors import swings
from homebody.worlds.house.simulation.walking.obstacles import person_box
from homebody.worlds.house.simulation.walking.walls import Bools, Floats, in_outline, memory

APART = 0.01
"""Minimum distance in metres between objects that are put down."""
TRIED = 7
"""Number of lattice points along each side of a surface."""
ARM = 0.35
"""Minimum metres from an agent's middle at which it can put objects on the floor."""


def receptacles(state: HouseState, holder: str, kind: str) -> tuple[Receptacle, ...]:
    """Return the ``on`` or ``within`` receptacles of a piece or an object. Raises KeyError."""
    return tuple(
        receptacle for receptacle in _holder(state, holder).receptacles if receptacle.kind == kind
    )


def fit(
    state: HouseState,
    name: str,
    place: Place,
    toward: Vector,
    beside: str = "",
) -> Pose | None:
    """Return the pose nearest to a point for an object in a receptacle, or None.

    Args:
        state: The current state.
        name: The object, wherever it is.
        place: The piece or object, and the name of its receptacle.
        toward: The wanted point, in the frame of the house.
        beside: An object that it should be next to, or an empty string.

    Raises:
        KeyError: No such object, piece or receptacle.
    """
    holder = _holder(state, place[0])
    pose = holder.pose if isinstance(holder, Furniture) else state.poses[place[0]]
    space = next(
        (receptacle for receptacle in holder.receptacles if receptacle.name == place[1]), None
    )
    if space is None:
        raise KeyError(place[1])
    own = _joint(state, name)
    size, (aside, ahead, _) = own.size, own.centre
    if size[2] > space.high[2] - space.low[2]:
        return None
    taken = [
        _relative(state.poses[thing], state.house.thing[thing].size, pose)
        for stands in state.objects_at(place)
        if stands != name
        for thing in _with_contents(state, stands)
    ]
    taken += _reaching_in(state, place[0], holder, space, pose)
    want = _back(pose, toward)[:2]
    near = None
    if beside:
        other = state.box(beside)
        near = _relative(Pose(other.foot), other.size, pose)
        want = near.centre[:2]
    for turn in (0.0, 90.0):
        w, d = (size[0], size[1]) if turn == 0.0 else (size[1], size[0])
        spot = _nearest_free(space.low, space.high, (w, d, size[2]), taken, want, near)
        if spot is not None:
            # from the middle of it and its contents back to its own
            a, b = (aside, ahead) if turn == 0.0 else (-ahead, aside)
            x, y, z = to_world(pose, (spot[0] - a, spot[1] - b, space.low[2]))
            return Pose((round(x, 3), round(y, 3), round(z, 3)), (pose.yaw + turn) % 360.0)
    return None


def fit_on_floor(
    state: HouseState, name: str, floor: str, agent: str, reach: float, beside: str = ""
) -> Pose | None:
    """Return a free pose for an object on a floor in reach, preferably ahead of the agent, or
    None."""
    room = state.house.floors[floor]
    body = state.bodies[agent].pose
    own = _joint(state, name)
    w, d, height = own.size
    half = np.array((w / 2, d / 2))
    turns = np.radians(np.array((0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)))
    middle = np.array(body.position[:2])
    ahead = math.radians(body.yaw) + math.pi / 2
    least = max(ARM, state.bodies[agent].size[0] / 2 + max(w, d) / 2 + APART)
    rings = np.arange(least, reach, 0.1)
    # rounded: the last digit of a cosine is not the same on every platform
    across = (rings[:, None] * np.round(np.cos(ahead + turns), 9)).ravel()
    along = (rings[:, None] * np.round(np.sin(ahead + turns), 9)).ravel()
    points = np.round(middle + np.stack([across, along], axis=1), 3)
    if beside:
        box = state.box(beside)
        points = np.concatenate([_ring(box, (w, d)), points])
        points = points[((points - middle) ** 2).sum(axis=1) <= reach * reach]
        gaps = _gaps(points, half, box)
        points = points[gaps <= NEXT_TO - 0.01]
    keep = np.ones(len(points), bool)
    for sign in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        keep &= in_outline(room.outline, points + half * np.array(sign))
    others = [piece.box for piece in state.house.furniture if _blocks(piece.box, height)]
    others += [person_box(state.house, person.name) for person in state.house.people]
    others += swings(state.house).values()
    others += [state.box(body) for body in state.bodies]
    others += [
        state.box(thing)
        for stands in state.objects_at((floor, ""))
        if stands != name
        for thing in _with_contents(state, stands)
    ]
    keep &= _clear(points, half, others)
    points = points[keep]
    if not len(points):
        return None
    x, y = points[0] - np.array(own.centre[:2])
    return Pose((round(float(x), 3), round(float(y), 3), 0.0), 0.0)


def _with_contents(state: HouseState, name: str) -> list[str]:
    """Return an object and all objects on or in it, at any depth."""
    names = [name]
    for bearer in names:  # which grows meanwhile
        for receptacle in state.house.thing[bearer].receptacles:
            names += state.objects_at((bearer, receptacle.name))
    return names


def _joint(state: HouseState, name: str) -> Box:
    """Return the box around an object and its contents, which may stick out, relative to it."""
    frame = state.poses[name]
    w, d, h = state.house.thing[name].size
    low, high = (-w / 2, -d / 2, 0.0), (w / 2, d / 2, h)
    for inner in _with_contents(state, name)[1:]:
        box = _relative(state.poses[inner], state.house.thing[inner].size, frame)
        low = min(low[0], box.low[0]), min(low[1], box.low[1]), 0.0
        high = max(high[0], box.high[0]), max(high[1], box.high[1]), max(high[2], box.high[2])
    return Box(low, high)


def _nearest_free(
    low: Vector,
    high: Vector,
    size: Vector,
    taken: Sequence[Box],
    want: tuple[float, float],
    near: Box | None,
) -> tuple[float, float] | None:
    """Return the free middle nearest to a point on a surface, out of the candidates."""
    tried = []
    for axis in (0, 1):
        half = size[axis] / 2
        least, most = low[axis] + half, high[axis] - half
        if least > most + 1e-9:
            return None
        step = (most - least) / (TRIED - 1)
        lattice = [*(index * step + least for index in range(TRIED - 1)), most]
        edges = [box.low[axis] - APART - half for box in taken]
        edges += [box.high[axis] + APART + half for box in taken]
        if near is not None:
            edges += [near.low[axis] - APART - half, near.high[axis] + APART + half]
            edges.append(near.centre[axis])
        edges.append(min(max(want[axis], least), most))
        middles = np.concatenate([lattice, np.round(edges, 6)])
        middles.sort()
        keep = (middles >= least - 1e-9) & (middles <= most + 1e-9)
        keep[1:] &= middles[1:] != middles[:-1]
        tried.append(middles[keep])
    across, along = tried
    grid = np.empty((len(across), len(along), 2))
    grid[..., 0], grid[..., 1] = across[:, None], along
    points = grid.reshape(-1, 2)
    half_size = np.array((size[0] / 2, size[1] / 2))
    keep = _clear(points, half_size, taken)
    if near is not None:
        keep &= _gaps(points, half_size, near) <= NEXT_TO - 0.01
    points = points[keep]
    if not len(points):
        return None
    far = ((points - np.array(want)) ** 2).sum(axis=1).round(9)
    x, y = points[int(far.argmin())]
    return float(x), float(y)


def _clear(points: Floats, half: Floats, boxes: Iterable[Box]) -> Bools:
    """Return the mask of middles at which an object does not overlap boxes on the plan, (n,)."""
    flat = np.array([(*box.low[:2], *box.high[:2]) for box in boxes]).reshape(-1, 4)
    margin = half + (APART - 1e-6)
    hit = (
        (points[:, 0, None] + margin[0] > flat[:, 0])
        & (points[:, 0, None] - margin[0] < flat[:, 2])
        & (points[:, 1, None] + margin[1] > flat[:, 1])
        & (points[:, 1, None] - margin[1] < flat[:, 3])
    )
    clear: Bools = ~hit.any(axis=1)
    return clear


def _gaps(points: Floats, half: Floats, box: Box) -> Floats:
    """Return the distances on the plan between an object at each middle and a box."""
    low, high = np.array(box.low[:2]) - half, np.array(box.high[:2]) + half
    away = np.maximum(np.maximum(low - points, points - high), 0.0)
    gaps: Floats = np.sqrt((away**2).sum(axis=1))
    return gaps


def _ring(box: Box, size: tuple[float, float]) -> Floats:
    """Return middles on the four sides of a box, two centimetres off it."""
    x, y, _ = box.centre
    across, along = (box.size[0] + size[0]) / 2 + 0.02, (box.size[1] + size[1]) / 2 + 0.02
    return np.round(np.array([(x - across, y), (x + across, y), (x, y - along), (x, y + along)]), 3)


def _reaching_in(
    state: HouseState, name: str, holder: Furniture | Thing, space: Receptacle, pose: Pose
) -> list[Box]:
    """Return the furniture and people that reach into a receptacle of a piece, in the frame of the
    piece."""
    if isinstance(holder, Thing):
        return []
    key = f"in {name} {space.name}"
    reaching: list[Box] | None = memory(state.house).get(key)
    if reaching is None:
        middle = (space.low[0] + space.high[0]) / 2, (space.low[1] + space.high[1]) / 2
        size = tuple(b - a for a, b in zip(space.low, space.high, strict=True))
        at = Pose(to_world(pose, (*middle, space.low[2])), pose.yaw)
        around = box_at(at, (size[0], size[1], size[2]))
        boxes = [piece.box for piece in state.house.furniture if piece.name != name]
        boxes += [person_box(state.house, person.name) for person in state.house.people]
        reaching = [_relative(Pose(box.foot), box.size, pose) for box in boxes if box.meets(around)]
        memory(state.house)[key] = reaching
    return reaching


def _blocks(box: Box, height: float) -> bool:
    """Return whether a piece blocks an object of this height on the floor; rugs do not."""
    return box.low[2] < height and box.high[2] > 0.04


def _relative(pose: Pose, size: Vector, frame: Pose) -> Box:
    """Return the box of an object in the frame of another."""
    return box_at(Pose(_back(frame, pose.position), pose.yaw - frame.yaw), size)


def _back(frame: Pose, point: Vector) -> Vector:
    """Transform a point of the house into the frame of an object."""
    x, y, z = (a - b for a, b in zip(point, frame.position, strict=True))
    return to_world(Pose((0.0, 0.0, 0.0), -frame.yaw), (x, y, z))


def _holder(state: HouseState, name: str) -> Furniture | Thing:
    return state.house.piece.get(name) or state.house.thing[name]
