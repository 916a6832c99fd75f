"""Score sessions: the goal is judged as in action sequencing; SPL measures efficiency.

SPL, or path-weighted success, is ``success * L / max(L, P)``: L is the length of the annotated
plan, and P is the number of executed actions (Anderson et al., 2018, with actions instead of
metres). Refused actions do not lengthen the path; they are counted by error type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from homebody.core import ErrorType, Measure, Protocol, Score, Trace
from homebody.core.score import cut_text, share_of
from homebody.suites.eai.interactive.scene import Scene
from homebody.suites.eai.plan_results import explain_trace

KINDS: Final = {
    "unreadable": (ErrorType.PARSING,),
    "hallucination": (ErrorType.ACTION_HALLUCINATION, ErrorType.OBJECT_HALLUCINATION),
    "argument_number": (ErrorType.ARGUMENT_NUMBER,),
    "wrong_order": (ErrorType.WRONG_ORDER,),
    "missing_step": (ErrorType.MISSING_STEP,),
    "affordance_error": (ErrorType.AFFORDANCE,),
    "additional_step": (ErrorType.ADDITIONAL_STEP,),
    "execution_failure": (ErrorType.EXECUTION_FAILURE,),
}
"""Key of a record -> the error types of refused actions that it counts."""
TALLIES: Final = {
    "Unreadable": "unreadable",
    "Halluc.": "hallucination",
    "Arg. num.": "argument_number",
    "Wrong order": "wrong_order",
    "Missing": "missing_step",
    "Affordance": "affordance_error",
    "Additional": "additional_step",
}
MEASURES: Final = {
    "Actions": Measure("actions", best="low"),
    "Refused": Measure("refused", best="low"),
}
MEANS: Final = {"Partial": "progress", "SPL": "path_weighted_success"}
COLUMNS: Final = {"Task SR": ("task_success_rate",)}


def score_trace(
    scene: Scene,
    trace: Trace,
    protocol: Protocol,
    settings: Mapping[str, str],
    clock: int,
    ending: str | None,
) -> Score:
    """Score a session up to now.

    Args:
        scene: The task.
        trace: The executed actions; its skipped actions are the refused ones.
        protocol: The protocol that judges it.
        settings: Settings of the session that differ from the default.
        clock: Number of attempted actions.
        ending: Why the session ended; None if it has not ended.
    """
    task, world = scene.annotated_task, scene.eai
    judged = world.judge(task, trace, protocol)
    length = len(task.task.reference)
    weight = length / max(length, len(trace.actions)) if length else 0.0
    errors = Counter(failure.error for _, failure in trace.skipped)
    metrics = {
        "success": float(judged.success),
        "progress": judged.verdict.progress,
        "path_weighted_success": judged.success * weight,
    }
    record: dict[str, Any] = {
        "identifier": task.id,
        "task": task.task.name,
        "categories": list(task.categories),
        "settings": dict(settings),
        "valid": True,
        "success": judged.success,
        "goals_met": {kind: list(counts) for kind, counts in judged.goals.items()},
        "progress": round(judged.verdict.progress, 6),
        "path_weighted_success": round(metrics["path_weighted_success"], 6),
        "steps": clock,
        "actions": len(trace.actions),
        "refused": len(trace.skipped),
        **{name: sum(errors[error] for error in kinds) for name, kinds in KINDS.items()},
        "ending": ending,
        "explanation": cut_text(
            explain_trace(trace, judged.verdict, judged.success, judged.success)
        ),
        "plan": [world.line(action) for action in trace.actions],
        **world.noted(task, judged.verdict),
    }
    return Score(task.id, metrics, record).exclude(world.exclusion_reason(task, protocol))


def count(score: Score) -> Counter[str]:
    """Return the counts of one session for the sums of :func:`rates`."""
    sums: Counter[str] = Counter()
    if not score.valid:
        return sums
    sums["tasks"] = 1
    for name in ("success", "progress", "path_weighted_success", "actions", "refused", *KINDS):
        sums[name] = score.record[name]
    for kind, (met, total) in score.record["goals_met"].items():
        sums[f"{kind} met"], sums[f"{kind} goals"] = met, total
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Compute the summary from sums: shares of tasks and of goals, and actions per task.

    Shares are rounded, and 0 if there is nothing to count. If ``exact``, as in tables, they are
    unrounded percentages, and NaN if there is nothing to count.
    """
    share = partial(share_of, exact=exact)

    def mean(name: str) -> float:
        tasks = sums["tasks"]
        return round(sums[name] / tasks, 4) if tasks else 0.0

    kinds = [name.removesuffix(" goals") for name in sums if name.endswith(" goals")]
    return {
        "task_success_rate": share(sums["success"], sums["tasks"]),
        "path_weighted_success": share(sums["path_weighted_success"], sums["tasks"]),
        "progress": share(sums["progress"], sums["tasks"]),
        "goals": {kind: share(sums[f"{kind} met"], sums[f"{kind} goals"]) for kind in kinds},
        "actions": mean("actions"),
        "refused": {"total": mean("refused"), **{name: mean(name) for name in KINDS}},
    }
