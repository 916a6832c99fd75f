"""The paper's agent without a model: it searches where objects of the class most often are in the
training homes.

It stands for knowledge of homes without understanding of the instruction: it gets the classes of
the goal, and neither hints nor the relations that tell an object from others of its class."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Policy
from homebody.goals.etplan import ROBOT, Job, Target, jobs
from homebody.suites.etplan.agents.explorer import Search, is_open
from homebody.suites.etplan.agents.worker import Steps, distance
from homebody.suites.etplan.frequencies import frequencies, holder_share, room_share
from homebody.worlds.house.simulation.graph_node import Node

if TYPE_CHECKING:
    import numpy as np

MISSED: Final = 0.1
"""Share of the objects in the open that a robot does not see from the middle of their room. In ten
training homes it is 0.12 for objects on something and 0.08 for objects in something."""


def frequent(session: Any, generator: np.random.Generator) -> Policy:
    """Return a policy that goes where an action finds the object with the highest probability.

    Probabilities are shares of rooms and holders of the training homes
    (:mod:`~homebody.suites.etplan.frequencies`). Going to a room costs one action. Opening
    something costs one more than going there. Relations of the goal are ignored: the first object
    of a class that is found counts as the right one."""
    goal = [
        Job(Target(job.thing.category), job.relation, job.target and Target(job.target.category))
        for job in jobs(session.source.task.goal)
    ]
    steps = FrequentSearch(session).work(goal)
    return lambda session, role: next(steps, DONE)


class FrequentSearch(Search):
    """A run of the agent: an explorer with another order of places.

    Args:
        session: The session; its task has the goal and the number of hands.
    """

    def __init__(self, session: Any) -> None:
        super().__init__(session)
        self._at = ""

    def _act(self, skill: str, *arguments: str) -> Steps[bool]:
        """Execute an action, except a walk to where the robot stands."""
        if skill == "Navigate" and arguments[0] == self._at:
            return True
        done = yield from super()._act(skill, *arguments)
        if skill == "Navigate" and done:
            self._at = arguments[0]
        return done

    def _choose(self, wanted: Target, known: Sequence[Node]) -> Node:
        """Return the object that was used before for the same goal, or the nearest."""
        used = [name for target, name in self._used if target == wanted]
        again = [node for node in known if node.name in used]
        return super()._choose(wanted, again or known)

    def _next_place(self, wanted: Target) -> Node | None:
        """Return the place with the highest probability per action; of equal places, a closed one,
        and the nearest."""
        nodes = self._nodes
        here = nodes[ROBOT]
        self._been.add(here.room)

        def order(node: Node) -> tuple[float, bool, float, str]:
            rate = round(self._find_rate(node, wanted), 9)
            return -rate, is_open(node), distance(here, node), node.name

        places = [
            node
            for node in nodes.values()
            if node.name not in self._been | self._useless
            and (node.name != self._at or _is_shut(node))
            and (node.kind in ("room", "furniture") or _is_shut(node))
            and node.holder != ROBOT
        ]
        return min(places, key=order, default=None)

    def _find_rate(self, node: Node, wanted: Target) -> float:
        """Return the probability that going to a place, and opening it if it is closed, finds a
        target, divided by the number of actions."""
        kind, category = self._room_kind(node), wanted.category
        if node.kind == "room":
            return _room_rate(category, kind)
        actions = (node.name != self._at) + _is_shut(node)
        openly = 0.0 if node.room in self._been else room_share(category, kind, shut=False)
        share = 0.0
        if self._context.facts.is_portable(category):
            share = holder_share(category, node.category, kind, shut=_is_shut(node))
        share *= 1.0 if _is_shut(node) else MISSED
        return (openly + (1 - openly) * share) / actions

    def _room_kind(self, node: Node) -> str:
        room = self._nodes.get(node.room) if node.kind != "room" else node
        return "" if room is None else room.category


@cache
def _room_rate(category: str, kind: str) -> float:
    """Return the highest probability per action of finding a class in a room: by going there, or by
    opening a container there, too."""
    known = frequencies()
    openly = room_share(category, kind, shut=False)
    shut = max(
        holder_share(category, holder, kind, shut=True)
        * min(1.0, kinds.get(kind, 0) / max(1, known.rooms.get(kind, 0)))
        for holder, kinds in known.holders.items()
    )
    return max(openly, (openly + (1 - openly) * shut) / 3)


def _is_shut(node: Node) -> bool:
    return node.states.get("open") is False
