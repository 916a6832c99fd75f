"""Text for language agents: knowledge as sentences, actions as ``Pick[cup_0]``."""

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
    """Write an action; :func:`homebody.core.play.transcript.find_call` reads it."""
    return f"{action.name}[{', '.join(action.args)}]"


def describe_house(graph: WorldGraph, room: str | None = None) -> str:
    """Describe all known objects, room by room.

    It has furniture and doors with their states, open doorways, objects with their bearers, agents
    with their held objects, and people with looks and activity. Objects of one category in a room
    are distinguished by colour or material.

    Args:
        room: The only room to describe; None for all.
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
    """Describe known objects, one per line, with states, bearers, rooms and looks."""
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
    """Describes the nodes of a graph at one moment."""

    def __init__(self, graph: WorldGraph) -> None:
        self._graph = graph
        self._adjectives: dict[tuple[str, str], dict[str, str]] = {}

    @cached_property
    def _people(self) -> list[Person]:
        """The known people."""
        people = map(self._graph.person, self._graph.nodes)
        return [person for person in people if person is not None]

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], list[str]]:
        """Category and room -> known objects there."""
        alike: dict[tuple[str, str], list[str]] = {}
        for node in self._graph.nodes.values():
            if node.kind in ("object", "furniture"):
                alike.setdefault((node.category, node.room), []).append(node.name)
        return alike

    def name(self, node: Node) -> str:
        """Return its name with its distinguishing adjective and states."""
        words = [adjective] if (adjective := self._adjective(node)) else []
        words += [
            name.replace("_", " ") if value else _OPPOSITE.get(name, f"not {name}")
            for name, value in node.states.items()
            if name != "locked" or value
        ]
        return f"{node.name} ({', '.join(words)})" if words else node.name

    def place(self, node: Node) -> str:
        """Describe an object and its bearer."""
        sentence = self.name(node)
        if not node.name.startswith(node.category):
            sentence += f", a {node.category}"
        if node.relation == "held":
            return f"{sentence} is held by {node.holder}"
        return f"{sentence} is {node.relation} {node.holder}" if node.holder else sentence

    def identify(self, node: Node) -> str:
        """Name somebody, with looks for people."""
        you = " (you)" if node.name == self._graph.agent else ""
        person = self._graph.person(node.name)
        if person is None:
            return f"{node.name}{you}"
        return f"{node.name}{you}, {appearance(person, self._people)},"

    def person(self, node: Node) -> str:
        """Describe somebody's activity, place and held objects."""
        held = " and ".join(thing.name for thing in self._graph.objects_on(node.name))
        who, person = self.identify(node), self._graph.person(node.name)
        if person is None:
            return f"{who} holds {held or 'nothing'}"
        posture = node.category if node.kind == "person" else person.posture
        on = f" on {node.holder}" if node.holder else ""
        does = f", {node.activity}" if node.activity and node.activity != posture else ""
        return f"{who} is {posture}{on}{does}, and holds {held or 'nothing'}"

    def _adjective(self, node: Node) -> str:
        """Return the words that distinguish an object from others of its category in its room."""
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
    """Return an agent's observation: knowledge, held objects, last result, others and skills."""
    graph = simulation.graphs[agent]
    held = list(simulation.state.held_by(agent).values())
    lines = [
        describe_house(graph),
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
