"""A suite's scoring as an Inspect scorer, with metrics and their standard errors.

Tasks that the protocol leaves out are unscored for Inspect, so that they are in no denominator.
Standard errors are clustered by task: asking each task several times (epochs) does not make a
result look surer than the number of tasks allows. With one epoch they are the usual ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Scorer, Target, Value, metric, scorer
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import TaskState

from homebody.core import Score, Suite
from homebody.evals.logs import SCORER
from homebody.evals.lookup import tasks_by_id
from homebody.evals.metadata import score_from_metadata, score_to_metadata
from homebody.evals.replanning import attempts_of
from homebody.evals.solvers import PIPELINE, in_world
from homebody.evals.threads import judged
from homebody.results.table import make_row
from homebody.suites import get_suite

NO_CATEGORY = "uncategorised"

on_scored: ContextVar[Callable[[], None]] = ContextVar("on_scored", default=lambda: None)
"""Called whenever a sample is scored; :func:`homebody.evals.run` shows progress with it."""


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
    """Mean over all samples."""

    def measure(scores: list[SampleScore]) -> Value:
        return _mean(scores)

    return measure


@metric(name="stderr", scores="unreduced")
def stderr() -> Metric:
    """Standard error of the mean, clustered by task."""

    def measure(scores: list[SampleScore]) -> Value:
        return _stderr(scores)

    return measure


@metric(scores="unreduced")
def by_category() -> Metric:
    """Mean over the samples of each category; a task may be in several."""

    def measure(scores: list[SampleScore]) -> Value:
        return {**_by_category(scores, _mean)}

    return measure


@metric(scores="unreduced")
def by_category_stderr() -> Metric:
    """Standard error of each category's mean, clustered by task."""

    def measure(scores: list[SampleScore]) -> Value:
        return {**_by_category(scores, _stderr)}

    return measure


@metric(scores="unreduced")
def summary(suite: str, protocol: str) -> Metric:
    """The columns of the paper's table, in percent, with standard errors.

    Rates over goals (micro averages) are not means over tasks; their errors are by jackknife
    over tasks.
    """

    judge = get_suite(suite)

    def measure(scores: list[SampleScore]) -> Value:
        row = make_row("", judge, [score_from_metadata(s.score.metadata or {}) for s in scores])
        errors = {f"{header} stderr": error for header, error in row.errors.items()}
        return {**row.values, **errors}

    return measure


def suite_metrics(suite: str, protocol: str) -> list[Metric | dict[str, list[Metric]]]:
    """The summary, and each of a score's metrics on its own."""
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
    """Score an answer as the suite does; the whole score is kept in the metadata.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        fail_probability: How often an action has no effect.
        seed: Of what fails.
        bounds: Limits of the work for one output that are other than the suite's.
    """
    judge = get_suite(suite).bounded(bounds or {})
    rules = judge.protocol(protocol)
    tasks = tasks_by_id(suite, protocol)

    async def judge_answer(state: TaskState, target: Target) -> InspectScore:
        output = state.output.completion
        last = max(len(attempts_of(state.metadata)) - 1, 0)
        task = tasks[str(state.sample_id)]
        task = in_world(judge, task, fail_probability, seed, state.epoch, last)
        score = await judged(judge, task, output, rules)
        result = _with_history(score, judge, state.metadata)
        on_scored.get()()
        return InspectScore(
            value=dict(result.metrics) if result.valid else float("nan"),
            answer=output,
            explanation=str(result.record.get("explanation", "")),
            metadata=score_to_metadata(result),
        )

    return judge_answer


def _with_history(score: Score, suite: Suite[Any], metadata: Mapping[str, Any]) -> Score:
    """A score whose record also says what came before the answer: attempts, and the answer of a
    pipeline's first suite, under that suite's name."""
    history: dict[str, Any] = {}
    attempts = attempts_of(metadata)
    if attempts:
        history["attempts"] = [attempt.record() for attempt in attempts]
    before = metadata.get(PIPELINE)
    if before is not None and suite.pipeline is not None:
        first = score_from_metadata(before["score"])
        history[suite.pipeline.first.rpartition(".")[2]] = {
            **{key: first.record[key] for key in suite.pipeline.repeated},
            **{key: value for key, value in before.items() if key not in ("output", "score")},
            "output": before["output"],
        }
    return replace(score, record={**score.record, **history}) if history else score
