"""An episode as the environments play it: how it begins, what agents are shown, what they mean.

:mod:`envs` puts the interfaces of Gymnasium and PettingZoo around it.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.worlds.house.envs.symbols import (
    FEATURES,
    SKILLS,
    Sizes,
    action_of,
    categories,
    mask,
    table,
)
from homebody.worlds.house.envs.tasks import Errand, ErrandMaker, bring
from homebody.worlds.house.io.files import house_of
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import House
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.scenario import Role, Scenario, start
from homebody.worlds.house.simulation.simulation import Perception, Result, Simulation
from homebody.worlds.house.simulation.text import describe, parse_action

Scene: TypeAlias = House | Scenario | Callable[[int], House]
"""A house, an episode of a file, or what makes a house of a seed, a new one each time."""
Observation: TypeAlias = dict[str, Any]

MOST_WANTED = 8
"""Rows of ``errand`` in an observation."""
MOST_TEXT = 60_000
FAR = 100.0
"""Metres at which depth images end."""
_PARTS = ("symbols", "text", "image", "depth")
_WAYS = ("room", "rays", "all")
_CHARACTERS = string.printable
_EYES = 0.9
"""Height of the eyes, as a share of an agent's."""


class Play:
    """What both environments have in common: an episode, and how agents see it and act in it."""

    def __init__(
        self,
        scene: Scene,
        agents: Mapping[str, Agent],
        *,
        errand: ErrandMaker | None,
        observe: Iterable[str],
        actions: str,
        sees: str | Perception,
        image_size: tuple[int, int],
        sizes: Sizes,
        max_actions: int,
        max_steps: int,
        failures: Mapping[str, float] | None,
    ) -> None:
        self.scene = scene
        if isinstance(scene, Scenario):
            agents = {one.name: one.agent for one in scene.agents}
            max_actions, max_steps = scene.max_actions, scene.max_steps
        self.agents = dict(agents)
        self.errand_maker = errand
        self.parts = tuple(observe)
        self.in_words = actions == "text"
        self.sees = sees
        self.image_size = image_size
        self.sizes = sizes
        self.max_actions, self.max_steps = max_actions, max_steps
        self.failures = dict(failures or {})
        if not self.parts or any(one not in _PARTS for one in self.parts):
            raise HomebodyError(f"cannot observe {self.parts}", f"choose from {_PARTS}")
        if actions not in ("symbols", "text"):
            raise HomebodyError(f"actions cannot be {actions!r}", "choose symbols or text")
        if isinstance(sees, str) and sees not in _WAYS:
            raise HomebodyError(f"an agent cannot see {sees!r}", f"choose from {_WAYS}")
        if min(image_size) < 1 or max_actions < 1 or max_steps < 1:
            raise HomebodyError("sizes and bounds of an environment are 1 at least")
        self._made: tuple[int, House] | None = None
        self._renderer: Any = None

    # -- an episode -------------------------------------------------------------------------------

    def begin(self, rng: np.random.Generator) -> None:
        """Start an episode: all that is random in it is drawn from a generator."""
        house_seed, seed, errand_seed = (int(one) for one in rng.integers(2**31, size=3))
        if isinstance(self.scene, Scenario):
            episode = self.scene
            house = house_of(episode) if self._made is None else self._made[1]
            self._made = (0, house)
        else:
            house = self._house(house_seed)
            roles = tuple(Role(name, agent) for name, agent in self.agents.items())
            episode = Scenario(house, roles, seed=seed, failures=self.failures)
        self.slots = self.sizes.slots(house, list(self.agents))
        self.names = {slot: name for name, slot in self.slots.items()}
        self._renderer = None
        whole = self.sees == "all" and not isinstance(self.scene, Scenario)
        self.simulation: Simulation = start(
            episode, house, sees=None if whole else self._eyes(house)
        )
        self.errand: Errand = self._errand(np.random.default_rng(errand_seed))
        self.score = self.errand.score(self.simulation)
        self.turns = 0
        self.told = dict.fromkeys(self.agents, "")
        self.ok = dict.fromkeys(self.agents, True)

    def begun(self) -> Play:
        """Itself. Raises HomebodyError if no episode has begun."""
        if not hasattr(self, "simulation"):
            raise HomebodyError("no episode has begun", "call reset first")
        return self

    def progress(self) -> tuple[float, bool, bool]:
        """Reward since the last call, and whether the episode is finished, or cut off."""
        score = self.errand.score(self.simulation)
        gained, self.score = score - self.score, score
        done = score >= 1.0
        spent = self.turns >= self.max_actions or self.simulation.clock >= self.max_steps
        return gained, done, spent and not done

    def _house(self, seed: int) -> House:
        if isinstance(self.scene, House):
            return self.scene
        assert not isinstance(self.scene, Scenario)
        if self._made is None or self._made[0] != seed:
            self._made = (seed, self.scene(seed))
        return self._made[1]

    def _errand(self, rng: np.random.Generator) -> Errand:
        if self.errand_maker is not None:
            return self.errand_maker(self.simulation, rng)
        if isinstance(self.scene, Scenario):
            return Errand(self.scene.instruction)
        return bring(1)(self.simulation, rng)

    def _eyes(self, house: House) -> Perception:
        if not isinstance(self.sees, str):
            return self.sees
        if self.sees != "rays":
            return sees_room
        from homebody.worlds.house.rendering.visibility import looking

        return looking(house)

    def _eye(self, agent: str) -> float:
        return self.agents[agent].size[2] * _EYES

    # -- actions ----------------------------------------------------------------------------------

    def action_space(self) -> spaces.Space[Any]:
        if self.in_words:
            return spaces.Text(max_length=400, min_length=0, charset=_CHARACTERS)
        return spaces.Discrete(len(SKILLS) * self.sizes.total)

    def action(self, agent: str, given: Any) -> Action | None:
        """The action that was meant; None if a text says none, and the agent is told so.

        Raises:
            ValueError: it is not in the action space.
        """
        if self.in_words:
            if not isinstance(given, str):
                raise ValueError(f"an action in words is a text, not {given!r}")
            try:
                return parse_action(given)
            except HomebodyError as error:
                self.told[agent] = f"{error}; {error.hint}"
                self.ok[agent] = False
                return None
        number = int(given)
        if not 0 <= number < len(SKILLS) * self.sizes.total:
            raise ValueError(f"there is no action {given}")
        return action_of(self.simulation, agent, self.names, *divmod(number, self.sizes.total))

    def note(self, result: Result) -> None:
        """Keep what an agent is told."""
        self.told[result.agent], self.ok[result.agent] = result.message, result.ok

    # -- observations -----------------------------------------------------------------------------

    def observation_space(self) -> spaces.Dict:
        total = self.sizes.total
        found: dict[str, spaces.Space[Any]] = {}
        if "symbols" in self.parts:
            low = np.full((total, len(FEATURES)), -1.0, np.float32)
            high = np.ones_like(low)
            metres = [FEATURES.index(one) for one in ("x", "y", "z", "distance")]
            metres += [FEATURES.index(one) for one in ("width", "depth", "height")]
            low[:, metres], high[:, metres] = -2000.0, 2000.0
            most = max(*categories().values(), total) + 1
            found["things"] = spaces.Box(low, high, dtype=np.float32)
            for name in ("category", "room", "holder"):
                found[name] = spaces.Box(0, most, (total,), np.int32)
            found["self"] = spaces.Box(
                np.array([-2000, -2000, -1, -1, 0, 0, 0], np.float32),
                np.array([2000, 2000, 1, 1, 8, 1, 1], np.float32),
                dtype=np.float32,
            )
            found["errand"] = spaces.Box(0, total, (MOST_WANTED, 3), np.int32)
        if "text" in self.parts:
            found["text"] = spaces.Text(MOST_TEXT, min_length=0, charset=_CHARACTERS)
        height, width = self.image_size
        if "image" in self.parts:
            found["image"] = spaces.Box(0, 255, (height, width, 3), np.uint8)
        if "depth" in self.parts:
            found["depth"] = spaces.Box(0.0, FAR, (height, width), np.float32)
        return spaces.Dict(found)

    def observe(self, agent: str) -> Observation:
        found: Observation = {}
        if "symbols" in self.parts:
            rows = table(self.simulation, agent, self.slots, self.sizes.total)
            found |= {
                "things": rows.things,
                "category": rows.category,
                "room": rows.room,
                "holder": rows.holder,
                "self": self._self(agent),
                "errand": self._wanted(),
            }
        if "text" in self.parts:
            found["text"] = self._text(agent)
        if "image" in self.parts or "depth" in self.parts:
            picture = self.picture(agent)
            if "image" in self.parts:
                found["image"] = picture.rgb
            if "depth" in self.parts:
                found["depth"] = np.clip(picture.depth, 0.0, FAR).astype(np.float32)
        return found

    def info(self, agent: str) -> dict[str, Any]:
        """What else an agent is told: see :class:`HouseEnv`."""
        simulation = self.simulation
        found: dict[str, Any] = {
            "instruction": self.errand.instruction,
            "message": self.told[agent],
            "ok": self.ok[agent],
            "busy": simulation.busy(agent) is not None,
            "clock": simulation.clock,
            "moved": simulation.moved[agent],
            "score": self.score,
        }
        if not self.in_words:
            if found["busy"]:
                possible = np.zeros((len(SKILLS), self.sizes.total), np.bool_)
                possible[SKILLS.index("Wait"), 0] = True
            else:
                possible = mask(simulation, agent, self.slots, self.sizes.total)
            found["action_mask"] = possible.astype(np.int8).ravel()
        return found

    def picture(self, agent: str) -> Any:
        """What an agent has before its eyes (a :class:`render.Picture`)."""
        from homebody.worlds.house.rendering.render import Camera, Renderer, eye_of

        state = self.simulation.state
        if self._renderer is None:
            self._renderer = Renderer.of(state.house, state)
        self._renderer.update(state)
        pose = state.bodies[agent].pose
        height, width = self.image_size
        camera = Camera(eye_of(pose, self._eye(agent)), pose.yaw, -15.0, width, height)
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

    def _wanted(self) -> NDArray[np.int32]:
        found = np.zeros((MOST_WANTED, 3), np.int32)
        for row, one in enumerate(self.errand.wanted[:MOST_WANTED]):
            relation = ("on", "within").index(one.relation) + 1
            found[row] = self.slots[one.name] + 1, relation, self.slots.get(one.target, -1) + 1
        return found

    def _text(self, agent: str) -> str:
        parts = [self.errand.instruction, describe(self.simulation.graphs[agent])]
        if self.told[agent]:
            parts.append(f"Last action: {self.told[agent]}")
        parts.append(f"You can do: {', '.join(self.simulation.usable(agent))}")
        text = "\n\n".join(part for part in parts if part)
        return "".join(one if one in _CHARACTERS else "?" for one in text[:MOST_TEXT])
