"""Compare two runs, or one run under two protocols."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homebody.core import HomebodyError, Protocol, Suite
from homebody.results.comparison_records import Change, Comparison, Difference, VerdictChange
from homebody.results.inference import clustered_mean, detectable_difference, holm
from homebody.results.prompt_versions import prompt_versions_note
from homebody.results.samples import ComparableRun, Sample


def compare(first: ComparableRun, second: ComparableRun) -> Comparison:
    """Compare two runs of a suite.

    Args:
        first: A, the baseline.
        second: B.

    Raises:
        HomebodyError: They have different suites, protocols or data, share no task or metric, or
            statsmodels is not installed.
    """
    for field in ("suite", "protocol", "data"):
        there, here = getattr(first, field), getattr(second, field)
        if there != here:
            raise HomebodyError(
                f"{first.name} and {second.name} cannot be compared: {field} is {there} there,"
                f" {here} here",
                "to compare two protocols of one run, use --protocols",
            )
    names = first.name, second.name
    tries = _by_task(first.samples), _by_task(second.samples)
    shared = [task for task in tries[0] if task in tries[1]]
    if not shared:
        raise HomebodyError(f"{names[0]} and {names[1]} share no task")
    clusters = [tries[0][task][0].cluster for task in shared]
    metrics = [
        metric
        for metric in tries[0][shared[0]][0].metrics
        if all(metric in each.metrics for of in tries for task in shared for each in of[task])
    ]
    if not metrics:
        raise HomebodyError(f"{names[0]} and {names[1]} share no metric")
    means: dict[str, list[tuple[float, float]]] = {
        metric: [(_mean(tries[0][task], metric), _mean(tries[1][task], metric)) for task in shared]
        for metric in metrics
    }
    estimates = {
        metric: clustered_mean([b - a for a, b in pairs], clusters)
        for metric, pairs in means.items()
    }
    # without variance there is no test
    corrected = holm([each.p if each.error > 0 else math.nan for each in estimates.values()])
    differences = tuple(
        Difference(
            metric,
            math.fsum(a for a, _ in means[metric]) / len(shared),
            math.fsum(b for _, b in means[metric]) / len(shared),
            estimate,
            p,
            detectable_difference(estimate.error * math.sqrt(estimate.clusters), estimate.clusters),
        )
        for (metric, estimate), p in zip(estimates.items(), corrected, strict=True)
    )
    metric = next((name for name in ("success", "f1", "progress") if name in metrics), metrics[0])
    changes = [
        Change(task, a, b, _why(tries[0][task], metric), _why(tries[1][task], metric))
        for task, (a, b) in zip(shared, means[metric], strict=True)
        if a != b
    ]
    by_size = sorted(changes, key=lambda change: (change.second - change.first, change.task))
    return Comparison(
        first.suite,
        names,
        differences,
        metric,
        tuple(change for change in reversed(by_size) if change.second > change.first),
        tuple(change for change in by_size if change.second < change.first),
        len(shared) - len(changes),
        len(tries[0].keys() ^ tries[1].keys()),
        len(set(clusters)),
        prompt_versions_note((each.name, each.run) for each in (first, second)),
    )


def _by_task(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    """Return task -> its valid samples."""
    tries: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.valid:
            tries.setdefault(sample.identifier, []).append(sample)
    return tries


def _mean(tries: Sequence[Sample], metric: str) -> float:
    return math.fsum(each.metrics[metric] for each in tries) / len(tries)


def _why(tries: Sequence[Sample], metric: str) -> str:
    return min(tries, key=lambda each: each.metrics[metric]).explanation


def rejudge(
    suite: Suite[Any],
    outputs: Sequence[tuple[str, int, str]],
    first: Protocol,
    second: Protocol,
) -> tuple[VerdictChange, ...]:
    """Return the outputs with different verdicts under two protocols, and the quirks that cause the
    differences.

    Args:
        suite: The suite; its metrics must include success.
        outputs: Task id, epoch and text of each output.
        first: A.
        second: B.
    """
    every = suite.published.quirks
    differing = sorted(first.rules(every) ^ second.rules(every))
    loaded: dict[Protocol, Mapping[str, Any]] = {}

    def judge(name: str, text: str, rules: Protocol) -> tuple[bool, str]:
        if rules not in loaded:
            tasks = suite.tasks.load(rules)
            loaded[rules] = {suite.tasks.identify(task): task for task in tasks}
        score = suite.score(loaded[rules][name], text, rules)
        if "success" not in score.metrics:
            raise HomebodyError(f"{suite.name} has no metric 'success'")
        return score.metrics["success"] == 1, str(score.record.get("explanation", ""))

    found = []
    for name, epoch, text in outputs:
        (a, why_a), (b, why_b) = judge(name, text, first), judge(name, text, second)
        if a != b:
            decisive = [
                quirk
                for quirk in differing
                if judge(name, text, _with_other(first, quirk, every))[0] == b
            ]
            found.append(VerdictChange(name, epoch, a, b, tuple(decisive), why_a, why_b))
    return tuple(found)


def _with_other(rules: Protocol, quirk: str, every: Any) -> Protocol:
    """Return a protocol with one quirk or choice inverted."""
    name, kept = f"{rules.name}, {quirk}", rules.kept_quirks(every)
    if quirk not in every:
        return replace(rules, name=name, choices=rules.choices ^ {quirk})
    return replace(rules, name=name, quirks=kept ^ {quirk}, repaired=frozenset())
