"""Patterns of surfaces: planks, tiles, cloth, stone, computed at each visible point.

Nothing is painted beforehand: a plank floor is a function of the position on it, in metres in the
frame of the house. Fine variation comes from small noise tables. Planks and tiles differ by a hash
of their number, and each uses its own part of the tables, so no two look the same. Details finer
than a pixel (its *footprint*) fade into their mean, so that nothing flickers.

Colours are sRGB in [0, 1]; arrays of points are (3, n). Patterns are cheap (no trigonometry, few
passes), since they run for every pixel. :func:`texture` bakes them for exporters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering import hard_patterns, soft_patterns
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface

DIRECTED = frozenset(
    {Surface.WOOD, Surface.WALL_TILES, Surface.WALLPAPER, Surface.STRIPES, Surface.BRICK}
)
"""Patterns that depend on the orientation of a face."""

_ONE, _HALF = np.float32(1), np.float32(0.5)
_Pattern: TypeAlias = Callable[[Floats, Floats, Floats, Floats, Floats], Floats]
"""(points, normals, colours, seconds, footprint) -> colours."""


def apply_pattern(
    code: int, points: Floats, normals: Floats, colours: Floats, seconds: Floats, footprint: Floats
) -> Floats:
    """Return the colours (3, n) of points on one patterned surface.

    Args:
        code: Code of the surface.
        points: (3, n).
        normals: (3, n): normals of the faces; only ``DIRECTED`` surfaces use them.
        colours: (3, n): first colours of the triangles.
        seconds: (3, n): second colours; only ``TWO_COLOURED`` surfaces use them.
        footprint: (n,): width of a pixel there, metres.
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
    """Bake the pattern of a surface over a parallelogram: (height, width, 3) sRGB.

    Args:
        surface: Any surface; one without a pattern gives an even picture.
        first: First colour of the triangle.
        second: Second colour.
        corner: Lower left corner of the picture in the house, metres.
        along: Vector from there to the lower right corner.
        up: Vector from there to the upper left corner.
        width: Width of the picture, pixels.
        height: Height of the picture, pixels; the first row is the upper one.
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
    colours = apply_pattern(
        surface,
        points,
        everywhere(normal),
        everywhere(first),
        everywhere(second),
        np.full(points.shape[1], step, np.float32),
    )
    picture: Floats = np.clip(colours, 0, 1).T.reshape(height, width, 3)
    return picture


_PATTERNS: dict[int, _Pattern] = {
    Surface.WOOD: hard_patterns.timber,
    Surface.FABRIC: soft_patterns.cloth,
    Surface.PLANKS: hard_patterns.planks,
    Surface.TILES: hard_patterns.tiles,
    Surface.CHEQUERED: hard_patterns.chequers,
    Surface.CARPET: soft_patterns.carpet,
    Surface.CONCRETE: hard_patterns.concrete,
    Surface.SPECKLED: hard_patterns.speckles,
    Surface.WALL_TILES: hard_patterns.wall_tiles,
    Surface.RUG: soft_patterns.pile,
    Surface.STONE: hard_patterns.stone,
    Surface.DIRT: soft_patterns.dirt,
    Surface.WALLPAPER: soft_patterns.wallpaper,
    Surface.STRIPES: soft_patterns.stripes,
    Surface.BRICK: hard_patterns.bricks,
    Surface.PLASTER: hard_patterns.plaster,
    Surface.LAWN: soft_patterns.lawn,
    Surface.ASPHALT: hard_patterns.asphalt,
    Surface.PAVING: hard_patterns.paving,
    Surface.LEAVES: soft_patterns.leaves,
    Surface.PARQUET: hard_patterns.parquet,
    Surface.LEATHER: soft_patterns.leather,
    Surface.STONE_TILES: hard_patterns.stone_tiles,
}
