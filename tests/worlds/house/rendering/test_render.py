"""Pictures: geometry against what is known, and light."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Pose,
)
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.rendering.viewpoints import good_view
from worlds.house.rendering.small_house import BALL, WHITE, small_house


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


@pytest.mark.slow
def test_the_same_picture_again_is_the_same() -> None:
    house = generate(3, rooms=2, things=30)
    camera = good_view(Renderer.of(house), house.rooms[0].name)
    camera = replace(camera, width=61, height=47)  # odd sizes too
    first, second = Renderer.of(house).picture(camera), Renderer.of(house).picture(camera)
    assert first.rgb.tobytes() == second.rgb.tobytes()
    assert first.rgb.shape == (47, 61, 3)
    assert first.depth.shape == first.ids.shape == (47, 61)


def test_it_tells_how_far_it_is() -> None:
    calls: list[tuple[str, int, int]] = []
    camera = Camera((3.0, 1.0, 1.5), width=448, height=448)
    Renderer.of(small_house()).picture(camera, progress=lambda *call: calls.append(call))
    assert calls[0] == ("light", 0, 0)
    whats, done, total = zip(*calls[1:], strict=True)
    assert set(whats) == {"drawing"}
    assert list(done) == sorted(set(done))
    assert set(total) == {448 * 448}


def test_edges_are_as_smooth_as_with_many_rays_for_each_pixel() -> None:
    renderer = Renderer.of(small_house(BALL))
    camera = Camera((3.6, 0.4, 1.4), yaw=12.0, pitch=-22.0, width=160, height=120)
    many = renderer.picture(camera, samples=4).rgb.astype(int)
    picture = renderer.picture(camera)
    edges = np.zeros(picture.ids.shape, bool)
    for axis in (0, 1):
        edges |= picture.ids != np.roll(picture.ids, 1, axis)
    apart = np.abs(picture.rgb - many).max(axis=2)
    assert edges.mean() > 0.01
    assert apart[edges].mean() < 5  # with one ray 7
    assert np.mean(apart > 30) < 2e-4  # edges of shadows, too; with one ray ten times as many


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


@pytest.mark.slow
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
        brightness: float = picture.rgb[own & middle & place & (rows >= 0)].mean()
        return brightness

    assert floor(house, True) < 0.92 * floor(house, False)  # the table's shadow
    bare = replace(house, furniture=(lamp,))
    assert floor(bare, True) > floor(house, True) + 20
