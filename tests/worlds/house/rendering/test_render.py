"""Pictures: geometry against what is known, updates against scenes built anew, all recipes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core.errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Opening,
    Person,
    Pose,
    Receptacle,
    Room,
    Thing,
    Vector,
)
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.drawing import RECIPES, furniture_mesh, person_mesh, thing_mesh
from homebody.worlds.house.rendering.map_picture import plan_picture
from homebody.worlds.house.rendering.materials import FLOORS
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.rooms import rectangles
from homebody.worlds.house.rendering.rays import RayScene
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.rendering.viewpoints import good_view

WHITE = (0.9, 0.9, 0.9)
INSIDE = (Receptacle("inside", "within", (-0.4, -0.2, 0.1), (0.4, 0.2, 0.9)),)


def small_house(*things: Thing) -> House:
    """A room of 6 x 4 m with a cabinet at its north wall, a table, and a window in the south."""
    room = Room("den_0", "office", ((0, 0), (6, 0), (6, 4), (0, 4)), 2.6, "oak_planks", WHITE)
    window = Opening("window_0", "window", ("den_0",), (1.0, -0.06), (2.5, -0.06), 0.9, 2.0)
    cabinet = Furniture(
        "cabinet_0",
        "cabinet",
        "den_0",
        Pose((3.0, 3.79, 0.0), 180.0),
        (0.9, 0.42, 1.0),
        INSIDE,
        {"body": (0.7, 0.5, 0.3)},
        {"open": False},
    )
    table = Furniture(
        "table_0",
        "table",
        "den_0",
        Pose((1.0, 3.0, 0.0)),
        (1.3, 0.9, 0.75),
        (Receptacle("top", "on", (-0.65, -0.45, 0.75), (0.65, 0.45, 1.3)),),
        {"top": (0.7, 0.5, 0.3)},
    )
    return House(0, "home", (room,), (window,), (cabinet, table), things)


BALL = Thing("ball_0", "ball", (0.3, 0.3, 0.3), Pose((4.0, 2.0, 0.0)), ("floor_den_0", ""))
HIDDEN = Thing("cup_0", "cup", (0.08, 0.08, 0.09), Pose((3.0, 3.79, 0.1)), ("cabinet_0", "inside"))


def test_depth_is_the_distance_to_the_wall_along_the_view() -> None:
    renderer = Renderer.of(small_house())
    east = renderer.picture(Camera((2.0, 2.0, 1.3), yaw=-90.0, width=32, height=24, fov=40.0))
    walls = east.ids == renderer.scene.number["walls_den_0"]
    assert walls.any()
    np.testing.assert_allclose(east.depth[walls], 4.0, atol=2e-3)


def test_yaw_turns_counter_clockwise_and_pitch_up() -> None:
    house = small_house(BALL)
    renderer = Renderer.of(house)

    def middle(yaw: float, pitch: float) -> str:
        picture = renderer.picture(
            Camera((4.0, 1.0, 1.0), yaw=yaw, pitch=pitch, width=3, height=3, fov=5.0)
        )
        return picture.names[int(picture.ids[1, 1])]

    down = -math.degrees(math.atan2(0.85, 1.0))
    assert middle(0.0, down) == "ball_0"
    assert middle(90.0, down) == "floor_den_0"
    assert middle(0.0, 80.0) == "ceiling_den_0"
    assert middle(-90.0, 0.0) == "walls_den_0"


def test_numbers_say_where_the_ball_is() -> None:
    renderer = Renderer.of(small_house(BALL))
    picture = renderer.picture(Camera((4.0, 0.2, 0.15), width=65, height=65, fov=60.0))
    rows, columns = np.nonzero(picture.ids == renderer.scene.number["ball_0"])
    # A ball of radius 0.15 m, 1.8 m away: an angle of 4.8 degrees to either side.
    half = math.tan(math.asin(0.15 / 1.8)) / math.tan(math.radians(30)) * 32.5
    assert abs(columns.mean() - 32) < 0.6
    assert abs((columns.max() - columns.min() + 1) / 2 - half) < 1.1
    assert abs((rows.max() - rows.min() + 1) / 2 - half) < 1.1


def test_a_window_shows_the_outdoors() -> None:
    renderer = Renderer.of(small_house())
    picture = renderer.picture(Camera((1.4, 2.0, 1.2), yaw=180.0, width=9, height=9, fov=4.0))
    assert (picture.ids == 0).all()
    assert np.isinf(picture.depth).all()


def test_the_same_picture_again_is_the_same() -> None:
    house = generate(3, rooms=2, things=30)
    camera = good_view(Renderer.of(house), house.rooms[0].name)
    camera = replace(camera, width=61, height=47)  # odd sizes too
    one, other = Renderer.of(house).picture(camera), Renderer.of(house).picture(camera)
    assert one.rgb.tobytes() == other.rgb.tobytes()
    assert one.rgb.shape == (47, 61, 3)
    assert one.depth.shape == one.ids.shape == (47, 61)


def test_samples_change_no_number() -> None:
    renderer = Renderer.of(small_house(BALL))
    camera = Camera((2.0, 0.5, 1.2), yaw=-20.0, pitch=-10.0, width=40, height=30)
    fine = renderer.picture(camera, samples=2)
    assert fine.rgb.shape == (30, 40, 3)
    plain = renderer.picture(camera)
    assert np.abs(fine.rgb.astype(int) - plain.rgb.astype(int)).mean() < 12


@pytest.mark.parametrize(
    "change",
    [
        {"fov": 0.0},
        {"fov": 180.0},
        {"width": 0},
        {"width": 100_000, "height": 100_000},
        {"yaw": math.nan},
        {"position": (0.0, math.inf, 0.0)},
    ],
)
def test_cameras_out_of_range(change: dict[str, float]) -> None:
    with pytest.raises(HomebodyError):
        Renderer.of(small_house()).picture(replace(Camera((1.0, 1.0, 1.0)), **change))  # type: ignore[arg-type]


def test_light_of_a_lamp() -> None:
    lamp = Furniture(
        "ceiling_lamp_0",
        "ceiling_lamp",
        "den_0",
        Pose((3.0, 2.0, 2.3)),
        (0.45, 0.45, 0.3),
        (),
        {"shade": WHITE},
        {"powered_on": True},
    )
    table = Furniture("table_0", "table", "den_0", Pose((3.0, 2.0, 0.0)), (1.4, 0.9, 0.75))
    house = replace(small_house(), furniture=(lamp, table), openings=())
    camera = Camera((3.0, 0.2, 0.5), pitch=-12.0, width=96, height=64)

    def floor(picture_of: House, near: bool) -> float:
        renderer = Renderer.of(picture_of)
        picture = renderer.picture(camera)
        rows = np.arange(64)[:, None]
        depth = picture.depth
        own = picture.ids == renderer.scene.number["floor_den_0"]
        middle = np.abs(np.arange(96) - 48)[None] < 8
        place = (depth > 1.5) & (depth < 2.0) if near else (depth > 0.7) & (depth < 1.1)
        found: float = picture.rgb[own & middle & place & (rows >= 0)].mean()
        return found

    assert floor(house, True) < 0.75 * floor(house, False)  # the table's shadow
    bare = replace(house, furniture=(lamp,))
    assert floor(bare, True) > floor(house, True) + 20


# -- following a state ----------------------------------------------------------------------------


def pictures_agree(state: HouseState, scene: RayScene) -> None:
    fresh = Renderer.of(state.house, state)
    old = Renderer(scene)
    for yaw in (0.0, 120.0, 240.0):
        camera = Camera((3.0, 1.6, 1.4), yaw, -15.0, 80, 60, 90.0)
        one, other = fresh.picture(camera), old.picture(camera)
        names = np.array(one.names)[one.ids]
        again = np.array(other.names)[other.ids]
        assert (names == again).mean() > 0.999
        np.testing.assert_allclose(one.depth, other.depth, rtol=1e-3, atol=1e-3)
        assert (np.abs(one.rgb.astype(int) - other.rgb.astype(int)) > 2).mean() < 0.005


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


# -- meshes ---------------------------------------------------------------------------------------


def well_made(mesh: Mesh, size: Vector, slack: float, fill: float = 0.6) -> None:
    assert len(mesh)
    assert np.isfinite(mesh.corners).all()
    lengths = np.linalg.norm(mesh.normals, axis=-1)
    np.testing.assert_allclose(lengths, 1.0, atol=2e-3)
    assert (mesh.colours >= 0).all()
    assert (mesh.colours <= 1).all()
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    w, d, h = size
    assert (low >= np.array([-w / 2, -d / 2, 0]) - slack).all()
    above = np.array([0, 0, 0.3])  # taps and tills stand on what they belong to
    assert (high <= np.array([w / 2, d / 2, h]) + slack + above).all()
    # It fills its box roughly: what is drawn is where others think it is.
    assert (high - low >= np.array(size) * fill - 0.02).all()


@pytest.mark.parametrize("category", sorted(catalogue().furniture))
def test_furniture_fills_its_box(category: str) -> None:
    kind = catalogue().furniture[category]
    assert kind.shape in RECIPES
    width, depth, height = (low for low, _ in kind.size)
    size = (width, depth, height)
    style = {part: colours[0] for part, colours in kind.style.items()}
    shut = dict.fromkeys(("open", "powered_on", "filled"), False)
    for number in range(3):
        piece = Furniture(f"{category}_{number}", category, "", Pose((0, 0, 0)), size, (), style)
        well_made(furniture_mesh(piece, shut), size, 0.16)
        assert len(furniture_mesh(piece, {"open": True, "powered_on": True, "clean": False}))


@pytest.mark.parametrize("category", sorted(catalogue().things))
def test_things_fill_their_boxes(category: str) -> None:
    kind = catalogue().things[category]
    assert kind.shape in RECIPES
    style = {part: colours[0] for part, colours in kind.style.items()}
    for number in range(2):
        thing = Thing(f"{category}_{number}", category, kind.size, Pose((0, 0, 0)), ("", ""), style)
        well_made(thing_mesh(thing, {"open": True}), kind.size, 0.16)
        states = {"open": False, "filled": True, "powered_on": True, "clean": False}
        assert len(thing_mesh(thing, states))


@pytest.mark.parametrize("posture", ["standing", "pointing", "sitting", "lying"])
def test_people_fill_their_boxes(posture: str) -> None:
    sizes = {"sitting": (0.5, 0.8, 1.3), "lying": (0.55, 1.65, 0.3)}
    size = sizes.get(posture, (0.5, 0.5, 1.72))
    someone = Person("person_0", posture, "den_0", Pose((0, 0, 0)), size, {"top": (0.8, 0.1, 0.1)})
    well_made(person_mesh(someone), size, 0.45, 0.5)


def test_what_has_no_recipe_is_drawn_all_the_same() -> None:
    thing = Thing("orb_0", "orb", (0.2, 0.2, 0.2), Pose((0, 0, 0)), ("", ""))
    well_made(thing_mesh(thing, {}), (0.2, 0.2, 0.2), 0.01)


def test_floors_of_the_catalogue_have_patterns() -> None:
    assert {one.pattern for one in catalogue().floors.values()} <= set(FLOORS)


def test_an_outline_is_cut_into_rectangles() -> None:
    outline = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 5), (0, 5))
    strips = rectangles(outline)
    assert sum((c - a) * (d - b) for a, b, c, d in strips) == 4 * 2 + 2 * 3


# -- maps and viewpoints --------------------------------------------------------------------------


def test_a_map_shows_the_room_and_its_walls() -> None:
    renderer = Renderer.of(small_house(BALL))
    image = plan_picture(renderer, 20.0, labels=False)
    assert image.shape == (round(5.0 * 20), round(7.0 * 20), 3)
    assert (image[2, 2] == (250, 250, 248)).all()
    assert image[50, 50].max() > 100  # the floor
    assert (image[9, 70] == (58, 60, 66)).all()  # the north wall
    marked = plan_picture(renderer, 20.0, marked=[(3.0, 1.0, "here")])
    assert (marked != image).any()
    with pytest.raises(HomebodyError):
        plan_picture(renderer, 0.0)


def test_a_good_view_shows_the_room() -> None:
    house = generate(5, rooms=3)
    renderer = Renderer.of(house)
    for room in house.rooms:
        camera = replace(good_view(renderer, room.name), width=40, height=30)
        picture = renderer.picture(camera)
        own = {renderer.scene.number[p.name] for p in house.furniture if p.room == room.name}
        assert len(own & set(picture.ids.ravel().tolist())) >= 1
        assert np.median(picture.depth) > 0.6
