"""What is noted while an output is read: in which ways an answer that is understood is not what was
asked for. Format is part of what is measured, so nothing is read through in silence.

``docs/benchmarks/eai-answers.md`` lists what is accepted, what is not, and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homebody.core import Measure, Protocol

DEVIATIONS = "deviations"
"""Key of the deviations of an answer in its record."""
OFF_FORMAT: Mapping[str, Measure] = {"Off format": Measure(DEVIATIONS, percent=True, best="low")}
"""For tables: the share of answers that were read though they are not what was asked for."""


class ParsingError(ValueError):
    """The output is not in the format that was asked for; the message says why."""


class SeveralAnswers(ParsingError):
    """The output has several answers, which differ."""


class Deviation(StrEnum):
    """How an answer that is read is not what was asked for."""

    PROSE = "prose"  # words or signs around it
    PYTHON = "python"  # single quotes, True, False, None, tuples
    TYPOGRAPHY = "typography"  # quotes, colons and commas that JSON does not know
    COMMAS = "commas"  # one behind the last item, or none between two
    COMMENTS = "comments"
    LINE_BREAKS = "line_breaks"  # within texts
    BRACES = "braces"  # none around the keys
    REPEATED = "repeated"  # the same answer more than once
    PIECES = "pieces"  # several objects where one is asked for
    SHAPE = "shape"  # nested otherwise
    NAMES = "names"  # spelt otherwise: soap.1002, soap (1002), soap_1002 are the same
    CASE = "case"  # capitals or none


@dataclass
class Reading:
    """What is noted while one output is read.

    Attributes:
        strict: Whether what is not as asked for is an error.
        prompted: What the prompt itself does, as its example: no deviation there.
        deviations: What was read through -> what there was, and where, for people. None until
            the reader is asked, as it never is for what is read as a published evaluator does.
    """

    strict: bool = False
    prompted: frozenset[Deviation] = frozenset()
    deviations: dict[Deviation, str] | None = None

    @classmethod
    def of(cls, protocol: Protocol, *prompted: Deviation) -> Reading:
        """The reading of an output under a protocol."""
        return cls(protocol.strict, frozenset(prompted))

    def note(self, deviation: Deviation, what: str) -> None:
        """Note a deviation, once the reader is asked. Raises ParsingError if the reading is
        strict."""
        if self.deviations is None or deviation in self.prompted:
            return
        if self.strict:
            raise ParsingError(f"{what}, which is not the format asked for (strict)")
        self.deviations.setdefault(deviation, what)

    def upper(self, word: str) -> str:
        """A word in the capitals that are asked for; that it has others is noted."""
        if word != word.upper():
            self.note(Deviation.CASE, f"{word[:60]!r} for {word.upper()[:60]!r}")
        return word.upper()

    @property
    def record(self) -> dict[str, Any]:
        """What a record says of it."""
        if self.deviations is None:
            return {}
        return {DEVIATIONS: {str(name): what for name, what in self.deviations.items()}}
