"""Which annotations are broken: tasks whose own ground truth does not do what it should."""

from __future__ import annotations

from collections.abc import Sequence

from homebody.core import CORRECTED, execute
from homebody.suites.eai.audit import Finding, stopping_step
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, load_tasks


def audit(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Every task with no goal, or whose ground-truth plan, judged by the paper's definitions,
    cannot be executed or does not reach the goal."""
    checked = map(_check, load_tasks(CORRECTED) if tasks is None else tasks)
    return [finding for finding in checked if finding.problem]


def _check(task: VirtualHomeTask) -> Finding:
    def finding(problem: str, reason: str) -> Finding:
        return Finding(task.id, task.task.name, problem, reason)

    if not task.has_goal:
        return finding("no_goal", "The annotation asks for nothing.")
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    if trace.failure is not None:
        return finding("not_executable", stopping_step(trace))
    verdict = task.task.goal.judge(trace)
    return finding("" if verdict.success else "goal_not_reached", verdict.explanation)
