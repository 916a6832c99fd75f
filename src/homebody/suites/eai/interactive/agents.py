"""Agents that follow a plan: the oracle the annotated one, and baselines those of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, ErrorType, Policy
from homebody.core.suite import PolicyMaker
from homebody.suites.eai.interactive.session import EaiSession

if TYPE_CHECKING:
    import numpy as np

MAX_SEARCH: Final = 6
"""Most actions by which the oracle looks for one thing."""


def oracle(session: EaiSession, generator: np.random.Generator) -> Policy:
    """Does what the annotated plan says, and stops where that cannot be carried out. Things that
    it has not seen it goes to see first: it knows where they are."""
    steps = _plan(session)
    return lambda session, role: next(steps, DONE)


def following(plan: Callable[[Any], Sequence[Action]]) -> PolicyMaker:
    """A policy that tries the actions of a plan, whatever comes of them, and is done then.

    Args:
        plan: Annotated task -> the plan.
    """

    def policy(session: EaiSession, generator: np.random.Generator) -> Policy:
        steps = iter(plan(session.scene.annotated))
        return lambda session, role: next(steps, DONE)

    return policy


def _plan(session: EaiSession) -> Iterator[Action]:
    for action in session.scene.annotated.task.reference:
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
    """Why the last action was refused; None if it was carried out."""
    for clock, failure in session.refused[-1:]:
        if clock == session.clock - 1:
            return failure.error
    return None
