"""Ambient occlusion: contact shadows and darker corners.

Space is divided into small cells. Each cell stores how full it is. A cube of cells in front of a
face is empty in the open, half full in a corner, and nearly full under a sofa. The mean over that
cube gives the share of light that is blocked. It is stored for two sizes of cubes. If an object
moves, the cells are computed again from all their contents, so they do not depend on earlier
contents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.outlines import rooms_extent
from homebody.worlds.house.rendering.arrays import Floats, Index, interpolate
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals
from homebody.worlds.house.rendering.meshes.rooms import rectangles

CELL = 0.06
"""Width of a cell, metres."""
MOST_CELLS = 8_000_000
"""Maximum cells of a house. Very large houses have wider cells."""
SIZES = (3, 9)
"""Widths of the cubes, cells."""
STRENGTHS = (0.45, 0.6)
"""Share of the light that a full cube of each size blocks."""
_PAD = 6  # cells around the house
_SOLID = 0.75  # filled share of the box around an object
_MANY = 40  # moved boxes before all is computed anew
_SPACING = 0.05  # metres between points that mark where a piece of furniture is

_Cells = tuple[slice, slice, slice]
_Box = tuple[Floats, Floats]


class Occlusion:
    """The cells of a house. Initially they contain the fixed furniture; ``follow`` adds movable
    objects."""

    def __init__(self, house: House, still: Sequence[Mesh]) -> None:
        """Fill the cells with the walls of a house and the meshes of its furniture."""
        x0, y0, x1, y1 = rooms_extent(house)
        top = max(room.height for room in house.rooms)
        volume = (x1 - x0) * (y1 - y0) * top
        self._cell = max(CELL, (volume / MOST_CELLS) ** (1 / 3))
        low = np.array([x0, y0, 0.0]) - _PAD * self._cell
        high = np.array([x1, y1, top]) + _PAD * self._cell
        self._low = low.astype(np.float32)
        self._shape = tuple(ceil(gap / self._cell) for gap in high - low)
        self._still = self._walls(house)
        for mesh in still:
            self._fill(mesh)
        self._boxes: dict[str, _Box] = {}
        self._meshes: dict[str, Mesh] = {}
        self._ends = (np.zeros((0, 3), np.float32), np.zeros((0, 3), np.float32))
        self._all: _Cells = (
            slice(0, self._shape[0]),
            slice(0, self._shape[1]),
            slice(0, self._shape[2]),
        )
        self._fields = [np.zeros(self._shape, np.uint8) for _ in SIZES]
        self._renew(self._all)

    def follow(self, things: Iterable[tuple[str, Mesh]]) -> None:
        """Update the positions of everything movable, by name."""
        now = {name: mesh for name, mesh in things if len(mesh)}
        changed = [name for name in self._boxes if name not in now]
        changed += [name for name, mesh in now.items() if self._meshes.get(name) is not mesh]
        renewed = []
        for name in changed:
            old = self._boxes.pop(name, None)
            new = _box(now[name]) if name in now else None
            renewed += [box for box in (old, new) if box is not None]
            if new is not None:
                self._boxes[name] = new
        self._meshes = now
        # Sorted by name, so that sums do not depend on earlier states.
        boxes = [self._boxes[name] for name in sorted(self._boxes)]
        self._ends = (
            np.array([low for low, _ in boxes], np.float32).reshape(-1, 3),
            np.array([high for _, high in boxes], np.float32).reshape(-1, 3),
        )
        if len(renewed) > _MANY:
            self._renew(self._all)
            return
        for low, high in renewed:
            self._renew(self._around(low, high, 0))

    def openness(self, spot: Floats, normal: Floats) -> Floats:
        """Return the share (n,) of soft light at points (3, n) on faces with normals (3, n)."""
        share = np.ones(spot.shape[1], np.float32)
        for field, size, strength in zip(self._fields, SIZES, STRENGTHS, strict=True):
            # The cube touches the face: cells a little behind it do not count.
            ahead = np.float32((size / 2 + 0.55) * self._cell)
            share *= 1 - self._mean(field, spot + normal * ahead) * np.float32(strength / 255)
        return share

    def _mean(self, field: NDArray[np.uint8], spot: Floats) -> Floats:
        """Return the interpolated values of a field at points."""
        _, ny, nz = self._shape
        base = np.zeros(spot.shape[1], np.intp)
        shares = []
        for axis, stride in enumerate((ny * nz, nz, 1)):
            at = (spot[axis] - self._low[axis]) * np.float32(1 / self._cell) - np.float32(0.5)
            np.clip(at, 0, np.float32(self._shape[axis] - 1.001), out=at)
            whole = at.astype(np.intp)
            at -= whole
            shares.append(at)
            base += whole * stride
        flat = field.ravel()

        def fetch(at: Index) -> Floats:
            return flat.take(at, mode="clip").astype(np.float32)

        return interpolate(fetch, base, shares, (ny * nz, nz, 1))

    # -- cells ------------------------------------------------------------------------------------

    def _walls(self, house: House) -> NDArray[np.uint8]:
        """Return cells that are full outside of rooms, except for openings."""
        free = np.zeros(self._shape, np.float32)
        for room in house.rooms:
            for x0, y0, x1, y1 in rectangles(room.outline):
                self._cover(free, self._low, (x0, y0, 0.0), (x1, y1, room.height), 1.0)
        for opening in house.openings:
            (ax, ay), (bx, by) = opening.start, opening.end
            deep = house.wall / 2 + 0.3 * (opening.kind == "window")
            x, y = (0.0, deep) if abs(ay - by) < 1e-6 else (deep, 0.0)
            low = (min(ax, bx) - x, min(ay, by) - y, opening.bottom)
            high = (max(ax, bx) + x, max(ay, by) + y, opening.top)
            self._cover(free, self._low, low, high, 1.0)
        np.clip(free, 0, 1, out=free)
        return ((1 - free) * 255).astype(np.uint8)

    def _fill(self, mesh: Mesh) -> None:
        """Mark the cells of a piece of furniture: its surface and its interior."""
        cells = np.floor((_points(mesh, self._cell) - self._low) * np.float32(1 / self._cell))
        cells = cells[((cells >= 0) & (cells < self._shape)).all(axis=1)].astype(np.intp)
        if not len(cells):
            return
        low, high = cells.min(axis=0), cells.max(axis=0) + 1
        solid = np.zeros(tuple(high - low), bool)
        solid[tuple((cells - low).T)] = True
        enclosed = np.ones_like(solid)
        for axis in range(3):
            for way in (1, -1):
                ahead = np.flip(solid, axis) if way < 0 else solid
                met = np.logical_or.accumulate(ahead, axis=axis)
                enclosed &= np.flip(met, axis) if way < 0 else met
        solid |= enclosed
        part = tuple(slice(a, b) for a, b in zip(low, high, strict=True))
        self._still[part][solid] = 255

    def _around(self, low: Floats, high: Floats, more: int) -> _Cells:
        """Return the cells of a box, and ``more`` cells on each side."""
        first = np.floor((low - self._low) / self._cell).astype(int) - more
        last = np.ceil((high - self._low) / self._cell).astype(int) + more
        a = [min(max(0, int(x)), size) for x, size in zip(first, self._shape, strict=True)]
        b = [min(max(0, int(x)), size) for x, size in zip(last, self._shape, strict=True)]
        return slice(a[0], b[0]), slice(a[1], b[1]), slice(a[2], b[2])

    def _renew(self, changed: _Cells) -> None:
        """Compute the fields around changed cells."""
        for field, size in zip(self._fields, SIZES, strict=True):
            half = size // 2
            target = self._grow(changed, half)
            source = self._grow(target, half)
            full = self._full(source)
            means = full
            for axis in range(3):
                means = _box_mean(means, size, axis)
            own = tuple(
                slice(t.start - s.start, t.stop - s.start)
                for t, s in zip(target, source, strict=True)
            )
            field[target] = np.minimum(means[own], 255).astype(np.uint8)

    def _grow(self, cells: _Cells, more: int) -> _Cells:
        x, y, z = (
            slice(max(0, part.start - more), min(size, part.stop + more))
            for part, size in zip(cells, self._shape, strict=True)
        )
        return x, y, z

    def _full(self, cells: _Cells) -> Floats:
        """Return how full cells are, 0 to 255."""
        whole = self._still[cells].astype(np.float32)
        start = [part.start for part in cells]
        low = self._low + np.array(start, np.float32) * np.float32(self._cell)
        high = low + np.array(whole.shape, np.float32) * np.float32(self._cell)
        lows, highs = self._ends
        meeting = (lows < high).all(axis=1) & (highs > low).all(axis=1)
        near = [(lows[i], highs[i]) for i in np.flatnonzero(meeting)]
        if near:
            for a, b in near:
                self._cover(whole, low, a.tolist(), b.tolist(), 255 * _SOLID)
            np.minimum(whole, 255, out=whole)
        return whole

    def _cover(
        self,
        cells: Floats,
        origin: Floats,
        low: Sequence[float],
        high: Sequence[float],
        amount: float,
    ) -> None:
        """Add a box to cells that start at ``origin``, by the share of each cell that it covers."""
        parts, where = [], []
        for axis in range(3):
            start = (float(low[axis]) - float(origin[axis])) / self._cell
            end = (float(high[axis]) - float(origin[axis])) / self._cell
            first, last = max(0, floor(start)), min(cells.shape[axis], ceil(end))
            if last <= first:
                return
            at = np.arange(first, last)
            part = np.clip(np.minimum(at + 1, end) - np.maximum(at, start), 0, 1)
            parts.append(part.astype(np.float32))
            where.append(slice(first, last))
        px, py, pz = parts
        solid = px[:, None, None] * py[None, :, None] * pz[None, None, :]
        cells[where[0], where[1], where[2]] += solid * np.float32(amount)


def _box(mesh: Mesh) -> _Box:
    flat = mesh.corners.reshape(-1, 3)
    return flat.min(axis=0), flat.max(axis=0)


def _box_mean(values: Floats, size: int, axis: int) -> Floats:
    """Return means over ``size`` cells along an axis; the outermost cells repeat at the ends."""
    half = size // 2
    pad = [(half + 1, half) if i == axis else (0, 0) for i in range(3)]
    sums = np.cumsum(np.pad(values, pad, mode="edge"), axis=axis, dtype=np.float32)
    ahead = [slice(None)] * 3
    behind = [slice(None)] * 3
    ahead[axis], behind[axis] = slice(size, None), slice(None, -size)
    means: Floats = (sums[tuple(ahead)] - sums[tuple(behind)]) * np.float32(1 / size)
    return means


def _points(mesh: Mesh, cell: float) -> Floats:
    """Return points (n, 3) all over a mesh, half a cell inside of it."""
    corners = mesh.corners
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    longest = np.sqrt(np.maximum((a * a).sum(axis=1), (b * b).sum(axis=1)))
    steps = np.clip(np.ceil(longest / _SPACING), 1, 40).astype(int)
    inward = flat_normals(corners)[:, 0] * np.float32(-cell / 2)
    points = []
    for count in np.flatnonzero(np.bincount(steps)).tolist():
        which = np.flatnonzero(steps == count)
        i, k = np.divmod(np.arange(count * count), count)
        i, k = i[i + k < count], k[i + k < count]
        u = ((i + 1 / 3) / count).astype(np.float32)[None, :, None]
        v = ((k + 1 / 3) / count).astype(np.float32)[None, :, None]
        spots = corners[which, 0][:, None] + a[which][:, None] * u + b[which][:, None] * v
        spots += inward[which][:, None]
        points.append(spots.reshape(-1, 3))
    if not points:
        return np.zeros((0, 3), np.float32)
    return np.concatenate(points)
