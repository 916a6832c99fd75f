"""A driver in which a model chooses the number of an action in a list.

There can be thousands of options. If there are too many, the list has an equal number of each kind,
and the model can also write an action that is not listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from homebody.core import Action, Dialogue, HomebodyError, Observation, Policy, Session
from homebody.core.play.conversation import Player
from homebody.core.play.transcript import MAX_LINE, find_call, write_call
from homebody.drivers.in_text import Form, TextPlayer
from homebody.drivers.model_rounds import play_rounds
from homebody.drivers.prompt_texts import action_list

MAX_OPTIONS: Final = 300
"""Maximum number of listed actions."""


def options(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Let models play by choosing the number of an action."""
    return play_rounds(session, policies, options_player)


def options_player(session: Session, role: str) -> Player:
    """Make a model that plays one role by choosing numbers. The caller lets time pass."""
    return TextPlayer(session, role, _FORM)


def _rules(observation: Observation) -> str:
    return (
        "Each time you are asked, you get a numbered list of actions. Think in a sentence or two,"
        " and end with the number of one of them, on a line of its own:\n\n"
        "Thought: what to do next, and why\nAction: 3\n\nYou then see the result and choose"
        " again. These are the kinds of actions:\n\n" + action_list(observation.tools)
    )


def _ask(offered: Sequence[Action]) -> str:
    listed = [f"{at}. {write_call(action)}" for at, action in _choose_listed(offered).items()]
    unlisted = len(offered) - len(listed)
    more = f" ({unlisted} more are not listed; write one as Action: Name[argument])"
    more = more if unlisted else ""
    return "\n".join([f"What you can do{more}:", *listed, "", "End with a line such as Action: 3."])


def _choose_listed(offered: Sequence[Action]) -> dict[int, Action]:
    """Return a mapping from numbers to listed actions. If there are too many, list the first
    actions of each kind, the same number for each kind."""
    sizes = Counter(action.name for action in offered)
    room, most = MAX_OPTIONS, 0
    for kinds_left, size in zip(range(len(sizes), 0, -1), sorted(sizes.values()), strict=True):
        most = min(size, room // kinds_left)
        room -= most
    seen: Counter[str] = Counter()
    listed = {}
    for number, action in enumerate(offered):
        seen[action.name] += 1
        if seen[action.name] <= most:
            listed[number] = action
    return listed


def _read(text: str, offered: Sequence[Action]) -> Action:
    """Read the last line that contains an action, ends with a number, or is a number."""
    listed = _choose_listed(offered)
    for line in reversed(text.splitlines()):
        written = _read_call(line)
        found = re.fullmatch(r"(?:.*?\bAction:?)?[^\w-]*(\d{1,6})\b.{0,80}", line[-MAX_LINE:])
        if found:
            action = listed.get(int(found[1]))
            if action is None:
                raise HomebodyError(f"there is no option {found[1]}", "choose one that is listed")
            if written in offered and written != action:
                problem = f"option {found[1]} is {write_call(action)}, not the action beside it"
                raise HomebodyError(problem, "end with a line such as Action: 3")
            return action
        if written is not None:
            if written in offered:
                return written
            break
    raise HomebodyError("there is no number in this text", "end with a line such as Action: 3")


def _read_call(line: str) -> Action | None:
    with suppress(HomebodyError):
        return find_call(line)
    return None


_FORM: Final = Form(
    rules=_rules, offered=lambda observation: observation.options, ask=_ask, read=_read
)
