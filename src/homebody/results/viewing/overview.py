"""The overview of runs: tables in the papers' layout, errors, difficulty and abilities."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from homebody._version import __version__
from homebody.core import HomebodyError, Suite
from homebody.core.ground.escaping import escape
from homebody.core.viewing import Ability
from homebody.results.difficulty import Factor, bounds, difficulty, regroup
from homebody.results.prompt_versions import prompt_versions_note
from homebody.results.reference import among, paper_of
from homebody.results.rows import Row, excluded_note, failed_note, make_row, measured_headers
from homebody.results.table import headers_of, title
from homebody.results.viewing.runs import Run
from homebody.results.viewing.samples import VERDICTS, problems_of, safe, verdict_of
from homebody.suites import loadable_suites

FORMAT: Final = "homebody-view"
VERSION: Final = 1
SHUFFLES: Final = 1_000
"""Number of shuffles in the permutation tests of correlations with success."""
MIN_GROUP: Final = 5
"""Minimum number of tasks for a mean."""
MAX_GROUPS: Final = 8
"""Maximum number of means per factor."""
EDITED: Final = "its records were edited, so it is excluded from tables"
DAMAGED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Exceptions that a suite may raise when it reads records that somebody has edited."""
MAX_PROBLEMS: Final = 12
"""Maximum number of kinds of problems counted per run."""


def overview(
    runs: Sequence[Run], *, papers: bool = False, live: bool = False, name: str = ""
) -> dict[str, Any]:
    """Return the document ``data/runs.json``.

    Args:
        runs: The runs to show.
        papers: True if suites without a run have a table of published rows.
        live: True if runs may grow.
        name: Title of the page.
    """
    tables = list(_tables(runs))
    if papers:
        tables += _of_papers({run.suite.name for run in runs})
    return {
        "format": FORMAT,
        "version": VERSION,
        "homebody": __version__,
        "name": escape(name, 200),
        "live": live,
        "verdicts": list(VERDICTS),
        "runs": [_run(run) for run in runs],
        "tables": tables,
        "abilities": _abilities(runs),
    }


def _run(run: Run) -> dict[str, Any]:
    counts = Counter(verdict_of(record) for record in run.records)
    problems: Counter[str] = Counter()
    for record in run.records:
        problems.update(set(problems_of(run.suite, record)))
    common = problems.most_common(MAX_PROBLEMS)
    return {
        "id": run.id,
        "name": run.name,
        "suite": run.suite.name,
        "title": escape(run.suite.title, 300),
        "protocol": run.protocol.name,
        "samples": len(run.records),
        "total": run.total,
        "verdicts": [counts[verdict] for verdict in VERDICTS],
        "problems": [[escape(problem, 200), number] for problem, number in common],
        "difficulty": _difficulty(run),
        "made": safe(run.made, 500),
        "source": escape(run.source, 500),
        "note": escape(run.note, 500),
    }


# -- tables ---------------------------------------------------------------------------------------


def _tables(runs: Iterable[Run]) -> Iterator[dict[str, Any]]:
    """Yield one table for each combination of suite, protocol and version of the data. Runs in one
    table are comparable."""
    groups: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        data = run.made.get("data", {})
        groups.setdefault((run.suite.name, run.protocol.name, str(data)), []).append(run)
    for (_, protocol, _), own in groups.items():
        suite = own[0].suite
        made = [(run, _row(run)) for run in own]
        rows = [row for _, row in made if row is not None]
        ids = {id(row): run.id for run, row in made if row is not None}
        notes = [f"{run.name}: {EDITED}" for run, row in made if row is None]
        left_out = [excluded_note(row, own[0].protocol) for row in rows]
        notes += dict.fromkeys(filter(None, left_out))
        notes += [f"{run.name}: {failed_note(run.errors)}" for run in own if run.errors]
        notes += filter(None, [prompt_versions_note((run.name, run.made) for run in own)])
        yield {
            **_table(suite, among(rows, suite), ids),
            "protocol": protocol,
            "caption": title(suite, own[0].protocol),
            "notes": [*_notes(suite, protocol), *(escape(note, 1_000) for note in notes)],
        }


def _row(run: Run) -> Row | None:
    """Return a run's metrics; None if its records are damaged."""
    try:
        return make_row(run.name, run.suite, run.scores, run.errors)
    except DAMAGED:
        return None


def _of_papers(shown_already: set[str]) -> Iterator[dict[str, Any]]:
    for suite in loadable_suites():
        if suite.name not in shown_already and (rows := among([], suite)):
            yield {
                **_table(suite, rows, {}),
                "protocol": "",
                "caption": f"{suite.name}, in %, as published",
                "notes": _notes(suite, "published"),
            }


def _notes(suite: Suite[Any], protocol: str) -> list[str]:
    paper = paper_of(suite.name)
    if paper is None:
        return []
    if paper.note:
        return [paper.note]
    return (
        []
        if protocol == "published"
        else [
            "The published figures come from the published evaluator; use --protocol published to"
            " compare with them."
        ]
    )


