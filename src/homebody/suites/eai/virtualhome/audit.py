"""Which annotations are broken: tasks whose own ground truth does not do what it should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homebody.core import CORRECTED, execute
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, load_tasks


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken task. ``problem`` is ``no_goal``, ``not_executable`` or ``goal_not_reached``."""

    task: str
    name: str
    problem: str
    reason: str


def audit(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Every task with no goal, or whose ground-truth plan, judged by the paper's definitions,
    cannot be executed or does not reach the goal."""
    findings = []
    for task in load_tasks(CORRECTED) if tasks is None else tasks:
        found = _check(task)
        if found is not None:
            findings.append(Finding(task.id, task.task.name, *found))
    return findings


def _check(task: VirtualHomeTask) -> tuple[str, str] | None:
    if not task.has_goal:
        return "no_goal", "The annotation asks for nothing."
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    if trace.failure is not None and trace.failed_at is not None:
        step = f"Step {trace.failed_at + 1} of its plan, {trace.failure.action}"
        return "not_executable", f"{step}: {trace.failure.message}"
    verdict = task.task.goal.judge(trace)
    if verdict.success:
        return None
    return "goal_not_reached", verdict.explanation
