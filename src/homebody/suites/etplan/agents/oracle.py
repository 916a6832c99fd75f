"""An agent without a model that follows the shortest plan and goes to its objects first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from homebody.core import DONE, Action, Policy
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.context import TaskContext

if TYPE_CHECKING:
    import numpy as np

LOOKS: Final = 6
"""Maximum number of places from which it looks for one object."""


def oracle(session: Any, generator: np.random.Generator) -> Policy:
    """Return a policy that follows the shortest plan. It first goes to see objects that it has not
    seen yet."""
    steps = _steps(session, session.source)
    return lambda session, role: next(steps, DONE)


def _steps(session: Any, context: TaskContext) -> Iterator[Action]:
    for action in context.task.reference:
        if action.name == "Navigate" and not session.observe(ROBOT).knowledge.knows(action.args[0]):
            for place in context.facts.around(action.args[0])[:LOOKS]:
                known = session.observe(ROBOT).knowledge
                if known.knows(action.args[0]):
                    break
                if known.knows(place):
                    yield Action("Navigate", (place,))
        yield action
