"""What plans on VirtualHome are judged by: the goal, as a protocol counts its conditions."""

from __future__ import annotations

from homebody.core import Protocol, Trace, Verdict
from homebody.suites.eai.plan_results import count_goals
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask


def judge(
    task: VirtualHomeTask, trace: Trace, protocol: Protocol
) -> tuple[Verdict, dict[str, tuple[int, int]], bool]:
    """How far a trace meets the goal of its task: the verdict, the goals met and all by kind, and
    whether the protocol takes the goal for reached."""
    verdict = task.task.goal.judge(trace)
    goals = count_goals(verdict.parts)
    if not protocol.keeps("one_relation_goal_counts"):
        return verdict, goals, verdict.success
    met, total = goals["relation"]
    goals["relation"] = (min(met, 1), total)
    return verdict, goals, all(met == total for met, total in goals.values())


def without_goal(task: VirtualHomeTask, protocol: Protocol) -> str:
    """Why a protocol leaves a task out that has no goal; empty if it has one, or counts."""
    return "" if task.has_goal or protocol.keeps("goalless_tasks_counted") else "no goal"


def left_out(task: VirtualHomeTask, protocol: Protocol) -> str:
    """Why a protocol leaves a task out where plans are judged; empty if it counts."""
    if protocol.keeps("unsolvable_tasks_dropped") and not _passes_gold_test(task, protocol):
        return "annotated plan fails the goal check"
    return without_goal(task, protocol)


def _passes_gold_test(task: VirtualHomeTask, protocol: Protocol) -> bool:
    final = task.final()
    states = all(final.holds(s, (o,)) for s, o in task.state_goals)
    held = sum(final.holds(r, (a, b)) for r, a, b in task.relation_goals)
    if protocol.keeps("one_relation_goal_counts"):
        held = min(held, 1)
    return states and held == len(task.relation_goals)
