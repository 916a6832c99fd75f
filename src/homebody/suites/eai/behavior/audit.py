"""Audit of BEHAVIOR's annotations: executes the ground-truth plan of each task and judges the
result."""

from __future__ import annotations

from collections.abc import Iterator

from homebody.core import CORRECTED, PUBLISHED, Trace, execute
from homebody.core.formula import atom_of
from homebody.goals.bddl import BDDLGoal, phrase
from homebody.suites.eai.audit import Finding, stopping_step
from homebody.suites.eai.behavior.action_sequencing import SUITE
from homebody.suites.eai.behavior.plans import render
from homebody.suites.eai.behavior.prompts import listed_goals
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks

MAX_LACKING = 4
"""Maximum number of missing facts that are explained individually."""


def audit() -> list[Finding]:
    """Judge every task by the paper's definitions, in the official order."""
    published = {task.id: _judge_as_published(task) for task in load_tasks(PUBLISHED)}
    return [_check(task, published[task.id]) for task in load_tasks(CORRECTED)]


def find_repeated_goals() -> list[Finding]:
    """Find every task whose prompts list a goal more than once."""
    findings = []
    for task in load_tasks(CORRECTED):
        listed = listed_goals(task)
        for goal in dict.fromkeys(goal for goal in listed if listed.count(goal) > 1):
            reason = f"Its prompts list {goal} {listed.count(goal)} times."
            findings.append(Finding(task.id, task.task.name, "goal_listed_twice", reason))
    return findings


def _judge_as_published(task: BehaviorTask) -> tuple[bool, str]:
    """Judge the annotated plan by the published evaluator."""
    record = SUITE.score(task, render(task.task.reference), PUBLISHED).record
    return bool(record["success"]), str(record["explanation"])


def _check(task: BehaviorTask, published: tuple[bool, str]) -> Finding:
    succeeds, explanation = published

    def finding(problem: str, trace: Trace | None, *reasons: str) -> Finding:
        skipped = () if trace is None else tuple(index + 1 for index, _ in trace.skipped)
        reason = " ".join(filter(None, reasons))
        if not problem and not succeeds:
            reason += f" By the published evaluator it fails. {explanation}"
        elif problem and succeeds:
            reason += " By the published evaluator it succeeds."
        return Finding(task.id, task.task.name, problem, reason.strip(), skipped, succeeds)

    for index, action in enumerate(task.task.reference):
        if action.name not in task.task.world.schemas:
            reason = f"Step {index + 1} of its plan, {action}: there is no such action."
            return finding("unknown_action", None, reason)
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    needless = " ".join(
        f"Step {index + 1}, {failure.action}: {failure.message}"
        for index, failure in trace.skipped[:2]
    )
    if trace.failure is not None:
        kind = trace.failure.error.value.replace("_", " ")
        return finding(
            "not_executable", trace, f"{stopping_step(trace)} ({kind})", _changed_goal_note(task)
        )
    verdict = task.task.goal.judge(trace)
    if verdict.success:
        return finding("", trace, needless, _changed_goal_note(task))
    return finding("goal_not_reached", trace, *_unmet(task, trace), _changed_goal_note(task))


def _changed_goal_note(task: BehaviorTask) -> str:
    if not task.raw["original"]:
        return ""
    return "EAI changed this goal; the activity's own is another."


def _unmet(task: BehaviorTask, trace: Trace) -> Iterator[str]:
    """Describe the unmet parts of the goal, the parts that cannot be met, and the missing facts.

    Each missing fact comes with the last change of its object.
    """
    goal = task.task.goal
    assert isinstance(goal, BDDLGoal)
    final = task.task.world.view(trace.final)
    verdict, advice = goal.judge(trace), goal.advice(final)
    unmet = [part.text for part in verdict.parts if not part.satisfied]
    yield f"Unmet: {advice.mark(unmet)}."
    if advice.together:
        yield f"The conditions cannot hold all together{advice.together}."
    for literal in advice.lacking[:MAX_LACKING]:
        yield f"Lacking: {phrase(literal)}; {_history(trace, atom_of(literal).args[0])}."
    if len(advice.lacking) > MAX_LACKING:
        yield f"{len(advice.lacking) - MAX_LACKING} more are lacking."


def _history(trace: Trace, thing: str) -> str:
    """Describe the last step that changed a fact of an object."""
    for at in range(len(trace.actions) - 1, -1, -1):
        delete, add = trace.states[at + 1].change_from
        if any(thing in fact[1:] for fact in (*delete, *add)):
            return f"{thing} was last changed by step {trace.indices[at] + 1}, {trace.actions[at]}"
    return f"no step changes {thing}"
