"""Small steps keep to the house's rules, whatever is tried."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Action
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import AIMED, HUMAN, MOTIONS, ROBOT
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.play.aiming import Aim
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.small_steps import STEP, relations_near
from thorough import examples

NAMES = (*MOTIONS, *MOTIONS[:1] * 6, *AIMED)


@cache
def home() -> House:
    return generate(3)


@cache
def aim() -> Aim:
    return Aim(home())


def start(seed: int) -> Simulation:
    agents = {"robot": ROBOT.low_level(), "human": HUMAN.low_level()}
    return Simulation(home(), agents, seed=seed, sees=sees_room, aims=aim())


@examples(25)
@given(st.integers(0, 50), st.lists(st.sampled_from(NAMES), min_size=20, max_size=80))
def test_bodies_never_overlap_and_the_same_steps_lead_to_the_same(
    seed: int, names: list[str]
) -> None:
    ends = []
    for _ in range(2):
        simulation = start(seed)
        ways = {role: simulation.navigation(role) for role in simulation.agents}
        for number, name in enumerate(names):
            role = ("robot", "human")[number % 2]
            if simulation.busy(role) is None and name in simulation.agents[role].skills:
                simulation.act(role, Action(name))
            simulation.advance()
            places = {one: body.pose.position for one, body in simulation.state.bodies.items()}
            for one, (x, y, _) in places.items():
                assert ways[one].is_free((x, y))
            (a, b, _), (c, d, _) = places.values()
            assert max(abs(a - c), abs(b - d)) >= 0.5 - 1e-6
        state = simulation.state
        ends.append((simulation.clock, state.places, state.poses, str(state.bodies)))
    assert ends[0] == ends[1]


def test_steps_turns_and_looks() -> None:
    simulation = start(1)
    body = simulation.state.bodies["human"]
    before = body.pose
    assert simulation.do("human", Action("TurnLeft")).message == "you turned to the left"
    assert body.pose.yaw == (before.yaw + 30.0) % 360.0
    assert simulation.do("human", Action("TurnRight")).ok
    assert body.pose == before
    assert [simulation.do("human", Action("LookDown")).ok for _ in range(3)] == [True, True, False]
    assert body.pitch == -75.0
    assert [simulation.do("human", Action("LookUp")).ok for _ in range(5)] == [True] * 4 + [False]
    assert body.pitch == 45.0
    while (event := simulation.do("human", Action("MoveAhead"))).ok:
        moved = np.hypot(*(np.array(body.pose.position) - before.position)[:2])
        assert moved == pytest.approx(STEP, abs=1e-3)
        before = body.pose
    assert "is in the way" in event.message
    assert body.pose == before


def test_what_is_not_in_the_middle_is_refused() -> None:
    simulation = start(1)
    known = [node.name for node in simulation.graphs["human"].of_kind("object")]
    aimed = simulation.aimed_at("human")
    away = next(name for name in known if name not in aimed)
    event = simulation.do("human", Action("PickAhead", (away,)))
    assert event.message == f"{away} is not in the middle of your picture"
    assert not simulation.do("human", Action("Pick", (away,))).ok
    assert not simulation.do("human", Action("PlaceAhead")).ok


def test_where_one_points_tells_whether_on_or_within() -> None:
    state = start(1).state
    desk = next(
        piece
        for piece in state.house.furniture
        if {space.kind for space in piece.receptacles} == {"on", "within"}
    )
    x, y, _ = desk.pose.position
    assert relations_near(state, desk.name, (x, y, desk.box.high[2]))[0] == "on"
    inside = next(space for space in desk.receptacles if space.kind == "within")
    middle = (inside.low[2] + inside.high[2]) / 2 + desk.pose.position[2]
    assert relations_near(state, desk.name, (x, y, middle))[0] == "within"


def test_pictures_follow_the_head() -> None:
    simulation = start(1)
    state = simulation.state
    names = set(aim()(state, "human"))
    state.look("human", -75.0)
    assert set(aim()(state, "human")) != names
    state.walk("human", Pose(state.bodies["human"].pose.position, 0.0))
    for name, (x, y, z) in aim()(state, "human").items():
        assert name
        assert np.isfinite([x, y, z]).all()
