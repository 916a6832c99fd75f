"""Merge points of a navigation graph that are close together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homebody.worlds.house.model.house import House, Point
from homebody.worlds.house.play.navigating.lines import same_way
from homebody.worlds.house.play.navigating.points import LONGEST
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import apart
from homebody.worlds.house.simulation.walking.walls import Floats, room_at

CLOSE = 0.78
"""Points of a room that are closer than this, in metres, are merged if possible."""
SHIFTED = 0.8
"""Maximum distance in metres between a merged point and each of the two points that it replaces."""


def merge_points(
    house: House, ways: Navigation, points: Sequence[Point], edges: Sequence[tuple[Point, Point]]
) -> tuple[list[Point], list[tuple[Point, Point]]]:
    """Merge close points if some spot sees all neighbours of both. Return points and edges."""
    around: dict[Point, set[Point]] = {point: set() for point in points}
    for a, b in edges:
        around[a].add(b)
        around[b].add(a)
    rooms = {point: room_at(house, point) for point in points}
    tried: set[tuple[Point, Point]] = set()
    while True:
        pairs = sorted(
            (round(apart(a, b), 6), a, b)
            for a in around
            for b in around
            if a < b and rooms[a] == rooms[b] and (a, b) not in tried and apart(a, b) < CLOSE
        )
        if not pairs:
            break
        _, a, b = pairs[0]
        tried.add((a, b))
        others = sorted((around[a] | around[b]) - {a, b})
        spot = _merge_spot(ways, rooms[a], (a, b), others)
        if spot is None:
            continue
        for old in (a, b):
            for other in around.pop(old):
                if other in around:
                    around[other].discard(old)
        around[spot] = set(others)
        rooms[spot] = rooms[a]
        for other in others:
            around[other].add(spot)
    return list(around), sorted((a, b) for a in around for b in around[a] if a < b)


def _merge_spot(
    ways: Navigation, room: str, pair: tuple[Point, Point], others: Sequence[Point]
) -> Point | None:
    """Return the best spot to replace two points, or None."""
    spots = [*pair, *ways.room_spots(room), *ways.corner_spots(room)]
    at: Floats = np.array(spots)
    keep = np.ones(len(at), bool)
    for old in pair:
        keep &= ((at - old) ** 2).sum(axis=1) <= SHIFTED * SHIFTED
    for other in others:
        far = ((at - other) ** 2).sum(axis=1)
        keep &= (far <= LONGEST * LONGEST) & (far > 0.3 * 0.3)
    for other in (*others, *pair):
        keep[keep] = ways.is_clear(at[keep], np.repeat([other], int(keep.sum()), axis=0))
    at = at[keep]
    if not len(at):
        return None
    cost = np.zeros(len(at))
    for old in pair:
        cost += np.rint(((at - old) ** 2).sum(axis=1) * 100)
    for i, first in enumerate(others):
        for second in others[:i]:
            cost += 1000 * same_way(first - at, second - at)
    best = int(cost.argmin())
    if cost[best] >= 1000:
        return None
    x, y = at[best].tolist()
    return x, y
