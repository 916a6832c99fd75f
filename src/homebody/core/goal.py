"""A goal judges a trace: the results of all steps of a plan.

Goal : Trace -> Verdict
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from homebody.core.world import Trace

_WHOLE: Final = 1.0 - 1e-9
"""Shares that add up to 1 may miss it by rounding."""


@dataclass(frozen=True, slots=True)
class Part:
    """One condition of a goal: its text, its kind, and whether it was met."""

    text: str
    kind: str
    satisfied: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of a trace by a goal.

    ``progress`` is in [0, 1] and is 1 if and only if ``success`` is true. ``explanation`` is a
    sentence that a person or a model can act on.
    """

    success: bool
    progress: float
    parts: tuple[Part, ...]
    explanation: str


def is_met(progress: float) -> bool:
    """Return whether a goal with this progress is met."""
    return progress >= _WHOLE


class Goal(Protocol):
    """Anything that can judge a trace."""

    def judge(self, trace: Trace) -> Verdict:
        """Return whether a trace reaches the goal, its progress and an explanation."""
        ...

    def progress(self, trace: Trace) -> float:
        """Return only the verdict's progress; fast enough to call after every step."""
        ...
