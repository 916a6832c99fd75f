"""What is so in a house, in the terms of criteria.

The relations are VirtualHome's, worked out from where things are:

- CLOSE: in one room, and at most 1.5 m between the boxes;
- ON: put down on it;
- INSIDE: in that room, or put into it, by itself or in something else;
- FACING: in front of it, within 45 degrees and 5 m, with no wall between.
"""

from __future__ import annotations

from collections.abc import Sequence

from homebody.goals.etplan import ROBOT
from homebody.worlds.house.model.house import House, Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import (
    gap,
    is_close,
    is_facing,
    room_of,
)


class HouseFacts:
    """How a simulation is now; see :class:`.trace.Facts`.

    Args:
        state: Of the simulation, which changes it.
        role: Who is the robot.
    """

    def __init__(self, state: HouseState, role: str) -> None:
        self._state = state
        self._role = role

    def instances(self, category: str) -> Sequence[str]:
        """What a class can stand for."""
        return instances(self._state.house, category, self._role)

    def holds(self, relation: str, first: str, second: str) -> bool:
        """Whether a relation holds."""
        return holds(self._state, relation, first, second)

    def standing(self) -> Vector:
        """Where the robot is."""
        return self._state.bodies[self._role].pose.position


def instances(house: House, category: str, role: str) -> list[str]:
    """What a class of a criterion can stand for: rooms of a kind, furniture or things of a
    category, the robot."""
    if category == ROBOT:
        return [role]
    return [
        *(room.name for room in house.rooms if room.kind == category),
        *(piece.name for piece in house.furniture if piece.category == category),
        *(thing.name for thing in house.things if thing.category == category),
    ]


def category(house: House, name: str) -> str:
    """What a room, piece or thing is: its class in criteria; the name itself of anything else."""
    if name in house.room:
        return house.room[name].kind
    whole = house.piece.get(name) or house.thing.get(name)
    return name if whole is None else whole.category


def around(state: HouseState, name: str) -> list[str]:
    """What is around a thing: what bears it, outwards, then furniture of its room, nearest
    first. Nothing is, if there is no such thing."""
    if name not in state.house.piece and name not in state.house.thing:
        return []
    bearers, at = [], name
    while at in state.places:
        at = state.places[at][0]
        bearers.append(at)
    room, box = room_of(state, name), state.box(name)
    pieces = [piece for piece in state.house.furniture if piece.room == room]
    pieces.sort(key=lambda piece: (gap(box, piece.box), piece.name))
    return list(dict.fromkeys([*bearers, *(piece.name for piece in pieces)]))


def middle(state: HouseState, name: str) -> Vector:
    """Of a room or door, on the floor, or of the box of anything else; metres."""
    house = state.house
    if name in house.door:
        (x, y), (u, v) = house.door[name].start, house.door[name].end
        return (x + u) / 2, (y + v) / 2, 0.0
    room = house.room.get(name) or house.floors.get(name)
    if room is None:
        return state.box(name).centre
    xs, ys = zip(*room.outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, 0.0


def holds(state: HouseState, relation: str, first: str, second: str) -> bool:
    """Whether one thing, room or agent is in a relation to another."""
    rooms = state.house.room
    if relation == "INSIDE":
        if second in rooms:
            return first not in rooms and room_of(state, first) == second
        return _is_in(state, first, second)
    if relation == "CLOSE" and (first in rooms or second in rooms):
        room, other = (first, second) if first in rooms else (second, first)
        return other not in rooms and room_of(state, other) == room
    if first in rooms or second in rooms:
        return False
    if relation == "CLOSE":
        return is_close(state, first, second)
    if relation == "ON":
        return state.places.get(first, ("",))[0] == second and not _is_in(state, first, second)
    return relation == "FACING" and is_facing(state, first, second)


def _is_in(state: HouseState, name: str, container: str) -> bool:
    """Whether a thing was put into another, by itself or on or in what was."""
    at = name
    while at in state.places:
        holder, place = state.places[at]
        if holder == container:
            spaces = receptacles(state, holder, "within")
            return any(space.name == place for space in spaces)
        at = holder
    return False
