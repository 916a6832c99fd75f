"""What is outdoors is one place, seen rightly from every window, at every hour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.facade import sides
from homebody.worlds.house.rendering.meshes.rooms import rectangles
from homebody.worlds.house.rendering.outside import HOURS, Outside, sky
from homebody.worlds.house.rendering.rays import Tree


@pytest.fixture(scope="module")
def house() -> House:
    return generate(1, "home", rooms=4)


def around(house: House) -> tuple[Floats, Floats]:
    """Rays in all directions from above the middle of a house."""
    xs = [x for room in house.rooms for x, _ in room.outline]
    ys = [y for room in house.rooms for _, y in room.outline]
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    up = np.tile(np.linspace(-0.3, 0.2, 9), 80)
    ways = np.stack([np.cos(angles), np.sin(angles), up], axis=1).astype(np.float32)
    middle = (sum(xs) / len(xs), sum(ys) / len(ys), 5.0)
    return np.tile(np.array(middle, np.float32), (len(ways), 1)), ways


def test_two_windows_show_the_same_street(house: House) -> None:
    outside = Outside(house)
    origins, ways = around(house)
    hits = Tree(outside.mesh.corners).cast(origins, ways)
    far = (hits.triangle >= 0) & (hits.distance > 8)
    spots = origins[far] + ways[far] * hits.distance[far, None]
    one = outside.light(origins[far], spots - origins[far], pixel=1e-6)
    # From a step aside, towards the same spots: most are in sight from there too.
    aside = origins[far] + np.array([0.4, 0.3, 0.0], np.float32)
    two = outside.light(aside, spots - aside, pixel=1e-6)
    alike = np.abs(one - two).max(axis=0) < 0.03
    assert alike.mean() > 0.85


def test_it_hangs_on_the_seed_alone(house: House) -> None:
    origins, ways = around(house)
    light = Outside(house).light(origins, ways)
    assert np.array_equal(light, Outside(house).light(origins, ways))
    elsewhere = Outside(replace(house, seed=2)).light(origins, ways)
    assert np.abs(light - elsewhere).mean() > 0.02


def test_nothing_of_it_is_in_the_house(house: House) -> None:
    for kind in ("home", "office"):
        corners = Outside(replace(house, kind=kind)).mesh.corners
        low, high = corners.min(axis=1), corners.max(axis=1)
        for room in house.rooms:
            for x0, y0, x1, y1 in rectangles(room.outline):
                inside = (high[:, 0] > x0) & (low[:, 0] < x1) & (high[:, 2] > 0)
                inside &= low[:, 2] < room.height
                assert not (inside & (high[:, 1] > y0) & (low[:, 1] < y1)).any()


def test_outer_walls_are_where_no_room_is_beside(house: House) -> None:
    rooms = [rectangle for room in house.rooms for rectangle in rectangles(room.outline)]
    length = 0.0
    for axis, at, out, start, end in sides(house):
        length += end - start
        for u in np.linspace(start + 0.01, end - 0.01, 20):
            x, y = (at + out * 0.01, u) if axis == 0 else (u, at + out * 0.01)
            assert not any(a < x < c and b < y < d for a, b, c, d in rooms)
    xs, ys = [c for r in rooms for c in r[::2]], [c for r in rooms for c in r[1::2]]
    assert length >= 2 * (max(xs) - min(xs) + max(ys) - min(ys)) + 8 * house.wall - 1e-6


def test_hours_differ_and_windows_are_lit_at_night(house: House) -> None:
    outside = Outside(house)
    origins, ways = around(house)
    means = [outside.light(origins, ways, time).mean() for time in ("day", "evening", "night")]
    assert means[0] > 2 * means[1] > 4 * means[2]
    triangle = Tree(outside.mesh.corners).cast(origins, ways).triangle
    panes = (triangle >= 0) & (outside.mesh.surfaces[triangle] == Surface.GLOW)
    assert panes.any()
    night = outside.light(origins, ways, "night").mean(axis=0)
    assert night[panes].min() > 4 * np.median(night[~panes])
    assert set(HOURS) == {"day", "evening", "night"}


def test_the_sky_has_clouds_and_stars() -> None:
    angles = np.linspace(0, 6.28, 4000, dtype=np.float32)
    up = np.tile(np.linspace(0.2, 0.9, 40, dtype=np.float32), 100)
    flat = np.sqrt(1 - up * up)
    ways = np.stack([np.cos(angles) * flat, np.sin(angles) * flat, up])
    day, night = sky(ways), sky(ways, "night")
    assert day.std(axis=1).max() > 0.1
    assert night.max() > 10 * np.median(night)
