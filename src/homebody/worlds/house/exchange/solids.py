"""Solid parts of furniture and containers, as boxes around the space of receptacles.

The space of the receptacles is removed from the box of a piece, and the rest is cut into a few
boxes. Then objects can be in a shelf or bowl, whatever its mesh looks like.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.house import Box, Receptacle, Size, Vector

BOARD = 0.004
"""Minimum thickness of a part in metres. Thinner parts are omitted unless they carry something."""


def solid_boxes(size: Size, receptacles: Iterable[Receptacle | Box]) -> list[Box]:
    """Return the solid parts of an object in its own frame (z from its bottom).

    Args:
        size: Size of its box.
        receptacles: Receptacles and other spaces that are free.
    """
    w, d, h = size
    whole = Box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h))
    free = [box for r in receptacles if (box := _common(whole, Box(r.low, r.high))) is not None]
    if not free:
        return [whole]
    cuts = [
        sorted({side for box in (whole, *free) for side in (box.low[i], box.high[i])})
        for i in range(3)
    ]
    solid = np.ones([len(axis) - 1 for axis in cuts], bool)
    for box in free:
        inside = [
            slice(axis.index(a), axis.index(b))
            for axis, a, b in zip(cuts, box.low, box.high, strict=True)
        ]
        solid[tuple(inside)] = False
    boxes = []
    while solid.any():
        first = np.unravel_index(int(solid.argmax()), solid.shape)
        low, high = _grow([int(i) for i in first], solid)
        solid[tuple(slice(a, b + 1) for a, b in zip(low, high, strict=True))] = False
        start: Vector = (cuts[0][low[0]], cuts[1][low[1]], cuts[2][low[2]])
        end: Vector = (cuts[0][high[0] + 1], cuts[1][high[1] + 1], cuts[2][high[2] + 1])
        sides = [b - a for a, b in zip(start, end, strict=True)]
        if min(sides) > BOARD or sides[2] == min(sides):
            boxes.append(Box(start, end))
    return boxes


def _common(a: Box, b: Box) -> Box | None:
    low = [max(p, q) for p, q in zip(a.low, b.low, strict=True)]
    high = [min(p, q) for p, q in zip(a.high, b.high, strict=True)]
    if any(q - p < 1e-6 for p, q in zip(low, high, strict=True)):
        return None
    return Box((low[0], low[1], low[2]), (high[0], high[1], high[2]))


def _grow(start: list[int], solid: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Return the largest block of solid cells that starts at a given cell: it grows along x, then
    y, then z."""
    low, high = list(start), list(start)
    for axis in range(3):
        while high[axis] + 1 < solid.shape[axis]:
            ranges = [slice(a, b + 1) for a, b in zip(low, high, strict=True)]
            ranges[axis] = slice(high[axis] + 1, high[axis] + 2)
            if not solid[tuple(ranges)].all():
                break
            high[axis] += 1
    return low, high
