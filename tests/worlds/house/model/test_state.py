"""People react to who speaks to them or hands them something, in pictures and films."""

from __future__ import annotations

import copy
import dataclasses
import math

import numpy as np
import pytest

from homebody.core.play.session import Event
from homebody.core.play.transcript import find_call
from homebody.worlds.house.model.agents import COMPANION, ROBOT, Agent
from homebody.worlds.house.model.house import Person, Pose
from homebody.worlds.house.model.people import Response, box_size, turn_to
from homebody.worlds.house.model.state import Body, HouseState, Reaction
from homebody.worlds.house.play.filming import HouseFilm
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import AFFORDS, two_rooms

ANNA = Person(
    "person_0", "standing", "kitchen_0", Pose((1.0, 1.3, 0.0)), box_size("standing", 1700, 460, 340)
)
SPEAKER = Agent(COMPANION.skills | {"Say"}, size=ROBOT.size)


def start(awake: bool = False) -> Simulation:
    """A robot one metre to the right of Anna, who looks north."""
    scene = dataclasses.replace(two_rooms(), people=(ANNA,))
    scene, agents, poses, looks = wake_people(scene, ["person_0"] if awake else [])
    poses = {**poses, "robot": Pose((2.0, 1.2, 0.0))}
    agents = {"robot": SPEAKER, **agents}
    return Simulation(scene, agents, seed=1, poses=poses, people=looks, affords=AFFORDS)


def do(simulation: Simulation, *texts: str) -> Event:
    for text in texts:
        event = simulation.do("robot", find_call(text))
        assert event.ok, event.message
    return event


def reaction_of(simulation: Simulation) -> Response:
    """What is seen of Anna's reaction."""
    response: Response = simulation.state.visible_states("person_0")["reacting"]
    return response


