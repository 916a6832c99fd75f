"""Tables in the papers' layout, as JSON, CSV or Markdown."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from homebody.core import Protocol, Suite
from homebody.core.ground.escaping import escape, escape_json
from homebody.results.rows import COST, ENDINGS, USED, Row, label_headers, measured_headers

MARK = "†"
"""Mark after the names of published rows."""


class Format(StrEnum):
    """A format of tables."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


def headers_of(rows: Sequence[Row], suite: Suite[Any]) -> list[str]:
    """Return the headers of all columns of numbers. Columns of stop reasons, usage and labels are
    included only if a row has values for them."""
    headers = [*measured_headers(suite), *suite.reporting.tallies]
    optional = (*ENDINGS, *USED, *label_headers(suite))
    others = [h for h in optional if any(row.values.get(h) for row in rows)]
    return list(dict.fromkeys([*headers, *others]))


def render(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, form: Format) -> str:
    """Return a table as text in any format but :attr:`Format.TABLE`."""
    headers = headers_of(rows, suite)
    if form is Format.JSON:
        document = {
            "suite": suite.name,
            "protocol": protocol.name,
            "models": [_record(row, headers) for row in rows],
        }
        return escape_json(document)
    sourced = any(row.source for row in rows)
    if form is Format.CSV:
        rates = measured_headers(suite)
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
        if any(map(_has_unscored, rows)):  # only if a score is missing
            first.append("Asked")
            for line, row in zip(lines, rows, strict=True):
                line.append(row.asked or "")
        if sourced:  # only with published figures
            first.append("Source")
            for line, row in zip(lines, rows, strict=True):
                line.append(row.source)
        return _csv([first, *lines])
    first = ["Model", "Tasks", *headers]
    table = _markdown([first, ["---", *("---:" for _ in first[1:])], *_words(rows, headers)])
    return table + f"\n\n{footnote(rows)}" if sourced else table


def _record(row: Row, headers: Sequence[str]) -> dict[str, Any]:
    record = {
        "model": row.name,
        "tasks": row.tasks,
        **({"asked": row.asked} if _has_unscored(row) else {}),
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
    """Return the formatted cells of each row."""
    return [
        [
            f"{escape(row.name)} {MARK}" if row.source else escape(row.name),
            _tasks(row),
            *(cell(row, header) for header in headers),
        ]
        for row in rows
    ]


def _tasks(row: Row) -> str:
    if row.tasks is None:
        return "-"
    return f"{row.tasks} of {row.asked}" if _has_unscored(row) else str(row.tasks)


def _has_unscored(row: Row) -> bool:
    """Return whether some tasks have no score."""
    return row.tasks is not None and row.tasks < row.asked


def footnote(rows: Sequence[Row]) -> str:
    """Return the footnote with the sources of published rows."""
    sources = dict.fromkeys(row.source for row in rows if row.source)
    return escape(f"{MARK} published: {'; '.join(sources)}")


def render_records(records: Sequence[Mapping[str, str]], form: Format) -> str:
    """Render records with equal keys in a format. A text table ends with the number of records."""
    if form is Format.JSON:
        return escape_json(list(records))
    headers = list(records[0]) if records else []
    lines = [[record[h] for h in headers] for record in records]
    if form is Format.CSV:
        return _csv([headers, *lines])
    if form is Format.MARKDOWN:
        return _markdown([headers, ["---"] * len(headers), *lines])
    return "\n".join(filter(None, (align(records), f"{len(lines)} in total")))


def align(records: Sequence[Mapping[str, str]]) -> str:
    """Return an aligned text table; numbers are aligned right."""
    if not records:
        return ""
    headers = [escape(header) for header in records[0]]
    records = [{escape(h): escape(text) for h, text in record.items()} for record in records]
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
"""Pattern of cells that are aligned like numbers: signs, intervals, shares, and empty cells."""


def _csv(lines: Sequence[Sequence[object]]) -> str:
    return "\n".join(",".join(map(_csv_cell, line)) for line in lines)


def _csv_cell(value: object) -> str:
    """Quote a cell so that spreadsheets run no formula in it (OWASP, CSV injection)."""
    text = escape(value)
    first = unicodedata.normalize("NFKC", text[:1])  # some treat full-width characters alike
    if first.startswith(("=", "+", "-", "@")) and not _is_number(text):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',;"') else text


def _is_number(text: str) -> bool:
    """Return whether a cell is a number or ``-``."""
    try:
        return text == "-" or not math.isinf(float(text))
    except ValueError:
        return False


_MARKUP = re.compile(r"[\\`|\[]|<(?=[A-Za-z/!?])")
"""Characters with a meaning in Markdown or HTML."""


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        "| " + " | ".join(_MARKUP.sub(r"\\\g<0>", escape(word)) for word in line) + " |"
        for line in lines
    )


def cell(row: Row, header: str) -> str:
    """Return a number with its standard error, if that is not zero."""
    value = row.values.get(header)
    if value is None or math.isnan(value):  # not published, or nothing to count
        return "-"
    error = row.errors.get(header)
    if header == COST:
        return f"{value:.2f}" if value >= 1 else f"{value:.2g}"
    if error is None and not row.source:
        return f"{value:.0f}"
    if error is None or math.isnan(error) or error < 0.05:
        return f"{value:.1f}"
    return f"{value:.1f} ± {error:.1f}"


def title(suite: Suite[Any], protocol: Protocol) -> str:
    """Return a table's title with the unit."""
    measures = suite.reporting.measures
    plain = ", ".join(header for header, measure in measures.items() if not measure.percent)
    unit = f"in % except {plain}" if plain else "in %"
    return escape(f"{suite.name}, {unit}, {protocol.name} protocol")


def cells(rows: Sequence[Row], suite: Suite[Any]) -> tuple[list[str], list[list[str]]]:
    """Return the headers of a table and the formatted cells of its rows."""
    headers = headers_of(rows, suite)
    return ["Model", "Tasks", *map(escape, headers)], _words(rows, headers)
