"""Slots: receptacles and floors while they are being filled, and the seats at them.

Lengths in here are whole millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from homebody.worlds.house.generation.geometry import Rect, turn_corner
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Furniture, Pose, Receptacle, Room

MAX_THINGS = 450
"""Objects that are placed unasked in a house that is lived in: environments have slots for so
many."""


class Seat(NamedTuple):
    """Somebody's seat at a table: where its edge is before them, and where they look."""

    x: int
    y: int
    yaw: int


@dataclass(slots=True)
class Slot:
    """A receptacle or a floor while it is being filled.

    Attributes:
        owner: Furniture, object or floor.
        category: Of the owner, or ``floor``.
        receptacle: Its name, "" for floors.
        room: Number of the room.
        rect: The free surface, in the frame of the owner.
        floor: Height of the surface above the owner's bottom.
        height: Free height.
        pose: Of the owner.
        taken: Rectangles of what is there.
        work: What stays free to work on.
        seats: Who sits at it.
        seat: Whether one sits or lies on it.
        locked: Whether it is behind a door or in a drawer that is locked.
        holds: The only categories that are there unasked; all, if there are none.
        likely: State -> chance that what is there is in it, instead of its category's.
        most: How many objects lie there unasked.
        one_each: Whether at most one of a category does.
        kinds: Categories of what is there.
    """

    owner: str
    category: str
    receptacle: str
    room: int
    rect: Rect
    floor: int
    height: int
    pose: Pose
    taken: list[Rect] = field(default_factory=list)
    work: list[Rect] = field(default_factory=list)
    seats: tuple[Seat, ...] = ()
    seat: bool = False
    locked: bool = False
    holds: frozenset[str] = frozenset()
    likely: Mapping[str, float] = field(default_factory=dict)
    most: int = MAX_THINGS
    one_each: bool = False
    kinds: set[str] = field(default_factory=set)

    @property
    def places_left(self) -> int:
        """How many more objects may be here unasked."""
        return max(0, self.most - len(self.taken))

    def can_take(self, category: str) -> bool:
        """Whether such an object may be here unasked."""
        return not self.holds or category in self.holds

    def can_take_more(self, category: str) -> bool:
        """Whether one more may."""
        return self.places_left > 0 and not (self.one_each and category in self.kinds)


def slot_of(owner: str, category: str, receptacle: Receptacle, room: int, pose: Pose) -> Slot:
    """The slot of a receptacle of a piece or object that stands at a pose in a room, by number."""
    x0, y0, z0 = (round(value * 1000) for value in receptacle.low)
    x1, y1, z1 = (round(value * 1000) for value in receptacle.high)
    return Slot(owner, category, receptacle.name, room, (x0, y0, x1, y1), z0, z1 - z0, pose)


def seats_in(
    catalogue: Catalogue, rooms: Sequence[Room], furniture: Sequence[Furniture]
) -> Mapping[str, list[Furniture]]:
    """Room -> its chairs and stools."""
    seats: dict[str, list[Furniture]] = {room.name: [] for room in rooms}
    for piece in furniture:
        affords = catalogue.furniture[piece.category].affords
        if "sittable" in affords and "lieable" not in affords and max(piece.size[:2]) < 0.7:
            seats[piece.room].append(piece)
    return seats


def seats_at(piece: Furniture, chairs: Sequence[Furniture], rect: Rect) -> tuple[Seat, ...]:
    """The seats whose fronts are at a surface of a piece."""
    seats = []
    turn = round(piece.pose.yaw)
    x0, y0, x1, y1 = rect
    for chair in chairs:
        yaw = (round(chair.pose.yaw) - turn) % 360
        dx, dy = (
            round(1000 * (a - b))
            for a, b in zip(chair.pose.position[:2], piece.pose.position[:2], strict=True)
        )
        x, y = turn_corner(dx, dy, -turn)
        ahead = turn_corner(0, round(chair.size[1] * 500) + 100, yaw)
        at = x + ahead[0], y + ahead[1]
        if chair is not piece and x0 <= at[0] <= x1 and y0 <= at[1] <= y1:
            edge = {0: (x, y0), 90: (x1, y), 180: (x, y1), 270: (x0, y)}.get(yaw)
            if edge:
                seats.append(Seat(*edge, yaw))
    return tuple(seats)
