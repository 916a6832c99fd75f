"""Environments of the tasks of a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from homebody.core import CORRECTED, HomebodyError, Playing, Policy, Session, Suite
from homebody.core.ground.seeds import choose
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
    """Make an environment for one role, each episode a task of a suite: ``homebody/Session-v0``.

    Args:
        suite: A suite that is played, or its name.
        settings: The settings that differ from the defaults. The setting with the name of a role
            says who plays it, if it is not the learner.
        encoder: The encoder; by default :class:`.encoders.TextEncoder`.
        render_mode: See :class:`.session_env.SessionEnv`.

    Raises:
        HomebodyError: there is no such suite, it is not played, or has no such settings.
    """
    sampler = _Sampler(suite, settings or {})
    return SessionEnv(
        sampler.session,
        encoder if encoder is not None else TextEncoder(),
        partners=sampler.partners,
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
    """Make an environment for several roles, each episode a task of a suite.

    Args: those of :func:`suite_env`, and
        roles: The learners, in order. Default: all roles without another player in the settings.

    Raises:
        HomebodyError: as :func:`suite_env`, or ``roles`` are not the learners.
    """
    sampler = _Sampler(suite, settings or {})
    learners = sampler.learners()
    if roles is not None:
        check_learners(roles, learners)
    return SessionTeamEnv(
        sampler.session,
        encoder if encoder is not None else TextEncoder(),
        learners if roles is None else roles,
        partners=sampler.partners,
        render_mode=render_mode,
    )


class _Sampler:
    """A sampler of sessions of a suite's tasks."""

    def __init__(self, suite: str | Suite[Any], settings: Mapping[str, str]) -> None:
        self._suite = get_suite(suite)
        if self._suite.playing is None:
            raise HomebodyError(f"the tasks of {self._suite.name} are not played")
        self._playing: Playing[Any] = self._suite.playing
        self._playing.check(settings)
        self._settings = settings
        self._tasks: Sequence[Any] | None = None

    def learners(self) -> tuple[str, ...]:
        """Return the roles that no policy plays under these settings."""
        return tuple(
            role
            for role in self.session(np.random.default_rng(0)).roles
            if self._settings.get(role) not in self._playing.policies
        )

    def session(self, rng: np.random.Generator) -> Session:
        """Sample a session."""
        if self._tasks is None:
            self._tasks = self._suite.tasks.load(CORRECTED)
        task = choose(rng, self._tasks)
        settings = self._playing.drop_defaults(self._settings)
        return self._playing.start(task, settings, int(rng.integers(2**53)), CORRECTED)

    def partners(self, session: Session, rng: np.random.Generator) -> Mapping[str, Policy]:
        """Return the policies of the roles that are not learned."""
        return self._playing.players(session, self._settings, rng)
