"""The places of door leaves.

A shut leaf fills its opening, flush with the wall of the room into which it swings. An open leaf is
in that room, turned by 90 degrees about its hinge. The area between both positions is its *swing*.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Box, House, Opening

LEAF = 0.04
"""Thickness of a leaf in metres."""


def shut_leaf(house: House, door: Opening) -> Box:
    """Return the box of a door's shut leaf."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    return _box(door, axis, (low, high), sorted((face, face - sign * LEAF)))


def open_leaf(house: House, door: Opening) -> Box:
    """Return the box of a door's open leaf."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    along = (low, low + LEAF) if hinge_at(door) == low else (high - LEAF, high)
    return _box(door, axis, along, sorted((face, face + sign * (high - low))))


def swing(house: House, door: Opening) -> Box:
    """Return the box that a door's leaf sweeps, its opening included."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    return _box(door, axis, (low, high), sorted((face - sign * LEAF, face + sign * (high - low))))


def hinge_of(house: House, door: Opening) -> tuple[float, float]:
    """Return the position of a door's hinge on the plan."""
    axis, face, _ = _face(house, door)
    return (face, hinge_at(door)) if axis == 0 else (hinge_at(door), face)


def hinge_at(door: Opening) -> float:
    """Return the coordinate of a door's hinge along its wall."""
    return (door.start if door.hinge == "start" else door.end)[1 - _axis(door)]


def _box(door: Opening, axis: int, along: tuple[float, float], across: list[float]) -> Box:
    """Return a box from its extents along and across the wall."""
    (a, b), (c, d) = along, across
    if axis == 0:
        return Box((c, a, door.bottom), (d, b, door.top))
    return Box((a, c, door.bottom), (b, d, door.top))


def _axis(door: Opening) -> int:
    """Return 0 if x is constant along the door's wall, 1 if y is."""
    return 0 if door.start[0] == door.end[0] else 1


def _span(door: Opening) -> tuple[float, float]:
    """Return the low and the high end of a door along its wall."""
    along = 1 - _axis(door)
    ends = door.start[along], door.end[along]
    return min(ends), max(ends)


def _face(house: House, door: Opening) -> tuple[int, float, int]:
    """Locate the wall face with which a door's leaf is flush.

    Returns:
        The door's axis, the coordinate of the face, and the sign of the direction into the room.
    """
    axis = _axis(door)
    at = door.start[axis]
    (low, high), outline = _span(door), house.room[door.swings_into].outline
    for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
        ends = sorted((start[1 - axis], end[1 - axis]))
        beside = abs(start[axis] - end[axis]) < 1e-9 and ends[0] - 0.01 <= low
        if beside and high <= ends[1] + 0.01 and abs(start[axis] - at) <= house.wall:
            sign = 1 if start[axis] > at else -1
            break
    else:  # files may name a room that is not adjacent
        middle = sum(corner[axis] for corner in outline) / len(outline)
        sign = 1 if middle > at else -1
    return axis, at + sign * house.wall / 2, sign
