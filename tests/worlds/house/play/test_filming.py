"""Films of sessions: after all of a film, everything is where the session has it."""

from __future__ import annotations

import dataclasses
import json
import struct
from typing import Any

import pytest

from homebody.core import CORRECTED
from homebody.core.play.failures import drop_labels
from homebody.core.play.replay import retrace
from homebody.core.play.transcript import decode, find_call
from homebody.suites import get_suite
from homebody.suites.embodiedeval.report import film as film_of_game
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import COMPANION
from homebody.worlds.house.model.house import Person, Pose, to_world
from homebody.worlds.house.model.people import box_size
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.play import filming
from homebody.worlds.house.play.filming import HouseFilm, film
from homebody.worlds.house.rendering.gltf import TO_GLTF
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import AFFORDS, two_rooms

SESSIONS = [
    ("house.bring", "expert", 0),
    ("partnr.val", "expert", 0),
    ("partnr.val", "random", 2),
    ("embodiedeval.test", "oracle", 0),
    ("embodiedeval.test", "random", 5),
]


def filmed(name: str, agent: str, number: int) -> tuple[Any, Any, Any]:
    """The film of a session, the state of the house then, and the session."""
    suite = get_suite(name)
    task = suite.tasks.load(CORRECTED)[number]
    assert suite.playing is not None
    entries = decode(suite.answer(agent, task)).entries
    session: Any = suite.playing.start(task, {}, 0, CORRECTED)
    assert suite.viewing.film is not None
    made = suite.viewing.film(session)
    assert made is not None
    for _ in retrace(session, entries):
        made.take()
    made.take()
    state = session.simulation.state if hasattr(session, "simulation") else session.game.state
    return made, state, session


def nodes(glb: bytes) -> list[dict[str, Any]]:
    length = struct.unpack("<I", glb[12:16])[0]
    tree = json.loads(glb[20 : 20 + length])
    return [tree["nodes"][at] for at in tree["scenes"][0]["nodes"]]


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "agent", "number"), SESSIONS)
def test_the_last_changes_are_where_all_is_in_the_end(name: str, agent: str, number: int) -> None:
    made, state, session = filmed(name, agent, number)
    document = made.document()
    assert document["rate"] > 0
    for role, path in document["paths"].items():
        assert [point[0] for point in path] == sorted(point[0] for point in path)
        assert path[-1][0] <= session.clock
        assert path[-1][1:3] == pytest.approx(state.bodies[role].pose.position[:2], abs=1e-3)
    clocks = [change[0] for change in document["changes"]]
    assert clocks == sorted(clocks)
    assert {change[1] for change in document["changes"]} <= document["first"].keys()
    start = {each["name"]: each for each in nodes(next(iter(made.files().values())))}
    last = {thing: at for _, thing, *at in document["changes"]}
    for thing, pose in state.poses.items():
        if thing not in last:
            first = (TO_GLTF @ pose.position).tolist()
            if thing not in document["first"]:
                assert start[thing]["translation"] == pytest.approx(first, abs=2e-3)
            continue
        _, x, y, z, yaw, bearer = last[thing]
        there = Pose((x, y, z), yaw)
        if bearer:
            of = state.bodies[bearer].pose
            there = Pose(to_world(of, there.position), yaw + of.yaw)
        assert there.position == pytest.approx(pose.position, abs=3e-3)
        assert (there.yaw - pose.yaw + 180) % 360 - 180 == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize(("name", "agent", "number"), SESSIONS[:2])
def test_a_film_changes_nothing(name: str, agent: str, number: int) -> None:
    suite = get_suite(name)
    task = suite.tasks.load(CORRECTED)[number]
    *_, session = filmed(name, agent, number)
    again = drop_labels(suite.score(task, suite.answer(agent, task)))
    assert session.score().record == again.record


def test_each_look_is_a_node_of_the_scene() -> None:
    made, state, _ = filmed("partnr.val", "expert", 0)
    document = made.document()
    files = made.files()
    assert document["scenes"] == list(files)
    told = [each["extras"] for content in files.values() for each in nodes(content)]
    known = {(each["name"], each["look"]) for each in told}
    assert len(known) == len(told)
    assert {(change[1], change[2]) for change in document["changes"]} <= known
    assert {room.floor_name for room in state.house.rooms} <= {name for name, _ in known}
    assert document["paths"].keys() <= {name for name, _ in known}
    assert len(document["rooms"]) == len(state.house.rooms)


@pytest.mark.slow
def test_films_in_a_house_share_its_file() -> None:
    expert, random, other = (
        filmed("house.bring", agent, number)[0]
        for agent, number in (("expert", 0), ("random", 0), ("expert", -1))
    )
    houses = [next(iter(film.files().items())) for film in (expert, random, other)]
    assert houses[0][0] == houses[1][0] != houses[2][0]
    assert houses[0][1] is houses[1][1]  # it was drawn once
    own = list(expert.files().values())[1]
    assert len(own) < len(houses[0][1]) / 10
    filming._files.clear()
    again = next(iter(expert.files().items()))
    assert again == houses[0]
    assert again[1] is not houses[0][1]


def test_no_more_houses_are_kept_than_a_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filming, "KEPT", 1)
    for number in (0, -1):
        filmed("house.bring", "expert", number)[0].files()
    assert len(filming._files) == 1


def test_what_is_not_as_the_house_has_it_at_the_beginning_is_told() -> None:
    house = generate(1, rooms=["kitchen"], things=20)
    state = HouseState.start(house, {"robot": Body(Pose((1.0, 1.0, 0.0)))})
    moved = house.things[0].name
    state.move(moved, house.things[1].place, house.things[1].pose)
    made = filming.HouseFilm(state, lambda: 0, 1)
    x, y, z = house.things[1].pose.position
    first = made.document()["first"]
    assert list(first) == [moved]
    assert first[moved][1:4] == pytest.approx([x, y, z], abs=1e-3)


def test_who_is_in_no_house_is_not_filmed() -> None:
    assert film(object()) is None


def test_an_action_of_a_game_is_a_step_of_its_clock() -> None:
    made, _, session = filmed("embodiedeval.test", "oracle", 0)
    assert made.document()["rate"] == 1
    assert isinstance(made, type(film_of_game(session)))


def test_a_hand_over_is_seen_in_a_film() -> None:
    size = box_size("standing", 1700, 500, 300)
    anna = Person("person_0", "standing", "kitchen_0", Pose((1.0, 1.3, 0.0)), size)
    scene = dataclasses.replace(two_rooms(), people=(anna,))
    simulation = Simulation(scene, {"robot": COMPANION}, seed=1, affords=AFFORDS)
    made = HouseFilm(simulation.state, lambda: simulation.clock, 30.0)
    for text in ("Navigate[cup_0]", "Pick[cup_0]", "Navigate[person_0]", "Give[cup_0, person_0]"):
        event = simulation.do("robot", find_call(text))
        assert event.ok, event.message
        made.take()
    document = made.document()
    assert document["first"]["person_0"][0] == 0
    (change,) = (change for change in document["changes"] if change[1] == "person_0")
    assert change[2] == 1
    told = [each["extras"] for content in made.files().values() for each in nodes(content)]
    assert ("person_0", 1) in {(each["name"], each["look"]) for each in told}
