"""Findings of the audits of annotated plans, on both worlds."""

from __future__ import annotations

from dataclasses import dataclass

from homebody.core import Trace


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding on one ground truth.

    Attributes:
        task: Id of the task.
        name: Kind of the task.
        problem: ``no_goal``, ``unknown_action``, ``not_executable`` or ``goal_not_reached``; empty
            if the plan executes and reaches its goal. ``goal_listed_twice``, ``same_goal_line`` (of
            different objects) and ``same_prompt`` (shared with other tasks) are problems of
            prompts.
        reason: Reason for people.
        additional_steps: Steps that change nothing, by number from 1.
        published: True if it succeeds by the published evaluator; None if that was not checked.
    """

    task: str
    name: str
    problem: str
    reason: str
    additional_steps: tuple[int, ...] = ()
    published: bool | None = None


def stopping_step(trace: Trace) -> str:
    """Describe the step that stopped an annotated plan; empty if the plan ran to its end."""
    if trace.failure is None or trace.failed_at is None:
        return ""
    return (
        f"Step {trace.failed_at + 1} of its plan, {trace.failure.action}: {trace.failure.message}"
    )
