"""Deviations of outputs from the requested format, noted while an output is read.

Format is part of what is measured, so no deviation is tolerated silently.
``docs/benchmarks/eai-answers.md`` lists what is accepted, what is not, and why.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from homebody.core import Measure, Protocol

DEVIATIONS = "deviations"
"""Key of an output's deviations in its record."""
OFF_FORMAT: Mapping[str, Measure] = {"Off format": Measure(DEVIATIONS, percent=True, best="low")}
"""Table column: share of outputs that were read despite deviations from the requested format."""


class ParsingError(ValueError):
    """Raised if an output is not in the requested format; the message gives the reason."""


class SeveralAnswers(ParsingError):
    """Raised if an output contains several different answers."""


class Deviation(StrEnum):
    """A way in which a readable answer deviates from the requested format."""

    PROSE = "prose"  # words or signs around it
    PYTHON = "python"  # single quotes, True, False, None, tuples
    TYPOGRAPHY = "typography"  # quotes, colons and commas that JSON does not know
    COMMAS = "commas"  # one after the last item, or none between two items
    COMMENTS = "comments"
    LINE_BREAKS = "line_breaks"  # within strings
    BRACES = "braces"  # missing around the keys
    REPEATED = "repeated"  # the same answer more than once
    PIECES = "pieces"  # several objects where one is requested
    SHAPE = "shape"  # nested differently
    NAMES = "names"  # spelt differently: soap.1002, soap (1002), soap_1002 are the same
    CASE = "case"  # upper or lower case


@dataclass
class Reading:
    """The notes made while one output is read.

    Attributes:
        strict: True if a deviation from the requested format is an error.
        prompted: Deviations in the prompt's own example, which are not noted.
        deviations: Deviation -> description for people. None if the lenient reader was not used, as
            for outputs that are read like a published evaluator.
    """

    strict: bool = False
    prompted: frozenset[Deviation] = frozenset()
    deviations: dict[Deviation, str] | None = None

    @classmethod
    def of(cls, protocol: Protocol, *prompted: Deviation) -> Reading:
        """Start the reading of an output under a protocol."""
        return cls(protocol.strict, frozenset(prompted))

    def note(self, deviation: Deviation, description: str) -> None:
        """Note a deviation. Raises ParsingError if the reading is strict."""
        if self.deviations is None or deviation in self.prompted:
            return
        if self.strict:
            raise ParsingError(f"{description}, which is not the requested format (strict)")
        self.deviations.setdefault(deviation, description)

    def upper(self, word: str) -> str:
        """Return a word in upper case; note another case as a deviation."""
        if word != word.upper():
            self.note(Deviation.CASE, f"{word[:60]!r} for {word.upper()[:60]!r}")
        return word.upper()

    @property
    def record(self) -> dict[str, Any]:
        """Fields of the record."""
        if self.deviations is None:
            return {}
        return {DEVIATIONS: {str(name): text for name, text in self.deviations.items()}}
