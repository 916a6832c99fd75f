"""What somebody knows that is what is wanted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from homebody.goals.etplan import Wanted
from homebody.worlds.house.simulation.node import Node


def candidates(
    nodes: Mapping[str, Node], wanted: Wanted, holds: Callable[[str, str, str], bool]
) -> Iterator[Node]:
    """Things known that are what is wanted: of its class, and where it is said to be found.

    Args:
        nodes: What is known.
        wanted: What is looked for.
        holds: Whether a thing is in a relation to another, as who knows both can tell.
    """
    for node in nodes.values():
        if node.category == wanted.category and node.kind != "door":
            others = [
                (c, each)
                for c in wanted.where
                for each in nodes.values()
                if each.category == c.second
            ]
            met = {c for c, each in others if holds(c.relation, node.name, each.name)}
            if met.issuperset(wanted.where):
                yield node


def distance(node: Node, other: Node) -> float:
    """Metres between the middles of two things."""
    return math.dist(node.position, other.position)
