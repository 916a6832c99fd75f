"""Text for language agents: what they know as sentences, what they do as ``Pick[cup_0]``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from homebody.core.action import Action
from homebody.worlds.house.model.house import Person
from homebody.worlds.house.model.told_apart import adjectives, appearance
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.speech import phrase_action
from homebody.worlds.house.simulation.walking.doors import doors_of, open_to

_OPPOSITE = {
    "open": "closed",
    "clean": "dirty",
    "filled": "empty",
    "powered_on": "powered off",
    "locked": "unlocked",
}


def format_action(action: Action) -> str:
    """An action as it is written; :func:`homebody.core.play.transcript.find_call` reads it."""
    return f"{action.name}[{', '.join(action.args)}]"


def describe(graph: WorldGraph, room: str | None = None) -> str:
    """What is known, room by room: furniture and doors with their states, where it is open to,
    objects with what bears them, agents with what they hold, people with what they look like and
    do. Things of a category of which a room has several are told apart by colour or material.

    Args:
        room: Tell of this room only.
    """
    lines = []
    describer = _Describer(graph)
    none = "no furniture" if graph.layout else "no furniture seen yet"
    for place in graph.of_kind("room"):
        if room is not None and place.name != room:
            continue
        pieces = ", ".join(map(describer.name, graph.of_kind("furniture", place.name)))
        lines.append(f"{place.name}: {pieces or none}")
        for door in doors_of(graph.house, place.name):
            other = door.rooms[door.rooms[0] == place.name]
            lines.append(f"  {describer.name(graph[door.name])} to {other}")
        if beyond := open_to(graph.house, place.name):
            lines.append(f"  open doorway to {', '.join(beyond)}")
        lines += [f"  {describer.place(thing)}" for thing in graph.of_kind("object", place.name)]
        for kind in ("agent", "person"):
            lines += [f"  {describer.person(who)}" for who in graph.of_kind(kind, place.name)]
    if room is None:
        lost = [
            f"{node.name} (held by {node.holder})" if node.holder else node.name
            for kind in ("agent", "object")
            for node in graph.of_kind(kind, "")
        ]
        if lost:
            lines.append(f"seen before, now somewhere else: {', '.join(lost)}")
    return "\n".join(lines)


def describe_nodes(graph: WorldGraph, names: Iterable[str]) -> str:
    """What is known of some things, a line each: furniture and doors with their states, objects
    with what bears them, where others are and what they look like."""
    lines = []
    describer = _Describer(graph)
    for node in map(graph.nodes.__getitem__, names):
        if node.kind == "door" and node.states:
            lines.append(
                f"{describer.name(node)} between {' and '.join(graph.house.door[node.name].rooms)}"
            )
        elif node.kind == "furniture" and node.states:
            lines.append(describer.name(node))
        elif node.kind == "object":
            lost = "" if node.holder else " is not where you saw it last"
            lines.append(f"{describer.place(node)}{lost}")
        elif node.kind == "person":
            lines.append(f"{describer.person(node)}, in {node.room}")
        elif node.kind == "agent" and node.name != graph.agent:
            where = f"in {node.room}" if node.room else "not where you saw it last"
            lines.append(f"{describer.identify(node)} is {where}")
    return "\n".join(lines)


class _Describer:
    """How what is known in a graph is told of at one moment."""

    def __init__(self, graph: WorldGraph) -> None:
        self._graph = graph
        self._adjectives: dict[tuple[str, str], dict[str, str]] = {}

    @cached_property
    def _people(self) -> list[Person]:
        """Who is known of."""
        people = map(self._graph.person, self._graph.nodes)
        return [person for person in people if person is not None]

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], list[str]]:
        """Category and room -> what is known to be there."""
        alike: dict[tuple[str, str], list[str]] = {}
        for node in self._graph.nodes.values():
            if node.kind in ("object", "furniture"):
                alike.setdefault((node.category, node.room), []).append(node.name)
        return alike

    def name(self, node: Node) -> str:
        """Its name, with what tells it apart and its states."""
        words = [adjective] if (adjective := self._adjective(node)) else []
        words += [
            name.replace("_", " ") if value else _OPPOSITE.get(name, f"not {name}")
            for name, value in node.states.items()
            if name != "locked" or value
        ]
        return f"{node.name} ({', '.join(words)})" if words else node.name

    def place(self, node: Node) -> str:
        """An object, and what bears it."""
        sentence = self.name(node)
        if not node.name.startswith(node.category):
            sentence += f", a {node.category}"
        if node.relation == "held":
            return f"{sentence} is held by {node.holder}"
        return f"{sentence} is {node.relation} {node.holder}" if node.holder else sentence

    def identify(self, node: Node) -> str:
        """Somebody, and what they look like."""
        you = " (you)" if node.name == self._graph.agent else ""
        person = self._graph.person(node.name)
        if person is None:
            return f"{node.name}{you}"
        return f"{node.name}{you}, {appearance(person, self._people)},"

    def person(self, node: Node) -> str:
        """What somebody does, where, and holds."""
        held = " and ".join(thing.name for thing in self._graph.objects_on(node.name))
        who, person = self.identify(node), self._graph.person(node.name)
        if person is None:
            return f"{who} holds {held or 'nothing'}"
        posture = node.category if node.kind == "person" else person.posture
        on = f" on {node.holder}" if node.holder else ""
        does = f", {node.activity}" if node.activity and node.activity != posture else ""
        return f"{who} is {posture}{on}{does}, and holds {held or 'nothing'}"

    def _adjective(self, node: Node) -> str:
        """What tells it apart from others of its category in its room."""
        if node.kind not in ("object", "furniture"):
            return ""
        group = node.category, node.room
        names = self._alike.get(group, ())
        if len(names) < 2 or node.name not in names:
            return ""
        if group not in self._adjectives:
            house = self._graph.house
            pieces = [house.thing.get(name) or house.piece[name] for name in names]
            self._adjectives[group] = adjectives(pieces)
        return self._adjectives[group][node.name]


def observation(simulation: Simulation, agent: str) -> str:
    """What an agent is told before it chooses: what it knows, holds and can do, how its last
    action ended, and what others are doing whom it sees."""
    graph = simulation.graphs[agent]
    held = list(simulation.state.held_by(agent).values())
    lines = [
        describe(graph),
        f"You are {agent} in {graph[agent].room} and hold {' and '.join(held) or 'nothing'}.",
    ]
    for result in reversed(simulation.log):
        if result.role == agent:
            word = "succeeded" if result.ok else "failed"
            lines.append(f"{format_action(result.action)} {word}: {result.message}.")
            break
    for other in simulation.agents:
        action = simulation.busy(other)
        seen = simulation.sees_agent(agent, other)
        if other != agent and seen and action is not None:
            person = simulation.state.bodies[other].looks is not None
            does = phrase_action(action) if person else f"doing {format_action(action)}"
            lines.append(f"{other} is {does}.")
    lines.append(f"You can do: {', '.join(simulation.list_usages(agent))}.")
    return "\n".join(lines)
