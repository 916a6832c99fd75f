"""Scenes that follow a state against scenes built anew."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.worlds.house.model.house import House, Person, Pose
from homebody.worlds.house.model.people import HAND, box_size, held_pose, hold_out
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.simulation.people import wake_people
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import AFFORDS, two_rooms
from worlds.house.rendering.small_house import BALL, HIDDEN, small_house


def pictures_agree(state: HouseState, scene: RayScene) -> None:
    fresh = Renderer.of(state.house, state)
    old = Renderer(scene)
    for yaw in (0.0, 120.0, 240.0):
        camera = Camera((3.0, 1.6, 1.4), yaw, -15.0, 80, 60, 90.0)
        new, updated = fresh.picture(camera), old.picture(camera)
        names = np.array(new.names)[new.ids]
        again = np.array(updated.names)[updated.ids]
        assert (names == again).mean() > 0.999
        np.testing.assert_allclose(new.depth, updated.depth, rtol=1e-3, atol=1e-3)
        assert (np.abs(new.rgb.astype(int) - updated.rgb.astype(int)) > 2).mean() < 0.005


@pytest.mark.slow
def test_an_updated_scene_looks_like_a_new_one() -> None:
    house = small_house(BALL, HIDDEN)
    state = HouseState.start(house, {"robot": Body(Pose((5.0, 3.0, 0.0)))})
    scene = RayScene(house, state)
    renderer = Renderer(scene)
    renderer.picture(Camera((3.0, 1.0, 1.4), width=8, height=8))
    assert not scene.update(state)
    state.set("cabinet_0", "open", True)
    assert scene.update(state)
    pictures_agree(state, scene)
    state.move("ball_0", ("table_0", "top"), Pose((1.0, 3.0, 0.75)))
    state.walk("robot", Pose((2.0, 0.8, 0.0), 45.0))
    scene.update(state)
    pictures_agree(state, scene)
    state.set("cabinet_0", "open", False)
    state.move("cup_0", ("robot", "right"), Pose((2.0, 1.1, 0.9)))
    scene.update(state)
    pictures_agree(state, scene)


def test_what_has_gone_and_what_light_passes_throw_no_shadow() -> None:
    house = small_house(BALL)
    state = HouseState.start(house)
    scene = RayScene(house, state)
    rng = np.random.default_rng(0)
    low, high = np.array([0.2, 0.2, 0.1]), np.array([5.8, 2.6, 2.3])
    starts = rng.uniform(low, high, (3000, 3)).astype(np.float32)
    ways = rng.uniform(low, high, (3000, 3)).astype(np.float32) - starts
    for place in ((1.0, 1.0, 0.0), (4.0, 1.5, 0.0), (4.0, 1.5, 1.0)):
        for opaque in (scene.opaque_triangles(), np.ones(len(scene.owner), bool)):
            hits = scene.cast(starts, ways)
            for _ in range(8):  # on, through what is not opaque
                on = (hits.distance < 1) & ~opaque[hits.triangle]
                if not on.any():
                    break
                more = scene.cast(starts + ways * (hits.distance[:, None] + 1e-4), ways)
                further = hits.distance + more.distance
                hits.distance[on], hits.triangle[on] = further[on], more.triangle[on]
            expected = hits.distance < 1
            assert (scene.find_blocked(starts, ways, opaque) == expected).mean() > 0.998
        state.move("ball_0", ("floor_den_0", ""), Pose(place))
        scene.update(state)


def test_who_looks_does_not_see_itself() -> None:
    house = small_house(BALL)
    state = HouseState.start(house, {"robot": Body(Pose((4.0, 0.5, 0.0)))})
    renderer = Renderer.of(house, state)
    camera = Camera((4.0, 0.5, 1.45), pitch=-30.0, width=40, height=40)
    robot = renderer.scene.number["robot"]
    assert (renderer.picture(camera).ids == robot).any()
    hidden = renderer.picture(camera, hide=("robot",))
    assert not (hidden.ids == robot).any()
    assert (hidden.ids == renderer.scene.number["ball_0"]).any()


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.floats(0.3, 5.7), st.floats(0.3, 2.4), st.floats(0, 360)),
        min_size=1,
        max_size=4,
    )
)
def test_updates_in_any_order(places: list[tuple[float, float, float]]) -> None:
    house = small_house(BALL)
    state = HouseState.start(house)
    scene = RayScene(house, state)
    for x, y, yaw in places:
        state.move("ball_0", ("floor_den_0", ""), Pose((x, y, 0.0), yaw))
        scene.update(state)
    counts = np.bincount(scene.owner, minlength=len(scene.names))
    number = scene.number["ball_0"]
    assert counts[number] == 2 * len(scene.part("ball_0")) or len(places) == 0
    x, y, _ = places[-1]
    origin = np.array([[x, y, 2.0]], np.float32)
    hit = scene.cast(origin, np.array([[0, 0, -1]], np.float32))
    assert scene.owner[hit.triangle[0]] == number
    assert abs(hit.distance[0] - 1.7) < 5e-3


def _with_person(posture: str, gesture: str = "none") -> tuple[House, Person]:
    size = box_size(posture, 1700, 500, 300, seat=450)
    at = Pose((2.0, 1.0, 0.0))
    anna = Person("person_0", posture, "kitchen_0", at, size, gesture=gesture)
    return dataclasses.replace(two_rooms(), people=(anna,)), anna


def _gap(scene: RayScene, one: str, other: str) -> float:
    """Return the least distance between corners of two parts in metres."""
    a, b = (scene.part(name).corners.reshape(-1, 3) for name in (one, other))
    return float(np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=2).min()))


@pytest.mark.parametrize(
    ("posture", "gesture"),
    [("standing", "none"), ("sitting", "forward"), ("pointing", "none"), ("lying", "none")],
)
def test_a_person_who_was_handed_something_is_drawn_holding_it(posture: str, gesture: str) -> None:
    house, anna = _with_person(posture, gesture)
    state = HouseState.start(house)
    scene = RayScene(house, state)
    first, before = scene.part("person_0"), (state.places["cup_0"], state.poses["cup_0"])
    pose = held_pose(hold_out(anna), house.thing["cup_0"].size)
    state.move("cup_0", ("person_0", HAND), pose)
    assert scene.update(state)
    assert _gap(scene, "person_0", "cup_0") < 0.07
    fresh = RayScene(house, state)
    assert np.array_equal(scene.part("person_0").corners, fresh.part("person_0").corners)
    state.move("cup_0", *before)
    assert scene.update(state)
    assert np.array_equal(scene.part("person_0").corners, first.corners)


def test_a_person_whose_object_was_taken_lowers_the_hands() -> None:
    house, anna = _with_person("standing", "reading")
    cup = house.thing["cup_0"]
    held = dataclasses.replace(cup, place=("person_0", HAND), pose=held_pose(anna, cup.size))
    things = tuple(held if each is cup else each for each in house.things)
    house = dataclasses.replace(house, things=things)
    state = HouseState.start(house)
    scene = RayScene(house, state)
    assert _gap(scene, "person_0", "cup_0") < 0.07
    state.move("cup_0", cup.place, cup.pose)
    scene.update(state)
    idle = person_mesh(dataclasses.replace(anna, gesture="none")).place(anna.pose)
    assert np.array_equal(scene.part("person_0").corners, idle.corners)


def test_an_agent_who_is_a_person_bends_the_arms_to_what_it_holds() -> None:
    rest, agents, poses, looks = wake_people(_with_person("standing")[0], ["person_0"])
    state = Simulation(rest, agents, seed=1, poses=poses, people=looks, affords=AFFORDS).state
    scene = RayScene(rest, state)
    (hand, *_) = state.bodies["person_0"].hands
    state.move("cup_0", ("person_0", hand), state.carried_pose("person_0", hand, "cup_0"))
    assert scene.update(state)
    assert _gap(scene, "person_0", "cup_0") < 0.1
