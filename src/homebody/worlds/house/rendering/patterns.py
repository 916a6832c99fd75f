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
from typing import TypeAlias

import numpy as np

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering import hard_patterns, soft_patterns
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface

DIRECTED = frozenset(
    {Surface.WOOD, Surface.WALL_TILES, Surface.WALLPAPER, Surface.STRIPES, Surface.BRICK}
)
"""Patterns that depend on how a face stands."""

_ONE, _HALF = np.float32(1), np.float32(0.5)
_Pattern: TypeAlias = Callable[[Floats, Floats, Floats, Floats, Floats], Floats]
"""(points, normals, colours, seconds, footprint) -> colours."""


def apply_pattern(
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