def turned(before: np.ndarray, after: np.ndarray) -> float:  # type: ignore[type-arg]
    """The degrees to the left by which the moved corners of a mesh have turned."""
    moved = np.abs(after - before).max(axis=-1) > 1e-6
    a, b = (points[moved] - points[moved].mean(axis=0) for points in (before, after))
    sine = (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()
    return math.degrees(math.atan2(sine, (a[:, :2] * b[:, :2]).sum()))


@pytest.mark.parametrize("awake", [False, True])
def test_who_is_spoken_to_turns_the_head_to_the_speaker(awake: bool) -> None:
    simulation = start(awake)
    scene = RayScene(simulation.state.house, simulation.state)
    before = scene.part("person_0").corners
    body = simulation.state.box("person_0")
    assert simulation.act("robot", find_call("Ask[person_0]")) is None
    assert scene.update(simulation.state)
    after = scene.part("person_0").corners
    assert turned(before, after) == pytest.approx(-60, abs=8)
    below = before[..., 2] < 1.3
    assert np.array_equal(before[below], after[below])
    assert simulation.state.box("person_0") == body
    assert simulation.advance()
    assert "person_0" in simulation.state.reactions
    do(simulation, *["Wait[]"] * 2)
    assert not simulation.state.reactions
    assert scene.update(simulation.state)
    assert np.array_equal(scene.part("person_0").corners, before)


def test_a_receiver_reaches_out_and_then_holds_the_thing() -> None:
    simulation = start()
    do(simulation, "Navigate[cup_0]", "Pick[cup_0]", "Navigate[person_0]")
    scene = RayScene(simulation.state.house, simulation.state)
    assert simulation.act("robot", find_call("Give[cup_0, person_0]")) is None
    assert reaction_of(simulation).gesture == "reach"
    assert scene.update(simulation.state)
    simulation.advance()
    assert reaction_of(simulation) == ("look", -60, -15)
    scene.update(simulation.state)
    hands = scene.part("person_0").corners.reshape(-1, 3)
    cup = scene.part("cup_0").corners.reshape(-1, 3)
    assert np.linalg.norm(hands[:, None] - cup[None], axis=2).min() < 0.07


def test_who_walks_does_not_react() -> None:
    simulation = start(awake=True)
    assert simulation.act("person_0", find_call("Navigate[bedroom_0]")) is None
    assert simulation.act("robot", find_call("Say[person_0, hello]")) is None
    assert not simulation.state.reactions
    simulation = start(awake=True)
    assert simulation.act("robot", find_call("Say[person_0, hello]")) is None
    assert simulation.state.reactions
    assert simulation.act("person_0", find_call("Navigate[bedroom_0]")) is None
    assert not simulation.state.reactions


def test_reactions_are_drawn_and_nothing_else() -> None:
    simulation = start()
    state = simulation.state
    seen = RayScene(state.house, state, reactions=False)
    version = state.journal.version
    simulation.act("robot", find_call("Ask[person_0]"))
    assert state.journal.version == version
    assert not seen.update(state)
    for other in (state.copy(), copy.deepcopy(state)):
        assert other.reactions == state.reactions
        other.reactions.clear()
    assert state.reactions


@pytest.mark.parametrize(
    ("point", "turn"),
    [((1.0, 9.0), (0, 0)), ((-9.0, 1.3), (60, 0)), ((0.0, 2.3), (45, 0)), ((1.2, -9.0), (-60, 0))],
)
def test_heads_turn_as_far_as_necks_allow(
    point: tuple[float, float], turn: tuple[int, int]
) -> None:
    assert turn_to(ANNA, (*point, 1.57)) == turn
    assert turn_to(ANNA, (1.0, 1.6, 9.0))[1] == 30
    assert turn_to(ANNA, (1.0, 1.6, 0.0))[1] == -30


@pytest.mark.parametrize("posture", ["standing", "sitting", "crouching", "lying", "walking"])
def test_faces_point_to_whom_they_look_at(posture: str) -> None:
    size = box_size(posture, 1700, 460, 340, 450)
    anna = dataclasses.replace(ANNA, posture=posture, size=size, pose=Pose((1.0, 1.3, 0.0), 70.0))

    def drawn(turn: int, tilt: int) -> np.ndarray:  # type: ignore[type-arg]
        mesh = person_mesh(anna, Response("look", turn, tilt))
        return mesh.place(anna.pose).corners.reshape(-1, 3)

    rest = drawn(0, 0)
    head = np.abs(rest - drawn(60, 0)).max(axis=1) > 1e-6
    middle = (rest[head].min(axis=0) + rest[head].max(axis=0)) / 2
    ahead, left = np.array((-0.94, 0.342, 0.0)), np.array((-0.342, -0.94, 0.0))
    up = np.array((0.0, 0.0, 1.0))
    if posture == "lying":
        ahead, up = up, -ahead
    way = 3 * ahead + 1.2 * left + 0.6 * up
    ahead, way = ahead / np.linalg.norm(ahead), way / np.linalg.norm(way)
    turned = drawn(*turn_to(anna, tuple(middle + 3 * way)))
    a, b = (points[head] - points[head].mean(axis=0) for points in (rest, turned))
    u, _, v = np.linalg.svd(a.T @ b)  # the rotation of the head
    face = ahead @ (u @ v)
    assert math.degrees(math.acos(min(1.0, face @ way))) < 12


@pytest.mark.parametrize("awake", [False, True])
def test_films_show_reactions(awake: bool) -> None:
    simulation = start(awake)
    made = HouseFilm(simulation.state, lambda: simulation.clock, 30.0, simulation)
    still = made.position
    simulation.act("robot", find_call("Ask[person_0]"))
    made.take()
    spoken, response = made.position, simulation.state.visible_states("person_0")
    simulation.advance()
    do(simulation, *["Wait[]"] * 2)
    made.take()
    shown = [
        state.visible_states("person_0") for state in made.states([still, spoken, made.position])
    ]
    assert shown == [{"holding": False}, response, {"holding": False}]
    looks = [change[2] for change in made.document()["changes"] if change[1] == "person_0"]
    assert looks == [1, 0]
    assert made.document()["first"]["person_0"][0] == 0
    files = b"".join(made.files().values())
    assert files.count(b'"look":1') == 1


def test_a_person_looks_at_who_moves_on() -> None:
    house = dataclasses.replace(two_rooms(), people=(ANNA,))
    state = HouseState.start(house, {"robot": Body(Pose((0.0, 1.3, 0.0)))})
    state.reactions["person_0"] = Reaction("robot", "wave")
    assert state.visible_states("person_0")["reacting"] == ("wave", 60, -15)
    state.walk("robot", Pose((1.0, 3.0, 0.0)))
    assert state.visible_states("person_0")["reacting"] == ("wave", 0, 0)
