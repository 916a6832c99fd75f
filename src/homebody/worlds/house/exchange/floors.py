"""Converts the polygons of imported floor plans to rectilinear rooms with walls between them.

Rectilinear polygons are kept. Other polygons are covered with square cells. Their edges become
steps. Lengths are metres, in the frame of houses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import Point

WALL = 0.02
"""Thickness in metres of the walls of imported houses. The files have walls without thickness, and
furniture touches them.
"""
MAX_CORNERS = 64
"""Maximum corners of an outline (:class:`homebody.worlds.house.model.house.Room`)."""
MIN_AREA = 0.1
"""Minimum square metres of a floor."""
_MAX_RING = 5_000
"""Maximum number of cells along the edge of a patch. If there would be more, cells are larger."""
MAX_POINTS = 2_000
"""Maximum points of a polygon in a file."""
_CELLS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Widths of cells to try."""
_MAX_CELLS = 60_000


def outline_of(polygon: Sequence[Point]) -> tuple[Point, ...]:
    """Return the outline of a room, counter-clockwise, half a wall inside a polygon.

    Raises HomebodyError if there is no area, or too many corners even in steps of 1.6 m.
    """
    if not 3 <= len(polygon) <= MAX_POINTS:
        raise HomebodyError(f"a floor has {len(polygon)} corners")
    corners = [(round(x, 3), round(y, 3)) for x, y in polygon]
    if abs(_area(corners)) < MIN_AREA:
        raise HomebodyError("a floor has no area")
    outline = _straighten(corners)
    if not _is_rectilinear(outline) or len(outline) > MAX_CORNERS:
        outline = _to_steps(corners)
    if _area(outline) < 0:
        outline.reverse()
    return tuple(_shrink(outline, WALL / 2))


def _straighten(corners: Sequence[Point]) -> list[Point]:
    """Return corners without duplicates and without corners in the middle of an edge."""
    kept: list[Point] = []
    for corner in corners:
        if not kept or corner != kept[-1]:
            kept.append(corner)
    while len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return [
        corner
        for i, corner in enumerate(kept)
        if not _in_line(kept[i - 1], corner, kept[(i + 1) % len(kept)])
    ]


def _in_line(a: Point, b: Point, c: Point) -> bool:
    return (a[0] == b[0] == c[0]) or (a[1] == b[1] == c[1])


def _is_rectilinear(outline: Sequence[Point]) -> bool:
    pairs = zip(outline, (*outline[1:], *outline[:1]), strict=True)
    return len(outline) >= 4 and all((a[0] == b[0]) != (a[1] == b[1]) for a, b in pairs)


def _area(outline: Sequence[Point]) -> float:
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def _to_steps(corners: Sequence[Point]) -> list[Point]:
    """Return a rectilinear approximation of a polygon: the outline of its largest patch of
    cells."""
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    for width in _CELLS:
        columns = math.ceil((max(xs) - min(xs)) / width)
        rows = math.ceil((max(ys) - min(ys)) / width)
        if not 0 < columns * rows <= _MAX_CELLS:
            continue
        low = min(xs), min(ys)
        inside = _inside(
            corners,
            low[0] + (np.arange(columns) + 0.5) * width,
            low[1] + (np.arange(rows) + 0.5) * width,
        )
        ring = _ring(_largest(inside))
        if len(ring) > _MAX_RING:
            continue
        outline = _straighten(
            [(round(low[0] + i * width, 3), round(low[1] + j * width, 3)) for i, j in ring]
        )
        if 4 <= len(outline) <= MAX_CORNERS:
            return outline
    raise HomebodyError("the outline of a floor is too detailed")


def _inside(corners: Sequence[Point], xs: NDArray[Any], ys: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which points of a grid (x, y) are in a polygon."""
    inside = np.zeros((len(xs), len(ys)), bool)
    for (a, b), (c, d) in zip(corners, (*corners[1:], corners[0]), strict=True):
        rows = np.flatnonzero((b > ys) != (d > ys))
        if len(rows):
            crossed = a + (ys[rows] - b) * (c - a) / (d - b)
            inside[:, rows] ^= xs[:, None] < crossed
    return inside


def _largest(inside: NDArray[np.bool_]) -> set[tuple[int, int]]:
    """Return the cells of the largest connected patch, with its holes filled."""
    left = {(int(i), int(j)) for i, j in np.argwhere(inside)}
    best = set[tuple[int, int]]()
    while len(left) > len(best):
        best = max(best, _flood(left.pop(), left), key=len)
    if not best:
        return best
    columns, rows = inside.shape
    around = {(i, j) for i in range(-1, columns + 1) for j in range(-1, rows + 1)}
    outside = around - best - {(-1, -1)}
    return around - _flood((-1, -1), outside)


def _flood(start: tuple[int, int], left: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the cells connected with a given cell, and remove them from ``left``."""
    patch, edge = {start}, [start]
    while edge:
        i, j = edge.pop()
        for cell in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if cell in left:
                left.remove(cell)
                patch.add(cell)
                edge.append(cell)
    return patch


def _ring(cells: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the corners around a patch without holes, counter-clockwise."""
    onward: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, j in cells:
        for (di, dj), start, end in (
            ((0, -1), (i, j), (i + 1, j)),
            ((1, 0), (i + 1, j), (i + 1, j + 1)),
            ((0, 1), (i + 1, j + 1), (i, j + 1)),
            ((-1, 0), (i, j + 1), (i, j)),
        ):
            if (i + di, j + dj) not in cells:
                onward.setdefault(start, []).append(end)
    if not onward:
        return []
    ring = [min(onward)]
    way = (1, 0)
    while True:
        here = ring[-1]
        # where patches touch at a corner, turning left stays in the patch
        options = onward[here]
        left = (-way[1], way[0])
        step = (here[0] + left[0], here[1] + left[1])
        ahead = step if step in options else options[0]
        options.remove(ahead)
        way = (ahead[0] - here[0], ahead[1] - here[1])
        if ahead == ring[0]:
            return ring
        ring.append(ahead)


def _shrink(outline: Sequence[Point], by: float) -> list[Point]:
    """Return a counter-clockwise outline with each wall moved inwards."""
    moved = []
    for i, corner in enumerate(outline):
        before, after = outline[i - 1], outline[(i + 1) % len(outline)]
        x, y = corner
        for a, b in ((before, corner), (corner, after)):
            # the room is on the left of its edges
            if a[0] == b[0]:
                x = corner[0] - by if b[1] > a[1] else corner[0] + by
            else:
                y = corner[1] + by if b[0] > a[0] else corner[1] - by
        moved.append((round(x, 3), round(y, 3)))
    return moved
