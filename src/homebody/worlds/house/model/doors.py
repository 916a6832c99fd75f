"""Where the leaves of doors are.

A shut leaf fills its opening, flush with the wall of the room that it swings into. An open one
stands at 90 degrees in that room, at its hinge. Between the two it sweeps its *swing*.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Box, House, Opening

LEAF = 0.04
"""Thickness of a leaf, metres."""


def shut_leaf(house: House, door: Opening) -> Box:
    """The box of a door's leaf when it is shut."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    return _box(door, axis, (low, high), sorted((face, face - sign * LEAF)))


def open_leaf(house: House, door: Opening) -> Box:
    """The box of a door's leaf when it is open."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    along = (low, low + LEAF) if hinge_at(door) == low else (high - LEAF, high)
    return _box(door, axis, along, sorted((face, face + sign * (high - low))))


def swing(house: House, door: Opening) -> Box:
    """What a door's leaf sweeps as it opens or shuts: the square around it, opening included."""
    axis, face, sign = _face(house, door)
    low, high = _span(door)
    return _box(door, axis, (low, high), sorted((face - sign * LEAF, face + sign * (high - low))))


def hinge_of(house: House, door: Opening) -> tuple[float, float]:
    """Where on the plan a door's leaf turns."""
    axis, face, _ = _face(house, door)
    return (face, hinge_at(door)) if axis == 0 else (hinge_at(door), face)


def hinge_at(door: Opening) -> float:
    """The coordinate of a door's hinge along its wall."""
    return (door.start if door.hinge == "start" else door.end)[1 - _axis(door)]


def _box(door: Opening, axis: int, along: tuple[float, float], across: list[float]) -> Box:
    """A box given along the wall and across it."""
    (a, b), (c, d) = along, across
    if axis == 0:
        return Box((c, a, door.bottom), (d, b, door.top))
    return Box((a, c, door.bottom), (b, d, door.top))


def _axis(door: Opening) -> int:
    """0 if its wall is where x is constant, 1 if y is."""
    return 0 if door.start[0] == door.end[0] else 1


def _span(door: Opening) -> tuple[float, float]:
    """Its low and its high end along its wall."""
    along = 1 - _axis(door)
    ends = door.start[along], door.end[along]
    return min(ends), max(ends)


def _face(house: House, door: Opening) -> tuple[int, float, int]:
    """Its axis, the coordinate of the wall's face that its leaf is flush with, and the way from
    there into the room it swings into."""
    axis = _axis(door)
    at = door.start[axis]
    (low, high), outline = _span(door), house.room[door.swings_into].outline
    for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
        ends = sorted((start[1 - axis], end[1 - axis]))
        beside = abs(start[axis] - end[axis]) < 1e-9 and ends[0] - 0.01 <= low
        if beside and high <= ends[1] + 0.01 and abs(start[axis] - at) <= house.wall:
            sign = 1 if start[axis] > at else -1
            break
    else:  # a room that is not beside it: files may say so
        middle = sum(corner[axis] for corner in outline) / len(outline)
        sign = 1 if middle > at else -1
    return axis, at + sign * house.wall / 2, sign
