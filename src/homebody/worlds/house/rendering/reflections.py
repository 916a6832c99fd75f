"""Reflections: by rays on smooth surfaces, blurred on rougher ones.

For mirrors, panes and other sharp surfaces, a ray is cast for each pixel. For floors, tiles and
lacquer, one ray is cast for every four pixels, scattered by their roughness, and neighbouring
results are averaged. Rougher surfaces reflect the soft light of the room from the approximate
direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats, Index, Mask, dot
from homebody.worlds.house.rendering.materials import METALNESS, MIRRORED, ROUGHNESS
from homebody.worlds.house.rendering.noise import noise
from homebody.worlds.house.rendering.rays import Hits
from homebody.worlds.house.rendering.triangle_tables import HitFaces

SHARP, SMOOTH = 0.05, 0.36
"""Maximum roughness for one ray at each pixel, and for one ray for every four pixels."""
_ROUGHEST = 0.6  # rougher surfaces reflect nothing
_BRIGHTEST = np.float32(0.7)  # limit for nearly smooth surfaces: brighter ones would be specks
LEAST = 0.06
"""Minimum reflected share of the light; smaller shares are ignored."""

Normals: TypeAlias = Callable[[HitFaces, Index, Hits, Floats], Floats]
Around: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
Traced: TypeAlias = Callable[[Floats, Floats, bool], Floats]


@dataclass(frozen=True, slots=True)
class MirrorRays:
    """Some rays of a picture that hit something shiny.

    Attributes:
        which: Their numbers.
        ways: (3, m): directions of reflection, of unit length.
        normals: (3, m).
        share: (m,): reflected share of the light.
        rough: (m,): roughness.
    """

    which: Index
    ways: Floats
    normals: Floats
    share: Floats
    rough: Floats

    @classmethod
    def of(
        cls, which: Index, faces: HitFaces, ways: Floats, normals: Normals, hits: Hits
    ) -> MirrorRays:
        """Return the rays, out of ``which`` with directions (3, n), whose reflections are
        visible."""
        normal = normals(faces, which, hits, ways)
        way = ways.take(which, axis=1)
        way /= np.sqrt(dot(way, way))
        across = dot(way, normal)
        code = faces.code.take(faces.row.take(which))
        rough, least = ROUGHNESS.take(code), MIRRORED.take(code)
        edge = np.clip(1 + across, 0, 1)
        square = edge * edge
        # Schlick's approximation; rough surfaces reflect less at a slant. The rougher a metal, the
        # more of its reflection is so broad that it looks matt.
        share = least + np.maximum(1 - rough - least, 0) * (square * square * edge)
        # Small shares fade out, so that reflections have no edge.
        share = np.minimum(share, np.maximum(2 * (share - LEAST), 0))
        share = np.maximum(share, METALNESS.take(code) * (1 - rough))
        worth = np.flatnonzero(share > 0)
        way, normal = way.take(worth, axis=1), normal.take(worth, axis=1)
        across = across.take(worth)
        mirrored = way - normal * (across + across)
        return cls(which.take(worth), mirrored, normal, share.take(worth), rough.take(worth))

    def starts(self, points: Floats) -> Floats:
        """Return the start points (m, 3) of the reflected rays; ``points`` (3, n) are the hits of
        all rays."""
        start = points.take(self.which, axis=1) + self.normals * np.float32(2e-3)
        return np.ascontiguousarray(start.T)

    def scatter(self) -> Floats:
        """Return directions (m, 3), each turned a little by the roughness of its surface."""
        numbers = self.which.astype(np.int32)
        ways = self.ways.copy()
        spread = self.rough * self.rough * np.float32(0.7)
        for row in range(3):
            ways[row] += (noise(numbers, numbers + row) - np.float32(0.5)) * spread
        # No ray enters the surface.
        sunk = np.minimum(dot(ways, self.normals) - np.float32(0.01), 0)
        return np.ascontiguousarray((ways - self.normals * sunk).T)


def add_mirrored(
    light: Floats,
    albedo: Floats,
    points: Floats,
    ways: Floats,
    faces: HitFaces,
    hits: Hits,
    width: int,
    normals: Normals,
    around: Around,
    traced: Traced | None,
) -> None:
    """Add reflections to ``light`` (3, n).

    Args:
        light: Light of the rays, changed in place.
        albedo: (3, n): colours of the hits.
        points: (3, n): positions of the hits.
        ways: (3, n): directions of the rays.
        faces: Faces of the hits.
        hits: The hits.
        width: Width of the picture, if the rays are its whole rows; else 0.
        normals: Returns the normals (3, m) of some rays.
        around: Returns the soft light at points (3, m) from directions (3, m), given their
            normals (3, m).
        traced: Returns the light along rays (m, 3), in full or roughly; None if no more rays are
            cast.
    """
    rough = ROUGHNESS.take(faces.code)
    shiny = (rough < _ROUGHEST) & (MIRRORED.take(faces.code) > 0)
    smooth = shiny & (rough > SHARP) & (rough <= SMOOTH)
    if width and traced is not None:
        if smooth.any():
            _every_fourth(light, albedo, points, ways, faces, hits, width, normals, traced, smooth)
        shiny &= ~smooth
    if not shiny.any():
        return
    which = np.flatnonzero(shiny.take(faces.row))
    sharp = rough.take(faces.row.take(which)) <= SHARP
    for own, mirror in ((which[sharp], True), (which[~sharp], False)):
        if not own.size:
            continue
        some = MirrorRays.of(own, faces, ways, normals, hits)
        if mirror and traced is not None:
            reflected = traced(some.starts(points), np.ascontiguousarray(some.ways.T), True)
        else:
            reflected = around(points.take(some.which, axis=1), some.ways, some.normals)
        _mix(light, albedo, faces, some.which, reflected, some.share)


def _mix(
    light: Floats, albedo: Floats, faces: HitFaces, which: Index, reflected: Floats, share: Floats
) -> None:
    """Mix reflected light (3, m) into the light of some rays, by a share (m,)."""
    metal = METALNESS.take(faces.code).take(faces.row.take(which))
    metallic = bool(metal.any())
    for row in range(3):
        old, new = light[row].take(which) * (1 - share), reflected[row] * share
        if metallic:
            new *= 1 + (albedo[row].take(which) - 1) * metal
        light[row, which] = old + new


def _every_fourth(
    light: Floats,
    albedo: Floats,
    points: Floats,
    ways: Floats,
    faces: HitFaces,
    hits: Hits,
    width: int,
    normals: Normals,
    traced: Traced,
    smooth: Mask,
) -> None:
    """Trace one of every four reflected rays. The others take the mean of the traced rays around
    them."""
    rows = len(faces.row) // width
    alike = smooth.take(faces.row).reshape(rows, width)
    fourth = np.flatnonzero(alike[::2, ::2])
    tall, wide = (rows + 1) // 2, (width + 1) // 2
    y, x = np.divmod(fourth, wide)
    some = MirrorRays.of(y * (2 * width) + x * 2, faces, ways, normals, hits)
    if not some.which.size:
        return
    mirrored = np.minimum(traced(some.starts(points), some.scatter(), False), _BRIGHTEST)
    grid = np.zeros((4, tall, wide), np.float32)
    at = (some.which // (2 * width)) * wide + some.which % width // 2
    for row in range(3):
        grid[row].ravel()[at] = mirrored[row]
    grid[3].ravel()[at] = 1
    means = _blur(_blur(_blur(grid)))
    means[:3] /= np.maximum(means[3], np.float32(1e-6))
    near = np.repeat(np.repeat(means[3] > 0, 2, axis=0), 2, axis=1)[:rows, :width]
    which = np.flatnonzero(alike & near)
    # The reflected share is that of the traced pixel beside, if that is in the same plane.
    plane = np.zeros(tall * wide, np.int64)
    plane[at] = faces.plane.take(faces.row.take(some.which))
    share = np.zeros(tall * wide, np.float32)
    share[at] = some.share
    cell = _cells(which, width, wide)
    same = plane.take(cell) == faces.plane.take(faces.row.take(which))
    reflected = means.reshape(4, -1)[:3]
    own = cell[same]
    _mix(light, albedo, faces, which[same], reflected.take(own, axis=1), share.take(own))
    others = MirrorRays.of(which[~same], faces, ways, normals, hits)
    own = _cells(others.which, width, wide)
    _mix(light, albedo, faces, others.which, reflected.take(own, axis=1), others.share)


def _cells(which: Index, width: int, wide: int) -> Index:
    """Return the numbers of the squares of 2 x 2 pixels that contain pixels."""
    y, x = np.divmod(which, width)
    cells: Index = (y >> 1) * wide + (x >> 1)
    return cells


def _blur(grid: Floats) -> Floats:
    """Return sums over 3 x 3 cells."""
    padded = np.pad(grid, ((0, 0), (1, 1), (1, 1)))
    lines = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    sums: Floats = lines[:, :, :-2] + lines[:, :, 1:-1] + lines[:, :, 2:]
    return sums
