"""Patterns of surfaces: planks, tiles, cloth, stone, computed at each point that is seen.

Nothing is painted beforehand: a plank floor is a function of the place on it, in the frame of the
house, metres. Fine variation is looked up in small tables of noise; whole planks and tiles differ
by a hash of their number, and each takes its own part of the tables, so that none is like another.
What is finer than a pixel (its *footprint*) fades into its mean, so that nothing flickers.

Colours are sRGB in [0, 1]; arrays of points are (3, n). Patterns are cheap on purpose (no
trigonometry, few passes): they run for every pixel. :func:`texture` bakes them for exporters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.arrays import Floats, Ints
from homebody.worlds.house.rendering.materials import Surface

FADING: dict[Surface, float] = {
    Surface.WOOD: 0.03,
    Surface.FABRIC: 0.016,
    Surface.RUG: 0.03,
    Surface.LEATHER: 0.016,
}
"""Patterns of which nothing is left where a pixel is so many metres wide."""
DIRECTED = frozenset(
    {Surface.WOOD, Surface.WALL_TILES, Surface.WALLPAPER, Surface.STRIPES, Surface.BRICK}
)
"""Patterns that depend on how a face stands."""
SIDE = 512
"""Rows and columns of the tables of noise."""
WALL_TILES_UP_TO = 1.4
"""Metres."""

_ONE, _HALF = np.float32(1), np.float32(0.5)
_Pattern: TypeAlias = Callable[[Floats, Floats, Floats, Floats, Floats], Floats]
"""(points, normals, colours, seconds, footprint) -> colours."""


def patterned(
    code: int, points: Floats, normals: Floats, colours: Floats, seconds: Floats, footprint: Floats
) -> Floats:
    """Colours (3, n) of points on one patterned surface.

    Args:
        code: Of the surface.
        points: (3, n).
        normals: (3, n): how their faces stand; of no use to those that are not ``DIRECTED``.
        colours: (3, n): first colours of their triangles.
        seconds: (3, n): second ones; of no use to surfaces that are not ``TWO_COLOURED``.
        footprint: (n,): how wide a pixel is there, metres.
    """
    pattern = _PATTERNS.get(code)
    return colours if pattern is None else pattern(points, normals, colours, seconds, footprint)


def texture(
    surface: Surface,
    first: Colour,
    second: Colour,
    corner: Vector,
    along: Vector,
    up: Vector,
    width: int,
    height: int,
) -> Floats:
    """The pattern of a surface over a parallelogram in the house, baked: (height, width, 3) sRGB.

    Args:
        surface: Any surface; one without a pattern gives an even picture.
        first: First colour of the triangle.
        second: Second colour.
        corner: The lower left corner of the picture, metres.
        along: From there to the lower right one; ``up``, to the upper left one.
        up: See along.
        width: Of the picture, pixels.
        height: Of the picture, pixels; its first row is the upper one.
    """
    u = (np.arange(width, dtype=np.float32) + _HALF) / width
    v = _ONE - (np.arange(height, dtype=np.float32) + _HALF) / height
    right, rise = np.array(along, np.float32), np.array(up, np.float32)
    spots = np.array(corner, np.float32) + v[:, None, None] * rise + u[:, None] * right
    points: Floats = np.ascontiguousarray(spots.reshape(-1, 3).T)
    normal: Floats = np.cross(right, rise).astype(np.float32)
    normal /= np.float32(max(float(np.linalg.norm(normal)), 1e-9))

    def everywhere(values: object) -> Floats:
        column: Floats = np.array(values, np.float32)[:, None]
        return np.repeat(column, points.shape[1], axis=1)

    step = max(float(np.linalg.norm(right)) / width, float(np.linalg.norm(rise)) / height)
    colours = patterned(
        surface,
        points,
        everywhere(normal),
        everywhere(first),
        everywhere(second),
        np.full(points.shape[1], step, np.float32),
    )
    picture: Floats = np.clip(colours, 0, 1).T.reshape(height, width, 3)
    return picture


# -- noise ----------------------------------------------------------------------------------------


def noise(a: Ints, b: Ints) -> Floats:
    """A number in [0, 1) for each pair of whole numbers, the same everywhere."""
    mixed = a.view(np.uint32) * np.uint32(374761393)
    mixed += b.view(np.uint32) * np.uint32(668265263)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(1274126177)
    mixed ^= mixed >> np.uint32(16)
    values: Floats = (mixed & np.uint32(0xFFFF)).astype(np.float32) * np.float32(1 / 65536)
    return values


def _grid(rows: int, columns: int, seed: int) -> Floats:
    """Hashed numbers in [-1, 1)."""
    a, b = np.divmod(np.arange(rows * columns, dtype=np.int32), np.int32(columns))
    grid: Floats = noise(a + np.int32(seed * 1009), b).reshape(rows, columns) * 2 - 1
    return grid


def _stretched(grid: Floats) -> Floats:
    """A grid smoothly stretched to a table, which goes on at its other side."""
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
def _clouds() -> Floats:
    """Soft blots of all sizes, in [-1, 1]; flat."""
    sizes = ((8, 0.5), (16, 0.35), (32, 0.25), (128, 0.16))
    table = sum(_stretched(_grid(n, n, n)) * np.float32(w) for n, w in sizes)
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def _billows() -> Floats:
    """Soft blots without small ones, for veins, which would be ragged; flat."""
    table = sum(_stretched(_grid(n, n, n + 1)) * np.float32(w) for n, w in ((6, 0.6), (14, 0.4)))
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def _speck() -> Floats:
    """Hashed numbers in [-1, 1), some of them alike for two or three cells; flat."""
    table = _grid(SIDE, SIDE, 3) * np.float32(0.7) + _stretched(_grid(256, 256, 5)) * _HALF
    return np.ascontiguousarray(table, np.float32).ravel()


@cache
def _wood() -> Floats:
    """Grain that runs along the columns, in [-1, 1]: rings that a saw has met, and pores; flat.

    Three tables after each other: as it is, and with rows smeared over 4 and 16, for pixels that
    are as wide.
    """
    bend = _stretched(_grid(6, 3, 11)) * np.float32(5.0) + _stretched(_grid(16, 6, 12))
    across = np.arange(SIDE, dtype=np.float32)[:, None] * np.float32(24 / SIDE)
    ring = across + bend
    ring -= np.floor(ring)
    ring = np.where(ring < 0.75, ring / np.float32(0.75), (_ONE - ring) / np.float32(0.25))
    pores = _stretched(_grid(SIDE, 24, 13)) * np.float32(0.55)
    table = (ring - _HALF) * np.float32(0.9) + pores + _stretched(_grid(48, 6, 14)) * _HALF
    levels = [table]
    for step in (1, 2, 4, 8):  # each doubles how many rows are smeared
        table = (table + np.roll(table, step, axis=0)) * _HALF
        levels.append(table)
    return np.concatenate([levels[0], levels[2], levels[4]]).astype(np.float32).ravel()


def _grain(across: Floats, along: Floats, row: float, column: float, footprint: Floats) -> Floats:
    """Grain of wood, as fine as a pixel can show it."""
    level = (footprint > np.float32(2.5 * row)).astype(np.int32)
    level += footprint > np.float32(9 * row)
    return _look(_wood(), across, along, row, column, level * (SIDE * SIDE))


def _look(
    table: Floats, u: Floats, v: Floats, row: float, column: float, first: Ints | None = None
) -> Floats:
    """What a flat table has at places u, v: a row is ``row`` metres, a column ``column``; of some
    tables after each other, that which begins at ``first``."""
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


def _soft(u: Floats, v: Floats, size: float) -> Floats:
    """Blots in [-1, 1], the largest of some ``size`` metres, that do not come again: two lookups
    in ways that are turned against each other."""
    step = size / 64
    values = _look(_clouds(), u, v, step, step)
    values += _look(_clouds(), v * np.float32(0.8) - u * np.float32(0.6), u + v, step * 3, step * 3)
    return values


def cloud_cover(u: Floats, v: Floats) -> Floats:
    """How much of the sky clouds cover, 0 to 1, at places of a plane 1 above."""
    cover = _look(_clouds(), u, v, 0.016, 0.016)
    cover += _look(_clouds(), v + u * np.float32(0.3), u, 0.005, 0.005) * np.float32(0.35)
    cover = np.clip(cover * np.float32(2.2) + np.float32(0.1), 0, 1)
    covered: Floats = cover * cover * np.float32(0.85)
    return covered


def _cells(values: Floats, size: float) -> Ints:
    cells: Ints = np.floor(values * np.float32(1 / size)).astype(np.int32)
    return cells


def _fade(footprint: Floats, size: float) -> Floats:
    """1 where details of a size are several pixels wide, 0 where a pixel is as wide."""
    share: Floats = np.float32(1.25) - footprint * np.float32(1.25 / size)
    return np.clip(share, 0, 1, out=share)


def _seam(share: Floats, size: float, width: float, footprint: Floats) -> Floats:
    """How much of a pixel the seams between cells of a size cover, if they are so wide; ``share``
    of its cell is behind it."""
    apart = _HALF - np.abs(share - _HALF)
    apart *= np.float32(size)
    pixel = np.clip(footprint, np.float32(width / 4), np.float32(size))
    cover: Floats = (pixel + np.float32(width)) * _HALF - apart
    cover /= pixel
    np.clip(cover, 0, np.minimum(_ONE, np.float32(width) / pixel), out=cover)
    return cover


def _between(colours: Floats, seconds: Floats, share: Floats, light: Floats | None) -> Floats:
    """Colours mixed with the second ones, then lit more or less."""
    mixed = seconds - colours
    mixed *= share
    mixed += colours
    if light is not None:
        mixed *= light
    return mixed


# -- of boards ------------------------------------------------------------------------------------


def _boards(
    u: Floats, v: Floats, board: Floats, seam: Floats, c: Floats, s: Floats, footprint: Floats
) -> Floats:
    """Boards whose grain runs along u; ``board`` in [0, 1) tells them apart."""
    own = board * np.float32(SIDE * 7)
    grain = _grain(v + own * np.float32(0.0137), u + own, 0.0011, 0.012, footprint)
    grain *= _fade(footprint, 0.05)
    share = board * np.float32(0.7) + grain * np.float32(0.22)
    light = board * np.float32(13.0)
    light -= np.floor(light)
    light = light * np.float32(0.14) + np.float32(0.93) - seam * np.float32(0.42)
    return _between(c, s, share, light)


def _planks(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y = p[0], p[1]
    row = _cells(y, 0.14)
    own = noise(row, row)
    # Each row begins elsewhere and has planks of its own length, 1.1 to 2 m.
    count = (x + own * np.float32(9.7)) * (_HALF + own * np.float32(0.4))
    plank = np.floor(count)
    board = noise(row, plank.astype(np.int32))
    seam = _seam(y * np.float32(1 / 0.14) - row, 0.14, 0.004, footprint)
    seam = np.maximum(seam, _seam(count - plank, 1.5, 0.003, footprint))
    return _boards(x, y, board, seam, c, s, footprint)


def _parquet(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Herringbone of boards 7 cm wide and 28 cm long, turned by 45 degrees."""
    wide = np.float32(0.07 * 1.41421356)
    u, v = (p[0] + p[1]) / wide, (p[0] - p[1]) / wide
    # A cell of the grid belongs to a board that lies or stands; the step along the diagonal,
    # modulo 8, says which, and how far along it is.
    a, b = np.floor(u), np.floor(v)
    step = (a - b).astype(np.int32) & 7
    lies = step < 4
    within = (step & 3).astype(np.float32)
    fu, fv = u - a, v - b
    along = np.where(lies, fu, _ONE - fv) + within
    across = np.where(lies, fv, fu)
    ai, bi = a.astype(np.int32), b.astype(np.int32)
    first = np.where(lies, ai - (step & 3), ai)
    second = np.where(lies, bi, bi + (step & 3))
    board = noise(first * 2 + lies, second)
    seam = _seam(across, 0.07, 0.002, footprint)
    seam = np.maximum(seam, _seam(along * np.float32(0.25), 0.28, 0.002, footprint))
    return _boards(
        along * np.float32(0.07), across * np.float32(0.07), board, seam, c, s, footprint
    )


