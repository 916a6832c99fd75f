"""Smooth edges: more rays only through the pixels at an edge.

At the edge of an object, most of these rays hit a face that a neighbouring pixel shows as well, and
take its colour, so that they cost no shading. The few rays that hit another face, and those at the
edges of shadows, reflections and views through glass, are shaded.

Two faces of one colour have an edge, too: between them may be a face finer than a pixel, such as
the underside of a door's frame, which single rays show as dashes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Index

Bytes: TypeAlias = NDArray[np.uint8]
Looks: TypeAlias = NDArray[np.int64]
"""Numbers of faces, the same for faces that look alike: see :class:`.triangle_tables.FaceTable`."""

_PLACES = np.array([(0.125, 0.375), (0.375, -0.125), (-0.125, -0.375), (-0.375, 0.125)], np.float32)
"""Places of more rays in a pixel: pixels to the right of its middle and below it."""
_INNER = np.array([(0, 0), (0.25, 0.25), (-0.25, -0.25)], np.float32)
"""The same for an edge on one face."""
_STRONG = 28
"""Minimum difference of two colours, of 255, at which an edge on one face is smoothed: the edge of
a shadow, a reflection, or something behind glass."""
_MOST = 0.01
"""Maximum share of pixels with such an edge, the strongest ones, because their rays are shaded."""


def smooth_edges(
    image: Bytes,
    looks: Looks,
    cast: Callable[[Floats, Floats], Looks],
    shade: Callable[[Floats, Floats], Bytes],
) -> None:
    """Smooth the edges of a picture in place.

    Args:
        image: (height, width, 3).
        looks: (height, width).
        cast: Returns the looks (n,) that rays hit through places: columns (n,) and rows (n,), with
            whole numbers in the middles of pixels.
        shade: Returns the colours (n, 3) of the same rays.
    """
    edges, inner = _find_edges(image, looks)
    pixels = image.reshape(-1, 3)
    x, y = _points(edges, looks.shape[1], _PLACES)
    source = _find_shown(looks, edges, cast(x, y))
    new = source < 0
    across, down = _points(inner, looks.shape[1], _INNER)
    shaded = shade(np.concatenate([x[new], across]), np.concatenate([y[new], down]))
    count = int(new.sum())
    colours = pixels.take(source, axis=0, mode="clip")
    colours[new] = shaded[:count]
    total = 2 * colours.reshape(len(_PLACES), -1, 3).sum(axis=0, dtype=np.uint16)
    total += pixels[edges]  # the middle counts half, because it is nearer its neighbours
    # Single rays are shaded with fewer reflections: only their differences count.
    single = shaded[count:].reshape(len(_INNER), -1, 3).astype(np.int16)
    change = (single.sum(axis=0, dtype=np.int16) - len(_INNER) * single[0]) // len(_INNER)
    pixels[inner] = np.clip(pixels[inner] + change, 0, 255)
    pixels[edges] = np.round(total / np.float32(2 * len(_PLACES) + 1))


def _find_edges(image: Bytes, looks: Looks) -> tuple[Index, Index]:
    """Return the numbers of pixels at edges of faces, and at strong edges on one face."""
    edges = np.zeros(looks.shape, bool)
    contrast = np.zeros(looks.shape, np.uint8)
    channels = np.ascontiguousarray(image.transpose(2, 0, 1))
    for first, second in (
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
    ):
        apart = np.zeros(looks[first].shape, np.uint8)
        for channel in channels:
            a, b = channel[first], channel[second]
            np.maximum(apart, np.maximum(a, b) - np.minimum(a, b), out=apart)
        other = looks[first] != looks[second]
        apart[other] = 0
        for side in (first, second):
            edges[side] |= other
            np.maximum(contrast[side], apart, out=contrast[side])
    contrast[edges] = 0
    strong = np.flatnonzero(contrast >= _STRONG)
    most = int(_MOST * looks.size)
    if len(strong) > most:
        strengths = contrast.ravel().take(strong)
        strong = strong[strengths > np.sort(strengths)[-most - 1]]
    return np.flatnonzero(edges), strong


def _points(pixels: Index, width: int, places: Floats) -> tuple[Floats, Floats]:
    """Return the columns and rows of all places in all pixels, place by place."""
    row, column = np.divmod(pixels, width)
    x, y = (column + places[:, :1]).ravel(), (row + places[:, 1:]).ravel()
    return x.astype(np.float32), y.astype(np.float32)


def _find_shown(looks: Looks, pixels: Index, hit: Looks) -> Index:
    """Return the pixels that show what rays beside the middles of pixels hit; -1 for none."""
    height, width = looks.shape
    row, column = np.divmod(pixels, width)
    sources = []
    for (right, down), seen in zip(_PLACES, hit.reshape(len(_PLACES), -1), strict=True):
        beside = np.clip(column + (1 if right > 0 else -1), 0, width - 1)
        below = np.clip(row + (1 if down > 0 else -1), 0, height - 1) * width
        source = np.full(len(pixels), -1)
        for pixel in (below + beside, row * width + beside, below + column, pixels):
            source = np.where(looks.take(pixel) == seen, pixel, source)
        sources.append(source)
    return np.concatenate(sources)
