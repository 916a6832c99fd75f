"""Patterns of boards, tiles, stone, brick and roads.

Each function takes points (3, n), normals (3, n), first and second colours (3, n) and footprints
(n,), and returns colours (3, n): see :mod:`patterns`.
"""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.noise import (
    FADING,
    SIDE,
    billows,
    blend,
    cells,
    clouds,
    fade,
    look_up,
    noise,
    seam_cover,
    soft,
    speck,
    wood_grain,
)

WALL_TILES_UP_TO = 1.4
"""Height of tiles on walls, metres."""

_ONE, _HALF = np.float32(1), np.float32(0.5)


# -- of boards ------------------------------------------------------------------------------------


def _boards(
    u: Floats, v: Floats, board: Floats, seam: Floats, c: Floats, s: Floats, footprint: Floats
) -> Floats:
    """Return boards whose grain runs along u; ``board`` in [0, 1) distinguishes them."""
    own = board * np.float32(SIDE * 7)
    grain = wood_grain(v + own * np.float32(0.0137), u + own, 0.0011, 0.012, footprint)
    grain *= fade(footprint, 0.05)
    share = board * np.float32(0.7) + grain * np.float32(0.22)
    light = board * np.float32(13.0)
    light -= np.floor(light)
    light = light * np.float32(0.14) + np.float32(0.93) - seam * np.float32(0.42)
    return blend(c, s, share, light)


