"""Let models play sessions, in rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from homebody.core import WAIT, Dialogue, Event, Policy, Reply, Session
from homebody.core.play.conversation import Player
from homebody.core.play.rounds import Rounds

MAX_WAITS: Final = 20
"""Number of consecutive waits after which a waiting model is queried again."""
MAX_MISTAKES: Final = 10
"""Number of consecutive replies without a readable action after which the role stops acting."""


def play_rounds(
    session: Session, policies: Mapping[str, Policy], make: Callable[[Session, str], Player]
) -> Dialogue:
    """Let models play the roles without a policy.

    If several roles are ready, their models are queried concurrently, so no model knows the next
    actions of the others. Time passes when no role is ready. If the session counts the time of
    answers (:meth:`.session.Session.think`), a role acts on its reply after this time.
    """
    players = {role: make(session, role) for role in session.roles if role not in policies}
    rounds = Rounds(session, policies)
    thinking: dict[str, Reply] = {}
    while not rounds.is_over:
        ready = rounds.act()
        decided = [role for role in ready if role in thinking]
        for role in decided:
            players[role].answer(thinking.pop(role))
        waiting = [role for role in ready if role not in decided and not players[role].resume()]
        if waiting:
            replies = yield tuple(players[role].question() for role in waiting)
            for role, reply in zip(waiting, replies, strict=True):
                if session.think(role, reply.seconds):
                    thinking[role] = reply
                else:
                    players[role].answer(reply)
        elif not ready:
            rounds.pass_time()


class Wait:
    """A wait of a role, which is repeated without queries until the role sees another role's action
    or has waited :data:`MAX_WAITS` times."""

    def __init__(self) -> None:
        self._times = 0

    def begin(self) -> None:
        """Start to wait."""
        self._times = 1

    def extend(self, news: tuple[Event, ...], role: str) -> bool:
        """Return whether the role waits once more, and count it if so."""
        if not self._times:
            return False
        if self._times < MAX_WAITS and all(_is_own_wait(event, role) for event in news):
            self._times += 1
            return True
        self._times = 0
        return False


def _is_own_wait(event: Event, role: str) -> bool:
    return event.role == role and event.action == WAIT
