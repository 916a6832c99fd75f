"""The outer walls of a house, which are visible through windows from another wing."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import numpy as np

from homebody.worlds.house.model.house import Colour, House
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.rooms import rectangles
from homebody.worlds.house.rendering.meshes.sketch import Sketch

LOOKS: tuple[tuple[Colour, Colour, Surface], ...] = (
    ((0.88, 0.86, 0.80), (0.88, 0.86, 0.80), Surface.PLASTER),
    ((0.62, 0.36, 0.28), (0.78, 0.74, 0.68), Surface.BRICK),
    ((0.80, 0.72, 0.58), (0.80, 0.72, 0.58), Surface.PLASTER),
    ((0.55, 0.42, 0.35), (0.72, 0.68, 0.62), Surface.BRICK),
)
"""Colour, second colour and surface."""
EAVES = 0.3
"""Overhang of the roof over the walls and its visible thickness, in metres."""
Side = tuple[int, float, int, float, float]
"""A stretch of outer wall.

Its numbers are the constant axis (0: x), its value, the outward direction along that axis (1 or
-1), and start and end along the other axis.
"""


def facade(sketch: Sketch, house: House, low: float) -> None:
    """Draw outer walls above a given height, with holes for windows and doors, and the edge of the
    roof."""
    first, second, surface = LOOKS[zlib.crc32(f"{house.seed}/facade".encode()) % len(LOOKS)]
    top = max(room.height for room in house.rooms) + 0.1
    shadow = top - 0.45
    for axis, at, out, start, end in sides(house):

        def put(
            a: float,
            b: float,
            z0: float,
            z1: float,
            axis: int = axis,
            at: float = at,
            out: int = out,
        ) -> None:
            if b - a < 1e-3 or z1 - z0 < 1e-3:
                return
            if z0 < shadow < z1:  # light is computed at corners: split at the roof's shadow
                put(a, b, z0, shadow)
                put(a, b, shadow, z1)
                return
            # Counter-clockwise seen from outside.
            left, right = (a, b) if (out > 0) == (axis == 0) else (b, a)
            corners = [(at, u, z) for u, z in ((left, z0), (right, z0), (right, z1), (left, z1))]
            if axis == 1:
                corners = [(u, v, z) for v, u, z in corners]
            p, q, r, s = corners
            sketch.quad(p, q, r, s, first, surface, second)

        here = start
        for a, b, bottom, upper in _holes(house, axis, at - out * house.wall / 2, start, end):
            put(here, a, low, top)
            put(a, b, low, max(bottom, low))
            put(a, b, upper, top)
            here = b
        put(here, end, low, top)
        inner, outer = sorted((at - out * 0.02, at + out * EAVES))
        edge = ((inner, start - EAVES, top), (outer, end + EAVES, top + EAVES))
        if axis == 1:
            edge = ((start - EAVES, inner, top), (end + EAVES, outer, top + EAVES))
        sketch.box(*edge, shade(first, 0.7) if surface == Surface.PLASTER else (0.9, 0.89, 0.86))


def sides(house: House) -> Iterator[Side]:
    """Yield the stretches of the outer walls' faces."""
    wall = house.wall
    grown = np.array(
        [
            (x0 - wall, y0 - wall, x1 + wall, y1 + wall)
            for room in house.rooms
            for x0, y0, x1, y1 in rectangles(room.outline)
        ]
    )
    grown = np.round(grown, 3)
    for number, rectangle in enumerate(grown):
        for axis in (0, 1):
            for out, at in ((-1, rectangle[axis]), (1, rectangle[axis + 2])):
                other = 1 - axis
                beyond = at + out * 1e-3
                over = (grown[:, axis] < beyond) & (grown[:, axis + 2] > beyond)
                # Of two stretches that end in one plane, the first has their shared part.
                alike = grown[:, axis + (2 if out > 0 else 0)] == at
                over |= alike & (np.arange(len(grown)) < number)
                low, high = float(rectangle[other]), float(rectangle[other + 2])
                for a, b in _subtract(low, high, grown[over][:, [other, other + 2]]):
                    yield axis, float(at), out, a, b


def _subtract(low: float, high: float, taken: Floats) -> Iterator[tuple[float, float]]:
    """Yield the remaining parts of a stretch."""
    for a, b in sorted(map(tuple, taken.tolist())):
        if b <= low or a >= high:
            continue
        if a > low + 1e-3:
            yield low, a
        low = max(low, b)
    if high > low + 1e-3:
        yield low, high


def _holes(
    house: House, axis: int, middle: float, low: float, high: float
) -> list[tuple[float, float, float, float]]:
    """Return the openings in a stretch of wall: start, end, lower and upper edge, in order."""
    found = []
    for opening in house.openings:
        ends = opening.start, opening.end
        if any(abs(end[axis] - middle) > house.wall / 2 for end in ends):
            continue
        a, b = sorted(end[1 - axis] for end in ends)
        if a >= low and b <= high:
            found.append((a, b, opening.bottom, opening.top))
    return sorted(found)
