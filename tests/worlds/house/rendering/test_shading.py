"""Light in pictures, by how it behaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Opening, Pose, Room
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.arrays import Floats, Ints, Mask
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import (
    Camera,
    Renderer,
    camera_matrix,
    directions,
    tone_map,
)
from homebody.worlds.house.rendering.viewpoints import good_view
from worlds.house.rendering.small_house import BALL, WHITE, small_house

BLACK = (0.1, 0.1, 0.1)
DOWN = np.array([0.0, 0.0, -1.0], np.float32)


def lamp(name: str, room: str, x: float, on: bool) -> Furniture:
    """A ceiling lamp."""
    pose, states = Pose((x, 2.0, 2.3)), {"powered_on": on}
    return Furniture(name, "ceiling_lamp", room, pose, (0.45, 0.45, 0.3), (), {}, states)


def two_rooms(left: bool, right: bool, opening: str = "") -> House:
    """Two dark rooms with a lamp in each, and what is between them."""
    rooms = (
        Room("den_0", "office", ((0, 0), (4, 0), (4, 4), (0, 4)), 2.6, "oak_planks", WHITE),
        Room("den_1", "office", ((4.12, 0), (8, 0), (8, 4), (4.12, 4)), 2.6, "oak_planks", WHITE),
    )
    ways = ()
    if opening:
        ends = (4.06, 1.5), (4.06, 2.5)
        ways = (Opening("way_0", opening, ("den_0", "den_1"), *ends, 0.0, 2.0),)
    lamps = lamp("lamp_0", "den_0", 2.0, left), lamp("lamp_1", "den_1", 6.0, right)
    return House(0, "home", rooms, ways, lamps, ())


def floor_light(renderer: Renderer, *places: tuple[float, float]) -> Floats:
    """Mean light that comes up from the floor at some places."""
    starts = np.array([(x, y, 0.3) for x, y in places], np.float32)
    return renderer.light(starts, np.tile(DOWN, (len(starts), 1))).mean(axis=0)


def test_a_lamp_lights_its_room_and_not_the_one_behind_a_wall() -> None:
    spots = (1.0, 1.0), (7.0, 1.0)
    dark = floor_light(Renderer.of(two_rooms(False, True)), *spots)
    lit = floor_light(Renderer.of(two_rooms(True, True)), *spots)
    assert lit[0] > 5 * dark[0]
    assert lit[1] == pytest.approx(dark[1], rel=1e-3)


def test_light_goes_through_an_open_doorway() -> None:
    spots = ((5.0, 2.0),)
    alone = floor_light(Renderer.of(two_rooms(False, False, "doorway")), *spots)
    beside = floor_light(Renderer.of(two_rooms(True, False, "doorway")), *spots)
    shut = floor_light(Renderer.of(two_rooms(True, False)), *spots)
    assert beside[0] > 1.5 * alone[0]
    assert shut[0] == pytest.approx(alone[0], rel=0.1)


@pytest.mark.slow
def test_night_is_darker_than_evening_and_that_than_day() -> None:
    places = [(x, y) for x in (1.0, 3.0, 5.0) for y in (1.0, 2.0)]
    times = ("night", "evening", "day")
    night, evening, day = (
        floor_light(Renderer.of(small_house(), time=time), *places).mean() for time in times
    )
    assert night < 0.6 * evening
    assert evening < 0.8 * day
    camera = Camera((5.0, 3.0, 1.5), yaw=120.0, pitch=-10.0, width=32, height=24)
    seen = [Renderer.of(small_house(), time=time).picture(camera).rgb.mean() for time in times]
    assert 8 < seen[0] < seen[1] < seen[2]  # eyes adapt, but not wholly
    with pytest.raises(HomebodyError, match="noon"):
        Renderer.of(small_house(), time="noon")


def test_corners_are_darker_than_the_middle_of_a_wall() -> None:
    renderer = Renderer.of(replace(two_rooms(True, True), furniture=(lamp("l", "den_0", 2, True),)))
    up = np.linspace(0.6, 2.0, 8, dtype=np.float32)
    west = np.array([-1.0, 0.0, 0.0], np.float32)

    def wall(y: float) -> float:
        starts = np.array([(0.5, y, z) for z in up], np.float32)
        return float(renderer.light(starts, np.tile(west, (len(starts), 1))).mean())

    assert wall(0.04) < 0.9 * wall(2.0)


def test_a_red_wall_makes_the_floor_beside_it_reddish() -> None:
    house = two_rooms(True, True)
    red = (replace(house.rooms[0], walls=(0.9, 0.1, 0.1)), house.rooms[1])
    spot = np.array([(0.3, 2.0, 0.3)], np.float32)

    def share_of_red(of: House) -> float:
        light = Renderer.of(of).light(spot, DOWN[None])
        return float(light[0, 0] / light[2, 0])

    assert share_of_red(replace(house, rooms=red)) > 1.15 * share_of_red(house)


def test_a_thing_on_the_floor_darkens_it_and_leaves_nothing_behind() -> None:
    house = replace(small_house(BALL), openings=(), furniture=(lamp("l", "den_0", 1.0, True),))
    state = HouseState.start(house)
    renderer = Renderer.of(house, state)
    beside = [(4.0, 1.82), (4.17, 2.0)]
    near = floor_light(renderer, *beside)
    state.move("ball_0", ("floor_den_0", ""), Pose((5.0, 3.0, 0.0)))
    renderer.update(state)
    left = floor_light(renderer, *beside)
    assert (near < 0.97 * left).all()
    bare = replace(house, things=())
    np.testing.assert_allclose(left, floor_light(Renderer.of(bare), *beside), rtol=1e-5)


@pytest.mark.slow
def test_a_mirror_shows_what_is_behind_and_who_looks() -> None:
    mirror = Furniture(
        "mirror_0", "mirror", "den_0", Pose((3.0, 3.97, 0.6), 180.0), (1.6, 0.04, 1.6), (), {}, {}
    )
    blue = Furniture("b", "cabinet", "den_0", Pose((3.0, 0.3, 0.0)), (2.8, 0.4, 2.2), (), {}, {})
    painted = replace(blue, style={"body": (0.05, 0.1, 0.9), "fronts": (0.05, 0.1, 0.9)})
    house = replace(small_house(), furniture=(mirror, painted, lamp("l", "den_0", 3.0, True)))
    camera = Camera((3.0, 2.6, 1.4), width=48, height=48, fov=40.0)

    def seen(*names: str) -> Floats:
        pose = Pose((3.0, 2.6, 0.0), 0.0)
        state = HouseState.start(house, {name: Body(pose) for name in names})
        picture = Renderer.of(house, state).picture(camera, hide=names)
        assert (picture.ids == RayScene(house, state).number["mirror_0"]).any()
        return picture.rgb[20:28, 20:28].astype(np.float32)

    empty = seen()
    assert empty[..., 2].mean() > 1.5 * empty[..., 0].mean()
    assert np.abs(seen("robot") - empty).mean() > 10


def test_a_mirror_is_as_bright_as_what_it_shows() -> None:
    mirror = Furniture(
        "mirror_0", "mirror", "den_0", Pose((3.0, 3.97, 0.6), 180.0), (1.6, 0.04, 1.6), (), {}, {}
    )
    house = replace(small_house(), furniture=(mirror, lamp("l", "den_0", 3.0, True)))
    starts = np.array([(3.0, 2.0, 1.5), (3.0, 3.9, 1.5)], np.float32)
    ways = np.array([(0.3, 1.0, 0.0), (0.3, -1.0, 0.0)], np.float32)
    starts[1] = starts[0] + ways[0] * 1.9
    shown, real = Renderer.of(house).light(starts, ways).mean(axis=0)
    assert 0.85 * real < shown < real


def test_steel_is_no_mirror() -> None:
    style = {"body": catalogue().colours["steel"], "handles": BLACK}
    pose, size = Pose((3.0, 3.6, 0.0), 180.0), (0.8, 0.7, 1.8)
    fridge = Furniture("f", "fridge", "den_0", pose, size, (), style, material="metal")
    blue = Furniture("b", "cabinet", "den_0", Pose((3.0, 2.2, 0.0)), (0.8, 0.4, 1.0), (), {}, {})
    painted = replace(blue, style={"body": (0.05, 0.1, 0.9), "fronts": (0.05, 0.1, 0.9)})
    camera = Camera((3.0, 1.2, 1.6), pitch=-5.0, width=48, height=48, fov=40.0)
    seen = []
    for pieces in ((fridge,), (fridge, painted)):
        house = replace(small_house(), furniture=(*pieces, lamp("l", "den_0", 3.0, True)))
        renderer = Renderer.of(house)
        picture = renderer.picture(camera)
        front = picture.ids == renderer.scene.number["f"]
        seen.append(picture.rgb[front & np.roll(front, 16, axis=0)].astype(float))
    assert len(seen[1]) > 100
    bluish = [part[:, 2].mean() - part[:, 0].mean() for part in seen]
    assert abs(bluish[1] - bluish[0]) < 8


def test_boards_are_seen_in_a_patch_of_sun() -> None:
    renderer = Renderer.of(replace(small_house(), furniture=()))
    down = Camera((1.0, 1.2, 2.0), pitch=-90.0, width=160, height=160, fov=60.0)
    shown = renderer.picture(down).rgb.min(axis=2).astype(float)
    sunny = shown > 1.5 * np.median(shown)
    assert sunny.mean() > 0.05
    assert shown[sunny].std() > 8
    assert (shown > 248).mean() < 0.01


def test_residual_light_casts_no_shadow() -> None:
    house = replace(two_rooms(False, False), furniture=(lamp("l", "den_0", 1.0, False),))
    starts = np.array([(0.4, y, 2.0) for y in np.arange(0.6, 3.4, 0.02)], np.float32)
    up = np.tile(-DOWN, (len(starts), 1))
    light = Renderer.of(house).light(starts, up).mean(axis=0)
    assert light.min() > 0
    assert (np.abs(np.diff(light)) < 0.02 * light[:-1]).all()


@pytest.mark.parametrize("height", [0.5, 1.2, 2.0])
def test_light_through_a_doorway_leaves_no_blotches(height: float) -> None:
    renderer = Renderer.of(two_rooms(False, True, "doorway"))
    starts = np.array([(x, 3.5, height) for x in np.arange(0.4, 3.6, 0.1)], np.float32)
    north = np.tile(np.array([0.0, 1.0, 0.0], np.float32), (len(starts), 1))
    light = renderer.light(starts, north).mean(axis=0)
    assert np.abs(np.diff(light, 2)).sum() < 0.4 * light.mean()


@pytest.mark.slow
def test_a_jamb_between_a_bright_and_a_dark_room_has_a_straight_edge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("homebody.worlds.house.rendering.render.smooth_edges", lambda *_: None)
    renderer = Renderer.of(generate(30, "home"))
    at = (4.77, 8.82, 1.5)
    camera = Camera(at, yaw=188.0, pitch=-17.0, width=64, height=192, fov=16.0)
    assert (_differing(renderer, camera) > 12).mean() < 0.03


@pytest.mark.slow
def test_light_between_pixels_is_as_if_it_were_worked_out_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("homebody.worlds.house.rendering.render.smooth_edges", lambda *_: None)
    renderer = Renderer.of(generate(2, rooms=2))
    room = renderer.scene.house.rooms[0].name
    camera = replace(good_view(renderer, room), width=192, height=144)
    apart = _differing(renderer, camera)
    # Half of what is left is at edges of shadows, half what floors and metal mirror, blurred.
    assert np.mean(apart > 12) < 0.03
    assert apart.mean() < 2


def _differing(renderer: Renderer, camera: Camera) -> Ints:
    """Return the differences of pixels from light that is computed for each one."""
    ways = directions(camera.width, camera.height, camera.fov) @ camera_matrix(
        camera.yaw, camera.pitch
    )
    starts = np.tile(np.array(camera.position, np.float32), (len(ways), 1))
    shown = renderer.picture(camera).rgb.astype(int)  # first: patterns are as fine as its pixels
    light = renderer.light(starts, ways) * np.float32(renderer.exposure(camera))
    return np.abs(shown - tone_map(light).reshape(shown.shape)).max(axis=2)


@pytest.mark.slow
def test_no_pixel_explodes() -> None:
    house = generate(3, rooms=2)
    for time in ("day", "night"):
        renderer = Renderer.of(house, time=time)
        for room in house.rooms:
            camera = replace(good_view(renderer, room.name), width=48, height=48)
            x, y, z = camera.position
            ways = np.random.default_rng(1).normal(size=(3000, 3)).astype(np.float32)
            light = renderer.light(np.tile(np.array([x, y, z], np.float32), (3000, 1)), ways)
            assert np.isfinite(light).all()
            assert light.min() >= 0
            assert light.max() < 12


@pytest.mark.slow
def test_the_same_state_gives_the_same_picture_whatever_was_shown_before() -> None:
    house = two_rooms(True, False, "doorway")
    camera = Camera((1.0, 1.0, 1.5), yaw=-60.0, width=64, height=48)
    state = HouseState.start(house)
    renderer = Renderer.of(house, state)
    renderer.picture(replace(camera, position=(7.0, 3.0, 1.5), yaw=90.0))
    before = renderer.picture(camera).rgb
    state.set("lamp_1", "powered_on", True)
    renderer.update(state)
    renderer.picture(camera)
    state.set("lamp_1", "powered_on", False)
    renderer.update(state)
    assert (renderer.picture(camera).rgb == before).all()
    assert (Renderer.of(house).picture(camera).rgb == before).all()


def test_the_outer_side_of_a_dark_rooms_wall_is_as_bright_as_the_sky_makes_it() -> None:
    renderer = Renderer.of(small_house())
    light = {}
    for time in ("day", "night"):
        renderer = Renderer.of(small_house(), time=time)
        outside = Camera((5.0, -3.0, 1.0), yaw=0.0, width=16, height=16, fov=20.0, exposure=1.0)
        light[time] = renderer.picture(outside).rgb.mean()
    assert light["day"] > 120 > 60 > light["night"]


def test_all_shadows_of_a_picture_use_the_same_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the scene makes its tree anew, and casts what is in the way of a ray twice."""
    house = small_house()
    shining = lamp("lamp_0", house.rooms[0].name, 3.0, True)
    renderer = Renderer.of(replace(house, furniture=(*house.furniture, shining)))
    asked: list[bytes] = []
    blocked = RayScene.find_blocked

    def spy(scene: RayScene, starts: Floats, ways: Floats, opaque: Mask) -> Mask:
        asked.append(opaque.tobytes())
        return blocked(scene, starts, ways, opaque)

    monkeypatch.setattr(RayScene, "find_blocked", spy)
    renderer.picture(Camera((5.0, -3.0, 1.0), yaw=0.0, width=16, height=16))  # its outer side
    renderer.picture(Camera((1.0, 1.0, 1.5), yaw=-60.0, width=16, height=16))
    assert len(asked) > 1
    assert len(set(asked)) == 1
