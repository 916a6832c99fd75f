"""What a plan that was carried out is worth (EAI paper, section 2.5 and appendix D.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homebody.core import Protocol, Trace, Verdict
from homebody.suites.eai.plan_results import PlanResult, explain_trace


def plan_result(
    trace: Trace,
    verdict: Verdict,
    goals: Mapping[str, tuple[float, float]],
    plan: Iterable[str],
    protocol: Protocol,
    *,
    reached: bool,
) -> PlanResult:
    """The result of a plan.

    Args:
        trace: What became of it.
        verdict: On the task's goal.
        goals: Kind of goal -> how many were met, and how many there are.
        plan: Its actions, as the record has them.
        protocol: How it is judged.
        reached: Whether the protocol takes the goal for reached where the plan ended.
    """
    failure = trace.failure
    executable = failure is None
    success = reached and (executable or protocol.keeps("stopped_plans_can_succeed"))
    additional = len(trace.skipped)
    return PlanResult(
        success=success,
        executable=executable,
        goals=goals,
        progress=verdict.progress,
        explanation=explain_trace(trace, verdict, success, reached),
        plan=tuple(plan),
        error=failure.error if failure else None,
        error_step=trace.failed_at,
        error_action=str(failure.action) if failure else None,
        additional_steps=additional,
        counted_additional=min(additional, 1),
    )
