"""A session as learners play it: step by step, for the progress that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np

from homebody.core import WAIT, Event, HomebodyError, Policy, Session
from homebody.core.play.rounds import Rounds
from homebody.core.play.session import ALL_DONE, GOAL_MET, refuse, take
from homebody.train.encoders import Encoder

Draw: TypeAlias = Callable[[np.random.Generator], Session]
"""Draws a session to be played from an environment's own generator."""
Partners: TypeAlias = Callable[[Session, np.random.Generator], Mapping[str, Policy]]
"""Says what plays those roles of a session that nobody learns."""
RENDER_MODES: Final = ("rgb_array",)


class Episode:
    """What environments for one and for several have in common.

    Attributes:
        session: What is played.
        learners: The roles that actions are given for, in order.
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
        """Have those learners act who are ready, and go on until one of them is again.

        Args:
            actions: Role -> an element of its action space; who is left out waits, or is not
                acted for in a session that has no ``Wait``: where actions take no time.

        Returns:
            The progress made, whether the session was played out, and whether it was cut off.

        Raises:
            ValueError: an action is not in the action space.
        """
        session = self.session
        self._fresh.clear()
        for role in session.ready():
            if role in self.learners and role in session.ready():  # nobody has ended it meanwhile
                if role in actions:
                    self._keep(self._taken(role, actions[role]))
                elif any(tool.name == WAIT.name for tool in session.observe(role).tools):
                    self._keep(take(session, role, WAIT))
        goes_on = self._go_on()
        progress = session.progress()
        gained, self._progress = progress - self._progress, progress
        played_out = not goes_on and session.ending in (GOAL_MET, ALL_DONE)
        return gained, played_out, not goes_on and not played_out

    def _taken(self, role: str, action: Any) -> Event | None:
        try:
            said = self._encoder.read(self.session, role, action)
        except HomebodyError as error:
            return refuse(self.session, role, str(action), error)  # a number of the action space
        return take(self.session, role, said)

    def observe(self, role: str) -> Any:
        """What a learner observes now."""
        last = self._last[role] if role in self._fresh else None
        return self._encoder.observe(self.session, role, last)

    def info(self, role: str) -> dict[str, Any]:
        """What else a learner is told: see :class:`.session_env.SessionEnv`."""
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
        """What the first learner sees: (height, width, 3) bytes."""
        images = self.session.observe(self.learners[0]).images
        if not images:
            raise HomebodyError("there are no pictures of this session")
        return images[0].rgb

    def _go_on(self) -> bool:
        """Let time pass until a learner is ready; not if all still are. Whether it goes on."""
        session = self.session
        if len(session.ready()) == len(session.roles):
            return True  # nobody has begun anything
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


def checked_mode(render_mode: str | None) -> str | None:
    """Raises HomebodyError if there is no such render mode."""
    if render_mode not in (None, *RENDER_MODES):
        raise HomebodyError(f"there is no render mode {render_mode!r}", "rgb_array is one")
    return render_mode


def begun(episode: Episode | None) -> Episode:
    """The episode. Raises HomebodyError if none has begun."""
    if episode is None:
        raise HomebodyError("no episode has begun", "call reset first")
    return episode


def nobody(session: Session, rng: np.random.Generator) -> Mapping[str, Policy]:
    """No role is played by a policy."""
    return {}
