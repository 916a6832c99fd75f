"""Environments of the house world: Gymnasium for one agent, PettingZoo for several.

    import gymnasium
    import homebody.worlds.house.envs  # registers homebody/House-v0

    env = gymnasium.make("homebody/House-v0")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

Each episode is an errand in a house: by default, to bring an object to another place in a new
house. The reward is the progress made, 1 in all when the errand is finished, which ends the
episode. It is cut off after ``max_actions`` steps, or when the clock reaches ``max_steps``.

Actions are numbers, skill times slots plus slot (see :mod:`symbols`), or texts such as
``Pick[cup_0]``. An action that is refused changes nothing, and ``info["message"]`` says what to do
about it. Needs the extra ``gym``; for images and for seeing by rays also ``house``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.worlds.house.envs.play import Observation, Play, Scene
from homebody.worlds.house.envs.symbols import Sizes
from homebody.worlds.house.envs.tasks import Errand, ErrandMaker
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.simulation.simulation import Perception, Simulation


class HouseEnv(gymnasium.Env[Observation, Any]):
    """One agent in a house.

    Args:
        scene: A house; an episode (then its agent, seed and bounds are used); or a function that
            makes a house of a seed, called at each reset.
        agent: What the agent can do.
        errand: Draws what is to be done; by default one object is to be brought somewhere. An
            episode has its own instruction; give an errand with a judge for its goal.
        observe: Any of ``symbols`` (arrays), ``text``, ``image`` and ``depth``.
        actions: ``symbols`` or ``text``.
        sees: What the agent knows: ``room``, all in its room that is not shut in; ``rays``, what
            it has in sight, looking around; ``all``, everything; or a function.
        image_size: Height and width in pixels.
        sizes: Slots of the observation.
        max_actions: Steps after which an episode is cut off.
        max_steps: The clock at which it is cut off.
        failures: Skill -> probability that it fails for no reason.
        render_mode: ``rgb_array``: what the agent has before its eyes.

    ``info`` has ``instruction``, ``message`` (what became of the action, and what to do about it),
    ``ok``, ``clock`` (steps of 1/30 s), ``moved`` (metres), ``score`` (0 to 1), ``busy``, and with
    actions in symbols ``action_mask`` for ``action_space.sample``.

    Raises:
        HomebodyError: an argument is not one of these. Resets raise it if a house has no errand.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        scene: Scene = generate,
        *,
        agent: Agent = HUMAN,
        errand: ErrandMaker | None = None,
        observe: Iterable[str] = ("symbols",),
        actions: str = "symbols",
        sees: str | Perception = "room",
        image_size: tuple[int, int] = (224, 224),
        sizes: Sizes | None = None,
        max_actions: int = 100,
        max_steps: int = 20_000,
        failures: Mapping[str, float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = _known_mode(render_mode)
        self._play = Play(
            scene,
            {"agent": agent},
            errand=errand,
            observe=observe,
            actions=actions,
            sees=sees,
            image_size=image_size,
            sizes=sizes or Sizes(),
            max_actions=max_actions,
            max_steps=max_steps,
            failures=failures,
        )
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
    def errand(self) -> Errand:
        """What is to be done."""
        return self._play.begun().errand

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._play.begin(self.np_random)
        return self._play.observe(self._name), self._play.info(self._name)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        play = self._play.begun()
        meant = play.action(self._name, action)
        play.turns += 1
        if meant is not None:
            play.note(play.simulation.do(self._name, meant))
        reward, done, cut = play.progress()
        return play.observe(self._name), reward, done, cut, play.info(self._name)

    def render(self) -> Any:
        """What the agent has before its eyes: (height, width, 3) bytes."""
        return self._play.begun().picture(self._name).rgb if self.render_mode else None


class HouseTeamEnv(ParallelEnv):  # type: ignore[misc]
    """Several agents in a house at once, with one errand.

    A step goes to the next moment at which somebody is done. Who is still busy then goes on: its
    next action is ignored, and ``info["busy"]`` tells. All get the same reward.

    Args: those of :class:`HouseEnv`, and
        agents: Name -> what it can do; a robot and a human if left out.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["rgb_array"],
        "name": "homebody/HouseTeam-v0",
        "is_parallelizable": True,
    }

    def __init__(
        self,
        scene: Scene = generate,
        *,
        agents: Mapping[str, Agent] | None = None,
        errand: ErrandMaker | None = None,
        observe: Iterable[str] = ("symbols",),
        actions: str = "symbols",
        sees: str | Perception = "room",
        image_size: tuple[int, int] = (224, 224),
        sizes: Sizes | None = None,
        max_actions: int = 200,
        max_steps: int = 20_000,
        failures: Mapping[str, float] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = _known_mode(render_mode)
        self._play = Play(
            scene,
            agents or {"robot": ROBOT, "human": HUMAN},
            errand=errand,
            observe=observe,
            actions=actions,
            sees=sees,
            image_size=image_size,
            sizes=sizes or Sizes(),
            max_actions=max_actions,
            max_steps=max_steps,
            failures=failures,
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
    def errand(self) -> Errand:
        """What is to be done."""
        return self._play.begun().errand

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._play.begin(self._rng)
        self.agents = list(self.possible_agents)
        return self._of_all(self._play.observe), self._of_all(self._play.info)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        play = self._play.begun()
        if not self.agents:
            return {}, {}, {}, {}, {}
        play.turns += 1
        for name in self.agents:
            if play.simulation.busy(name) is not None:
                continue
            meant = play.action(name, actions[name]) if name in actions else Action("Wait")
            refused = play.simulation.act(name, meant) if meant is not None else None
            if refused is not None:
                play.note(refused)
        for result in play.simulation.advance():
            play.note(result)
        reward, done, cut = play.progress()
        named = self.agents
        if done or cut:
            self.agents = []
        return (
            {name: play.observe(name) for name in named},
            dict.fromkeys(named, reward),
            dict.fromkeys(named, done),
            dict.fromkeys(named, cut),
            {name: play.info(name) for name in named},
        )

    def render(self) -> Any:
        """What the first agent has before its eyes: (height, width, 3) bytes."""
        play = self._play.begun()
        return play.picture(self.possible_agents[0]).rgb if self.render_mode else None

    def _of_all(self, what: Callable[[str], Any]) -> dict[str, Any]:
        return {name: what(name) for name in self.agents}


if "homebody/House-v0" not in gymnasium.registry:
    gymnasium.register(
        "homebody/House-v0",
        entry_point="homebody.worlds.house.envs:HouseEnv",
        nondeterministic=False,
    )


def _known_mode(render_mode: str | None) -> str | None:
    """Raises HomebodyError if there is no such render mode."""
    if render_mode not in (None, "rgb_array"):
        raise HomebodyError(f"there is no render mode {render_mode!r}", "rgb_array is one")
    return render_mode
