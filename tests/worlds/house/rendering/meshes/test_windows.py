"""Curtains leave room to what stands beside windows; walls are covered as their room says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.rooms import opening_mesh, walls_mesh


@pytest.fixture(scope="module")
def houses() -> list[House]:
    return [generate(seed, "home", rooms=6) for seed in range(1, 5)]


def test_curtains_hang_and_nothing_stands_in_them(houses: list[House]) -> None:
    hung = 0
    for house in houses:
        windows = [opening for opening in house.openings if opening.kind == "window"]
        for window in windows:
            mesh = opening_mesh(house, window)
            cloth = mesh.corners[mesh.surfaces == Surface.FABRIC]
            room = window.rooms[0]
            boxes = [house.boxes[piece.name] for piece in house.furniture if piece.room == room]
            hung += bool(len(cloth))
            for box in boxes:
                low, high = np.array(box.low) + 0.01, np.array(box.high) - 0.01
                inside = ((cloth > low) & (cloth < high)).all(axis=2)
                assert not inside.any(), f"{window.name} of {house.seed}"
    assert hung >= 6


def test_a_window_looks_the_same_whenever_it_is_drawn(houses: list[House]) -> None:
    house = houses[0]
    window = next(opening for opening in house.openings if opening.kind == "window")
    again = generate(house.seed, "home", rooms=6)
    assert np.array_equal(opening_mesh(house, window).corners, opening_mesh(again, window).corners)


@pytest.mark.parametrize(
    ("covering", "surface"),
    [
        ("paint", Surface.WALL),
        ("stripes", Surface.STRIPES),
        ("dots", Surface.WALLPAPER),
        ("brick", Surface.BRICK),
        ("tiles", Surface.WALL_TILES),
        ("unheard_of", Surface.WALL),
    ],
)
def test_walls_are_covered_as_their_room_says(
    houses: list[House], covering: str, surface: Surface
) -> None:
    house = houses[0]
    room = replace(house.rooms[1], kind="bedroom", covering=covering)
    assert (walls_mesh(house, room).surfaces == surface).any()


def test_panels_cover_the_lower_part_of_walls(houses: list[House]) -> None:
    house = houses[0]
    plain = replace(house.rooms[1], kind="bedroom", covering="paint")
    panelled = replace(plain, covering="panels")
    assert len(walls_mesh(house, panelled)) > len(walls_mesh(house, plain))
