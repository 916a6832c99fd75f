"""Tasks in a house about places of objects, and small sampled tasks.

Sampled tasks are feasible: the agent can walk to the object and its target, nothing on the way is
locked, and there is room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from homebody.core import Protocol, Score
from homebody.core.goal import is_met
from homebody.core.ground.seeds import choose
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import bearer
from homebody.worlds.house.simulation.placing import fit, receptacles
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.doors import locked_doors
from homebody.worlds.house.simulation.walking.navigation import navigation

_TRIES = 400


@dataclass(frozen=True, slots=True)
class Placement:
    """An object that should be ``on`` or ``within`` a piece of furniture or another object."""

    name: str
    relation: str
    target: str

    def holds(self, state: HouseState) -> bool:
        """Return whether it is there."""
        holder, place = state.places[self.name]
        if holder != self.target:
            return False
        return any(space.name == place for space in receptacles(state, holder, self.relation))

    def __str__(self) -> str:
        return f"put {self.name} {'in' if self.relation == 'within' else 'on'} {self.target}"


@dataclass(frozen=True, slots=True)
class HouseTask:
    """A task in a house.

    Attributes:
        instruction: The task in words.
        placements: Wanted placements.
        judge: Returns the progress from 0 to 1, after each action; by default the share of
            ``placements`` that hold.
        source: The task of a suite from which it was made, for policies that may use it.
        measure: ``measure(simulation, score, protocol)`` -> the final score of a session, made from
            the default score, which only supports the corrected protocol. Optional.
        id: Unique in its suite.
    """

    instruction: str
    placements: tuple[Placement, ...] = ()
    judge: Callable[[Simulation], float] | None = None
    source: Any = None
    measure: Callable[[Simulation, Score, Protocol | None], Score] | None = None
    id: str = ""

    def score(self, simulation: Simulation) -> float:
        """Return the progress from 0 to 1; always 0 without placements and judge."""
        if self.judge is not None:
            return float(self.judge(simulation))
        done = sum(placement.holds(simulation.state) for placement in self.placements)
        return done / len(self.placements) if self.placements else 0.0

    def explanation(self, simulation: Simulation) -> str:
        """Return a sentence about what is left to do."""
        missing = [str(p) for p in self.placements if not p.holds(simulation.state)]
        if is_met(self.score(simulation)):
            return "Everything was done as it was asked."
        return f"Still to be done: {'; '.join(missing) or self.instruction}"


TaskSampler: TypeAlias = Callable[[Simulation, np.random.Generator], HouseTask]
"""Samples a task for a house in its initial state."""


def bring(count: int = 1) -> TaskSampler:
    """Return a sampler of tasks to bring some objects to other pieces of furniture.

    Raises:
        HomebodyError: While sampling, if too few objects can be brought anywhere.
    """

    def draw(simulation: Simulation, rng: np.random.Generator) -> HouseTask:
        placements: list[Placement] = []
        for _ in range(_TRIES):
            if len(placements) == count:
                break
            drawn = sample_placement(simulation, rng)
            if drawn is not None and all(drawn.name != other.name for other in placements):
                placements.append(drawn)
        if len(placements) < count:
            raise HomebodyError(
                f"this house has fewer than {count} objects that can be brought elsewhere",
                "use a smaller count or a larger house",
            )
        text = ", and ".join(map(str, placements))
        return HouseTask(f"{text[0].upper()}{text[1:]}.", tuple(placements))

    return draw


def sample_placement(simulation: Simulation, rng: np.random.Generator) -> Placement | None:
    """Sample a placement; None if it is not feasible."""
    state, entries = simulation.state, catalogue()
    house = state.house
    if not house.things or not house.furniture:
        return None
    thing = choose(rng, house.things)
    kind = entries.things.get(thing.category)
    if kind is not None and "grabbable" not in kind.affords:
        return None
    pieces = [piece for piece in house.furniture if kind is None or piece.category in kind.places]
    if not pieces:
        return None  # watches do not belong in the fridge
    piece = choose(rng, pieces)
    if not piece.receptacles:
        return None
    receptacle = choose(rng, piece.receptacles)
    if state.places[thing.name][0] == piece.name or _is_locked(state, thing.name):
        return None
    if state.can_hold(bearer(state, thing.name)):
        return None  # somebody holds it
    if state.is_in_state(piece.name, "locked") or thing.receptacles:
        return None  # containers come with what is in them
    agent = next(iter(simulation.agents))
    pose = state.bodies[agent].pose
    if fit(state, thing.name, (piece.name, receptacle.name), pose.position) is None:
        return None
    ways = navigation(house, simulation.agents[agent].radius, locked_doors(state))
    reach = simulation.agents[agent].reach
    here = pose.position[:2]
    outermost = bearer(state, thing.name)
    first = state.box(outermost if outermost in house.piece else thing.name)
    for box in (first, piece.box):
        spots = ways.spots(box, reach)
        if not any(np.isfinite(ways.distances(here, spots))):
            return None
    return Placement(thing.name, receptacle.kind, piece.name)


def _is_locked(state: HouseState, name: str) -> bool:
    """Return whether anything around an object is locked."""
    at = name
    while at in state.places:
        at = state.places[at][0]
        if state.is_in_state(at, "locked"):
            return True
    return False
