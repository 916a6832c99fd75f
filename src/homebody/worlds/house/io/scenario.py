"""Episodes as data: a house or the recipe for one, who acts in it, and what they are told to do.

An :class:`Episode` is what a task of the house world is saved as (:mod:`files`) and what
:func:`start` makes a simulation of. What its goal means is up to whoever wrote it: it is kept as
it was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from homebody.core.errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.simulation.knowledge import PerceptionErrors, sees_room
from homebody.worlds.house.simulation.simulation import Sees, Simulation


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a house is generated from: the arguments of :func:`generate.generate`.

    Attributes:
        digest: Of the house that it made when it was written (:func:`files.digest`), or an empty
            string. A later homebody may furnish otherwise; the digest tells.
    """

    seed: int
    kind: str = "home"
    rooms: int | tuple[str, ...] | None = None
    furniture: int | None = None
    things: int | None = None
    people: int | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who acts: a name, capabilities, and where it starts (anywhere if left out)."""

    name: str
    agent: Agent
    pose: Pose | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """A task in a house.

    Attributes:
        house: The scene, or what it is generated from.
        agents: Who acts, in order of precedence.
        instruction: What they are asked to do, in words.
        goal: Any JSON value.
        seed: Of all that is random while it runs.
        partial: Whether agents know only what they have seen.
        failures: Skill -> probability that it fails for no reason.
        errors: Of perception; needs ``partial``.
        max_steps: The clock at which it ends.
        max_actions: How many actions each agent may choose.
    """

    house: House | Recipe
    agents: tuple[Player, ...]
    instruction: str = ""
    goal: Any = None
    seed: int = 0
    partial: bool = True
    failures: Mapping[str, float] = field(default_factory=dict)
    errors: PerceptionErrors | None = None
    max_steps: int = 20_000
    max_actions: int = 50


def house_of(episode: Episode) -> House:
    """The scene of an episode, generated if need be.

    Raises:
        HomebodyError: it cannot be generated, or it is not what it was when it was written.
    """
    recipe = episode.house
    if isinstance(recipe, House):
        return recipe
    house = generate(
        recipe.seed,
        recipe.kind,
        recipe.rooms,
        furniture=recipe.furniture,
        things=recipe.things,
        people=recipe.people,
    )
    if recipe.digest:
        from homebody.worlds.house.io.files import digest

        if digest(house) != recipe.digest:
            raise HomebodyError(
                f"the house of seed {recipe.seed} is not what it was when the episode was written",
                "use the version of homebody that wrote it, or write episodes with their houses",
            )
    return house


def start(
    episode: Episode, *, house: House | None = None, sees: Sees | None = sees_room
) -> Simulation:
    """A simulation in which an episode can be played.

    Args:
        house: Its scene, if the caller has it already.
        sees: How agents see, in a partially observed episode.

    Raises:
        HomebodyError: the house cannot be generated, something in it has an agent's name, or an
            agent cannot stand where it starts.
    """
    scene = house_of(episode) if house is None else house
    names = [scene.room, scene.floors, scene.piece, scene.thing, [p.name for p in scene.people]]
    for player in episode.agents:
        if any(player.name in some for some in names):
            raise HomebodyError(f"{player.name} is the name of something in the house")
    try:
        return Simulation(
            scene,
            {one.name: one.agent for one in episode.agents},
            seed=episode.seed,
            poses={one.name: one.pose for one in episode.agents if one.pose is not None},
            failures=episode.failures,
            sees=sees if episode.partial else None,
            errors=episode.errors if episode.partial else None,
        )
    except ValueError as error:
        raise HomebodyError(f"the episode cannot start: {error}") from error
