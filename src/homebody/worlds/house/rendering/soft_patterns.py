"""Patterns of cloth, leather, paper, dirt, grass and leaves.

Each function takes points (3, n), normals (3, n), first and second colours (3, n) and footprints
(n,), and returns colours (3, n): see :mod:`patterns`.
"""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.noise import (
    FADING,
    blend,
    clouds,
    fade,
    look_up,
    seam_cover,
    soft,
    speck,
)

_ONE, _HALF = np.float32(1), np.float32(0.5)


def carpet(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Carpet."""
    x, y = p[0], p[1]
    share = look_up(speck(), x, y, 0.009, 0.009) * fade(footprint, 0.03) * np.float32(0.3)
    # Where it was walked or brushed it is lighter.
    share += soft(x, y, 1.6) * np.float32(0.14) + np.float32(0.28)
    return blend(c, s, share, None)


def cloth(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Cloth."""
    u, v = p[0] + p[2], p[1] + p[2]
    threads = look_up(speck(), u, v, 0.0022, 0.011) + look_up(speck(), v, u, 0.0022, 0.011)
    light = threads * np.float32(0.07) * fade(footprint, FADING[Surface.FABRIC])
    light += look_up(clouds(), u, v, 0.006, 0.006) * np.float32(0.045)
    light += _ONE
    return c * light


def pile(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """A rug: knots in rows, and streaks of dye along them."""
    x, y = p[0], p[1]
    knots = look_up(speck(), x, y, 0.008, 0.008) * np.float32(0.13)
    dye = look_up(speck(), x, y, 0.012, 1.4) * np.float32(0.06)
    light = (knots + dye) * fade(footprint, FADING[Surface.RUG])
    light += _ONE
    return c * light


def leather(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Leather."""
    u, v = p[0] + p[2], p[1] - p[2]
    pores = look_up(speck(), u, v, 0.004, 0.004) * np.float32(0.06)
    light = pores * fade(footprint, FADING[Surface.LEATHER])
    light += look_up(clouds(), u, v, 0.005, 0.005) * np.float32(0.08)
    light += _ONE
    return c * light


def wallpaper(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
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
    share += seam_cover(u, 0.22, 0.008, footprint) * np.float32(0.5)
    return blend(c, s, share * fade(footprint, 0.1), None)


def stripes(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Broad stripes, each with a fine one beside it."""
    along = np.where(np.abs(n[0]) > _HALF, p[1], p[0]) * np.float32(1 / 0.18)
    along -= np.floor(along)
    share = seam_cover(along, 0.18, 0.09, footprint) * np.float32(0.8)
    aside = along + np.float32(0.36)
    share += seam_cover(aside - np.floor(aside), 0.18, 0.008, footprint) * np.float32(0.8)
    return blend(c, s, share, None)


def dirt(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Smudges with soft edges; sharp or strong ones would look like veins of marble."""
    x, y, z = p
    blots = look_up(clouds(), x + z * np.float32(0.6), y - z, 0.004, 0.004)
    blots += look_up(clouds(), x - z, y + z * np.float32(0.8), 0.0011, 0.0011) * np.float32(0.3)
    share = np.clip(blots * np.float32(0.8) + np.float32(0.3), 0, 1)
    return blend(c, s, share * np.float32(0.3) + np.float32(0.03), None)


def lawn(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Grass, in patches of two greens."""
    x, y = p[0], p[1]
    share = soft(x, y, 3.5) * np.float32(0.3) + np.float32(0.35)
    share += look_up(speck(), x, y, 0.02, 0.02) * np.float32(0.35) * fade(footprint, 0.12)
    return blend(c, s, share, None)


def leaves(p: Floats, n: Floats, c: Floats, s: Floats, footprint: Floats) -> Floats:
    """Leaves of trees and hedges."""
    x, y, z = p
    # Two projections of space: a streak in one is no streak in the other.
    light = look_up(clouds(), x + z * np.float32(0.61), y - z * np.float32(0.73), 0.009, 0.009)
    light *= np.float32(0.3)
    leaf = look_up(speck(), x - y * np.float32(0.55), z + y * np.float32(0.42), 0.022, 0.022)
    light += leaf * np.float32(0.45) * fade(footprint, 0.14)
    light += _ONE
    return c * light
