"""The walls of a floor plan, and intersections of lines with walls or boxes.

A house stores the outlines of rooms and the doorways between them. Everything else on the plan is
wall. Walls are converted to a few rectangles, so that many lines can be tested at once.

Frame and units are defined in :mod:`homebody.worlds.house.model.house`. A line that only touches a
wall or box does not hit it: rectangles and boxes exclude their edges, and are a micrometre smaller
to absorb floating-point noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.doors import shut_leaf
from homebody.worlds.house.model.house import NOISE, House, Opening, Point, Room, Thing

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

OUTSIDE = 2.0
"""Width in metres of the strip around a house that counts as wall."""
MAX_CACHED = 500
"""Maximum number of entries in each cache of a house."""


def house_walls(house: House) -> tuple[Floats, Floats]:
    """Return the walls and the strip outside: (low, high), each (n, 2); cached."""
    walls = memory(house).get("walls")
    if walls is None:
        walls = memory(house)["walls"] = _walls(house)
    low, high = walls
    return low, high


def reach_walls(house: House) -> tuple[Floats, Floats]:
    """Return the walls and all doors, as if all doors were closed. Nobody can reach through them.

    The result has the form of :func:`house_walls`, and is cached.
    """
    walls = memory(house).get("reach walls")
    if walls is None:
        low, high = house_walls(house)
        leaves = [shut_leaf(house, door) for door in house.door.values()]
        if leaves:
            low = np.concatenate([low, [leaf.low[:2] for leaf in leaves]])
            high = np.concatenate([high, [leaf.high[:2] for leaf in leaves]])
        walls = memory(house)["reach walls"] = low, high
    low, high = walls
    return low, high


def doorway_box(opening: Opening, wall: float) -> tuple[float, float, float, float]:
    """Return the floor of a doorway: (low x, low y, high x, high y)."""
    (a, b), (c, d) = opening.start, opening.end
    half = wall / 2 + 0.01  # a little into both rooms
    if abs(c - a) >= abs(d - b):
        return min(a, c), b - half, max(a, c), b + half
    return a - half, min(b, d), a + half, max(b, d)


def in_outline(outline: Sequence[Point], points: Floats) -> Bools:
    """Return which points, (n, 2), lie in a rectilinear outline, edges included.

    A point is inside if the number of vertical edges to its right is odd. The edges are counted
    just above and just below the point. A point on a horizontal edge is inside according to one of
    the counts.
    """
    x, y = points[:, 0], points[:, 1]
    above, below = np.zeros(len(points), bool), np.zeros(len(points), bool)
    on_edge = np.zeros(len(points), bool)
    for (a, b), (c, d) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if abs(a - c) > NOISE:
            continue
        low, high = min(b, d), max(b, d)
        right = x < a
        above ^= right & (y + NOISE >= low) & (y + NOISE < high)
        below ^= right & (y - NOISE >= low) & (y - NOISE < high)
        on_edge |= (np.abs(x - a) <= NOISE) & (y >= low - NOISE) & (y <= high + NOISE)
    return above | below | on_edge


def contains(room: Room, point: Point) -> bool:
    """Return whether a point of the plan lies in a room; faster than numpy for single points."""
    x, y = point
    above = below = False
    before = room.outline[-1]
    for corner in room.outline:
        (a, b), (c, d) = before, corner
        before = corner
        if abs(a - c) > NOISE:
            continue
        low, high = (b, d) if b < d else (d, b)
        if abs(x - a) <= NOISE and low - NOISE <= y <= high + NOISE:
            return True
        if x < a:
            above ^= low <= y + NOISE < high
            below ^= low <= y - NOISE < high
    return above or below


def room_at(house: House, point: Point) -> str:
    """Return the room at a point of the plan; the nearest one in doorways and outside."""
    x, y = point
    for room, (left, below, right, above) in zip(house.rooms, _bounds(house), strict=True):
        near = left - 0.01 <= x <= right + 0.01 and below - 0.01 <= y <= above + 0.01
        if near and contains(room, point):
            return room.name
    best, least = "", float("inf")
    for room in house.rooms:
        before = room.outline[-1]
        for corner in room.outline:
            far = _to_edge(point, before, corner)
            if far < least:
                best, least = room.name, far
            before = corner
    return best


def hits(starts: Floats, ends: Floats, low: Floats, high: Floats) -> Bools:
    """Return which of n lines hit which of m boxes, in k dimensions.

    Args:
        starts: (n, k).
        ends: (n, k).
        low: Lower corners, (m, k).
        high: Upper corners, (m, k).

    Returns:
        (n, m).
    """
    shape = len(starts), len(low)
    first, last = np.zeros(shape), np.ones(shape)
    for axis in range(starts.shape[1]):
        start = starts[:, axis, None]
        way = ends[:, axis, None] - start
        way = np.where(np.abs(way) < 1e-12, 1e-12, way)
        to_low, to_high = low[:, axis] + NOISE - start, high[:, axis] - NOISE - start
        to_low /= way
        to_high /= way
        np.maximum(first, np.minimum(to_low, to_high), out=first)
        np.minimum(last, np.maximum(to_low, to_high), out=last)
    hit: Bools = first < last
    return hit


def crosses_wall(house: House, start: Point, end: Point) -> bool:
    """Return whether a straight line hits a wall or passes a door, open or closed; cached."""
    known: dict[tuple[Point, Point], bool] = memory(house).setdefault("crossed", {})
    crossed = known.get((start, end))
    if crossed is None:
        evict_old(known)
        crossed = known[start, end] = _crosses_wall(house, start, end)
    return crossed


def _crosses_wall(house: House, start: Point, end: Point) -> bool:
    (a, b), (c, d) = start, end
    slack = NOISE / 2  # walls are smaller than their rectangles by NOISE
    for room, (left, below, right, above) in zip(house.rooms, _bounds(house), strict=True):
        left, below, right, above = left - slack, below - slack, right + slack, above + slack
        both = left <= a <= right and below <= b <= above
        if both and left <= c <= right and below <= d <= above and len(room.outline) == 4:
            return False  # within one rectangular room
    low, high = reach_walls(house)
    return bool(hits(np.array([start]), np.array([end]), low, high).any())


def _bounds(house: House) -> Sequence[tuple[float, float, float, float]]:
    """Return the rectangles around the rooms: (low x, low y, high x, high y)."""
    bounds: list[tuple[float, float, float, float]] | None = memory(house).get("bounds")
    if bounds is None:
        outlines = [list(zip(*room.outline, strict=True)) for room in house.rooms]
        bounds = [(min(xs), min(ys), max(xs), max(ys)) for xs, ys in outlines]
        memory(house)["bounds"] = bounds
    return bounds


def _walls(house: House) -> tuple[Floats, Floats]:
    doors = [doorway_box(opening, house.wall) for opening in house.openings if opening.is_passage]
    corners = [corner for room in house.rooms for corner in room.outline]
    xs = {x for x, _ in corners} | {x for door in doors for x in door[::2]}
    ys = {y for _, y in corners} | {y for door in doors for y in door[1::2]}
    if not xs:
        return np.empty((0, 2)), np.empty((0, 2))
    across = np.array(sorted(xs | {min(xs) - OUTSIDE, max(xs) + OUTSIDE}))
    along = np.array(sorted(ys | {min(ys) - OUTSIDE, max(ys) + OUTSIDE}))
    middle_x, middle_y = (across[1:] + across[:-1]) / 2, (along[1:] + along[:-1]) / 2
    grid = np.stack(np.meshgrid(middle_x, middle_y, indexing="ij"), axis=-1)
    cells = grid.reshape(-1, 2)
    free = np.zeros(len(cells), bool)
    for room in house.rooms:
        free |= in_outline(room.outline, cells)
    for a, b, c, d in doors:
        x, y = cells[:, 0], cells[:, 1]
        free |= (x > a) & (x < c) & (y > b) & (y < d)
    rectangles = _merge_cells(~free.reshape(grid.shape[:2]))
    low = np.array([(across[a], along[b]) for a, b, _, _ in rectangles]).reshape(-1, 2)
    high = np.array([(across[c], along[d]) for _, _, c, d in rectangles]).reshape(-1, 2)
    return low, high


def _merge_cells(cells: Bools) -> list[tuple[int, int, int, int]]:
    """Return rectangles that cover exactly the true cells: (from i, from j, to i, to j)."""
    left = cells.copy()
    rectangles = []
    for i in range(left.shape[0]):
        for j in range(left.shape[1]):
            if not left[i, j]:
                continue
            end = j + 1
            while end < left.shape[1] and left[i, end]:
                end += 1
            far = i + 1
            while far < left.shape[0] and left[far, j:end].all():
                far += 1
            left[i:far, j:end] = False
            rectangles.append((i, j, far, end))
    return rectangles


def _to_edge(point: Point, start: Point, end: Point) -> float:
    """Return the squared distance from a point to an axis-parallel edge."""
    (x, y), (a, b), (c, d) = point, start, end
    across = max(min(a, c) - x, x - max(a, c), 0.0)
    along = max(min(b, d) - y, y - max(b, d), 0.0)
    return across * across + along * along


def memory(house: House) -> dict[str, Any]:
    """Return the cache of a house. Copies by :func:`with_things` share it: nothing in it may depend
    on objects."""
    kept = vars(house)
    cache: dict[str, Any] | None = kept.get("_cache")
    if cache is None:
        cache = kept["_cache"] = {}
    return cache


def evict_old(cache: dict[Any, Any], more: int = 1) -> None:
    """Evict the older half of a full cache; threads may do so at the same time."""
    if len(cache) + more > MAX_CACHED:
        for key in list(cache)[: max(MAX_CACHED // 2, more)]:
            cache.pop(key, None)


def evict_old_points(cache: dict[tuple[Point, ...], Any], more: int) -> None:
    """Evict old entries of a cache, before ``more`` points are added. The size of the cache is its
    number of points.

    An entry with more points than the cache may have is stored alone.
    """
    sizes = {points: len(points) for points in list(cache)}
    left = sum(sizes.values())
    most = MAX_CACHED if left + more <= MAX_CACHED else MAX_CACHED // 2
    for points, size in sizes.items():
        if left + more <= most:
            break
        cache.pop(points, None)
        left -= size


def first_memory(house: House) -> dict[str, Any]:
    """Return the cache for data that depends on a house's initial objects. Copies do not share
    it."""
    cache: dict[str, Any] = vars(house).setdefault("_initial_cache", {})
    return cache


def with_things(
    house: House, things: Iterable[Thing], states: Mapping[str, Mapping[str, bool]] | None = None
) -> House:
    """Return the same scene with other objects and other states of furniture.

    Both share cached data: walls, paths, and the space inside furniture.

    Args:
        states: Furniture -> initial states; other pieces keep theirs.
    """
    furniture = house.furniture
    if states:
        furniture = tuple(
            replace(piece, states=dict(states[piece.name])) if piece.name in states else piece
            for piece in furniture
        )
    other = replace(house, things=tuple(things), furniture=furniture)
    vars(other)["_cache"] = memory(house)
    return other
