"""Agents for whom one planner decides know what either has seen.

In a centralised team (section 4.1 of the PARTNR paper) the planner has the knowledge of both
agents; so what it assigns to one may name what only the other saw.
"""

from __future__ import annotations

from collections.abc import Callable

from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation


def share_knowledge(simulation: Simulation) -> Callable[[Simulation], None]:
    """Have agents know what the others know, now and at every event.

    What was learnt last is what all know then; of two who learnt of a thing in the same event,
    the one who knows where it is. Nothing to share where everything is known.

    Returns:
        The watcher that it adds to the simulation.
    """
    pool(simulation)
    simulation.watchers.append(pool)
    return pool


def pool(simulation: Simulation) -> None:
    """Have all agents know what one of them has learned since the last event."""
    news: dict[str, Node] = {}
    for graph in simulation.graphs.values():
        for name, node in graph.nodes.items():
            if name in graph.learnt and _is_better(node, news.get(name)):
                news[name] = node
    for graph in simulation.graphs.values():
        for node in news.values():
            graph.believe(node)
        graph.learnt.clear()


def _is_better(node: Node, other: Node | None) -> bool:
    """Whether one of two pieces of news about a thing says more."""
    if other is None:
        return True
    if node.kind in ("furniture", "door"):
        return bool(node.states) and not other.states
    return bool(node.holder) and not other.holder
