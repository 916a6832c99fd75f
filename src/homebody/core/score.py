"""Scores of outputs, and errors of samples that have no score."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

LEFT_OUT: Final = "left_out"
"""Key in the record of a score: why the protocol excludes the task from all metrics."""
MAX_EXPLANATION: Final = 2_000
"""Maximum number of characters of an explanation in a record."""


def cut_text(explanation: str) -> str:
    """Return an explanation cut to :data:`MAX_EXPLANATION` characters, without lone surrogates,
    which UTF-8 cannot encode."""
    if not explanation.isascii():
        explanation = explanation.encode("utf-8", "replace").decode()
    if len(explanation) <= MAX_EXPLANATION:
        return explanation
    return f"{explanation[: MAX_EXPLANATION - 4]} ..."


def share_of(part: float, whole: float, *, exact: bool) -> float:
    """Return a share, rounded; 0 if there is nothing to count. If ``exact``, as in tables, it is an
    unrounded percentage, and NaN if there is nothing to count."""
    if exact:
        return 100.0 * part / whole if whole else math.nan
    return round(part / whole, 4) if whole else 0.0


@dataclass(frozen=True, slots=True)
class Usage:
    """The resources spent on an output.

    Attributes:
        input_tokens: Tokens that models received, cached ones included.
        output_tokens: Tokens that models wrote.
        seconds: Time from the first query to the score, waiting included.
        cost: Dollars; None if no price is known.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        known = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.seconds + other.seconds,
            sum(known) if known else None,
        )


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one output.

    Attributes:
        identifier: The task's id.
        metrics: Numbers in [0, 1] to average over tasks, each with a standard error.
        record: All further information, JSON-serialisable: one line of samples.jsonl.
        valid: False if the protocol excludes this task from all metrics.
        epoch: The number of the task's sample, from 1.
        cluster: The cluster of the task: :attr:`.suite.Tasks.cluster`.
        usage: The resources spent; None if no model was queried.
    """

    identifier: str
    metrics: Mapping[str, float]
    record: Mapping[str, Any]
    valid: bool = True
    epoch: int = 1
    cluster: str = field(default="", compare=False)
    usage: Usage | None = field(default=None, compare=False)

    def exclude(self, reason: str) -> Score:
        """Return this score excluded from all metrics for a reason, or this score unchanged if the
        reason is empty."""
        record = {**self.record, "valid": False, LEFT_OUT: reason}
        return replace(self, record=record, valid=False) if reason else self


ErrorKind: TypeAlias = Literal["agent_error", "provider_error", "internal_error"]
MAX_REASON: Final = 300
"""Maximum number of characters of the reason of an error."""
NOT_WRITTEN: Final = "its line in the log or journal of the run is missing or cannot be read"
"""The reason of the sample error if a requested sample has no readable line."""


@dataclass(frozen=True, slots=True)
class SampleError:
    """A sample without a score; it is excluded from all metrics.

    Attributes:
        identifier: The task's id.
        epoch: The number of the epoch, from 1.
        kind: The origin: ``agent_error`` (an agent or a function), ``provider_error`` (a model's
            provider) or ``internal_error`` (the code of homebody or of a suite).
        reason: The error, in one line.
        traceback: The traceback; may be empty.
    """

    identifier: str
    epoch: int
    kind: ErrorKind
    reason: str
    traceback: str = ""

    @classmethod
    def of(cls, identifier: str, epoch: int, kind: ErrorKind, error: BaseException) -> SampleError:
        """Return the sample error of an exception."""
        last_line = traceback.format_exception_only(error)[-1]
        reason = " ".join(last_line.split())[:MAX_REASON]
        return cls(identifier, epoch, kind, reason, "".join(traceback.format_exception(error)))

    @property
    def record(self) -> Mapping[str, Any]:
        """Its line of samples.jsonl, in place of the score."""
        error = {"kind": self.kind, "reason": self.reason, "traceback": self.traceback}
        return {"identifier": self.identifier, "epoch": self.epoch, "error": error}


@dataclass(frozen=True, slots=True)
class Measure:
    """A number in the records of scores.

    Attributes:
        key: The key in the record. Missing and None values are skipped; a list or mapping counts
            as 1 if it has any items, else as 0.
        percent: True for a share, which tables show in percent.
        best: ``high`` or ``low``: the better direction.
        read: Value under the key -> the number, or None; by default the value itself.
    """

    key: str
    percent: bool = False
    best: Literal["high", "low"] = "high"
    read: Callable[[Any], float | None] | None = None

    def of(self, record: Mapping[str, Any]) -> float | None:
        """Return the number in a record; None if it is missing."""
        value = record.get(self.key)
        if self.read is not None:
            return None if value is None else self.read(value)
        several = isinstance(value, Sequence | Mapping)
        return float(bool(value)) if several else value