def _table(suite: Suite[Any], rows: Sequence[Row], ids: Mapping[int, str]) -> dict[str, Any]:
    headers = headers_of(rows, suite)
    lows = {h for h, measure in suite.reporting.measures.items() if measure.best == "low"}
    counted = {*headers} - {*measured_headers(suite)}
    return {
        "suite": suite.name,
        "title": escape(suite.title, 300),
        "headers": [
            {"name": escape(header), "low": header in lows, "count": header in counted}
            for header in headers
        ],
        "rows": [
            {
                "name": escape(row.name),
                "run": ids.get(id(row)),
                "tasks": row.tasks,
                "asked": row.asked,
                "values": [_number(row.values.get(header)) for header in headers],
                "errors": [_number(row.errors.get(header)) for header in headers],
                "source": row.source,
            }
            for row in rows
        ],
    }


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, 4)


# -- difficulty -----------------------------------------------------------------------------------


def _difficulty(run: Run) -> list[dict[str, Any]]:
    """Return the success rates by properties of tasks; empty if the properties are unknown."""
    metrics = {metric for score in run.scores[:1] for metric in score.metrics}
    metric = next((each for each in ("success", "f1") if each in metrics), None)
    known = [score for score in run.scores if score.identifier in run.tasks]
    if run.suite.experiments.demands is None or metric is None or not known:
        return []
    try:
        found = difficulty(
            run.suite, known, run.tasks.values(), metric=metric, permutations=SHUFFLES
        )
    except (HomebodyError, *DAMAGED):
        return []
    return [
        {
            "name": factor.name,
            "metric": metric,
            "groups": [
                [group.label, group.tasks, *map(_number, (group.mean, group.low, group.high))]
                for group in regroup(factor.groups, _ranges(factor))
            ],
            "rho": _number(factor.correlation.spearman),
            "p": _number(factor.correlation.p),
            "why": factor.correlation.why_none,
        }
        for factor in found.factors
    ]


def _ranges(factor: Factor) -> list[tuple[float, float]]:
    sizes = {group.least: group.tasks for group in factor.groups}
    return bounds(sizes, smallest=MIN_GROUP, most=MAX_GROUPS)


# -- abilities ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """One run's mean over the tasks of an ability, and its clustered variance."""

    suite: str
    tasks: int
    mean: float
    variance: float


def _abilities(runs: Sequence[Run]) -> dict[str, Any]:
    """Return each model's abilities, computed from the tasks that suites assign to each ability.

    An ability is a mean over suites: each suite contributes the mean over its tasks, so all suites
    count equally. A run under ``corrected`` takes precedence over other protocols.
    """
    parts: dict[str, dict[str, dict[str, _Part]]] = {}
    fed: dict[tuple[str, str], dict[str, str]] = {}
    first = sorted(runs, key=lambda run: run.protocol.name != "corrected")
    for run in first:
        for ability in run.suite.viewing.abilities:
            part = _part(run, ability)
            source = {"measure": ability.measure, "tasks": ability.tasks}
            fed.setdefault((ability.name, run.suite.name), source)
            if part is not None:
                of = parts.setdefault(run.name, {}).setdefault(ability.name, {})
                of.setdefault(run.suite.name, part)
    names = sorted({name for name, _ in fed})
    return {
        "names": names,
        "fed": [
            {"ability": name, "suite": suite, **source}
            for (name, suite), source in sorted(fed.items())
        ],
        "profiles": [
            {
                "model": model,
                "values": [_profile(tuple(own.get(name, {}).values())) for name in names],
            }
            for model, own in sorted(parts.items())
        ],
    }


def _part(run: Run, ability: Ability) -> _Part | None:
    by_task: dict[str, list[float]] = {}
    clusters: dict[str, set[str]] = {}
    applies_to = ability.applies_to
    for score in run.scores:
        try:
            value = score.record.get(ability.measure)
            counts = score.valid and (applies_to is None or applies_to(score.record))
        except DAMAGED:
            continue
        if counts and isinstance(value, int | float) and math.isfinite(value):
            by_task.setdefault(score.identifier, []).append(float(value))
            clusters.setdefault(score.cluster or score.identifier, set()).add(score.identifier)
    if not by_task:
        return None
    means = {task: fmean(values) for task, values in by_task.items()}
    mean, number = fmean(means.values()), len(clusters)
    off = [math.fsum(means[task] - mean for task in own) for own in clusters.values()]
    spread = math.nan  # unknown for one cluster
    if number > 1:
        spread = math.fsum(each * each for each in off) * number / (number - 1) / len(means) ** 2
    return _Part(run.suite.name, len(means), mean, spread)


def _profile(parts: Sequence[_Part]) -> dict[str, Any] | None:
    if not parts:
        return None
    error = math.sqrt(math.fsum(part.variance for part in parts)) / len(parts)
    return {
        "mean": round(100 * fmean(part.mean for part in parts), 2),
        "error": _number(100 * error),
        "tasks": sum(part.tasks for part in parts),
        "suites": [part.suite for part in parts],
    }
