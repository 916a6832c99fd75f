"""A suite's scoring as an Inspect scorer, with metrics and their standard errors.

Tasks that the protocol leaves out are unscored for Inspect, so that they are in no denominator.
Inspect averages the epochs of a task first. The standard error of these means over tasks equals
the standard error over all samples clustered by task, so epochs do not make a result look surer
than the number of tasks allows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from inspect_ai.scorer import (
    Metric,
    MetricProtocol,
    SampleScore,
    Scorer,
    Target,
    Value,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState

from homebody.evals.logs import SCORER, from_metadata, to_metadata
from homebody.evals.lookup import tasks_by_id
from homebody.results.table import make_row
from homebody.suites import get_suite

NO_CATEGORY = "uncategorised"

on_scored: ContextVar[Callable[[], None]] = ContextVar("on_scored", default=lambda: None)
"""Called whenever a sample is scored; :func:`homebody.evals.run` shows progress with it."""


def _by_category(scores: list[SampleScore], statistic: MetricProtocol) -> dict[str, Value]:
    groups: dict[str, list[SampleScore]] = {}
    for score in scores:
        for category in (score.sample_metadata or {}).get("categories") or (NO_CATEGORY,):
            groups.setdefault(category, []).append(score)
    return {name: statistic(groups[name]) for name in sorted(groups)}


@metric
def by_category() -> Metric:
    """Mean over the tasks of each category; a task may be in several."""

    def measure(scores: list[SampleScore]) -> Value:
        return _by_category(scores, mean())

    return measure


@metric
def by_category_stderr() -> Metric:
    """Standard error over the tasks of each category."""

    def measure(scores: list[SampleScore]) -> Value:
        return _by_category(scores, stderr())

    return measure


@metric(scores="unreduced")
def summary(suite: str, protocol: str) -> Metric:
    """The columns of the paper's table, in percent, with standard errors.

    Rates over goals (micro averages) are not means over tasks; their errors are by jackknife
    over tasks.
    """

    judge = get_suite(suite)

    def measure(scores: list[SampleScore]) -> Value:
        found = [from_metadata(s.score.metadata or {}) for s in scores]
        row = make_row("", judge, found, judge.protocol(protocol))
        errors = {f"{header} stderr": error for header, error in row.errors.items()}
        return {**row.values, **errors}

    return measure


@scorer(
    metrics={"*": [mean(), stderr(), by_category(), by_category_stderr()]}, name=SCORER
)
def suite_score(suite: str, protocol: str) -> Scorer:
    """Score an answer as the suite does; the whole score is kept in the metadata.

    Args:
        suite: Suite name.
        protocol: Protocol name.
    """
    judge = get_suite(suite)
    rules = judge.protocol(protocol)
    tasks = tasks_by_id(suite, protocol)

    async def score(state: TaskState, target: Target) -> InspectScore:
        output = state.output.completion
        result = judge.score(tasks[str(state.sample_id)], output, rules)
        on_scored.get()()
        return InspectScore(
            value=dict(result.metrics) if result.valid else float("nan"),
            answer=output,
            explanation=str(result.record.get("explanation", "")),
            metadata=to_metadata(result),
        )

    return score
