"""Rounds: somebody acts, then time passes. The one loop in which sessions are played, in steps.

    rounds = Rounds(session, policies)
    while not rounds.is_over:
        waiting = rounds.act()      # policies act; whoever else is ready is waited for
        if waiting:
            session.act(...)        # a model, a person or a learner acts for them
        else:
            rounds.pass_time()

Whoever steps it decides whether time passes although somebody is still waited for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from homebody.core.action import Action
from homebody.core.play.session import DONE, ActionInput, Event, Session, require_role, take

TRIES: Final = 8
"""Refused actions after which a policy has to wait until time has passed."""
MAX_PAUSES: Final = 1_000
"""Times in a row that time passes without a step of the clock, after which a session is broken."""
Plays: TypeAlias = Callable[[Any, str], ActionInput]
"""``plays(session, role)`` -> what a role that is ready does, said in any way."""


class Rounds:
    """A session being played in rounds.

    Args:
        session: What is played.
        policies: Role -> what plays it. Raises HomebodyError on a role that does not exist.

    Attributes:
        is_stuck: Whether nothing can happen any more although the session has not ended: time does
            not pass, and nobody is ready; or it stands still for good.
    """

    def __init__(self, session: Session, policies: Mapping[str, Plays]) -> None:
        for role in policies:
            require_role(session, role)
        self.session = session
        self.policies = policies
        self.is_stuck = False
        self._refused: dict[str, int] = {}  # since time last passed
        self._acted = False
        self._pauses = 0

    @property
    def is_over(self) -> bool:
        """Whether the session has ended or is stuck."""
        return self.is_stuck or self.session.ending is not None

    def act(self) -> tuple[str, ...]:
        """Have the policies act whose roles are ready: each until it has begun or done something,
        or was refused :data:`TRIES` times since time last passed.

        Returns:
            The roles that are ready now and have no policy: somebody else has to act for them.
        """
        for role in self.session.ready():
            if role in self.policies:
                self._take_turn(role)
        return tuple(role for role in self.session.ready() if role not in self.policies)

    def _take_turn(self, role: str) -> None:
        session, policy = self.session, self.policies[role]
        while role in session.ready() and self._refused.get(role, 0) < TRIES:
            event = take(session, role, policy(session, role))
            self._acted = True
            if event is None or event.ok:
                return
            self._refused[role] = self._refused.get(role, 0) + 1

    def pass_time(self) -> Sequence[Event]:
        """Go on to the next moment at which an action is over; return those that are."""
        before = self.session.clock
        events, goes_on = pass_time(self.session)
        stands_still = goes_on and self.session.clock == before
        self._pauses = self._pauses + 1 if stands_still else 0
        nobody_left = not goes_on and not self._acted and not self.session.ready()
        self.is_stuck = nobody_left or self._pauses > MAX_PAUSES
        self._refused.clear()
        self._acted = False
        return events


def play(session: Session, policies: Mapping[str, Plays]) -> Session:
    """Play a session to its end; roles without a policy are done at once. Raises HomebodyError on
    a policy for a role that does not exist."""
    rounds = Rounds(session, {**dict.fromkeys(session.roles, _act_done), **policies})
    while not rounds.is_over:
        rounds.act()
        rounds.pass_time()
    return session


def finish(session: Session, role: str) -> Event | None:
    """Let time pass until what a role is doing is over; return how it ended, None if time does not
    pass any more."""
    while session.busy(role) is not None:
        events, goes_on = pass_time(session)
        for event in events:
            if event.role == role:
                return event
        if not goes_on:
            break
    return None


def pass_time(session: Session) -> tuple[Sequence[Event], bool]:
    """Go on to the next moment at which an action is over.

    Returns:
        What is over then, and whether the session went on at all: something was over, or the clock
        moved. A session that does not go on, and in which nobody acts either, is stuck.
    """
    before = session.clock
    events = session.advance()
    return events, bool(events) or session.clock > before


def _act_done(session: Any, role: str) -> Action:
    return DONE
