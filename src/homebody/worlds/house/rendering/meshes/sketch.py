"""Meshes built from a few solids: boxes, cushions, lathed profiles, tubes.

A :class:`Sketch` collects solids and becomes a mesh. Shapes are drawn in the frame of an object:
its bottom's centre at the origin, its front at +y, z up, metres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, METAL, Surface
from homebody.worlds.house.rendering.meshes.mesh import (
    Mesh,
    flat_normals,
    join_meshes,
    rotation_matrix,
)


class Sketch:
    """Collects solids; ``mesh`` makes a mesh of them, ``at`` puts solids anywhere."""

    __slots__ = ("_frame", "_parts")

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Floats, Colour, Colour, Surface]] = []
        self._frame: tuple[Sketch, Floats, Floats] | None = None

    def at(self, place: Vector, turn: float = 0.0, axis: str = "z") -> Sketch:
        """Return a sketch whose solids are added here, turned (degrees) and moved to a place."""
        inner = Sketch()
        inner._frame = (
            self,
            rotation_matrix(axis, math.radians(turn)).T,
            np.array(place, np.float32),
        )
        return inner

    def mesh(self) -> Mesh:
        """Return the mesh of all solids, in the order in which they were added."""
        parts = self._parts
        if not parts:
            return join_meshes([])
        counts = [len(part[0]) for part in parts]
        return Mesh(
            np.concatenate([part[0] for part in parts]),
            np.concatenate([part[1] for part in parts]),
            np.repeat(np.array([part[2] for part in parts], np.float32), counts, axis=0),
            np.repeat(np.array([part[3] for part in parts], np.float32), counts, axis=0),
            np.repeat(np.array([part[4] for part in parts], np.uint8), counts),
        )

    def triangles(
        self,
        corners: Floats,
        colour: Colour,
        surface: Surface = MATT,
        normals: Floats | None = None,
        second: Colour | None = None,
    ) -> None:
        """Add any triangles; flat ones if they have no normals."""
        if normals is None:
            normals = flat_normals(corners)
        if self._frame is None:
            self._parts.append((corners, normals, colour, second or colour, surface))
        else:
            outer, matrix, shift = self._frame
            moved = corners @ matrix + shift
            outer.triangles(moved, colour, surface, normals @ matrix, second)

    # -- solids -----------------------------------------------------------------------------------

    def box(self, low: Vector, high: Vector, colour: Colour, surface: Surface = MATT) -> None:
        """Add a box with sharp edges."""
        a, b = np.array(low, np.float32), np.array(high, np.float32)
        corners, normals = _unit_box()
        self.triangles(a + corners * (b - a), colour, surface, normals)

    def slab(self, centre: Vector, size: Vector, colour: Colour, surface: Surface = MATT) -> None:
        """Add a box, by the centre of its bottom and its size."""
        (x, y, z), (w, d, h) = centre, size
        low, high = (x - w / 2, y - d / 2, z), (x + w / 2, y + d / 2, z + h)
        self.box(low, high, colour, surface)

    def cushion(
        self,
        low: Vector,
        high: Vector,
        colour: Colour,
        radius: float = 0.05,
        surface: Surface = FABRIC,
    ) -> None:
        """Add a box with round edges."""
        a, b = np.array(low, np.float32), np.array(high, np.float32)
        half = (b - a) / 2
        rim = min(radius, float(half.min()) * 0.98)
        corners, normals = _unit_cushion()
        # A corner is that of the inner box plus a step outwards along its normal.
        inner = np.sign(corners) * (half - rim)
        self.triangles((a + b) / 2 + inner + normals * rim, colour, surface, normals)

    def lathe(
        self,
        centre: Vector,
        profile: Sequence[tuple[float, float]],
        colour: Colour,
        surface: Surface = GLOSS,
        segments: int = 14,
        stretch: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """Add a profile of (radius, height) turned about z, bottom first as seen from outside."""
        corners, normals = _revolve(tuple(profile), segments)
        scale = np.array([*stretch, 1.0], np.float32)
        self.triangles(corners * scale + np.array(centre, np.float32), colour, surface, normals)

    def cylinder(
        self,
        centre: Vector,
        radius: float,
        height: float,
        colour: Colour,
        surface: Surface = MATT,
        top: float | None = None,
        segments: int = 12,
    ) -> None:
        """Add an upright cylinder or cone with lids, by the centre of its bottom."""
        upper = radius if top is None else top
        # Radii that repeat at a height make a sharp edge: see _revolve.
        profile = [(0.0, 0.0), (radius, 0.0), (radius, 0.0), (upper, height)]
        if upper > 0:
            profile += [(upper, height), (0.0, height)]
        self.lathe(centre, profile, colour, surface, segments)

    def ball(
        self,
        centre: Vector,
        radii: Vector | float,
        colour: Colour,
        surface: Surface = MATT,
        segments: int = 12,
    ) -> None:
        """Add an ellipsoid, by its centre."""
        x, y, z = (radii, radii, radii) if isinstance(radii, int | float) else radii
        rings = max(4, segments // 2)
        steps = [math.pi * (i / rings - 0.5) for i in range(rings + 1)]
        profile = tuple((round(math.cos(s), 6), round(math.sin(s), 6)) for s in steps)
        corners, normals = _revolve(profile, segments)
        scale = np.array([x, y, z], np.float32)
        normals = normals / scale
        normals = normals / np.linalg.norm(normals, axis=-1, keepdims=True)
        self.triangles(corners * scale + np.array(centre, np.float32), colour, surface, normals)

    def tube(
        self,
        points: Sequence[Vector],
        radius: float,
        colour: Colour,
        surface: Surface = METAL,
        segments: int = 6,
    ) -> None:
        """Add a round bar along points."""
        base = np.array(points, np.float32)
        for start, end in pairwise(base):
            way = end - start
            length = float(np.linalg.norm(way))
            if length < 1e-6:
                continue
            along = way / length
            aside = np.array([1, 0, 0] if abs(along[2]) > 0.9 else [0, 0, 1], np.float32)
            u = np.cross(aside, along)
            u /= np.linalg.norm(u)
            frame = np.stack([u, np.cross(along, u), along])
            rod = ((0.0, 0.0), (radius, 0.0), (radius, 0.0), (radius, length))
            corners, normals = _revolve((*rod, (radius, length), (0.0, length)), segments)
            self.triangles(corners @ frame + start, colour, surface, normals @ frame)

    def prism(
        self,
        outline: Sequence[tuple[float, float]],
        bottom: float,
        top: float,
        colour: Colour,
        surface: Surface = MATT,
    ) -> None:
        """Add a convex outline (x, y), counter-clockwise, raised from one height to another."""
        n = len(outline)
        low = [(x, y, bottom) for x, y in outline]
        high = [(x, y, top) for x, y in outline]
        corners = []
        for i in range(n):
            j = (i + 1) % n
            corners += [(low[i], low[j], high[j]), (low[i], high[j], high[i])]
        for i in range(1, n - 1):
            corners += [(high[0], high[i], high[i + 1]), (low[0], low[i + 1], low[i])]
        self.triangles(np.array(corners, np.float32), colour, surface)

    def polygon(self, points: Sequence[Vector], colour: Colour, surface: Surface = MATT) -> None:
        """Add a flat convex polygon, counter-clockwise seen from its front."""
        fan = [(points[0], points[i], points[i + 1]) for i in range(1, len(points) - 1)]
        self.triangles(np.array(fan, np.float32), colour, surface)

    def sheet(
        self,
        points: Floats,
        colour: Colour,
        surface: Surface = FABRIC,
        second: Colour | None = None,
    ) -> None:
        """Add a smooth surface through a grid of points (rows, columns, 3).

        Columns run to the right and rows up, as seen from its front.
        """
        corners, normals = sheet_triangles(points)
        self.triangles(corners, colour, surface, normals, second)

    def quad(
        self,
        a: Vector,
        b: Vector,
        c: Vector,
        d: Vector,
        colour: Colour,
        surface: Surface = MATT,
        second: Colour | None = None,
    ) -> None:
        """Add a flat quadrilateral, counter-clockwise seen from its front."""
        corners = np.array([(a, b, c), (a, c, d)], np.float32)
        self.triangles(corners, colour, surface, None, second)


def sheet_triangles(points: Floats) -> tuple[Floats, Floats]:
    """Return corners and normals (n, 3, 3) of a smooth surface through a grid of points."""
    grid = np.asarray(points, np.float64)
    normals = np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0))
    lengths = np.linalg.norm(normals, axis=2, keepdims=True)
    normals = np.where(lengths > 1e-12, normals / np.maximum(lengths, 1e-12), (0.0, 0.0, 1.0))

    def halves(values: NDArray[np.float64]) -> Floats:
        a, b, c, d = values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1]
        both = np.stack([a, b, c, a, c, d], axis=2).reshape(-1, 3, 3)
        single: Floats = both.astype(np.float32)
        return single

    return halves(grid), halves(normals)


@lru_cache(maxsize=1)
def _unit_box() -> tuple[Floats, Floats]:
    """Return the unit cube."""
    triangles = []
    for axis in range(3):
        for side in (0, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            square = [(0, 0), (1, 0), (1, 1), (0, 1)] if side else [(0, 0), (0, 1), (1, 1), (1, 0)]
            points = []
            for p, q in square:
                point = [0, 0, 0]
                point[axis], point[u], point[v] = side, p, q
                points.append(point)
            triangles += [[points[0], points[1], points[2]], [points[0], points[2], points[3]]]
    corners = np.array(triangles, np.float32)
    return corners, flat_normals(corners)


@lru_cache(maxsize=1)
def _unit_cushion() -> tuple[Floats, Floats]:
    """Return the corner signs of a box with round edges, and their outward directions.

    Each face is a grid of three by three: the middle is flat, the rim bends halfway to the next
    face, where it meets that face's rim.
    """
    corners, normals = [], []
    steps = (-1.0, -0.5, 0.5, 1.0)  # beyond a half in size: on the bent rim
    for axis in range(3):
        for side in (-1.0, 1.0):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for i in range(3):
                for j in range(3):
                    square = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    if side < 0:
                        square.reverse()
                    points, ways = [], []
                    for p, q in square:
                        sign, way = np.zeros(3), np.zeros(3)
                        sign[axis], way[axis] = side, side
                        for other, step in ((u, steps[p]), (v, steps[q])):
                            sign[other] = math.copysign(1.0, step)
                            way[other] = math.copysign(1.0, step) if abs(step) == 1.0 else 0.0
                        points.append(sign)
                        ways.append(way / np.linalg.norm(way))
                    for a, b, c in ((0, 1, 2), (0, 2, 3)):
                        corners.append([points[a], points[b], points[c]])
                        normals.append([ways[a], ways[b], ways[c]])
    return np.array(corners, np.float32), np.array(normals, np.float32)


@lru_cache(maxsize=4096)
def _revolve(profile: tuple[tuple[float, float], ...], segments: int) -> tuple[Floats, Floats]:
    """Return a profile turned about z; a repeated point is a sharp edge."""
    angles = [2 * math.pi * i / segments for i in range(segments + 1)]
    ring = np.array([(math.cos(a), math.sin(a)) for a in angles])
    points = np.array(profile)
    corners, normals = [], []
    steps = np.diff(points, axis=0)
    slopes = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    length = np.linalg.norm(slopes, axis=1, keepdims=True)
    slopes = slopes / np.maximum(length, 1e-12)
    real = length[:, 0] > 1e-9
    for i in range(len(steps)):
        if not real[i]:
            continue
        (r0, z0), (r1, z1) = points[i], points[i + 1]
        before = slopes[i - 1] if i > 0 and real[i - 1] else slopes[i]
        after = slopes[i + 1] if i + 1 < len(steps) and real[i + 1] else slopes[i]
        n0, n1 = before + slopes[i], slopes[i] + after
        n0, n1 = n0 / max(np.linalg.norm(n0), 1e-9), n1 / max(np.linalg.norm(n1), 1e-9)
        lower = np.column_stack([ring * r0, np.full(len(ring), z0)])
        upper = np.column_stack([ring * r1, np.full(len(ring), z1)])
        below = np.column_stack([ring * n0[0], np.full(len(ring), n0[1])])
        above = np.column_stack([ring * n1[0], np.full(len(ring), n1[1])])
        if r0 > 0:
            corners.append(np.stack([lower[:-1], lower[1:], upper[1:]], axis=1))
            normals.append(np.stack([below[:-1], below[1:], above[1:]], axis=1))
        if r1 > 0:
            corners.append(np.stack([lower[:-1], upper[1:], upper[:-1]], axis=1))
            normals.append(np.stack([below[:-1], above[1:], above[:-1]], axis=1))
    return np.concatenate(corners).astype(np.float32), np.concatenate(normals).astype(np.float32)
