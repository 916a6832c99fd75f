"""Agents, skills, the clock: what they do, refuse and keep whole."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

import numpy as np
import pytest

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.session import Event
from homebody.core.play.transcript import find_call
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.relations import (
    is_in_room,
    is_inside,
    is_next_to,
    is_on_floor,
    is_on_top,
    room_of,
)
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.navigation import is_in_reach
from thorough import THOROUGH
from worlds.house.handmade import AFFORDS, six_rooms, two_rooms

WEST = Pose((1.0, 3.0, 0.0))
EAST = Pose((5.0, 1.0, 0.0))
SAFE = Pose((6.5, 1.0, 0.0))


def start(agents: Mapping[str, Agent] | None = None, **options: object) -> Simulation:
    poses = {"robot": WEST, "human": EAST}
    agents = agents or {"robot": ROBOT, "human": HUMAN}
    poses = {name: poses[name] for name in agents}
    return Simulation(two_rooms(), agents, poses=poses, affords=AFFORDS, **options)  # type: ignore[arg-type]


def do(simulation: Simulation, agent: str, *texts: str) -> Event:
    for text in texts:
        result = simulation.do(agent, find_call(text))
    return result


def snapshot(state: HouseState) -> object:
    bodies = {name: body.pose for name, body in state.bodies.items()}
    return (
        dict(state.places),
        dict(state.poses),
        bodies,
        {k: dict(v) for k, v in state.states.items()},
    )


# -- walking and the clock ----------------------------------------------------------------------


def test_a_walk_takes_its_length_over_speed_in_whole_steps() -> None:
    simulation = start()
    result = do(simulation, "robot", "Navigate[fridge_0]")
    assert result.ok
    moved = simulation.moved["robot"]
    assert moved == pytest.approx(math.dist((1.0, 3.0), (0.4, 1.0)), abs=0.3)
    assert result.end - result.start == math.ceil(moved / 1.0 * 30 - 1e-9)
    faster = start()
    quick = do(faster, "human", "Navigate[safe_0]")
    assert quick.end - quick.start == math.ceil(faster.moved["human"] / 1.2 * 30 - 1e-9)


def test_it_arrives_within_reach_and_faces_its_target() -> None:
    simulation = start()
    do(simulation, "robot", "Navigate[fridge_0]")
    pose = simulation.state.bodies["robot"].pose
    box = simulation.state.house.piece["fridge_0"].box
    assert is_in_reach(simulation.state.house, pose.position[:2], box, ROBOT.reach)
    assert pose.position[1] == 1.0  # in front of its door
    assert 90.0 < pose.yaw < 270.0  # southwards


@pytest.mark.parametrize(
    "target", ["kitchen_0", "bedroom_0", "table_1", "cup_0", "ball_0", "human", "floor_bedroom_0"]
)
def test_it_goes_to_all_that_has_a_place(target: str) -> None:
    assert do(start(), "robot", f"Navigate[{target}]").ok


def test_being_there_already_takes_one_step() -> None:
    simulation = start()
    do(simulation, "robot", "Navigate[fridge_0]")
    moved = simulation.moved["robot"]
    result = do(simulation, "robot", "Navigate[fridge_0]")
    assert (result.end - result.start, simulation.moved["robot"]) == (1, moved)


def test_two_agents_act_at_once() -> None:
    simulation = start()
    assert simulation.act("robot", find_call("Navigate[bedroom_0]")) is None
    assert simulation.act("human", find_call("Wait[]")) is None
    assert str(simulation.busy("robot")) == "Navigate(bedroom_0)"
    (first,) = simulation.advance()
    assert (first.role, first.end) == ("human", 30)
    x, _, _ = simulation.state.bodies["robot"].pose.position
    assert x > 1.5  # a metre further on its way by then
    assert simulation.busy("human") is None
    (second,) = simulation.advance()
    assert second.role == "robot"
    assert simulation.advance() == []
    assert [result.role for result in simulation.log] == ["human", "robot"]


def test_how_long_one_waits_can_be_said() -> None:
    simulation = start()
    watched: list[int] = []
    simulation.watchers.append(lambda simulation: watched.append(simulation.clock))
    assert simulation.wait_until("robot", 10) is None  # it does nothing
    simulation.act("robot", find_call("Wait[]"))
    assert simulation.wait_until("robot", 900) is None
    simulation.act("human", find_call("Navigate[bedroom_0]"))
    assert simulation.wait_until("human", 0) is None  # it does something else
    (arrived,) = simulation.advance()
    assert arrived.role == "human"
    ended = simulation.wait_until("robot", 0)
    assert ended is not None
    assert (ended.start, ended.end, ended.message) == (0, arrived.end, "you waited")
    assert simulation.log == [arrived, ended]
    assert watched == [arrived.end]  # nothing has happened besides
    assert simulation.busy("robot") is None
    assert simulation.next_event is None


def test_the_same_step_is_served_in_the_order_of_agents() -> None:
    simulation = start()
    for agent in ("human", "robot"):
        simulation.act(agent, find_call("Wait[]"))
    assert [result.role for result in simulation.advance()] == ["robot", "human"]


def test_two_never_stand_in_the_same_place() -> None:
    simulation = start()
    for agent in ("robot", "human"):
        simulation.act(agent, find_call("Navigate[sink_0]"))
    while simulation.advance():
        pass
    assert apart(simulation)
    assert all(result.ok for result in simulation.log)


def test_they_walk_around_those_who_stand_still() -> None:
    poses = {"robot": Pose((0.6, 3.2, 0.0)), "human": Pose((2.0, 3.2, 0.0))}
    simulation = Simulation(two_rooms(), {"robot": ROBOT, "human": HUMAN}, poses=poses, affords={})
    assert simulation.act("robot", find_call("Navigate[bedroom_0]")) is None
    simulation.act("human", find_call("Open[table_0]"))
    free = Simulation(two_rooms(), {"robot": ROBOT}, poses={"robot": poses["robot"]}, affords={})
    free.do("robot", find_call("Navigate[bedroom_0]"))
    walk = simulation._activities["robot"].walk
    assert walk is not None
    path = walk.path
    for step in range(200):
        x, y = path.at(path.length * step / 200)
        assert max(abs(x - 2.0), abs(y - 3.2)) >= 0.5 - 1e-6
    (result,) = simulation.advance()
    assert result.ok
    straight = free.moved["robot"]
    assert straight < simulation.moved["robot"] < straight + 1.0


def test_where_somebody_stands_is_not_free() -> None:
    simulation = start()
    do(simulation, "robot", "Navigate[fridge_0]")
    result = do(simulation, "human", "Navigate[fridge_0]")
    # the only ways to it are in front of and beside it; there is room beside
    assert apart(simulation)
    assert result.ok or "another agent is in the way" in result.message


def test_it_looks_where_it_goes() -> None:
    simulation = start()
    simulation.act("robot", find_call("Navigate[bedroom_0]"))
    simulation.act("human", find_call("Wait[]"))
    simulation.advance()
    assert 240.0 < simulation.state.bodies["robot"].pose.yaw < 300.0  # eastwards
    simulation.advance()
    assert 180.0 < simulation.state.bodies["robot"].pose.yaw < 300.0


def test_explore_looks_at_the_whole_room() -> None:
    simulation = start(sees=sees_room)
    result = do(simulation, "robot", "Explore[bedroom_0]")
    assert result.ok
    assert simulation.moved["robot"] > 3.0
    assert simulation.graphs["robot"].knows("key_0")
    assert not simulation.graphs["robot"].knows("book_0")  # in the shut safe


def test_busy_and_unknown_agents_are_the_callers_mistakes() -> None:
    simulation = start()
    simulation.act("robot", find_call("Wait[]"))
    with pytest.raises(ValueError, match="busy"):
        simulation.act("robot", find_call("Wait[]"))
    with pytest.raises(ValueError, match="no agent"):
        simulation.act("cat", find_call("Wait[]"))


def test_bad_starts() -> None:
    house = two_rooms()
    with pytest.raises(ValueError, match="cannot stand"):
        Simulation(house, {"a": ROBOT}, poses={"a": Pose((2.0, 2.0, 0.0))}, affords=AFFORDS)
    with pytest.raises(ValueError, match="another agent"):
        Simulation(house, {"a": ROBOT, "b": ROBOT}, poses={"a": WEST, "b": WEST}, affords=AFFORDS)


def test_a_place_that_is_given_is_kept_free() -> None:
    house = two_rooms()
    for seed in range(5):
        agents = {"a": ROBOT, "b": ROBOT}
        simulation = Simulation(house, agents, seed=seed, poses={"b": WEST}, affords=AFFORDS)
        assert simulation.state.bodies["b"].pose == WEST
        assert apart(simulation)


# -- handling things -----------------------------------------------------------------------------


def test_pick_and_place() -> None:
    simulation = start()
    result = do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]")
    assert (result.ok, result.message, result.end - result.start) == (True, "you hold cup_0", 30)
    assert simulation.state.held_by("robot") == {"right": "cup_0"}
    result = do(simulation, "robot", "Navigate[table_1]", "Place[cup_0, on, table_1, None, None]")
    assert result.ok
    assert simulation.state.places["cup_0"] == ("table_1", "top")
    assert is_on_top(simulation.state, "cup_0", "table_1")


def test_place_next_to_is_next_to() -> None:
    simulation = start()
    result = do(simulation, "human", "Rearrange[cup_0, on, table_1, next_to, statue_0]")
    assert result.ok
    assert is_next_to(simulation.state, "cup_0", "statue_0")


def test_place_on_the_floor() -> None:
    simulation = start()
    result = do(simulation, "human", "Rearrange[cup_0, on, floor_bedroom_0, next_to, basket_0]")
    assert result.ok
    assert is_on_floor(simulation.state, "cup_0")
    assert is_next_to(simulation.state, "cup_0", "basket_0")


def test_watchers_see_each_moment_at_which_something_was_done() -> None:
    simulation = start()
    seen: list[tuple[int, str]] = []
    simulation.watchers.append(lambda now: seen.append((now.clock, now.state.places["cup_0"][0])))
    result = do(simulation, "robot", "Rearrange[cup_0, on, table_1]")
    assert [place for _, place in seen] == ["table_0", "robot", "robot", "table_1"]
    assert [clock for clock, _ in seen] == sorted({clock for clock, _ in seen})
    assert seen[-1][0] == result.end


def test_rearrange_into_open_furniture() -> None:
    simulation = start()
    result = do(
        simulation, "robot", "Navigate[fridge_0]", "Open[fridge_0]",
        "Rearrange[cup_0, within, fridge_0]",
    )  # fmt: skip
    assert result.ok
    assert is_inside(simulation.state, "cup_0", "fridge_0")


def test_baskets_take_what_is_in_them_along() -> None:
    simulation = start()
    do(simulation, "robot", "Rearrange[ball_0, within, basket_0]")
    assert do(simulation, "robot", "Rearrange[basket_0, on, table_0]").ok
    assert is_on_top(simulation.state, "ball_0", "table_0")
    assert is_inside(simulation.state, "ball_0", "basket_0")
    result = do(simulation, "robot", "Rearrange[basket_0, within, basket_0]")
    assert "in itself" in result.message


def test_two_arms() -> None:
    simulation = start({"robot": ROBOT.with_hands("right", "left"), "human": HUMAN})
    do(simulation, "robot", "Navigate[table_0]", "Grab[cup_0]", "Grab[cup_1]")
    assert simulation.state.held_by("robot") == {"right": "cup_0", "left": "cup_1"}
    do(simulation, "robot", "Navigate[key_0]")
    assert "hands are full" in do(simulation, "robot", "Grab[key_0]").message
    assert do(simulation, "robot", "Put[cup_1, table_1]", "Grab[key_0]").ok
    assert simulation.state.held_by("robot") == {"right": "cup_0", "left": "key_0"}


def test_a_surface_fills_up() -> None:
    house = two_rooms()
    low = dataclasses.replace(house.thing["statue_0"], size=(0.7, 0.5, 0.2), name="tray_0")
    wide = tuple(
        dataclasses.replace(low, name=f"tray_{i}", pose=Pose((1 + i * 0.8, 3.3, 0.0)),
                            place=("floor_kitchen_0", ""))
        for i in range(3)
    )  # fmt: skip
    house = dataclasses.replace(house, things=wide)
    simulation = Simulation(house, {"robot": ROBOT}, poses={"robot": EAST}, affords={})
    assert do(simulation, "robot", "Rearrange[tray_0, on, table_1]").ok
    result = do(simulation, "robot", "Rearrange[tray_1, on, table_1]")
    assert not result.ok
    assert "no room for tray_1" in result.message
    assert simulation.state.held_by("robot") == {"right": "tray_1"}


# -- states ---------------------------------------------------------------------------------------


def test_clean_fill_pour_and_power() -> None:
    simulation = start()
    human = [
        "Rearrange[jug_0, on, table_1]", "Rearrange[cup_0, on, table_1]", "Clean[cup_0]",
        "Pick[jug_0]", "Navigate[sink_0]", "Fill[jug_0]", "Navigate[cup_0]", "Pour[cup_0]",
        "Navigate[lamp_0]", "PowerOn[lamp_0]",
    ]  # fmt: skip
    for text in human:
        result = do(simulation, "human", text)
        assert result.ok, (text, result.message)
    states = simulation.state.states
    assert states["cup_0"] == {"clean": True, "filled": True}
    assert states["jug_0"] == {"filled": False}
    assert states["lamp_0"] == {"powered_on": True}
    assert do(simulation, "human", "PowerOff[lamp_0]").ok
    assert not simulation.state.is_in_state("lamp_0", "powered_on")


def test_a_safe_needs_its_key_in_hand() -> None:
    simulation = start()
    result = do(simulation, "human", "Navigate[safe_0]", "Open[safe_0]")
    assert result.message == "safe_0 is locked; hold its key first: key_0"
    result = do(simulation, "human", "Navigate[key_0]", "Pick[key_0]", "Navigate[safe_0]",
                "Open[safe_0]")  # fmt: skip
    assert result.ok
    assert simulation.state.states["safe_0"] == {"open": True, "locked": False}


REFUSED = [
    ("Fly[cup_0]", "there is no skill Fly"),
    ("Pick[unicorn_0]", "there is no object named unicorn_0"),
    ("Pick[table_0]", "is furniture and stays where it is"),
    ("Pick[cup_0]", "cup_0 is not within reach; go to it first: Navigate[cup_0]"),
    ("Pick[statue_0]", "cannot be picked up"),
    ("Pick[milk_0]", "milk_0 is not within reach; go to it first: Navigate[milk_0]"),
    (
        "Rearrange[milk_0, on, table_0]",
        "milk_0 is in fridge_0, which is closed; open it first: Open[fridge_0]",
    ),
    ("Pick[]", "Pick is written Pick[object]"),
    ("Pick[cup_0, cup_1]", "Pick is written Pick[object]"),
    ("Place[cup_0, on, table_0]", "you do not hold cup_0; pick it up first: Pick[cup_0]"),
    ("Rearrange[cup_0, under, table_0]", 'must be "on" or "within"'),
    ("Rearrange[cup_0, within, table_0]", 'use "on"'),
    ("Rearrange[cup_0, on, safe_0]", 'use "within"'),
    ("Rearrange[cup_0, on, lamp_0]", "nothing can be placed on or in lamp_0"),
    ("Rearrange[cup_0, within, floor_kitchen_0]", 'placed "on" floor_kitchen_0'),
    ("Rearrange[cup_0, within, fridge_0]", "fridge_0 is closed; open it first: Open[fridge_0]"),
    ("Rearrange[cup_0, within, bedroom_0]", "a room; put cup_0 on its floor, floor_bedroom_0, or"),
    ("Rearrange[cup_0, on, moon_0]", "no furniture, floor or object named moon_0"),
    ("Rearrange[cup_0, on, table_0, above, cup_1]", 'must be "next_to" or "None"'),
    ("Rearrange[cup_0, on, table_0, next_to, cup_9]", "nothing named cup_9"),
    ("Rearrange[cup_0, on, table_0, next_to,]", "say what to place cup_0 next to"),
    ("Rearrange[cup_0, on, table_0, next_to, None]", "or place it without next_to"),
    ("Rearrange[cup_0, on, table_0, next_to]", "say what to place cup_0 next to"),
    ("Rearrange[, on, table_0]", "an argument of Rearrange is empty"),
    ("Rearrange[cup_0, on,]", "an argument of Rearrange is empty"),
    ("Rearrange[cup_0, on, table_0, next_to, key_0]", "key_0 is not on or in table_0"),
    ("Rearrange[cup_0, on, table_0, next_to, cup_0]", "cannot be placed next to cup_0"),
    ("Rearrange[basket_0, within, basket_0]", "in itself"),
    ("Open[table_0]", "table_0 cannot be opened"),
    ("Open[fridge_0]", "fridge_0 is not within reach"),
    ("Close[fridge_0]", "fridge_0 is not within reach"),
    ("Close[safe_0]", "safe_0 is closed already"),
    ("Clean[key_0]", "key_0 cannot be cleaned"),
    ("Clean[table_1]", "table_1 is clean already"),
    ("Clean[cup_0]", "not within reach"),
    ("Fill[key_0]", "cannot be filled"),
    ("Fill[moon_0]", "no object or furniture named moon_0"),
    ("Pour[cup_0]", "you hold nothing to pour from"),
    ("PowerOn[fridge_0]", "fridge_0 is not within reach"),
    ("PowerOff[lamp_0]", "lamp_0 is turned off already"),
    ("Navigate[moon_0]", "there is nothing named moon_0"),
    ("Navigate[human]", "that is you"),
    ("Explore[moon_0]", "there is no room moon_0; there are kitchen_0, bedroom_0"),
    ("Wait[a]", "Wait is written Wait[]"),
]


AT_THE_SAFE = ("Close[safe_0]", "Clean[table_1]")


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refused_actions_say_why_and_change_nothing(text: str, message: str) -> None:
    simulation = start()
    if text in AT_THE_SAFE:
        simulation.state.walk("human", SAFE)
    before = snapshot(simulation.state)
    result = simulation.act("human", find_call(text))
    assert result is not None
    assert not result.ok
    assert message in result.message
    assert (result.start, result.end, simulation.clock) == (0, 0, 0)
    assert snapshot(simulation.state) == before
    assert simulation.busy("human") is None


def test_a_robot_cannot_change_states() -> None:
    result = do(start(), "robot", "Clean[cup_0]")
    assert result.message.startswith("you cannot do Clean")
    assert not any("Fill" in usage for usage in start().list_usages("robot"))
    assert any("Fill" in usage for usage in start().list_usages("human"))


def test_one_hand_holds_one_thing_and_others_keep_off() -> None:
    simulation = start()
    do(simulation, "robot", "Navigate[cup_0]", "Pick[cup_0]")
    assert "you hold cup_0 already; put it down" in do(simulation, "robot", "Pick[cup_1]").message
    assert "not within reach" in do(simulation, "human", "Pick[cup_0]").message  # from afar
    assert do(simulation, "human", "Navigate[cup_0]").ok  # to the robot
    assert "held by robot" in do(simulation, "human", "Pick[cup_0]").message
    assert "held by robot" in do(simulation, "human", "Clean[cup_0]").message


def test_of_two_who_reach_for_one_cup_the_second_learns_that_it_is_gone() -> None:
    simulation = start()
    do(simulation, "human", "Navigate[cup_0]")
    do(simulation, "robot", "Navigate[cup_0]")
    for agent in ("human", "robot"):
        assert simulation.act(agent, find_call("Pick[cup_0]")) is None
    first, second = simulation.advance()
    assert (first.role, first.ok) == ("robot", True)
    assert (second.role, second.ok) == ("human", False)
    assert "held by robot" in second.message


# -- chance and knowledge --------------------------------------------------------------------------


def test_skills_fail_with_their_probability_and_seed() -> None:
    def picks(seed: int) -> list[bool]:
        simulation = start(failures={"Pick": 0.5}, seed=seed)
        do(simulation, "robot", "Navigate[cup_0]")
        return [
            do(simulation, "robot", "Pick[cup_0]", "Place[cup_0, on, table_0]").ok
            for _ in range(200)
        ]

    first = picks(1)
    assert first == picks(1)
    assert first != picks(2)
    assert 60 < sum(first) < 140
    simulation = start(failures={"Pick": 1.0})
    do(simulation, "robot", "Navigate[cup_0]")
    before = snapshot(simulation.state)
    result = do(simulation, "robot", "Pick[cup_0]")
    assert result.message == "Pick did not work this time; try again"
    assert snapshot(simulation.state) == before


@pytest.mark.parametrize("failures", [{"Pick": 1.5}, {"Pick": -0.1}, {"Fly": 0.5}])
def test_bad_probabilities(failures: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="cannot fail with probability"):
        start(failures=failures)


def test_what_was_not_seen_cannot_be_named() -> None:
    simulation = start(sees=sees_room)
    result = do(simulation, "robot", "Navigate[key_0]")
    assert result.message == "key_0 is not known to you; explore rooms to find it: Explore[room]"
    for name in ("unicorn_0", "human", "person_9"):  # the same whether it exists or not
        for skill in ("Navigate[{}]", "Pick[{}]", "Rearrange[{}, on, table_0]"):
            message = do(simulation, "robot", skill.format(name)).message
            assert message == result.message.replace("key_0", name)
    assert do(simulation, "robot", "Navigate[table_1]", "Navigate[key_0]").ok


def test_from_afar_one_learns_nothing_that_one_has_not_seen() -> None:
    simulation = start(sees=sees_room)
    do(simulation, "robot", "Navigate[bedroom_0]", "Navigate[kitchen_0]")
    graph = simulation.graphs["robot"]
    assert graph["safe_0"].states["open"] is False
    simulation.state.set("safe_0", "open", True)  # behind its back
    closed = "safe_0 is closed; open it first: Open[safe_0]"
    assert do(simulation, "robot", "Rearrange[cup_0, within, safe_0]").message == closed
    simulation.state.set("safe_0", "open", False)
    simulation.state.set("safe_0", "locked", False)
    message = do(simulation, "robot", "Open[safe_0]").message
    assert "not within reach" in message
    human = simulation.state
    human.move("ball_0", ("human", "right"), human.carried_pose("human", "right", "ball_0"))
    assert "not within reach" in do(simulation, "robot", "Pick[ball_0]").message
    begun = simulation.act("robot", find_call("Rearrange[ball_0, on, table_0]"))
    assert begun is None  # it believes it on the floor, and walks there
    (result,) = simulation.advance()
    assert not result.ok
    assert (
        result.message == "Rearrange stopped: ball_0 has been moved; go after it: Navigate[ball_0]"
    )
    assert do(simulation, "robot", "Navigate[kitchen_0]", "Navigate[cup_1]").ok
    cup = Pose((6.3, 2.0, 0.75))
    do(simulation, "robot", "Navigate[bedroom_0]")
    simulation.state.move("cup_1", ("safe_0", "shelf"), cup)
    before = simulation.moved["robot"]
    result = do(simulation, "robot", "Navigate[cup_1]")
    message = "cup_1 is not where you saw it last; explore rooms to find it: Explore[room]"
    assert result.message == message
    assert simulation.moved["robot"] - before > 1.0  # it went where it had seen it
    assert do(simulation, "robot", "Navigate[cup_1]").message == message


def test_closed_vessels_are_neither_filled_nor_poured() -> None:
    house = two_rooms()
    things = tuple(
        dataclasses.replace(thing, states={"open": False, "filled": False})
        if thing.category in ("jug", "cup")
        else thing
        for thing in house.things
    )
    house = dataclasses.replace(house, things=things)
    poses = {"human": Pose((3.4, 1.0, 0.0))}
    simulation = Simulation(house, {"human": HUMAN}, poses=poses, affords=AFFORDS)
    state = simulation.state
    do(simulation, "human", "Pick[jug_0]")
    closed = "jug_0 is closed; open it first: Open[jug_0]"
    assert do(simulation, "human", "Fill[jug_0]").message == closed
    assert do(simulation, "human", "Open[jug_0]", "Fill[jug_0]", "Close[jug_0]").ok
    assert do(simulation, "human", "Navigate[cup_0]", "Pour[cup_0]").message == closed
    do(simulation, "human", "Open[jug_0]")
    closed = "cup_0 is closed; open it first: Open[cup_0]"
    assert do(simulation, "human", "Pour[cup_0]").message == closed
    assert state.is_in_state("jug_0", "filled")
    assert do(simulation, "human", "Open[cup_0]", "Pour[cup_0]").ok


@pytest.mark.parametrize("yaw", [0.0, 90.0, 30.0])
def test_what_is_held_is_in_front_of_its_bearer(yaw: float) -> None:
    simulation = start({"human": HUMAN.with_hands("right", "left")})
    state = simulation.state
    for hand, name in (("right", "ball_0"), ("left", "basket_0")):
        state.move(name, ("human", hand), state.carried_pose("human", hand, name))
    state.walk("human", Pose((6.0, 3.4, 0.0), yaw))
    turn = math.radians(yaw)
    for name, side in (("ball_0", 1), ("basket_0", -1)):
        x, y, z = state.poses[name].position
        across = (x - 6.0) * math.cos(turn) + (y - 3.4) * math.sin(turn)
        ahead = (y - 3.4) * math.cos(turn) - (x - 6.0) * math.sin(turn)
        size = state.house.thing[name].size
        assert z == pytest.approx(0.6 * 1.7)
        assert ahead - size[1] / 2 == pytest.approx(0.25)
        assert side * across >= size[0] / 2  # the hands do not get in each other's way
    assert not is_next_to(state, "ball_0", "basket_0")  # held things are only held
    assert not is_next_to(state, "ball_0", "human")
    assert not is_on_top(state, "ball_0", "rug_0")
    state.move("cup_0", ("basket_0", "inside"), state.poses["basket_0"])
    assert room_of(state, "ball_0") == "bedroom_0"


@pytest.mark.parametrize(
    "wrong",
    [
        {"speed": 0.0}, {"speed": math.nan}, {"reach": -1.0}, {"reach": math.inf},
        {"size": (0.5, 0.4, 1.5)}, {"size": (0.0, 0.0, 1.5)}, {"hands": ("right", "right")},
        {"view": 0.0}, {"view": 400.0},
    ],
)  # fmt: skip
def test_bad_agents(wrong: dict[str, object]) -> None:
    with pytest.raises(HomebodyError):
        dataclasses.replace(ROBOT, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agents": {"cup_0": ROBOT}}, "name of something in the house"),
        ({"agents": {"kitchen_0": ROBOT}}, "name of something in the house"),
        ({"agents": {"my robot": ROBOT}}, "cannot be named"),
        ({"agents": {"a,b]": ROBOT}}, "cannot be named"),
        ({"poses": {"a": Pose((math.nan, 3.0, 0.0))}}, "cannot stand"),
        ({"poses": {"a": Pose((1.0, 3.0, 0.0), math.inf)}}, "cannot stand"),
        ({"poses": {"a": Pose((1.0, 3.0, 1.0))}}, "cannot stand"),
        ({"poses": {"a": Pose((50.0, 3.0, 0.0))}}, "cannot stand"),
        ({"poses": {"b": WEST}}, "no agent b"),
        ({"failures": {"Pick": math.nan}}, "cannot fail with probability"),
        ({"errors": PerceptionErrors(missed=0.1)}, "perception errors"),
    ],
)
def test_bad_simulations(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Simulation(two_rooms(), **{"agents": {"a": ROBOT}, **options})  # type: ignore[arg-type]


def test_one_may_start_in_a_doorway() -> None:
    at = Pose((4.06, 3.45, 0.0))
    simulation = Simulation(two_rooms(), {"a": ROBOT}, poses={"a": at}, affords={})
    assert simulation.state.bodies["a"].pose == at


def test_who_sees_only_ahead_looks_around_when_it_explores() -> None:
    pytest.importorskip("embreex")
    from homebody.worlds.house.rendering.visibility import looking

    def known(agent: Agent, *texts: str, **options: float) -> set[str]:
        house = two_rooms()
        north = {"robot": Pose((1.0, 3.0, 0.0), 0.0)}
        sees = looking(house, **options)
        simulation = Simulation(house, {"robot": agent}, poses=north, affords=AFFORDS, sees=sees)
        for text in texts:
            do(simulation, "robot", text)
        return {thing.name for thing in simulation.graphs["robot"].of_kind("object")}

    narrow = dataclasses.replace(ROBOT, view=90.0)
    assert known(ROBOT) >= {"cup_0", "cup_1"}
    assert known(narrow) == set()  # it looks at the wall
    assert known(ROBOT, view=90.0) == set()
    assert known(narrow, "Explore[kitchen_0]") == known(ROBOT, "Explore[kitchen_0]")


# -- conservation ----------------------------------------------------------------------------------


def apart(simulation: Simulation) -> bool:
    """Whether those who stand do so in places of their own."""
    still = [name for name in simulation.agents if simulation.busy(name) is None]
    spots = [simulation.state.bodies[name].pose.position for name in still]
    return all(
        max(abs(a[0] - b[0]), abs(a[1] - b[1])) >= 0.5 - 1e-6
        for i, a in enumerate(spots)
        for b in spots[:i]
    )


def check(simulation: Simulation) -> None:
    """Each object is in one place, which knows it; hands hold one thing each; nothing is in
    itself; no two things on one surface are in each other."""
    state = simulation.state
    house = state.house
    assert set(state.places) == set(state.poses) == set(house.thing)
    people = {person.name for person in house.people}
    by_place: dict[tuple[str, str], list[str]] = {}
    for name, place in state.places.items():
        by_place.setdefault(place, []).append(name)
    for place, names in by_place.items():
        assert sorted(state.objects_at(place)) == sorted(names)
        if place[0] in state.bodies:
            assert place[1] in state.bodies[place[0]].hands
            assert len(names) == 1
        elif place[0] in people:
            assert len(names) == 1
        elif place[0] in house.floors:
            assert place[1] == ""
        else:
            holder = house.piece.get(place[0]) or house.thing[place[0]]
            assert place[1] in {receptacle.name for receptacle in holder.receptacles}
    for name in house.thing:
        seen = {name}
        at = state.places[name][0]
        while at in state.places:
            assert at not in seen
            seen.add(at)
            at = state.places[at][0]
    assert set(state.states) == {*house.piece, *house.thing, *house.door}
    for thing in (*house.furniture, *house.things):
        assert set(state.states[thing.name]) == set(thing.states)
    assert apart(simulation)
    for place, names in by_place.items():
        if place[0] in state.bodies or place[0] in house.thing:
            continue  # in a basket that is turned, boxes along the axes of the house overlap
        boxes = [state.box(name) for name in names]
        for i, box in enumerate(boxes):
            for other in boxes[:i]:
                assert any(
                    box.low[k] >= other.high[k] - 1e-4 or other.low[k] >= box.high[k] - 1e-4
                    for k in range(3)
                )


@pytest.mark.slow
@pytest.mark.parametrize(
    "count", [7_000, pytest.param(100_000 if THOROUGH else 40_000, marks=pytest.mark.slow)]
)
def test_nothing_is_lost_or_doubled_in_random_actions(count: int) -> None:
    rng = np.random.default_rng(5)
    two_arms = HUMAN.with_hands("right", "left")
    agents = {"robot": ROBOT, "human": two_arms, "helper": ROBOT}
    small = six_rooms(pieces=6, objects=5)
    basket = dataclasses.replace(two_rooms().thing["basket_0"], name="basket_9")
    basket = dataclasses.replace(
        basket, pose=Pose((2.5, 1.2, 0.0)), place=("floor_room_0", ""), states={"open": True}
    )
    house = dataclasses.replace(small, things=(*small.things, basket))
    simulation = Simulation(house, agents, seed=3, affords={})
    objects = [*house.thing, "nothing_0"]
    places = [*house.piece, "basket_9", *house.floors, "moon_0"]
    skills = ["Pick", "Place", "Open", "Close", "Rearrange", "Navigate", "Clean", "Put", "PutIn",
              "Wait", "Fill", "Pour", "PowerOn", "Explore"]  # fmt: skip
    weights = np.array([26, 28, 6, 6, 4, 14, 4, 6, 6, 2, 2, 2, 2, 0.1])
    chosen = rng.choice(len(skills), count, p=weights / weights.sum())
    draws = rng.integers(0, 1 << 30, (count, 4)).tolist()
    goal = dict.fromkeys(agents, "chest_5")
    succeeded: dict[str, int] = {}
    for number, (which, draw) in enumerate(zip(chosen.tolist(), draws, strict=True)):
        names = list(agents)
        agent = names[draw[0] % 3]
        if simulation.busy(agent) is not None:
            simulation.advance()
            if simulation.busy(agent) is not None:
                agent = next(name for name in names if simulation.busy(name) is None)
        skill = skills[which]
        held = list(simulation.state.held_by(agent).values())
        near = held if held and draw[1] % 4 and skill in ("Place", "Put", "PutIn") else objects
        chosen = near[draw[2] % len(near)]
        target = places[draw[3] % len(places)]
        relation = ("on", "on", "within", "under")[draw[1] % 4]
        if draw[0] % 2:  # rather what it has gone to
            chosen = chosen if skill in ("Place", "Put", "PutIn", "Navigate") else goal[agent]
            target = target if skill in ("Rearrange", "Navigate") else goal[agent]
        if skill in ("Place", "Rearrange"):
            args: tuple[str, ...] = (chosen, relation, target)
            if draw[0] % 5 == 0:
                args += ("next_to", objects[draw[1] % len(objects)])
        elif skill in ("Put", "PutIn"):
            args = (chosen, target)
        elif skill in ("Navigate", "Open", "Close"):
            args = (target if skill != "Navigate" or held else chosen,)
        elif skill == "Explore":
            args = (f"room_{draw[2] % 7}",)
        else:
            args = () if skill == "Wait" else (chosen,)
        before = None
        if number % 50 == 0:
            before = snapshot(simulation.state)
        if skill == "Navigate":
            goal[agent] = args[0]
        refused = simulation.act(agent, Action(skill, args))
        if refused is not None and before is not None:
            assert snapshot(simulation.state) == before
        for result in simulation.log:
            if result.ok:
                succeeded[result.action.name] = succeeded.get(result.action.name, 0) + 1
        if number % 500 == 0:
            check(simulation)
        simulation.log.clear()
    check(simulation)
    assert sum(succeeded.values()) > 0.15 * count
    usual = ("Pick", "Place", "Put", "Open", "Close")
    assert min(succeeded[name] for name in usual) > 0.001 * count


# -- generated houses --------------------------------------------------------------------------


def carry(simulation: Simulation, number: int, seed: int) -> None:
    """Agents carry objects to random places, opening what is shut and is not locked."""
    house, state = simulation.state.house, simulation.state
    rng = np.random.default_rng(seed)
    furniture = [piece for piece in house.furniture if piece.receptacles]
    for index in range(number):
        agent = ("robot", "human")[index % 2]
        for held in state.held_by(agent).values():
            here = state.house.room[simulation.graphs[agent][agent].room]
            simulation.do(agent, Action("Place", (held, "on", here.floor_name)))
        thing = house.things[int(rng.integers(len(house.things)))]
        target = furniture[int(rng.integers(len(furniture)))]
        kind = target.receptacles[int(rng.integers(len(target.receptacles)))].kind
        for shut in (state.places[thing.name][0], target.name):
            if state.states.get(shut, {}).get("open") is False:
                simulation.do(agent, Action("Navigate", (shut,)))
                simulation.do(agent, Action("Open", (shut,)))
        result = simulation.do(agent, Action("Rearrange", (thing.name, kind, target.name)))
        if result.ok:
            holds = is_on_top if kind == "on" else is_inside
            assert holds(state, thing.name, target.name), result
            assert is_in_room(state, thing.name, target.room), result


@pytest.mark.parametrize(("seed", "kind"), [(0, "home"), (1, "home"), (2, "office")])
def test_what_skills_do_in_generated_houses_is_what_relations_see(seed: int, kind: str) -> None:
    house = generate(seed, kind)
    state = HouseState.start(house)
    people = {person.name for person in house.people}
    for thing in house.things:
        holder, receptacle = thing.place
        assert is_in_room(state, thing.name, room_of(state, thing.name))
        if holder in people:
            continue
        if holder in house.floors:
            assert is_on_floor(state, thing.name)
            continue
        whole = house.piece.get(holder) or house.thing[holder]
        (space,) = [space for space in whole.receptacles if space.name == receptacle]
        assert (is_on_top if space.kind == "on" else is_inside)(state, thing.name, holder)
    first, second = (
        Simulation(house, {"robot": ROBOT, "human": HUMAN}, seed=seed) for _ in range(2)
    )
    for simulation in (first, second):
        carry(simulation, 20, seed)
        check(simulation)
    assert first.log == second.log
    assert snapshot(first.state) == snapshot(second.state)
    assert sum(result.ok for result in first.log) > 15
