"""Scenarios as data: a house or the recipe for one, who acts in it, and what they are asked to do.

A :class:`Scenario` is what a task of the house world is saved as
(:mod:`homebody.worlds.house.io.files`) and what :func:`start` makes a simulation of. What its goal
means is up to whoever wrote it: it is kept as it was given.
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
from homebody.worlds.house.simulation.knowledge import PerceptionErrors, sees_room
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.senses import Perception
from homebody.worlds.house.simulation.simulation import Simulation


@dataclass(frozen=True, slots=True)
class Role:
    """Somebody who acts: a name, capabilities, and where it starts (anywhere if left out)."""

    name: Name
    agent: Agent
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    """A house with agents who are asked to do something in it.

    Attributes:
        house: The scene, or what it is generated from.
        agents: Who acts, in order of precedence.
        awake: People of the house who get up and do what agents request of them, after these.
        instruction: What they are asked to do, in words.
        goal: Any JSON value.
        seed: Of all that is random while it runs.
        partial: Whether agents know only what they have seen.
        failures: Skill -> probability that it fails for no reason.
        errors: Of perception; needs ``partial``.
        max_steps: The clock at which it ends.
        max_actions: How many actions each agent may choose.
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
    """A simulation in which a scenario can be played.

    Args:
        scenario: Who acts, and how.
        house: Its house (:func:`homebody.worlds.house.io.files.house_of` makes that of a recipe).
        sees: How agents see, in a partially observed scenario.

    Raises:
        HomebodyError: something in the house has an agent's name, nobody in it has that of one
            who is to be awake, or an agent cannot stand where it starts.
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
            raise HomebodyError(f"there is nobody named {name} in the house who could be awake")
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
