"""Patterns do not repeat, and fade into their mean where they are finer than a pixel."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import MATERIALS, PATTERNED, Surface
from homebody.worlds.house.rendering.patterns import apply_pattern, texture

FIRST, SECOND = (0.7, 0.5, 0.3), (0.9, 0.8, 0.6)
FLOORS = (Surface.PLANKS, Surface.PARQUET, Surface.TILES, Surface.CARPET, Surface.CONCRETE)


def seen(surface: Surface, footprint: float, size: float = 3.0) -> Floats:
    """Colours (3, n) of random points on a floor, if pixels are so many metres wide."""
    points = np.random.default_rng(1).random((3, 20_000)).astype(np.float32) * np.float32(size)
    flat = np.zeros_like(points)
    flat[2] = 1
    first = np.repeat(np.array(FIRST, np.float32)[:, None], points.shape[1], axis=1)
    second = np.repeat(np.array(SECOND, np.float32)[:, None], points.shape[1], axis=1)
    wide = np.full(points.shape[1], footprint, np.float32)
    return apply_pattern(surface, points, flat, first, second, wide)


@pytest.mark.parametrize("surface", sorted(PATTERNED))
def test_what_is_finer_than_a_pixel_fades(surface: Surface) -> None:
    near, far = seen(surface, 0.002), seen(surface, 0.3)
    assert np.isfinite(near).all()
    assert far.var(axis=1).sum() <= near.var(axis=1).sum() * 1.01 + 1e-9
    assert np.abs(far.mean(axis=1) - near.mean(axis=1)).max() < 0.05  # no brighter, no darker


def test_no_two_planks_are_alike() -> None:
    # 20 x 14 m: a hundred rows of about a dozen planks; one looks along the middle of each row.
    pieces = np.concatenate(
        [
            texture(Surface.PLANKS, FIRST, SECOND, (0, y, 0), (20, 0, 0), (0, 0.004, 0), 5000, 1)
            for y in np.arange(100) * 0.14 + 0.05
        ]
    )[:, :, 0].reshape(-1, 250)
    pieces = pieces.astype(np.float64)
    squares = (pieces**2).sum(axis=1)
    apart = (squares[:, None] + squares - 2 * pieces @ pieces.T) / pieces.shape[1]
    np.fill_diagonal(apart, 1.0)
    assert np.sqrt(apart.min()) > 0.002  # half a level of sRGB


@pytest.mark.sampled
@pytest.mark.parametrize("surface", FLOORS)
def test_a_large_floor_does_not_repeat(surface: Surface) -> None:
    floor = texture(surface, FIRST, SECOND, (0, 0, 0), (24, 0, 0), (0, 3, 0), 2400, 300)[:, :, 0]
    window = floor[:, :200] - floor[:, :200].mean()
    for start in range(200, 2200):
        other = floor[:, start : start + 200] - floor[:, start : start + 200].mean()
        share = (window * other).sum() / np.sqrt((window**2).sum() * (other**2).sum())
        assert share < 0.9, f"the same again after {start / 100} m"


def test_a_baked_picture_is_what_is_seen_there() -> None:
    picture = texture(Surface.TILES, FIRST, SECOND, (1, 2, 0), (2, 0, 0), (0, 2, 0), 8, 8)
    assert picture.shape == (8, 8, 3)
    again = texture(Surface.TILES, FIRST, SECOND, (1, 3, 0), (1, 0, 0), (0, 1, 0), 4, 4)
    assert np.array_equal(picture[:4, :4], again)


def test_every_surface_says_what_it_is_made_of() -> None:
    assert set(MATERIALS) == set(Surface)
    for material in MATERIALS.values():
        assert 0 <= material.roughness <= 1
        assert 0 <= material.mirrored + material.transmission <= 1
