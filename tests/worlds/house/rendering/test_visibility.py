"""Who sees what, on scenes where it is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.core import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.house import Furniture, House, Pose, Receptacle, Room, Thing
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import eye_of
from homebody.worlds.house.rendering.visibility import (
    AROUND,
    POINTS,
    FieldOfView,
    Visibility,
    looking,
    spread_over,
)
from homebody.worlds.house.simulation.relations import is_shut_in
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.handmade import with_door

EYE = (3.0, 1.0, 1.5)


def hidden_in(state: HouseState) -> set[str]:
    return {name for name in state.places if is_shut_in(state, name)}


def ball(name: str, x: float, y: float, z: float = 0.0, place: str = "floor_hall_0") -> Thing:
    return Thing(name, "ball", (0.3, 0.3, 0.3), Pose((x, y, z)), (place, ""))


def hall(*things: Thing) -> House:
    """6 x 12 m with a wardrobe in the middle that stands across the view north."""
    outline = ((0.0, 0.0), (6.0, 0.0), (6.0, 12.0), (0.0, 12.0))
    room = Room("hall_0", "hallway", outline, 2.6, "oak_planks", (0.9, 0.9, 0.9))
    inside = Receptacle("inside", "within", (-0.9, -0.25, 0.1), (0.9, 0.25, 2.0))
    wardrobe = Furniture(
        "wardrobe_0",
        "wardrobe",
        "hall_0",
        Pose((3.0, 4.0, 0.0), 180.0),
        (2.0, 0.6, 2.1),
        (inside,),
        {"body": (0.6, 0.4, 0.3)},
        {"open": False},
    )
    return House(0, "home", (room,), (), (wardrobe,), things)


def find_visible(
    house: House, view: FieldOfView | None = None, yaw: float = 0.0
) -> dict[str, float]:
    return Visibility(RayScene(house)).find_visible(EYE, yaw, view)


def test_field_of_view_and_reach() -> None:
    house = hall(ball("near_0", 3.0, 2.8), ball("far_0", 5.7, 7.6), ball("back_0", 3.0, 0.2))
    assert set(find_visible(house, FieldOfView(reach=6.0))) == {"near_0", "wardrobe_0"}
    assert "far_0" in find_visible(house, FieldOfView(reach=12.0))
    assert "back_0" in find_visible(house, FieldOfView(tall=140.0, pitch=-45.0), yaw=180.0)
    assert {"near_0", "back_0"} <= set(find_visible(house, FieldOfView(fov=360.0, tall=180.0)))


def test_what_stands_in_the_way() -> None:
    view = FieldOfView(fov=80.0, reach=12.0, pitch=0.0)
    assert "ball_0" not in find_visible(hall(ball("ball_0", 3.0, 5.5)), view)
    assert find_visible(hall(ball("ball_0", 0.8, 5.5)), view)["ball_0"] == 1.0
    half = find_visible(hall(ball("ball_0", 1.6, 5.6)), replace(view, least=0.0)).get("ball_0", 0.0)
    assert 0.0 <= half < 1.0


def test_closed_furniture_hides_what_is_inside() -> None:
    inside = replace(ball("ball_0", 3.0, 4.0, 0.5), place=("wardrobe_0", "inside"))
    house = hall(inside)
    state = HouseState.start(house)
    visibility = Visibility(RayScene(house, state))
    assert hidden_in(state) == {"ball_0"}
    assert "ball_0" not in visibility.find_visible(EYE)
    state.set("wardrobe_0", "open", True)
    visibility.update(state)
    assert hidden_in(state) == set()
    assert "ball_0" in visibility.find_visible(EYE, 0.0, FieldOfView(least=0.1))
    state.set("wardrobe_0", "open", False)
    visibility.update(state)
    assert "ball_0" not in visibility.find_visible(EYE, 0.0, FieldOfView(least=0.0))


def test_what_is_in_a_thing_in_closed_furniture_is_hidden_too() -> None:
    box = Thing(
        "basket_0",
        "basket",
        (0.4, 0.3, 0.3),
        Pose((3.0, 4.0, 0.1)),
        ("wardrobe_0", "inside"),
        receptacles=(Receptacle("inside", "within", (-0.15, -0.1, 0.02), (0.15, 0.1, 0.3)),),
    )
    inner = replace(ball("ball_0", 3.0, 4.0, 0.12), place=("basket_0", "inside"))
    assert hidden_in(HouseState.start(hall(box, inner))) == {"basket_0", "ball_0"}


def seen_by(
    visibility: Visibility, agent: str, view: FieldOfView | None = None
) -> dict[str, float]:
    pose = visibility.scene.state.bodies[agent].pose
    return visibility.find_visible(eye_of(pose), pose.yaw, view, (agent,))


def test_a_thing_that_moves_is_seen_where_it_is() -> None:
    house = hall(ball("ball_0", 3.0, 10.0))
    state = HouseState.start(house, {"robot": Body(Pose((3.0, 1.0, 0.0)))})
    visibility = Visibility(RayScene(house, state))
    assert "ball_0" not in seen_by(visibility, "robot")
    state.move("ball_0", ("floor_hall_0", ""), Pose((3.5, 3.0, 0.0)))
    visibility.update(state)
    shares = seen_by(visibility, "robot")
    assert shares["ball_0"] == 1.0
    assert "robot" not in shares
    state.walk("robot", Pose((3.0, 1.0, 0.0), 180.0))
    visibility.update(state)
    assert seen_by(visibility, "robot", FieldOfView(pitch=0.0)) == {}


def test_agents_see_each_other() -> None:
    house = hall()
    bodies = {"one": Body(Pose((3.0, 1.0, 0.0))), "two": Body(Pose((3.2, 2.8, 0.0)))}
    visibility = Visibility(RayScene(house, HouseState.start(house, bodies)))
    assert "two" in seen_by(visibility, "one")
    assert "one" not in seen_by(visibility, "two")


def test_glass_hides_nothing() -> None:
    case = Furniture(
        "display_case_0",
        "display_case",
        "hall_0",
        Pose((3.0, 2.5, 0.0), 180.0),
        (1.2, 0.5, 2.0),
        (),
        {"glass": (0.74, 0.85, 0.87), "frame": (0.1, 0.1, 0.1)},
    )
    house = replace(hall(ball("ball_0", 3.0, 3.2, 1.2)), furniture=(case,))
    assert find_visible(house, FieldOfView(least=0.5))["ball_0"] >= 0.5


@pytest.mark.parametrize(
    "view",
    [FieldOfView(reach=0.0), FieldOfView(fov=-1.0), FieldOfView(least=2.0), FieldOfView(tall=0.0)],
)
def test_views_out_of_range(view: FieldOfView) -> None:
    with pytest.raises(HomebodyError):
        find_visible(hall(), view)


def test_key_points_lie_on_the_surface() -> None:
    house = hall(ball("ball_0", 1.0, 1.0))
    mesh = RayScene(house).part("ball_0")
    points = mesh.corners[spread_over(mesh)].mean(axis=1)
    assert points.shape == (POINTS, 3)
    distance = np.linalg.norm(points - np.array([1.0, 1.0, 0.15]), axis=1)
    assert (np.abs(distance - 0.15) < 0.02).all()


def test_who_follows_sees_what_a_new_one_would() -> None:
    house = generate(4, rooms=3, things=40)
    state = HouseState.start(house, {"robot": Body(Pose((3.0, 1.0, 0.0)))})
    visibility = Visibility(RayScene(house, state))
    for step, thing in enumerate(house.things[:6]):
        x, y, z = state.poses[thing.name].position
        state.move(thing.name, thing.place, Pose((x + 0.1, y, z + 0.3), 30.0))
        if step % 3 == 0:  # the scene has gone on without it
            visibility.scene.update(state)
            state.walk("robot", Pose((3.0 + step, 1.0, 0.0), 90.0))
        visibility.update(state)
        fresh = Visibility(RayScene(house, state))
        for room in house.rooms:
            (x0, y0), (x1, y1) = room.outline[0], room.outline[2]
            eye = (x0 + x1) / 2, (y0 + y1) / 2, 1.5
            assert visibility.find_visible(eye, view=AROUND) == fresh.find_visible(eye, view=AROUND)


def test_from_anywhere_only_what_is_not_hidden_is_seen() -> None:
    house = generate(4, rooms=4, things=60)
    state = HouseState.start(house)
    hidden = hidden_in(state)
    visibility = Visibility(RayScene(house, state))
    rng = np.random.default_rng(0)
    for room in house.rooms:
        xs, ys = [x for x, _ in room.outline], [y for _, y in room.outline]
        x, y = rng.uniform(min(xs), max(xs)), rng.uniform(min(ys), max(ys))
        shares = visibility.find_visible(eye_of(Pose((float(x), float(y), 0.0))), view=AROUND)
        assert not hidden & set(shares)
        assert all(0.25 <= share <= 1.0 for share in shares.values())


def test_a_shut_door_hides_what_is_behind_it():
    house = with_door()
    state = HouseState.start(house)
    visibility = Visibility(RayScene(house, state))
    eye, east = (2.5, 3.4, 1.5), 270.0
    shut = visibility.find_visible(eye, east)
    assert "door_0" in shut
    assert not {"basket_0", "rug_0"} & shut.keys()
    state.set("door_0", "open", True)
    visibility.update(state)
    opened = visibility.find_visible(eye, east, FieldOfView(least=0.1))
    assert {"door_0", "rug_0"} <= opened.keys()


@pytest.mark.slow
def test_who_stands_at_open_furniture_sees_all_that_is_in_it() -> None:
    """A comb behind a jumper in a drawer has no ray to the eye; who opened the drawer looks in."""
    house = generate(39, "home", rooms=7)
    simulation = Simulation(house, {"robot": ROBOT}, sees=looking(house))
    state = simulation.state
    for piece in house.furniture:
        things = [n for r in piece.receptacles for n in state.objects_at((piece.name, r.name))]
        if things and "open" in piece.states:
            simulation.do("robot", Action("Navigate", (piece.name,)))
            if simulation.do("robot", Action("Open", (piece.name,))).ok:
                assert all(simulation.graphs["robot"].knows(name) for name in things)
