"""What an agent can say now: the calls that are valid, and the names that may stand in them.

As in appendix A.8.2 of the PARTNR paper, a valid call names only what the agent knows to exist;
calls that need an object are left out while none is known. :func:`check` tells a model whose output
nobody constrains what is wrong with its call; :mod:`.grammars` writes the same as grammars.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from homebody.core import Action
from homebody.suites.partnr.prompting.calls import (
    CALLS,
    MAX_QUERY,
    QUERY,
    RELATIONS,
    TOOLS,
    CallError,
    usage,
)
from homebody.worlds.house.simulation.simulation import Simulation


@dataclass(frozen=True, slots=True)
class ActionSpace:
    """What an agent can name in its calls now.

    Attributes:
        role: Whose calls.
        calls: Names of the calls that it can make, in the order of :data:`CALLS`.
        rooms: All rooms; the layout is known from the start.
        furniture: Floors and furniture, by room.
        objects: Those that it has seen (all, where everything is known).
        containers: Objects that others can be put on or in.
    """

    role: str
    calls: tuple[str, ...]
    rooms: tuple[str, ...]
    furniture: tuple[str, ...]
    objects: tuple[str, ...]
    containers: tuple[str, ...] = ()

    def names(self, kind: str) -> tuple[str, ...]:
        """What may stand for an argument of a kind; for ``text`` nothing is listed, for
        ``beside`` None may stand too."""
        return {
            "target": self.rooms + self.furniture + self.objects,
            "room": self.rooms,
            "object": self.objects,
            "thing": self.furniture + self.objects,
            "beside": self.furniture + self.objects,
            "holder": self.furniture + self.containers,
            "relation": RELATIONS,
            "text": (),
        }[kind]

    def possible(self) -> tuple[str, ...]:
        """The calls for which there is something to name: without a known object, no Pick."""
        return tuple(
            name
            for name in self.calls
            if all(kind == "text" or self.names(kind) for _, kind in CALLS[name])
        )


def action_space(simulation: Simulation, role: str, perception: bool = False) -> ActionSpace:
    """What an agent can name now.

    Args:
        perception: Whether it has the perception tools; who is alone needs none to ask for
            another's actions.
    """
    house, graph = simulation.state.house, simulation.graphs[role]
    skills = simulation.agents[role].skills
    tools = TOOLS if len(simulation.agents) > 1 else set(TOOLS) - {"FindAgentActionTool"}
    calls = {*skills, "Done", *(tools if perception else ())}
    objects = tuple(node.name for node in graph.of_kind("object"))
    return ActionSpace(
        role,
        tuple(name for name in CALLS if name in calls),
        tuple(house.room),
        tuple(
            name
            for room in house.rooms
            for name in (
                room.floor_name,
                *(node.name for node in graph.of_kind("furniture", room.name)),
            )
        ),
        objects,
        tuple(name for name in objects if house.thing[name].receptacles),
    )


def check(action: Action, space: ActionSpace) -> Action:
    """The action, if it is a call that the agent can make and names what it knows.

    Raises:
        CallError: it is not; the message tells what to write.
    """
    if action.name not in space.calls:
        if action.name in CALLS and action.name not in TOOLS:
            raise CallError(
                f"the {space.role} cannot do {action.name}; it can do {', '.join(space.calls)}"
            )
        raise CallError(f"there is no {action.name} here; use one of {', '.join(space.calls)}")
    given = list(action.args)
    if action.name in ("Place", "Rearrange"):
        given[3:] = [given[4]] if given[3:4] == ["next_to"] else []
    for (_, kind), name in zip(CALLS[action.name], given, strict=False):
        if kind == "text":
            if re.fullmatch(QUERY, name) is None:
                raise CallError(
                    f"a query has 1 to {MAX_QUERY} plain characters; write "
                    f"{action.name}[a few words]"
                )
        elif name not in space.names(kind):
            raise CallError(_unknown(action, kind, name, space))
    return action


def _unknown(action: Action, kind: str, name: str, space: ActionSpace) -> str:
    name = name[:60]
    if kind == "relation":
        return f'the relation of {action.name} must be "on" or "within", not "{name}"'
    if kind == "room":
        return f"there is no room {name}; the rooms are {', '.join(space.rooms)}"
    if name in space.rooms:
        return f"{name} is a room; {action.name} is written {usage(action.name)}"
    if kind == "holder" and name in space.objects:
        return f"nothing can be placed on or in {name}; name a piece of furniture or a floor"
    if kind == "object" and name in space.furniture:
        return f"{name} stays where it is; {action.name} takes an object"
    return (
        f"nothing named {name} is known so far; use exact names that you were told, or explore "
        f"rooms to find more: Explore[name of a room]"
    )
