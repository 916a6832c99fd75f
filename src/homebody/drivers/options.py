"""The number of an action out of a list of those that look possible."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from homebody.core import Action, Dialogue, HomebodyError, Observation, Policy, Session
from homebody.core.transcript import MAX_LINE, write_call
from homebody.drivers.in_text import Form, TextPlayer
from homebody.drivers.rounds import play_rounds

MAX_OPTIONS: Final = 300
"""Most actions that are listed; in a house there are thousands."""


def options(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Have models play by naming the number of an action."""
    return play_rounds(session, policies, lambda session, role: TextPlayer(session, role, _FORM))


def _rules(observation: Observation) -> str:
    return (
        "Each time you are asked, you get a numbered list of actions. Think in a sentence or two,"
        " and end with the number of one of them, on a line of its own:\n\n"
        "Thought: what to do next, and why\nAction: 3\n\nYou are told what came of it, and asked"
        " again."
    )


def _ask(offered: Sequence[Action]) -> str:
    listed = [f"{at}. {write_call(action)}" for at, action in _listed(offered).items()]
    left_out = len(offered) - len(listed)
    more = f" ({left_out} more are not listed)" if left_out else ""
    return "\n".join([f"What you can do{more}:", *listed, "", "End with a line such as Action: 3."])


def _listed(offered: Sequence[Action]) -> dict[int, Action]:
    """The actions that are listed, by number: the first and, as that may end it, the last."""
    return dict(enumerate(offered[: MAX_OPTIONS - 1])) | (
        {len(offered) - 1: offered[-1]} if offered else {}
    )


def _read(text: str, offered: Sequence[Action]) -> Action:
    """The last line with a number at its end or alone."""
    listed = _listed(offered)
    for line in reversed(text.splitlines()):
        found = re.fullmatch(r"(?:.*?\bAction:?)?[^\w-]*(\d{1,6})\b.{0,80}", line[-MAX_LINE:])
        if found:
            if int(found[1]) in listed:
                return listed[int(found[1])]
            raise HomebodyError(f"there is no option {found[1]}", "choose one that is listed")
    raise HomebodyError("there is no number in this text", "end with a line such as Action: 3")


_FORM: Final = Form(
    rules=_rules, offered=lambda observation: observation.options, ask=_ask, read=_read
)
