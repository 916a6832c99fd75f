"""Rounds of a session that models play: who acts by itself, who is asked, when time passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from homebody.core import WAIT, Dialogue, Event, Policy, Session
from homebody.core.play.conversation import Player
from homebody.core.play.rounds import Rounds

MAX_WAITS: Final = 20
"""Waits in a row after which a model that waits is asked again."""
MAX_MISTAKES: Final = 10
"""Answers in a row in which no action can be read, after which a role is done."""


def play_rounds(
    session: Session, policies: Mapping[str, Policy], make: Callable[[Session, str], Player]
) -> Dialogue:
    """Have models play the roles for which there is no policy.

    Those who are free at the same time are asked at once, and none knows what the others will do.
    Time passes when nobody is free.
    """
    players = {role: make(session, role) for role in session.roles if role not in policies}
    rounds = Rounds(session, policies)
    while not rounds.is_over:
        ready = [players[role] for role in rounds.act()]
        asked = [player for player in ready if not player.resume()]
        if asked:
            replies = yield tuple(player.question() for player in asked)
            for player, reply in zip(asked, replies, strict=True):
                player.answer(reply)
        elif not ready:
            rounds.pass_time()


class Wait:
    """A role that waits goes on with it until it sees somebody else do something, or for long
    enough; nobody is asked meanwhile."""

    def __init__(self) -> None:
        self._times = 0

    def begin(self) -> None:
        """It waits from now on."""
        self._times = 1

    def goes_on(self, news: tuple[Event, ...], role: str) -> bool:
        """Whether it waits once more."""
        if not self._times:
            return False
        if self._times < MAX_WAITS and all(_is_own_wait(event, role) for event in news):
            self._times += 1
            return True
        self._times = 0
        return False


def _is_own_wait(event: Event, role: str) -> bool:
    return event.role == role and event.action == WAIT
