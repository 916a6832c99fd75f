"""A task as the environments play it: how it begins, what agents are shown, what they mean.

:mod:`environments` puts the interfaces of Gymnasium and PettingZoo around it.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.core.session import Event
from homebody.core.transcript import find_call
from homebody.worlds.house.envs.symbols import (
    FEATURES,
    SKILLS,
    Sizes,
    action_of,
    categories,
    mask,
    table,
)
from homebody.worlds.house.envs.tasks import HouseTask, TaskSampler, bring
from homebody.worlds.house.io.files import house_of
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import House
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.scenario import Role, Scenario, start
from homebody.worlds.house.simulation.simulation import Perception, Simulation
from homebody.worlds.house.simulation.text import describe

SceneSource: TypeAlias = House | Scenario | Callable[[int], House]
"""A house, a scenario of a file, or what makes a house of a seed, a new one each time."""
Observation: TypeAlias = dict[str, Any]

MAX_PLACEMENTS = 8
"""Rows of ``task`` in an observation."""
MAX_TEXT = 60_000
FAR = 100.0
"""Metres at which depth images end."""
_PARTS = ("symbols", "text", "image", "depth")
_WAYS = ("room", "rays", "all")
_CHARACTERS = string.printable
_EYES = 0.9
"""Height of the eyes, as a share of an agent's."""


@dataclass(frozen=True)
class Settings:
    """How an environment is played; ``HouseEnv`` and ``HouseTeamEnv`` take these by name.

    Attributes:
        task: Draws what is to be done; by default one object is to be brought somewhere. A
            scenario has its own instruction; give a task with a judge for its goal.
        observe: Any of ``symbols`` (arrays), ``text``, ``image`` and ``depth``.
        actions: ``symbols`` or ``text``.
        sees: What the agent knows: ``room``, all in its room that is not shut in; ``rays``, what
            it has in sight, looking around; ``all``, everything; or a function.
        image_size: Height and width in pixels.
        sizes: Slots of the observation.
        max_actions: Steps after which an episode is cut off.
        max_steps: The clock at which it is cut off.
        failures: Skill -> probability that it fails for no reason.

    Raises:
        HomebodyError: one of these is out of range.
    """

    task: TaskSampler | None = None
    observe: Iterable[str] = ("symbols",)
    actions: str = "symbols"
    sees: str | Perception = "room"
    image_size: tuple[int, int] = (224, 224)
    sizes: Sizes | None = None
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
        if min(self.image_size) < 1 or self.max_actions < 1 or self.max_steps < 1:
            raise HomebodyError("sizes and bounds of an environment are 1 at least")