def _timber(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Wood of furniture: grain up on fronts, along x on tops; each board has its own."""
    x, y, z = p
    flat = np.abs(n[2]) > _HALF
    side = np.abs(n[0]) > _HALF
    # Boards in different planes are different boards.
    plane = np.where(flat, z, np.where(side, x, y)) * np.float32(30.0)
    own = np.floor(plane + np.float32(0.5)) * np.float32(0.377)
    across = np.where(flat, y, x + y) + own
    along = np.where(flat, x, z) + own
    grain = _grain(across, along, 0.0014, 0.014, footprint)
    grain += _look(_clouds(), across, along, 0.01, 0.04) * _HALF
    # Painted wood, which is not brown, shows hardly any grain.
    bare = np.clip(np.minimum(c[0] - c[1], c[1] - c[2]) * np.float32(1.1), 0.01, 0.17)
    grain *= bare * _fade(footprint, FADING[Surface.WOOD])
    grain += _ONE
    return c * grain


# -- of tiles and stone ---------------------------------------------------------------------------


def _tiled(
    u: Floats, v: Floats, size: float, c: Floats, s: Floats, footprint: Floats, gap: float = 0.005
) -> Floats:
    """Square tiles, each a little lighter or darker and with its own clouds."""
    a, b = _cells(u, size), _cells(v, size)
    own = noise(a, b)
    across = u + own * np.float32(37.0)
    light = _look(_clouds(), across, v - own, 0.004, 0.004) * np.float32(0.022)
    light += own * np.float32(0.07) + np.float32(0.965)
    seam = _seam(u * np.float32(1 / size) - a, size, gap, footprint)
    seam = np.maximum(seam, _seam(v * np.float32(1 / size) - b, size, gap, footprint))
    return _between(c * light, s, seam, None)


def _tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    return _tiled(p[0], p[1], 0.33, c, s, footprint)


def _wall_tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Tiles in the second colour up to a height, with a border; above, plaster."""
    up = p[2]
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0])
    tiled = _tiled(along, up, 0.2, s, s * np.float32(0.82), footprint, 0.004)
    border = np.abs(up - np.float32(WALL_TILES_UP_TO - 0.02)) < np.float32(0.02)
    tiled *= _ONE - border * np.float32(0.25)
    return np.where(up < np.float32(WALL_TILES_UP_TO), tiled, c)


