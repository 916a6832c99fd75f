"""Probes: grids in rooms that store the soft light of each place, for faces in six directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, prod

import numpy as np

from homebody.worlds.house.model.house import House, Room
from homebody.worlds.house.rendering.arrays import Floats, Index, Mask, interpolate

MOST = 4000
"""Maximum probes of a room. Large rooms have wider gaps."""
_MARGIN = 0.06  # metres between the outermost probes and the walls
_LIFT = np.float32(0.06)  # metres in front of a face where its light is looked up
SIDES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.float32)


@dataclass(frozen=True, slots=True)
class Probes:
    """The grid of a room.

    Attributes:
        low: Position of the first probe.
        step: Metres between probes along x, y, z.
        counts: Probes along x, y, z.
        light: (6, probes, 4): side, probe (z runs fastest), colour and a column of padding.
    """

    low: Floats
    step: Floats
    counts: tuple[int, int, int]
    light: Floats

    def lookup(self, spot: Floats, normal: Floats) -> Floats:
        """Return light (3, n) on points (3, n) with normals (3, n)."""
        _, ny, nz = self.counts
        cell = np.zeros(spot.shape[1], np.intp)
        shares = []
        for axis, stride in enumerate((ny * nz, nz, 1)):
            at = spot[axis] + normal[axis] * _LIFT
            at -= self.low[axis]
            at *= 1 / self.step[axis]
            np.clip(at, 0, np.float32(self.counts[axis] - 1.001), out=at)
            whole = at.astype(np.intp)
            at -= whole
            shares.append(at)
            whole *= stride
            cell += whole
        size = self.light.shape[1]
        # Looking up rows of four numbers as one of sixteen bytes is much faster.
        rows = self.light.reshape(-1, 4).view(np.complex128).ravel()

        def fetch(at: Index) -> Floats:
            return rows.take(at, mode="clip").view(np.float32).reshape(-1, 4)

        squares = normal * normal
        positive = normal > 0
        light = np.zeros((3, spot.shape[1]), np.float32)
        for axis in range(3):
            facing = np.flatnonzero(squares[axis] > np.float32(0.002))
            if not facing.size:
                continue
            whole = len(facing) == len(cell)
            base = cell if whole else cell.take(facing)
            side = np.where(positive[axis] if whole else positive[axis].take(facing), 0, size)
            base = base + (side + 2 * axis * size)
            own = shares if whole else [share.take(facing) for share in shares]
            columns = [share[:, None] for share in own]
            found = interpolate(fetch, base, columns, (ny * nz, nz, 1))
            weight = squares[axis] if whole else squares[axis].take(facing)
            for row in range(3):
                if whole:
                    light[row] += found[:, row] * weight
                else:
                    light[row, facing] += found[:, row] * weight
        return light


def lookup(probes: Callable[[int], Probes], spot: Floats, normal: Floats, rooms: Index) -> Floats:
    """Return light (3, n) on points (3, n) with normals (3, n), by the probes of their rooms."""
    present = np.flatnonzero(np.bincount(rooms)).tolist()
    if len(present) == 1:
        return probes(present[0]).lookup(spot, normal)
    light = np.empty_like(spot)
    for room in present:
        which = np.flatnonzero(rooms == room)
        light[:, which] = probes(room).lookup(spot.take(which, axis=1), normal.take(which, axis=1))
    return light


def grid_of(
    house: House, room: int, gap: float
) -> tuple[Floats, Floats, tuple[int, int, int], Floats]:
    """Return first probe, steps, counts and all probes (n, 3) of a room."""
    lows, highs = _box(house.rooms[room])
    gap = max(gap, (volume_of(house.rooms[room]) / MOST) ** (1 / 3))
    axes = []
    for low, high in zip(lows, highs, strict=True):
        count = max(3, ceil((high - low - 2 * _MARGIN) / gap) + 1)
        axes.append(np.linspace(low + _MARGIN, high - _MARGIN, count, dtype=np.float32))
    x, y, z = np.meshgrid(*axes, indexing="ij")
    points = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    first = np.array([axis[0] for axis in axes], np.float32)
    step = np.array([axis[1] - axis[0] for axis in axes], np.float32)
    return first, step, (len(axes[0]), len(axes[1]), len(axes[2])), points


def volume_of(room: Room) -> float:
    """Return the volume in cubic metres of the box around a room."""
    lows, highs = _box(room)
    return prod(high - low for low, high in zip(lows, highs, strict=True))


def _box(room: Room) -> tuple[list[float], list[float]]:
    xs, ys = zip(*room.outline, strict=True)
    return [min(xs), min(ys), 0.0], [max(xs), max(ys), room.height]


def probes_of(
    low: Floats, step: Floats, counts: tuple[int, int, int], light: Floats, valid: Mask
) -> Probes:
    """Return probes. Probes in walls and furniture take the light of their neighbours."""
    whole = np.zeros((*counts, 6, 4), np.float32)
    whole[..., :3] = light.reshape(*counts, 6, 3)
    known = valid.reshape(counts).astype(np.float32)
    whole *= known[..., None, None]
    for _ in range(max(counts)):
        if known.all() or not known.any():
            break
        total, weight = _sums(whole), _sums(known)
        fresh = (known == 0) & (weight > 0)
        whole[fresh] = total[fresh] / weight[fresh][:, None, None]
        known[fresh] = 1
    flat = whole.reshape(-1, 6, 4).transpose(1, 0, 2)
    return Probes(low, step, counts, np.ascontiguousarray(flat))


def smooth(light: Floats, counts: tuple[int, int, int], valid: Mask) -> Floats:
    """Return the light (probes, 6, 3) of a grid, averaged over neighbouring valid probes."""
    known: Floats = valid.reshape(*counts, 1).astype(np.float32)
    grid: Floats = light.reshape(*counts, -1) * known
    for axis in (0, 1, 2):
        for _ in range(2):
            grid, known = _blur(grid, axis), _blur(known, axis)
    grid /= np.maximum(known, np.float32(1e-6))
    return grid.reshape(light.shape)


def _blur(values: Floats, axis: int) -> Floats:
    """Return sums along an axis, with weights 1, 2 and 1."""
    sums: Floats = values + values
    ahead, behind = [slice(None)] * values.ndim, [slice(None)] * values.ndim
    ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
    sums[tuple(behind)] += values[tuple(ahead)]
    sums[tuple(ahead)] += values[tuple(behind)]
    return sums


def _sums(values: Floats) -> Floats:
    """Return for each cell the sum over its six neighbours."""
    total = np.zeros_like(values)
    for axis in range(3):
        ahead = [slice(None)] * values.ndim
        behind = [slice(None)] * values.ndim
        ahead[axis], behind[axis] = slice(1, None), slice(None, -1)
        total[tuple(behind)] += values[tuple(ahead)]
        total[tuple(ahead)] += values[tuple(behind)]
    return total
