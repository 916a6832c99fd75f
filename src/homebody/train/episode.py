"""Episodes: sessions that learners play step by step, rewarded by progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from homebody.core import WAIT, Event, HomebodyError, Policy, Session
from homebody.core.play.rounds import Rounds
from homebody.core.play.session import ALL_DONE, GOAL_MET, refuse, take
from homebody.train.encoders import Encoder

Draw: TypeAlias = Callable[[np.random.Generator], Session]
"""Samples the session of an episode with an environment's random generator."""
Partners: TypeAlias = Callable[[Session, np.random.Generator], Mapping[str, Policy]]
"""Returns role -> policy, for the roles that are not learned."""
RENDER_MODES: Final = ("rgb_array",)


class Episode:
    """The common part of environments for one role and for several.

    Attributes:
        session: The session.
        learners: The roles that are learned, in order.
    """

    def __init__(self, session: Session, encoder: Encoder, partners: Mapping[str, Policy]) -> None:
        self.session = session
        self.learners = tuple(role for role in session.roles if role not in partners)
        self._encoder = encoder
        self._rounds = Rounds(session, partners)
        self._progress = session.progress()
        self._last: dict[str, Event] = {}
        self._fresh: set[str] = set()
        encoder.begin(session)

    def step(self, actions: Mapping[str, Any]) -> tuple[float, bool, bool]:
        """Let the learners that are ready act, and continue until one of them is ready again.

        Args:
            actions: Role -> an element of its action space. Roles without one wait, or do nothing
                in a session without ``Wait``.

        Returns:
            The progress made, whether the session has ended, and whether it was cut off.

        Raises:
            ValueError: an action is not in the action space.
        """
        session = self.session
        self._fresh.clear()
        for role in session.ready():
            if role in self.learners and role in session.ready():  # the session may have ended
                if role in actions:
                    self._keep(self._take(role, actions[role]))
                elif any(tool.name == WAIT.name for tool in session.observe(role).tools):
                    self._keep(take(session, role, WAIT))
        continues = self._advance()
        progress = session.progress()
        gained, self._progress = progress - self._progress, progress
        played_out = not continues and session.ending in (GOAL_MET, ALL_DONE)
        return gained, played_out, not continues and not played_out

    def _take(self, role: str, action: Any) -> Event | None:
        try:
            given = self._encoder.read(self.session, role, action)
        except HomebodyError as error:
            return refuse(self.session, role, str(action), error)  # a number of the action space
        return take(self.session, role, given)

    def observe(self, role: str) -> Any:
        """Return a learner's observation."""
        last = self._last[role] if role in self._fresh else None
        return self._encoder.observe(self.session, role, last)

    def info(self, role: str) -> dict[str, Any]:
        """Return a learner's ``info``; see :class:`.session_env.SessionEnv`."""
        session, last = self.session, self._last.get(role)
        return {
            "instruction": session.observe(role).instruction,
            "message": last.message if last is not None else "",
            "ok": last is None or last.ok,
            "busy": session.busy(role) is not None,
            "clock": session.clock,
            "score": self._progress,
            **self._encoder.info(session, role),
        }

    def render(self) -> Any:
        """Return the picture that the first learner sees: (height, width, 3) bytes."""
        images = self.session.observe(self.learners[0]).images
        if not images:
            raise HomebodyError("this session has no pictures")
        return images[0].rgb

    def _advance(self) -> bool:
        """Let time pass until a learner is ready, unless all roles are. Return False at the end."""
        session = self.session
        if len(session.ready()) == len(session.roles):
            return True  # no action has begun
        while not self._rounds.is_over:
            self._rounds.act()
            for event in self._rounds.pass_time():
                self._keep(event)
            if any(role in self.learners for role in session.ready()):
                return True
        return False

    def _keep(self, event: Event | None) -> None:
        if event is not None and event.role in self.learners:
            self._last[event.role] = event
            self._fresh.add(event.role)


def check_mode(render_mode: str | None) -> str | None:
    """Check a render mode. Raises HomebodyError if there is no such mode."""
    if render_mode not in (None, *RENDER_MODES):
        raise HomebodyError(f"unknown render mode: {render_mode!r}", "use rgb_array")
    return render_mode


def require_episode(episode: Episode | None) -> Episode:
    """Return the episode. Raises HomebodyError if none has begun."""
    if episode is None:
        raise HomebodyError("no episode has begun", "call reset first")
    return episode


def no_partners(session: Session, rng: np.random.Generator) -> Mapping[str, Policy]:
    """Return no policies."""
    return {}
