"""What tasks on VirtualHome ask for, and what of it an output did (EAI paper, appendix E.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homebody.core import Action, Score, execute
from homebody.core.demands import Demands
from homebody.suites.eai.demands import GoalsMet, annotated_actions, factors, tried
from homebody.suites.eai.virtualhome.plans import read_script
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask


def _factors(task: VirtualHomeTask) -> Mapping[str, float]:
    """Objects are those that the ground truth changes or relates, without the agent."""
    return factors(task, sum(name != task.task.world.agent for name in task.relevant))


def _tried(task: VirtualHomeTask, score: Score) -> Sequence[tuple[str, bool]]:
    return tried((action.name for action in read_script(task, score.record["plan"])), score)


def _goals_of_plan(task: VirtualHomeTask, score: Score) -> GoalsMet:
    if _met_nothing(score):
        return _goals(task, (), nothing=True)
    plan = read_script(task, score.record["plan"])
    stop = score.record["error_step"]  # it may have failed by chance
    return _goals(task, plan if stop is None else plan[: stop - 1])


def _goals_of_refinement(task: VirtualHomeTask, score: Score) -> GoalsMet:
    if _met_nothing(score):
        return _goals(task, (), nothing=True)
    return _goals(task, read_script(task, score.record["plan"]))  # only of what was carried out


def _met_nothing(score: Score) -> bool:
    """An output that is no plan meets nothing, not even what holds from the start."""
    return not any(met for met, _ in score.record["goals_met"].values())


def _goals(task: VirtualHomeTask, plan: Sequence[Action], *, nothing: bool = False) -> GoalsMet:
    """The record has only their number by kind, so the plan is carried out again."""
    trace = execute(task.task.world, task.task.initial, plan)
    action_goals = iter(task.action_goals)
    return [
        (
            part.kind,
            next(action_goals) if part.kind == "action" else part.text.partition("(")[0],
            part.satisfied and not nothing,
        )
        for part in task.task.goal.judge(trace).parts
    ]


DEMANDS: Demands[VirtualHomeTask] = Demands(_factors, annotated_actions)
PLAN_DEMANDS: Demands[VirtualHomeTask] = Demands(
    _factors, annotated_actions, _tried, _goals_of_plan
)
SUBGOAL_DEMANDS: Demands[VirtualHomeTask] = Demands(
    _factors, annotated_actions, goals=_goals_of_refinement
)
