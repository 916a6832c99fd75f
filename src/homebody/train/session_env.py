"""A Gymnasium environment over any session."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import gymnasium

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


class SessionEnv(gymnasium.Env[Any, Any]):
    """An environment to learn one role of sessions.

    A step is one action, to its end. The reward is the progress made. An episode is terminated if
    its goal is met or all roles are done, and truncated if it ends in another way.

    Args:
        draw: Samples the session of an episode with the environment's generator.
        encoder: The encoder of observations and actions. The environment copies it, so that
            several can share one.
        partners: Returns the policies of the other roles.
        render_mode: ``rgb_array``: the picture that the role sees, if sessions have pictures.

    ``info`` has ``instruction``, ``message`` (the result of the last action, and advice), ``ok``,
    ``busy``, ``clock``, ``score`` (progress, from 0 to 1), and the information of the encoder, such
    as ``action_mask``.

    Raises:
        HomebodyError: there is no such render mode. Resets raise it if a session cannot be made or
            its other roles have no policy.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        draw: Draw,
        encoder: Encoder,
        *,
        partners: Partners = no_partners,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = check_mode(render_mode)
        encoder = self.encoder = deepcopy(encoder)
        self.observation_space = encoder.observation_space()
        self.action_space = encoder.action_space()
        self._draw = draw
        self._partners = partners
        self._episode: Episode | None = None

    @property
    def session(self) -> Session:
        """The current session. Raises HomebodyError before the first reset."""
        return require_episode(self._episode).session

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; the same seed gives the same one."""
        super().reset(seed=seed)
        session = self._draw(self.np_random)
        episode = Episode(session, self.encoder, self._partners(session, self.np_random))
        if len(episode.learners) != 1:
            raise HomebodyError("this environment is for one role", "use SessionTeamEnv")
        self._episode, self._role = episode, episode.learners[0]
        return episode.observe(self._role), episode.info(self._role)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Let the role do one action, to its end."""
        episode = require_episode(self._episode)
        reward, done, cut = episode.step({self._role: action})
        return episode.observe(self._role), reward, done, cut, episode.info(self._role)

    def render(self) -> Any:
        """Return the picture that the role sees: (height, width, 3) bytes."""
        return require_episode(self._episode).render() if self.render_mode else None
