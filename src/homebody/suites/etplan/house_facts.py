"""The facts of a house in the vocabulary of criteria.

The relations are VirtualHome's, computed from positions:

- CLOSE, of the robot: in the same room, with at most 1.5 m between the boxes; an object in a
  closed container is not close;
- CLOSE, of two objects: one is a *landmark*, furniture on the floor that is not small. The other is
  of another class and at most 1.5 m away in the same room. It is not held, not in something that
  can be shut, and not on or in the landmark;
- ON: put down on it;
- INSIDE: in that room, or put into it, directly or in something else;
- FACING: a seat turned towards a landmark or a TV in its room, within 30 degrees and 5 m, with no
  wall between.

:meth:`HouseFacts.stated_relations` lists what observations state: what :meth:`HouseFacts.holds`
judges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.facts import LOW, SMALL
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import (
    gap,
    is_close,
    is_facing,
    is_shut_in,
    rests_on,
    room_of,
)

TOUCHING: Final = 0.05
"""Most metres between furniture and the furniture below that it stands on."""
SEATS: Final = frozenset(
    {"armchair", "chair", "loveseat", "office_chair", "recliner", "rocking_chair", "sofa"}
)
"""The classes that can face something."""
SCREEN: Final = "tv"
"""The class that can be faced although it is no landmark."""
TURNED: Final = 30.0
"""Degrees to either side within which a seat faces something."""


class HouseFacts:
    """The current state of a house; see :class:`.facts.Facts`.

    Args:
        state: The state, which a simulation may change.
    """

    def __init__(self, state: HouseState) -> None:
        self._state = state
        self._house = state.house

    @property
    def classes(self) -> frozenset[str]:
        """The classes of all rooms, furniture and objects."""
        house = self._house
        return frozenset(map(self.category, (*house.room, *house.piece, *house.thing)))

    def instances(self, category: str) -> Sequence[str]:
        """Return the instances of a class."""
        if category == ROBOT:
            return [ROBOT]
        return [
            *(room.name for room in self._house.rooms if room.kind == category),
            *(piece.name for piece in self._house.furniture if piece.category == category),
            *(thing.name for thing in self._house.things if thing.category == category),
        ]

    def category(self, name: str) -> str:
        """Return the class of a room, piece or object. For any other name, return the name."""
        if name in self._house.room:
            return self._house.room[name].kind
        whole = self._house.piece.get(name) or self._house.thing.get(name)
        return name if whole is None else whole.category

    def room(self, name: str) -> str:
        """Return the room of an object, piece or agent. A room is its own room."""
        return name if name in self._house.room else room_of(self._state, name)

    def position(self, name: str) -> Vector:
        """Return the centre of a room or door on the floor, or the centre of any other box."""
        if name in self._house.door:
            (x, y), (u, v) = self._house.door[name].start, self._house.door[name].end
            return (x + u) / 2, (y + v) / 2, 0.0
        room = self._house.room.get(name) or self._house.floors.get(name)
        if room is None:
            return self._state.box(name).centre
        xs, ys = zip(*room.outline, strict=True)
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, 0.0

    def robot_position(self) -> Vector:
        """Return the robot's position."""
        return self._state.bodies[ROBOT].pose.position

    def around(self, name: str) -> list[str]:
        """Return the bearers of an object from the inside out, then the furniture of its room,
        nearest first."""
        if name not in self._house.piece and name not in self._house.thing:
            return []
        bearers, at = [], name
        while at in self._state.places:
            at = self._state.places[at][0]
            bearers.append(at)
        room, box = room_of(self._state, name), self._state.box(name)
        pieces = [piece for piece in self._house.furniture if piece.room == room]
        pieces.sort(key=lambda piece: (gap(box, piece.box), piece.name))
        return list(dict.fromkeys([*bearers, *(piece.name for piece in pieces)]))

    def is_closed(self, name: str) -> bool:
        """Return whether something can be opened and is closed."""
        return self._state.states.get(name, {}).get("open") is False

    def shut_around(self, name: str) -> list[str]:
        """Return the closed containers around an object, from the inside out."""
        found, at = [], name
        while at in self._state.places:
            inner, at = at, self._state.places[at][0]
            if self.is_closed(at) and self._is_in(inner, at):
                found.append(at)
        return found

    def is_portable(self, category: str) -> bool:
        """Return whether a class is one of the catalogue's objects."""
        return category in catalogue().things

    def can_bear(self, name: str, relation: str) -> bool:
        """Return whether anything can be put ``on`` or ``within`` an object."""
        return name not in self._house.room and bool(receptacles(self._state, name, relation))

    def holds(self, relation: str, first: str, second: str) -> bool:
        """Return whether a relation holds between two objects, rooms or agents."""
        rooms, state = self._house.room, self._state
        if relation == "INSIDE":
            if second in rooms:
                return first not in rooms and room_of(state, first) == second
            return self._is_in(first, second)
        if relation == "CLOSE" and (first in rooms or second in rooms):
            room, other = (first, second) if first in rooms else (second, first)
            return other not in rooms and room_of(state, other) == room
        if first in rooms or second in rooms:
            return False
        if relation == "CLOSE" and ROBOT in (first, second):
            shut = any(is_shut_in(state, one) for one in (first, second))
            return not shut and is_close(state, first, second)
        if relation == "CLOSE":
            return self._is_near(first, second) or self._is_near(second, first)
        if relation == "ON":
            borne = state.places.get(first, ("",))[0] == second
            return borne and not self._is_in(first, second)
        return relation == "FACING" and self._is_turned_to(first, second)

    def stated_relations(
        self, name: str, known: Collection[str] | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield the relations of an object that observations state, each with the other object: its
        holder, its room, the landmarks that it is close to, and what it faces.

        Args:
            name: An object or piece of furniture.
            known: The objects that the robot knows; None for all.
        """
        holder = self._state.places.get(name, ("",))[0]
        if holder in self._house.piece or holder in self._house.thing:
            yield ("INSIDE" if self._is_in(name, holder) else "ON"), holder
        room = self.room(name)
        if room:
            yield "INSIDE", room
        for relation, is_related in (("CLOSE", self._is_near), ("FACING", self._is_turned_to)):
            for other in self._stated_at.get(room, ()):
                if (known is None or other in known) and is_related(name, other):
                    yield relation, other

    @cached_property
    def _stated_at(self) -> Mapping[str, Sequence[str]]:
        """Room -> the furniture in it that objects can be near or face."""
        found: dict[str, list[str]] = {}
        for piece in self._house.furniture:
            if self.is_landmark(piece.name) or piece.category == SCREEN:
                found.setdefault(piece.room, []).append(piece.name)
        return found

    def is_landmark(self, name: str) -> bool:
        """Return whether a name is of furniture that stands on the floor and is neither small nor
        low."""
        piece = self._house.piece.get(name)
        if piece is None:
            return False
        width, depth, height = piece.size
        return piece.pose.position[2] < LOW <= height and width * depth >= SMALL

    def _is_near(self, name: str, landmark: str) -> bool:
        """Return whether people would call an object near a landmark, rather than on or in
        something."""
        state, house = self._state, self._house
        if self.category(name) == self.category(landmark) or not self.is_landmark(landmark):
            return False
        if not is_close(state, name, landmark) or rests_on(state, name, landmark):
            return False
        at = name
        while at in state.places:
            inner, at = at, state.places[at][0]
            can_be_shut = "open" in state.states.get(at, {})
            if state.can_hold(at) or (can_be_shut and self._is_in(inner, at)):
                return False
        if at not in house.piece or house.piece[at].pose.position[2] < LOW:
            return True
        above, below = house.piece[at].box, house.piece[landmark].box  # a microwave on a counter
        return gap(above, below) > 0.0 or above.low[2] > below.high[2] + TOUCHING

    def _is_turned_to(self, name: str, other: str) -> bool:
        """Return whether a seat faces a landmark or a TV of its room."""
        house = self._house
        if name not in house.piece or other not in house.piece or self.category(name) not in SEATS:
            return False
        is_faced = self.is_landmark(other) or self.category(other) == SCREEN
        same_room = house.piece[name].room == house.piece[other].room
        return is_faced and same_room and is_facing(self._state, name, other, TURNED)

    def _is_in(self, name: str, container: str) -> bool:
        """Return whether an object was put into another, directly or on or in its contents."""
        at = name
        while at in self._state.places:
            holder, place = self._state.places[at]
            if holder == container:
                spaces = receptacles(self._state, holder, "within")
                return any(space.name == place for space in spaces)
            at = holder
        return False
