"""Failures of skills as in appendix A.7 of the PARTNR paper."""

from __future__ import annotations

import copy
import math

import pytest

from homebody.core.action import Action
from homebody.core.play.session import Event
from homebody.core.play.transcript import find_call
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skill_failures import SkillFailures
from homebody.worlds.house.simulation.walking.movement import PATIENCE
from worlds.house.handmade import AFFORDS, two_rooms

LIMIT = 500


def start(failures: SkillFailures, seed: int = 0) -> Simulation:
    return Simulation(
        two_rooms(),
        {"robot": ROBOT, "human": HUMAN},
        seed=seed,
        poses={"robot": Pose((1.0, 3.0, 0.0)), "human": Pose((5.0, 1.0, 0.0))},
        affords=AFFORDS,
        failures=failures,
        sees=sees_room,
    )


def do(simulation: Simulation, agent: str, *texts: str) -> Event:
    for text in texts:
        result = simulation.do(agent, find_call(text))
    return result


def test_a_walk_that_times_out_ends_half_way_after_the_limit() -> None:
    simulation = start(SkillFailures(time_outs={"Navigate": 1.0}, limit=LIMIT))
    began = simulation.state.bodies["robot"].pose.position
    result = do(simulation, "robot", "Navigate[fridge_0]")
    assert (result.ok, result.message) == (False, "Navigate timed out on the way; try again")
    assert result.end - result.start == LIMIT
    stuck = simulation.state.bodies["robot"].pose.position
    rest = start(SkillFailures())
    do(rest, "robot", "Navigate[fridge_0]")
    assert simulation.moved["robot"] == pytest.approx(rest.moved["robot"] / 2)
    assert math.dist(began, stuck) == pytest.approx(simulation.moved["robot"], abs=0.2)


def test_a_door_is_opened_before_the_walk_behind_it_times_out() -> None:
    never = start(SkillFailures(time_outs={"Explore": 1.0}, limit=LIMIT))
    result = do(never, "robot", "Explore[bedroom_0]")
    assert result.message == "Explore timed out on the way; try again"
    assert do(never, "robot", "Navigate[bedroom_0]").ok


def test_a_skill_that_times_out_changes_nothing() -> None:
    simulation = start(SkillFailures(time_outs={"Pick": 1.0}, limit=LIMIT))
    do(simulation, "robot", "Navigate[cup_0]")
    before = dict(simulation.state.places)
    result = do(simulation, "robot", "Pick[cup_0]")
    assert (result.ok, result.message) == (False, "Pick timed out; try again")
    assert result.end - result.start == LIMIT
    assert dict(simulation.state.places) == before


def test_a_refused_skill_does_not_time_out() -> None:
    simulation = start(SkillFailures(time_outs={"Pick": 1.0}, limit=LIMIT))
    result = do(simulation, "robot", "Pick[jug_0]")
    assert (result.ok, result.start == result.end) == (False, True)


def test_only_the_agents_concerned_fail() -> None:
    failures = SkillFailures(
        dict.fromkeys(("Pick", "Navigate"), 1.0), {"Navigate": 1.0}, LIMIT, 1.0, ("robot",)
    )
    simulation = start(failures)
    assert do(simulation, "human", "Explore[kitchen_0]", "Navigate[cup_0]", "Pick[cup_0]").ok
    assert list(simulation.state.held_by("human").values()) == ["cup_0"]
    assert not do(simulation, "robot", "Navigate[cup_1]").ok


@pytest.mark.parametrize("skill", ["Pick", "Rearrange"])
def test_the_wrong_object_is_in_the_hand_and_success_is_reported(skill: str) -> None:
    simulation = start(SkillFailures(wrong_object=1.0))
    result = do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]")
    assert (result.ok, result.message) == (True, "you hold cup_0")
    assert list(simulation.state.held_by("robot").values()) == ["cup_1"]
    graph = simulation.graphs["robot"]  # the truth is in the graph, as in the paper
    assert (graph["cup_1"].holder, graph["cup_0"].holder) == ("robot", "table_0")
    if skill == "Rearrange":
        do(simulation, "robot", "Place[cup_1, on, table_0]")
        result = do(simulation, "robot", "Rearrange[cup_0, on, sink_0]")
        assert not result.ok
        assert "you do not hold cup_0" in result.message


def test_an_object_alone_in_its_place_is_not_mistaken() -> None:
    simulation = start(SkillFailures(wrong_object=1.0))
    do(simulation, "robot", "Navigate[jug_0]", "Pick[jug_0]")
    assert list(simulation.state.held_by("robot").values()) == ["jug_0"]


def test_copies_fail_alike() -> None:
    failures = SkillFailures(
        {"Pick": 0.3}, {"Navigate": 0.3, "Pick": 0.3, "Explore": 0.3}, LIMIT, 0.3
    )
    for seed in range(5):
        simulation = start(failures, seed)
        do(simulation, "human", "Explore[bedroom_0]")
        again = copy.deepcopy(simulation)
        plan = ("Navigate[cup_0]", "Pick[cup_0]", "Place[cup_0, on, table_0]", "Explore[bedroom_0]")
        for call in plan * 3:
            assert do(simulation, "robot", call) == do(again, "robot", call)
        assert simulation.state.places == again.state.places


@pytest.mark.parametrize(
    "wrong",
    [
        {"chances": {"Pick": 1.5}},
        {"time_outs": {"Fly": 0.5}},
        {"time_outs": {"Navigate": math.nan}},
        {"wrong_object": -0.1},
    ],
)
def test_bad_probabilities(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="probability"):
        SkillFailures(**wrong)  # type: ignore[arg-type]


def test_a_stuck_agent_is_in_the_way_of_others_until_it_gives_up() -> None:
    simulation = start(SkillFailures(time_outs={"Navigate": 1.0}, limit=LIMIT, agents=("robot",)))
    assert simulation.act("robot", Action("Navigate", ("bedroom_0",))) is None
    assert do(simulation, "human", "Navigate[kitchen_0]").ok
    assert LIMIT < simulation.clock < LIMIT + PATIENCE
    a, b = (simulation.state.bodies[name].pose.position for name in ("robot", "human"))
    assert max(abs(x - y) for x, y in zip(a[:2], b[:2], strict=True)) >= (
        ROBOT.radius + HUMAN.radius - 1e-6
    )
