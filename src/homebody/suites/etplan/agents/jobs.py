"""What a criterion asks for, as things to find and where to put them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from homebody.goals.etplan import ROBOT, Condition, Criterion
from homebody.worlds.house.simulation.node import Node

RELATION: Final = {"ON": "on", "INSIDE": "within"}
"""Relation of a criterion -> what Place calls it."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A thing to find.

    Attributes:
        category: Its class.
        where: At what it is found: relations with its class first.
    """

    category: str
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A thing to find and, unless it is enough to be there, where to put it.

    Attributes:
        thing: What is to be found.
        relation: ``ON`` or ``INSIDE`` the target; empty if it is only to be found.
        target: Where it is to be put.
    """

    thing: Wanted
    relation: str = ""
    target: Wanted | None = None


def jobs(criterion: Criterion) -> tuple[Job, ...]:
    """What is to be done, in order.

    A thing is to be put where the robot is to be close to both; any other relation between two
    things says where one of them is found.
    """
    stages = [(stage, _approached(stage)) for stage in criterion.stages]
    moves = {
        condition: None
        for stage, near in stages
        for condition in stage
        if condition.relation in RELATION and condition.first != ROBOT and condition.second in near
    }
    where = [c for c in criterion.conditions if ROBOT not in (c.first, c.second) and c not in moves]
    moved = {name for condition in moves for name in (condition.first, condition.second)}
    done = [
        Job(_wanted(move.first, where), move.relation, _wanted(move.second, where))
        for move in moves
    ]
    for _, near in stages:
        done += [Job(_wanted(name, where)) for name in near if name not in moved]
    return tuple(dict.fromkeys(done))


def _approached(stage: Iterable[Condition]) -> list[str]:
    """The classes that the robot is to be close to."""
    return [c.second for c in stage if c.relation == "CLOSE" and c.first == ROBOT]


def _wanted(category: str, where: Iterable[Condition]) -> Wanted:
    return Wanted(category, tuple(dict.fromkeys(c for c in where if c.first == category)))


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
