"""Every place that a task can name is one that Navigate reaches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.reachability import find_unreachable
from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Opening, Pose
from homebody.worlds.house.simulation.conditions import SkillContext
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.destinations import way_to
from homebody.worlds.house.simulation.walking.navigation import navigation
from thorough import part_of
from worlds.house.handmade import piece, room


@pytest.mark.sampled
@pytest.mark.parametrize("kind", catalogue().scenes)
def test_navigate_reaches_all_that_has_a_name(kind: str):
    for seed in part_of(range(100, 103)):
        house = generate(seed, kind)
        simulation = Simulation(house, {"robot": ROBOT}, seed=seed)
        context = SkillContext(simulation.state, simulation.agents)
        people = [person.name for person in house.people]
        for name in (*house.room, *house.piece, *house.thing, *house.door, *people):
            path, _ = way_to(context, navigation(house), "robot", name, ())
            assert path.length >= 0.0, name  # else it is refused


@pytest.mark.parametrize(("wide", "wrong"), [(1.0, []), (2.4, ["lamp_0 cannot be reached"])])
def test_what_nobody_can_touch_is_found(wide: float, wrong: list[str]):
    hall = room("hallway_0", (0.0, 0.0), (6.0, 6.0))
    entrance = Opening("entrance_0", "entrance", ("hallway_0",), (-0.06, 1.0), (-0.06, 1.9), 0, 2.1)
    block = piece("table_0", "hallway_0", (3.0, 3.0), (wide, wide, 1.0))
    lamp = replace(
        piece("lamp_0", "hallway_0", (3.0, 3.0), (0.2, 0.2, 0.3)), pose=Pose((3.0, 3.0, 2.3))
    )
    house = House(0, "home", (hall,), (entrance,), (block, lamp))
    assert list(find_unreachable(house, catalogue())) == wrong
