"""Endings: how a role ends its part, and what it says of that.

    Done[0.8]                    it is finished, and expects to have succeeded with this probability
    Impossible[no milk here]     what was asked cannot be done, and why
    Refuse[it would burn him]    what was asked must not be done, and why

All of them end the part of a role as ``Done`` does. A suite may read what was said
(:attr:`.base.SessionBase.endings`); one that does not treats all alike.
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
"""Most characters of a reason."""
IMPOSSIBLE_TOOL: Final = Tool.of("Impossible", "Say that it cannot be done, and why.", "reason")
REFUSE_TOOL: Final = Tool.of("Refuse", "Say that it must not be done, and why.", "reason")
_PROBABILITY: Final = re.compile(r"(?:0|1|0?\.\d{1,9}|0\.\d{1,9}|1\.0{1,9})")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a role has ended its part.

    Attributes:
        kind: ``done``, ``impossible`` or ``refuse``.
        confidence: Its own probability of success, from 0 to 1; None if it gave none.
        reason: Why; empty if it gave no reason.
    """

    kind: EndingKind
    confidence: float | None = None
    reason: str = ""


def read_ending(action: Action) -> Ending | None:
    """Return the ending that an action is; None if it is none. What cannot be read as a probability
    is none, and Done is Done whatever it is given."""
    kind = KINDS.get(action.name)
    if kind is None:
        return None
    said = ", ".join(action.args)[:MAX_REASON]
    if kind != "done":
        return Ending(kind, reason=said)
    return Ending(kind, float(said) if _PROBABILITY.fullmatch(said) else None)
