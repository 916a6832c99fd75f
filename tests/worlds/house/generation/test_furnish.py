"""Rooms have the furniture that such rooms have, and no other."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House, Room


def _rooms(scene: str, kinds: Sequence[str], seeds: int = 20) -> Iterator[tuple[House, Room]]:
    for seed in range(seeds):
        house = generate(seed, scene, kinds, density=0.0, people=0)
        for room in house.rooms:
            yield house, room


@pytest.mark.parametrize(
    ("scene", "kinds", "wanted"),
    [
        ("classroom", ["hallway", "restroom", "restroom"], {"toilet", "washbasin"}),
        ("hotel", ["hotel_room", "hotel_bathroom"], {"toilet", "washbasin", "shower"}),
        ("gym", ["gym_floor", "changing_room"], {"shower", "washbasin", "bench"}),
        ("hospital", ["ward", "restroom"], {"toilet", "washbasin"}),
    ],
)
def test_nearly_all_have_what_they_are_for(scene: str, kinds: list[str], wanted: set[str]) -> None:
    lacking = count = 0
    for house, room in _rooms(scene, kinds):
        if room.kind == kinds[-1]:
            count += 1
            lacking += not wanted <= {p.category for p in house.furniture if p.room == room.name}
    assert lacking <= 0.1 * count


def test_nobody_dines_in_a_ward() -> None:
    for house, _ in _rooms("hospital", ["ward", "ward"]):
        assert not any(piece.category == "table" for piece in house.furniture)


def test_a_garage_has_one_car_at_its_side() -> None:
    cars = far = 0
    for house, room in _rooms("home", ["living_room", "garage"], 30):
        own = Counter(piece.category for piece in house.furniture if piece.room == room.name)
        assert own["car"] <= 1
        for car in (piece for piece in house.furniture if piece.category == "car"):
            xs, ys = zip(*house.room[car.room].outline, strict=True)
            spaces = [
                max(car.box.low[0] - min(xs), max(xs) - car.box.high[0]),
                max(car.box.low[1] - min(ys), max(ys) - car.box.high[1]),
            ]
            cars += 1
            far += max(spaces) >= 1.4
    assert cars >= 12
    assert far >= 0.9 * cars


def test_pupils_sit_on_chairs() -> None:
    pupils = 0
    for seed in range(12):
        house = generate(seed, "classroom", ["classroom"], density=0.0, people=5)
        for person in house.people:
            if person.on and person.age in ("child", "teenager"):
                assert house.piece[person.on].category == "chair"
                pupils += 1
    assert pupils >= 10


def test_most_guests_see_the_television_from_their_bed() -> None:
    seen = televisions = 0
    for seed in range(15):
        house = generate(seed, "hotel", density=0.0, people=0)
        for room in house.rooms:
            own = {piece.category: piece for piece in house.furniture if piece.room == room.name}
            if room.kind == "hotel_room" and {"tv", "bed"} <= set(own):
                televisions += 1
                seen += (own["tv"].pose.yaw - own["bed"].pose.yaw) % 360 == 180
    assert televisions >= 20
    assert seen >= 0.33 * televisions  # windows and wardrobes may be opposite


def test_shelves_of_supermarkets_stand_in_rows_with_aisles_between() -> None:
    shelves = beside = 0
    for house, room in _rooms("supermarket", ["market_floor"], 10):
        own = [p.box for p in house.furniture if p.room == room.name and p.category == "shop_shelf"]
        shelves += len(own)
        for box in own:
            gaps = [
                max(max(box.low[i] - one.high[i], one.low[i] - box.high[i]) for i in (0, 1))
                for one in own
                if one is not box
            ]
            beside += min(gaps) < 0.01
    assert shelves >= 80
    assert beside >= 0.5 * shelves


def test_public_toilets_have_cubicles_and_urinals_keep_their_distance() -> None:
    toilets = screened = pairs = 0
    for house, room in _rooms("office", ["open_office", "restroom"], 30):
        own = [piece for piece in house.furniture if piece.room == room.name]
        panels = [piece.box for piece in own if piece.category == "cubicle_wall"]
        for toilet in (piece for piece in own if piece.category == "toilet"):
            axis = 0 if toilet.pose.yaw % 180 == 0 else 1
            middle = toilet.pose.position[axis]
            walls = [corner[axis] for corner in room.outline]
            sides = [*walls, *((box.low[axis] + box.high[axis]) / 2 for box in panels)]
            toilets += 1
            screened += all(
                any(0.2 < way * (side - middle) < 0.6 for side in sides) for way in (-1, 1)
            )
        places = [piece.box for piece in own if piece.category == "urinal"]
        for i, box in enumerate(places):
            for other in places[:i]:
                gap = max(
                    max(box.low[k] - other.high[k], other.low[k] - box.high[k]) for k in (0, 1)
                )
                pairs += 1
                assert gap >= 0.39
    assert toilets >= 40
    assert screened >= 0.9 * toilets
    assert pairs >= 5
