"""Audit of VirtualHome's annotations: tasks whose own ground truth fails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from homebody.core import CORRECTED, execute
from homebody.suites.eai.audit import Finding, stopping_step
from homebody.suites.eai.virtualhome.prompts import action_sequencing_prompt, goal_line
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, load_tasks


def audit(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Find every task without a goal, or whose ground-truth plan fails by the paper's rules."""
    checked = map(_check, load_tasks(CORRECTED) if tasks is None else tasks)
    return [finding for finding in checked if finding.problem]


def _check(task: VirtualHomeTask) -> Finding:
    def finding(problem: str, reason: str) -> Finding:
        return Finding(task.id, task.task.name, problem, reason)

    if not task.has_goal:
        return finding("no_goal", "The annotation has no goal.")
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    if trace.failure is not None:
        return finding("not_executable", stopping_step(trace))
    verdict = task.task.goal.judge(trace)
    return finding("" if verdict.success else "goal_not_reached", verdict.explanation)


def find_repeated_goals(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Find every task in which it is an error to do each action line of the prompt.

    The prompt has each action goal on two lines, ``SWITCHOFF`` and ``SWITCHOFF`` or ``WASH or
    RINSE`` and ``WASH|RINSE``. The findings are goals with one step in the ground-truth plan that
    cannot be repeated immediately, or whose repetition has no effect. No other goal is listed twice
    (`find_same_goal_lines` finds different goals on equal lines), or contradicts another.
    """
    return [
        Finding(task.id, task.task.name, "goal_listed_twice", reason)
        for task in (load_tasks(CORRECTED) if tasks is None else tasks)
        for goal in task.action_goals
        if (reason := _cost_of_twice(task, goal))
    ]


def find_same_goal_lines(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Find every task whose prompt has the same line for goals of several objects.

    The prompt of action sequencing names the objects of a goal by their classes, so it repeats the
    line for each object of a class. Each object has to reach the goal.
    """
    found = []
    for task in load_tasks(CORRECTED) if tasks is None else tasks:
        lines: defaultdict[str, list[str]] = defaultdict(list)
        for goal in (*task.state_goals, *task.relation_goals):
            lines[goal_line(goal)].append(goal[1])
        repeated = [f"{line} ({', '.join(of)})" for line, of in lines.items() if len(of) > 1]
        if repeated:
            reason = f"Its prompt repeats a line for different objects: {'; '.join(repeated)}."
            found.append(Finding(task.id, task.task.name, "same_goal_line", reason))
    return found


def find_shared_prompts(tasks: Sequence[VirtualHomeTask] | None = None) -> list[Finding]:
    """Find groups of tasks with byte-for-byte equal prompts of action sequencing."""
    alike: defaultdict[str, list[VirtualHomeTask]] = defaultdict(list)
    for task in load_tasks(CORRECTED) if tasks is None else tasks:
        alike[action_sequencing_prompt(task)].append(task)
    return [
        Finding(
            first.id,
            first.task.name,
            "same_prompt",
            f"Its prompt of action sequencing is also that of {', '.join(t.id for t in others)}.",
        )
        for first, *others in alike.values()
        if others
    ]


def _cost_of_twice(task: VirtualHomeTask, goal: str) -> str:
    plan, names = task.task.reference, goal.split("|")
    steps = [at for at, action in enumerate(plan) if action.name in names]
    if len(steps) != 1:
        return ""
    done = plan[: steps[0] + 1]
    trace = execute(task.task.world, task.task.initial, (*done, done[-1]))
    needless = [failure for at, failure in trace.skipped if at == len(done)]
    failures = [trace.failure] if trace.failed_at == len(done) else needless
    for failure in failures:
        if failure is not None:
            kind = failure.error.value.replace("_", " ")
            return (
                f"Its prompt lists the action goal {goal} twice. {failure.action} once more:"
                f" {failure.message} ({kind})"
            )
    return ""
