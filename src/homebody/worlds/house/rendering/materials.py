"""How surfaces look: patterns computed at each point that is seen, gloss, and the sky.

Nothing is painted beforehand: a plank floor is a function of the place on it. All functions work on
arrays of points in the frame of the house, metres; colours are sRGB in [0, 1] unless said to be
linear. Patterns are cheap on purpose (no trigonometry, few passes): they run for every pixel.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.arrays import Floats, Ints


class Surface(IntEnum):
    """What a triangle is made of."""

    MATT = 0
    WOOD = 1
    FABRIC = 2
    METAL = 3
    GLOSS = 4
    """Ceramic, plastic, lacquer."""
    GLASS = 5
    """Lets two thirds of the light through."""
    GLOW = 6
    """Shines by itself."""
    PLANKS = 7
    TILES = 8
    CHEQUERED = 9
    CARPET = 10
    CONCRETE = 11
    SPECKLED = 12
    WALL = 13
    WALL_TILES = 14
    """Tiles up to 1.4 m, plaster above."""
    MIRROR = 15
    """Shows a pale sheen, no reflection."""
    RUG = 16
    STONE = 17
    DIRT = 18
    """Something dirty: its own colour with patches of the second."""


MATT, WOOD, FABRIC, METAL = Surface.MATT, Surface.WOOD, Surface.FABRIC, Surface.METAL
GLOSS, GLASS, GLOW, STONE = Surface.GLOSS, Surface.GLASS, Surface.GLOW, Surface.STONE

PATTERNED = frozenset(
    {
        Surface.WOOD,
        Surface.FABRIC,
        Surface.PLANKS,
        Surface.TILES,
        Surface.CHEQUERED,
        Surface.CARPET,
        Surface.CONCRETE,
        Surface.SPECKLED,
        Surface.WALL_TILES,
        Surface.MIRROR,
        Surface.STONE,
        Surface.DIRT,
    }
)
"""Surfaces whose colour depends on the place."""

DIRECTED = frozenset({Surface.WOOD, Surface.WALL_TILES})
"""Patterns that depend on how a face stands."""
FADING: dict[Surface, float] = {Surface.WOOD: 4.5, Surface.FABRIC: 3.5}
"""Patterns that are gone at some metres from the eye."""
TWO_COLOURED = PATTERNED - {Surface.WOOD, Surface.FABRIC, Surface.MIRROR}
"""Patterns of two colours."""

SHINE = np.zeros(32, np.float32)
"""How much light a surface mirrors, by its code."""
for _surface, _amount in (
    (Surface.WOOD, 0.06),
    (Surface.METAL, 0.55),
    (Surface.GLOSS, 0.30),
    (Surface.GLASS, 0.60),
    (Surface.PLANKS, 0.06),
    (Surface.TILES, 0.12),
    (Surface.CHEQUERED, 0.14),
    (Surface.WALL_TILES, 0.10),
    (Surface.MIRROR, 0.70),
    (Surface.STONE, 0.12),
):
    SHINE[_surface] = _amount

FLOORS: dict[str, Surface] = {
    "planks": Surface.PLANKS,
    "tiles": Surface.TILES,
    "chequered": Surface.CHEQUERED,
    "carpet": Surface.CARPET,
    "concrete": Surface.CONCRETE,
    "speckled": Surface.SPECKLED,
}
"""Floor patterns of the catalogue."""


def floor_look(name: str) -> tuple[Surface, Colour, Colour]:
    """Pattern and colours of a floor, by its name in the catalogue.

    A floor that the catalogue does not have looks like concrete.
    """
    kind = catalogue().floors.get(name)
    if kind is None:
        return Surface.CONCRETE, (0.75, 0.75, 0.75), (0.6, 0.6, 0.6)
    first, *others = kind.colours
    return FLOORS.get(kind.pattern, Surface.CONCRETE), first, others[0] if others else first


def noise(a: Ints, b: Ints) -> Floats:
    """A number in [0, 1) for each pair of whole numbers, the same everywhere."""
    mixed = a.view(np.uint32) * np.uint32(374761393)
    mixed += b.view(np.uint32) * np.uint32(668265263)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(1274126177)
    mixed ^= mixed >> np.uint32(16)
    values: Floats = (mixed & np.uint32(0xFFFF)).astype(np.float32) * np.float32(1 / 65536)
    return values


def _smooth(u: Floats, v: Floats, size: float) -> Floats:
    """Noise that changes gently, over cells of a size."""
    a, b = _cells(u, size), _cells(v, size)
    s = _eased(u * np.float32(1 / size) - a.astype(np.float32))
    t = _eased(v * np.float32(1 / size) - b.astype(np.float32))
    low = noise(a, b) * (np.float32(1) - s) + noise(a + 1, b) * s
    high = noise(a, b + 1) * (np.float32(1) - s) + noise(a + 1, b + 1) * s
    values: Floats = low * (np.float32(1) - t) + high * t
    return values


def _eased(share: Floats) -> Floats:
    """0 to 1 as before, but level at both ends: no creases."""
    eased: Floats = share * share * (np.float32(3) - np.float32(2) * share)
    return eased


def _cells(values: Floats, size: float) -> Ints:
    cells: Ints = np.floor(values * np.float32(1 / size)).astype(np.int32)
    return cells


def patterned(
    code: int, points: Floats, normals: Floats, colours: Floats, seconds: Floats, distance: Floats
) -> Floats:
    """Colours (3, n) of points (3, n) on one patterned surface.

    ``normals`` (3, n) count for ``DIRECTED`` surfaces only, ``seconds`` (3, n) for ``TWO_COLOURED``
    ones; ``distance`` (n,) to the eye: fine patterns fade with it, so that they do not flicker.
    """
    x, y, z = points
    pattern: Floats
    match code:
        case Surface.PLANKS:
            pattern = _planks(x, y, colours, seconds, distance)
        case Surface.TILES:
            pattern = _tiles(x, y, 0.33, colours, seconds, distance)
        case Surface.CHEQUERED:
            odd = ((_cells(x, 0.4) + _cells(y, 0.4)) & 1).astype(np.float32)
            pattern = colours + (seconds - colours) * odd
        case Surface.CARPET:
            grain = noise(_cells(x, 0.012), _cells(y, 0.012)) - np.float32(0.5)
            grain += noise(_cells(x, 0.05), _cells(y, 0.05)) * np.float32(0.5)
            share = (grain * np.float32(0.5) + np.float32(0.25)) * _near(distance, 7.0)
            pattern = colours + (seconds - colours) * share
        case Surface.CONCRETE | Surface.STONE:
            grain = noise(_cells(x, 0.02), _cells(y + z, 0.02)) * _near(distance, 6.0)
            pattern = colours + (seconds - colours) * (grain * np.float32(0.35))
        case Surface.SPECKLED:
            spots = (noise(_cells(x, 0.02), _cells(y, 0.02)) > 0.86).astype(np.float32)
            pattern = colours + (seconds - colours) * (spots * _near(distance, 6.0))
        case Surface.WALL_TILES:
            along = np.where(np.abs(normals[0]) > 0.5, y, x)
            tiled = _tiles(along, z, 0.2, seconds, seconds * np.float32(0.86), distance)
            pattern = np.where(z < 1.4, tiled, colours)
        case Surface.WOOD:
            # Streaks along the longer way of the face: up on fronts, along x on tops.
            flat = np.abs(normals[2]) > 0.5
            across = np.where(flat, y, x + y)
            along = np.where(flat, x, z)
            grain = noise(_cells(across, 0.009), _cells(along, 0.35)) - np.float32(0.5)
            # Painted wood, which is grey or white, shows hardly any grain.
            bare = np.minimum(np.abs(colours[0] - colours[2]) * np.float32(0.6), np.float32(0.2))
            pattern = colours * (1 + grain * bare * _near(distance, FADING[Surface.WOOD]))
        case Surface.FABRIC:
            grain = noise(_cells(x + z, 0.007), _cells(y + z, 0.007)) - np.float32(0.5)
            pattern = colours * (
                1 + grain * np.float32(0.14) * _near(distance, FADING[Surface.FABRIC])
            )
        case Surface.DIRT:
            # Smudges with soft edges; sharp or strong ones would look like veins of marble.
            blots = _smooth(x + z * np.float32(0.6), y - z, 0.16)
            blots += _smooth(x - z, y + z * np.float32(0.8), 0.06) * np.float32(0.35)
            share = _eased(np.clip(blots * np.float32(1.6) - np.float32(0.85), 0, 1))
            pattern = colours + (seconds - colours) * (share * np.float32(0.26) + np.float32(0.04))
        case Surface.MIRROR:
            sheen = (x + y) * np.float32(0.9) + z * np.float32(1.4)
            band = np.abs(sheen - np.floor(sheen) - np.float32(0.5))
            pattern = colours * (np.float32(0.9) + band * np.float32(0.2))
        case _:
            pattern = colours
    return pattern


def _near(distance: Floats, reach: float) -> Floats:
    """1 close to the eye, 0 from ``reach`` metres on."""
    share: Floats = np.maximum(np.float32(0), 1 - distance * np.float32(1 / reach))
    return share


def _planks(x: Floats, y: Floats, colours: Floats, seconds: Floats, distance: Floats) -> Floats:
    row = _cells(y, 0.14)
    along = x + noise(row, row) * np.float32(1.6)
    plank = _cells(along, 1.6)
    share = noise(row, plank) * np.float32(0.75)
    streak = noise(_cells(y, 0.012), _cells(along, 0.5)) - np.float32(0.5)
    near = _near(distance, 6.0)
    share += streak * np.float32(0.25) * near
    offset = y * np.float32(1 / 0.14) - row
    end = along * np.float32(1 / 1.6) - plank
    seam = (offset < 0.035) | (end < 0.003)
    light = 1 - seam * (np.float32(0.12) + np.float32(0.25) * near)
    pattern: Floats = (colours + (seconds - colours) * share) * light
    return pattern


def _tiles(
    u: Floats, v: Floats, size: float, colours: Floats, seconds: Floats, distance: Floats
) -> Floats:
    a, b = _cells(u, size), _cells(v, size)
    near = _near(distance, 9.0)
    light = 1 + (noise(a, b) - np.float32(0.5)) * np.float32(0.06)
    edge = np.float32(0.02)
    seam = (u * np.float32(1 / size) - a < edge) | (v * np.float32(1 / size) - b < edge)
    share = seam * (np.float32(0.35) + np.float32(0.65) * near)
    pattern: Floats = colours * light + (seconds - colours) * share
    return pattern


def sky(directions: Floats) -> Floats:
    """Linear light (3, n) from outdoors in directions (3, n): sky, trees, a lawn."""
    x, y, z = directions
    light: Floats = np.empty_like(directions)
    up = np.clip(z, 0, 1)
    for row, (low, high) in enumerate(((0.95, 0.30), (1.05, 0.55), (1.15, 1.05))):
        light[row] = low + (high - low) * np.minimum(up * np.float32(1.6), 1)
    wave = np.abs(((x - y) * np.float32(4.0)) % 2 - 1) + np.abs((x * np.float32(9.0)) % 2 - 1)
    trees = z < np.float32(0.02) + wave * np.float32(0.05)
    lawn = z < np.float32(-0.03)
    light[:, trees] = np.array([[0.10], [0.20], [0.07]], np.float32)
    light[:, lawn] = np.array([[0.22], [0.40], [0.12]], np.float32)
    return light
