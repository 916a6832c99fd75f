"""Tables of difficulty as text, Markdown, CSV and JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from typing import TypeAlias

from homebody.core.ground.escaping import escape_json
from homebody.results.difficulty import Difficulty, bounds, regroup
from homebody.results.table import Format, align, render_records

Models: TypeAlias = Mapping[str, Difficulty]
"""Model name -> result of :func:`.difficulty.difficulty`."""
MIN_TASKS, MAX_GROUPS = 10, 7
"""Tables and figures merge neighbouring values until each group has ``MIN_TASKS`` tasks and there
are at most ``MAX_GROUPS`` groups; JSON has every value."""


def shared_bounds(models: Models, factor: int) -> list[tuple[float, float]]:
    """Return ranges of a factor's values for all models, see :func:`bounds`."""
    sizes: Counter[float] = Counter()
    for measured in models.values():
        for group in measured.factors[factor].groups:
            sizes[group.least] = max(sizes[group.least], group.tasks)
    return bounds(sizes, smallest=MIN_TASKS, most=MAX_GROUPS)


def correlation_records(models: Models) -> list[dict[str, str]]:
    """Return a record per model and factor with its rank correlation.

    If a correlation is undefined, a column gives the reason.
    """
    found = [factor.correlation for measured in models.values() for factor in measured.factors]
    lacking = any(correlation.why_none for correlation in found)
    return [
        {
            "Model": model,
            "Metric": measured.metric,
            "Factor": factor.name,
            "Tasks": str(measured.tasks),
            "Spearman": _format_signed(factor.correlation.spearman),
            "Kendall": _format_signed(factor.correlation.kendall),
            "p": _p(factor.correlation.p),
            **({"Why none": factor.correlation.why_none} if lacking else {}),
        }
        for model, measured in models.items()
        for factor in measured.factors
    ]


def group_records(models: Models) -> list[dict[str, str]]:
    """Return a record per model, factor and group of values; rates in percent."""
    return [
        {
            "Model": model,
            "Factor": factor.name,
            "Value": group.label,
            "Tasks": str(group.tasks),
            _title(measured.metric): _percent(group.mean),
            "95 % interval": _interval(group.low, group.high),
        }
        for model, measured in models.items()
        for at, factor in enumerate(measured.factors)
        for group in regroup(factor.groups, shared_bounds(models, at))
    ]


def action_records(models: Models) -> list[dict[str, str]]:
    """Return a record per model and action; rates in percent."""
    return [
        {
            "Model": model,
            "Action": row.name,
            "Tasks": str(row.tasks),
            _title(measured.metric): _percent(row.mean),
            "95 % interval": _interval(row.low, row.high),
            "Steps": str(row.steps),
            "Executed": _percent(row.executed),
        }
        for model, measured in models.items()
        for row in measured.actions
    ]


def predicate_records(models: Models) -> list[dict[str, str]]:
    """Return a record per model and goal predicate; rates in percent."""
    return [
        {
            "Model": model,
            "Goal": row.name,
            "Kind": row.kind,
            "Tasks": str(row.tasks),
            "Goals": str(row.goals),
            "Met": _percent(row.met),
            "95 % interval": _interval(row.low, row.high),
        }
        for model, measured in models.items()
        for row in measured.predicates
    ]


TABLES: Mapping[str, Callable[[Models], list[dict[str, str]]]] = {
    "Rank correlation": correlation_records,
    "By value": group_records,
    "By action of the ground truth": action_records,
    "By goal predicate": predicate_records,
}


def render_difficulty(models: Models, form: Format) -> str:
    """Return all tables as text. In CSV, it is one table with one number per line."""
    if form is Format.JSON:
        return as_json(models)
    if form is Format.CSV:
        return render_records(_long(models), form)
    sections = []
    for title, records_of in TABLES.items():
        records = records_of(models)
        if not records:
            continue
        if form is Format.MARKDOWN:
            sections.append(f"## {title}\n\n{render_records(records, form)}")
        else:
            sections.append(f"{title}\n\n{align(records)}")
    return "\n\n".join(sections)


def as_json(models: Models) -> str:
    """Return all tables unrounded, with one group for each value. nan is written as null."""
    document = [{"model": model, **asdict(measured)} for model, measured in models.items()]
    return escape_json(document)


def _long(models: Models) -> list[dict[str, str]]:
    return [
        {"model": model, **line} for model, measured in models.items() for line in _lines(measured)
    ]


def _lines(measured: Difficulty) -> Iterator[dict[str, str]]:
    """Yield a line for each number about one model."""
    for factor in measured.factors:
        for g in factor.groups:
            yield _line("factor", factor.name, g.label, g.tasks, g.mean, g.low, g.high)
    for factor in measured.factors:
        found = asdict(factor.correlation)
        if why := found.pop("why_none"):
            yield _line("correlation", factor.name, f"none: {why}", measured.tasks, math.nan)
            continue
        for name, value in found.items():
            yield _line("correlation", factor.name, name, measured.tasks, value)
    for use in measured.actions:
        yield _line("action", use.name, measured.metric, use.tasks, use.mean, use.low, use.high)
        executed = use.executed, use.executed_low, use.executed_high
        yield _line("action", use.name, "executed", use.steps, *executed)
    for goal in measured.predicates:
        yield _line("predicate", goal.name, goal.kind, goal.tasks, goal.met, goal.low, goal.high)


def _line(
    table: str,
    name: str,
    value: str,
    n: int,
    mean: float,
    low: float = math.nan,
    high: float = math.nan,
) -> dict[str, str]:
    numbers = {"n": n, "mean": mean, "low": low, "high": high}
    shown = {k: "" if math.isnan(v) else f"{v:.6g}" for k, v in numbers.items()}
    return {"table": table, "name": name, "value": value, **shown}


def _title(metric: str) -> str:
    return metric.replace("_", " ").capitalize()


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"


def _interval(low: float, high: float) -> str:
    if math.isnan(low):
        return ""
    return f"{_percent(low)}\N{EN DASH}{_percent(high)}"


def _format_signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+.2f}"


def _p(value: float) -> str:
    if math.isnan(value):
        return "-"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
