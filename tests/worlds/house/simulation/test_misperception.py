"""Errors of perception as in appendix A.6.2 of the PARTNR paper."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

from homebody.core import HomebodyError
from homebody.core.play.transcript import find_call
from homebody.suites.partnr.prompting.knowledge_text import describe_world
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.simulation.knowledge import WorldGraph, sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import AFFORDS, thing, two_rooms


def start(errors: PerceptionErrors | None, seed: int = 0, house: House | None = None) -> Simulation:
    return Simulation(
        house or two_rooms(),
        {"robot": ROBOT, "human": HUMAN},
        seed=seed,
        poses={"robot": Pose((1.0, 3.0, 0.0)), "human": Pose((1.0, 1.5, 0.0))},
        affords=AFFORDS,
        sees=sees_room,
        errors=errors,
    )


def do(simulation: Simulation, agent: str, *texts: str) -> None:
    for text in texts:
        result = simulation.do(agent, find_call(text))
        assert result.ok, result.message


def objects(graph: WorldGraph) -> set[str]:
    return {node.name for node in graph.of_kind("object")}


def test_furniture_keeps_its_wrong_class_and_room() -> None:
    simulation = start(PerceptionErrors(furniture_class=1.0, furniture_room=1.0))
    graph = simulation.graphs["robot"]
    wrong = {node.name: (node.category, node.room) for node in graph.of_kind("furniture")}
    house = simulation.state.house
    for name, (category, room) in wrong.items():
        assert category != house.piece[name].category
        assert room != house.piece[name].room
    do(simulation, "robot", "Navigate[fridge_0]", "Open[fridge_0]", "Explore[bedroom_0]")
    after = {node.name: (node.category, node.room) for node in graph.of_kind("furniture")}
    assert after == wrong
    assert graph["fridge_0"].states["open"]
    text = describe_world(graph, ["robot"])
    assert f"fridge_0 (open, powered on, a {wrong['fridge_0'][0]})" in text
    assert simulation.state.house.piece["fridge_0"].category == "fridge"


def test_objects_are_believed_in_the_room_of_their_furniture() -> None:
    simulation = start(PerceptionErrors(furniture_room=1.0))
    graph = simulation.graphs["robot"]
    assert (graph["cup_0"].holder, graph["cup_0"].room) == ("table_0", "bedroom_0")
    do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]")
    assert graph["cup_0"].room == "kitchen_0"
    do(simulation, "robot", "Place[cup_0, on, table_0]")
    assert graph["cup_0"].room == "bedroom_0"
    assert "  table_0: cup_0 (dirty), cup_1" in describe_world(graph, ["robot"])


def near() -> House:
    """Return the house with a third cup beside the first."""
    house = two_rooms()
    cup = thing("cup_2", (1.8, 2.2, 0.75), ("table_0", "top"), clean=True, filled=False)
    return replace(house, things=(*house.things, cup))


def test_near_objects_of_a_kind_are_taken_for_one_until_one_moves() -> None:
    simulation = start(PerceptionErrors(merged=1.0), house=near())
    graph = simulation.graphs["robot"]
    assert {"cup_0", "cup_1"} <= objects(graph)  # 0.5 m apart
    assert not graph.knows("cup_2")
    do(simulation, "robot", "Navigate[table_0]", "Explore[kitchen_0]")
    assert not graph.knows("cup_2")
    do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]")
    assert graph["cup_2"].holder == "table_0"


def test_a_phantom_is_believed_until_a_close_look() -> None:
    found = 0
    for seed in range(10):
        simulation = start(PerceptionErrors(phantom=1.0), seed)
        graph = simulation.graphs["robot"]
        places = simulation.state.places
        phantoms = [
            node
            for node in graph.of_kind("object")
            if node.holder and node.holder != places[node.name][0]
        ]
        for node in phantoms:
            assert node.relation == "on"
            found += 1
            result = simulation.do("robot", find_call(f"Navigate[{node.name}]"))
            assert not result.ok
            assert "is not where you saw it last" in result.message
            assert graph[node.name].holder in ("", places[node.name][0])
    assert found >= 5


def test_only_the_agents_concerned_err() -> None:
    errors = PerceptionErrors(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, agents=("robot",))
    simulation = start(errors)
    true = start(None)
    assert dict(simulation.graphs["human"].nodes) == dict(true.graphs["human"].nodes)
    assert objects(simulation.graphs["robot"]) == set()


def test_errors_are_seeded_and_copies_err_alike() -> None:
    errors = PerceptionErrors(0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3)
    graphs = [dict(start(errors, seed).graphs["robot"].nodes) for seed in (1, 1, 2)]
    assert graphs[0] == graphs[1] != graphs[2]
    simulation = start(errors, 3)
    again = copy.deepcopy(simulation)
    for each in (simulation, again):
        do(each, "robot", "Explore[bedroom_0]", "Explore[kitchen_0]")
    assert dict(simulation.graphs["robot"].nodes) == dict(again.graphs["robot"].nodes)


@pytest.mark.parametrize("kind", ["furniture_class", "furniture_room", "merged", "phantom"])
def test_errors_are_probabilities(kind: str) -> None:
    with pytest.raises(HomebodyError, match=f"{kind} must be a probability"):
        PerceptionErrors(**{kind: 1.1})
