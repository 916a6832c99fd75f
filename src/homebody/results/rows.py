"""Rows of tables: the metrics of one model, and notes about excluded samples."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from homebody.core import Protocol, SampleError, Score, Suite
from homebody.core.ground.escaping import escape
from homebody.core.play.conversation import STOP_REASON, STOP_REASONS, StopReason
from homebody.core.play.failures import KEY as LABELS
from homebody.core.play.failures import read_labels
from homebody.core.score import LEFT_OUT, MAX_REASON, Usage
from homebody.results.jackknife import jackknife

ENDINGS: Final[Mapping[str, StopReason]] = {
    "Truncated answers": "max_tokens",
    "Refused answers": "refused",
    "Empty answers": "empty",
}
"""Column -> the stop reason that it counts."""
COST: Final = "Cost $"
"""Column of the total cost, where prices are known."""
USED: Final = ("Input tokens", "Output tokens", "Seconds", COST)
"""Columns of usage: means per sample, except the cost."""
FAILED: Final = "Failed: {}"
"""Header of the column that counts the failed runs with a label."""
MAX_REASONS: Final = 5
"""Maximum number of reasons that a note lists."""


@dataclass(frozen=True, slots=True)
class Row:
    """The metrics of one model.

    Attributes:
        name: Name of the model or agent.
        tasks: Number of scored tasks; None for published figures.
        values: Column -> value.
        errors: Column -> standard error, clustered (:attr:`homebody.core.suite.Tasks.cluster`).
        source: Source of published figures; empty for own results.
        asked: Number of tasks that were run. Tasks that failed with an exception have no score.
        left_out: Id -> reason of tasks that the protocol excludes; they are not in ``asked``.
    """

    name: str
    tasks: int | None
    values: Mapping[str, float]
    errors: Mapping[str, float]
    source: str = ""
    asked: int = 0
    left_out: Mapping[str, str] = field(default_factory=dict)


def make_row(
    name: str, suite: Suite[Any], scores: Sequence[Score], errors: Iterable[SampleError] = ()
) -> Row:
    """Compute one model's metrics, unrounded; rates are in percent.

    Args:
        name: Name of the model or agent.
        suite: The suite.
        scores: Its scores.
        errors: Its samples without a score.
    """
    counted = [score for score in scores if score.valid]
    headers = measured_headers(suite)
    by_cluster: dict[str, Counter[str]] = {}
    for score in counted:
        own = by_cluster.setdefault(score.cluster or score.identifier, Counter())
        own.update(suite.reporting.summary.count(score))
        own.update(
            {f"mean {metric}": score.metrics[metric] for metric in suite.reporting.means.values()}
        )
        own["outputs"] += 1
        for header, measure in suite.reporting.measures.items():
            value: Any = measure.of(score.record)
            if value is not None:
                own[f"sum {header}"] += 100 * value if measure.percent else value
                own[f"number {header}"] += 1

    def numbers(sums: Mapping[str, float]) -> list[float]:
        summary = suite.reporting.summary.rates(sums, exact=True)
        return [
            *(_at(summary, path) for path in suite.reporting.summary.columns.values()),
            *(
                100 * _mean(sums, f"mean {metric}", "outputs")
                for metric in suite.reporting.means.values()
            ),
            *(_mean(sums, f"sum {h}", f"number {h}") for h in suite.reporting.measures),
        ]

    total: Counter[str] = Counter()
    for own in by_cluster.values():
        total.update(own)
    values = dict(zip(headers, numbers(total), strict=True))
    deviations = dict(zip(headers, jackknife(numbers, by_cluster), strict=True))
    for header, key in suite.reporting.tallies.items():
        values[header] = sum(score.record[key] for score in counted)
    others = {**_count_endings(counted), **_usage_columns(scores)}
    values = {**others, **_count_labels(suite, counted), **values}
    tasks = {score.identifier for score in counted}
    asked = {*tasks, *(error.identifier for error in errors)}
    left_out = {
        score.identifier: escape(str(score.record.get(LEFT_OUT, "")), 60)
        for score in scores
        if score.identifier not in asked
    }
    return Row(name, len(tasks), values, deviations, asked=len(asked), left_out=left_out)


def failed_note(errors: Sequence[SampleError], scored: int | None = None) -> str:
    """Return a sentence about samples without a score; empty if all have one.

    It has their number, their reasons (up to the colon) and the first sample.

    Args:
        errors: The samples without a score.
        scored: Number of samples with a score, if known.
    """
    if not errors:
        return ""
    reasons = Counter(error.reason.partition(":")[0] for error in errors).most_common()
    why = [f"{escape(reason, 60)} ({number})" for reason, number in reasons[:MAX_REASONS]]
    why += ["..."] if len(reasons) > MAX_REASONS else []
    first, count = errors[0], len(errors)
    detail = f": {escape(first.reason, MAX_REASON)}" if ":" in first.reason else ""
    of = "" if scored is None else f" of {count + scored}"
    plural = "s" if count + (scored or 0) > 1 else ""
    return (
        f"{count}{of} sample{plural} failed and {'is' if count == 1 else 'are'} excluded:"
        f" {', '.join(why)}; the first, {escape(first.identifier, 60)}{detail} ({first.kind})"
    )


def _count_endings(scores: Sequence[Score]) -> dict[str, float]:
    """Count a model's replies that were cut off, refused or empty; empty for agents."""
    reasons: Counter[str] = Counter()
    for score in scores:
        alone, several = (score.record.get(key) for key in (STOP_REASON, STOP_REASONS))
        reasons.update([alone] if isinstance(alone, str) else ())
        reasons.update(several if isinstance(several, Mapping) else ())
    return {header: reasons[reason] for header, reason in ENDINGS.items()} if reasons else {}


