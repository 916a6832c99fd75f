"""Directions and positions on the floor plan.

Units are metres and degrees counter-clockwise, in the frame of the house. Functions return None if
people could disagree about the answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from homebody.worlds.house.model.house import Box, Point
from homebody.worlds.house.model.outlines import crossed_part, flat, grown_by


def centre_on_plan(box: Box) -> Point:
    """Return the middle of a box on the plan."""
    return box.centre[0], box.centre[1]


def distance_between(one: Point, other: Point) -> float:
    """Return the distance in metres between two points."""
    return math.hypot(other[0] - one[0], other[1] - one[1])


def yaw_to(one: Point, other: Point) -> float:
    """Return the direction of a point from another; 0 is north (+y), 90 west."""
    return math.degrees(math.atan2(one[0] - other[0], other[1] - one[1]))


def turn_between(yaw: float, other: float) -> float:
    """Return the angle from one direction to another, in [-180, 180); to the left is positive."""
    return (other - yaw + 180.0) % 360.0 - 180.0


def crossing(start: Point, end: Point, box: Box, margin: float = 0.0) -> tuple[float, float] | None:
    """Return the part of a line inside a box that is enlarged by ``margin`` metres on all sides.

    The result is the entry and the exit as shares of the line's length, in [0, 1]. It is None if
    the line misses the box."""
    rect = grown_by(flat(box), margin)
    part = crossed_part(start, end, rect) if rect[0] <= rect[2] and rect[1] <= rect[3] else None
    return part if part is not None and part[0] < part[1] else None


def ahead(here: Point, yaw: float, boxes: Mapping[str, Box], far: float) -> str | None:
    """Return the first box straight ahead within ``far`` metres. The result is None if the line
    hits no box, or only touches one at its edge."""
    angle = math.radians(yaw)
    end = here[0] - far * math.sin(angle), here[1] + far * math.cos(angle)
    met = {}
    for name, box in boxes.items():
        over = crossing(here, end, box, 0.1)
        if over:
            met[name] = over[0], crossing(here, end, box, -0.1) is not None
    if not met:
        return None
    first = min(met, key=lambda name: met[name][0])
    rest = [share for name, (share, _) in met.items() if name != first]
    clear = not rest or min(rest) - met[first][0] > 0.4 / far
    return first if met[first][1] and clear else None


def left_of(own: Box, yaw: float, others: Mapping[str, Box], reach: float = 1.0) -> str | None:
    """Return the piece to the left of another for a person who faces its front (``yaw``, a multiple
    of 90); None if there is no piece within ``reach`` metres, or if several are possible
    answers."""
    angle = math.radians(yaw)
    # the left of a person who faces the front is the piece's own right
    axis, sign = (0, math.cos(angle)) if abs(math.cos(angle)) > 0.5 else (1, math.sin(angle))
    across = 1 - axis
    gaps = {}
    for name, box in others.items():
        gap = box.low[axis] - own.high[axis] if sign > 0 else own.low[axis] - box.high[axis]
        shared = min(own.high[across], box.high[across]) - max(own.low[across], box.low[across])
        if gap > -0.1 and shared > -0.1:
            gaps[name] = gap, shared
    near = sorted((gap, name) for name, (gap, _) in gaps.items() if gap <= reach + 0.3)
    if not near or near[0][0] > reach or (len(near) > 1 and near[1][0] - near[0][0] < 0.3):
        return None
    name = near[0][1]
    least = min(own.size[across], others[name].size[across])
    return name if gaps[name][1] > least / 2 else None


def only_in(
    here: Point, yaw: float, low: float, high: float, boxes: Mapping[str, Box], far: float
) -> str | None:
    """Return the nearest box within ``far`` metres whose middle is ``low`` to ``high`` degrees to
    the left of a view; None if another box is about as near, or if the box is at the edge of the
    sector."""
    found = []
    for name, box in boxes.items():
        metres = distance_between(here, centre_on_plan(box))
        if (
            low - 15 <= turn_between(yaw, yaw_to(here, centre_on_plan(box))) <= high + 15
            and metres < far + 0.7
        ):
            found.append((metres, name))
    found.sort()
    if not found or found[0][0] > far or (len(found) > 1 and found[1][0] - found[0][0] < 0.7):
        return None
    angle = turn_between(yaw, yaw_to(here, centre_on_plan(boxes[found[0][1]])))
    return found[0][1] if low <= angle <= high else None
