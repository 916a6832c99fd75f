"""Rugs lie under what they belong to, mats before it."""

from collections.abc import Iterator

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.house import Box, Furniture

SEEDS = range(40)


def _rooms(*kinds: str) -> Iterator[list[Furniture]]:
    for seed in SEEDS:
        house = generate(seed, "home", kinds, density=0.0, people=0)
        assert check(house) == []
        for room in house.rooms:
            yield [piece for piece in house.furniture if piece.room == room.name]


def _of(pieces: list[Furniture], *names: str) -> list[Furniture]:
    return [piece for name in names for piece in pieces if piece.category == name]


def _gap(a: Box, b: Box) -> float:
    return max(max(a.low[i] - b.high[i], b.low[i] - a.high[i]) for i in (0, 1))


def test_rugs_of_living_and_dining_rooms_lie_in_the_middle_under_tables() -> None:
    count = 0
    for pieces in _rooms("living_room", "dining_room", "tv_room"):
        tables = _of(pieces, "coffee_table", "table")
        for rug in _of(pieces, "rug") if tables else ():
            count += 1
            assert any(
                rug.pose.position[:2] == table.pose.position[:2]
                and all(rug.box.low[i] < table.box.low[i] - 0.3 for i in (0, 1))
                for table in tables
            )
    assert count >= 50


def test_rugs_of_bedrooms_lie_at_beds_and_bath_mats_before_baths() -> None:
    rugs = mats = count_astray = 0
    for pieces in _rooms("bedroom", "bathroom", "kids_room"):
        for rug in _of(pieces, "rug"):
            rugs += 1
            beds = _of(pieces, "bed", "kids_bed")
            assert not beds or any(_gap(rug.box, bed.box) < 0 for bed in beds)
        for mat in _of(pieces, "bath_mat"):
            mats += 1
            baths = _of(pieces, "bathtub", "shower", "washbasin")
            count_astray += min(_gap(mat.box, bath.box) for bath in baths) > 0.1
    assert rugs >= 30
    assert mats >= 15
    assert count_astray <= 0.25 * mats


@pytest.mark.slow
def test_doormats_lie_inside_of_the_entrance() -> None:
    mats = 0
    for seed in SEEDS:
        house = generate(seed, "home", density=0.0, people=0)
        (entrance,) = (one for one in house.openings if one.kind == "entrance")
        x, y = ((a + b) / 2 for a, b in zip(entrance.start, entrance.end, strict=True))
        for mat in (piece for piece in house.furniture if piece.category == "doormat"):
            mats += 1
            assert mat.room == entrance.rooms[0]
            assert abs(mat.pose.position[0] - x) + abs(mat.pose.position[1] - y) < 0.5
    assert mats >= 15
