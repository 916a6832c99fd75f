"""Vectorised lines on a floor plan: distances, crossings, directions.

Sums of products are written out, because results of matrix libraries may differ in the last bit.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.house import Point
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.walls import Bools, Floats

NEARLY = 0.671
"""Squared cosine of 35 degrees; directions with a smaller angle are nearly the same."""


def off_lines(start: Floats, ends: Floats, point: Floats) -> Floats:
    """Return squared distances of a point from the lines from one place to several."""
    way, away = ends - start, point - start
    along = np.clip((way * away).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-12), 0, 1)
    off = away - along[:, None] * way
    squares: Floats = (off * off).sum(axis=1)
    return squares


def crosses(at: Floats, ends: Floats, first: Floats, second: Floats) -> Bools:
    """Return which lines from a place cross another line."""

    def side(p: Floats, q: Floats, r: Floats) -> Floats:
        way, away = q - p, r - p
        cross: Floats = way[..., 0] * away[..., 1] - way[..., 1] * away[..., 0]
        return cross

    found: Bools = (side(at, ends, first) * side(at, ends, second) < 0) & (
        side(first, second, at) * side(first, second, ends) < 0
    )
    return found


def same_way(ways: Floats, way: Floats) -> Bools:
    """Return which directions are nearly the same as another."""
    dot = (ways * way).sum(axis=-1)
    squares = (ways * ways).sum(axis=-1) * (way * way).sum(axis=-1)
    same: Bools = (dot > 0) & (dot * dot > NEARLY * squares)
    return same


def squared_distances(points: Floats, others: Floats) -> Floats:
    """Return squared distances, (points, others)."""
    away = points[:, None] - others
    squares: Floats = away[..., 0] * away[..., 0] + away[..., 1] * away[..., 1]
    return squares


def off_line(points: Floats, start: Floats, end: Floats) -> Floats:
    """Return squared distances of points from a line."""
    way = end - start
    along = np.clip(
        ((points - start) * way).sum(axis=1) / max(float((way * way).sum()), 1e-12), 0.0, 1.0
    )
    away = points - start - along[:, None] * way
    squares: Floats = (away * away).sum(axis=1)
    return squares


def steps(ways: Navigation, path: Path, longest: float) -> tuple[Point, ...]:
    """Return the points of a path, in whole millimetres where possible. Long straight parts are
    divided."""
    whole = tuple(_in_millimetres(ways, point) for point in path.points)
    at = np.array(whole)
    points = whole if ways.is_clear(at[:-1], at[1:]).all() else path.points
    more = [points[0]]
    for (a, b), (c, d) in pairwise(points):
        count = math.ceil(apart((a, b), (c, d)) / longest)
        for part in range(1, count):
            share = part / count
            more.append((round(a + (c - a) * share, 3), round(b + (d - b) * share, 3)))
        more.append((c, d))
    at = np.array(more)
    return tuple(more) if ways.is_clear(at[:-1], at[1:]).all() else points


def _in_millimetres(ways: Navigation, point: Point) -> Point:
    """Return a nearby free point in whole millimetres; if none exists, the same point."""
    near = [
        (across(x), along(y))
        for across in (_floor, _ceiling)
        for along in (_floor, _ceiling)
        for x, y in (point,)
    ]
    return next((other for other in near if ways.is_free(other)), point)


def _floor(metres: float) -> float:
    return math.floor(round(metres * 1000, 3)) / 1000


def _ceiling(metres: float) -> float:
    return math.ceil(round(metres * 1000, 3)) / 1000
