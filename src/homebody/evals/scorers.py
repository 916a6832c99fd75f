"""A suite's scoring as an Inspect scorer, with metrics and their standard errors.

Tasks that the protocol excludes are unscored for Inspect. Standard errors are clustered by task,
because samples of one task in several epochs are correlated. With one epoch they equal unclustered
standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial

from inspect_ai.scorer import Metric, SampleScore, Scorer, Target, Value, metric, scorer
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState

from homebody.evals.logs import SCORER
from homebody.evals.metadata import score_from_metadata, score_to_metadata
from homebody.evals.options import Options
from homebody.evals.samples import Setup, find_suite, judge
from homebody.evals.solvers import on_done, read_answer
from homebody.evals.threads import run_in_thread
from homebody.results.rows import make_row

NO_CATEGORY = "uncategorised"


def _by_category(
    scores: list[SampleScore], statistic: Callable[[list[SampleScore]], float]
) -> dict[str, float]:
    groups: dict[str, list[SampleScore]] = {}
    for score in scores:
        for category in (score.sample_metadata or {}).get("categories") or (NO_CATEGORY,):
            groups.setdefault(category, []).append(score)
    return {name: statistic(groups[name]) for name in sorted(groups)}


def _mean(scores: list[SampleScore]) -> float:
    return math.fsum(score.score.as_float() for score in scores) / len(scores)


def _stderr(scores: list[SampleScore]) -> float:
    tasks: dict[str, list[float]] = {}
    for score in scores:
        tasks.setdefault(str(score.sample_id), []).append(score.score.as_float())
    if len(tasks) < 2:
        return math.nan
    centre, size = _mean(scores), len(tasks)
    residuals = [math.fsum(value - centre for value in values) for values in tasks.values()]
    return math.sqrt(size / (size - 1) * math.fsum(r * r for r in residuals)) / len(scores)


@metric(name="mean", scores="unreduced")
def mean() -> Metric:
    """Return the mean over all samples."""

    def measure(scores: list[SampleScore]) -> Value:
        return _mean(scores)

    return measure


@metric(name="stderr", scores="unreduced")
def stderr() -> Metric:
    """Return the standard error of the mean, clustered by task."""

    def measure(scores: list[SampleScore]) -> Value:
        return _stderr(scores)

    return measure


@metric(scores="unreduced")
def by_category() -> Metric:
    """Return the mean of each category. A task may be in several categories."""

    def measure(scores: list[SampleScore]) -> Value:
        return {**_by_category(scores, _mean)}

    return measure


@metric(scores="unreduced")
def by_category_stderr() -> Metric:
    """Return the standard error of each category's mean, clustered by task."""

    def measure(scores: list[SampleScore]) -> Value:
        return {**_by_category(scores, _stderr)}

    return measure


@metric(scores="unreduced")
def summary(suite: str, protocol: str) -> Metric:
    """Return the columns of the paper's table, in percent, with standard errors.

    Standard errors of rates over goals (micro averages) are by jackknife over tasks.
    """
    evaluated = find_suite(suite)

    def measure(scores: list[SampleScore]) -> Value:
        row = make_row("", evaluated, [score_from_metadata(s.score.metadata or {}) for s in scores])
        errors = {f"{header} stderr": error for header, error in row.errors.items()}
        # the viewer shows the first few: put the paper's columns first
        values = sorted(
            row.values.items(), key=lambda item: item[0] not in evaluated.reporting.summary.columns
        )
        return {**dict(values), **errors}

    return measure


def suite_metrics(suite: str, protocol: str) -> list[Metric | dict[str, list[Metric]]]:
    """Return the summary and the statistics of each metric."""
    each = [mean(), stderr(), by_category(), by_category_stderr()]
    return [summary(suite, protocol), {"*": each}]


@scorer(metrics=[], name=SCORER)
def suite_score(
    suite: str,
    protocol: str,
    fail_probability: float = 0.0,
    seed: int = 0,
    bounds: Mapping[str, float] | None = None,
) -> Scorer:
    """Score an output as the suite does; keep the whole score in the metadata.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        fail_probability: Probability that an action has no effect.
        seed: Seed of the actions that fail.
        bounds: Limits of the work for one output that differ from the suite's.
    """
    options = Options(fail_probability=fail_probability, bounds=bounds or {})
    setup = Setup(find_suite(suite), protocol, seed=seed, options=options)

    async def judge_answer(state: TaskState, target: Target) -> InspectScore:
        output = state.output.completion
        answer = read_answer(output, state.metadata)
        key = str(state.sample_id), state.epoch
        try:
            result = await run_in_thread(partial(judge, setup, *key, answer))
        finally:
            on_done.get()()
        return InspectScore(
            value=dict(result.metrics) if result.valid else float("nan"),
            answer=output,
            explanation=str(result.record.get("explanation", "")),
            metadata=score_to_metadata(result),
        )

    return judge_answer
