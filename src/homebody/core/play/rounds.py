"""The main loop of every session: roles act, then time passes.

    rounds = Rounds(session, policies)
    while not rounds.is_over:
        waiting = rounds.act()      # policies act; returns other roles that are ready
        if waiting:
            session.act(...)        # a model, a person or a learner acts for them
        else:
            rounds.pass_time()

The caller may also let time pass while roles are still waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from homebody.core.action import Action
from homebody.core.play.session import DONE, ActionInput, Event, Session, require_role, take

TRIES: Final = 8
"""Number of refused actions after which a policy must wait until time has passed."""
MAX_PAUSES: Final = 1_000
"""Number of consecutive pauses (see :mod:`.replay`) after which a session counts as broken."""
Plays: TypeAlias = Callable[[Any, str], ActionInput]
"""``plays(session, role)`` -> the next action of a role that is ready, in any form."""


class Rounds:
    """A session being played in rounds.

    Args:
        session: The session.
        policies: Role -> its policy.

    Attributes:
        is_stuck: True if the session has not ended but nothing can happen any more: no role is
            ready and time does not pass, or there were too many pauses.

    Raises:
        HomebodyError: there is no role of that name.
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
        """True if the session has ended or is stuck."""
        return self.is_stuck or self.session.ending is not None

    def act(self) -> tuple[str, ...]:
        """Let the policies of all ready roles act, each until an action has begun or succeeded or
        until :data:`TRIES` were refused since time last passed.

        Returns:
            The roles that are ready and have no policy: the caller has to act for them.
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
        """Let time pass until some action ends. Return the events of all actions that end at this
        time."""
        before = self.session.clock
        events, passed = pass_time(self.session)
        paused = passed and self.session.clock == before
        self._pauses = self._pauses + 1 if paused else 0
        all_idle = not passed and not self._acted and not self.session.ready()
        self.is_stuck = all_idle or self._pauses > MAX_PAUSES
        self._refused.clear()
        self._acted = False
        return events


def play(session: Session, policies: Mapping[str, Plays]) -> Session:
    """Play a session to its end. Roles without a policy end their part at once. Raises
    HomebodyError on a policy for a role that does not exist."""
    rounds = Rounds(session, {**dict.fromkeys(session.roles, _act_done), **policies})
    while not rounds.is_over:
        rounds.act()
        rounds.pass_time()
    return session


def finish(session: Session, role: str) -> Event | None:
    """Let time pass until the current action of a role ends, and return its event; None if time
    does not pass any more."""
    while session.busy(role) is not None:
        events, passed = pass_time(session)
        for event in events:
            if event.role == role:
                return event
        if not passed:
            break
    return None


def pass_time(session: Session) -> tuple[Sequence[Event], bool]:
    """Let time pass until some action ends.

    Returns:
        The events of all actions that end at this time, and whether time passed at all: an action
        ended or the clock moved.
    """
    before = session.clock
    events = session.advance()
    return events, bool(events) or session.clock > before


def _act_done(session: Any, role: str) -> Action:
    return DONE
