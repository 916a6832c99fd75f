from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from homebody.core.action import Action
from homebody.core.play.transcript import find_call
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT, Agent
from homebody.worlds.house.model.house import House, Opening, Pose
from homebody.worlds.house.simulation.knowledge import sees_room
from homebody.worlds.house.simulation.simulation import Simulation
from thorough import part_of
from worlds.house.handmade import WALL, piece, room, six_rooms, two_rooms

TOUCHING = 1e-6
WEST, EAST = Pose((1.5, 1.0, 0.0)), Pose((7.5, 1.0, 0.0))


def corridor(wide: float = 0.8) -> House:
    """A room in the west, one in the east, 3 x 2 m each, and a corridor of 3 m between them."""
    south = 1.0 - wide / 2
    rooms = (
        room("kitchen_0", (0.0, 0.0), (3.0, 2.0)),
        room("hallway_0", (3.0 + WALL, south), (6.0 - WALL, south + wide)),
        room("bedroom_0", (6.0, 0.0), (9.0, 2.0)),
    )
    ends = (
        (("kitchen_0", "hallway_0"), 3.0 + WALL / 2),
        (("hallway_0", "bedroom_0"), 6.0 - WALL / 2),
    )
    doors = tuple(
        Opening(f"doorway_{i}", "doorway", names, (x, south), (x, south + wide), 0.0, 2.1)
        for i, (names, x) in enumerate(ends)
    )
    furniture = (
        piece("lamp_0", "kitchen_0", (0.2, 1.8), (0.2, 0.2, 1.6), powered_on=False),
        piece("stove_0", "bedroom_0", (8.7, 1.0), (0.6, 0.6, 0.9), clean=False),
        piece("mirror_0", "hallway_0", (4.5, south + 0.01), (0.4, 0.02, 0.6), clean=False),
    )
    return House(0, "home", rooms, doors, furniture, ())


def begin(house: House, poses: dict[str, Pose], **how: object) -> Simulation:
    agents = {"robot": ROBOT, "human": HUMAN}
    return Simulation(house, agents, poses=poses, affords={}, **how)  # type: ignore[arg-type]


def nearness(simulation: Simulation) -> float:
    """By how much two bodies are apart, at least; below 0 if they overlap."""
    bodies = simulation.state.bodies
    return min(
        max(abs(a - b) for a, b in zip(one.pose.position[:2], two.pose.position[:2], strict=True))
        - (one.size[0] + two.size[0]) / 2
        for one, two in combinations(bodies.values(), 2)
    )


def watch(simulation: Simulation, until: int = 10_000) -> list[str]:
    """What was done until everybody is, looking at every step of the clock."""
    told = []
    while simulation.next_event is not None and simulation.clock < until:
        events = simulation.advance(simulation.clock + 1)
        assert nearness(simulation) > -TOUCHING, simulation.clock
        told += [f"{event.role}: {event.message}" for event in events]
    return told


def act(simulation: Simulation, agent: str, text: str) -> None:
    assert simulation.act(agent, find_call(text)) is None


# -- who gives way -----------------------------------------------------------------------------


def test_who_begins_later_waits_at_the_end_of_the_corridor() -> None:
    simulation = begin(corridor(), {"robot": WEST, "human": EAST})
    act(simulation, "robot", "Navigate[stove_0]")
    act(simulation, "human", "Navigate[lamp_0]")
    assert watch(simulation) == ["robot: you are at stove_0", "human: you are at lamp_0"]
    assert simulation.waited["robot"] == 0
    assert simulation.waited["human"] > 30


def test_who_walks_is_not_made_slower_by_those_who_begin_later() -> None:
    alone = begin(corridor(), {"robot": WEST, "human": Pose((8.5, 0.3, 0.0))})
    first = alone.do("robot", find_call("Navigate[stove_0]"))
    both = begin(corridor(), {"robot": WEST, "human": Pose((8.5, 0.3, 0.0))})
    act(both, "robot", "Navigate[stove_0]")
    act(both, "human", "Navigate[kitchen_0]")
    watch(both)
    (second,) = (event for event in both.log if event.role == "robot")
    assert second.end == first.end


