"""What audits of annotated plans say, on both worlds."""

from __future__ import annotations

from dataclasses import dataclass

from homebody.core import Trace


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one ground truth.

    Attributes:
        task: Its id.
        name: The kind of task.
        problem: ``no_goal``, ``unknown_action``, ``not_executable`` or ``goal_not_reached``; empty
            if it executes and reaches its goal. ``goal_listed_twice`` and ``same_prompt`` (as other
            tasks) are of prompts.
        reason: For people.
        additional_steps: Steps that change nothing, by number from 1.
        published: Whether it succeeds by the published evaluator; None if that is not looked at.
    """

    task: str
    name: str
    problem: str
    reason: str
    additional_steps: tuple[int, ...] = ()
    published: bool | None = None


def stopping_step(trace: Trace) -> str:
    """Which step of an annotated plan stopped it, and why; empty if none did."""
    if trace.failure is None or trace.failed_at is None:
        return ""
    return (
        f"Step {trace.failed_at + 1} of its plan, {trace.failure.action}: {trace.failure.message}"
    )
