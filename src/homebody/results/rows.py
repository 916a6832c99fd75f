"""What a row of a table says: the numbers of one model, and what is to be said beside them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from homebody.core import Protocol, SampleError, Score, Suite
from homebody.core.ground.escaping import escape
from homebody.core.play.conversation import STOP_REASON, STOP_REASONS, StopReason
from homebody.core.score import LEFT_OUT, MAX_REASON, Usage
from homebody.results.jackknife import jackknife

ENDINGS: Final[Mapping[str, StopReason]] = {
    "Truncated answers": "max_tokens",
    "Refused answers": "refused",
    "Empty answers": "empty",
}
"""Column -> the stop reason of the answers that it counts."""
COST: Final = "Cost $"
"""Column of what all samples cost together, where prices are known."""
USED: Final = ("Input tokens", "Output tokens", "Seconds", COST)
"""Columns of what models took: of a sample on average, but for the cost."""
MAX_REASONS: Final = 5
"""Reasons of failures that a note lists."""


@dataclass(frozen=True, slots=True)
class Row:
    """One model: its numbers by column header, and their standard errors, those of drawing other
    clusters of tasks (:attr:`homebody.core.suite.Tasks.cluster`).

    A row of published figures has their ``source``, and only the numbers and errors that were
    published; nor does it say of how many tasks. Of ``asked`` tasks, those that have no score, as
    who was asked ended in an exception, are in no number. Nor are those that the protocol has
    ``left_out``, by their ids with the reason; they count as neither asked nor done.
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
    """The numbers of one model's scores, unrounded; rates are in percent.

    Args:
        name: Of the model or agent.
        suite: What it was evaluated on.
        scores: Of its answers.
        errors: Samples that have no score.
    """
    counted = [score for score in scores if score.valid]
    headers = measured(suite)
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
    values = {**_endings(counted), **_used(scores), **values}
    tasks = {score.identifier for score in counted}
    asked = {*tasks, *(error.identifier for error in errors)}
    left_out = {
        score.identifier: escape(str(score.record.get(LEFT_OUT, "")), 60)
        for score in scores
        if score.identifier not in asked
    }
    return Row(name, len(tasks), values, deviations, asked=len(asked), left_out=left_out)


def failed_note(errors: Sequence[SampleError], scored: int | None = None) -> str:
    """What is to be said of samples without a score, beside so many with one: how many of all, why
    (by what stands before the colon in their reasons), and the first; empty if there are none."""
    if not errors:
        return ""
    reasons = Counter(error.reason.partition(":")[0] for error in errors).most_common()
    why = [f"{escape(reason, 60)} ({number})" for reason, number in reasons[:MAX_REASONS]]
    why += ["..."] if len(reasons) > MAX_REASONS else []
    first, count = errors[0], len(errors)
    said = f": {escape(first.reason, MAX_REASON)}" if ":" in first.reason else ""
    of = "" if scored is None else f" of {count + scored}"
    plural = "s" if count + (scored or 0) > 1 else ""
    return (
        f"{count}{of} sample{plural} failed, and {'is' if count == 1 else 'are'} in no number:"
        f" {', '.join(why)}; the first, {escape(first.identifier, 60)}{said} ({first.kind})"
    )


def _endings(scores: Sequence[Score]) -> dict[str, float]:
    """How many answers of a model did not end as they should; nothing of who is no model."""
    reasons: Counter[str] = Counter()
    for score in scores:
        alone, several = (score.record.get(key) for key in (STOP_REASON, STOP_REASONS))
        reasons.update([alone] if isinstance(alone, str) else ())
        reasons.update(several if isinstance(several, Mapping) else ())
    return {header: reasons[reason] for header, reason in ENDINGS.items()} if reasons else {}


def _used(scores: Sequence[Score]) -> dict[str, float]:
    """What models took; nothing of who is no model."""
    each = [score.usage for score in scores if score.usage is not None]
    if not each:
        return {}
    total = sum(each, Usage())
    means = (total.input_tokens, total.output_tokens, total.seconds)
    told = {header: number / len(each) for header, number in zip(USED, means, strict=False)}
    return told if total.cost is None else {**told, COST: total.cost}


def left_out_note(row: Row, protocol: Protocol) -> str:
    """What is to be said of tasks that are in no number; empty if there are none."""
    count = len(row.left_out)
    if not count:
        return ""
    names = ", ".join(list(row.left_out)[:3]) + (", ..." if count > 3 else "")
    why = "; ".join(filter(None, dict.fromkeys(row.left_out.values())))
    of, are, them = count + row.asked, "is" if count == 1 else "are", "it" if count == 1 else "them"
    said = (
        f"{count} of {of} {'task' if of == 1 else 'tasks'} {are} in no number, as the"
        f" {protocol.name} protocol leaves {them} out{f' ({why})' if why else ''}: {names}"
    )
    return said if row.asked else f"there are no numbers: {said}"


def measured(suite: Suite[Any]) -> list[str]:
    """The headers of what has a standard error."""
    return [*suite.reporting.summary.columns, *suite.reporting.means, *suite.reporting.measures]


def _mean(sums: Mapping[str, float], total: str, count: str) -> float:
    return sums[total] / sums[count] if sums[count] else math.nan


def _at(summary: Mapping[str, Any], path: Sequence[str]) -> float:
    value: Any = summary
    for key in path:
        value = value[key]
    return float(value)