def planks(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Planks."""
    x, y = p[0], p[1]
    row = cells(y, 0.14)
    own = noise(row, row)
    # Each row has its own offset and its own plank length, 1.1 to 2 m.
    count = (x + own * np.float32(9.7)) * (_HALF + own * np.float32(0.4))
    plank = np.floor(count)
    board = noise(row, plank.astype(np.int32))
    seam = seam_cover(y * np.float32(1 / 0.14) - row, 0.14, 0.004, footprint)
    seam = np.maximum(seam, seam_cover(count - plank, 1.5, 0.003, footprint))
    return _boards(x, y, board, seam, c, s, footprint)


def parquet(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Herringbone of boards 7 cm wide and 28 cm long, turned by 45 degrees."""
    wide = np.float32(0.07 * 1.41421356)
    u, v = (p[0] + p[1]) / wide, (p[0] - p[1]) / wide
    # A cell of the grid belongs to a horizontal or vertical board. The step along the diagonal,
    # modulo 8, gives which, and how far along the board it is.
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
    seam = seam_cover(across, 0.07, 0.002, footprint)
    seam = np.maximum(seam, seam_cover(along * np.float32(0.25), 0.28, 0.002, footprint))
    return _boards(
        along * np.float32(0.07), across * np.float32(0.07), board, seam, c, s, footprint
    )


def timber(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Wood of furniture: grain up on fronts, along x on tops. Each board has its own grain."""
    x, y, z = p
    flat = np.abs(n[2]) > _HALF
    side = np.abs(n[0]) > _HALF
    # Boards in different planes are different boards.
    plane = np.where(flat, z, np.where(side, x, y)) * np.float32(30.0)
    own = np.floor(plane + np.float32(0.5)) * np.float32(0.377)
    across = np.where(flat, y, x + y) + own
    along = np.where(flat, x, z) + own
    grain = wood_grain(across, along, 0.0014, 0.014, footprint)
    grain += look_up(clouds(), across, along, 0.01, 0.04) * _HALF
    # Painted wood, which is not brown, shows hardly any grain.
    bare = np.clip(np.minimum(c[0] - c[1], c[1] - c[2]) * np.float32(1.1), 0.01, 0.17)
    grain *= bare * fade(footprint, FADING[Surface.WOOD])
    grain += _ONE
    return c * grain


# -- of tiles and stone ---------------------------------------------------------------------------


def _lay_tiles(
    u: Floats, v: Floats, size: float, c: Floats, s: Floats, footprint: Floats, gap: float = 0.005
) -> Floats:
    """Return square tiles, each with its own brightness and clouds."""
    a, b = cells(u, size), cells(v, size)
    own = noise(a, b)
    across = u + own * np.float32(37.0)
    light = look_up(clouds(), across, v - own, 0.004, 0.004) * np.float32(0.022)
    light += own * np.float32(0.07) + np.float32(0.965)
    seam = seam_cover(u * np.float32(1 / size) - a, size, gap, footprint)
    seam = np.maximum(seam, seam_cover(v * np.float32(1 / size) - b, size, gap, footprint))
    return blend(c * light, s, seam, None)


def tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Tiles."""
    return _lay_tiles(p[0], p[1], 0.33, c, s, footprint)


def wall_tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Tiles in the second colour, with a border at their upper end."""
    up = p[2]
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0])
    tiled = _lay_tiles(along, up, 0.2, s, s * np.float32(0.82), footprint, 0.004)
    border = np.abs(up - np.float32(WALL_TILES_UP_TO - 0.02)) < np.float32(0.02)
    tiled *= _ONE - border * np.float32(0.25)
    return tiled


def chequers(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """A chequered pattern."""
    x, y = p[0], p[1]
    a, b = cells(x, 0.4), cells(y, 0.4)
    own = noise(a, b)
    odd = ((a + b) & 1).astype(np.float32)
    cloud = look_up(clouds(), x + own * np.float32(31.0), y - own, 0.005, 0.005)
    light = _ONE + cloud * np.float32(0.05) * (_ONE + odd)
    light += (own - _HALF) * np.float32(0.05)
    return blend(c, s, odd, light)


def _veins(u: Floats, v: Floats, footprint: Floats) -> tuple[Floats, Floats]:
    """Return clouds of stone and its veins, both in [0, 1]."""
    cloud = soft(u, v, 0.7)
    # A vein is where smooth noise crosses 0.
    bend = cloud * np.float32(0.06)
    # Veins run more along one diagonal than across it.
    along = look_up(billows(), u + v + bend, u - v - bend, 0.0062, 0.0025)
    vein = _ONE - np.abs(along) * np.float32(16)
    np.maximum(vein, 0, out=vein)
    vein *= fade(footprint, 0.04)
    return np.clip(cloud * _HALF + _HALF, 0, 1), vein


def stone_tiles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Large polished tiles, each with its own cut of stone."""
    x, y = p[0], p[1]
    a, b = cells(x, 0.6), cells(y, 0.6)
    own = noise(a, b)
    cloud, vein = _veins(x + own * np.float32(57.0), y - own * np.float32(23.0), footprint)
    seam = seam_cover(x * np.float32(1 / 0.6) - a, 0.6, 0.003, footprint)
    seam = np.maximum(seam, seam_cover(y * np.float32(1 / 0.6) - b, 0.6, 0.003, footprint))
    share = cloud * np.float32(0.3) + vein * np.float32(0.45)
    return blend(c, s, share, _ONE - seam * np.float32(0.35))


def stone(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Stone of counters and statues: grains and clouds."""
    u, v = p[0] + p[2] * np.float32(0.7), p[1] + p[2] * np.float32(0.7)
    grain = look_up(speck(), u, v, 0.006, 0.006) * fade(footprint, 0.02)
    light = _ONE + grain * np.float32(0.09) + soft(u, v, 0.5) * np.float32(0.07)
    return c * light


def concrete(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Clouds of all sizes, and a joint every 3 m."""
    x, y = p[0], p[1] + p[2]
    grain = look_up(speck(), x, y, 0.012, 0.012) * fade(footprint, 0.03)
    share = grain * np.float32(0.12) + soft(x, y, 2.4) * np.float32(0.16) + np.float32(0.2)
    return blend(c, s, share, None)


def speckles(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Rubber and terrazzo: spots on a ground."""
    x, y = p[0], p[1]
    spots = (look_up(speck(), x, y, 0.012, 0.012) > np.float32(0.62)).astype(np.float32)
    near = fade(footprint, 0.03)
    share = spots * near + (_ONE - near) * np.float32(0.11)
    return blend(c, s, share, _ONE + soft(x, y, 1.7) * np.float32(0.03))


# -- of walls and ground outdoors -----------------------------------------------------------------


def bricks(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Bricks of 25 x 7.5 cm in bond. The second colour is the colour of the joints."""
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0])
    row = cells(p[2], 0.075)
    share = along * np.float32(4.0) + (row & 1) * _HALF
    brick = np.floor(share)
    own = noise(row, brick.astype(np.int32)) - _HALF
    # Painted ones, whose joints have nearly their colour, are more alike.
    unlike = np.minimum(np.abs(c[1] - s[1]), np.float32(0.3)) + np.float32(0.04)
    light = _ONE + own * unlike * fade(footprint, 0.2)
    seam = seam_cover(share - brick, 0.25, 0.012, footprint)
    level = seam_cover(p[2] * np.float32(1 / 0.075) - row, 0.075, 0.012, footprint)
    return blend(c * light, s, np.maximum(seam, level), None)


def plaster(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Rough plaster with soft clouds."""
    u, v = p[0] + p[1], p[2]
    light = _ONE + soft(u, v, 1.9) * np.float32(0.03)
    light += look_up(speck(), u, v, 0.012, 0.012) * np.float32(0.05) * fade(footprint, 0.03)
    return c * light


def asphalt(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Grains, and large soft stains."""
    x, y = p[0], p[1]
    share = look_up(speck(), x, y, 0.015, 0.015) * np.float32(0.3) * fade(footprint, 0.05)
    share += soft(x, y, 5.0) * np.float32(0.2) + np.float32(0.3)
    return blend(c, s, share, None)


def paving(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Slabs of half a metre."""
    return _lay_tiles(p[0], p[1], 0.5, c, s, footprint, 0.012)
