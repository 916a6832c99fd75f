"""What tasks on BEHAVIOR ask for, and what of it an output did (EAI paper, appendix E.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homebody.core import Score
from homebody.core.formula import atoms
from homebody.core.task import Demands
from homebody.suites.eai.behavior.tasks import BehaviorTask

Goals = list[tuple[str, str, bool]]
"""Kind, name and whether it was met, of each goal condition."""


def factors(task: BehaviorTask) -> Mapping[str, float]:
    """What a task has more or less of: plan length is that of the annotated plan, in steps; all
    objects of the problem count, without the agent."""
    totals = task.goal_totals
    return {
        "goals": sum(totals.values()),
        **{f"{kind} goals": total for kind, total in totals.items()},
        "plan length": len(task.task.reference),
        "objects": len(task.things),
    }


def actions(task: BehaviorTask) -> Sequence[str]:
    """The actions of the annotated plan."""
    return [action.name for action in task.task.reference]


def _tried(task: BehaviorTask, score: Score) -> Sequence[tuple[str, bool]]:
    """Additional steps do not stop a plan, and count as carried out."""
    stop = score.record["error_step"]
    names = [written.partition("(")[0] for written in score.record["plan"]]
    return [(name, at != stop) for at, name in enumerate(names[:stop], 1)]


def _goals(task: BehaviorTask, score: Score) -> Goals:
    """A condition counts for each predicate that it is about."""
    return _by_predicate(task, score)


def _goals_of_subgoals(task: BehaviorTask, score: Score) -> Goals:
    met = len(score.record["conditions_met"])
    asked = task.as_instructed  # unless judged by the changed goal, as published
    return _by_predicate(asked if len(asked.problem.conditions) == met else task, score)


def _by_predicate(task: BehaviorTask, score: Score) -> Goals:
    conditions = zip(task.problem.conditions, score.record["conditions_met"], strict=True)
    return [
        ("relation" if len(atom.args) > 1 else "state", atom.predicate, met)
        for condition, met in conditions
        for atom in {one.predicate: one for one in atoms(condition)}.values()
    ]


PLAN_DEMANDS: Demands[BehaviorTask] = Demands(factors, actions, _tried, _goals)
SUBGOAL_DEMANDS: Demands[BehaviorTask] = Demands(factors, actions, goals=_goals_of_subgoals)
DEMANDS: Demands[BehaviorTask] = Demands(factors, actions)
