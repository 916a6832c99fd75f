"""A tour goes through every room, along ways that an agent has, without jumps."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.outlines import gap, parts_of
from homebody.worlds.house.rendering.render import (
    EYE,
    Camera,
    Renderer,
    camera_matrix,
    directions,
)
from homebody.worlds.house.rendering.tour import SPEED, TURNING, adapt_exposures, open_doors, tour
from homebody.worlds.house.simulation.walking.navigation import navigation

LENS = Camera((0.0, 0.0, 0.0), pitch=-10.0, width=32, height=24)
RATE = 10


@pytest.mark.parametrize(("seed", "kind"), [(1, "home"), (2, "office"), (3, "restaurant")])
def test_a_tour_reaches_every_room_and_never_jumps(seed: int, kind: str) -> None:
    house = generate(seed, kind)
    cameras = tour(Renderer.of(house, open_doors(house)), RATE, LENS)
    spots = {camera.position[:2] for camera in cameras}
    for room in house.rooms:
        assert any(gap((*spot, *spot), part) <= 0 for spot in spots for part in parts_of(room))
    thin = navigation(house, 0.05)
    for before, after in pairwise(cameras):
        assert math.dist(before.position, after.position) <= SPEED / RATE + 1e-3
        assert abs(after.yaw - before.yaw) <= 3 * TURNING / RATE
    for camera in cameras:
        assert thin.is_free(camera.position[:2])
        assert camera.position[2] == EYE
        assert (camera.width, camera.height, camera.pitch) == (32, 24, -10.0)


def test_eyes_get_used_to_rooms_slowly() -> None:
    house = generate(1, "home", 2)
    renderer = Renderer.of(house, open_doors(house))
    cameras = adapt_exposures(renderer, tour(renderer, RATE, LENS), RATE)
    exposures = [renderer.exposure(camera) for camera in cameras]
    sudden = renderer.exposures(np.array([camera.position for camera in cameras], np.float32))
    wide = math.log(max(sudden) / min(sudden))
    assert wide > 0
    for before, after in pairwise(exposures):
        assert abs(math.log(after / before)) < wide / 4


def test_its_doors_stand_open() -> None:
    house = generate(1, "home")
    state = open_doors(house)
    assert all(state.is_in_state(door, "open") for door in house.door)


@pytest.mark.slow
def test_a_tour_seldom_looks_at_walls() -> None:
    house = generate(1, "home")
    renderer = Renderer.of(house, open_doors(house))
    cameras = tour(renderer, 4, LENS)
    ways = np.stack([directions(24, 18, LENS.fov) @ camera_matrix(c.yaw, c.pitch) for c in cameras])
    starts = np.array([camera.position for camera in cameras], np.float32)
    origins = np.repeat(starts, ways.shape[1], axis=0)
    hits = renderer.scene.cast(origins, ways.reshape(-1, 3))
    close = np.median(hits.distance.reshape(len(cameras), -1), axis=1) < 1.0
    assert close.mean() < 0.05
