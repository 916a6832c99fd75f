"""The rooms of objects, and the objects in the open in each room, kept up to date with a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homebody.core.ground.sharing import copy_flat
from homebody.worlds.house.model.house import House, Pose, Vector, box_at
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import bearer
from homebody.worlds.house.simulation.relations import is_shut_in, room_of
from homebody.worlds.house.simulation.walking.walls import evict_old, first_memory, memory, room_at


def room_now(state: HouseState, name: str) -> str:
    """Return the room of an object, piece, agent or person like :func:`room_of`, cached."""
    if name in state.poses:
        return _places(state).room[name]
    if name in state.bodies:
        return _places(state).agent_room(state, name)
    return room_of(state, name)


def room_from(state: HouseState, agent: str, pose: Pose) -> str:
    """Return the room of an agent if it stood at a pose; cached with the house."""
    known: dict[tuple[Vector, float, Vector], str]
    known = memory(state.house).setdefault("stood", {})
    stands = pose.position, pose.yaw, state.bodies[agent].size
    room = known.get(stands)
    if room is None:
        evict_old(known)
        middle = box_at(pose, stands[2]).centre[:2]
        room = known[stands] = room_at(state.house, middle)
    return room


def in_the_open(state: HouseState, room: str) -> set[str]:
    """Return the furniture, people, doors, agents and objects in a room that are not in closed
    containers."""
    places = _places(state)
    here = [agent for agent in state.bodies if places.agent_room(state, agent) == room]
    return {*places.lying_open(state.house, room), *here}


def lying_open(state: HouseState, room: str) -> frozenset[str]:
    """Return the same names without agents. They are cached until they change."""
    return _places(state).lying_open(state.house, room)


@copy_flat("_seen", "agents", "room", nested=("open",))
class _Places:
    """The places of all objects.

    Attributes:
        room: The room of each object.
        open: Objects in each room that are not in closed containers.
        agents: The pose of each agent at the last query, with its room.
    """

    __slots__ = ("_seen", "agents", "open", "room", "version")

    def __init__(
        self, room: Mapping[str, str], lying_open: Mapping[str, Mapping[str, None]]
    ) -> None:
        self.room = dict(room)
        self.open = {name: dict(names) for name, names in lying_open.items()}
        self.agents: dict[str, tuple[Pose, str]] = {}
        self.version = 0
        self._seen: dict[str, frozenset[str]] = {}

    def lying_open(self, house: House, room: str) -> frozenset[str]:
        """Return everything in the open in a room except agents. It is cached until it changes."""
        seen = self._seen.get(room)
        if seen is None:
            names = *_fixed_contents(house).get(room, ()), *self.open.get(room, ())
            seen = self._seen[room] = frozenset(names)
        return seen

    def place(self, state: HouseState, name: str) -> None:
        """Record the current place of an object."""
        if name in self.room:
            self.open.get(self.room[name], {}).pop(name, None)
            self._seen.pop(self.room[name], None)
        at = bearer(state, name)
        room = self.agent_room(state, at) if at in state.bodies else room_of(state, at)
        self.room[name] = room
        self._seen.pop(room, None)
        if not is_shut_in(state, name):
            self.open.setdefault(room, {})[name] = None

    def follow(self, state: HouseState) -> None:
        """Apply the changes of the state."""
        names = state.journal.since(self.version)
        self.version = state.journal.version
        for name in names:
            if name in state.poses:
                self.place(state, name)
            whole = state.house.piece.get(name) or state.house.thing.get(name)
            for receptacle in whole.receptacles if whole is not None else ():
                # its door may have opened or shut; moved contents are listed themselves
                for inner in state.objects_at((name, receptacle.name)):
                    names.append(inner)

    def agent_room(self, state: HouseState, agent: str) -> str:
        """Return the room of an agent."""
        body = state.bodies[agent]
        last = self.agents.get(agent)
        if last is not None and last[0] is body.pose:
            return last[1]
        room = room_from(state, agent, body.pose)
        self.agents[agent] = body.pose, room
        return room


def _places(state: HouseState) -> _Places:
    places: _Places | None = state.memory.get("places")
    if places is None:
        places = state.memory["places"] = _first_places(state)
    elif places.version != state.journal.version:
        places.follow(state)
    return places


def _first_places(state: HouseState) -> _Places:
    known = first_memory(state.house).get("places") if state.is_first else None
    if known is None:
        known = _Places({}, {})
        known.version = state.journal.version
        for name in state.poses:
            known.place(state, name)
        if not state.is_first:
            return known
        first_memory(state.house)["places"] = known
    return _Places(known.room, known.open)


def _fixed_contents(house: House) -> Mapping[str, Sequence[str]]:
    """Return the furniture, people and doors of each room."""
    fixed: dict[str, list[str]] | None = memory(house).get("fixed")
    if fixed is None:
        fixed = memory(house)["fixed"] = {}
        stand = [(piece.room, piece.name) for piece in house.furniture]
        stand += [(person.room, person.name) for person in house.people]
        stand += [(room, name) for name, door in house.door.items() for room in door.rooms]
        for room, name in stand:
            fixed.setdefault(room, []).append(name)
    return fixed
