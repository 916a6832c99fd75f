"""Pipelines (EAI paper, appendix G): planning for goals that the model itself has interpreted.

An answer that cannot be read gives no goals: the next ability is asked all the same, as it would be
in a system made of the two. Plans are judged by the annotated goal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from homebody.core.suite import Pipeline, Suite

T = TypeVar("T")

MAX_GOALS = 100
"""Of each kind; the annotations have 25 at most. Bounds the second prompt."""


@dataclass(frozen=True, slots=True)
class Interpreted(Generic[T]):
    """A task with predicted goals to ask for.

    Attributes:
        task: The annotated task, but for the goals that prompts ask for.
        readable: False if the answer holds no goals because it is not in the format.
        kept: Kind -> number of goals fed on.
        dropped: Malformed goals, goals with names that do not exist, and goals too many.
    """

    task: T
    readable: bool
    kept: Mapping[str, int]
    dropped: int

    def record(self) -> dict[str, Any]:
        """What is recorded of them."""
        return {"readable": self.readable, "goals": dict(self.kept), "dropped_goals": self.dropped}


def make_pipeline(first: Suite[T], interpreted: Callable[[T, str], Interpreted[T]]) -> Pipeline[T]:
    """Of the suites that can be asked for other goals than the annotated ones.

    Args:
        first: The suite whose answers are fed on.
        interpreted: Puts the goals of an answer into a task; never raises.
    """

    def feed(task: T, output: str) -> tuple[T, Mapping[str, Any]]:
        fed = interpreted(task, output)
        return fed.task, fed.record()

    return Pipeline(first, feed, repeated=("precision", "recall", "f1"))