class Play:
    """What both environments have in common: a task, and how agents see it and act in it."""

    def __init__(self, scene: SceneSource, agents: Mapping[str, Agent], settings: Settings) -> None:
        self.scene = scene
        self.settings = settings
        self.max_actions, self.max_steps = settings.max_actions, settings.max_steps
        if isinstance(scene, Scenario):
            agents = {role.name: role.agent for role in scene.agents}
            self.max_actions, self.max_steps = scene.max_actions, scene.max_steps
            if min(self.max_actions, self.max_steps) < 1:
                raise HomebodyError("sizes and bounds of an environment are 1 at least")
        self.agents = dict(agents)
        self.parts = tuple(settings.observe)
        self.in_words = settings.actions == "text"
        self.sizes = settings.sizes or Sizes()
        self._made: tuple[int, House] | None = None
        self._renderer: Any = None

    # -- an episode -------------------------------------------------------------------------------

    def begin(self, rng: np.random.Generator) -> None:
        """Start an episode: all that is random in it is drawn from a generator."""
        house_seed, seed, task_seed = (int(drawn) for drawn in rng.integers(2**31, size=3))
        if isinstance(self.scene, Scenario):
            scenario = self.scene
            house = house_of(scenario) if self._made is None else self._made[1]
            self._made = (0, house)
        else:
            house = self._house(house_seed)
            roles = tuple(Role(name, agent) for name, agent in self.agents.items())
            scenario = Scenario(house, roles, seed=seed, failures=self.settings.failures or {})
        self.slots = self.sizes.slots(house, list(self.agents))
        self.names = {slot: name for name, slot in self.slots.items()}
        self._renderer = None
        sees_all = self.settings.sees == "all" and not isinstance(self.scene, Scenario)
        self.simulation: Simulation = start(
            scenario, house, sees=None if sees_all else self._perception(house)
        )
        self.task: HouseTask = self._draw_task(np.random.default_rng(task_seed))
        self.score = self.task.score(self.simulation)
        self.turns = 0
        self.messages = dict.fromkeys(self.agents, "")
        self.ok = dict.fromkeys(self.agents, True)

    def begun(self) -> Play:
        """Itself. Raises HomebodyError if no episode has begun."""
        if not hasattr(self, "simulation"):
            raise HomebodyError("no episode has begun", "call reset first")
        return self

    def step(self, actions: Mapping[str, Any]) -> tuple[float, bool, bool]:
        """Have the agents who are free act, and go on to the next event at which one is done.

        Args:
            actions: Agent -> an element of its action space; who is left out waits.

        Returns:
            Reward, whether the episode is finished, and whether it is cut off.

        Raises:
            ValueError: an action is not in the action space.
        """
        self.turns += 1
        for agent in self.agents:
            if self.simulation.busy(agent) is not None:
                continue
            action = self.action(agent, actions[agent]) if agent in actions else Action("Wait")
            refused = self.simulation.act(agent, action) if action is not None else None
            if refused is not None:
                self._keep(refused)
        for result in self.simulation.advance():
            self._keep(result)
        score = self.task.score(self.simulation)
        gained, self.score = score - self.score, score
        done = score >= 1.0
        spent = self.turns >= self.max_actions or self.simulation.clock >= self.max_steps
        return gained, done, spent and not done

    def _keep(self, result: Event) -> None:
        self.messages[result.role], self.ok[result.role] = result.message, result.ok

    def _house(self, seed: int) -> House:
        if isinstance(self.scene, House):
            return self.scene
        assert not isinstance(self.scene, Scenario)
        if self._made is None or self._made[0] != seed:
            self._made = (seed, self.scene(seed))
        return self._made[1]

    def _draw_task(self, rng: np.random.Generator) -> HouseTask:
        if self.settings.task is not None:
            return self.settings.task(self.simulation, rng)
        if isinstance(self.scene, Scenario):
            return HouseTask(self.scene.instruction)
        return bring(1)(self.simulation, rng)

    def _perception(self, house: House) -> Perception:
        if not isinstance(self.settings.sees, str):
            return self.settings.sees
        if self.settings.sees != "rays":
            return sees_room
        from homebody.worlds.house.rendering.visibility import looking

        return looking(house)

    # -- actions ----------------------------------------------------------------------------------

    def action_space(self) -> spaces.Space[Any]:
        """What an agent's actions are out of; a new object each time."""
        if self.in_words:
            return spaces.Text(max_length=400, min_length=0, charset=_CHARACTERS)
        return spaces.Discrete(len(SKILLS) * self.sizes.total)

    def action(self, agent: str, given: Any) -> Action | None:
        """The action that was meant; None if a text says none, which the agent's message tells.

        Raises:
            ValueError: it is not in the action space.
        """
        if self.in_words:
            if not isinstance(given, str):
                raise ValueError(f"an action in words is a text, not {given!r}")
            try:
                return find_call(given)
            except HomebodyError as error:
                self.messages[agent] = f"{error}; {error.hint}"
                self.ok[agent] = False
                return None
        number = int(given)
        if not 0 <= number < len(SKILLS) * self.sizes.total:
            raise ValueError(f"there is no action {given}")
        return action_of(self.simulation, agent, self.names, *divmod(number, self.sizes.total))

    # -- observations -----------------------------------------------------------------------------

    def observation_space(self) -> spaces.Dict:
        """What an agent's observations are out of: a space for each part that is observed."""
        total = self.sizes.total
        parts: dict[str, spaces.Space[Any]] = {}
        if "symbols" in self.parts:
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
        if "text" in self.parts:
            parts["text"] = spaces.Text(MAX_TEXT, min_length=0, charset=_CHARACTERS)
        height, width = self.settings.image_size
        if "image" in self.parts:
            parts["image"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
        if "depth" in self.parts:
            parts["depth"] = spaces.Box(0.0, FAR, (height, width), np.float32)
        return spaces.Dict(parts)

    def observe(self, agent: str) -> Observation:
        """What an agent observes now."""
        observation: Observation = {}
        if "symbols" in self.parts:
            rows = table(self.simulation, agent, self.slots, self.sizes.total)
            observation |= {
                "things": rows.things,
                "category": rows.category,
                "room": rows.room,
                "holder": rows.holder,
                "self": self._self(agent),
                "task": self._placements(),
            }
        if "text" in self.parts:
            observation["text"] = self._text(agent)
        if "image" in self.parts or "depth" in self.parts:
            picture = self.picture(agent)
            if "image" in self.parts:
                observation["image"] = picture.rgb
            if "depth" in self.parts:
                observation["depth"] = np.clip(picture.depth, 0.0, FAR).astype(np.float32)
        return observation

    def info(self, agent: str) -> dict[str, Any]:
        """What else an agent learns: see :class:`.environments.HouseEnv`."""
        simulation = self.simulation
        info: dict[str, Any] = {
            "instruction": self.task.instruction,
            "message": self.messages[agent],
            "ok": self.ok[agent],
            "busy": simulation.busy(agent) is not None,
            "clock": simulation.clock,
            "moved": simulation.moved[agent],
            "score": self.score,
        }
        if not self.in_words:
            if info["busy"]:
                possible = np.zeros((len(SKILLS), self.sizes.total), np.bool_)
                possible[SKILLS.index("Wait"), 0] = True
            else:
                possible = mask(simulation, agent, self.slots, self.sizes.total)
            info["action_mask"] = possible.astype(np.int8).ravel()
        return info

    def picture(self, agent: str) -> Any:
        """What an agent has before its eyes (a :class:`render.Picture`)."""
        from homebody.worlds.house.rendering.render import Camera, Renderer, eye_of

        state = self.simulation.state
        if self._renderer is None:
            self._renderer = Renderer.of(state.house, state)
        self._renderer.update(state)
        pose = state.bodies[agent].pose
        height, width = self.settings.image_size
        eye = eye_of(pose, self.agents[agent].size[2] * _EYES)
        camera = Camera(eye, pose.yaw, -15.0, width, height)
        return self._renderer.picture(camera, hide=(agent, *state.held(agent).values()))

    def _self(self, agent: str) -> NDArray[np.float32]:
        simulation = self.simulation
        pose = simulation.state.bodies[agent].pose
        turn = math.radians(pose.yaw)
        x, y, _ = pose.position
        free = len(self.agents[agent].hands) - len(simulation.state.held(agent))
        clock = min(simulation.clock / self.max_steps, 1.0)
        values = x, y, math.sin(turn), math.cos(turn), free, clock, self.turns / self.max_actions
        return np.array(values, np.float32)

    def _placements(self) -> NDArray[np.int32]:
        rows = np.zeros((MAX_PLACEMENTS, 3), np.int32)
        for row, placement in enumerate(self.task.placements[:MAX_PLACEMENTS]):
            relation = ("on", "within").index(placement.relation) + 1
            target = self.slots.get(placement.target, -1) + 1
            rows[row] = self.slots[placement.name] + 1, relation, target
        return rows

    def _text(self, agent: str) -> str:
        parts = [self.task.instruction, describe(self.simulation.graphs[agent])]
        if self.messages[agent]:
            parts.append(f"Last action: {self.messages[agent]}")
        parts.append(f"You can do: {', '.join(self.simulation.usable(agent))}")
        text = "\n\n".join(part for part in parts if part)
        return "".join(char if char in _CHARACTERS else "?" for char in text[:MAX_TEXT])
