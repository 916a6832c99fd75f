"""Goals judge traces.

Goal : Trace -> Verdict
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from homebody.core.world import Trace


@dataclass(frozen=True, slots=True)
class Part:
    """One condition of a goal: what it asks, of which kind, and whether it was met."""

    text: str
    kind: str
    satisfied: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """Did the trace reach the goal, how far did it get, and why not.

    ``progress`` is in [0, 1] and is 1 exactly on success. ``explanation`` is a sentence that a
    person or a model can act on.
    """

    success: bool
    progress: float
    parts: tuple[Part, ...]
    explanation: str


class Goal(Protocol):
    """Anything that can judge a trace."""

    def judge(self, trace: Trace) -> Verdict:
        """Whether a trace reaches the goal, how far it gets and why."""
        ...

    def progress(self, trace: Trace) -> float:
        """The verdict's progress, 1 exactly on success, without the words: for every step of what
        is played."""
        ...
