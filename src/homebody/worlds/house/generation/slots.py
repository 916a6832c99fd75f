"""Receptacles and floors during the placement of objects, with the seats around them. Lengths are
whole millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from homebody.worlds.house.generation.geometry import Rect, turn_corner
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Furniture, Pose, Receptacle, Room
from homebody.worlds.house.model.kinds import MAX_THINGS


class Seat(NamedTuple):
    """A seat at a table: the middle of the table's edge in front of it, and its direction."""

    x: int
    y: int
    yaw: int


@dataclass(slots=True)
class Slot:
    """A receptacle or a floor during the placement of objects.

    Attributes:
        owner: Furniture, object or floor.
        category: Category of the owner, or ``floor``.
        receptacle: Name of the receptacle, "" for floors.
        room: Number of the room.
        rect: Free surface, in the frame of the owner.
        floor: Height of the surface above the owner's bottom.
        height: Free height.
        pose: Pose of the owner.
        taken: Rectangles of its objects.
        work: Rectangles that stay free as space to work.
        seats: Seats around it.
        seat: True if people sit or lie on it.
        locked: True if it is behind a locked door or in a locked drawer.
        holds: Only these categories are placed by default; all if empty.
        likely: State -> probability for objects in it. It replaces the probability of their
            category.
        most: Maximum number of objects placed by default.
        one_each: True if at most one object of each category is placed by default.
        kinds: Categories of its objects.
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
        """The number of objects that may still be placed by default."""
        return max(0, self.most - len(self.taken))

    def can_take(self, category: str) -> bool:
        """Return whether an object of a category may be placed by default."""
        return not self.holds or category in self.holds

    def can_take_more(self, category: str) -> bool:
        """Return whether one more object may be placed by default."""
        return self.places_left > 0 and not (self.one_each and category in self.kinds)


def slot_of(owner: str, category: str, receptacle: Receptacle, room: int, pose: Pose) -> Slot:
    """Return the slot for a receptacle of furniture or of an object at a pose, in a room given by
    number."""
    x0, y0, z0 = (round(value * 1000) for value in receptacle.low)
    x1, y1, z1 = (round(value * 1000) for value in receptacle.high)
    return Slot(owner, category, receptacle.name, room, (x0, y0, x1, y1), z0, z1 - z0, pose)


def seats_in(
    catalogue: Catalogue, rooms: Sequence[Room], furniture: Sequence[Furniture]
) -> Mapping[str, list[Furniture]]:
    """Return room -> its chairs and stools."""
    seats: dict[str, list[Furniture]] = {room.name: [] for room in rooms}
    for piece in furniture:
        affords = catalogue.furniture[piece.category].affords
        if "sittable" in affords and "lieable" not in affords and max(piece.size[:2]) < 0.7:
            seats[piece.room].append(piece)
    return seats


def seats_at(piece: Furniture, chairs: Sequence[Furniture], rect: Rect) -> tuple[Seat, ...]:
    """Return the seats whose fronts are at a surface of a piece of furniture."""
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
