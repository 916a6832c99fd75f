"""Soft edges of the shadows of lamps, in whole rows of pixels.

A ray to the middle of a lamp gives a shadow with a sharp edge (:mod:`direct`). The width of its
penumbra follows from the distances of the lamp and of what hides it, so that rays are cast only
from the edges of shadows. A pixel in a penumbra takes the share of the pixels around it, on the
same face, from which the lamp is visible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Index, Mask, dot

_CELL = 4
"""Side of a cell, pixels. All pixels of a cell have the same width of penumbra."""
_INSIDE = np.argwhere(np.ones((_CELL, _CELL), bool))
_WIDEST = 3 * _CELL
"""Maximum distance of a pixel in a penumbra from the edge of the shadow, pixels."""
_FIRST = 4
"""Number of places that are tried first: if they are as the pixel is, it is in no penumbra."""
_DOWN, _RIGHT = (0, 7, 11, 4, 1, 9, 10, 2, 3, 5, 6, 8), (4, 0, 7, 11, 9, 10, 2, 1, 6, 3, 8, 5)
_TAPS = np.stack([_DOWN, _RIGHT], axis=1).astype(np.float32) / np.float32(5.5) - 1
"""Places around a pixel, in half widths of the penumbra; each row and column has one."""


@dataclass(frozen=True, slots=True)
class Rows:
    """The faces that whole rows of pixels show.

    Attributes:
        face: (rows, columns): numbers of faces.
        distance: (n,): to the hits, in lengths of their ways.
        ways: (3, n): directions of the rays.
        normals: Pixels -> normals (3, n).
    """

    face: NDArray[np.int64]
    distance: Floats
    ways: Floats
    normals: Callable[[Index], Floats]


def find_penumbra(
    view: Rows, hidden: Mask, half_width: Callable[[Index], Floats]
) -> tuple[Index, Floats]:
    """Return the pixels in the penumbra of a lamp, and the share of the lamp visible at each.

    Args:
        view: What the pixels show.
        hidden: (rows, columns): pixels from which the middle of the lamp is hidden.
        half_width: Returns half the width of the penumbra at pixels, metres.
    """
    rows, columns = hidden.shape
    edge = _find_edges(view.face, hidden)
    cells = np.zeros((2, -(-rows // _CELL), -(-columns // _CELL)), np.float32)
    if edge.size:
        row, column = np.divmod(edge, columns)
        half = np.minimum(half_width(edge) / _pixel_sizes(view, edge, columns), _WIDEST)
        for own, size in zip(cells, half, strict=True):
            np.maximum.at(own, (row // _CELL, column // _CELL), size)
        _widen(cells, cells[0])
        _widen(cells.swapaxes(1, 2), cells[1].T)
    wide = np.argwhere((cells > 0.5).any(axis=0))
    row, column = (wide[:, None] * _CELL + _INSIDE).reshape(-1, 2).T
    within = (row < rows) & (column < columns)
    row, column = row[within], column[within]
    pixels = row * columns + column
    if not pixels.size:
        return pixels, np.zeros(0, np.float32)
    down, right = cells[:, row // _CELL, column // _CELL]
    shown = (view.face << 1) + ~hidden  # the last bit says if the lamp is visible
    own = shown.ravel().take(pixels)

    def count(some: Index, taps: Floats) -> tuple[Floats, Floats]:
        """Return how many taps show the face of a pixel, and how many of them see the lamp."""
        y, x, high, wide = (each.take(some) for each in (row, column, down, right))
        face = own.take(some) >> 1
        same, seen = np.zeros((2, len(some)), np.float32)
        for up, across in taps:
            below = np.clip(np.rint(y + up * high), 0, rows - 1)
            beside = np.clip(np.rint(x + across * wide), 0, columns - 1)
            tap = shown[below.astype(np.intp), beside.astype(np.intp)]
            alike = tap >> 1 == face
            same += alike
            seen += alike & (tap & 1 == 1)
        return same, seen

    same, seen = count(np.arange(len(pixels)), _TAPS[:_FIRST])
    lit = own & 1
    mixed = np.flatnonzero(seen != np.where(lit == 1, same, 0))
    share = lit.astype(np.float32)
    more, visible = count(mixed, _TAPS[_FIRST:])
    share[mixed] = (seen[mixed] + visible) / (same[mixed] + more)
    return pixels, share


def _find_edges(face: NDArray[np.int64], hidden: Mask) -> Index:
    """Return the hidden pixels beside a pixel of the same face that is not hidden."""
    edges = np.zeros(hidden.shape, bool)
    for first, second in (
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
    ):
        apart = (hidden[first] != hidden[second]) & (face[first] == face[second])
        edges[first] |= apart & hidden[first]
        edges[second] |= apart & hidden[second]
    return np.flatnonzero(edges)


def _pixel_sizes(view: Rows, pixels: Index, columns: int) -> Floats:
    """Return the heights and the widths (2, n) of pixels on their faces, metres."""
    normal, way = view.normals(pixels), view.ways.take(pixels, axis=1)
    facing = np.minimum(dot(way, normal), np.float32(-1e-3))
    sizes = []
    for next_ in (columns, 1):  # rays of neighbours differ by the same step everywhere
        step: Floats = (view.ways[:, next_] - view.ways[:, 0])[:, None]
        along = (step - way * (dot(step, normal) / facing)).astype(np.float32)
        sizes.append(np.sqrt(dot(along, along)) * view.distance.take(pixels))
    return np.maximum(np.stack(sizes), np.float32(1e-5))


def _widen(cells: Floats, across: Floats) -> None:
    """Spread widths (2, m, n) to the cells above and below that a penumbra reaches."""
    was, reach = cells.copy(), across.copy()
    for far in range(1, _WIDEST // _CELL + 1):
        reached = np.where(reach > _CELL * (far - 1), was, 0)
        np.maximum(cells[:, far:], reached[:, :-far], out=cells[:, far:])
        np.maximum(cells[:, :-far], reached[:, far:], out=cells[:, :-far])
