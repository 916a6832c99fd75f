"""Furniture and containers as boxes: what is solid of them, around the free space of receptacles.

The box of a piece, less the spaces in which things can be, cut into as few boxes as a simple merge
finds. So that things can lie in a shelf or a bowl, and nothing has to be known of how it is drawn.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from homebody.worlds.house.model.house import Box, Receptacle, Size, Vector

BOARD = 0.004
"""Metres: thinner parts are left out, but never what carries something."""


def solid_boxes(size: Size, receptacles: Iterable[Receptacle]) -> list[Box]:
    """The solid parts of a thing in its own frame (z from its bottom).

    Args:
        size: Of its box.
        receptacles: Their spaces are free.
    """
    w, d, h = size
    whole = Box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h))
    free = [box for r in receptacles if (box := _common(whole, Box(r.low, r.high))) is not None]
    if not free:
        return [whole]
    cuts = [
        sorted({whole.low[i], whole.high[i], *(box.low[i] for box in free)}
               | {box.high[i] for box in free})
        for i in range(3)
    ]  # fmt: skip
    solid = {
        cell
        for cell in itertools.product(*(range(len(axis) - 1) for axis in cuts))
        if not any(_holds(box, _middle(cuts, cell)) for box in free)
    }
    boxes = []
    while solid:
        low, high = _grown(min(solid), solid)
        cells = itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
        solid.difference_update(cells)
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


def _middle(cuts: Sequence[Sequence[float]], cell: Sequence[int]) -> Vector:
    x, y, z = ((axis[i] + axis[i + 1]) / 2 for axis, i in zip(cuts, cell, strict=True))
    return x, y, z


def _holds(box: Box, point: Vector) -> bool:
    return all(a < p < b for a, p, b in zip(box.low, point, box.high, strict=True))


def _grown(start: tuple[int, ...], solid: set[tuple[int, ...]]) -> tuple[list[int], list[int]]:
    """The largest block of cells from one on: along x, then y, then z, as far as all are solid."""
    low, high = list(start), list(start)
    for axis in range(3):
        while True:
            ranges = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
            ranges[axis] = range(high[axis] + 1, high[axis] + 2)
            if not all(cell in solid for cell in itertools.product(*ranges)):
                break
            high[axis] += 1
    return low, high
