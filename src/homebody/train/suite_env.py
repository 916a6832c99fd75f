"""Environments of the tasks of a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from homebody.core import CORRECTED, HomebodyError, Playing, Policy, Session, Suite
from homebody.suites import get_suite
from homebody.train.encoders import Encoder, TextEncoder
from homebody.train.session_env import SessionEnv
from homebody.train.team_env import SessionTeamEnv, check_learners


def suite_env(
    suite: str | Suite[Any],
    *,
    settings: Mapping[str, str] | None = None,
    encoder: Encoder | None = None,
    render_mode: str | None = None,
) -> SessionEnv:
    """An environment for one role, each episode a task of a suite: ``homebody/Session-v0``.

    Args:
        suite: A suite that is played, or its name.
        settings: How its tasks are set, where not as usual. With the name of a role: who plays
            it, where it is not the learner.
        encoder: What is observed, and what actions mean; words if left out.
        render_mode: See :class:`.session_env.SessionEnv`.

    Raises:
        HomebodyError: there is no such suite, it is not played, or has no such settings.
    """
    drawn = _Drawn(suite, settings or {})
    return SessionEnv(
        drawn.session,
        encoder if encoder is not None else TextEncoder(),
        partners=drawn.partners,
        render_mode=render_mode,
    )


def suite_team_env(
    suite: str | Suite[Any],
    roles: Sequence[str] | None = None,
    *,
    settings: Mapping[str, str] | None = None,
    encoder: Encoder | None = None,
    render_mode: str | None = None,
) -> SessionTeamEnv:
    """An environment for several roles, each episode a task of a suite.

    Args: those of :func:`suite_env`, and
        roles: Who learns, in order: all that settings leave to nobody else, as if left out.

    Raises:
        HomebodyError: as :func:`suite_env`, or these are not the roles to be learnt.
    """
    drawn = _Drawn(suite, settings or {})
    learners = drawn.learners()
    if roles is not None:
        check_learners(roles, learners)
    return SessionTeamEnv(
        drawn.session,
        encoder if encoder is not None else TextEncoder(),
        learners if roles is None else roles,
        partners=drawn.partners,
        render_mode=render_mode,
    )


class _Drawn:
    """Sessions of tasks drawn from a suite."""

    def __init__(self, suite: str | Suite[Any], settings: Mapping[str, str]) -> None:
        self._suite = get_suite(suite)
        if self._suite.playing is None:
            raise HomebodyError(f"the tasks of {self._suite.name} are not played")
        self._playing: Playing[Any] = self._suite.playing
        self._playing.check(settings)
        self._settings = settings
        self._tasks: Sequence[Any] | None = None

    def learners(self) -> tuple[str, ...]:
        """The roles that no policy plays, of those that there are in these settings."""
        return tuple(
            role
            for role in self.session(np.random.default_rng(0)).roles
            if self._settings.get(role) not in self._playing.policies
        )

    def session(self, rng: np.random.Generator) -> Session:
        """A session of one of the tasks."""
        if self._tasks is None:
            self._tasks = self._suite.tasks.load(CORRECTED)
        task = self._tasks[int(rng.integers(len(self._tasks)))]
        settings = self._playing.drop_defaults(self._settings)
        return self._playing.start(task, settings, int(rng.integers(2**53)), CORRECTED)

    def partners(self, session: Session, rng: np.random.Generator) -> Mapping[str, Policy]:
        """What plays the roles that are not learnt."""
        return self._playing.players(session, self._settings, rng)
