"""Demands of tasks, and the share of them that outputs meet, for the analysis of difficulty."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from homebody.core.ground.field_types import check_fields
from homebody.core.score import Score

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Demands(Generic[T]):
    """The demands of tasks, and the demands that an output met. :mod:`homebody.results.difficulty`
    counts them.

    Attributes:
        factors: Task -> name -> amount, such as the number of goals, steps or objects. The names
            and their order are the same for every task.
        actions: Task -> the names of the actions of its annotated plan.
        steps: ``steps(task, score)`` -> the name of each action that the output's plan tried, and
            whether it was carried out. The action that stopped the plan is the last. None if
            outputs are not plans.
        goals: ``goals(task, score)`` -> kind and name of each goal condition, and whether the
            output met it. None if that is unknown.
    """

    factors: Callable[[T], Mapping[str, float]]
    actions: Callable[[T], Sequence[str]]
    steps: Callable[[T, Score], Sequence[tuple[str, bool]]] | None = None
    goals: Callable[[T, Score], Sequence[tuple[str, str, bool]]] | None = None

    def __post_init__(self) -> None:
        check_fields(self)
