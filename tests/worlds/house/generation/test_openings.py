"""Doorways and windows are where one would have them."""

from dataclasses import replace

import pytest

from homebody.worlds.house.generation import validity
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Opening
from thorough import part_of


def _width(opening: Opening) -> float:
    (ax, ay), (bx, by) = opening.start, opening.end
    return abs(bx - ax) + abs(by - ay)


def test_bathrooms_and_bedrooms_have_narrow_doorways_and_small_rooms_windows_in_one_wall() -> None:
    entries = catalogue()
    wide = 0
    for kind in ("home", "hotel", "hospital", "restaurant", "gallery"):
        for seed in part_of(range(15)):
            house = generate(seed, kind, density=0.0, people=0)
            walls: dict[str, set[tuple[int, float]]] = {}
            for opening in house.openings:
                kinds = [house.room[name].kind for name in opening.rooms]
                if opening.is_passage and _width(opening) > 1.0:
                    wide += 1
                    assert all(entries.door_of(one).leaf < 0.5 for one in kinds), (seed, kinds)
                if opening.kind == "window" and entries.rooms[kinds[0]].area[1] < 12:
                    axis = 0 if opening.start[0] == opening.end[0] else 1
                    walls.setdefault(opening.rooms[0], set()).add((axis, opening.start[axis]))
            assert all(len(of) == 1 for of in walls.values())
    assert wide >= 2


def test_no_bathroom_of_a_home_opens_off_the_kitchen() -> None:
    for type in ("flat", "family_flat", "house", "shared_flat"):
        for seed in part_of(range(25)):
            house = generate(seed, type=type, density=0.0, people=0)
            pairs = [{house.room[name].kind for name in each.rooms} for each in house.openings]
            for bathroom in ("bathroom", "guest_bathroom"):
                assert {"kitchen", bathroom} not in pairs, (type, seed)


def test_a_bathroom_opens_off_a_kitchen_if_there_is_nothing_else() -> None:
    house = generate(1, rooms=["kitchen", "bathroom"], density=0.0, people=0)
    assert [each.rooms for each in house.openings if each.is_passage] == [
        ("kitchen_0", "bathroom_0")
    ]


def test_bathrooms_and_bedrooms_have_doors() -> None:
    entries = catalogue()
    closed = [kind for kind in entries.rooms if entries.door_of(kind).leaf == 1]
    assert {"bathroom", "bedroom", "hotel_room", "restroom", "ward"} <= {*closed}
    doors = 0
    for kind in ("home", "hospital"):
        for seed in part_of(range(60)):
            house = generate(seed, kind, density=0.0, people=0)
            assert not validity.check(house), (kind, seed)
            for each in house.openings:
                if each.is_passage and any(house.room[name].kind in closed for name in each.rooms):
                    doors += 1
                    assert each.kind == "door", (kind, seed, each.name)
    assert doors > 60


def test_public_buildings_have_an_entrance_of_their_own_kind() -> None:
    scenes = catalogue().scenes
    for kind in [kind for kind in scenes if kind != "home"]:
        for seed in part_of(range(12)):
            house = generate(seed, kind, density=0.0, people=0)
            assert "hallway" not in {room.kind for room in house.rooms}
            assert "shoe_rack" not in {piece.category for piece in house.furniture}
            entrance = next(each for each in house.openings if each.kind == "entrance")
            wanted = [name for name in scenes[kind].entrances if f"{name}_0" in house.room]
            if wanted and len(house.rooms) > 1:
                assert house.room[entrance.rooms[0]].kind == wanted[0], (kind, seed)


def test_schools_have_an_entrance_hall_with_benches_and_notices() -> None:
    furnished = 0
    for seed in range(6):
        house = generate(seed, "classroom", density=0.0, people=0)
        own = {piece.category for piece in house.furniture if piece.room == "entrance_hall_0"}
        furnished += {"waiting_bench", "bulletin_board", "doormat"} <= own
    assert furnished >= 5


@pytest.mark.slow
def test_each_room_of_a_hotel_has_a_bathroom_of_its_own() -> None:
    for seed in range(40):
        house = generate(seed, "hotel", density=0.0, people=0)
        doors = [set(one.rooms) for one in house.openings if one.is_passage]
        bathrooms = [room.name for room in house.rooms if room.kind == "hotel_bathroom"]
        entered = [name for own in bathrooms for pair in doors if own in pair for name in pair]
        guests = [room.name for room in house.rooms if room.kind == "hotel_room"]
        assert sorted(entered) == sorted(bathrooms + guests), seed


def test_the_checker_knows_whose_bathroom_it_is() -> None:
    house = generate(1, "hotel", density=0.0, people=0)
    doors = {
        name: one
        for one in house.openings
        if one.is_passage
        for name in one.rooms
        if name.startswith("hotel_bathroom")
    }
    first, second = (
        next(name for name in doors[own].rooms if name != own)
        for own in ("hotel_bathroom_0", "hotel_bathroom_1")
    )
    moved = replace(doors["hotel_bathroom_1"], rooms=("hotel_bathroom_1", first))
    openings = [moved if one.name == moved.name else one for one in house.openings]
    problems = list(validity._bathrooms(replace(house, openings=tuple(openings))))
    assert problems == [f"{first} has 2 bathrooms, but {second} has none"]


def test_a_garage_has_a_door_for_cars_in_an_outer_wall() -> None:
    gates = aligned = cars = 0
    for seed in range(24):
        house = generate(seed, rooms=["living_room", "kitchen", "bedroom", "bathroom", "garage"])
        assert not validity.check(house), seed
        doors = [each for each in house.openings if each.kind == "garage_door"]
        assert len(doors) <= 1
        gates += len(doors)
        for door in doors:
            assert [house.room[name].kind for name in door.rooms] == ["garage"]
            (ax, ay), (bx, by) = door.start, door.end
            assert abs(ax - bx) + abs(ay - by) == pytest.approx(2.4)
            assert door.name not in house.door  # it stays shut
            for car in (piece for piece in house.furniture if piece.category == "car"):
                cars += 1
                long = 0 if car.box.size[0] > car.box.size[1] else 1
                aligned += (ax == bx) == (long == 0)
    assert gates >= 20
    assert aligned >= 0.7 * cars > 5
