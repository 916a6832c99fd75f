"""Shared knowledge of agents for which one planner decides.

In a centralised team (section 4.1 of the PARTNR paper) the planner has the knowledge of both
agents. Therefore its call for one agent may name objects that only the other agent saw."""

from __future__ import annotations

from collections.abc import Callable

from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation


def share_knowledge(simulation: Simulation) -> Callable[[Simulation], None]:
    """Share the knowledge of agents, now and at every event.

    The latest knowledge wins. If two agents learn about an object in the same event, the one that
    knows its place wins. With full observability there is nothing to share.

    Returns:
        The watcher that it adds to the simulation.
    """
    pool(simulation)
    simulation.watchers.append(pool)
    return pool


def pool(simulation: Simulation) -> None:
    """Give all agents what one of them has learned since the last event."""
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
    """Return whether a belief about an object has more information than another belief."""
    if other is None:
        return True
    if node.kind in ("furniture", "door"):
        return bool(node.states) and not other.states
    return bool(node.holder) and not other.holder
