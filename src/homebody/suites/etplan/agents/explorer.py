"""An agent without a model that knows what to look for, but not where: nearest places first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, Policy
from homebody.goals.etplan import ROBOT, Job, Target, jobs
from homebody.suites.etplan.agents.worker import Steps, Worker, candidates, distance
from homebody.worlds.house.simulation.graph_node import Node

if TYPE_CHECKING:
    import numpy as np

LOOKED_AT: Final = 1.5
"""Metres: furniture this near to where one stood has been looked at."""


def explorer(session: Any, generator: np.random.Generator) -> Policy:
    """Goes to what is wanted as soon as it has seen it, and until then to the nearest room or piece
    of furniture where it has not been; what is shut there it opens, unless it is furniture that is
    wanted. Where the thing is said to be found tells it which one is meant, not where to look."""
    steps = Search(session).work(jobs(session.source.task.goal))
    return lambda session, role: next(steps, DONE)


class Search(Worker):
    """A run of the explorer: what it has been to, and what it found to be of no use.

    Args:
        session: What is played; its task says what is wanted and how many hands there are.
    """

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self._been: set[str] = set()

    def _act(self, skill: str, *arguments: str) -> Steps[bool]:
        yield Action(skill, arguments)
        news = self.session.observe(ROBOT).news
        return not news or news[-1].ok

    def _put(self, name: str, job: Job) -> Steps[bool]:
        yield from super()._put(name, job)
        return True  # what it cannot put anywhere keeps it from nothing else

    def _find(self, wanted: Target) -> Steps[str | None]:
        """Go where it is known to be; search for it as long as it is not."""
        while True:
            nodes = self._nodes
            found = candidates(nodes, wanted, self._asked.facts.holds)
            known = [node for node in found if node.name not in self._useless]
            if known:
                name = min(known, key=partial(distance, nodes[ROBOT])).name
                done = yield from self._act("Navigate", name)
                nodes = self._nodes
                if done and nodes[name] in candidates(nodes, wanted, self._asked.facts.holds):
                    return name
                self._useless.add(name)
                continue
            place = self._next_place(self._asked.facts.is_portable(wanted.category))
            if place is None:
                return None
            self._been.add(place.name)
            if (yield from self._act("Navigate", place.name)):
                self._look_around()
                yield from self._open(place.name)

    def _look_around(self) -> None:
        """What is near is seen."""
        nodes = self._nodes
        here = nodes[ROBOT]
        self._been.add(here.room)
        for node in nodes.values():
            seen = node.room == here.room and distance(here, node) <= LOOKED_AT
            if seen and _is_open(node):
                self._been.add(node.name)

    def _next_place(self, may_be_shut_in: bool) -> Node | None:
        """Where to look next: the nearest room, or piece that something may be shut in, then behind
        what stands in the open."""
        nodes = self._nodes
        self._been.add(nodes[ROBOT].room)

        def order(node: Node) -> tuple[bool, float, str]:
            return _is_open(node), distance(nodes[ROBOT], node), node.name

        places = [
            node
            for node in nodes.values()
            if node.name not in self._been
            and (
                node.kind == "room"
                or (node.kind == "furniture" and (may_be_shut_in or _is_open(node)))
            )
        ]
        return min(places, key=order, default=None)


def _is_open(node: Node) -> bool:
    """Whether a place is furniture that nothing is shut in."""
    return node.kind == "furniture" and bool(node.states.get("open", True))
