"""Surfaces keep room to work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.work_room import find_cluttered, free_area
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Pose, Thing


@pytest.mark.parametrize(
    ("taken", "area"),
    [
        ([], 2.0),
        ([(0.0, 0.0, 2.0, 1.0)], 0.0),
        ([(0.0, 0.0, 0.5, 1.0)], 1.5),
        ([(0.9, 0.4, 1.1, 0.6)], 0.9),
        ([(-1.0, 0.2, 3.0, 0.3)], 1.4),
    ],
)
def test_the_largest_free_rectangle(taken: list[tuple[float, float, float, float]], area: float):
    assert free_area((0.0, 0.0, 2.0, 1.0), taken) == pytest.approx(area)


def test_counters_desks_and_tables_have_room_even_when_cluttered():
    entries = catalogue()
    for category in ("counter", "kitchen_island", "desk", "table", "workbench"):
        assert entries.furniture[category].work("top") >= 0.1
    for seed in range(6):
        house = generate(seed, "home", 6, density=2.0, people=0)
        assert list(find_cluttered(house, entries)) == []


def test_a_surface_without_room_is_told():
    house = generate(2, "home", ["kitchen"], things=0, people=0)
    counter = next(piece for piece in house.furniture if piece.category == "counter")
    top = next(each for each in counter.receptacles if each.name == "top")
    tray = Thing("tray_0", "tray", (0.06, 0.06, 0.02), counter.pose, (counter.name, "top"))
    width, depth = (top.high[i] - top.low[i] for i in (0, 1))
    x, y, z = counter.pose.position
    pose = Pose((x, y, z + top.low[2]), counter.pose.yaw)
    full = replace(tray, size=(width, depth, 0.02), pose=pose)
    assert list(find_cluttered(replace(house, things=(tray,)), catalogue())) == []
    assert list(find_cluttered(replace(house, things=(full,)), catalogue())) == [
        f"{counter.name} has no room to work on its top"
    ]
