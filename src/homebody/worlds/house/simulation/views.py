"""What a session in a house shows a role: its knowledge in words, what it can do, what it saw
happen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from homebody.core.action import Action
from homebody.core.conversation import Tool
from homebody.core.session import DONE, WAIT, Event
from homebody.worlds.house.simulation.knowledge import Node
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.text import describe_nodes, observation

_NAME: Final = {"type": "string"}
_PLACING: Final = {
    "object": "what is put down",
    "relation": "on or within",
    "target": "furniture, a floor or a container",
    "next_to": "the word next_to, if it shall be next to something",
    "beside": "what it shall be next to",
}
_TOOLS: Final[dict[str, tuple[str, dict[str, str], int]]] = {
    "Navigate": ("walk to a room, or to a thing, which is within reach then", {"target": ""}, 1),
    "Explore": ("walk through a room and look around", {"room": ""}, 1),
    "Pick": ("take an object within reach into a free hand", {"object": ""}, 1),
    "Place": ("put the object in your hand somewhere within reach", _PLACING, 3),
    "Rearrange": ("go to an object, pick it up, carry it to a target and place it", _PLACING, 3),
    "Open": ("open something within reach", {"thing": ""}, 1),
    "Close": ("close something within reach", {"thing": ""}, 1),
    "Clean": ("clean something within reach", {"thing": ""}, 1),
    "Fill": ("fill something, at a faucet within reach", {"thing": ""}, 1),
    "Pour": ("pour from the filled container in your hand", {"thing": ""}, 1),
    "PowerOn": ("turn on a device within reach", {"thing": ""}, 1),
    "PowerOff": ("turn off a device within reach", {"thing": ""}, 1),
    "Wait": ("do nothing for a moment", {}, 0),
    "Done": ("say that your part is finished; you will not be asked again", {}, 0),
}
"""Skill -> what it does, its arguments, and how many of them are needed."""
STATES: Final = {
    "Clean": ("clean", False),
    "Fill": ("filled", False),
    "Pour": ("filled", False),
    "PowerOn": ("powered_on", False),
    "PowerOff": ("powered_on", True),
    "Open": ("open", False),
    "Close": ("open", True),
}
"""Skill -> the state that what it is done to has before."""


def describe(simulation: Simulation, role: str) -> str:
    """All that a role knows, in words."""
    return observation(simulation, role)


def tools(simulation: Simulation, role: str) -> tuple[Tool, ...]:
    """What a role can do at all."""
    skills = {*simulation.agents[role].skills, DONE.name}
    return tuple(_tool(name) for name in _TOOLS if name in skills)


def _tool(name: str) -> Tool:
    description, arguments, needed = _TOOLS[name]
    properties = {
        argument: {**_NAME, "description": text} if text else dict(_NAME)
        for argument, text in arguments.items()
    }
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:needed],
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


def sees(simulation: Simulation, role: str, event: Event) -> bool:
    """Whether a role learns of an event: its own, and what others do in the room that it is in, or
    anywhere if it knows everything."""
    if event.role == role or not simulation.graphs[role].partial:
        return True
    return room_of(simulation.state, role) == room_of(simulation.state, event.role)


class News:
    """What roles have seen happen and have learnt since they last acted."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._events: dict[str, list[Event]] = {role: [] for role in simulation.agents}
        self._acted_at = dict.fromkeys(simulation.agents, 0)

    def begin(self, role: str, refusal: Event | None) -> None:
        """A role acts: what it had seen before is no news any more. To be told before time goes
        on."""
        self._events[role] = [] if refusal is None else [refusal]
        self._acted_at[role] = self._simulation.graphs[role].version

    def tell(self, events: Sequence[Event]) -> None:
        """Tell roles of what is over, as far as they see it."""
        for event in events:
            for role, seen in self._events.items():
                if sees(self._simulation, role, event):
                    seen.append(event)

    def of(self, role: str) -> tuple[Event, ...]:
        """What a role has seen, oldest first."""
        return tuple(self._events[role])

    def learnt(self, role: str) -> str:
        """What a role has learnt, in words."""
        graph = self._simulation.graphs[role]
        return describe_nodes(graph, reversed(graph.changed_since(self._acted_at[role])))


def options(simulation: Simulation, role: str) -> list[Action]:
    """All actions that look possible to a role, in a fixed order: what they are done to is
    known to it and of the right kind. Whether it is within reach is not looked at."""
    graph, skills = simulation.graphs[role], simulation.agents[role].skills
    house = simulation.state.house
    held = next(iter(simulation.state.held(role).values()), "")
    objects = list(graph.of_kind("object"))
    pieces = list(graph.of_kind("furniture"))
    actions = [WAIT]
    actions += [Action("Explore", (room.name,)) for room in house.rooms]
    actions += [
        Action("Navigate", (node.name,)) for node in (*pieces, *objects) if node.name != held
    ]
    for skill, (state, before) in STATES.items():
        if skill not in skills or (skill == "Pour" and not held):
            continue
        actions += [
            Action(skill, (node.name,))
            for node in (*pieces, *objects)
            if node.states.get(state, not before) is before
        ]
    carried = [held] if held else [node.name for node in objects if node.relation != "held"]
    if not held:
        actions += [Action("Pick", (name,)) for name in carried]
    places = _places(simulation, (*pieces, *objects))
    for name in carried:
        for relation, target in places:
            if target != name:
                actions.append(Action("Rearrange", (name, relation, target)))
                if held:
                    actions.append(Action("Place", (name, relation, target)))
    return actions


def _places(simulation: Simulation, nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """Where things can be put: relation and target, each once."""
    house = simulation.state.house
    places = []
    for node in nodes:
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        kinds: dict[Any, None] = (
            dict.fromkeys(receptacle.kind for receptacle in whole.receptacles)
            if whole is not None
            else {}
        )
        places += [
            (kind, node.name) for kind in kinds if kind == "on" or node.states.get("open", True)
        ]
    return places + [("on", room.floor_name) for room in house.rooms]
