"""Environments of the house world: Gymnasium for one agent, PettingZoo for several.

    import gymnasium
    import homebody.worlds.house.envs  # registers homebody/House-v0

    env = gymnasium.make("homebody/House-v0")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

In each episode there is a task in a house: by default, to bring an object to another place in a
new house. The reward is the progress made, 1 in all when the task is finished, which ends the
episode. It is cut off after ``max_actions`` steps, or when the clock reaches ``max_steps``.

Actions are numbers, skill times slots plus slot (see :mod:`symbols`), or texts such as
``Pick[cup_0]``. An action that is refused changes nothing, and ``info["message"]`` says what to do
about it. Needs the extra ``gym``; for images and for seeing by rays also ``house``.

Both environments are interfaces to a :class:`homebody.worlds.house.envs.play.Play`, and take its
:class:`homebody.worlds.house.envs.play.Settings` by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from homebody.core.errors import HomebodyError
from homebody.worlds.house.envs.play import Observation, Play, SceneSource, Settings
from homebody.worlds.house.envs.tasks import HouseTask
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.simulation.simulation import Simulation

RENDER_MODES = ("rgb_array",)


class HouseEnv(gymnasium.Env[Observation, Any]):
    """One agent in a house.

    Args:
        scene: A house; a scenario (then its agent, seed and bounds are used); or a function that
            makes a house of a seed, called at each reset.
        agent: What the agent can do.
        render_mode: ``rgb_array``: what the agent has before its eyes.
        settings: The fields of :class:`Settings`.

    ``info`` has ``instruction``, ``message`` (what became of the action, and what to do about it),
    ``ok``, ``clock`` (steps of 1/30 s), ``moved`` (metres), ``score`` (0 to 1), ``busy``, and with
    actions in symbols ``action_mask`` for ``action_space.sample``.

    Raises:
        HomebodyError: an argument is not one of these. Resets raise it if a house has no task.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        scene: SceneSource = generate,
        *,
        agent: Agent = HUMAN,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.render_mode = _checked_mode(render_mode)
        self._play = Play(scene, {"agent": agent}, Settings(**settings))
        if len(self._play.agents) != 1:
            raise HomebodyError("this environment is for one agent", "use HouseTeamEnv")
        self._name = next(iter(self._play.agents))
        self.action_space = self._play.action_space()
        self.observation_space = self._play.observation_space()

    @property
    def simulation(self) -> Simulation:
        """What runs; there is none before the first reset."""
        return self._play.begun().simulation

    @property
    def task(self) -> HouseTask:
        """What is to be done."""
        return self._play.begun().task

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; with a seed the same one each time."""
        super().reset(seed=seed)
        self._play.begin(self.np_random)
        return self._play.observe(self._name), self._play.info(self._name)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Have the agent do one action, to its end."""
        play = self._play.begun()
        reward, done, cut = play.step({self._name: action})
        return play.observe(self._name), reward, done, cut, play.info(self._name)

    def render(self) -> Any:
        """What the agent has before its eyes: (height, width, 3) bytes."""
        return self._play.begun().picture(self._name).rgb if self.render_mode else None


class HouseTeamEnv(ParallelEnv):  # type: ignore[misc]
    """Several agents in a house at once, with one task.

    A step goes to the next event at which somebody is done. Who is still busy then goes on: its
    next action is ignored, and ``info["busy"]`` tells. All get the same reward.

    Args: those of :class:`HouseEnv`, with ``max_actions`` 200 if left out, and
        agents: Name -> what it can do; a robot and a human if left out.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [*RENDER_MODES],
        "name": "homebody/HouseTeam-v0",
        "is_parallelizable": True,
    }

    def __init__(
        self,
        scene: SceneSource = generate,
        *,
        agents: Mapping[str, Agent] | None = None,
        max_actions: int = 200,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        self.render_mode = _checked_mode(render_mode)
        self._play = Play(
            scene,
            agents or {"robot": ROBOT, "human": HUMAN},
            Settings(max_actions=max_actions, **settings),
        )
        self.possible_agents: list[str] = list(self._play.agents)
        self.agents: list[str] = []
        self._rng = np.random.default_rng()
        self._actions = {name: self._play.action_space() for name in self.possible_agents}
        self._observations = {name: self._play.observation_space() for name in self.possible_agents}

    @property
    def simulation(self) -> Simulation:
        """What runs; there is none before the first reset."""
        return self._play.begun().simulation

    @property
    def task(self) -> HouseTask:
        """What is to be done."""
        return self._play.begun().task

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's observations are out of; always the same object."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent's actions are out of; always the same object."""
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode; with a seed the same one each time."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._play.begin(self._rng)
        self.agents = list(self.possible_agents)
        return _of_all(self.agents, self._play.observe), _of_all(self.agents, self._play.info)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Have those who are free act, and go on until somebody is done. Who is free and has no
        action waits."""
        play = self._play.begun()
        acting = self.agents
        if not acting:
            return {}, {}, {}, {}, {}
        reward, done, cut = play.step(actions)
        if done or cut:
            self.agents = []
        return (
            _of_all(acting, play.observe),
            dict.fromkeys(acting, reward),
            dict.fromkeys(acting, done),
            dict.fromkeys(acting, cut),
            _of_all(acting, play.info),
        )

    def render(self) -> Any:
        """What the first agent has before its eyes: (height, width, 3) bytes."""
        play = self._play.begun()
        return play.picture(self.possible_agents[0]).rgb if self.render_mode else None


if "homebody/House-v0" not in gymnasium.registry:
    gymnasium.register(
        "homebody/House-v0",
        entry_point="homebody.worlds.house.envs:HouseEnv",
        nondeterministic=False,
    )


def _of_all(agents: list[str], ask: Callable[[str], Any]) -> dict[str, Any]:
    return {name: ask(name) for name in agents}


def _checked_mode(render_mode: str | None) -> str | None:
    """Raises HomebodyError if there is no such render mode."""
    if render_mode not in (None, *RENDER_MODES):
        raise HomebodyError(f"there is no render mode {render_mode!r}", "rgb_array is one")
    return render_mode
