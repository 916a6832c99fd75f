"""Doors: opened on the way, at a cost in time; shut ones stop walking, reaching and seeing."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from homebody.core.play.session import Event
from homebody.core.play.telling import sentence
from homebody.core.play.transcript import find_call
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.relations import is_occluded, room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.text import describe_house
from homebody.worlds.house.simulation.walking.doors import first_in_the_way, shut_leaves, swings
from homebody.worlds.house.simulation.walking.navigation import navigation
from worlds.house.handmade import AFFORDS, two_rooms, with_door

WEST, EAST = Pose((1.0, 3.0, 0.0)), Pose((5.0, 1.0, 0.0))
BEFORE, BEHIND = Pose((3.5, 3.4, 0.0)), Pose((4.6, 3.4, 0.0))
"""In the swing of the door, in the kitchen; and on its other side."""
OPENING = 45
"""Steps that it takes."""


def start(house: House, agents: dict[str, Agent] | None = None, **options: object) -> Simulation:
    agents = agents or {"robot": ROBOT}
    poses = {"robot": WEST, "human": EAST}
    options = {"poses": {name: poses[name] for name in agents}, "affords": AFFORDS} | options
    return Simulation(house, agents, **options)  # type: ignore[arg-type]


def do(simulation: Simulation, text: str, agent: str = "robot") -> Event:
    return simulation.do(agent, find_call(text))


def test_a_shut_door_is_opened_on_the_way_and_stays_open():
    simulation, free = start(with_door()), start(with_door(open=True))
    result, other = do(simulation, "Navigate[table_1]"), do(free, "Navigate[table_1]")
    assert result.ok
    assert simulation.state.is_in_state("door_0", "open")
    assert other.end + OPENING <= result.end <= other.end + OPENING + 3
    assert simulation.state.bodies["robot"] == free.state.bodies["robot"]
    back = do(simulation, "Navigate[fridge_0]")
    assert back.end - back.start == do(free, "Navigate[fridge_0]").end - other.end


@pytest.mark.parametrize("text", ["Explore[bedroom_0]", "Rearrange[cup_0, on, table_1]"])
def test_so_it_is_in_skills_that_walk(text: str):
    simulation = start(with_door())
    assert do(simulation, text).ok
    assert simulation.state.is_in_state("door_0", "open")


def test_what_was_opened_on_the_way_is_told():
    simulation = start(with_door())
    assert do(simulation, "Navigate[table_1]").message == (
        "you are at table_1; you opened door_0 on the way"
    )
    assert do(simulation, "Navigate[fridge_0]").message == "you are at fridge_0"
    simulation = start(with_door())
    assert do(simulation, "Rearrange[cup_0, on, table_1]").message == (
        "cup_0 is on table_1; you opened door_0 on the way"
    )


def test_what_was_unlocked_is_told_with_its_key():
    unlocked = "you unlocked door_0 with cup_0 and opened it"
    for text, message in (
        ("Navigate[table_1]", f"you are at table_1; {unlocked} on the way"),
        ("Explore[bedroom_0]", f"you have looked around in bedroom_0; {unlocked} on the way"),
        ("Open[door_0]", "door_0 is open; you unlocked it with cup_0"),
    ):
        simulation = start(with_door(locked=True, key="cup_0"), poses={"robot": BEFORE})
        simulation.state.move("cup_0", ("robot", "right"), Pose((0.0, 0.0, 0.0)))
        assert do(simulation, text).message == message


def test_who_fails_behind_a_door_is_told_that_it_was_opened():
    simulation = start(with_door(), failures={"Navigate": 1.0})
    assert do(simulation, "Navigate[table_1]").message == (
        "Navigate did not work this time; try again; you opened door_0 on the way"
    )


def test_others_see_a_door_being_opened_on_the_way():
    simulation = start(with_door(), {"robot": ROBOT, "human": HUMAN}, sees=sees_room)
    session = HouseSession(simulation, HouseTask("Bring the cup.", judge=lambda now: 0.0))
    assert session.act("robot", find_call("Rearrange[cup_0, on, table_1]")) is None
    told: dict[str, list[str]] = {"robot": [], "human": []}
    while session.busy("robot"):
        assert session.act("human", find_call("Wait[]")) is None
        session.advance()
        for role, lines in told.items():
            news = session.observe(role).news
            lines += [sentence(event, role) for event in news if event.action.name == "Open"]
    assert told == {"robot": [], "human": ["robot: Open[door_0]"]}


class Draws:
    """Chances that never come true, counted."""

    times = 0

    def random(self) -> float:
        self.times += 1
        return 1.0


def test_who_waits_at_a_door_fails_no_more_often():
    both = {"robot": ROBOT, "human": HUMAN}
    poses = {"robot": Pose((1.0, 3.3, 0.0)), "human": Pose((4.82, 3.75, 0.0))}
    simulation = start(with_door(open=True), both, poses=poses, failures={"Close": 0.5})
    simulation._failures.chance = draws = Draws()  # type: ignore[assignment]
    assert simulation.act("human", find_call("Close[door_0]")) is None
    assert simulation.act("robot", find_call("Navigate[table_1]")) is None
    while simulation.next_event is not None:
        simulation.advance()
    assert simulation.waited["human"] > 0
    assert [event.ok for event in simulation.log] == [True, True]
    assert draws.times == 1


def test_nobody_is_ever_in_a_shut_leaf():
    simulation = start(with_door())
    house = simulation.state.house
    (a, b, _), (c, d, _) = shut_leaves(house)["door_0"].low, shut_leaves(house)["door_0"].high
    simulation.act("robot", find_call("Navigate[table_1]"))
    while simulation.busy("robot"):
        simulation.advance(simulation.clock + 1)
        x, y, _ = simulation.state.bodies["robot"].pose.position
        inside = a - 0.25 < x < c + 0.25 and b - 0.25 < y < d + 0.25
        assert simulation.state.is_in_state("door_0", "open") or not inside


def test_what_is_locked_is_refused_and_its_key_named():
    simulation = start(with_door(locked=True, key="cup_0"))
    result = do(simulation, "Navigate[table_1]")
    assert (result.ok, result.end) == (False, 0)
    assert result.message == "door_0 is locked; hold its key first: cup_0"
    assert do(simulation, "Explore[bedroom_0]").message == result.message
    assert do(simulation, "Navigate[cup_0]").ok
    assert do(simulation, "Pick[cup_0]").ok
    assert do(simulation, "Navigate[table_1]").ok
    assert simulation.state.states["door_0"] == {"open": True, "locked": False}


def test_who_has_not_seen_that_it_is_locked_learns_it_there():
    house = dataclasses.replace(with_door(locked=True), things=())
    simulation = start(house, {"human": HUMAN}, sees=sees_room)
    simulation.graphs["human"].believe(
        dataclasses.replace(simulation.graphs["human"]["door_0"], states={})
    )
    result = do(simulation, "Navigate[table_0]", "human")
    assert result.message == "door_0 is locked, and there is no key to it"
    assert result.end > 0
    assert simulation.graphs["human"]["door_0"].states == {"open": False, "locked": True}
    assert do(simulation, "Navigate[table_0]", "human").end == result.end


def test_who_cannot_open_doors_needs_another():
    unable = dataclasses.replace(ROBOT, skills=ROBOT.skills - {"Open"})
    simulation = start(with_door(), {"robot": unable, "human": HUMAN})
    assert "Another agent may be able to" in do(simulation, "Navigate[table_1]").message
    assert do(simulation, "Open[door_0]").message.startswith("you cannot do Open")
    assert do(simulation, "Navigate[door_0]", "human").ok
    assert do(simulation, "Open[door_0]", "human").ok
    assert do(simulation, "Navigate[table_1]").ok


def test_open_and_close_from_either_side():
    for pose in (BEFORE, BEHIND):
        simulation = start(with_door(), poses={"robot": pose})
        assert do(simulation, "Open[door_0]").ok
        assert do(simulation, "Open[door_0]").message == "door_0 is open already"
        assert do(simulation, "Close[door_0]").ok
        assert do(simulation, "Close[door_0]").message == "door_0 is closed already"
    assert "not within reach" in do(start(with_door()), "Open[door_0]").message


def test_who_does_nothing_steps_out_of_the_way_of_a_door():
    both = {"robot": ROBOT, "human": HUMAN}
    for text in ("Open[door_0]", "Navigate[table_0]"):
        simulation = start(with_door(), both, poses={"robot": BEHIND, "human": BEFORE})
        assert do(simulation, text).ok
        assert simulation.state.is_in_state("door_0", "open")
        assert simulation.moved["human"] > 0.1


def test_who_is_busy_in_the_way_of_a_door_is_waited_for():
    both = {"robot": ROBOT, "human": HUMAN}
    simulation = start(with_door(), both, poses={"robot": BEHIND, "human": BEFORE})
    assert simulation.act("human", find_call("Open[door_0]")) is None
    assert do(simulation, "Navigate[table_0]").ok  # it opens for both
    assert simulation.waited["robot"] >= 45
    assert [event.ok for event in simulation.log] == [True, True]


def test_no_door_is_shut_before_who_is_on_the_way_through():
    both = {"robot": ROBOT, "human": HUMAN}
    poses = {"robot": Pose((1.0, 3.3, 0.0)), "human": Pose((4.82, 3.75, 0.0))}
    simulation = start(with_door(open=True), both, poses=poses)
    assert simulation.act("robot", find_call("Navigate[table_1]")) is None
    assert simulation.act("human", find_call("Close[door_0]")) is None
    leaf = shut_leaves(simulation.state.house)["door_0"]
    while simulation.next_event is not None:
        simulation.advance(simulation.clock + 1)
        x, _, _ = simulation.state.bodies["robot"].pose.position
        if not simulation.state.is_in_state("door_0", "open"):
            assert x >= leaf.high[0] + ROBOT.radius
    assert all(event.ok for event in simulation.log)
    assert not simulation.state.is_in_state("door_0", "open")


def test_not_while_somebody_or_something_is_in_the_way():
    inside = start(with_door(open=True), poses={"robot": Pose((4.0, 3.4, 0.0))})
    assert (
        do(inside, "Close[door_0]").message == "you stand in door_0; go a step away from it first"
    )
    house = with_door()
    cup = dataclasses.replace(
        house.thing["cup_0"], pose=Pose((3.5, 3.3, 0.0)), place=("floor_kitchen_0", "")
    )
    littered = dataclasses.replace(house, things=(cup, *house.things[1:]))
    simulation = start(littered, poses={"robot": BEHIND})
    assert "take it away: Pick[cup_0]" in do(simulation, "Open[door_0]").message


def test_nothing_is_put_where_a_door_swings():
    simulation = start(with_door(open=True), poses={"robot": Pose((3.3, 2.7, 0.0))})
    simulation.state.move("cup_0", ("robot", "right"), Pose((0.0, 0.0, 0.0)))
    assert do(simulation, "Place[cup_0, on, floor_kitchen_0]").ok
    cup, swept = simulation.state.box("cup_0"), swings(simulation.state.house)["door_0"]
    assert cup.high[1] < swept.low[1] or cup.high[0] < swept.low[0]


def test_nobody_reaches_through_a_door():
    house = with_door(open=True)
    ball = dataclasses.replace(house.thing["ball_0"], pose=Pose((4.4, 3.4, 0.0)))
    house = dataclasses.replace(house, things=(ball,))
    simulation = start(house, poses={"robot": Pose((3.75, 3.4, 0.0))})
    assert "not within reach" in do(simulation, "Pick[ball_0]").message
    assert do(simulation, "Navigate[ball_0]").ok
    assert do(simulation, "Pick[ball_0]").ok


def test_a_shut_door_hides_the_room_behind_it():
    eye = (3.0, 3.4, 1.5)
    for is_open in (False, True):
        simulation = start(with_door(open=is_open))
        assert is_occluded(simulation.state, "basket_0", eye) is not is_open


def test_an_open_leaf_stands_in_the_way_and_a_barred_one_shuts_off():
    house = with_door()
    assert not navigation(house).is_free((3.5, 3.7))
    assert navigation(two_rooms()).is_free((3.5, 3.7))
    assert navigation(house).path((1.0, 3.0), (5.0, 1.0)) is not None
    barred = navigation(house, barred=frozenset({"door_0"}))
    assert barred.path((1.0, 3.0), (5.0, 1.0)) is None
    assert not barred.is_free((4.0, 3.4))


def test_where_a_walk_stops_before_a_door():
    house = with_door()
    assert first_in_the_way(house, [], ((3.0, 3.4), (5.0, 3.4)), 0.25) is None
    door, far = first_in_the_way(house, ["door_0"], ((3.0, 3.4), (5.0, 3.4)), 0.25) or ("", 0.0)
    assert (door, far) == ("door_0", pytest.approx(0.7, abs=1e-5))
    assert first_in_the_way(house, ["door_0"], ((3.7, 3.4), (1.0, 3.4)), 0.25) is None


def test_what_is_known_of_doors():
    simulation = start(with_door(), {"robot": ROBOT}, sees=sees_room)
    graph = simulation.graphs["robot"]
    assert graph["door_0"].states == {"open": False, "locked": False}
    assert (graph["door_0"].room, graph["door_0"].kind) == ("kitchen_0", "door")
    assert room_of(simulation.state, "door_0") == "kitchen_0"
    assert "door_0 (closed) to bedroom_0" in describe_house(graph)
    assert "door_0 (closed) to kitchen_0" in describe_house(graph)


def test_agents_do_not_start_locked_in_or_in_a_leaf():
    for seed in range(20):
        simulation = Simulation(with_door(locked=True), {"robot": ROBOT}, seed=seed)
        rooms = {room_of(Simulation(with_door(), {"r": ROBOT}, seed=seed).state, "r")}
        assert room_of(simulation.state, "robot") in {"kitchen_0", "bedroom_0"} | rooms
    with pytest.raises(ValueError, match="something is in the way"):
        start(with_door(), poses={"robot": Pose((4.0, 3.4, 0.0))})


ACTIONS = (
    *("Open[door_0]", "Close[door_0]", "Navigate[door_0]", "Navigate[kitchen_0]"),
    *("Navigate[bedroom_0]", "Navigate[table_1]", "Navigate[cup_0]", "Pick[cup_0]"),
    *("Place[cup_0, on, floor_kitchen_0]", "Place[cup_0, on, table_1]"),
)


class Doors(RuleBasedStateMachine):
    """Two agents, a door with a lock, and a key: what they are told is what is so."""

    @initialize(locked=st.booleans(), opened=st.booleans())
    def begin(self, locked: bool, opened: bool) -> None:
        house = with_door(locked=locked, open=opened and not locked, key="cup_0")
        self.simulation = start(house, {"robot": ROBOT, "human": HUMAN})
        self.was = dict(self.simulation.state.states["door_0"])
        self.unlocked = not locked

    @rule(
        agent=st.sampled_from(["robot", "human"]),
        text=st.sampled_from(ACTIONS),
    )
    def act(self, agent: str, text: str) -> None:
        state = self.simulation.state
        before = dict(state.states["door_0"])
        held = "cup_0" in state.held_by(agent).values()
        result = do(self.simulation, text, agent)
        now = state.states["door_0"]
        if now["open"] != before["open"]:
            assert text.startswith("Navigate") or (result.ok and "door_0" in text)
        if before["locked"] and not now["locked"]:
            assert held
            assert now["open"]
        if text == "Open[door_0]" and result.ok:
            assert now["open"]
        if text == "Close[door_0]" and result.ok:
            assert not now["open"]
        self.unlocked |= not now["locked"]

    @invariant()
    def is_whole(self) -> None:
        states = self.simulation.state.states["door_0"]
        assert not (states["open"] and states["locked"])
        assert states["locked"] is not self.unlocked
        for graph in self.simulation.graphs.values():
            assert graph["door_0"].states == states


TestDoors = Doors.TestCase
TestDoors.settings = settings(max_examples=30, stateful_step_count=12, deadline=None)
