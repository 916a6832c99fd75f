"""Tasks, and how what was done is scored.

Task = World + instruction + Goal
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Final, Literal, TypeAlias

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.core.goal import Goal
from homebody.core.state import State
from homebody.core.world import World


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to do in one world.

    Attributes:
        id: Unique in its suite.
        name: Short name, shared by tasks of a kind ("Wash clothes").
        instruction: What a person would say.
        world: The transition model.
        initial: The state to start from.
        goal: Judges the trace.
        reference: The annotated plan, if there is one.
    """

    id: str
    name: str
    instruction: str
    world: World
    initial: State
    goal: Goal
    reference: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Protocol:
    """How outputs are judged: which quirks of the published evaluator are kept.

    :data:`CORRECTED` keeps none and applies the definitions as the papers state them;
    :data:`PUBLISHED` keeps all that a suite has. Any set in between is a protocol, which shows
    what one quirk is worth.

    Attributes:
        name: For tables and records.
        quirks: Those that are kept; None for all that there are.
        mended: Those that are not, even so.
        strict: Whether an answer that is not in the format asked for is an error, even where what
            it means is clear.
    """

    name: str
    quirks: frozenset[str] | None = frozenset()
    mended: frozenset[str] = frozenset()
    strict: bool = False

    def keeps(self, quirk: str) -> bool:
        """Whether a quirk of the published evaluator is kept."""
        return (self.quirks is None or quirk in self.quirks) and quirk not in self.mended

    def kept(self, quirks: Iterable[str]) -> frozenset[str]:
        """Those of some quirks that are kept."""
        return frozenset(filter(self.keeps, quirks))

    def without(self, *quirks: str) -> Protocol:
        """This protocol with some quirks mended."""
        name = f"{self.name} without {', '.join(quirks)}"
        return replace(self, name=name, mended=self.mended.union(quirks))


CORRECTED = Protocol("corrected")
PUBLISHED = Protocol("published", quirks=None)
STRICT = Protocol("strict", strict=True)


def judged_by(
    protocol: Protocol | None,
    own: Protocol,
    quirks: Collection[str] = (),
    *,
    strict: bool = False,
) -> Protocol:
    """The protocol to judge by.

    Args:
        protocol: What was given; None for its own.
        own: The one to judge by if none is given.
        quirks: All that there are here.
        strict: Whether answers here have a format that a strict protocol can ask for.

    Raises:
        HomebodyError: what is given is no protocol, or is about quirks that there are not, or
            strict where that means nothing.
    """
    if protocol is None:
        return own
    if not isinstance(protocol, Protocol):
        raise HomebodyError(
            f"{str(protocol)[:80]!r} is no protocol", "give one of suite.scoring.protocols"
        )
    if protocol.quirks is None and not quirks:
        raise HomebodyError(
            f"there is no {protocol.name} protocol here, as there is no published evaluator",
            "use homebody.CORRECTED",
        )
    if protocol.strict and not strict:
        raise HomebodyError(
            f"there is no {protocol.name} protocol here, as no answer has a format to be strict of",
            "use homebody.CORRECTED",
        )
    unknown = ((protocol.quirks or frozenset()) | protocol.mended).difference(quirks)
    if unknown:
        name = min(unknown)
        near = get_close_matches(name[:80], quirks) or sorted(quirks)
        raise HomebodyError(
            f"there is no quirk {name[:80]!r} here",
            f"did you mean: {', '.join(near)}" if near else "there are none",
        )
    return protocol


LEFT_OUT: Final = "left_out"
"""Key in the record of a score: why the protocol leaves the task out of every denominator."""


@dataclass(frozen=True, slots=True)
class Score:
    """How one output did.

    Attributes:
        identifier: The task's id.
        metrics: Numbers to average over tasks (each with a standard error), in [0, 1].
        record: Everything worth keeping of it, JSON-serialisable: one line of samples.jsonl.
        valid: False if the protocol leaves this task out of every denominator.
        epoch: Which of the task's outputs it is of, from 1.
    """

    identifier: str
    metrics: Mapping[str, float]
    record: Mapping[str, Any]
    valid: bool = True
    epoch: int = 1

    def left_out(self, why: str) -> Score:
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


Progress: TypeAlias = Callable[[str, int, int], None]
"""``(what is being done, steps done, steps in all)``; all is 0 while it is not known."""
