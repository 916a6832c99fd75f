"""Doors, drawers and lids of furniture, as boxes with a hinge or a slide.

The catalogue has the spaces of a piece but not its fronts. A space is closed by the part of the box
in front of it, or above it if the piece has a lid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Box, Furniture, Receptacle, Vector

WIDE = 0.6
"""Maximum width in metres of one door; a wider opening has a pair."""
_SWING = 100.0
_THICK = 0.02
_BOARD = 0.008
"""Thickness of the bottom, sides and back of a drawer, metres."""
_GAP = 0.003
_DEEP = 0.2
"""Distance in metres from a space to the front beyond which no door closes it."""
_LIDS = frozenset({"toy_chest", "trash_bin", "recycling_bin", "grill"})
"""Categories that open at the top."""
_FLAPS = frozenset({"stove", "dishwasher"})
"""Categories whose door is hinged at its lower edge."""


@dataclass(frozen=True, slots=True)
class MovingPart:
    """A door, drawer or lid, in the frame of its piece, where it is when shut.

    Attributes:
        name: Unique in its piece: ``door_0``, ``lid_0``; of a drawer, the name of its receptacle.
        boxes: Its solid parts.
        space: The part of the piece's box that it takes, with its contents.
        anchor: A point on the axis of its hinge.
        axis: Direction of the slide, or axis of the hinge.
        reach: Degrees of a hinge, or metres of a slide, from shut to open.
    """

    name: str
    boxes: tuple[Box, ...]
    space: Box
    anchor: Vector
    axis: Vector
    reach: float

    @property
    def slides(self) -> bool:
        """True for a drawer."""
        return self.name.startswith("drawer")


def moving_parts(piece: Furniture) -> list[MovingPart]:
    """Return the doors, drawers and lids of a piece that can be opened."""
    kind = catalogue().furniture.get(piece.category)
    if kind is None or "openable" not in kind.affords:
        return []
    w, d, h = piece.size
    closed = [space for space in piece.receptacles if space.kind == "within"]
    drawers = [space for space in closed if space.name.startswith("drawer")]
    others = [space for space in closed if space not in drawers]
    parts = [_drawer(space, d / 2) for space in drawers]
    if not others:
        return parts
    x0, _, z0 = (min(space.low[i] for space in others) for i in range(3))
    x1, y1, z1 = (max(space.high[i] for space in others) for i in range(3))
    if piece.category in _LIDS:
        lid = Box((-w / 2, -d / 2, z1), (w / 2, d / 2, h))
        parts.append(MovingPart("lid_0", (lid,), lid, (0.0, -d / 2, h), (1.0, 0.0, 0.0), 90.0))
    elif d / 2 - y1 <= _DEEP:
        parts += _doors(piece, (x0, y1, z0), (x1, d / 2, z1))
    return parts


def _doors(piece: Furniture, low: Vector, high: Vector) -> Iterator[MovingPart]:
    """Yield the doors of a piece, which fill the front part of a box; hinges are at the front."""
    front = high[1]
    back = max(low[1], front - _THICK)

    def part(number: int, x0: float, x1: float, anchor: Vector, axis: Vector) -> MovingPart:
        leaf = Box((x0 + _GAP, back, low[2] + _GAP), (x1 - _GAP, front, high[2] - _GAP))
        space = Box((x0, low[1], low[2]), (x1, front, high[2]))
        return MovingPart(f"door_{number}", (leaf,), space, anchor, axis, _SWING)

    left, right = high[0], low[0]  # seen from the front
    if piece.category in _FLAPS:
        yield part(0, right, left, (0.0, front, low[2]), (-1.0, 0.0, 0.0))
    elif left - right <= WIDE:
        yield part(0, right, left, (left, front, low[2]), (0.0, 0.0, -1.0))
    else:
        middle = (left + right) / 2
        yield part(0, right, middle, (right, front, low[2]), (0.0, 0.0, 1.0))
        yield part(1, middle, left, (left, front, low[2]), (0.0, 0.0, -1.0))


def _drawer(space: Receptacle, front: float) -> MovingPart:
    (x0, y0, z0), (x1, y1, z1) = space.low, space.high
    side, edge = _BOARD, z0 + (z1 - z0) * 0.6
    boxes = (
        Box((x0, y1, z0), (x1, front, z1)),
        Box((x0, y0, z0 - side), (x1, y1, z0)),
        Box((x0 - side, y0, z0), (x0, y1, edge)),
        Box((x1, y0, z0), (x1 + side, y1, edge)),
        Box((x0, y0 - side, z0), (x1, y0, edge)),
    )
    whole = Box((x0 - side, y0 - side, z0 - side), (x1 + side, front, z1))
    reach = round((y1 - y0) * 0.8, 3)
    return MovingPart(space.name, boxes, whole, space.low, (0.0, 1.0, 0.0), reach)
