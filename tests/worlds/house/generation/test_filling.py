"""How many objects there are, by density, and where."""

from __future__ import annotations

import pytest

from homebody.core.errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue


@pytest.mark.parametrize("kind", catalogue().scenes)
def test_density_says_how_full_a_house_is(kind: str):
    counts = []
    for density in (0.0, 0.5, 1.0, 2.0):
        house = generate(3, kind, 4, density=density, people=0)
        assert check(house) == []
        counts.append(len(house.things))
    assert counts[0] == 0
    assert counts == sorted(set(counts))
    assert counts[2] == pytest.approx(2 * counts[1], rel=0.2)


@pytest.mark.parametrize(("type", "least", "most"), [("studio", 115, 250), ("house", 200, 455)])
def test_homes_are_lived_in(type: str, least: int, most: int):
    for seed in range(6):
        assert least <= len(generate(seed, type=type).things) <= most


def test_numbers_are_exact_whatever_the_density():
    for things in (0, 1, 7, 40, 120):
        for density in (0.0, 2.0):
            house = generate(5, "home", 3, things=things, density=density, people=0)
            assert len(house.things) == things


@pytest.mark.parametrize("density", [-0.1, 2.1, float("nan"), float("inf")])
def test_densities_out_of_range_are_refused(density: float):
    with pytest.raises(HomebodyError, match="density"):
        generate(1, density=density)


def test_rooms_of_a_home_differ_in_how_they_look():
    looks = set()
    for seed in range(30):
        for room in generate(seed, "home", density=0.0, people=0).rooms:
            looks.add((room.kind, room.floor, room.walls, room.covering))
    assert len(looks) >= 120


@pytest.mark.parametrize("type", catalogue().scenes["home"].types)
def test_types_of_homes_have_their_rooms(type: str):
    kind = catalogue().scenes["home"].types[type]
    for seed in range(5):
        house = generate(seed, type=type, density=0.0, people=0)
        assert house.type == type
        assert kind.rooms[0] <= len(house.rooms) <= kind.rooms[1]
        rooms = [room.kind for room in house.rooms]
        wanted = {"studio": "studio_room", "house": "garage", "shared_flat": "shared_bedroom"}
        assert wanted.get(type, "kitchen") in rooms


def test_a_type_is_drawn_by_the_number_of_rooms():
    assert {generate(seed, "home", 2, things=0).type for seed in range(8)} == {"studio"}
    assert {generate(seed, "home", 12, things=0).type for seed in range(8)} == {"house"}
    assert generate(1, "home", ["kitchen", "bedroom"], things=0).type == ""
    assert generate(1, "office", things=0).type == ""


@pytest.mark.parametrize(("kind", "type"), [("home", "castle"), ("office", "studio")])
def test_unknown_types_are_refused(kind: str, type: str):
    with pytest.raises(HomebodyError, match="type"):
        generate(1, kind, type=type)
