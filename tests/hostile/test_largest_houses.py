"""The largest houses that files accept are drawn and exported within bounded memory and time."""

from __future__ import annotations

import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor

import pytest

from homebody.worlds.house.exchange.mjcf import to_mjcf
from homebody.worlds.house.io import files
from homebody.worlds.house.io.schema_check import MAX_ACROSS
from homebody.worlds.house.model.house import House, Opening, Room
from homebody.worlds.house.rendering.gltf import to_glb
from homebody.worlds.house.rendering.render import Camera, Renderer

MEMORY = 4 << 30
"""Bytes of addresses, those of libraries included, that may be taken."""
SECONDS = 20.0


def grid(side: int, height: float, windows: int) -> House:
    """``side`` x ``side`` rooms that take all the width there is; each of the southern ones has so
    many windows."""
    wide = MAX_ACROSS / side
    wall = 0.06 if side > 1 else 0.0
    rooms, openings = [], []
    for i in range(side):
        for j in range(side):
            x0, y0 = round(i * wide + wall, 2), round(j * wide + wall, 2)
            x1, y1 = round((i + 1) * wide - wall, 2), round((j + 1) * wide - wall, 2)
            name = f"living_room_{i * side + j}"
            outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
            rooms.append(Room(name, "living_room", outline, height, "planks", (0.8, 0.8, 0.8)))
            if i:
                x, y = round(i * wide, 2), round(j * wide + 2, 2)
                both = (f"living_room_{(i - 1) * side + j}", name)
                way = (x, y), (x, y + 1)
                openings.append(Opening(f"way_{i}_{j}", "doorway", both, *way, 0.0, 2.1))
            for k in range(windows if j == 0 else 0):
                left, right = (round(x0 + (x1 - x0) * (k + at) / windows, 3) for at in (0.1, 0.9))
                pane = (left, 0.0), (right, 0.0)
                openings.append(Opening(f"pane_{i}_{k}", "window", (name,), *pane, 0.9, 2.1))
    return House(0, "home", tuple(rooms), tuple(openings))


def _drawn(data: bytes) -> float:
    """CPU seconds of drawing and exporting a house from its file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    start = time.process_time()
    house = files.decode(data)
    picture = Renderer.of(house).picture(Camera((3.0, 3.0, 1.5), width=16, height=16))
    assert picture.ids.max() > 0
    assert to_glb(house)
    assert to_mjcf(house)
    return time.process_time() - start


@pytest.mark.parametrize(
    ("side", "height", "windows"),
    [
        pytest.param(14, 3.0, 1, id="196 rooms", marks=pytest.mark.slow),
        pytest.param(1, 3.0, 60, id="60 windows", marks=pytest.mark.slow),
        pytest.param(1, 100.0, 2, id="100 m high"),
    ],
)
def test_the_largest_houses_are_drawn_and_exported(side: int, height: float, windows: int) -> None:
    data = files.encode(grid(side, height, windows))
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawned) as pool:
        assert pool.submit(_drawn, data).result() < SECONDS