def test_a_doorway_takes_one_at_a_time() -> None:
    poses = {"robot": Pose((3.0, 3.4, 0.0)), "human": Pose((5.0, 3.4, 0.0))}
    simulation = begin(two_rooms(), poses)
    act(simulation, "robot", "Navigate[bedroom_0]")
    act(simulation, "human", "Navigate[kitchen_0]")
    inside: list[set[str]] = []
    while simulation.next_event is not None:
        simulation.advance(simulation.clock + 1)
        now = {
            name
            for name, body in simulation.state.bodies.items()
            if abs(body.pose.position[0] - 4.06) < WALL / 2 + body.size[0] / 2
        }
        if now and (not inside or inside[-1] != now):
            inside.append(now)
    assert inside == [{"robot"}, {"human"}]
    assert all(event.ok for event in simulation.log)


def test_who_is_slower_is_followed_and_who_is_faster_does_not_wait() -> None:
    slow = Agent(speed=0.3)
    agents = {"slow": slow, "fast": ROBOT}
    poses = {"slow": Pose((2.5, 1.0, 0.0)), "fast": Pose((1.5, 1.0, 0.0))}
    simulation = Simulation(corridor(), agents, poses=poses, affords={})
    act(simulation, "slow", "Navigate[stove_0]")
    act(simulation, "fast", "Navigate[bedroom_0]")
    watch(simulation)
    assert simulation.waited["fast"] > 60
    assert all(event.ok for event in simulation.log)


# -- those who stand in the way ----------------------------------------------------------------


def test_who_does_nothing_steps_aside() -> None:
    simulation = begin(corridor(), {"robot": WEST, "human": Pose((3.5, 1.0, 0.0))})
    act(simulation, "robot", "Navigate[bedroom_0]")
    assert simulation.busy("human") is None
    assert watch(simulation) == ["robot: you are at bedroom_0"]
    assert simulation.moved["human"] > 0.3


def test_who_steps_aside_does_what_it_is_asked_to_when_it_is_there() -> None:
    simulation = begin(corridor(), {"robot": WEST, "human": Pose((3.5, 1.0, 0.0))})
    act(simulation, "robot", "Navigate[bedroom_0]")
    simulation.advance(10)
    refused = simulation.act("human", find_call("Fly[]"))
    assert refused is not None
    act(simulation, "human", "Navigate[lamp_0]")
    assert simulation.busy("human") == Action("Navigate", ("lamp_0",))
    assert set(watch(simulation)) == {"robot: you are at bedroom_0", "human: you are at lamp_0"}


def dead_end() -> House:
    """The kitchen and a corridor that ends at a cupboard."""
    house = corridor()
    cupboard = piece("cupboard_0", "hallway_0", (5.6, 1.0), (0.3, 0.6, 0.9), open=False)
    table = piece("table_0", "kitchen_0", (1.0, 0.3), (0.5, 0.5, 0.7), clean=False)
    furniture = house.furniture[0], cupboard, table
    return House(0, "home", house.rooms[:2], house.openings[:1], furniture, ())


def test_who_is_in_the_way_out_steps_aside() -> None:
    poses = {"robot": Pose((4.4, 1.0, 0.0)), "human": Pose((5.1, 1.0, 0.0))}
    simulation = begin(dead_end(), poses)
    act(simulation, "human", "Navigate[lamp_0]")
    assert watch(simulation) == ["human: you are at lamp_0"]
    assert simulation.moved["robot"] > 1.0


def test_who_wants_to_go_in_goes_back_for_who_must_come_out() -> None:
    poses = {"robot": Pose((4.4, 1.0, 0.0)), "human": Pose((5.1, 1.0, 0.0))}
    simulation = begin(dead_end(), poses)
    act(simulation, "robot", "Navigate[cupboard_0]")
    assert watch(simulation) == ["robot: you are at cupboard_0"]
    assert simulation.state.bodies["robot"].pose.position[0] > 4.6
    assert simulation.state.bodies["human"].pose.position[0] < 3.0
    assert simulation.moved["robot"] > 2.0


def test_who_is_busy_in_the_way_is_waited_for() -> None:
    simulation = begin(corridor(), {"robot": WEST, "human": Pose((4.5, 1.0, 0.0))})
    act(simulation, "human", "Clean[mirror_0]")
    act(simulation, "robot", "Navigate[stove_0]")
    assert watch(simulation) == ["human: mirror_0 is clean", "robot: you are at stove_0"]
    assert simulation.waited["robot"] >= 150


