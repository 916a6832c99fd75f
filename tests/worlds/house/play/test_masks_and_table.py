"""Arrays that are kept up to date are bit for bit those worked out from scratch."""

from __future__ import annotations

from dataclasses import astuple, replace
from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import WAIT, Action, HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import House
from homebody.worlds.house.play.masks import PossibleActions
from homebody.worlds.house.play.symbols import SKILLS, Sizes, action_of
from homebody.worlds.house.play.table import KnownTable, Table
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.simulation import Simulation
from thorough import examples
from worlds.house.handmade import AFFORDS, two_rooms
from worlds.house.play import plain_arrays

AGENTS = {"robot": ROBOT, "human": replace(HUMAN, hands=("right", "left"))}
ERRORS = PerceptionErrors(missed=0.2, misclassified=0.2, wrong_room=0.2)
LEARNED = PerceptionErrors(0.2, 0.2, 0.2, 0.3, 0.3, 0.5, 0.5)
SIZES = Sizes()


@cache
def homes() -> tuple[House, ...]:
    return generate(3, rooms=4), generate(1, "office"), two_rooms()


def start(house: House, seed: int, way: str) -> Simulation:
    return Simulation(
        house,
        AGENTS,
        seed=seed,
        affords=AFFORDS if house is homes()[2] else None,
        sees=None if way == "all" else sees_room,
        errors={"erring": ERRORS, "learned": LEARNED}.get(way),
        failures={"Pick": 0.2, "Place": 0.2},
    )


def same(table: Table, other: Table) -> bool:
    return all(map(np.array_equal, astuple(table), astuple(other)))


class Kept:
    """The arrays of an agent, kept up to date."""

    def __init__(self, simulation: Simulation, agent: str, slots: dict[str, int]) -> None:
        self.table = KnownTable(simulation, agent, slots, SIZES.total)
        self.possible = PossibleActions(simulation, agent, slots, SIZES.total)


def check(simulation: Simulation, kept: dict[str, Kept], slots: dict[str, int]) -> None:
    for agent, arrays in kept.items():
        scratch = plain_arrays.table(simulation, agent, slots, SIZES.total)
        assert same(arrays.table.now(), scratch), agent
        possible = plain_arrays.mask(simulation, agent, slots, SIZES.total)
        mask = arrays.possible.now()
        other = [(SKILLS[row], slot) for row, slot in np.argwhere(mask != possible)]
        assert np.array_equal(mask, possible), (agent, other)
        fresh = Kept(simulation, agent, slots)
        assert same(fresh.table.now(), scratch)
        assert np.array_equal(fresh.possible.now(), possible)


def choose(simulation: Simulation, agent: str, kept: Kept, rng: np.random.Generator) -> Action:
    """An action that looks possible, each skill as likely; now and then any."""
    slots = SIZES.slots(simulation.state.house, list(AGENTS))
    names = {slot: name for name, slot in slots.items()}
    mask = kept.possible.now()
    if rng.random() < 0.1:
        skill, slot = (int(rng.integers(size)) for size in mask.shape)
    else:
        skill = int(rng.choice(np.flatnonzero(mask.any(axis=1))))
        slot = int(rng.choice(np.flatnonzero(mask[skill])))
    try:
        return action_of(simulation, agent, names, skill, slot)
    except HomebodyError:
        assert not mask[skill, slot]
        return WAIT


def test_a_lamp_whose_state_is_unknown_may_be_switched() -> None:
    """In reach from a doorway, in a room that the agent has not seen."""
    compare(homes()[1], 9121, "room", 26)


def test_furniture_that_is_taken_for_a_sink_may_fill() -> None:
    compare(homes()[2], 40, "learned", 8)


@examples(20)
@given(
    st.deferred(lambda: st.sampled_from(homes())),
    st.integers(0, 2**32),
    st.sampled_from(["room", "all", "erring", "learned"]),
    st.integers(1, 40),
)
def test_kept_arrays_are_those_made_from_scratch(
    house: House, seed: int, way: str, actions: int
) -> None:
    compare(house, seed, way, actions)


def compare(house: House, seed: int, way: str, actions: int) -> None:
    simulation = start(house, seed, way)
    rng = np.random.default_rng(seed)
    slots = SIZES.slots(house, list(AGENTS))
    kept = {agent: Kept(simulation, agent, slots) for agent in AGENTS}
    check(simulation, kept, slots)
    for _ in range(actions):
        for agent in AGENTS:
            if simulation.busy(agent) is None:
                simulation.act(agent, choose(simulation, agent, kept[agent], rng))
        simulation.advance()
        if rng.random() < 0.7:  # not each time: several events are taken over at once
            check(simulation, kept, slots)
    check(simulation, kept, slots)
