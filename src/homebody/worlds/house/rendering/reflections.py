"""What surfaces mirror: by rays where they are smooth, blurred where they are not.

Mirrors, panes and other sharp ones get a ray for each pixel; floors, tiles and lacquer one for
four, a little astray by how rough they are, and the mean of those around. What is rougher shows
the soft light that comes from about there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats, Index, Mask
from homebody.worlds.house.rendering.faces import HitFaces
from homebody.worlds.house.rendering.materials import METALNESS, MIRRORED, ROUGHNESS
from homebody.worlds.house.rendering.patterns import noise
from homebody.worlds.house.rendering.rays import Hits

SHARP, SMOOTH = 0.05, 0.36
"""Up to this roughness each pixel has a ray, or every fourth."""
LEAST = 0.06
"""What mirrors a smaller share of the light is as if it did not."""

Normals: TypeAlias = Callable[[HitFaces, Index, Hits, Floats], Floats]
Around: TypeAlias = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True, slots=True)
class Mirrored:
    """The rays of a picture that hit something shiny.

    Attributes:
        which: Their numbers.
        ways: (3, m): where they go on, of unit length.
        normals: (3, m).
        share: (m,): of the light that is mirrored.
        rough: (m,).
        metal: (m,): whether it has the surface's own colour.
        width: Of the picture whose whole rows the rays are; 0 if they are not.
        count: Of all rays.
    """

    which: Index
    ways: Floats
    normals: Floats
    share: Floats
    rough: Floats
    metal: Floats
    width: int
    count: int

    @classmethod
    def of(
        cls, faces: HitFaces, ways: Floats, normals: Normals, hits: Hits, width: int
    ) -> Mirrored | None:
        """Of rays with ways (3, n) that hit faces; None if nothing is shiny."""
        shiny = (ROUGHNESS.take(faces.code) < 0.6) & (MIRRORED.take(faces.code) > 0)
        if not shiny.any():
            return None
        which = np.flatnonzero(shiny.take(faces.row))
        if not which.size:
            return None
        normal = normals(faces, which, hits, ways)
        way = ways.take(which, axis=1)
        way /= np.sqrt((way * way).sum(axis=0))
        across = (way * normal).sum(axis=0)
        own = faces.row.take(which)
        rough = ROUGHNESS.take(faces.code).take(own)
        least = MIRRORED.take(faces.code).take(own)
        edge = np.clip(1 + across, 0, 1)
        edge *= edge * np.sqrt(edge) * edge * edge
        # Schlick's approximation; what is rough mirrors less at a slant.
        share = least + np.maximum(1 - rough - least, 0) * edge
        worth = np.flatnonzero(share > LEAST)
        if not worth.size:
            return None
        if len(worth) < len(which):
            which, own = which.take(worth), own.take(worth)
            share, rough = share.take(worth), rough.take(worth)
            way, normal = way.take(worth, axis=1), normal.take(worth, axis=1)
            across = across.take(worth)
        mirrored = way - normal * (across + across)
        metal = METALNESS.take(faces.code).take(own)
        return cls(which, mirrored, normal, share, rough, metal, width, len(faces.row))

    def add(
        self,
        light: Floats,
        albedo: Floats,
        points: Floats,
        around: Around,
        traced: Around | None,
    ) -> None:
        """Put what is mirrored into ``light`` (3, n) of things with these colours and places.

        ``around`` gives the soft light at points (3, n) from directions (3, n); ``traced`` what
        comes along rays (n, 3), None if no more rays are to be cast.
        """
        spot = points.take(self.which, axis=1)
        found = np.empty_like(spot)
        done = np.zeros(len(self.which), bool)
        if traced is not None:
            sharp = np.flatnonzero(self.rough <= SHARP)
            if sharp.size:
                found[:, sharp] = traced(self._starts(spot, sharp), self._on(sharp))
                done[sharp] = True
            smooth = (self.rough > SHARP) & (self.rough <= SMOOTH)
            self._every_fourth(spot, smooth, traced, found, done)
        rest = np.flatnonzero(~done)
        if rest.size:
            whole = len(rest) == len(done)
            at = spot if whole else spot.take(rest, axis=1)
            ways = self.ways if whole else self.ways.take(rest, axis=1)
            found[:, rest] = around(at, ways)
        share = self.share
        tint = albedo.take(self.which, axis=1)
        for row in range(3):
            colour = 1 + (tint[row] - 1) * self.metal
            old = light[row].take(self.which) * (1 - share) * (1 - self.metal)
            light[row, self.which] = old + found[row] * colour * np.maximum(share, self.metal)

    def _every_fourth(
        self, spot: Floats, smooth: Mask, traced: Around, found: Floats, done: Mask
    ) -> None:
        """Trace one ray of four; the others, and noise, are means of those around."""
        if not self.width or not smooth.any():
            return
        rows, columns = self.which // self.width, self.which % self.width
        cast = np.flatnonzero(smooth & (rows % 2 == 0) & (columns % 2 == 0))
        if not cast.size:
            return
        mirrored = traced(self._starts(spot, cast), self._astray(cast))
        tall, wide = (self.count // self.width + 1) // 2, (self.width + 1) // 2
        grid = np.zeros((4, tall, wide), np.float32)
        y, x = rows[cast] // 2, columns[cast] // 2
        grid[:3, y, x] = np.minimum(mirrored, 4)
        grid[3, y, x] = 1
        means = _blurred(grid)
        all_ = np.flatnonzero(smooth)
        y, x = rows[all_] // 2, columns[all_] // 2
        weight = means[3, y, x]
        known = np.flatnonzero(weight > 0)
        at, y, x = all_[known], y[known], x[known]
        for row in range(3):
            found[row, at] = means[row, y, x] / weight[known]
        done[at] = True

    def _starts(self, spot: Floats, which: Index) -> Floats:
        start = spot.take(which, axis=1) + self.normals.take(which, axis=1) * np.float32(2e-3)
        return np.ascontiguousarray(start.T)

    def _on(self, which: Index) -> Floats:
        return np.ascontiguousarray(self.ways.take(which, axis=1).T)

    def _astray(self, which: Index) -> Floats:
        """Ways (m, 3), turned a little by how rough the surface is, each otherwise."""
        numbers = self.which[which].astype(np.int32)
        ways = self.ways.take(which, axis=1)
        spread = self.rough.take(which) ** 2
        for row in range(3):
            ways[row] += (noise(numbers, numbers + row) - np.float32(0.5)) * spread
        # None goes into the surface.
        normal = self.normals.take(which, axis=1)
        sunk = np.minimum((ways * normal).sum(axis=0) - np.float32(0.01), 0)
        return np.ascontiguousarray((ways - normal * sunk).T)


def _blurred(grid: Floats) -> Floats:
    """Sums over 3 x 3 cells."""
    padded = np.pad(grid, ((0, 0), (1, 1), (1, 1)))
    lines = padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]
    sums: Floats = lines[:, :, :-2] + lines[:, :, 1:-1] + lines[:, :, 2:]
    return sums
