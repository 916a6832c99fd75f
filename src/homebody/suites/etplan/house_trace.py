"""What is so in a house, as a goal of classes asks for it: the trace of a run.

The relations are VirtualHome's, worked out from where things are:

- CLOSE: in one room, and at most 1.5 m between the boxes. Close to the robot is, besides, only what
  it has just gone to, and what it has handled before: who walks past a thing, or stands before the
  drawer in which it lies, has not found it (appendix A.9: the target object has to be found);
- ON: put down on it;
- INSIDE: in that room, or put into it, by itself or in something else;
- FACING: in front of it, within 45 degrees and 5 m, with no wall between.
"""

from __future__ import annotations

from collections.abc import Iterator

from homebody.core import Fact, Object, State, Trace
from homebody.goals.etplan import ROBOT, Criterion
from homebody.worlds.house.model.house import House, Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.placing import receptacles
from homebody.worlds.house.simulation.relations import (
    gap,
    is_close,
    is_facing,
    room_of,
)
from homebody.worlds.house.simulation.simulation import Simulation


class HouseTrace:
    """The trace of a run, as far as a criterion is about it: a state at first and after each action
    that was carried out.

    Args:
        simulation: As the run begins.
        role: Who is the robot.
        criterion: Whose classes are looked at.

    Attributes:
        trace: The trace up to now.
        stops: Where the robot stood at first and after each walk: x, y and height in metres.
        walked_to: What each walk was to.
    """

    def __init__(self, simulation: Simulation, role: str, criterion: Criterion) -> None:
        house = simulation.state.house
        self._role = role
        self._pairs = [
            (condition.relation, first, second)
            for condition in criterion.conditions
            for first in instances(house, condition.first, role)
            for second in instances(house, condition.second, role)
            if first != second
        ]
        self._pairs = list(dict.fromkeys(self._pairs))
        objects = [
            Object(name, category)
            for category in dict.fromkeys(criterion.classes)
            for name in instances(house, category, role)
        ]
        self._followed = len(simulation.log)
        self.stops = [simulation.state.bodies[role].pose.position]
        self.walked_to: list[str] = []
        self._at = ""
        self._handled: set[str] = set()
        self.trace = Trace((State.from_facts(objects, self._facts(simulation)),))

    def follow(self, simulation: Simulation) -> Trace:
        """The trace up to now."""
        states, actions = list(self.trace.states), list(self.trace.actions)
        done = [event for event in simulation.log[self._followed :] if event.ok]
        self._followed = len(simulation.log)
        for action in (event.action for event in done):
            if action.name == "Navigate":
                self._at = action.args[0]
            else:
                self._handled.update(action.args)
        if done:  # one at a time: there is one robot
            before, facts = set(states[-1].facts()), set(self._facts(simulation))
            states.append(states[-1].change(before - facts, facts - before))
            actions.append(done[-1].action)
            if done[-1].action.name == "Navigate":
                self.stops.append(simulation.state.bodies[self._role].pose.position)
                self.walked_to.append(done[-1].action.args[0])
            self.trace = Trace(tuple(states), tuple(actions), tuple(range(len(actions))))
        return self.trace

    def _facts(self, simulation: Simulation) -> Iterator[Fact]:
        state = simulation.state
        found = self._handled | {self._at}
        for relation, first, second in self._pairs:
            if self._role in (first, second) and found.isdisjoint((first, second)):
                continue
            if holds(state, relation, first, second):
                yield relation, first, second


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
    first."""
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
