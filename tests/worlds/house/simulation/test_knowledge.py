"""World graphs: the truth, what was seen, what was misperceived."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.core import HomebodyError
from homebody.core.action import Action
from homebody.core.play.transcript import find_call
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.knowledge import (
    PerceptionErrors,
    WorldGraph,
    sees_room,
)
from homebody.worlds.house.simulation.relations import is_shut_in
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.text import (
    describe_house,
    observation,
)
from worlds.house.handmade import AFFORDS, two_rooms

KITCHEN = Pose((1.0, 3.0, 0.0))
BEDROOM = Pose((5.0, 1.0, 0.0))


def state() -> HouseState:
    first = HouseState.start(two_rooms())
    first.bodies["robot"] = Body(KITCHEN)
    return first


def start(partial: bool, errors: PerceptionErrors | None = None, seed: int = 0) -> Simulation:
    return Simulation(
        two_rooms(),
        {"robot": ROBOT, "human": HUMAN},
        seed=seed,
        poses={"robot": KITCHEN, "human": BEDROOM},
        affords=AFFORDS,
        sees=sees_room if partial else None,
        errors=errors,
    )


def do(simulation: Simulation, agent: str, *texts: str) -> None:
    for text in texts:
        result = simulation.do(agent, find_call(text))
        assert result.ok, result.message


def truth(simulation: Simulation) -> dict[str, object]:
    return dict(WorldGraph(simulation.state, "robot").nodes)


def test_a_full_graph_stays_the_truth() -> None:
    simulation = start(partial=False)
    assert simulation.graphs["robot"]["milk_0"].holder == "fridge_0"
    do(simulation, "human", "Rearrange[ball_0, within, basket_0]", "Pick[basket_0]")
    do(simulation, "robot", "Navigate[fridge_0]", "Open[fridge_0]", "Navigate[bedroom_0]")
    for graph in simulation.graphs.values():
        assert graph.nodes == truth(simulation)
    graph = simulation.graphs["robot"]
    assert graph["basket_0"].relation == "held"
    assert graph["ball_0"].relation == "within"
    assert graph["fridge_0"].states["open"]
    assert graph["robot"].room == "bedroom_0"


def test_a_partial_graph_begins_with_the_layout_and_what_is_in_sight() -> None:
    graph = start(partial=True).graphs["robot"]
    assert graph.knows("table_1")
    assert graph.knows("floor_bedroom_0")
    assert graph["safe_0"].states == {}
    assert graph["fridge_0"].states["open"] is False
    assert graph.knows("cup_0")
    assert not graph.knows("key_0")
    assert not graph.knows("milk_0")
    assert [thing.name for thing in graph.of_kind("object", "kitchen_0")] == [
        "cup_0",
        "cup_1",
        "jug_0",
    ]


def test_own_actions_and_opened_doors_teach() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[fridge_0]", "Open[fridge_0]")
    graph = simulation.graphs["robot"]
    assert graph["fridge_0"].states["open"]
    assert graph["milk_0"].holder == "fridge_0"
    do(simulation, "robot", "Rearrange[milk_0, on, table_1]")
    assert graph["milk_0"] == truth(simulation)["milk_0"]


def test_who_opens_something_sees_what_is_in_it_wherever_one_stands() -> None:
    simulation = Simulation(
        two_rooms(),
        {"robot": ROBOT},
        poses={"robot": KITCHEN},
        affords=AFFORDS,
        sees=lambda state, agent: (),  # nothing is ever seen by looking
    )
    do(simulation, "robot", "Navigate[fridge_0]", "Open[fridge_0]")
    assert simulation.graphs["robot"]["milk_0"].holder == "fridge_0"


def test_what_others_do_out_of_sight_is_learned_by_looking_again() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[bedroom_0]")
    graph = simulation.graphs["robot"]
    assert graph["cup_0"].holder == "table_0"
    simulation.graphs["human"].refresh(["cup_0"])
    do(simulation, "human", "Rearrange[cup_0, on, floor_kitchen_0]")
    assert graph["cup_0"].holder == "table_0"  # a stale belief
    do(simulation, "robot", "Navigate[table_0]")
    assert graph["cup_0"].holder == "floor_kitchen_0"


def test_who_stands_idle_sees_who_comes() -> None:
    simulation = start(partial=True)
    assert not simulation.graphs["human"].knows("robot")
    do(simulation, "robot", "Navigate[bedroom_0]")
    assert simulation.graphs["human"]["robot"].room == "bedroom_0"
    do(simulation, "human", "Navigate[robot]")


def test_who_has_gone_is_not_where_one_saw_them_last() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[bedroom_0]", "Navigate[kitchen_0]")
    assert simulation.graphs["human"]["robot"].room == ""
    assert "now somewhere else: robot" in observation(simulation, "human")
    lost = simulation.do("human", find_call("Navigate[robot]"))
    assert not lost.ok
    assert lost.message.startswith("robot is not where you saw it last; explore rooms")
    do(simulation, "human", "Explore[kitchen_0]", "Navigate[robot]")


def test_what_somebody_has_taken_away_is_not_where_it_was_seen_last() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]", "Navigate[bedroom_0]")
    assert "is held by robot" in observation(simulation, "human")
    do(simulation, "robot", "Navigate[kitchen_0]")
    told = observation(simulation, "human")
    assert "seen before, now somewhere else: robot, cup_0 (held by robot)" in told
    lost = simulation.do("human", find_call("Navigate[cup_0]"))
    assert lost.message.startswith("cup_0 is not where you saw it last")


def test_who_comes_to_somebody_who_has_gone_on_is_told() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[bedroom_0]")
    do(simulation, "human", "Navigate[fridge_0]")
    do(simulation, "robot", "Navigate[safe_0]")
    missed = simulation.do("human", find_call("Navigate[robot]"))
    assert missed.message == "robot has gone on; go after it: Navigate[robot]"
    do(simulation, "human", "Navigate[robot]")


def test_what_is_gone_from_where_it_was_is_known_to_be_gone() -> None:
    simulation = start(partial=True)
    do(simulation, "robot", "Navigate[bedroom_0]")
    simulation.graphs["human"].refresh(["cup_0", "milk_0"])
    do(simulation, "human", "Navigate[fridge_0]", "Open[fridge_0]",
       "Rearrange[cup_0, within, fridge_0]", "Navigate[fridge_0]", "Close[fridge_0]",
       "Navigate[bedroom_0]")  # fmt: skip
    do(simulation, "robot", "Navigate[table_0]")
    node = simulation.graphs["robot"]["cup_0"]
    assert (node.holder, node.room) == ("", "")
    assert "now somewhere else: cup_0" in describe_house(simulation.graphs["robot"])


def test_misclassified_for_good_until_it_is_in_hand() -> None:
    simulation = start(partial=True, errors=PerceptionErrors(misclassified=1.0))
    graph = simulation.graphs["robot"]
    wrong = graph["cup_0"].category
    assert wrong != "cup"
    do(simulation, "robot", "Navigate[table_0]", "Wait[]")
    assert graph["cup_0"].category == wrong
    assert f"cup_0 (dirty, empty), a {wrong} is on table_0" in describe_house(graph)
    do(simulation, "robot", "Pick[cup_0]", "Place[cup_0, on, table_0]", "Wait[]")
    assert graph["cup_0"].category == "cup"


def test_wrong_room_and_missed() -> None:
    graph = start(partial=True, errors=PerceptionErrors(wrong_room=1.0)).graphs["robot"]
    assert graph["cup_0"].room == "bedroom_0"
    blind = start(partial=True, errors=PerceptionErrors(missed=1.0))
    assert list(blind.graphs["robot"].of_kind("object")) == []
    do(blind, "robot", "Explore[kitchen_0]")
    assert list(blind.graphs["robot"].of_kind("object")) == []


def test_errors_are_seeded_and_rates_are_kept() -> None:
    def known(seed: int) -> list[str]:
        errors = PerceptionErrors(missed=0.5)
        return [thing.name for thing in start(True, errors, seed).graphs["human"].of_kind("object")]

    assert known(1) == known(1)
    assert len({tuple(known(seed)) for seed in range(8)}) > 3
    rate = np.mean([len(known(seed)) for seed in range(60)]) / 4  # key, ball, basket, statue
    assert 0.4 < rate < 0.6
    with pytest.raises(ValueError, match="generator"):
        WorldGraph(state(), "robot", partial=True, errors=PerceptionErrors(missed=0.5))


@pytest.mark.parametrize(
    "wrong", [{"missed": 1.5}, {"misclassified": -0.1}, {"wrong_room": np.nan}]
)
def test_errors_are_probabilities(wrong: dict[str, float]) -> None:
    with pytest.raises(HomebodyError, match="must be a probability"):
        PerceptionErrors(**wrong)


def test_what_an_agent_holds_does_not_hide_what_is_ahead() -> None:
    pytest.importorskip("embreex")
    from homebody.worlds.house.rendering.visibility import looking

    house = two_rooms()
    start = HouseState.start(house, {"robot": Body(Pose((6.0, 1.1, 0.0)), (0.5, 0.5, 2.3))})
    sees = looking(house)
    free = set(sees(start, "robot"))
    start.move("basket_0", ("robot", "right"), start.carried_pose("robot", "right", "basket_0"))
    start.move("ball_0", ("basket_0", "inside"), start.poses["basket_0"])
    assert free - {"basket_0", "ball_0"} <= set(sees(start, "robot"))
    assert {"basket_0", "ball_0"} <= set(sees(start, "robot"))  # one knows what one holds


def test_what_is_out_of_view_is_not_taken_to_be_gone() -> None:
    now = state()
    now.bodies["robot"] = body = Body(Pose((2.0, 1.1, 0.0), 180.0))  # its back to the table
    body.view = 120.0
    graph = WorldGraph(now, "robot", partial=True)
    graph.refresh(["cup_0", "cup_1"])
    now.move("cup_0", ("floor_bedroom_0", ""), Pose((5.0, 1.0, 0.0)))
    graph.see(["table_0"])  # a corner of it, say
    assert graph["cup_0"].holder == "table_0"
    body.pose = Pose((2.0, 1.1, 0.0), 0.0)
    graph.see(["table_0", "cup_1"])
    assert graph["cup_0"].holder == ""
    assert graph["cup_1"].holder == "table_0"


def test_beliefs_that_go_round_in_a_circle_do_not() -> None:
    simulation = start(partial=True)
    graph = simulation.graphs["robot"]
    graph.refresh(["ball_0", "basket_0"])
    graph.believe(replace(graph["ball_0"], holder="basket_0", relation="within"))
    graph.believe(replace(graph["basket_0"], holder="ball_0", relation="on"))
    believed = graph.believed_state()
    assert "" in (believed.places["ball_0"][0], believed.places["basket_0"][0])
    result = simulation.act("robot", find_call("Rearrange[ball_0, on, table_0]"))
    assert result is not None
    assert "not where you saw it last" in result.message


def test_it_tells_what_changed_since_a_version() -> None:
    simulation = start(partial=True)
    graph = simulation.graphs["robot"]
    assert set(graph.changed_since(0)) == set(graph.nodes)
    before, version = dict(graph.nodes), graph.version
    do(simulation, "robot", "Wait[]")
    assert graph.changed_since(version) == []  # it looked, and all is as it was
    do(simulation, "robot", "Rearrange[cup_0, on, floor_kitchen_0]", "Navigate[bedroom_0]")
    assert graph.knows("ball_0")
    assert set(graph.changed_since(version)) == {
        name for name, node in graph.nodes.items() if before.get(name) != node
    }
    version = graph.version
    graph.believe(replace(graph["cup_0"], room=""))
    assert graph.changed_since(version) == ["cup_0"]


def test_seen_in_any_order_gives_the_same_graph() -> None:
    def look(names: list[str]) -> dict[str, object]:
        rng = np.random.default_rng(3)
        errors = PerceptionErrors(0.3, 0.5, 0.5)
        graph = WorldGraph(state(), "robot", partial=True, errors=errors, rng=rng)
        graph.see(names)
        return dict(graph.nodes)

    names = sorted(sees_room(state(), "robot"))
    assert look(names) == look(names[::-1])


def test_filled_by_ray_casting_it_sees_what_is_in_view_and_not_what_is_shut_in() -> None:
    pytest.importorskip("embreex")
    from homebody.worlds.house.generation.generate import generate
    from homebody.worlds.house.rendering.visibility import looking

    house = generate(0, rooms=3)
    simulation = Simulation(house, {"robot": ROBOT}, seed=1, sees=looking(house))
    graph = simulation.graphs["robot"]
    for room in house.rooms:
        simulation.do("robot", Action("Explore", (room.name,)))
    seen = {thing.name for thing in graph.of_kind("object")}
    hidden = {thing for thing in house.thing if is_shut_in(simulation.state, thing)}
    lying_open = set(house.thing) - hidden
    assert not seen & hidden
    assert len(seen) > 0.7 * len(lying_open)
    for name in seen:
        assert graph[name] == WorldGraph(simulation.state, "robot")[name]


# -- text -------------------------------------------------------------------------------------


def test_an_observation_says_what_a_model_needs() -> None:
    simulation = start(partial=True)
    simulation.do("human", Action("Navigate", ("table_0",)))
    simulation.do("robot", Action("Pick", ("table_0",)))
    simulation.act("human", Action("Wait"))
    text = observation(simulation, "robot")
    assert (
        "kitchen_0: table_0 (clean), fridge_0 (closed, powered on, clean), sink_0 (dirty)" in text
    )
    assert "cup_0 (dirty, empty) is on table_0" in text
    assert "You are robot in kitchen_0 and hold nothing." in text
    assert "Pick[table_0] failed: table_0 is furniture" in text
    assert "human is doing Wait[]." in text
    assert "Pick[object]" in text
    assert "Clean" not in text
    assert "key_0" not in text


def test_an_observation_does_not_say_what_somebody_does_who_is_not_seen() -> None:
    for partial in (True, False):
        simulation = start(partial=partial)
        simulation.do("human", Action("Navigate", ("bedroom_0",)))
        simulation.act("human", Action("Wait"))
        rooms = {simulation.graphs[agent][agent].room for agent in ("robot", "human")}
        assert len(rooms) == 2
        assert ("human is doing Wait[]." in observation(simulation, "robot")) is not partial


def test_rooms_without_a_door_between_them_are_told_of() -> None:
    simulation = start(partial=True)
    passages = [one for one in two_rooms().openings if one.kind == "doorway"]
    assert [set(one.rooms) for one in passages] == [{"kitchen_0", "bedroom_0"}]
    told = describe_house(simulation.graphs["robot"], "kitchen_0")
    assert "  open doorway to bedroom_0" in told.splitlines()


def test_furniture_of_an_unknown_layout_is_known_when_it_is_seen() -> None:
    graph = WorldGraph(state(), "robot", partial=True, layout=False)
    assert {node.kind for node in graph.nodes.values()} <= {"room", "door", "agent"}
    table = next(piece.name for piece in graph.house.furniture)
    graph.see([table])
    assert graph[table].kind == "furniture"
    assert WorldGraph(state(), "robot", partial=False, layout=False).knows(table)
    text = describe_house(WorldGraph(state(), "robot", partial=True, layout=False))
    assert text.count("no furniture seen yet") == len(graph.house.rooms)
    assert "seen yet" not in describe_house(WorldGraph(state(), "robot", partial=True))