def test_who_is_in_the_way_and_cannot_leave_is_named() -> None:
    house = dead_end()
    house = House(0, "home", house.rooms[1:], (), house.furniture[1:2], ())
    poses = {"robot": Pose((3.5, 1.0, 0.0)), "human": Pose((5.0, 1.0, 0.0))}
    simulation = begin(house, poses)
    refused = simulation.act("robot", find_call("Navigate[cupboard_0]"))
    assert refused is not None
    assert refused.message == "human is in the way; wait until there is room, or go elsewhere"
    assert (refused.ok, refused.end) == (False, 0)


def test_an_occupied_stop_of_an_exploration_is_looked_at_from_beside() -> None:
    poses = {"robot": WEST, "human": Pose((7.5, 1.0, 0.0))}
    first = begin(corridor(), poses, sees=sees_room)
    (stop,) = first.navigation("robot").stops("bedroom_0")[:1]
    simulation = begin(corridor(), {**poses, "human": Pose((*stop, 0.0))}, sees=sees_room)
    act(simulation, "human", "Wait[]")
    act(simulation, "robot", "Explore[bedroom_0]")
    looked = "robot: you have looked around in bedroom_0 and found nothing new"
    assert looked in watch(simulation)
    assert simulation.state.bodies["robot"].pose.position[0] > 6.0


def test_who_waits_and_steps_aside_is_out_of_the_way_before_it_stops_waiting() -> None:
    simulation = begin(dead_end(), {"robot": WEST, "human": Pose((5.0, 1.0, 0.0))})
    act(simulation, "human", "Wait[]")
    simulation.wait_until("human", 3_000)
    before = simulation.state.bodies["human"].pose
    act(simulation, "robot", "Navigate[cupboard_0]")
    while simulation.busy("robot") is not None:
        assert simulation.wait_until("human", 0) is None or simulation.moved["human"] > 0.0
        simulation.advance()
    assert simulation.state.bodies["human"].pose != before
    assert simulation.log[-1].ok


def corridor_with_closet() -> House:
    """The corridor, with a closet at its middle, as narrow as the corridor."""
    house, north = corridor(), 1.4 + WALL
    closet = room("closet_0", (4.0, north), (4.8, north + 1.8))
    ends = (4.0, north - WALL / 2), (4.8, north - WALL / 2)
    doorway = Opening("doorway_2", "doorway", ("hallway_0", "closet_0"), *ends, 0.0, 2.1)
    cupboard = piece("cupboard_0", "closet_0", (4.4, 3.1), (0.6, 0.3, 0.9), clean=False)
    return House(
        0,
        "home",
        (*house.rooms, closet),
        (*house.openings, doorway),
        (*house.furniture, cupboard),
        (),
    )


def test_a_waiting_agent_steps_aside_more_than_once() -> None:
    poses = {"robot": WEST, "human": Pose((4.4, 1.0, 0.0))}
    simulation = begin(corridor_with_closet(), poses)
    act(simulation, "human", "Wait[]")
    simulation.wait_until("human", 5_000)
    for target in ("stove_0", "cupboard_0", "lamp_0"):  # past it, to where it stands, past it
        act(simulation, "robot", f"Navigate[{target}]")
        while simulation.busy("robot") is not None:
            simulation.advance(simulation.clock + 1)
            assert nearness(simulation) > -TOUCHING
        assert simulation.log[-1].message == f"you are at {target}"
    simulation.wait_until("human", 0)
    assert simulation.moved["human"] > 1.0


def test_agents_pass_in_a_corridor_with_a_closet() -> None:
    arrived = []
    for house in (corridor(), corridor_with_closet()):
        simulation = begin(house, {"robot": WEST, "human": Pose((6.3, 0.3, 0.0))})
        act(simulation, "robot", "Navigate[stove_0]")
        act(simulation, "human", "Navigate[lamp_0]")
        assert watch(simulation) == ["robot: you are at stove_0", "human: you are at lamp_0"]
        assert simulation.waited["robot"] == 0
        arrived.append(simulation.clock)
    assert arrived[1] < arrived[0] - 20


