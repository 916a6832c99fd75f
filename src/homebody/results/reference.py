"""The published figures of papers, for comparison with the user's own results.

They are in ``*_reference.toml``, one entry per table of a paper, and are read when first needed.

Source: EAI paper, tables 3 to 7 and 9 to 22; PARTNR paper, tables 10 to 12; ET-Plan-Bench paper,
tables 2 to 4, 6 and 7; EmbodiedEval paper, table 2.
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
from homebody.results.rows import Row


@dataclass(frozen=True, slots=True)
class Figure:
    """One published number.

    Attributes:
        value: The printed value: a percentage in [0, 100], except in columns marked plain.
        table: Number of the paper's table.
        doubt: The reason why it may be a misprint; otherwise empty.
        error: Standard error, if published.
    """

    value: float
    table: int
    doubt: str = ""
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a paper, for one suite.

    Attributes:
        number: Its number in the paper.
        suite: Suite name, e.g. ``eai.virtualhome.action_sequencing``.
        columns: Headers, as in the suite's tables.
        models: Model -> its figures, one per column, in the order of the paper.
        setting: The difference between the experiment and the suite; empty if there is no
            difference.
    """

    number: int
    suite: str
    columns: tuple[str, ...]
    models: Mapping[str, tuple[Figure, ...]]
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A figure that is different in a short table of a paper and in the ``full`` table."""

    number: int
    full: int
    suite: str
    model: str
    column: str
    value: float


@dataclass(frozen=True, slots=True)
class Paper:
    """All figures of a paper.

    Attributes:
        name: ``EAI paper``.
        order: Suite -> the column that ranks its models.
        tables: Its tables.
        disagreements: Figures that its tables state differently.
        note: A caveat for comparisons; may be empty.
    """

    name: str
    order: Mapping[str, str]
    tables: tuple[Table, ...]
    disagreements: tuple[Disagreement, ...]
    note: str = ""


@cache
def eai() -> Paper:
    """Return the figures of the EAI paper."""
    return _read("eai_reference.toml")


@cache
def partnr() -> Paper:
    """Return the figures of the PARTNR paper."""
    return _read("partnr_reference.toml")


@cache
def etplan() -> Paper:
    """Return the figures of the ET-Plan-Bench paper."""
    return _read("etplan_reference.toml")


@cache
def embodiedeval() -> Paper:
    """Return the figures of the EmbodiedEval paper."""
    return _read("embodiedeval_reference.toml")


def paper_of(suite: str) -> Paper | None:
    """Return the paper with figures about a suite, or None."""
    papers = (eai(), partnr(), etplan(), embodiedeval())
    return next((paper for paper in papers if suite in paper.order), None)


def _read(name: str) -> Paper:
    return parse(files("homebody.results").joinpath(name).read_text(encoding="utf-8"))


def parse(text: str) -> Paper:
    """Read figures from TOML, in the layout that ``eai_reference.toml`` describes.

    Raises:
        ValueError: The text has another layout or duplicates; the message says where.
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
    shorter = document.get("shorter", {}).get("rows", ())
    disagreements = tuple(Disagreement(*row) for row in shorter)
    note = str(document.get("note", ""))
    return Paper(str(document["paper"]), order, tables, disagreements, note)


def _table(entry: Mapping[str, Any]) -> Table:
    number, suite = int(entry["number"]), str(entry["suite"])
    where = f"table {number}, {suite}"
    columns = tuple(map(str, entry["columns"]))
    plain = frozenset(entry.get("plain", ()))
    doubts = {(model, column): str(text) for model, column, text in entry.get("doubts", ())}
    models: dict[str, tuple[Figure, ...]] = {}
    for model, *values in entry["rows"]:
        if model in models:
            raise ValueError(f"{where}: {model} is there twice")
        if len(values) != len(columns):
            raise ValueError(f"{where}: {model} has {len(values)} of {len(columns)} figures")
        made = []
        for column, given in zip(columns, values, strict=True):
            value, error = given if isinstance(given, list) else (given, None)
            most = math.inf if column in plain else 100
            if not isinstance(value, float) or not 0 <= value <= most:
                raise ValueError(f"{where}: {value!r} of {model} is not a percentage")
            made.append(Figure(value, number, doubts.pop((model, column), ""), error))
        models[str(model)] = tuple(made)
    if doubts:
        raise ValueError(f"{where}: a doubt is about no figure: {next(iter(doubts))}")
    return Table(number, suite, columns, models, str(entry.get("setting", "")))


def figures(suite: str, setting: str = "") -> dict[str, dict[str, Figure]]:
    """Return model -> column -> figure from all tables about a suite."""
    by_model: dict[str, dict[str, Figure]] = {}
    paper = paper_of(suite)
    for table in paper.tables if paper is not None else ():
        if (table.suite, table.setting) == (suite, setting):
            for model, row in table.models.items():
                by_model.setdefault(model, {}).update(zip(table.columns, row, strict=True))
    return by_model


def rows(suite: str) -> list[Row]:
    """Return the published models as rows; empty if nothing is published about the suite."""
    made = []
    paper = paper_of(suite)
    for model, own in figures(suite).items():
        assert paper is not None
        numbers = sorted({figure.table for figure in own.values()})
        source = f"{paper.name}, table{'s' * (len(numbers) > 1)} {' and '.join(map(str, numbers))}"
        values = {column: figure.value for column, figure in own.items()}
        errors = {c: figure.error for c, figure in own.items() if figure.error is not None}
        made.append(Row(model, None, values, errors, source=source))
    return made


def among(own: Iterable[Row], suite: Suite[Any]) -> list[Row]:
    """Return ``own`` and published rows, sorted by the suite's main column, the best first."""
    published = rows(suite.name)
    if not published:
        return list(own)
    paper = paper_of(suite.name)
    assert paper is not None
    return _rank([*own, *published], paper.order[suite.name])


def _rank(rows: Sequence[Row], column: str) -> list[Row]:
    """Sort rows by a column; rows without a number are last, and ties keep their order."""

    def rank(row: Row) -> float:
        value = row.values.get(column)
        return math.inf if value is None or math.isnan(value) else -value

    return sorted(rows, key=rank)
