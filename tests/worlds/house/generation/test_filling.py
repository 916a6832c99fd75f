"""How many objects there are, by density, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from statistics import median

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Receptacle,
    Room,
    Thing,
    box_at,
)
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.placing import fit
from thorough import part_of


@pytest.mark.sampled
@pytest.mark.parametrize("kind", part_of(list(catalogue().scenes)))
def test_density_says_how_full_a_house_is(kind: str):
    counts = []
    for density in (0.0, 0.5, 1.0, 2.0):
        house = generate(3, kind, 4, density=density, people=0)
        assert check(house) == []
        counts.append(len(house.things))
    assert counts[0] == 0
    assert counts == sorted(set(counts))
    assert counts[2] == pytest.approx(2 * counts[1], rel=0.2)


@pytest.mark.slow
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


@cache
def _homes() -> list[House]:
    return [generate(seed, "home", 6) for seed in part_of(range(40))]


@cache
def _public() -> list[House]:
    kinds = [kind for kind in catalogue().scenes if kind != "home"]
    return [generate(seed, kind, people=0) for kind in kinds for seed in (2, 3)]


COLD = {"fridge", "minibar", "display_fridge"}
WASHING = {"dishwasher", "washing_machine", "hamper"}


def _placed(house: House) -> Iterator[tuple[Furniture, Receptacle, Thing]]:
    """The objects of a house that are on or in furniture."""
    for thing in house.things:
        piece = house.piece.get(thing.place[0])
        if piece is not None:
            yield piece, next(r for r in piece.receptacles if r.name == thing.place[1]), thing


def _on_floors(house: House) -> Iterator[tuple[Room, Thing]]:
    rooms = {room.floor_name: room for room in house.rooms}
    return ((rooms[one.place[0]], one) for one in house.things if one.place[0] in rooms)


@pytest.mark.slow
def test_what_is_put_away_is_empty_shut_off_and_clean():
    entries = catalogue()
    away = full = 0
    for house in (*_homes(), *_public()):
        for piece, receptacle, thing in _placed(house):
            board = receptacle.name[-1].isdigit()
            if receptacle.kind == "within" or board:
                assert not thing.states.get("filled") or piece.category in COLD, (piece, thing)
            elif thing.states.get("filled"):
                full += 1
            if receptacle.kind == "within" and "openable" in entries.affords(piece.category):
                away += 1
                assert not thing.states.get("open"), (piece, thing)
                assert not thing.states.get("powered_on"), (piece, thing)
                assert thing.states.get("clean", True) or piece.category in WASHING, (piece, thing)
    assert away > 1000
    assert full > 100  # on tables and tops there are full ones


@pytest.mark.slow
def test_furniture_holds_what_it_is_for():
    entries = catalogue()
    seen: dict[str, set[str]] = {}
    for house in (*_homes(), *_public()):
        for piece, receptacle, thing in _placed(house):
            holds = entries.furniture[piece.category].receptacle_kind(receptacle.name).holds
            assert not holds or thing.category in holds, (piece.name, thing.name)
            if receptacle.kind == "within":
                seen.setdefault(piece.category, set()).add(thing.category)
    assert {"plate", "cup"} <= seen["dishwasher"]
    odd = {"spice_jar", "salt_shaker", "pepper_grinder", "oil_bottle"}
    assert not odd & (seen["dishwasher"] | seen["sink_cupboard"] | seen["sink"])
    assert not {"detergent", "spray_bottle", "iron"} & seen.get("washing_machine", set())


def test_floors_of_a_home_are_not_strewn():
    counts = []
    for house in _homes():
        on_floors = list(_on_floors(house))
        counts.append(len(on_floors))
        kinds = Counter((room.name, thing.category) for room, thing in on_floors)
        single = ("guitar", "fire_extinguisher", "broom", "suitcase", "laundry_basket")
        assert all(count == 1 for (_, kind), count in kinds.items() if kind in single)
        assert 150 <= len(house.things) <= 400
    assert 7 <= median(counts) <= 11
    assert min(counts) >= 3
    assert max(counts) <= 15


def test_what_stands_on_a_floor_stands_at_a_wall():
    at_walls = []
    for house in (*_homes(), *_public()):
        for room, thing in _on_floors(house):
            if thing.category in (
                "guitar",
                "broom",
                "mop",
                "fire_extinguisher",
                "suitcase",
                "rake",
            ):
                box = box_at(thing.pose, thing.size)
                low, high = box.low, box.high
                xs, ys = zip(*room.outline, strict=True)
                sides = [abs(a - b) for a in (low[0], high[0]) for b in xs]
                sides += [abs(a - b) for a in (low[1], high[1]) for b in ys]
                away = min(sides)
                at_walls.append(away < 0.05)
    assert len(at_walls) >= 15
    assert sum(at_walls) >= 0.9 * len(at_walls)


def test_nothing_stands_about_that_has_no_business_there():
    allowed: Mapping[str, set[str]] = {
        "restroom": {"toilet_brush", "wet_floor_sign"},
        "ward": {"crutch", "walking_stick"},
        "sales_floor": set(),
        "market_floor": set(),
        "dining_hall": set(),
    }
    for house in _public():
        for room, thing in _on_floors(house):
            assert thing.category in allowed.get(room.kind, {thing.category}), (room, thing)
        assert sum(1 for room, _ in _on_floors(house) if room.kind == "gym_floor") <= 6


def test_a_mess_is_messier():
    tidy, mess = (
        sum(1 for seed in range(4) for _ in _on_floors(generate(seed, "home", 6, density=density)))
        for density in (1.0, 2.0)
    )
    assert mess >= 1.6 * tidy


def test_hardly_a_board_is_empty():
    boards: Counter[bool] = Counter()
    for house in _homes():
        full = {(piece.name, receptacle.name) for piece, receptacle, _ in _placed(house)}
        for piece in house.furniture:
            if piece.category in ("bookcase", "shelf", "wardrobe", "pantry_shelf", "dresser"):
                boards.update((piece.name, each.name) in full for each in piece.receptacles)
    assert boards[False] <= 0.08 * boards.total()


SEATS = ("chair", "armchair", "office_chair", "sofa", "stool")


def test_plates_can_be_put_on_tops():
    """Nightstands are too small for a lamp and a plate."""
    fits: Counter[bool] = Counter()
    for house in (*_homes()[:12], *_public()[:6]):
        plate = next((one for one in house.things if one.category == "plate"), None)
        if plate is None:
            continue
        state = HouseState.start(house)
        for piece in house.furniture:
            for receptacle in piece.receptacles:
                (x0, y0, _), (x1, y1, _) = receptacle.low, receptacle.high
                top = receptacle.kind == "on" and piece.category not in ("nightstand", *SEATS)
                if top and receptacle.name == "top" and min(x1 - x0, y1 - y0) >= 0.28:
                    place = (piece.name, receptacle.name)
                    fits[fit(state, plate.name, place, piece.pose.position) is not None] += 1
    assert fits[True] >= 0.9 * fits.total()


BOOKS = {"book", "novel", "textbook", "comic_book", "magazine", "notebook"}
BOOKS |= {"dictionary", "atlas", "photo_album", "cookbook"}


def test_shelves_have_all_kinds_of_books():
    shares: Counter[str] = Counter()
    for house in _homes():
        books = Counter(
            thing.category
            for piece, _, thing in _placed(house)
            if piece.category == "bookcase" and thing.category in BOOKS
        )
        shares += books
        cases = sum(piece.category == "bookcase" for piece in house.furniture)
        for rare in ("dictionary", "photo_album", "atlas"):
            assert books[rare] <= 2 + cases, (house.seed, rare)
        assert books.total() < 30 or len(books) >= 3, house.seed
        for piece, _, thing in _placed(house):
            if thing.category == "cookbook":
                assert house.room[piece.room].kind in ("kitchen", "studio_room")
    assert shares["cookbook"] == 0
    assert 0.6 < (shares["book"] + shares["novel"]) / shares.total() < 0.9
    assert shares["dictionary"] < 0.04 * shares.total()
