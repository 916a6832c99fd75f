"""An agent without a model. It knows the goal but no places, and searches the nearest places
first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, Policy
from homebody.goals.etplan import ROBOT, Job, Target, jobs
from homebody.suites.etplan.agents.worker import Steps, Worker, candidates, distance
from homebody.worlds.house.simulation.graph_node import Node

if TYPE_CHECKING:
    import numpy as np

LOOKED_AT: Final = 1.5
"""Maximum distance in metres at which furniture counts as searched."""


def explorer(session: Any, generator: np.random.Generator) -> Policy:
    """Return a policy that explores until it sees an object of the goal, and then goes to it.

    It goes to the nearest unvisited room or furniture and opens closed furniture, except furniture
    that is itself the goal. The stated place of an object helps to identify the object, but does
    not direct the search."""
    steps = Search(session).work(jobs(session.source.task.goal))
    return lambda session, role: next(steps, DONE)


class Search(Worker):
    """A run of the explorer: visited places and rejected objects.

    Args:
        session: The session; its task has the goal and the number of hands.
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
        return True  # it continues with other jobs

    def _find(self, wanted: Target) -> Steps[str | None]:
        """Go to the object's known place; search as long as it is unknown."""
        while True:
            nodes = self._nodes
            found = candidates(nodes, wanted, self._context.facts.holds)
            known = [node for node in found if node.name not in self._useless]
            if known:
                name = self._choose(wanted, known).name
                done = yield from self._act("Navigate", name)
                nodes = self._nodes
                if done and nodes[name] in candidates(nodes, wanted, self._context.facts.holds):
                    return name
                self._useless.add(name)
                continue
            place = self._next_place(wanted)
            if place is None:
                return None
            self._been.add(place.name)
            if (yield from self._act("Navigate", place.name)):
                self._look_around()
                yield from self._open(place.name)

    def _choose(self, wanted: Target, known: Sequence[Node]) -> Node:
        """Return the known object to go to: the nearest."""
        return min(known, key=partial(distance, self._nodes[ROBOT]))

    def _look_around(self) -> None:
        """Mark near places as seen."""
        nodes = self._nodes
        here = nodes[ROBOT]
        self._been.add(here.room)
        for node in nodes.values():
            seen = node.room == here.room and distance(here, node) <= LOOKED_AT
            if seen and is_open(node):
                self._been.add(node.name)

    def _next_place(self, wanted: Target) -> Node | None:
        """Return the nearest unvisited room or container; open furniture comes last."""
        nodes = self._nodes
        may_be_shut_in = self._context.facts.is_portable(wanted.category)
        self._been.add(nodes[ROBOT].room)

        def order(node: Node) -> tuple[bool, float, str]:
            return is_open(node), distance(nodes[ROBOT], node), node.name

        places = [
            node
            for node in nodes.values()
            if node.name not in self._been
            and (
                node.kind == "room"
                or (node.kind == "furniture" and (may_be_shut_in or is_open(node)))
            )
        ]
        return min(places, key=order, default=None)


def is_open(node: Node) -> bool:
    """Return whether a place is furniture without closed contents."""
    return node.kind == "furniture" and bool(node.states.get("open", True))
