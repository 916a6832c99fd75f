"""Feedback on a failed plan, given before a planner retries.

It contains exactly what the feedback of the EAI paper contains (appendix H.2), so that results are
comparable:
the failed step, the type of the error and the meaning of that type, or the unmet goals. The record
of a sample has more, such as the condition that was not met.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homebody.core import ErrorType, Score
from homebody.suites.eai.plan_results import AnnotatedTask

MEANINGS: Mapping[ErrorType, str] = {
    ErrorType.PARSING: "the answer is not in the requested format",
    ErrorType.ACTION_HALLUCINATION: "only the listed actions exist",
    ErrorType.OBJECT_HALLUCINATION: "only the listed objects exist",
    ErrorType.ARGUMENT_NUMBER: "each action takes a fixed number of objects",
    ErrorType.AFFORDANCE: "an object does not allow this action, at any time",
    ErrorType.ADDITIONAL_STEP: "the action's effect held already",
    ErrorType.MISSING_STEP: "something that the action requires must be achieved before it",
    ErrorType.WRONG_ORDER: (
        "what the action requires held earlier in the plan and no longer holds; the action comes"
        " too late, or another action too early"
    ),
    ErrorType.EXECUTION_FAILURE: (
        "the action could be done, but had no effect this time; the plan itself is not to blame"
    ),
}
"""Error type -> its meaning, for a planner that can change the plan."""

GRAMMAR = frozenset(
    (
        ErrorType.PARSING,
        ErrorType.ACTION_HALLUCINATION,
        ErrorType.OBJECT_HALLUCINATION,
        ErrorType.ARGUMENT_NUMBER,
    )
)


def plan_feedback(task: AnnotatedTask, score: Score) -> str | None:
    """Return the reason why a plan failed, or None if a retry could not change any metric.

    Uses these fields of the record: ``success``, ``executable``, ``error_type``, ``error_step``
    (from 1), ``error_action`` and ``explanation``. There is no feedback for tasks that the
    protocol excludes, nor for plans that it does not judge (``judged`` is false).
    """
    record = score.record
    if not score.valid or not record.get("judged", True):
        return None
    if record["success"] and record["executable"]:  # published: a stopped plan can succeed
        return None
    if record["error_type"] is None:
        steps = "All steps could be carried out"
        if record["additional_steps"]:
            steps = "The steps that were not needed were passed over and all others carried out"
        return f"{steps}, but the goals are not met. {record['explanation']}"
    return _describe_error(record)


def _describe_error(record: Mapping[str, Any]) -> str:
    error = ErrorType(record["error_type"])
    name = error.value.replace("_", " ")
    meaning = f"That is an error of type {name!r}: {MEANINGS[error]}."
    if error in GRAMMAR:
        return f"The answer could not be read as a plan. {record['explanation']} {meaning}"
    where = f"Step {record['error_step']}, {record['error_action']}, could not be carried out."
    if error is ErrorType.EXECUTION_FAILURE:
        where = f"Step {record['error_step']}, {record['error_action']}, failed."
    return f"{where} {meaning} The steps after it were not tried."
