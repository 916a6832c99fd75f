"""Demands of tasks, and the demands that an output met (EAI paper, appendix E)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from homebody.core import Score
from homebody.core.demands import Demands
from homebody.suites.eai.plan_results import AnnotatedTask

T = TypeVar("T", bound=AnnotatedTask)

GoalsMet: TypeAlias = list[tuple[str, str, bool]]
"""Kind and name of each goal condition, and True if it was met."""


@dataclass(frozen=True, slots=True)
class AbilityDemands(Generic[T]):
    """Demands of tasks for outputs that are goals, plans or subgoals."""

    goals: Demands[T]
    plans: Demands[T]
    subgoals: Demands[T]


def make_demands(
    objects: Callable[[T], int],
    action: Callable[[str], str],
    of_plan: Callable[[T, Score], GoalsMet],
    of_subgoals: Callable[[T, Score], GoalsMet],
) -> AbilityDemands[T]:
    """Make the demands of a world.

    Args:
        objects: Task -> number of objects.
        action: Line of a plan in a record -> name of its action.
        of_plan: Returns the goals that a plan met.
        of_subgoals: Returns the goals that subgoals, or a session, met.
    """

    def factors(task: T) -> Mapping[str, float]:
        """Return the factors of a task. Plan length is the number of steps of the annotated
        plan."""
        totals = task.goal_totals
        return {
            "goals": sum(totals.values()),
            **{f"{kind} goals": total for kind, total in totals.items()},
            "plan length": len(task.task.reference),
            "objects": objects(task),
        }

    def steps(task: T, score: Score) -> Sequence[tuple[str, bool]]:
        """Return the attempted actions and whether they succeeded. Additional steps count as
        successful."""
        stop = score.record["error_step"]
        tried = score.record["plan"][:stop]
        return [(action(line), at != stop) for at, line in enumerate(tried, 1)]

    goals = Demands(factors, _annotated_actions)
    return AbilityDemands(
        goals=goals,
        plans=replace(goals, steps=steps, goals=of_plan),
        subgoals=replace(goals, goals=of_subgoals),
    )


def _annotated_actions(task: AnnotatedTask) -> Sequence[str]:
    return [action.name for action in task.task.reference]
