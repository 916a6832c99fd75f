"""Endings: actions with which a role ends its part.

    Done[0.8]                    it is finished, and expects to have succeeded with this probability
    Impossible[no milk here]     the task cannot be done, and why
    Refuse[it would burn him]    the task must not be done, and why

All of them end the part of a role like ``Done``. A suite may distinguish them
(:attr:`.session_base.SessionBase.endings`); other suites treat them all alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from homebody.core.action import Action
from homebody.core.play.conversation import Tool

EndingKind: TypeAlias = Literal["done", "impossible", "refuse"]
KINDS: Final[dict[str, EndingKind]] = {
    "Done": "done",
    "Impossible": "impossible",
    "Refuse": "refuse",
}
"""Name of an action that ends a role's part -> the kind of ending."""
MAX_REASON: Final = 200
"""Maximum number of characters of a reason."""
IMPOSSIBLE_TOOL: Final = Tool.of("Impossible", "Say that it cannot be done, and why.", "reason")
REFUSE_TOOL: Final = Tool.of("Refuse", "Say that it must not be done, and why.", "reason")
_PROBABILITY: Final = re.compile(r"(?:0|1|0?\.\d{1,9}|0\.\d{1,9}|1\.0{1,9})")


@dataclass(frozen=True, slots=True)
class Ending:
    """The way in which a role has ended its part.

    Attributes:
        kind: ``done``, ``impossible`` or ``refuse``.
        confidence: Its estimated probability of success, from 0 to 1; None if not given.
        reason: The reason; empty if not given.
    """

    kind: EndingKind
    confidence: float | None = None
    reason: str = ""


def read_ending(action: Action) -> Ending | None:
    """Return the ending that an action denotes; None if it denotes no ending. ``Done`` with an
    unreadable probability is an ending without confidence."""
    kind = KINDS.get(action.name)
    if kind is None:
        return None
    text = ", ".join(action.args)[:MAX_REASON]
    if kind != "done":
        return Ending(kind, reason=text)
    return Ending(kind, float(text) if _PROBABILITY.fullmatch(text) else None)
