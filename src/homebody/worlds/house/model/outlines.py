"""Outlines of rooms, walls and boxes on the plan, for checking houses. All in metres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import TypeAlias, TypeVar

from homebody.worlds.house.model.house import Box, House, Opening, Point, Room

N = TypeVar("N", int, float)
PLAY = 0.0015
"""Maximum distance in metres by which rounding may move a side."""
Rect: TypeAlias = tuple[float, float, float, float]
"""x and y of the low corner, x and y of the high corner."""


def parts_of(room: Room) -> list[Rect]:
    """Split a rectilinear room into rectangles, stacked along y."""
    corners = room.outline
    sides = [
        (ax, min(ay, by), max(ay, by))
        for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True)
        if ax == bx
    ]
    ys = sorted({y for _, y in corners})
    parts = []
    for low, high in pairwise(ys):
        xs = sorted(x for x, y0, y1 in sides if y0 <= low and high <= y1)
        parts += [(a, low, b, high) for a, b in zip(xs[::2], xs[1::2], strict=False)]
    return parts


def rooms_extent(house: House) -> Rect:
    """Return the smallest rectangle around all rooms of a house."""
    xs, ys = zip(*(corner for room in house.rooms for corner in room.outline), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def is_inside(rect: Rect, parts: Sequence[Rect]) -> bool:
    """Return whether the parts of a room cover a rectangle."""
    area = (rect[2] - rect[0]) * (rect[3] - rect[1])
    covered = 0.0
    for part in parts:
        width = min(rect[2], part[2]) - max(rect[0], part[0])
        depth = min(rect[3], part[3]) - max(rect[1], part[1])
        covered += max(0.0, width) * max(0.0, depth)
    around = 2 * (rect[2] - rect[0] + rect[3] - rect[1])
    return covered >= area - PLAY * around


def gap(a: Rect, b: Rect) -> float:
    """Return the distance between two rectangles along the axis on which they are farther apart."""
    return max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])


def crossed_part(
    start: Point, end: Point, rect: Rect, *, at_edge: bool = True
) -> tuple[float, float] | None:
    """Return the positions at which a line enters and leaves a rectangle, as shares of its length.
    The result is None if the line is parallel to an axis and misses the rectangle. If the first
    share is larger than the second, the line misses the rectangle as well.

    Args:
        at_edge: Whether a line along an edge of the rectangle is in it.
    """
    first, last = 0.0, 1.0
    for axis in (0, 1):
        low, high, at, way = rect[axis], rect[axis + 2], start[axis], end[axis] - start[axis]
        if abs(way) < 1e-9:
            if not (low <= at <= high if at_edge else low < at < high):
                return None
            continue
        near, far = sorted(((low - at) / way, (high - at) / way))
        first, last = max(first, near), min(last, far)
    return first, last


def edges_of(corners: Sequence[tuple[N, N]]) -> Iterator[tuple[int, N, N, N, int]]:
    """Yield the sides of an outline: axis, coordinate, low and high end, outward sign."""
    for (ax, ay), (bx, by) in zip(corners, chain(corners[1:], corners[:1]), strict=True):
        if ax == bx:
            yield 0, ax, min(ay, by), max(ay, by), 1 if by > ay else -1
        else:
            yield 1, ay, min(ax, bx), max(ax, bx), -1 if bx > ax else 1


def span_of(opening: Opening) -> tuple[int, float, float, float]:
    """Return the axis, coordinate, and low and high end of an opening."""
    (ax, ay), (bx, by) = opening.start, opening.end
    if ax == bx:
        return 0, ax, min(ay, by), max(ay, by)
    return 1, ay, min(ax, bx), max(ax, bx)


def flat(box: Box) -> Rect:
    """Return the footprint of a box on the plan."""
    return box.low[0], box.low[1], box.high[0], box.high[1]


def grown_by(rect: tuple[N, N, N, N], by: N) -> tuple[N, N, N, N]:
    """Return a rectangle grown on all sides."""
    return rect[0] - by, rect[1] - by, rect[2] + by, rect[3] + by
