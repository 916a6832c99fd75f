"""The action space of an agent: valid calls and the names in them.

As in appendix A.8.2 of the PARTNR paper, a valid call names only what the agent knows; calls that
need an object are omitted while none is known. :func:`check` explains an invalid call to a model
whose output is unconstrained; :mod:`.grammars` writes the same as grammars."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Action, Observation
from homebody.suites.partnr.prompting.calls import (
    CALLS,
    MAX_QUERY,
    QUERY,
    TOOLS,
    CallError,
    usage,
)
from homebody.suites.partnr.settings import HUMAN, ROBOT
from homebody.worlds.house.play.possible import AHEAD, RELATIONS, uses_of
from homebody.worlds.house.simulation.knowledge import WorldGraph

STATES: Final[Mapping[str, str]] = {
    "open": "opened or closed",
    "clean": "cleaned",
    "filled": "filled",
    "powered_on": "switched on or off",
}
"""Name of a state -> participles for messages: ``clean`` -> "cleaned"."""


@dataclass(frozen=True, slots=True)
class ActionSpace:
    """The calls and names that an agent can use now.

    Attributes:
        role: The agent.
        calls: Names of the calls that it can make, in the order of :data:`CALLS`.
        rooms: All rooms; the layout is known from the start.
        floors: Their floors.
        furniture: Known furniture, by room.
        objects: Objects that it has seen (all, with full observability).
        holders: Relation -> furniture, floors and objects that accept objects in it.
        able: State -> furniture, doors and objects that can have this state.
        doors: Known doors, which can be walked to.
        ahead: Names in the middle of its picture, for low-level actions.
        listeners: The agents that it can talk to.
    """

    role: str
    calls: tuple[str, ...]
    rooms: tuple[str, ...]
    floors: tuple[str, ...]
    furniture: tuple[str, ...]
    objects: tuple[str, ...]
    holders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    able: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    doors: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    listeners: tuple[str, ...] = ()

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the valid names for a kind of argument.

        ``text`` has no list. For ``beside``, None is also valid."""
        match kind:
            case "target":
                return self.rooms + self.known_names()
            case "room":
                return self.rooms
            case "object":
                return self.objects
            case "beside":
                return self.furniture + self.objects
            case "holder":
                return tuple(dict.fromkeys(name for own in self.holders.values() for name in own))
            case "relation":
                return RELATIONS
            case "text":
                return ()
            case "agent":
                return self.listeners
            case str() if kind.startswith(AHEAD):
                wanted = self.names(kind.removeprefix(AHEAD))
                return tuple(name for name in self.ahead if name in wanted)
            case state:
                return self.able.get(state, ())

    def known_names(self) -> tuple[str, ...]:
        """Return all known names except rooms."""
        return self.floors + self.furniture + self.objects + self.doors

    def possible_calls(self) -> tuple[str, ...]:
        """Return the calls that have valid arguments. For example, without a known object there is
        no Pick."""
        return tuple(
            name
            for name in self.calls
            if all(kind == "text" or self.names(kind) for _, kind in CALLS[name])
        )


def action_space(
    observation: Observation, perception: bool = False, alone: bool = False
) -> ActionSpace:
    """Return the current action space of an agent.

    Args:
        perception: True if it has the perception tools.
        alone: True if there is no other agent whose actions it could query.
    """
    graph: WorldGraph = observation.knowledge
    house, gaze = graph.house, observation.gaze
    tools = set(TOOLS) - {"FindAgentActionTool"} if alone else TOOLS
    calls = {*(tool.name for tool in observation.tools), *(tools if perception else ())}
    objects = tuple(node.name for node in graph.of_kind("object"))
    doors = tuple(node.name for node in graph.of_kind("door"))
    room_of = {node.name: node.room for node in graph.of_kind("furniture")}
    furniture = tuple(
        name for room in house.room for name, its_room in room_of.items() if its_room == room
    )
    floors = tuple(room.floor_name for room in house.rooms)
    uses = {name: uses_of(house, graph[name]) for name in (*furniture, *objects, *doors)}
    known = {name: each for name, each in uses.items() if each is not None}
    bears = {**dict.fromkeys(floors, ("on",)), **{name: each.bears for name, each in known.items()}}
    return ActionSpace(
        observation.role,
        tuple(name for name in CALLS if name in calls),
        tuple(house.room),
        floors,
        furniture,
        objects,
        {
            relation: tuple(name for name, kinds in bears.items() if relation in kinds)
            for relation in RELATIONS
        },
        {
            state: tuple(name for name, each in known.items() if state in each.states)
            for state in STATES
        },
        doors,
        gaze.names if gaze is not None else (),
        tuple(role for role in (ROBOT, HUMAN) if role != observation.role and "Say" in calls),
    )


def check(action: Action, space: ActionSpace) -> Action:
    """Return an action if it is valid. Raises CallError that says what to write instead."""
    if action.name not in space.calls:
        if action.name in CALLS and action.name not in TOOLS:
            raise CallError(
                f"the {space.role} cannot do {action.name}; it can do {', '.join(space.calls)}"
            )
        raise CallError(f"there is no {action.name} here; use one of {', '.join(space.calls)}")
    given = list(action.args)
    if action.name in ("Place", "Rearrange"):
        given[3:] = [given[4]] if given[3:4] == ["next_to"] else []
    if action.name == "Say":
        given[1:] = [", ".join(given[1:])]
    for (_, kind), name in zip(CALLS[action.name], given, strict=False):
        if kind == "text":
            if re.fullmatch(QUERY, name) is None:
                what, to = ("message", f"{given[0]}, ") if action.name == "Say" else ("query", "")
                raise CallError(
                    f"a {what} has 1 to {MAX_QUERY} plain characters; write "
                    f"{action.name}[{to}a few words]"
                )
        elif name not in space.names(kind):
            raise CallError(_explain_unknown(action, kind, name, space))
        elif kind == "holder" and name not in space.holders.get(given[1], ()):
            other = "on" if given[1] == "within" else "within"
            raise CallError(f'nothing can be placed "{given[1]}" {name}; use "{other}"')
    return action


def _explain_unknown(action: Action, kind: str, name: str, space: ActionSpace) -> str:
    name = name[:60]
    if kind == "relation":
        return f'the relation of {action.name} must be "on" or "within", not "{name}"'
    if kind == "agent":
        return f"you can talk to {', '.join(space.listeners)}, not to {name}"
    if kind == "room":
        return f"there is no room {name}; the rooms are {', '.join(space.rooms)}"
    if kind == "holder" and name in space.rooms:
        floor = space.floors[space.rooms.index(name)]
        what = action.args[0]  # known at this point
        return f"{name} is a room; put {what} on its floor, {floor}, or on furniture there"
    if name in space.rooms:
        return f"{name} is a room; {action.name} is written {usage(action.name)}"
    known = name in space.known_names()
    if kind.startswith(AHEAD) and known:
        if name in space.ahead:
            return _explain_unknown(action, kind.removeprefix(AHEAD), name, space)
        there = ", ".join(space.ahead) or "nothing"
        return f"{name} is not in the middle of your picture; there is {there}"
    if kind == "holder" and known:
        return f"nothing can be placed on or in {name}; name a piece of furniture or a floor"
    if kind in STATES and known:
        return f"{name} cannot be {STATES[kind]}"
    if kind == "object" and known:
        return f"{name} stays where it is; {action.name} takes an object"
    if kind == "beside" and known:
        return f"objects cannot be placed next to {name}; name furniture or an object, or None"
    return (
        f"nothing named {name} is known so far; use exact names that you received, or explore "
        f"rooms to find more: Explore[name of a room]"
    )
