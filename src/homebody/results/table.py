"""Tables in the shape of the papers', for terminals, documents and other programs."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal

from homebody.core import Protocol, SampleError, Score, Suite
from homebody.core.conversation import STOP_REASON, STOP_REASONS, StopReason
from homebody.core.shown import shown, shown_json
from homebody.core.task import LEFT_OUT, MAX_REASON
from homebody.results.statistics import jackknife

if TYPE_CHECKING:
    from rich.console import Console

MARK = "†"
"""Follows the names of published rows."""
ENDINGS: Final[Mapping[str, StopReason]] = {
    "Truncated answers": "max_tokens",
    "Refused answers": "refused",
    "Empty answers": "empty",
}
"""Column -> the stop reason of the answers that it counts."""
MAX_REASONS: Final = 5
"""Reasons of failures that a note lists."""


class Format(StrEnum):
    """How to print a table."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


@dataclass(frozen=True, slots=True)
class Row:
    """One model: its numbers by column header, and their standard errors.

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
    headers = _measured(suite)
    by_task: dict[str, Counter[str]] = {}
    for score in counted:
        own = by_task.setdefault(score.identifier, Counter())
        own.update(suite.reporting.count(score))
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
        summary = suite.reporting.rates(sums, exact=True)
        return [
            *(_at(summary, path) for path in suite.reporting.columns.values()),
            *(
                100 * _mean(sums, f"mean {metric}", "outputs")
                for metric in suite.reporting.means.values()
            ),
            *(_mean(sums, f"sum {h}", f"number {h}") for h in suite.reporting.measures),
        ]

    total: Counter[str] = Counter()
    for own in by_task.values():
        total.update(own)
    values = dict(zip(headers, numbers(total), strict=True))
    deviations = dict(zip(headers, jackknife(numbers, by_task), strict=True))
    for header, key in suite.reporting.tallies.items():
        values[header] = sum(score.record[key] for score in counted)
    values = {**_endings(counted), **values}
    asked = {*by_task, *(error.identifier for error in errors)}
    left_out = {
        score.identifier: shown(str(score.record.get(LEFT_OUT, "")), 60)
        for score in scores
        if score.identifier not in asked
    }
    return Row(name, len(by_task), values, deviations, asked=len(asked), left_out=left_out)


def failed_note(errors: Sequence[SampleError], scored: int | None = None) -> str:
    """What is to be said of samples without a score, beside so many with one: how many of all, why
    (by what stands before the colon in their reasons), and the first; empty if there are none."""
    if not errors:
        return ""
    reasons = Counter(error.reason.partition(":")[0] for error in errors).most_common()
    why = [f"{shown(reason, 60)} ({number})" for reason, number in reasons[:MAX_REASONS]]
    why += ["..."] if len(reasons) > MAX_REASONS else []
    first, count = errors[0], len(errors)
    said = f": {shown(first.reason, MAX_REASON)}" if ":" in first.reason else ""
    of = "" if scored is None else f" of {count + scored}"
    plural = "s" if count + (scored or 0) > 1 else ""
    return (
        f"{count}{of} sample{plural} failed, and {'is' if count == 1 else 'are'} in no number:"
        f" {', '.join(why)}; the first, {shown(first.identifier, 60)}{said} ({first.kind})"
    )


def _endings(scores: Sequence[Score]) -> dict[str, float]:
    """How many answers of a model did not end as they should; nothing of who is no model."""
    reasons: Counter[str] = Counter()
    for score in scores:
        alone, several = (score.record.get(key) for key in (STOP_REASON, STOP_REASONS))
        reasons.update([alone] if isinstance(alone, str) else ())
        reasons.update(several if isinstance(several, Mapping) else ())
    return {header: reasons[reason] for header, reason in ENDINGS.items()} if reasons else {}


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


def _measured(suite: Suite[Any]) -> list[str]:
    """The headers of what has a standard error."""
    return [*suite.reporting.columns, *suite.reporting.means, *suite.reporting.measures]


def _headers(rows: Sequence[Row], suite: Suite[Any]) -> list[str]:
    """The headers of all numbers. How answers ended has columns only where it is worth one."""
    headers = [*_measured(suite), *suite.reporting.tallies]
    endings = [header for header in ENDINGS if any(row.values.get(header) for row in rows)]
    return list(dict.fromkeys([*headers, *endings]))


def _mean(sums: Mapping[str, float], total: str, count: str) -> float:
    return sums[total] / sums[count] if sums[count] else math.nan


def _at(summary: Mapping[str, Any], path: Sequence[str]) -> float:
    value: Any = summary
    for key in path:
        value = value[key]
    return float(value)


def render(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, form: Format) -> str:
    """A table as text in any format but :attr:`Format.TABLE`."""
    headers = _headers(rows, suite)
    if form is Format.JSON:
        document = {
            "suite": suite.name,
            "protocol": protocol.name,
            "models": [_record(row, headers) for row in rows],
        }
        return shown_json(document)
    sourced = any(row.source for row in rows)
    if form is Format.CSV:
        rates = _measured(suite)
        first = ["Model", "Tasks", *headers, *(f"{header} SE" for header in rates)]
        lines = [
            [
                row.name,
                "" if row.tasks is None else row.tasks,
                *(_number(row.values.get(header)) for header in headers),
                *(_number(row.errors.get(header)) for header in rates),
            ]
            for row in rows
        ]
        if any(map(_lacks, rows)):  # a column that only tables have in which a score is missing
            first.append("Asked")
            for line, row in zip(lines, rows, strict=True):
                line.append(row.asked or "")
        if sourced:  # a column that only tables with published figures have
            first.append("Source")
            for line, row in zip(lines, rows, strict=True):
                line.append(row.source)
        return _csv([first, *lines])
    first = ["Model", "Tasks", *headers]
    table = _markdown([first, ["---", *("---:" for _ in first[1:])], *_words(rows, headers)])
    return table + f"\n\n{_footnote(rows)}" if sourced else table


def _record(row: Row, headers: Sequence[str]) -> dict[str, Any]:
    record = {
        "model": row.name,
        "tasks": row.tasks,
        **({"asked": row.asked} if _lacks(row) else {}),
        **({"left_out": dict(row.left_out)} if row.left_out else {}),
        "values": {
            header: None if header not in row.values else round(row.values[header], 4)
            for header in headers
        },
        "standard_errors": {k: round(v, 4) for k, v in row.errors.items()},
    }
    return {**record, "source": row.source} if row.source else record


def _number(value: float | None) -> float | str:
    return "" if value is None or math.isnan(value) else round(value, 4)


def _words(rows: Sequence[Row], headers: Sequence[str]) -> list[list[str]]:
    """The cells of each row as people read them."""
    return [
        [
            f"{shown(row.name)} {MARK}" if row.source else shown(row.name),
            _tasks(row),
            *(cell(row, header) for header in headers),
        ]
        for row in rows
    ]


def _tasks(row: Row) -> str:
    if row.tasks is None:
        return "-"
    return f"{row.tasks} of {row.asked}" if _lacks(row) else str(row.tasks)


def _lacks(row: Row) -> bool:
    """Whether tasks have no score."""
    return row.tasks is not None and row.tasks < row.asked


def _footnote(rows: Sequence[Row]) -> str:
    sources = dict.fromkeys(row.source for row in rows if row.source)
    return shown(f"{MARK} published: {'; '.join(sources)}")


def render_records(records: Sequence[Mapping[str, str]], form: Format) -> str:
    """Plain records of equal keys, in the format asked for; as a table, with their number."""
    if form is Format.JSON:
        return shown_json(list(records))
    headers = list(records[0]) if records else []
    lines = [[record[h] for h in headers] for record in records]
    if form is Format.CSV:
        return _csv([headers, *lines])
    if form is Format.MARKDOWN:
        return _markdown([headers, ["---"] * len(headers), *lines])
    return "\n".join(filter(None, (aligned(records), f"{len(lines)} in all")))


def aligned(records: Sequence[Mapping[str, str]]) -> str:
    """Columns as wide as they must be, under their names; those of numbers to the right."""
    if not records:
        return ""
    headers = [shown(header) for header in records[0]]
    records = [{shown(h): shown(text) for h, text in record.items()} for record in records]
    widths = {h: max(len(h), *(len(record[h]) for record in records)) for h in headers}
    right = {h for h in headers if all(_NUMBER.fullmatch(record[h]) for record in records)}
    lines = [
        "  ".join(
            row[h].rjust(widths[h]) if h in right else row[h].ljust(widths[h]) for h in headers
        ).rstrip()
        for row in ({h: h for h in headers}, *records)
    ]
    return "\n".join(lines)


_NUMBER = re.compile(r"[-+<>=±.,%\d\s\[\]()/]*")
"""What is set as a number: signs, intervals, shares, nothing at all."""


def _csv(lines: Sequence[Sequence[object]]) -> str:
    return "\n".join(",".join(map(_csv_cell, line)) for line in lines)


def _csv_cell(value: object) -> str:
    """Spreadsheets run what begins like a formula, if no apostrophe is before it, and some split at
    semicolons that are not in quotes (OWASP, CSV injection)."""
    text = shown(value)
    first = unicodedata.normalize("NFKC", text[:1])  # wide ones are the same to some
    if first.startswith(("=", "+", "-", "@")) and not _is_number(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',;"') else text


def _is_number(text: str) -> bool:
    """Whether a cell is a number, or the mark of none."""
    try:
        return text == "-" or not math.isinf(float(text))
    except ValueError:
        return False


_MARKUP = re.compile(r"[\\`|\[]|<(?=[A-Za-z/!?])")
"""What is code, a column, a link, a picture or HTML in Markdown."""


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        "| " + " | ".join(_MARKUP.sub(r"\\\g<0>", shown(word)) for word in line) + " |"
        for line in lines
    )


def cell(row: Row, header: str) -> str:
    """A number with its standard error, if it has one that is not zero."""
    value = row.values.get(header)
    if value is None or math.isnan(value):  # not published, or nothing to count
        return "-"
    error = row.errors.get(header)
    if error is None and not row.source:
        return f"{value:.0f}"
    if error is None or math.isnan(error) or error < 0.05:
        return f"{value:.1f}"
    return f"{value:.1f} ± {error:.1f}"


def title(suite: Suite[Any], protocol: Protocol) -> str:
    """What a table is of, and in which unit."""
    measures = suite.reporting.measures
    plain = ", ".join(header for header, measure in measures.items() if not measure.percent)
    unit = f"in % but for {plain}" if plain else "in %"
    return shown(f"{suite.name}, {unit}, {protocol.name} protocol")


def cells(rows: Sequence[Row], suite: Suite[Any]) -> tuple[list[str], list[list[str]]]:
    """The headers of a table, and what stands in each row, as people read it."""
    headers = _headers(rows, suite)
    return ["Model", "Tasks", *map(shown, headers)], _words(rows, headers)


def print_table(
    rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, console: Console | None = None
) -> None:
    """Print for a person: a line per model if that fits the terminal, else a column per model;
    if neither fits, a line per model in as many tables as the numbers need."""
    from rich.console import Console

    console = console or Console(markup=False, emoji=False, highlight=False)  # names are not ours
    headers, lines = cells(rows, suite)
    styles = ["dim" if row.source else "" for row in rows]
    console.print(title(suite, protocol), soft_wrap=True)
    stacked = [[line[0], *(text.replace(" ± ", "\n±") for text in line[1:])] for line in lines]
    widths = [max(_longest(line[at]) for line in [headers, *stacked]) for at in range(len(headers))]
    widths[1] = max(len(line[1]) for line in [headers, *lines])  # "3 of 4" is one word
    longest = max(len(line[0]) for line in [headers, *lines])
    widths[0] = max(1, min(longest, console.width - _room([0, max(widths[1:])])))
    parts = _even_parts(widths, console.width)
    tall = [max(map(len, headers)), *(max(map(len, line)) for line in lines)]
    if len(parts) > 1 and _room(tall) <= console.width:
        turned = [[header, *(line[at] for line in lines)] for at, header in enumerate(headers)]
        turned[0][0] = ""
        _print(console, turned[0], turned[1:], column_styles=["", *styles])
    else:
        for part in parts:
            _print(
                console,
                [headers[at] for at in part],
                [[line[at] for at in part] for line in stacked],
                widths=[widths[at] for at in part],
                row_styles=styles,
            )
    if any(styles):
        console.print(_footnote(rows), style="dim", soft_wrap=True)


def _longest(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _room(widths: Sequence[int]) -> int:
    """What columns take on a terminal: three spaces between two, one at either edge."""
    return sum(widths) + 3 * (len(widths) - 1) + 2


def _even_parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """As :func:`_parts`, in no more tables, with the widest of them as narrow as can be."""
    fewest = len(_parts(widths, room))
    return next(parts for less in range(room + 1) if len(parts := _parts(widths, less)) <= fewest)


def _parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """The columns of each table, so that it fits the room; each starts with the models."""
    parts = [[0]]
    for at in range(1, len(widths)):
        if len(parts[-1]) > 1 and _room([widths[i] for i in (*parts[-1], at)]) > room:
            parts.append([0])
        parts[-1].append(at)
    return parts


def _print(
    console: Console,
    headers: Sequence[str],
    lines: Sequence[Sequence[str]],
    *,
    widths: Sequence[int | None] = (),
    column_styles: Sequence[str] = (),
    row_styles: Sequence[str] = (),
) -> None:
    """Print one table; widths and styles are those of its columns and rows, if any."""
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(box=SIMPLE, pad_edge=False)
    for header, width, style in zip(
        headers, widths or [None] * len(headers), column_styles or [""] * len(headers), strict=True
    ):
        justify: Literal["left", "right"] = "right" if table.columns else "left"
        table.add_column(
            header, justify=justify, width=width, style=style, header_style=style, overflow="fold"
        )
    for line, style in zip(lines, row_styles or [""] * len(lines), strict=True):
        table.add_row(*line, style=style)
    console.print(table)
