"""Errands: small tasks drawn from a house, for environments that bring none of their own.

An errand is finished when objects are where they are wanted. They are drawn so that they can be
done: the agent can walk to the object and to where it goes, nothing on the way is locked, and
there is room.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import bearer
from homebody.worlds.house.simulation.placing import fit, receptacles
from homebody.worlds.house.simulation.simulation import Simulation

_TRIES = 400


@dataclass(frozen=True, slots=True)
class Wanted:
    """An object that should be ``on`` or ``within`` a piece of furniture or another object."""

    name: str
    relation: str
    target: str

    def holds(self, state: HouseState) -> bool:
        """Whether it is there."""
        holder, space = state.places[self.name]
        if holder != self.target:
            return False
        return any(one.name == space for one in receptacles(state, holder, self.relation))

    def __str__(self) -> str:
        return f"put {self.name} {'in' if self.relation == 'within' else 'on'} {self.target}"


@dataclass(frozen=True, slots=True)
class Errand:
    """What agents of an environment are to do.

    Attributes:
        instruction: In words.
        wanted: What should be where.
        judge: How far it is done, from 0 to 1; left out, the share of ``wanted`` that holds.
    """

    instruction: str
    wanted: tuple[Wanted, ...] = ()
    judge: Callable[[Simulation], float] | None = None

    def score(self, simulation: Simulation) -> float:
        """How far it is done, from 0 to 1. An errand without anything wanted is never done."""
        if self.judge is not None:
            return float(self.judge(simulation))
        done = sum(one.holds(simulation.state) for one in self.wanted)
        return done / len(self.wanted) if self.wanted else 0.0


ErrandMaker: TypeAlias = Callable[[Simulation, np.random.Generator], Errand]
"""Draws an errand for a house in its first state."""


def bring(count: int = 1) -> ErrandMaker:
    """Errands of bringing so many objects to other pieces of furniture.

    Raises (when one is drawn):
        HomebodyError: there are not so many objects that could be brought anywhere.
    """

    def make(simulation: Simulation, rng: np.random.Generator) -> Errand:
        wanted: list[Wanted] = []
        for _ in range(_TRIES):
            if len(wanted) == count:
                break
            one = _drawn(simulation, rng)
            if one is not None and all(one.name != other.name for other in wanted):
                wanted.append(one)
        if len(wanted) < count:
            raise HomebodyError(
                f"there are not {count} objects in this house that could be brought elsewhere",
                "ask for fewer, or for a larger house",
            )
        text = ", and ".join(map(str, wanted))
        return Errand(f"{text[0].upper()}{text[1:]}.", tuple(wanted))

    return make


def _drawn(simulation: Simulation, rng: np.random.Generator) -> Wanted | None:
    """A wish that can be granted, or None if what was drawn cannot."""
    state, known = simulation.state, catalogue()
    house = state.house
    if not house.things or not house.furniture:
        return None
    thing = house.things[int(rng.integers(len(house.things)))]
    kind = known.things.get(thing.category)
    if kind is not None and "grabbable" not in kind.affords:
        return None
    pieces = [one for one in house.furniture if kind is None or one.category in kind.places]
    if not pieces:
        return None  # watches do not belong into the fridge
    piece = pieces[int(rng.integers(len(pieces)))]
    spaces = piece.receptacles
    if not spaces:
        return None
    space = spaces[int(rng.integers(len(spaces)))]
    if state.places[thing.name][0] == piece.name or _locked(state, thing.name):
        return None
    if state.is_so(piece.name, "locked") or thing.receptacles:
        return None  # containers come with what is in them
    agent = next(iter(simulation.agents))
    pose = state.bodies[agent].pose
    if fit(state, thing.name, (piece.name, space.name), pose.position) is None:
        return None
    ways, reach = simulation.navigation(agent), simulation.agents[agent].reach
    here = pose.position[:2]
    lifted = bearer(state, thing.name)
    first = state.box(lifted if lifted in house.piece else thing.name)
    for box in (first, piece.box):
        spots = ways.spots(box, reach)
        if not any(np.isfinite(ways.distances(here, spots))):
            return None
    return Wanted(thing.name, space.kind, piece.name)


def _locked(state: HouseState, name: str) -> bool:
    """Whether anything around an object is locked."""
    at = name
    while at in state.places:
        at = state.places[at][0]
        if state.is_so(at, "locked"):
            return True
    return False
