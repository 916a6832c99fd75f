"""Text for language agents: what they know as sentences, what they do as ``Pick[cup_0]``."""

from __future__ import annotations

from collections.abc import Iterable

from homebody.core.action import Action
from homebody.worlds.house.simulation.doors import doors_of
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.node import Node
from homebody.worlds.house.simulation.simulation import Simulation

_OPPOSITE = {
    "open": "closed",
    "clean": "dirty",
    "filled": "empty",
    "powered_on": "powered off",
    "locked": "unlocked",
}


def format_action(action: Action) -> str:
    """An action as it is written; :func:`homebody.core.transcript.find_call` reads it."""
    return f"{action.name}[{', '.join(action.args)}]"


def describe(graph: WorldGraph, room: str | None = None) -> str:
    """What is known, room by room: furniture and doors with their states, objects with what bears
    them, agents with what they hold.

    Args:
        room: Tell of this room only.
    """
    lines = []
    for place in graph.of_kind("room"):
        if room is not None and place.name != room:
            continue
        pieces = ", ".join(_with_states(piece) for piece in graph.of_kind("furniture", place.name))
        lines.append(f"{place.name}: {pieces or 'no furniture'}")
        for door in doors_of(graph.house, place.name):
            beyond = door.rooms[door.rooms[0] == place.name]
            lines.append(f"  {_with_states(graph[door.name])} to {beyond}")
        lines += [f"  {_placed(thing)}" for thing in graph.of_kind("object", place.name)]
        for who in graph.of_kind("agent", place.name):
            held = [thing.name for thing in graph.on(who.name)]
            you = " (you)" if who.name == graph.agent else ""
            lines.append(f"  {who.name}{you} holds {' and '.join(held) or 'nothing'}")
        for who in graph.of_kind("person", place.name):
            lines.append(f"  {_doing(graph, who)}")
    if room is None:
        lost = [thing.name for thing in graph.of_kind("object", "")]
        if lost:
            lines.append(f"seen before, now somewhere else: {', '.join(lost)}")
    return "\n".join(lines)


def _doing(graph: WorldGraph, who: Node) -> str:
    """What somebody of the scene does, where, and holds."""
    on = f" on {who.holder}" if who.holder else ""
    does = f", {who.activity}" if who.activity and who.activity != who.category else ""
    held = [thing.name for thing in graph.on(who.name)]
    holds = f", and holds {' and '.join(held)}" if held else ""
    return f"{who.name} is {who.category}{on}{does}{holds}"


def describe_nodes(graph: WorldGraph, names: Iterable[str]) -> str:
    """What is known of some things, a line each: furniture with its states, objects with what
    bears them, where others are."""
    lines = []
    for node in map(graph.nodes.__getitem__, names):
        if node.kind in ("furniture", "door") and node.states:
            lines.append(_with_states(node))
        elif node.kind == "object":
            lost = "" if node.holder else " is not where you saw it last"
            lines.append(f"{_placed(node)}{lost}")
        elif node.kind == "person":
            lines.append(f"{_doing(graph, node)}, in {node.room}")
        elif node.kind == "agent" and node.name != graph.agent:
            lines.append(f"{node.name} is in {node.room}")
    return "\n".join(lines)


def observation(simulation: Simulation, agent: str) -> str:
    """What an agent is told before it chooses: what it knows, holds and can do, how its last
    action ended, and what the others are doing."""
    graph = simulation.graphs[agent]
    held = list(simulation.state.held(agent).values())
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
        doing = simulation.busy(other)
        if other != agent and doing is not None:
            lines.append(f"{other} is doing {format_action(doing)}.")
    lines.append(f"You can do: {', '.join(simulation.usable(agent))}.")
    return "\n".join(lines)


def _with_states(node: Node) -> str:
    words = [
        name.replace("_", " ") if value else _OPPOSITE.get(name, f"not {name}")
        for name, value in node.states.items()
        if name != "locked" or value
    ]
    return f"{node.name} ({', '.join(words)})" if words else node.name


def _placed(node: Node) -> str:
    sentence = _with_states(node)
    if not node.name.startswith(node.category):
        sentence += f", a {node.category}"
    if node.relation == "held":
        return f"{sentence} is held by {node.holder}"
    return f"{sentence} is {node.relation} {node.holder}" if node.holder else sentence
