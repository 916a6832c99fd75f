"""Print tables on a terminal of any width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from homebody.core import Protocol, Suite
from homebody.results.rows import Row
from homebody.results.table import cells, footnote, title

if TYPE_CHECKING:
    from rich.console import Console


def print_table(
    rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, console: Console | None = None
) -> None:
    """Print a table with one line per model if it fits the terminal, otherwise with one column per
    model.

    If neither fits, split the table and print one line per model in each part.
    """
    from rich.console import Console

    console = console or Console(markup=False, emoji=False, highlight=False)  # names are untrusted
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
        console.print(footnote(rows), style="dim", soft_wrap=True)


def _longest(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _room(widths: Sequence[int]) -> int:
    """Return the total width of columns, with three spaces between columns and one at each edge."""
    return sum(widths) + 3 * (len(widths) - 1) + 2


def _even_parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return as few tables as :func:`_parts` does, so that the widest table is as narrow as
    possible."""
    fewest = len(_parts(widths, room))
    return next(parts for less in range(room + 1) if len(parts := _parts(widths, less)) <= fewest)


def _parts(widths: Sequence[int], room: int) -> list[list[int]]:
    """Return the columns of each table, so that each table fits the width. Each table starts with
    the column of models."""
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
    """Print one table with optional widths and styles of columns and rows."""
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