def label_headers(suite: Suite[Any]) -> dict[str, str]:
    """Return header -> label, for all labels of failed runs; empty if the suite's tables do not
    count them."""
    if suite.playing is None or not suite.reporting.counts_labels:
        return {}
    return {FAILED.format(label.name): label.name for label in suite.playing.analysis.all}


def _count_labels(suite: Suite[Any], scores: Sequence[Score]) -> dict[str, float]:
    """Count the failed runs with each label; empty if no run is labelled, as in old results."""
    if not any(LABELS in score.record for score in scores):
        return {}
    found = Counter(label for score in scores for label in read_labels(score.record))
    return {header: found[label] for header, label in label_headers(suite).items()}


def _usage_columns(scores: Sequence[Score]) -> dict[str, float]:
    """Return the usage columns of a model; empty for agents."""
    each = [score.usage for score in scores if score.usage is not None]
    if not each:
        return {}
    total = sum(each, Usage())
    means = (total.input_tokens, total.output_tokens, total.seconds)
    usage = {header: number / len(each) for header, number in zip(USED, means, strict=False)}
    return usage if total.cost is None else {**usage, COST: total.cost}


def excluded_note(row: Row, protocol: Protocol) -> str:
    """Return a sentence about the tasks that the protocol excludes; empty without any."""
    count = len(row.left_out)
    if not count:
        return ""
    names = ", ".join(list(row.left_out)[:3]) + (", ..." if count > 3 else "")
    why = "; ".join(filter(None, dict.fromkeys(row.left_out.values())))
    total = count + row.asked
    text = (
        f"the {protocol.name} protocol excludes {count} of {total} task{'s' * (total > 1)}"
        f"{f' ({why})' if why else ''}: {names}"
    )
    return text if row.asked else f"there are no metrics: {text}"


def measured_headers(suite: Suite[Any]) -> list[str]:
    """Return the headers of the columns with a standard error."""
    return [*suite.reporting.summary.columns, *suite.reporting.means, *suite.reporting.measures]


def _mean(sums: Mapping[str, float], total: str, count: str) -> float:
    return sums[total] / sums[count] if sums[count] else math.nan


def _at(summary: Mapping[str, Any], path: Sequence[str]) -> float:
    value: Any = summary
    for key in path:
        value = value[key]
    return float(value)
