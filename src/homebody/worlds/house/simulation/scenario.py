"""Scenarios as data: a house or its recipe, the agents, and their task.

A :class:`Scenario` is the saved form of a house task (:mod:`homebody.worlds.house.io.files`);
:func:`start` makes a simulation of it. Its goal is stored unchanged; the author of the scenario
defines its meaning.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.bounds import Name, Seed, Share
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.recipe import HouseRecipe
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.senses import Perception
from homebody.worlds.house.simulation.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Role:
    """An acting agent: name, capabilities and starting pose (anywhere by default)."""

    name: Name
    agent: Agent
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A house and agents with a task in it.

    Attributes:
        house: The scene or its recipe.
        agents: The agents in order of precedence.
        awake: People of the house who act on requests of agents; they follow in precedence.
        instruction: The task in words.
        goal: Any JSON value.
        seed: Seed of all random choices.
        partial: True if agents know only what they have seen.
        failures: Skill -> probability that it fails at random.
        errors: Perception errors; require ``partial``.
        max_steps: The clock at which it ends.
        max_actions: Number of actions per agent.
    """

    house: House | HouseRecipe
    agents: Annotated[tuple[Role, ...], Meta(min_length=1, max_length=64)]
    instruction: Annotated[str, Meta(max_length=20_000)] = ""
    goal: Any = None
    seed: Seed = 0
    partial: bool = True
    failures: Annotated[Mapping[Name, Share], Meta(max_length=64)] = field(default_factory=dict)
    errors: PerceptionErrors | None = None
    max_steps: Annotated[int, Meta(ge=1, le=2**31 - 1)] = 20_000
    max_actions: Annotated[int, Meta(ge=1, le=1_000_000)] = 50
    awake: Annotated[tuple[Name, ...], Meta(max_length=64)] = ()


def start(scenario: Scenario, house: House, *, sees: Perception | None = sees_room) -> Simulation:
    """Start a simulation of a scenario.

    Args:
        scenario: The scenario.
        house: Its house (:func:`homebody.worlds.house.io.files.house_of` builds one from a recipe).
        sees: The perception of agents in a partially observed scenario.

    Raises:
        HomebodyError: An agent has the name of something in the house, a person to be awake does
            not exist, or an agent cannot stand where it starts.
    """
    named = [
        house.room,
        house.floors,
        house.piece,
        house.door,
        house.thing,
        [p.name for p in house.people],
    ]
    for role in scenario.agents:
        if any(role.name in names for names in named):
            raise HomebodyError(f"{role.name} is the name of something in the house")
    for name in scenario.awake:
        if name not in house.person:
            raise HomebodyError(f"there is nobody named {name} in the house")
    scene, people, standing, looks = wake_people(house, scenario.awake)
    try:
        return Simulation(
            scene,
            {**{role.name: role.agent for role in scenario.agents}, **people},
            seed=scenario.seed,
            poses={
                **{role.name: role.pose for role in scenario.agents if role.pose is not None},
                **standing,
            },
            people=looks,
            failures=scenario.failures,
            sees=sees if scenario.partial else None,
            errors=scenario.errors if scenario.partial else None,
        )
    except ValueError as error:
        raise HomebodyError(f"the episode cannot start: {error}") from error
