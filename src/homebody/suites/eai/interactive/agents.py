"""Agents that follow a plan: the annotated plan (the oracle), or the plan of a baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, ErrorType, Policy
from homebody.core.suite import PolicyMaker
from homebody.suites.eai.interactive.session import EaiSession

if TYPE_CHECKING:
    import numpy as np

MAX_SEARCH: Final = 6
"""Maximum number of actions by which the oracle looks for one object."""


def oracle(session: EaiSession, generator: np.random.Generator) -> Policy:
    """Follow the annotated plan. Go to see objects that were not seen yet, and stop if an action
    fails."""
    steps = _follow_annotated_plan(session)
    return lambda session, role: next(steps, DONE)


def follow_plan(plan: Callable[[Any], Sequence[Action]]) -> PolicyMaker:
    """Make a policy that tries the actions of ``plan(task)``, whatever their results."""

    def policy(session: EaiSession, generator: np.random.Generator) -> Policy:
        steps = iter(plan(session.scene.annotated_task))
        return lambda session, role: next(steps, DONE)

    return policy


def _follow_annotated_plan(session: EaiSession) -> Iterator[Action]:
    for action in session.scene.annotated_task.task.reference:
        for name in action.args:
            yield from _search(session, name)
        yield action
        error = _last_error(session)
        if error is not None and error is not ErrorType.ADDITIONAL_STEP:
            return


def _search(session: EaiSession, name: str) -> Iterator[Action]:
    for _ in range(MAX_SEARCH):
        if name in session.knowledge("agent"):
            return
        action = session.scene.search(session.state, name)
        if action is None:
            return
        yield action
        if _last_error(session) is not None:
            return


def _last_error(session: EaiSession) -> ErrorType | None:
    """Return the error of the last action; None if it succeeded."""
    for clock, failure in session.refused[-1:]:
        if clock == session.clock - 1:
            return failure.error
    return None
