"""The house world for learning agents: ``homebody/House-v0``, and an environment for several.

    import gymnasium
    import homebody.train  # registers homebody/House-v0

    env = gymnasium.make("homebody/House-v0")
    observation, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

Each episode is a task in a house: by default, to bring an object to another place in a new house.
The reward is the progress made, and 1 in total if the task is finished. A finished task ends the
episode. An episode is cut off after ``max_actions`` of each agent, or when the clock reaches
``max_steps``.

Actions are numbers (skill times slots plus slot, see :mod:`homebody.worlds.house.play.symbols`) or
strings such as ``Pick[cup_0]``. A refused action changes nothing, and ``info["message"]`` says what
to do. Images, and perception by rays, need the extra ``house``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from homebody.core import Event, HomebodyError, Transcript
from homebody.core.play.session import ActionInput
from homebody.train.encoders import TextEncoder, make_text_space, read_number, read_text
from homebody.train.session_env import SessionEnv
from homebody.train.team_env import SessionTeamEnv
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io.files import house_of
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.model.house import House
from homebody.worlds.house.play.masks import PossibleActions
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.symbols import (
    FEATURES,
    SKILLS,
    Sizes,
    action_of,
    categories,
)
from homebody.worlds.house.play.table import KnownTable
from homebody.worlds.house.play.tasks import HouseTask, TaskSampler, bring
from homebody.worlds.house.play.views import HouseView
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.scenario import Role, Scenario, start
from homebody.worlds.house.simulation.senses import Perception
from homebody.worlds.house.simulation.simulation import Simulation

SceneSource: TypeAlias = House | Scenario | Callable[[int], House]
"""A house, a scenario from a file, or a function that makes a new house from a seed."""

MAX_PLACEMENTS: Final = 8
"""Number of rows of ``task`` in an observation."""
FAR: Final = 100.0
"""The maximum depth of depth images, in metres."""
_PARTS = ("symbols", "text", "news", "image", "depth")
_WAYS = ("room", "rays", "all")


@dataclass(frozen=True)
class Settings:
    """The settings of an environment; ``HouseEnv`` and ``HouseTeamEnv`` take these by name.

    Attributes:
        task: Samples the task; by default the task is to bring one object somewhere. A scenario has
            its own instruction; its goal needs a task with a judge.
        observe: Any of ``symbols`` (arrays), ``text`` (all knowledge), ``news`` (all knowledge at
            first, then changes), ``image`` and ``depth``.
        actions: ``symbols`` or ``text``.
        sees: The agent's perception: ``room`` (everything in its room outside closed furniture),
            ``rays`` (what it sees when it looks around), ``all`` (everything), or a function.
        image_size: Height and width in pixels.
        sizes: Numbers of slots of the observation, or the kind of scene whose houses must fit:
            ``shop``. By default they fit the house or scenario, and homes of up to 12 rooms.
        max_actions: Number of actions of each agent after which an episode is cut off.
        max_steps: The clock at which an episode is cut off.
        failures: Skill -> probability of a random failure.

    Raises:
        HomebodyError: one of these is out of range.
    """

    task: TaskSampler | None = None
    observe: Iterable[str] = ("symbols",)
    actions: str = "symbols"
    sees: str | Perception = "room"
    image_size: tuple[int, int] = (224, 224)
    sizes: Sizes | str | None = None
    max_actions: int = 100
    max_steps: int = 20_000
    failures: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "observe", parts := tuple(self.observe))
        if not parts or any(part not in _PARTS for part in parts):
            raise HomebodyError(f"cannot observe {parts}", f"choose from {_PARTS}")
        if self.actions not in ("symbols", "text"):
            raise HomebodyError(f"actions cannot be {self.actions!r}", "choose symbols or text")
        if isinstance(self.sees, str) and self.sees not in _WAYS:
            raise HomebodyError(f"an agent cannot see {self.sees!r}", f"choose from {_WAYS}")
        if min(*self.image_size, self.max_actions, self.max_steps) < 1:
            raise HomebodyError("sizes and bounds of an environment must be at least 1")
        if isinstance(self.sizes, str):
            object.__setattr__(self, "sizes", Sizes.of_kind(self.sizes))


def _simulation_of(env: HouseEnv | HouseTeamEnv) -> Simulation:
    """Return the current simulation. Raises HomebodyError before the first reset."""
    return _of_house(env.session).simulation


def _task_of(env: HouseEnv | HouseTeamEnv) -> HouseTask:
    """Return the current task."""
    return _of_house(env.session).task


class HouseEnv(SessionEnv):
    """An environment with one agent in a house.

    Args:
        scene: A house; a scenario, whose agent, seed and bounds are used; or a function that makes
            a house from a seed and is called at each reset.
        agent: The agent's abilities.
        render_mode: ``rgb_array``: the picture that the agent sees.
        settings: The fields of :class:`Settings`.

    ``info`` has the entries of :class:`SessionEnv` and ``moved`` (metres); with numbered actions
    also ``action_mask`` for ``action_space.sample``. ``clock`` counts steps of 1/30 s.

    Raises:
        HomebodyError: an argument is invalid. Resets raise it if a house has no task.
    """

    simulation = property(_simulation_of)
    task = property(_task_of)

    def __init__(
        self,
        scene: SceneSource = generate,
        *,
        agent: Agent = HUMAN,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        sampler = _Sampler(scene, {"agent": agent}, Settings(**settings))
        if len(sampler.agents) != 1:
            raise HomebodyError("this environment is for one agent", "use HouseTeamEnv")
        encoder = HouseEncoder(sampler.settings, sampler.sizes())
        super().__init__(sampler.session, encoder, render_mode=render_mode)


class HouseTeamEnv(SessionTeamEnv):
    """An environment with several agents in a house and one task.

    Args: those of :class:`HouseEnv`, with ``max_actions`` 200 by default, and
        agents: Name -> the agent's abilities; by default a robot and a human.
    """

    metadata: dict[str, Any] = {**SessionTeamEnv.metadata, "name": "homebody/HouseTeam-v0"}  # noqa: RUF012
    simulation = property(_simulation_of)
    task = property(_task_of)

    def __init__(
        self,
        scene: SceneSource = generate,
        *,
        agents: Mapping[str, Agent] | None = None,
        max_actions: int = 200,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        agents = agents or {"robot": ROBOT, "human": HUMAN}
        sampler = _Sampler(scene, agents, Settings(max_actions=max_actions, **settings))
        encoder = HouseEncoder(sampler.settings, sampler.sizes())
        super().__init__(sampler.session, encoder, sampler.agents, render_mode=render_mode)


class _Sampler:
    """A sampler of sessions of tasks in houses."""

    def __init__(self, scene: SceneSource, agents: Mapping[str, Agent], settings: Settings) -> None:
        self.settings = settings
        self.agents = tuple(agents)
        self._scene = scene
        self._roles = tuple(Role(name, agent) for name, agent in agents.items())
        self._made: tuple[int, House] | None = None
        if isinstance(scene, Scenario):
            self.agents = tuple(role.name for role in scene.agents)
            if min(scene.max_actions, scene.max_steps) < 1:
                raise HomebodyError("sizes and bounds of an environment must be at least 1")

    def sizes(self) -> Sizes:
        """Return the numbers of slots."""
        given = self.settings.sizes
        if isinstance(given, Sizes):
            return given
        if not isinstance(self._scene, House | Scenario):
            return Sizes()
        return Sizes().raised(self._house(0), len(self.agents))

    def session(self, rng: np.random.Generator) -> HouseSession:
        """Sample a session."""
        house_seed, seed, task_seed = map(int, rng.integers(2**31, size=3))
        house = self._house(house_seed)
        settings = self.settings
        scenario = self._scene
        if isinstance(scenario, Scenario):
            scenario = replace(scenario, partial=scenario.partial and settings.sees != "all")
        else:
            scenario = Scenario(
                house,
                self._roles,
                seed=seed,
                partial=settings.sees != "all",
                failures=settings.failures or {},
                max_steps=settings.max_steps,
                max_actions=settings.max_actions,
            )
        simulation = start(scenario, house, sees=_perception(settings.sees, house))
        return HouseSession(
            simulation,
            self._task(simulation, np.random.default_rng(task_seed)),
            max_actions=scenario.max_actions,
            max_steps=scenario.max_steps,
            view=HouseView(simulation, settings.image_size),
            origin=Transcript({}, scenario.seed),
        )

    def _house(self, seed: int) -> House:
        scene = self._scene
        if isinstance(scene, House):
            return scene
        if isinstance(scene, Scenario):
            seed = scene.seed
        if self._made is None or self._made[0] != seed:
            made = house_of(scene) if isinstance(scene, Scenario) else scene(seed)
            self._made = (seed, made)
        return self._made[1]

    def _task(self, simulation: Simulation, rng: np.random.Generator) -> HouseTask:
        if self.settings.task is not None:
            return self.settings.task(simulation, rng)
        if isinstance(self._scene, Scenario):
            return HouseTask(self._scene.instruction)
        return bring(1)(simulation, rng)


def _perception(sees: str | Perception, house: House) -> Perception:
    if not isinstance(sees, str):
        return sees
    if sees != "rays":
        return sees_room
    from homebody.worlds.house.rendering.visibility import looking

    return looking(house)


class HouseEncoder:
    """An encoder of houses as arrays, strings and pictures; actions are numbers or strings."""

    def __init__(self, settings: Settings, sizes: Sizes) -> None:
        self._settings = settings
        self._parts = tuple(settings.observe)
        self._sizes = sizes
        self._text, self._news = TextEncoder(whole=True), TextEncoder()
        self._slots: dict[str, int] = {}
        self._names: dict[int, str] = {}
        self._tables: dict[str, KnownTable] = {}
        self._possible: dict[str, PossibleActions] = {}
        self._task = np.zeros((MAX_PLACEMENTS, 3), np.int32)

    def observation_space(self) -> spaces.Dict:
        """Return a dictionary space with one entry for each part of ``observe``."""
        total = self._sizes.total
        parts: dict[str, spaces.Space[Any]] = {}
        if "symbols" in self._parts:
            low = np.full((total, len(FEATURES)), -1.0, np.float32)
            high = np.ones_like(low)
            metres = [FEATURES.index(name) for name in ("x", "y", "z", "distance")]
            metres += [FEATURES.index(name) for name in ("width", "depth", "height")]
            low[:, metres], high[:, metres] = -2000.0, 2000.0
            parts["things"] = spaces.Box(low, high, dtype=np.float32)
            for name in ("category", "room", "holder"):
                largest = max(*categories().values(), total) + 1
                parts[name] = spaces.Box(0, largest, (total,), np.int32)
            parts["self"] = spaces.Box(
                np.array([-2000, -2000, -1, -1, 0, 0, 0], np.float32),
                np.array([2000, 2000, 1, 1, 8, 1, 1], np.float32),
                dtype=np.float32,
            )
            parts["task"] = spaces.Box(0, total, (MAX_PLACEMENTS, 3), np.int32)
        for name in ("text", "news"):
            if name in self._parts:
                parts[name] = self._text.observation_space()
        height, width = self._settings.image_size
        if "image" in self._parts:
            parts["image"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
        if "depth" in self._parts:
            parts["depth"] = spaces.Box(0.0, FAR, (height, width), np.float32)
        return spaces.Dict(parts)

    def action_space(self) -> spaces.Space[Any]:
        """Return a space of strings, or of numbers of skills and slots."""
        if self._settings.actions == "text":
            return make_text_space()
        return spaces.Discrete(len(SKILLS) * self._sizes.total)

    def begin(self, session: Any) -> None:
        """Start a session. Raises HomebodyError if its house has too many objects for the slots."""
        session = _of_house(session)
        simulation = session.simulation
        self._slots = self._sizes.slots(simulation.state.house, tuple(simulation.agents))
        self._names = {slot: name for name, slot in self._slots.items()}
        for role in session.roles:
            given = simulation, role, self._slots, self._sizes.total
            self._tables[role] = KnownTable(*given)
            self._possible[role] = PossibleActions(*given)
        self._task = self._placements(session.task)
        self._text.begin(session)
        self._news.begin(session)

    def observe(self, session: Any, role: str, last: Event | None) -> dict[str, Any]:
        """Return a role's observation by part."""
        observation: dict[str, Any] = {}
        if "symbols" in self._parts:
            table = self._tables[role].now()
            observation |= {
                "things": table.things.copy(),
                "category": table.category.copy(),
                "room": table.room.copy(),
                "holder": table.holder.copy(),
                "self": _self(session, role),
                "task": self._task.copy(),
            }
        if "text" in self._parts:
            observation["text"] = self._text.observe(session, role, last)
        if "news" in self._parts:
            observation["news"] = self._news.observe(session, role, last)
        if "image" in self._parts or "depth" in self._parts:
            picture = session.view.picture(role)
            if "image" in self._parts:
                observation["image"] = picture.rgb
            if "depth" in self._parts:
                observation["depth"] = np.clip(picture.depth, 0.0, FAR).astype(np.float32)
        return observation

    def read(self, session: Any, role: str, action: Any) -> ActionInput:
        """Convert a string or a number to an action. Raises ValueError if it is neither, and
        HomebodyError if the slot is empty."""
        if self._settings.actions == "text":
            return read_text(action)
        number = read_number(action, len(SKILLS) * self._sizes.total)
        skill, slot = divmod(number, self._sizes.total)
        return action_of(session.simulation, role, self._names, skill, slot)

    def info(self, session: Any, role: str) -> dict[str, Any]:
        """Return the distance walked, and the mask of possible actions."""
        info: dict[str, Any] = {"moved": session.simulation.moved[role]}
        if self._settings.actions == "text":
            return info
        if session.busy(role) is not None:
            possible = np.zeros(len(SKILLS) * self._sizes.total, np.int8)
            possible[SKILLS.index("Wait") * self._sizes.total] = 1
        else:
            possible = self._possible[role].now().view(np.int8).flatten()
        return info | {"action_mask": possible}

    def _placements(self, task: HouseTask) -> NDArray[np.int32]:
        rows = np.zeros((MAX_PLACEMENTS, 3), np.int32)
        for row, placement in enumerate(task.placements[:MAX_PLACEMENTS]):
            relation = ("on", "within").index(placement.relation) + 1
            target = self._slots.get(placement.target, -1) + 1
            rows[row] = self._slots[placement.name] + 1, relation, target
        return rows


def _self(session: HouseSession, role: str) -> NDArray[np.float32]:
    simulation = session.simulation
    pose = simulation.state.bodies[role].pose
    turn = math.radians(pose.yaw)
    x, y, _ = pose.position
    free = len(simulation.agents[role].hands) - len(simulation.state.held_by(role))
    clock = min(simulation.clock / session.max_steps, 1.0)
    turns = session.action_counts[role] / session.max_actions
    return np.array((x, y, math.sin(turn), math.cos(turn), free, clock, turns), np.float32)


def _of_house(session: Any) -> HouseSession:
    assert isinstance(session, HouseSession)
    return session