def test_an_agent_waits_near_a_target_that_another_blocks_where_it_can_get_out() -> None:
    poses = {"robot": WEST, "human": Pose((4.4, 2.5, 0.0))}
    simulation = begin(corridor_with_closet(), poses)
    act(simulation, "human", "Clean[cupboard_0]")
    act(simulation, "robot", "Navigate[cupboard_0]")
    simulation.advance(140)
    x, y, _ = simulation.state.bodies["robot"].pose.position
    assert 3.0 < x < 6.0
    assert y < 1.4
    assert simulation.busy("robot") == Action("Navigate", ("cupboard_0",))
    assert simulation.advance()[0].message == "cupboard_0 is clean"
    act(simulation, "human", "Navigate[lamp_0]")
    assert set(watch(simulation)) == {"robot: you are at cupboard_0", "human: you are at lamp_0"}


def test_a_follower_stays_behind_a_leader_whom_it_stands_ahead_of() -> None:
    follower = replace(ROBOT, skills=ROBOT.skills | {"Follow"})
    agents = {"robot": follower, "human": replace(HUMAN, speed=0.7)}
    poses = {"robot": Pose((2.4, 0.4, 0.0)), "human": Pose((1.0, 1.0, 0.0))}
    simulation = Simulation(corridor(), agents, poses=poses, affords={})
    act(simulation, "human", "Navigate[stove_0]")
    act(simulation, "robot", "Follow[human]")
    apart = []
    while simulation.busy("human") is not None:
        simulation.advance(simulation.clock + 1)
        robot, human = (simulation.state.bodies[name].pose.position for name in agents)
        apart.append(robot[0] - human[0])
    assert max(apart) < 1.5, "it begins ahead, and lets the leader pass"
    assert apart[-1] < 0.0


# -- never, anywhere ---------------------------------------------------------------------------


def team(rng: np.random.Generator) -> dict[str, Agent]:
    """Two to four agents of different size and speed."""
    return {
        f"agent_{index}": Agent(
            HUMAN.skills,
            speed=float(rng.choice([0.3, 0.7, 1.0, 1.2, 2.0])),
            size=(wide := float(rng.choice([0.3, 0.4, 0.5, 0.5, 0.6])), wide, 1.6),
        )
        for index in range(int(rng.integers(2, 5)))
    }


def play(seed: int, house: House, until: int) -> Simulation:
    """A run in which everybody wants something all the time."""
    rng = np.random.default_rng(seed)
    sees = sees_room if seed % 2 else None
    simulation = Simulation(house, team(rng), seed=seed, sees=sees)
    rooms = [room.name for room in house.rooms]
    targets = rooms * 2 + [piece.name for piece in house.furniture]
    assert nearness(simulation) > -TOUCHING
    while simulation.clock < until:
        for agent in simulation.agents:
            if simulation.busy(agent) is None and rng.random() < 0.8:
                skill = ("Navigate", "Navigate", "Navigate", "Explore", "Wait", "Open")
                name = skill[int(rng.integers(len(skill)))]
                target = str(rng.choice(rooms if name == "Explore" else targets))
                simulation.act(agent, Action(name, () if name == "Wait" else (target,)))
        for _ in range(int(rng.integers(1, 150))):
            simulation.advance(simulation.clock + 1)
            assert nearness(simulation) > -TOUCHING, (seed, simulation.clock)
            if simulation.next_event is None:
                break
        if simulation.next_event is None:
            simulation.act(next(iter(simulation.agents)), Action("Wait"))
    return simulation


HOUSES = [two_rooms, corridor, lambda: six_rooms(), lambda: generate(3, "home", rooms=3)]


@pytest.mark.parametrize("seed", part_of(range(12)))
def test_bodies_never_overlap(seed: int) -> None:
    play(seed, HOUSES[seed % len(HOUSES)](), 1_500)


@pytest.mark.differential
@pytest.mark.parametrize("seed", part_of(range(1_000, 1_200), 10))
def test_bodies_never_overlap_for_long(seed: int) -> None:
    for run in range(5):
        play(seed * 5 + run, generate(seed, "home", rooms=2 + seed % 4), 2_000)


def test_the_same_run_again_is_the_same() -> None:
    first, second = (play(1, corridor(), 1_500) for _ in range(2))
    assert first.log == second.log
    assert first.moved == second.moved
    assert first.waited == second.waited
