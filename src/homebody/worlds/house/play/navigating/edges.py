"""The edges of a navigation graph.

They are straight and clear, do not cross or leave a point in similar directions, and connect all
points.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.house import House, Point
from homebody.worlds.house.play.navigating.lines import crosses, same_way, steps
from homebody.worlds.house.play.navigating.merging import merge_points
from homebody.worlds.house.play.navigating.points import ASIDE, LONGEST, OFF_CENTRE
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path
from homebody.worlds.house.simulation.walking.walls import Bools, Floats

STRETCH = 1.4
"""An additional edge is added if the way without it is longer by at least this factor."""


def join_points(
    house: House,
    ways: Navigation,
    points: Sequence[Point],
    made: Sequence[tuple[Point, Point]],
) -> tuple[list[Point], list[tuple[int, int]]]:
    """Return the points and the edges, as pairs of numbers. Points are added if they are needed to
    connect all points.

    Args:
        made: Existing edges.
    """
    if not points:
        return [], []
    points, made = merge_points(house, ways, points, made)
    while True:
        edges, parts = _edges(house, ways, points, made)
        path = _path_between(ways, points, parts)
        if path is None:
            return points, edges
        ahead = steps(ways, path, LONGEST)
        points += [corner for corner in ahead if corner not in points]
        made += [leg for leg in pairwise(ahead) if leg not in made]
        points, made = merge_points(house, ways, points, made)


def _edges(
    house: House, ways: Navigation, points: Sequence[Point], made: Sequence[tuple[Point, Point]]
) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the edges, and the connected part of each point."""
    at: Floats = np.array(points).reshape(-1, 2)
    count = len(at)
    number = {point: index for index, point in enumerate(points)}
    old = np.array([sorted((number[a], number[b])) for a, b in made], np.int64).reshape(-1, 2)
    first, second = np.triu_indices(count, 1)
    way = at[second] - at[first]
    keep = (way * way).sum(axis=1) <= LONGEST * LONGEST
    first, second = first[keep], second[keep]
    keep = ways.is_clear(at[first], at[second]) & _along_middles(house, at[first], at[second])
    first, second = first[keep], second[keep]
    keep = ~_passes(at, first, second)
    first, second = first[keep], second[keep]
    way = at[second] - at[first]
    length = np.rint(np.sqrt((way * way).sum(axis=1)) * 1000)
    order = np.lexsort((second, first, length))
    first = np.concatenate([old[:, 0], first[order]])
    second = np.concatenate([old[:, 1], second[order]])
    way = at[second] - at[first]
    length = np.rint(np.sqrt((way * way).sum(axis=1)) * 1000)
    conflicts = _conflicts(at, first, second)
    between = np.full((count, count), np.inf)
    np.fill_diagonal(between, 0)
    taken: Bools = np.zeros(len(first), bool)
    barred: Bools = np.zeros(len(first), bool)
    for stretch in (0.0, 1e9, STRETCH):
        for edge in range(len(old) if stretch == 0 else len(first)):
            a, b = first[edge], second[edge]
            if stretch and (barred[edge] or between[a, b] < stretch * length[edge]):
                continue
            taken[edge] = True
            barred |= conflicts[edge]
            via = np.minimum(
                between[:, a, None] + length[edge] + between[b],
                between[:, b, None] + length[edge] + between[a],
            )
            np.minimum(between, via, out=between)
    parts = np.isfinite(between).argmax(axis=1).tolist()  # a part is named by its first point
    _prune(taken, conflicts, first, second, count)
    pairs = {(int(a), int(b)) for a, b in zip(first[taken], second[taken], strict=True)}
    return sorted(pairs), parts


def _prune(
    taken: Bools, conflicts: Bools, first: np.ndarray, second: np.ndarray, count: int
) -> None:
    """Remove conflicting edges, the last first, unless they are needed to connect all points."""
    for edge in np.flatnonzero(taken & (conflicts & taken).any(axis=1))[::-1]:
        if not (conflicts[edge] & taken).any():
            continue
        taken[edge] = False
        reached = {int(first[edge])}
        ahead = list(reached)
        links: dict[int, list[int]] = {number: [] for number in range(count)}
        for a, b in zip(first[taken].tolist(), second[taken].tolist(), strict=True):
            links[a].append(b)
            links[b].append(a)
        while ahead:
            for other in links[ahead.pop()]:
                if other not in reached:
                    reached.add(other)
                    ahead.append(other)
        taken[edge] = int(second[edge]) not in reached


def _along_middles(house: House, starts: Floats, ends: Floats) -> Bools:
    """Return the mask of lines that pass through the middle of every doorway on their way,
    (lines,)."""
    keep = np.ones(len(starts), bool)
    for opening in house.openings:
        if not opening.is_passage:
            continue
        (a, b), (c, d) = opening.start, opening.end
        axis = 1 if abs(c - a) >= abs(d - b) else 0
        middle = np.array([(a + c) / 2, (b + d) / 2])
        half = max(abs(c - a), abs(d - b)) / 2
        start, end = starts - middle, ends - middle
        across = start[:, axis] * end[:, axis] < 0
        way = np.where(across, end[:, axis] - start[:, axis], 1.0)
        aside = start[:, 1 - axis] - start[:, axis] / way * (end - start)[:, 1 - axis]
        aside = np.abs(aside)
        keep &= ~(across & (aside > OFF_CENTRE) & (aside < half))
    return keep


def _passes(at: Floats, first: np.ndarray, second: np.ndarray) -> Bools:
    """Return which edges pass close to a point that is not their end."""
    start, way = at[first][:, None], (at[second] - at[first])[:, None]
    away = at[None] - start
    along = np.clip((away * way).sum(axis=2) / np.maximum((way * way).sum(axis=2), 1e-12), 0, 1)
    off = away - along[..., None] * way
    near = (off * off).sum(axis=2) < ASIDE * ASIDE
    rows = np.arange(len(first))
    near[rows, first] = near[rows, second] = False
    passes: Bools = near.any(axis=1)
    return passes


def _conflicts(at: Floats, first: np.ndarray, second: np.ndarray) -> Bools:
    """Return which pairs of edges cross or leave a point in nearly the same direction."""
    a, b = at[first], at[second]

    conflicts = crosses(a[:, None], b[:, None], a, b)
    way = b - a
    near, against = same_way(way[:, None], way), same_way(way[:, None], -way)
    same = (first[:, None] == first) | (second[:, None] == second)
    opposite = (first[:, None] == second) | (second[:, None] == first)
    conflicts |= (same & near) | (opposite & against)
    np.fill_diagonal(conflicts, False)
    return conflicts


def _path_between(ways: Navigation, points: Sequence[Point], parts: Sequence[int]) -> Path | None:
    """Return the shortest path between two parts; None if there is one part or no path."""
    best, found = float("inf"), None
    for number, point in enumerate(points):
        others = [at for at, part in zip(points, parts, strict=True) if part < parts[number]]
        for other, far in zip(others, ways.distances(point, others), strict=True):
            if far < best - 1e-6:
                path = ways.path(point, other)
                if path is not None:
                    best, found = far, path
    return found
