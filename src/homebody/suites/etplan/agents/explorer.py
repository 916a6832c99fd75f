"""An agent without a model that knows what to look for, but not where: nearest places first."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, Policy, Session
from homebody.goals.etplan import PLACED, ROBOT, Job, Wanted, jobs
from homebody.suites.etplan.agents.jobs import candidates, distance
from homebody.suites.etplan.facts import Asked
from homebody.worlds.house.simulation.node import Node

if TYPE_CHECKING:
    import numpy as np

LOOKED_AT: Final = 1.5
"""Metres: furniture this near to where one stood has been looked at."""


def explorer(session: Any, generator: np.random.Generator) -> Policy:
    """Goes to what is wanted as soon as it has seen it, and until then to the nearest room or piece
    of furniture where it has not been; what is shut it opens. Where the thing is said to be found
    tells it which one is meant, not where to look."""
    steps = Search(session).steps()
    return lambda session, role: next(steps, DONE)


class Search:
    """A run of the explorer: what it has been to, and what it found to be of no use.

    Args:
        session: What is played; its task says what is wanted and how many hands there are.
    """

    def __init__(self, session: Any) -> None:
        self._session: Session = session
        asked: Asked = session.source
        self._hands = asked.row.hands
        self._holds = asked.facts.holds
        self._jobs = jobs(asked.task.goal)
        self._been: set[str] = set()
        self._useless: set[str] = set()

    @property
    def _nodes(self) -> Mapping[str, Node]:
        nodes: Mapping[str, Node] = self._session.observe(ROBOT).known.nodes
        return nodes

    @property
    def _failed(self) -> bool:
        """Whether the last action did."""
        news = self._session.observe(ROBOT).news
        return bool(news) and not news[-1].ok

    def steps(self) -> Iterator[Action]:
        """What it does, each drawn when the action before is over."""
        carried: list[tuple[str, Job]] = []
        for job in self._jobs:
            name = yield from self._fetch(job)
            if name is None:
                return
            if job.target is not None:
                carried.append((name, job))
            if len(carried) == self._hands or job is self._jobs[-1]:
                yield from self._put(carried)
                carried = []

    def _fetch(self, job: Job) -> Generator[Action, None, str | None]:
        """Go to a thing, and take it if it is to be put somewhere."""
        while (name := (yield from self._find(job.thing))) is not None:
            if job.target is None:
                return name
            yield Action("Pick", (name,))
            if not self._failed:
                return name
            self._useless.add(name)
        return None

    def _put(self, carried: Sequence[tuple[str, Job]]) -> Iterator[Action]:
        for name, job in carried:
            assert job.target is not None
            while (target := (yield from self._find(job.target))) is not None:
                if job.relation == "INSIDE":
                    yield from self._open(target)
                yield Action("Place", (name, PLACED[job.relation], target))
                if not self._failed:
                    break
                self._useless.add(target)

    def _find(self, wanted: Wanted) -> Generator[Action, None, str | None]:
        """Go where it is known to be; search for it as long as it is not."""
        while True:
            nodes = self._nodes
            found = candidates(nodes, wanted, self._holds)
            known = [node for node in found if node.name not in self._useless]
            if known:
                nearest = min(known, key=partial(distance, nodes[ROBOT]))
                yield Action("Navigate", (nearest.name,))
                now = self._nodes[nearest.name]
                if not self._failed and now in candidates(self._nodes, wanted, self._holds):
                    return nearest.name
                self._useless.add(nearest.name)
                continue
            place = self._next_place()
            if place is None:
                return None
            self._been.add(place.name)
            yield Action("Navigate", (place.name,))
            if not self._failed:
                self._look_around()
                yield from self._open(place.name)

    def _open(self, name: str) -> Iterator[Action]:
        if self._nodes[name].states.get("open") is False:
            yield Action("Open", (name,))

    def _look_around(self) -> None:
        """What is near is seen."""
        nodes = self._nodes
        here = nodes[ROBOT]
        self._been.add(here.room)
        for node in nodes.values():
            seen = node.room == here.room and distance(here, node) <= LOOKED_AT
            if seen and node.kind == "furniture" and node.states.get("open", True):
                self._been.add(node.name)

    def _next_place(self) -> Node | None:
        """Where to look next: the nearest room or shut piece, then behind what stands in the
        open."""
        nodes = self._nodes
        self._been.add(nodes[ROBOT].room)
        places = [
            node
            for node in nodes.values()
            if node.kind in ("room", "furniture") and node.name not in self._been
        ]

        def order(node: Node) -> tuple[bool, float, str]:
            open_ = node.kind == "furniture" and node.states.get("open", True)
            return open_, distance(nodes[ROBOT], node), node.name

        return min(places, key=order, default=None)
