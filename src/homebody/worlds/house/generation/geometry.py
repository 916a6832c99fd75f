"""Rectangles, corners and edges on the plan, in whole millimetres.

A rectangle is ``(x0, y0, x1, y1)``. Whole millimetres make plans the same on every platform.
"""

from __future__ import annotations

from typing import TypeAlias

from homebody.worlds.house.model.outlines import crossed_part

WALL = 120
"""Thickness of walls."""

Corner: TypeAlias = tuple[int, int]
Edge: TypeAlias = tuple[int, int, int, int, int]
"""axis (0: x is constant), coordinate, low end, high end, outward sign."""
Rect: TypeAlias = tuple[int, int, int, int]
"""x and y of the low corner, x and y of the high corner."""
Extent: TypeAlias = tuple[int, int, int]
"""Width, depth and height before turning."""


def overlap(a: Rect, b: Rect) -> bool:
    """Return whether two rectangles share area."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def crosses(start: Corner, end: Corner, rect: Rect) -> bool:
    """Return whether a straight line between two points touches a rectangle."""
    part = crossed_part(start, end, rect)
    return part is not None and part[0] <= part[1]


def rect_at(centre: tuple[int, int], size: Extent, yaw: int) -> Rect:
    """Return the rectangle that a piece covers; sizes are even, so that halves are whole."""
    width, depth = (size[0], size[1]) if yaw % 180 == 0 else (size[1], size[0])
    x, y = centre
    return x - width // 2, y - depth // 2, x - width // 2 + width, y - depth // 2 + depth


def middle_of(rect: Rect) -> tuple[int, int]:
    """Return the middle of a rectangle."""
    return (rect[0] + rect[2]) // 2, (rect[1] + rect[3]) // 2


def floor_before(rect: Rect, yaw: int, near: int, far: int) -> Rect:
    """Return the floor from ``near`` to ``far`` in front of a piece."""
    x0, y0, x1, y1 = rect
    return {
        0: (x0, y1 + near, x1, y1 + far),
        90: (x0 - far, y0, x0 - near, y1),
        180: (x0, y0 - far, x1, y0 - near),
        270: (x1 + near, y0, x1 + far, y1),
    }[yaw % 360]


def turn_corner(x: int, y: int, yaw: int) -> tuple[int, int]:
    """Return a point turned by a multiple of 90 degrees."""
    for _ in range(yaw // 90 % 4):
        x, y = -y, x
    return x, y


def to_centimetres(value: float) -> int:
    """Round to whole centimetres, in millimetres."""
    return round(value / 10) * 10
