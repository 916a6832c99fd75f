"""Noise tables and the parts of patterns: grain, blots, seams, fading."""

from __future__ import annotations

from functools import cache

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats, Ints
from homebody.worlds.house.rendering.materials import Surface

FADING: dict[Surface, float] = {
    Surface.WOOD: 0.03,
    Surface.FABRIC: 0.016,
    Surface.RUG: 0.03,
    Surface.LEATHER: 0.016,
}
"""Pattern -> width of a pixel on it, in metres, from which on the pattern is not drawn."""
SIDE = 512
"""Rows and columns of the noise tables."""

_ONE, _HALF = np.float32(1), np.float32(0.5)


def noise(a: Ints, b: Ints) -> Floats:
    """Return a number in [0, 1) for each pair of integers, the same on every machine."""
    mixed = a.view(np.uint32) * np.uint32(374761393)
    mixed += b.view(np.uint32) * np.uint32(668265263)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(1274126177)
    mixed ^= mixed >> np.uint32(16)
    values: Floats = (mixed & np.uint32(0xFFFF)).astype(np.float32) * np.float32(1 / 65536)
    return values


def _grid(rows: int, columns: int, seed: int) -> Floats:
    """Return hashed numbers in [-1, 1)."""
    a, b = np.divmod(np.arange(rows * columns, dtype=np.int32), np.int32(columns))
    grid: Floats = noise(a + np.int32(seed * 1009), b).reshape(rows, columns) * 2 - 1
    return grid


def _stretch(grid: Floats) -> Floats:
    """Stretch a grid smoothly to a periodic table."""
    for axis in (0, 1):
        count = grid.shape[axis]
        at = np.arange(SIDE, dtype=np.float32) * np.float32(count / SIDE)
        low = at.astype(np.intp)
        share = at - low.astype(np.float32)
        share = share * share * (np.float32(3) - np.float32(2) * share)
        share = share.reshape((SIDE, 1) if axis == 0 else (1, SIDE))
        grid = grid.take(low, axis) * (_ONE - share) + grid.take((low + 1) % count, axis) * share
    return grid


@cache
def clouds() -> Floats:
    """Return soft blots of all sizes, in [-1, 1]; flat."""
    sizes = ((8, 0.5), (16, 0.35), (32, 0.25), (128, 0.16))
    table = sum(_stretch(_grid(n, n, n)) * np.float32(w) for n, w in sizes)
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def billows() -> Floats:
    """Return soft blots without small ones, for smooth veins; flat."""
    table = sum(_stretch(_grid(n, n, n + 1)) * np.float32(w) for n, w in ((6, 0.6), (14, 0.4)))
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def speck() -> Floats:
    """Return hashed numbers in [-1, 1), some equal for two or three cells; flat."""
    table = _grid(SIDE, SIDE, 3) * np.float32(0.7) + _stretch(_grid(256, 256, 5)) * _HALF
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def _wood() -> Floats:
    """Return wood grain along the columns, in [-1, 1]: rings cut by a saw, and pores; flat.

    Three tables follow each other: the original, and means over 4 and over 16 rows, for pixels that
    are 4 or 16 rows wide.
    """
    bend = _stretch(_grid(6, 3, 11)) * np.float32(5.0) + _stretch(_grid(16, 6, 12))
    across = np.arange(SIDE, dtype=np.float32)[:, None] * np.float32(24 / SIDE)
    ring = across + bend
    ring -= np.floor(ring)
    ring = np.where(ring < 0.75, ring / np.float32(0.75), (_ONE - ring) / np.float32(0.25))
    pores = _stretch(_grid(SIDE, 24, 13)) * np.float32(0.55)
    table = (ring - _HALF) * np.float32(0.9) + pores + _stretch(_grid(48, 6, 14)) * _HALF
    levels = [table]
    for step in (1, 2, 4, 8):  # each doubles how many rows are smeared
        table = (table + np.roll(table, step, axis=0)) * _HALF
        levels.append(table)
    return np.concatenate([levels[0], levels[2], levels[4]]).astype(np.float32).ravel()


def wood_grain(
    across: Floats, along: Floats, row: float, column: float, footprint: Floats
) -> Floats:
    """Return wood grain with the details that a pixel can show."""
    level = (footprint > np.float32(2.5 * row)).astype(np.int32)
    level += footprint > np.float32(9 * row)
    return look_up(_wood(), across, along, row, column, level * (SIDE * SIDE))


def look_up(
    table: Floats, u: Floats, v: Floats, row: float, column: float, first: Ints | None = None
) -> Floats:
    """Return the values of a flat table at places u, v.

    A row is ``row`` metres, a column ``column``. ``first`` selects one of several concatenated
    tables by its start.
    """
    at = (u * np.float32(1 / row) + np.float32(32768)).astype(np.int32)
    at &= SIDE - 1
    at *= SIDE
    beside = (v * np.float32(1 / column) + np.float32(32768)).astype(np.int32)
    beside &= SIDE - 1
    at += beside
    if first is not None:
        at += first
    values: Floats = table.take(at, mode="clip")
    return values


def soft(u: Floats, v: Floats, size: float) -> Floats:
    """Return blots in [-1, 1] without visible repetition, the largest of some ``size`` metres."""
    step = size / 64
    values = look_up(clouds(), u, v, step, step)
    values += look_up(
        clouds(), v * np.float32(0.8) - u * np.float32(0.6), u + v, step * 3, step * 3
    )
    return values


def cloud_cover(u: Floats, v: Floats) -> Floats:
    """Return the cloud cover, 0 to 1, at places of a plane at height 1."""
    cover = look_up(clouds(), u, v, 0.016, 0.016)
    cover += look_up(clouds(), v + u * np.float32(0.3), u, 0.005, 0.005) * np.float32(0.35)
    cover = np.clip(cover * np.float32(2.2) + np.float32(0.1), 0, 1)
    covered: Floats = cover * cover * np.float32(0.85)
    return covered


def cells(values: Floats, size: float) -> Ints:
    """Return the numbers of the cells, of width ``size``, that contain the values."""
    cells: Ints = np.floor(values * np.float32(1 / size)).astype(np.int32)
    return cells


def fade(footprint: Floats, size: float) -> Floats:
    """Return 1 where details of a size are several pixels wide, 0 where they are one pixel wide."""
    share: Floats = np.float32(1.25) - footprint * np.float32(1.25 / size)
    return np.clip(share, 0, 1, out=share)


def seam_cover(share: Floats, size: float, width: float, footprint: Floats) -> Floats:
    """Return the share of a pixel that seams of a width cover, between cells of a size.

    ``share`` is the position of the pixel in its cell.
    """
    apart = _HALF - np.abs(share - _HALF)
    apart *= np.float32(size)
    pixel = np.clip(footprint, np.float32(width / 4), np.float32(size))
    cover: Floats = (pixel + np.float32(width)) * _HALF - apart
    cover /= pixel
    np.clip(cover, 0, np.minimum(_ONE, np.float32(width) / pixel), out=cover)
    return cover


def blend(colours: Floats, seconds: Floats, share: Floats, light: Floats | None) -> Floats:
    """Mix colours with the second colours by a share, then scale them by ``light``."""
    mixed = seconds - colours
    mixed *= share
    mixed += colours
    if light is not None:
        mixed *= light
    return mixed
