"""What the papers published, as facts beside which a model's own numbers can be put.

The figures are in ``eai_reference.toml``, a table of the paper at a time; nothing is read until
it is asked for.

Source: EAI paper, tables 3 to 7 and 9 to 22.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from homebody.core import Suite
from homebody.results.table import Row


@dataclass(frozen=True, slots=True)
class Figure:
    """One published percentage.

    Attributes:
        value: In [0, 100], as printed.
        table: The number of the paper's table.
        doubt: Why it may not be what was measured, or an empty string.
    """

    value: float
    table: int
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """What one table of the paper says about one suite.

    Attributes:
        number: Its number in the paper.
        suite: Suite name, e.g. ``eai.virtualhome.action_sequencing``.
        columns: Headers, as the suite's tables have them.
        models: Model -> its figures, one per column, in the order of the paper.
        setting: What was done otherwise than the suite does; empty for the benchmark itself.
    """

    number: int
    suite: str
    columns: tuple[str, ...]
    models: Mapping[str, tuple[Figure, ...]]
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A figure that one of the paper's shorter tables gives otherwise than the ``full`` one."""

    number: int
    full: int
    suite: str
    model: str
    column: str
    value: float


@dataclass(frozen=True, slots=True)
class Paper:
    """All figures of a paper; ``order`` has, by suite, the column that ranks its models."""

    name: str
    order: Mapping[str, str]
    tables: tuple[Table, ...]
    disagreements: tuple[Disagreement, ...]


@cache
def eai() -> Paper:
    """The figures of the EAI paper."""
    text = files("homebody.results").joinpath("eai_reference.toml").read_text(encoding="utf-8")
    return parse(text)


def parse(text: str) -> Paper:
    """Read figures from TOML, in the layout that ``eai_reference.toml`` describes.

    Raises:
        ValueError: the text is not of that layout, or says one thing twice; says where.
    """
    document = tomllib.loads(text)
    tables = tuple(_table(entry) for entry in document["table"])
    seen: set[tuple[str, str, str]] = set()
    for table in tables:
        for column in table.columns:
            key = (table.suite, table.setting, column)
            if key in seen:
                raise ValueError(f"table {table.number}, {table.suite}: {column!r} is there twice")
            seen.add(key)
    order = {str(suite): str(column) for suite, column in document["order"].items()}
    for suite, column in order.items():
        if (suite, "", column) not in seen:
            raise ValueError(f"{suite} is ordered by {column!r}, of which there are no figures")
    disagreements = tuple(Disagreement(*row) for row in document["shorter"]["rows"])
    return Paper(str(document["paper"]), order, tables, disagreements)


def _table(entry: Mapping[str, Any]) -> Table:
    number, suite = int(entry["number"]), str(entry["suite"])
    where = f"table {number}, {suite}"
    columns = tuple(map(str, entry["columns"]))
    doubts = {(model, column): str(text) for model, column, text in entry.get("doubts", ())}
    models: dict[str, tuple[Figure, ...]] = {}
    for model, *values in entry["rows"]:
        if model in models:
            raise ValueError(f"{where}: {model} is there twice")
        if len(values) != len(columns):
            raise ValueError(f"{where}: {model} has {len(values)} of {len(columns)} figures")
        for value in values:
            if not isinstance(value, float) or not 0 <= value <= 100:
                raise ValueError(f"{where}: {value!r} of {model} is no percentage")
        models[str(model)] = tuple(
            Figure(value, number, doubts.pop((model, column), ""))
            for column, value in zip(columns, values, strict=True)
        )
    if doubts:
        raise ValueError(f"{where}: a doubt is about no figure: {next(iter(doubts))}")
    return Table(number, suite, columns, models, str(entry.get("setting", "")))


def figures(suite: str, setting: str = "") -> dict[str, dict[str, Figure]]:
    """Model -> column -> figure, from all tables about a suite; empty if there are none."""
    found: dict[str, dict[str, Figure]] = {}
    for table in eai().tables:
        if (table.suite, table.setting) == (suite, setting):
            for model, row in table.models.items():
                found.setdefault(model, {}).update(zip(table.columns, row, strict=True))
    return found


def rows(suite: str) -> list[Row]:
    """The published models as rows of a table; empty if nothing is published on the suite."""
    made = []
    for model, own in figures(suite).items():
        numbers = sorted({figure.table for figure in own.values()})
        what = f"{eai().name}, table{'s' * (len(numbers) > 1)} {' and '.join(map(str, numbers))}"
        values = {column: figure.value for column, figure in own.items()}
        made.append(Row(model, None, values, {}, source=what))
    return made


def among(own: Iterable[Row], suite: Suite[Any]) -> list[Row]:
    """``own`` rows among the published ones, the best by the suite's main column first."""
    published = rows(suite.name)
    if not published:
        return list(own)
    main = eai().order[suite.name]
    return _ranked([*own, *published], main)


def _ranked(rows: Sequence[Row], column: str) -> list[Row]:
    """Rows with no number in the column go last; equal ones stay in their order."""

    def rank(row: Row) -> float:
        value = row.values.get(column)
        return math.inf if value is None or math.isnan(value) else -value

    return sorted(rows, key=rank)
