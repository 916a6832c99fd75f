"""What tasks on BEHAVIOR ask for, and what of it an output did (EAI paper, appendix E.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homebody.core import Score
from homebody.core.demands import Demands
from homebody.core.formula import atoms
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.demands import GoalsMet, annotated_actions, factors, tried


def _factors(task: BehaviorTask) -> Mapping[str, float]:
    """All objects of the problem count, without the agent."""
    return factors(task, len(task.things))


def _tried(task: BehaviorTask, score: Score) -> Sequence[tuple[str, bool]]:
    return tried((line.partition("(")[0] for line in score.record["plan"]), score)


def _goals_of_subgoals(task: BehaviorTask, score: Score) -> GoalsMet:
    met = len(score.record["conditions_met"])
    as_instructed = task.as_instructed  # unless judged by the changed goal, as published
    return _goals(as_instructed if len(as_instructed.problem.conditions) == met else task, score)


def _goals(task: BehaviorTask, score: Score) -> GoalsMet:
    """A condition counts for each predicate that it is about."""
    conditions = zip(task.problem.conditions, score.record["conditions_met"], strict=True)
    return [
        ("relation" if len(atom.args) > 1 else "state", atom.predicate, met)
        for condition, met in conditions
        for atom in {atom.predicate: atom for atom in atoms(condition)}.values()
    ]


PLAN_DEMANDS: Demands[BehaviorTask] = Demands(_factors, annotated_actions, _tried, _goals)
SUBGOAL_DEMANDS: Demands[BehaviorTask] = Demands(
    _factors, annotated_actions, goals=_goals_of_subgoals
)
DEMANDS: Demands[BehaviorTask] = Demands(_factors, annotated_actions)
