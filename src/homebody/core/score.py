"""How outputs did: a score of each that is judged, an error of each sample that is not."""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

LEFT_OUT: Final = "left_out"
"""Key in the record of a score: why the protocol leaves the task out of every denominator."""
MAX_EXPLANATION: Final = 2_000
"""Most characters of an explanation in a record."""


def cut_text(explanation: str) -> str:
    """An explanation with an end, where it has more than :data:`MAX_EXPLANATION` characters, and
    without what UTF-8 has no code for: half a pair of surrogates."""
    if not explanation.isascii():
        explanation = explanation.encode("utf-8", "replace").decode()
    if len(explanation) <= MAX_EXPLANATION:
        return explanation
    return f"{explanation[: MAX_EXPLANATION - 4]} ..."


@dataclass(frozen=True, slots=True)
class Usage:
    """What it took to get an output.

    Attributes:
        input_tokens: That models were given, those of caches too.
        output_tokens: That models wrote.
        seconds: From the first question to the score; what others kept waiting is in it.
        cost: In dollars; None if no price is known.
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
    """How one output did.

    Attributes:
        identifier: The task's id.
        metrics: Numbers to average over tasks (each with a standard error), in [0, 1].
        record: Everything worth keeping of it, JSON-serialisable: one line of samples.jsonl.
        valid: False if the protocol leaves this task out of every denominator.
        epoch: Which of the task's outputs it is of, from 1.
        cluster: What the task shares with others: :attr:`.suite.Tasks.cluster`.
        usage: What it took, if models were asked.
    """

    identifier: str
    metrics: Mapping[str, float]
    record: Mapping[str, Any]
    valid: bool = True
    epoch: int = 1
    cluster: str = field(default="", compare=False)
    usage: Usage | None = field(default=None, compare=False)

    def exclude(self, why: str) -> Score:
        """This score, of a task that the protocol leaves out, and why; itself if there is no
        reason to."""
        record = {**self.record, "valid": False, LEFT_OUT: why}
        return replace(self, record=record, valid=False) if why else self


ErrorKind: TypeAlias = Literal["agent_error", "provider_error", "internal_error"]
MAX_REASON: Final = 300
"""Most characters of a reason for what went wrong, as that of a sample error."""
NOT_WRITTEN: Final = "its line in the log or journal of the run is missing or cannot be read"
"""Reason of the error of a sample that a run has asked for, and of which nothing is known."""


@dataclass(frozen=True, slots=True)
class SampleError:
    """A sample that has no score, and so is in no number: nobody's answer was judged.

    Attributes:
        identifier: The task's id.
        epoch: From 1.
        kind: Whose: ``agent_error`` of an agent or a function, ``provider_error`` of who serves a
            model, ``internal_error`` of homebody's or a suite's own code.
        reason: What went wrong, in one line.
        traceback: Where, if there is more to know than the reason.
    """

    identifier: str
    epoch: int
    kind: ErrorKind
    reason: str
    traceback: str = ""

    @classmethod
    def of(cls, identifier: str, epoch: int, kind: ErrorKind, error: BaseException) -> SampleError:
        """What an exception says."""
        said = traceback.format_exception_only(error)[-1]
        reason = " ".join(said.split())[:MAX_REASON]
        return cls(identifier, epoch, kind, reason, "".join(traceback.format_exception(error)))

    @property
    def record(self) -> Mapping[str, Any]:
        """Its line of samples.jsonl, where that of a score would be."""
        error = {"kind": self.kind, "reason": self.reason, "traceback": self.traceback}
        return {"identifier": self.identifier, "epoch": self.epoch, "error": error}


@dataclass(frozen=True, slots=True)
class Measure:
    """A number in the records of scores.

    Attributes:
        key: Of the record; what is missing or None there is not counted, and of what is a list or
            a mapping it is counted whether there is anything in it.
        percent: Whether it is a share, shown in percent.
        best: Whether more or less is better: ``high`` or ``low``.
    """

    key: str
    percent: bool = False
    best: Literal["high", "low"] = "high"

    def of(self, record: Mapping[str, Any]) -> float | None:
        """The number in a record."""
        value = record.get(self.key)
        several = isinstance(value, Sequence | Mapping)
        return float(bool(value)) if several else value