def _chequered(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y = p[0], p[1]
    a, b = _cells(x, 0.4), _cells(y, 0.4)
    own = noise(a, b)
    odd = ((a + b) & 1).astype(np.float32)
    cloud = _look(_clouds(), x + own * np.float32(31.0), y - own, 0.005, 0.005)
    light = _ONE + cloud * np.float32(0.05) * (_ONE + odd)
    light += (own - _HALF) * np.float32(0.05)
    return _between(c, s, odd, light)


def _veined(u: Floats, v: Floats, footprint: Floats) -> tuple[Floats, Floats]:
    """Clouds of stone, and veins in it: both in [0, 1]."""
    cloud = _soft(u, v, 0.7)
    # A vein is where softly changing noise goes through 0.
    bend = cloud * np.float32(0.06)
    # Veins run more along one diagonal than across it.
    along = _look(_billows(), u + v + bend, u - v - bend, 0.0062, 0.0025)
    vein = _ONE - np.abs(along) * np.float32(16)
    np.maximum(vein, 0, out=vein)
    vein *= _fade(footprint, 0.04)
    return np.clip(cloud * _HALF + _HALF, 0, 1), vein


def _stone_tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Large polished tiles, each cut elsewhere."""
    x, y = p[0], p[1]
    a, b = _cells(x, 0.6), _cells(y, 0.6)
    own = noise(a, b)
    cloud, vein = _veined(x + own * np.float32(57.0), y - own * np.float32(23.0), footprint)
    seam = _seam(x * np.float32(1 / 0.6) - a, 0.6, 0.003, footprint)
    seam = np.maximum(seam, _seam(y * np.float32(1 / 0.6) - b, 0.6, 0.003, footprint))
    share = cloud * np.float32(0.3) + vein * np.float32(0.45)
    return _between(c, s, share, _ONE - seam * np.float32(0.35))


def _stone(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Stone of counters and statues: grains and clouds."""
    u, v = p[0] + p[2] * np.float32(0.7), p[1] + p[2] * np.float32(0.7)
    grain = _look(_speck(), u, v, 0.006, 0.006) * _fade(footprint, 0.02)
    light = _ONE + grain * np.float32(0.09) + _soft(u, v, 0.5) * np.float32(0.07)
    return c * light


def _concrete(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Clouds of all sizes, and a joint every 3 m."""
    x, y = p[0], p[1] + p[2]
    grain = _look(_speck(), x, y, 0.012, 0.012) * _fade(footprint, 0.03)
    share = grain * np.float32(0.12) + _soft(x, y, 2.4) * np.float32(0.16) + np.float32(0.2)
    return _between(c, s, share, None)


def _speckled(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Rubber, terrazzo: spots in a ground."""
    x, y = p[0], p[1]
    spots = (_look(_speck(), x, y, 0.012, 0.012) > np.float32(0.62)).astype(np.float32)
    near = _fade(footprint, 0.03)
    share = spots * near + (_ONE - near) * np.float32(0.11)
    return _between(c, s, share, _ONE + _soft(x, y, 1.7) * np.float32(0.03))


# -- of cloth -------------------------------------------------------------------------------------


def _carpet(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y = p[0], p[1]
    share = _look(_speck(), x, y, 0.009, 0.009) * _fade(footprint, 0.03) * np.float32(0.3)
    # Where it was walked or brushed it is lighter.
    share += _soft(x, y, 1.6) * np.float32(0.14) + np.float32(0.28)
    return _between(c, s, share, None)


def _cloth(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    u, v = p[0] + p[2], p[1] + p[2]
    threads = _look(_speck(), u, v, 0.0022, 0.011) + _look(_speck(), v, u, 0.0022, 0.011)
    light = threads * np.float32(0.07) * _fade(footprint, FADING[Surface.FABRIC])
    light += _look(_clouds(), u, v, 0.006, 0.006) * np.float32(0.045)
    light += _ONE
    return c * light


def _pile(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """A rug: knots in rows, and streaks of dye along them."""
    x, y = p[0], p[1]
    knots = _look(_speck(), x, y, 0.008, 0.008) * np.float32(0.13)
    dye = _look(_speck(), x, y, 0.012, 1.4) * np.float32(0.06)
    light = (knots + dye) * _fade(footprint, FADING[Surface.RUG])
    light += _ONE
    return c * light


def _leather(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    u, v = p[0] + p[2], p[1] - p[2]
    pores = _look(_speck(), u, v, 0.004, 0.004) * np.float32(0.06)
    light = pores * _fade(footprint, FADING[Surface.LEATHER])
    light += _look(_clouds(), u, v, 0.005, 0.005) * np.float32(0.08)
    light += _ONE
    return c * light


# -- of walls -------------------------------------------------------------------------------------


def _wallpaper(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Lozenges in rows between fine stripes."""
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0]) * np.float32(1 / 0.22)
    up = p[2] * np.float32(1 / 0.22)
    column = np.floor(along)
    u = along - column
    v = up + column.astype(np.int32).astype(np.float32) * _HALF
    v -= np.floor(v)
    lozenge = np.float32(0.3) - np.abs(u - _HALF) * np.float32(1.5) - np.abs(v - _HALF)
    pixel = np.maximum(footprint * np.float32(1 / 0.22), np.float32(0.02))
    share = np.clip(lozenge / pixel + _HALF, 0, 1) * np.float32(0.45)
    share += _seam(u, 0.22, 0.008, footprint) * np.float32(0.5)
    return _between(c, s, share * _fade(footprint, 0.1), None)


def _stripes(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Broad stripes, each with a fine one beside it."""
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0]) * np.float32(1 / 0.18)
    along -= np.floor(along)
    share = _seam(along, 0.18, 0.09, footprint) * np.float32(0.8)
    aside = along + np.float32(0.36)
    share += _seam(aside - np.floor(aside), 0.18, 0.008, footprint) * np.float32(0.8)
    return _between(c, s, share, None)


def _dirt(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Smudges with soft edges; sharp or strong ones would look like veins of marble."""
    x, y, z = p
    blots = _look(_clouds(), x + z * np.float32(0.6), y - z, 0.004, 0.004)
    blots += _look(_clouds(), x - z, y + z * np.float32(0.8), 0.0011, 0.0011) * np.float32(0.3)
    share = np.clip(blots * np.float32(0.8) + np.float32(0.3), 0, 1)
    return _between(c, s, share * np.float32(0.3) + np.float32(0.03), None)


# -- outdoors -------------------------------------------------------------------------------------


def _bricks(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Bricks of 25 x 7.5 cm in bond; the second colour is that of the joints."""
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0])
    row = _cells(p[2], 0.075)
    share = along * np.float32(4.0) + (row & 1) * _HALF
    brick = np.floor(share)
    own = noise(row, brick.astype(np.int32)) - _HALF
    # Painted ones, whose joints have nearly their colour, are more alike.
    unlike = np.minimum(np.abs(c[1] - s[1]), np.float32(0.3)) + np.float32(0.04)
    light = _ONE + own * unlike * _fade(footprint, 0.2)
    seam = _seam(share - brick, 0.25, 0.012, footprint)
    level = _seam(p[2] * np.float32(1 / 0.075) - row, 0.075, 0.012, footprint)
    return _between(c * light, s, np.maximum(seam, level), None)


def _plaster(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    u, v = p[0] + p[1], p[2]
    light = _ONE + _soft(u, v, 1.9) * np.float32(0.03)
    light += _look(_speck(), u, v, 0.012, 0.012) * np.float32(0.05) * _fade(footprint, 0.03)
    return c * light


def _lawn(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y = p[0], p[1]
    share = _soft(x, y, 3.5) * np.float32(0.3) + np.float32(0.35)
    share += _look(_speck(), x, y, 0.02, 0.02) * np.float32(0.35) * _fade(footprint, 0.12)
    return _between(c, s, share, None)


def _asphalt(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y = p[0], p[1]
    share = _look(_speck(), x, y, 0.015, 0.015) * np.float32(0.3) * _fade(footprint, 0.05)
    share += _soft(x, y, 5.0) * np.float32(0.2) + np.float32(0.3)
    return _between(c, s, share, None)


def _paving(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    return _tiled(p[0], p[1], 0.5, c, s, footprint, 0.012)


def _leaves(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    x, y, z = p
    # Two ways to flatten space: what is a streak in one is none in the other.
    light = _look(_clouds(), x + z * np.float32(0.61), y - z * np.float32(0.73), 0.009, 0.009)
    light *= np.float32(0.3)
    leaf = _look(_speck(), x - y * np.float32(0.55), z + y * np.float32(0.42), 0.022, 0.022)
    light += leaf * np.float32(0.45) * _fade(footprint, 0.14)
    light += _ONE
    return c * light


_PATTERNS: dict[int, _Pattern] = {
    Surface.WOOD: _timber,
    Surface.FABRIC: _cloth,
    Surface.PLANKS: _planks,
    Surface.TILES: _tiles,
    Surface.CHEQUERED: _chequered,
    Surface.CARPET: _carpet,
    Surface.CONCRETE: _concrete,
    Surface.SPECKLED: _speckled,
    Surface.WALL_TILES: _wall_tiles,
    Surface.RUG: _pile,
    Surface.STONE: _stone,
    Surface.DIRT: _dirt,
    Surface.WALLPAPER: _wallpaper,
    Surface.STRIPES: _stripes,
    Surface.BRICK: _bricks,
    Surface.PLASTER: _plaster,
    Surface.LAWN: _lawn,
    Surface.ASPHALT: _asphalt,
    Surface.PAVING: _paving,
    Surface.LEAVES: _leaves,
    Surface.PARQUET: _parquet,
    Surface.LEATHER: _leather,
    Surface.STONE_TILES: _stone_tiles,
}
