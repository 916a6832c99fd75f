"""The VirtualHome world with everything that EAI's abilities need."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from homebody.core import Action, Protocol, Score, Trace, execute
from homebody.core.formula import Literal
from homebody.goals.ltl.goal import LTLGoal
from homebody.suites.eai.demands import GoalsMet, make_demands
from homebody.suites.eai.plan_results import WrittenPlan, count_goals, no_goals_met
from homebody.suites.eai.virtualhome.baselines import copied_plan, frequent_plan
from homebody.suites.eai.virtualhome.plans import (
    plan_line,
    read_plan,
    read_script,
    render,
    step_name,
)
from homebody.suites.eai.virtualhome.protocol import QUIRKS
from homebody.suites.eai.virtualhome.tasks import TASKS, VirtualHomeTask, load_task
from homebody.suites.eai.world import EaiWorld, Judged
from homebody.worlds.virtualhome import WORLD_QUIRKS
from homebody.worlds.virtualhome.published import crash_of

MAX_CHANGES = 150_000
"""Maximum number of facts that a plan can add and remove.

Eight thousand walks need half of it. Only plans that carry many stacked objects need more. In the
published simulator, objects on a carried object stay behind, so it needs no bound.
"""

# -- plans ---------------------------------------------------------------------------------------


def _execute(task: VirtualHomeTask, plan: Sequence[Action], protocol: Protocol) -> Trace:
    piles = not protocol.keeps("contents_left_behind")
    most = MAX_CHANGES if piles else sys.maxsize
    return execute(task.task.world, task.task.initial, plan, most)


def _crash(task: VirtualHomeTask, trace: Trace, protocol: Protocol) -> str:
    return crash_of(trace) if protocol.keeps("crashes") else ""


def _is_ground_truth(task: VirtualHomeTask, plan: WrittenPlan, protocol: Protocol) -> bool:
    if not protocol.keeps("ground_truth_plan_not_judged"):
        return False
    return plan.written == tuple(map(plan_line, task.task.reference))


# -- goals ---------------------------------------------------------------------------------------


def _judge(task: VirtualHomeTask, trace: Trace, protocol: Protocol) -> Judged:
    verdict = task.task.goal.judge(trace)
    goals = count_goals(verdict.parts)
    if not protocol.keeps("one_relation_goal_counts"):
        return Judged(verdict, verdict.success, goals)
    met, total = goals["relation"]
    goals["relation"] = (min(met, 1), total)
    return Judged(verdict, all(met == total for met, total in goals.values()), goals)


def no_goal_reason(task: VirtualHomeTask, protocol: Protocol) -> str:
    """Return the reason why a protocol excludes a task without a goal; empty if the task is not
    excluded."""
    return "" if task.has_goal or protocol.keeps("goalless_tasks_counted") else "no goal"


def _exclusion_reason(task: VirtualHomeTask, protocol: Protocol) -> str:
    if protocol.keeps("unsolvable_tasks_dropped") and not _can_pass_gold_check(task, protocol):
        return "annotated plan fails the goal check"
    return no_goal_reason(task, protocol)


def _can_pass_gold_check(task: VirtualHomeTask, protocol: Protocol) -> bool:
    final = task.final()
    states = all(final.holds(s, (o,)) for s, o in task.state_goals)
    held = sum(final.holds(r, (a, b)) for r, a, b in task.relation_goals)
    if protocol.keeps("one_relation_goal_counts"):
        held = min(held, 1)
    return states and held == len(task.relation_goals)


# -- demands -------------------------------------------------------------------------------------


def _goals_of_plan(task: VirtualHomeTask, score: Score) -> GoalsMet:
    stop = score.record["error_step"]  # the step may have failed by chance
    return _goals(task, score, len(score.record["plan"]) if stop is None else stop - 1)


def _goals_of_refinement(task: VirtualHomeTask, score: Score) -> GoalsMet:
    return _goals(task, score, len(score.record["plan"]))  # the plan has executed actions only


def _goals(task: VirtualHomeTask, score: Score, steps: int) -> GoalsMet:
    """Execute the plan again and return the goals that it meets. An unreadable output meets no
    goals."""
    nothing = not any(met for met, _ in score.record["goals_met"].values())
    plan = () if nothing else read_script(task, score.record["plan"])[:steps]
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


def _nearest(task: VirtualHomeTask, trace: Trace) -> Sequence[Literal]:
    goal = task.task.goal
    assert isinstance(goal, LTLGoal)
    return goal.nearest(trace)


WORLD: EaiWorld[VirtualHomeTask] = EaiWorld(
    name="virtualhome",
    title="VirtualHome",
    tasks=TASKS,
    world_quirks=WORLD_QUIRKS,
    load_task=load_task,
    quirks=QUIRKS,
    # objects are those that the ground truth changes or relates, without the agent
    demands=make_demands(
        lambda task: len(task.listed_objects), step_name, _goals_of_plan, _goals_of_refinement
    ),
    baselines={"copycat": copied_plan, "frequent": frequent_plan},
    read_plan=read_plan,
    write_plan=render,
    line=plan_line,
    execute=_execute,
    is_unjudged=_is_ground_truth,
    judge=_judge,
    nearest=_nearest,
    unread_goals=lambda task, protocol: no_goals_met(task),
    exclusion_reason=_exclusion_reason,
    crash=_crash,
)
