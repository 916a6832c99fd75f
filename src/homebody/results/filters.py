"""Samples as flat rows, and filters such as ``suite=partnr.*`` and ``success=false``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from fnmatch import fnmatchcase
from typing import Final, TypeAlias

from homebody.core import HomebodyError
from homebody.core.play.failures import KEY as LABELS
from homebody.core.score import Usage
from homebody.results.samples import Sample, SampledRun

USED: Final = tuple(each.name for each in fields(Usage))
Value: TypeAlias = str | int | float | bool | None
_FORM: Final = re.compile(r"\s*([^=!<>~]+?)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*\Z", re.DOTALL)
_ORDER: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def row_of(run: SampledRun, sample: Sample) -> dict[str, Value]:
    """Return a sample as one flat row: task, verdict, metrics and usage."""
    usage: Mapping[str, Value] = {} if sample.usage is None else asdict(sample.usage)
    return {
        "run": run.name,
        "suite": run.about.suite,
        "protocol": run.about.protocol,
        "model": run.model,
        "seed": run.seed,
        "task": sample.identifier,
        "epoch": sample.epoch,
        "cluster": sample.cluster,
        "success": sample.success,
        "valid": sample.valid,
        "error": sample.error,
        **{name: value for name, value in sample.metrics.items() if name != "success"},
        **{name: usage.get(name) for name in USED},
        **({"labels": sample.labels} if LABELS in sample.record else {}),
        "explanation": sample.explanation,
    }


def rows_of(runs: Iterable[SampledRun], wanted: Sequence[Filter] = ()) -> list[dict[str, Value]]:
    """Return the samples that pass all filters, as rows of equal columns.

    Raises:
        HomebodyError: A filter names a column that no sample has.
    """
    rows = [row_of(run, sample) for run in runs for sample in run.samples]
    *before, last = dict.fromkeys(column for row in rows for column in row) or ("",)
    columns = [*(column for column in before if column != "explanation"), last]
    for each in wanted:
        if rows and each.column not in columns:
            raise HomebodyError(
                f"unknown column: {each.column[:80]!r}", f"choose one of: {', '.join(columns)}"
            )
    found = [row for row in rows if all(each.holds(row) for each in wanted)]
    return [{column: row.get(column) for column in columns} for row in found]


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on a column.

    Attributes:
        column: Name of the column.
        is_wanted: Returns whether a value passes.
    """

    column: str
    is_wanted: Callable[[Value], bool]

    def holds(self, row: Mapping[str, Value]) -> bool:
        """Return whether a row passes."""
        return self.is_wanted(row.get(self.column))


def read_filter(text: str) -> Filter:
    """Read a filter.

    It is ``COLUMN=PATTERN`` (``*`` matches anything), ``COLUMN!=PATTERN``, ``COLUMN~PART``
    (ignoring case), or a comparison by ``<``, ``<=``, ``>`` or ``>=`` with a number.

    Raises:
        HomebodyError: The text is not a filter.
    """
    found = _FORM.match(text)
    if found is None:
        raise HomebodyError(
            f"{text[:80]!r} is not a filter", "for example: success=false, suite=eai.*, seconds>10"
        )
    column, operator, value = found.groups()
    if operator == "=":
        return Filter(column, lambda cell: _is(cell, value))
    if operator == "!=":
        return Filter(column, lambda cell: not _is(cell, value))
    if operator == "~":
        return Filter(column, lambda cell: value.lower() in as_word(cell).lower())
    try:
        bound = float(value)
    except ValueError:
        raise HomebodyError(
            f"{value[:80]!r} is not a number", f"for example: {column}{operator}10"
        ) from None
    order = _ORDER[operator]
    return Filter(
        column,
        lambda cell: (
            isinstance(cell, int | float) and not isinstance(cell, bool) and order(cell, bound)
        ),
    )


def _is(cell: Value, pattern: str) -> bool:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        try:
            return cell == float(pattern)
        except ValueError:
            return False
    return fnmatchcase(as_word(cell), pattern)


def as_word(cell: Value) -> str:
    """Return a value as text: true, false, and empty for unknown."""
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def words_of(row: Mapping[str, Value]) -> dict[str, str]:
    """Return a row as strings for tables."""
    return {
        column: f"{cell:.4g}" if isinstance(cell, float) else as_word(cell)
        for column, cell in row.items()
    }
