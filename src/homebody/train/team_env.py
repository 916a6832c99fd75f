"""A PettingZoo environment over any session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from homebody.core import HomebodyError, Session
from homebody.train.encoders import Encoder
from homebody.train.episode import (
    RENDER_MODES,
    Draw,
    Episode,
    Partners,
    check_mode,
    no_partners,
    require_episode,
)


class SessionTeamEnv(ParallelEnv):  # type: ignore[misc]
    """An environment to learn several roles of sessions at once.

    A step lasts until some role is ready again. Roles that are still busy have ``info["busy"]``,
    and their next action is ignored. Ready roles without an action wait, if there is ``Wait``. All
    get the same reward until the session ends.

    Args: those of :class:`.session_env.SessionEnv`, and
        roles: The learned roles of every session: all roles that ``partners`` do not play.

    Raises:
        HomebodyError: there is no such render mode. Resets raise it if a session cannot be made,
            or its learners are not these roles.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "name": "homebody/SessionTeam-v0",
        "is_parallelizable": True,
    }

    def __init__(
        self,
        draw: Draw,
        encoder: Encoder,
        roles: Sequence[str],
        *,
        partners: Partners = no_partners,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = check_mode(render_mode)
        encoder = self.encoder = deepcopy(encoder)
        self.possible_agents: list[str] = list(roles)
        self.agents: list[str] = []
        self._draw = draw
        self._partners = partners
        self._episode: Episode | None = None
        self._rng = np.random.default_rng()
        self._actions = {role: encoder.action_space() for role in roles}
        self._observations = {role: encoder.observation_space() for role in roles}

    @property
    def session(self) -> Session:
        """The current session. Raises HomebodyError before the first reset."""
        return require_episode(self._episode).session

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a role's observations; always the same object."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a role's actions; always the same object."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin an episode; the same seed gives the same one."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        session = self._draw(self._rng)
        episode = Episode(session, self.encoder, self._partners(session, self._rng))
        check_learners(self.possible_agents, episode.learners)
        self._episode = episode
        self.agents = list(self.possible_agents)
        return _of_all(self.agents, episode.observe), _of_all(self.agents, episode.info)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let the ready roles act, and continue until some role is ready again."""
        episode, acting = require_episode(self._episode), self.agents
        if not acting:
            return {}, {}, {}, {}, {}
        reward, done, cut = episode.step(actions)
        if done or cut:
            self.agents = []
        return (
            _of_all(acting, episode.observe),
            dict.fromkeys(acting, reward),
            dict.fromkeys(acting, done),
            dict.fromkeys(acting, cut),
            _of_all(acting, episode.info),
        )

    def render(self) -> Any:
        """Return the picture that the first role sees: (height, width, 3) bytes."""
        episode = require_episode(self._episode)
        return episode.render() if self.render_mode else None


def check_learners(roles: Sequence[str], learners: Sequence[str]) -> None:
    """Raise HomebodyError unless the roles are exactly the roles of a session without a policy."""
    strangers = [role for role in roles if role not in learners]
    if strangers:
        raise HomebodyError(
            f"in this session nobody can learn {_quote_all(strangers)}",
            f"learn {_quote_all(learners)}" if learners else "let nothing else play all its roles",
        )
    idle = [role for role in learners if role not in roles]
    if idle:
        raise HomebodyError(f"nobody plays {_quote_all(idle)}", "say who does, or learn it too")


def _quote_all(names: Sequence[str]) -> str:
    return " and ".join(repr(name[:40]) for name in names)


def _of_all(roles: Sequence[str], ask: Callable[[str], Any]) -> dict[str, Any]:
    return {role: ask(role) for role in roles}
