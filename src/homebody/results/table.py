"""Tables in the shape of the papers', for terminals, documents and other programs."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from homebody.core import Protocol, Score, Suite
from homebody.results.statistics import jackknife


class Format(StrEnum):
    """How to print a table."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Row:
    """One model: its numbers by column header, and their standard errors."""

    name: str
    tasks: int
    values: Mapping[str, float]
    errors: Mapping[str, float]


def make_row(name: str, suite: Suite[Any], scores: Sequence[Score]) -> Row:
    """The numbers of one model's scores, unrounded; rates are in percent."""
    counted = [score for score in scores if score.valid]
    headers = [*suite.columns, *suite.means]
    by_task: dict[str, Counter[str]] = {}
    for score in counted:
        own = by_task.setdefault(score.identifier, Counter())
        own.update(suite.count(score))
        own.update({f"mean {metric}": score.metrics[metric] for metric in suite.means.values()})
        own["outputs"] += 1

    def numbers(sums: Mapping[str, float]) -> list[float]:
        summary = suite.rates(sums, exact=True)
        outputs = sums["outputs"] or 1
        return [_at(summary, path) for path in suite.columns.values()] + [
            100 * sums[f"mean {metric}"] / outputs for metric in suite.means.values()
        ]

    total: Counter[str] = Counter()
    for own in by_task.values():
        total.update(own)
    values = dict(zip(headers, numbers(total), strict=True))
    errors = dict(zip(headers, jackknife(numbers, by_task), strict=True))
    for header, key in suite.tallies.items():
        values[header] = sum(score.record[key] for score in counted)
    return Row(name, len(by_task), values, errors)


def _at(summary: Mapping[str, Any], path: Sequence[str]) -> float:
    value: Any = summary
    for key in path:
        value = value[key]
    return float(value)


def render(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, form: Format) -> str:
    """A table as text in any format but :attr:`Format.TABLE`."""
    headers = [*suite.columns, *suite.means, *suite.tallies]
    if form is Format.JSON:
        document = {
            "suite": suite.name,
            "protocol": protocol.name,
            "models": [
                {
                    "model": row.name,
                    "tasks": row.tasks,
                    "values": {k: round(v, 4) for k, v in row.values.items()},
                    "standard_errors": {k: round(v, 4) for k, v in row.errors.items()},
                }
                for row in rows
            ],
        }
        return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()  # nan becomes null
    if form is Format.CSV:
        return _csv(
            [
                ["Model", "Tasks", *headers, *(f"{h} SE" for h in (*suite.columns, *suite.means))],
                *(
                    [
                        row.name,
                        row.tasks,
                        *(round(row.values[h], 4) for h in headers),
                        *("" if math.isnan(e) else round(e, 4) for e in row.errors.values()),
                    ]
                    for row in rows
                ),
            ]
        )
    first = ["Model", "Tasks", *headers]
    return _markdown(
        [
            first,
            ["---", *("---:" for _ in first[1:])],
            *([row.name, str(row.tasks), *(cell(row, h) for h in headers)] for row in rows),
        ]
    )


def render_records(records: Sequence[Mapping[str, str]], form: Format) -> str:
    """Plain records: a line each for people, or in the format asked for."""
    if form is Format.JSON:
        return orjson.dumps(list(records), option=orjson.OPT_INDENT_2).decode()
    headers = list(records[0]) if records else []
    lines = [[record[h] for h in headers] for record in records]
    if form is Format.CSV:
        return _csv([headers, *lines])
    if form is Format.MARKDOWN:
        return _markdown([headers, ["---"] * len(headers), *lines])
    return "\n".join("  ".join(line) for line in lines) + f"\n{len(lines)} in all"


def _csv(lines: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().rstrip("\n")


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        "| " + " | ".join(word.replace("|", "\\|") for word in line) + " |" for line in lines
    )


def cell(row: Row, header: str) -> str:
    """A number with its standard error, if it has one that is not zero."""
    value = row.values[header]
    error = row.errors.get(header)
    if error is None:
        return f"{value:.0f}"
    if math.isnan(error) or error < 0.05:
        return f"{value:.1f}"
    return f"{value:.1f} ± {error:.1f}"


def print_table(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol) -> None:
    """Print for a person: a row per model if that fits the terminal, else a column."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    console = Console(markup=False, emoji=False, highlight=False)  # names are not ours
    headers = [*suite.columns, *suite.means, *suite.tallies]
    print(f"{suite.name}, in %, {protocol.name} protocol")
    lines = [
        [row.name, str(row.tasks), *(cell(row, h).replace(" ± ", "\n±") for h in headers)]
        for row in rows
    ]
    wide = Table(box=SIMPLE, pad_edge=False)
    needed = 2  # the edges; then each column and what is between two
    for at, header in enumerate(["Model", "Tasks", *headers]):
        words = [word for text in (header, *(line[at] for line in lines)) for word in text.split()]
        width = max(map(len, words if at else [line[0] for line in lines] + words))
        wide.add_column(header, justify="right" if at else "left", width=width)
        needed += width + (3 if at else 0)
    for line in lines:
        wide.add_row(*line)
    if needed <= console.width:
        console.print(wide)
        return
    tall = Table(box=SIMPLE, pad_edge=False)
    tall.add_column("")
    for row in rows:
        tall.add_column(row.name, justify="right")
    tall.add_row("Tasks", *(str(row.tasks) for row in rows))
    for header in headers:
        tall.add_row(header, *(cell(row, header) for row in rows))
    console.print(tall)
