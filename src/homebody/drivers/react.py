"""Thoughts and actions in text (ReAct, Yao et al. 2023): ``Action: Pick[cup_0]``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import Dialogue, Observation, Policy, Session
from homebody.core.play.conversation import Player
from homebody.core.play.transcript import find_call
from homebody.drivers.in_text import Form, TextPlayer
from homebody.drivers.model_rounds import play_rounds
from homebody.drivers.prompt_texts import action_list


def react(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Let models play by thinking aloud and writing an action."""
    return play_rounds(session, policies, react_player)


def react_player(session: Session, role: str) -> Player:
    """Make a model that plays one role as in :func:`react`. The caller lets time pass."""
    return TextPlayer(session, role, _FORM)


def _rules(observation: Observation) -> str:
    return (
        "Each time you are asked, think in a sentence or two, and end with one action, on a line"
        " of its own:\n\nThought: what to do next, and why\nAction: Name[argument, argument]\n\n"
        "You then see the result and choose again. These are the actions; arguments in parentheses"
        " are optional:\n\n" + action_list(observation.tools)
    )


_FORM: Final = Form(
    rules=_rules,
    offered=lambda observation: (),
    ask=lambda offered: "What do you do? End with a line such as Action: Name[argument].",
    read=lambda text, offered: find_call(text),
)
