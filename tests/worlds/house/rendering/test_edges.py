"""Smooth edges of faces that are finer than a pixel."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.edges import Bytes, Looks, smooth_edges

HIGH, SHADES = 0.4, np.array([200, 80, 202], np.uint8)
"""Height of a dark face in pixels, and the tones of the face above it, of itself and below it."""


def cast(x: Floats, y: Floats) -> Looks:
    """Return 0 above a slightly slanted face, 1 on it, and 2 below it."""
    down = y - (6.2 + x / 60)
    return (down > 0).astype(np.int64) + (down > HIGH)


def shade(x: Floats, y: Floats) -> Bytes:
    return np.repeat(SHADES[cast(x, y)][:, None], 3, axis=1)


def test_a_face_finer_than_a_pixel_is_no_dashed_line_between_faces_of_one_colour() -> None:
    y, x = (axis.ravel().astype(np.float32) for axis in np.mgrid[:16, :240])
    image = shade(x, y).reshape(16, 240, 3)
    smooth_edges(image, cast(x, y).reshape(16, 240), cast, shade)
    darkness = (200.0 - np.minimum(image[..., 0], 200)).sum(axis=0)
    assert darkness.min() > 0.5 * HIGH * 120, "such as the underside of a door's frame"
    assert darkness.max() < 1.5 * HIGH * 120
