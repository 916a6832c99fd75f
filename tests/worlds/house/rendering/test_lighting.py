"""Times of day."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homebody.worlds.house.model.house import Room
from homebody.worlds.house.rendering.lighting import TIMES, RoomGrid
from homebody.worlds.house.rendering.outside import sky
from homebody.worlds.house.rendering.render import tone_map
from homebody.worlds.house.rendering.shading import exposure_for
from worlds.house.rendering.small_house import WHITE, small_house


def test_eyes_adapt_no_further_than_to_a_dark_night() -> None:
    day, night = (exposure_for(1e-4, TIMES[time].darkest) for time in ("day", "night"))
    assert night < day / 5
    assert exposure_for(0.5, TIMES["night"].darkest) == exposure_for(0.5, TIMES["day"].darkest)


def test_the_evening_sky_has_a_colour_for_eyes_in_a_dark_room() -> None:
    turn, up = np.meshgrid(np.linspace(0, 6.28, 60), np.linspace(0, 1.5, 20))
    ways = np.stack([np.cos(up) * np.cos(turn), np.cos(up) * np.sin(turn), np.sin(up)])
    light = sky(ways.reshape(3, -1).astype(np.float32), "evening")
    seen = tone_map(light * np.float32(exposure_for(0.0, TIMES["evening"].darkest)))
    assert (seen.min(axis=1) > 235).mean() < 0.05


def test_an_unlit_room_is_darker_in_the_evening_than_by_day() -> None:
    day, evening = (exposure_for(0.01, TIMES[time].darkest) for time in ("day", "evening"))
    assert evening < 0.6 * day


def test_screens_are_dimmed_in_the_dark() -> None:
    day, evening, night = (TIMES[time].screens for time in ("day", "evening", "night"))
    assert night < evening < day


def test_a_face_within_a_wall_is_lit_by_the_room_to_which_it_looks() -> None:
    ends = ((0.0, 4.0), (4.12, 8.0))
    rooms = tuple(
        Room(f"den_{i}", "office", ((a, 0), (b, 0), (b, 4), (a, 4)), 2.6, "oak_planks", WHITE)
        for i, (a, b) in enumerate(ends)
    )
    grid = RoomGrid.of(replace(small_house(), rooms=rooms, openings=(), furniture=(), things=()))
    across = np.linspace(4.01, 4.11, 11, dtype=np.float32)
    spots = np.stack([across, np.full(11, 2.0), np.full(11, 1.0)]).astype(np.float32)
    east = np.tile(np.array([[1], [0], [0]], np.float32), 11)
    assert (grid.room(spots, east) == 1).all()
    assert (grid.room(spots, -east) == 0).all()
    south = np.tile(np.array([[0], [-1], [0]], np.float32), 11)
    aslant = np.array([[0.5], [1.0], [0.1]], np.float32)
    for number, sign in ((0, 1), (1, -1)):
        ways = np.tile(aslant * np.array([[sign], [1], [1]], np.float32), 11)
        found, _ = grid.find_rooms(spots, south, lambda some, ways=ways: ways.take(some, axis=1))
        assert (found[4:7] == number).all()


def test_outer_sides_of_walls_look_outdoors_and_jambs_of_windows_do_not() -> None:
    house = small_house()  # a room of 6 x 4 m, and a window in the south
    grid = RoomGrid.of(house)
    south = np.array([[0.0], [-1.0], [0.0]], np.float32)
    wall = np.array([[4.0], [-house.wall], [1.0]], np.float32)
    assert grid.find_rooms(wall, south)[1].tolist() == [0]
    inner = np.array([[4.0], [0.0], [1.0]], np.float32)
    assert not grid.find_rooms(inner, -south)[1].size
    jamb = np.array([[1.0], [-house.wall / 2], [1.5]], np.float32)
    east = np.array([[1.0], [0.0], [0.0]], np.float32)
    assert not grid.find_rooms(jamb, east)[1].size
