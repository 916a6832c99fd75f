"""What agents are told of what was done."""

from __future__ import annotations

from dataclasses import replace

from homebody.core.play.transcript import find_call
from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.result_messages import FOUND_NAMED, suggest_own_skills
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import thing, two_rooms

FLOOR = ("floor_bedroom_0", "")


def explored(simulation: Simulation, room: str) -> str:
    return simulation.do("robot", find_call(f"Explore[{room}]")).message


def test_who_has_looked_around_is_told_what_is_new() -> None:
    simulation = Simulation(two_rooms(), {"robot": ROBOT}, seed=1, sees=sees_room)
    before = set(simulation.graphs["robot"].nodes)
    messages = [explored(simulation, room) for room in ("kitchen_0", "bedroom_0", "kitchen_0")]
    found = sorted(set(simulation.graphs["robot"].nodes) - before)
    assert found
    assert all(sum(name in message for message in messages) == 1 for name in found)
    assert messages[2] == "you have looked around in kitchen_0 and found nothing new"


def test_who_knows_everything_finds_nothing() -> None:
    simulation = Simulation(two_rooms(), {"robot": ROBOT}, seed=1)
    assert explored(simulation, "bedroom_0") == "you have looked around in bedroom_0"


def test_furniture_that_was_not_known_is_found_too() -> None:
    simulation = Simulation(two_rooms(), {"robot": ROBOT}, seed=1, sees=sees_room, layout=False)
    messages = [explored(simulation, room) for room in ("kitchen_0", "bedroom_0")]
    known = simulation.graphs["robot"].nodes.keys() & two_rooms().piece.keys()
    assert known
    assert sum(name in message for name in known for message in messages) >= len(known) / 2


def test_so_many_are_named() -> None:
    pens = tuple(
        thing(f"pen_{index}", (5 + index % 10 / 10, 1 + index // 10 / 10, 0.0), FLOOR, (0.02,) * 3)
        for index in range(FOUND_NAMED + 5)
    )
    house = replace(two_rooms(), things=pens)
    there = {"robot": Pose((1.0, 3.0, 0.0))}
    simulation = Simulation(house, {"robot": ROBOT}, poses=there, sees=sees_room)
    message = explored(simulation, "bedroom_0")
    assert message.endswith(" and 5 more")
    assert message.count("pen_") == FOUND_NAMED


def test_advice_names_only_skills_that_the_agent_has() -> None:
    unseen = "cup_0 is not known to you; explore rooms to find it: Explore[room]"
    assert suggest_own_skills(unseen, {"Explore", "Navigate"}) == unseen
    assert suggest_own_skills(unseen, {"Navigate"}) == unseen.replace("Explore", "Navigate")
    assert suggest_own_skills(unseen, ()) == "cup_0 is not known to you; explore rooms to find it"
    far = "cup_0 is not within reach; go to it first: Navigate[cup_0]"
    assert suggest_own_skills(far, {"MoveAhead"}) == "cup_0 is not within reach; go to it first"
    beside = "there is no free floor for a here next to b; Navigate[b] first"
    assert suggest_own_skills(beside, ()) == "there is no free floor for a here next to b"
