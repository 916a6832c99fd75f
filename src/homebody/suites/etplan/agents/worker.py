"""The common part of agents that fetch objects and put them where they belong."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from homebody.goals.etplan import PLACED, ROBOT, Job, Target
from homebody.suites.etplan.context import TaskContext
from homebody.worlds.house.simulation.graph_node import Node

T = TypeVar("T")
Steps: TypeAlias = Generator[Any, Any, T]
"""A part of a run, as a generator. It pauses for the agent's actions or queries and receives their
results."""


class Worker(ABC):
    """An agent that does one job after the other (algorithm 3).

    Subclasses define how it searches and acts.

    Args:
        session: The session.
    """

    def __init__(self, session: Any) -> None:
        self.session = session
        self._context: TaskContext = session.source
        self._useless: set[str] = set()
        self._used: list[tuple[Target, str]] = []

    @property
    def _nodes(self) -> Mapping[str, Node]:
        nodes: Mapping[str, Node] = self.session.observe(ROBOT).knowledge.nodes
        return nodes

    @abstractmethod
    def _find(self, wanted: Target) -> Steps[str | None]:
        """Go to an object; return its name, or None if it cannot be found."""

    @abstractmethod
    def _act(self, skill: str, *arguments: str) -> Steps[bool]:
        """Execute an action; return whether it succeeded."""

    def work(self, jobs: Sequence[Job]) -> Steps[None]:
        """Do jobs as far as possible, and carry as many objects at a time as the agent has
        hands."""
        carried: list[tuple[str, Job]] = []
        for job in jobs:
            name = yield from self._fetch(job)
            if name is None:
                return
            if job.target is not None:
                carried.append((name, job))
            if len(carried) == self._context.row.hands or job is jobs[-1]:
                for held, task in carried:
                    if not (yield from self._put(held, task)):
                        return
                carried = []

    def _fetch(self, job: Job) -> Steps[str | None]:
        """Go to an object, and take it if it is to be put somewhere."""
        while (name := (yield from self._find(job.thing))) is not None:
            yield from self._uncover(name)
            if job.target is None or (yield from self._act("Pick", name)):
                self._used.append((job.thing, name))
                return name
            self._useless.add(name)
        return None

    def _put(self, name: str, job: Job) -> Steps[bool]:
        assert job.target is not None
        while (target := (yield from self._find(job.target))) is not None:
            yield from self._uncover(target)
            if job.relation == "INSIDE":
                yield from self._open(target)
            if (yield from self._act("Place", name, PLACED[job.relation], target)):
                self._used.append((job.target, target))
                return True
            self._useless.add(target)
        return False

    def _uncover(self, name: str) -> Steps[None]:
        """Open the containers around an object, the outermost first."""
        nodes, around = self._nodes, dict[str, bool]()  # holder -> True if it encloses
        while (node := nodes.get(name)) and node.holder and node.holder not in around:
            name = node.holder
            around[name] = node.relation == "within"
        for holder in reversed(around):
            if around[holder] and holder in nodes:
                yield from self._open(holder)

    def _open(self, name: str) -> Steps[None]:
        if self._nodes[name].states.get("open") is False:
            yield from self._act("Open", name)


def candidates(
    nodes: Mapping[str, Node], wanted: Target, holds: Callable[[str, str, str], bool]
) -> Iterator[Node]:
    """Yield the known objects that match a target: its class and stated place.

    Args:
        nodes: The known objects.
        wanted: The target.
        holds: Returns whether a relation holds between two known objects.
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
    """Return the metres between the centres of two objects."""
    return math.dist(node.position, other.position)
