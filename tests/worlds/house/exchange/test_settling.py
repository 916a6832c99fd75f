"""Imported furniture and objects stand on something, inside their room, and do not overlap."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from homebody.worlds.house.exchange.settling import NEAR, settle
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Opening, Pose, Room, Thing
from homebody.worlds.house.model.receptacles import furniture_receptacles, thing_receptacles

WRONG = ("overlap", "stand", "fit", "hangs", "wholly", "touch")
ROOM = Room("den_0", "office", ((0, 0), (6, 0), (6, 4), (0, 4)), 2.6, "oak_planks", (1, 1, 1))
DOOR = Opening("entrance_0", "entrance", ("den_0",), (2.0, -0.06), (3.0, -0.06), 0.0, 2.0)


def piece(name: str, at: tuple[float, float, float], size: Any, yaw: float = 0.0) -> Furniture:
    category = name.rsplit("_", 1)[0]
    kind = catalogue().furniture[category]
    receptacles = furniture_receptacles(kind, size)
    return Furniture(name, category, "den_0", Pose(at, yaw), size, receptacles)


def thing(name: str, at: tuple[float, float, float], place: tuple[str, str]) -> Thing:
    kind = catalogue().things[name.rsplit("_", 1)[0]]
    receptacles = thing_receptacles(kind, kind.size)
    return Thing(name, name.rsplit("_", 1)[0], kind.size, Pose(at), place, receptacles=receptacles)


TABLE = piece("table_0", (3.0, 2.0, 0.0), (1.4, 0.9, 0.75))


def settled(*parts: Furniture | Thing) -> House:
    furniture = tuple(part for part in parts if isinstance(part, Furniture))
    things = tuple(part for part in parts if isinstance(part, Thing))
    house = House(0, "home", (ROOM,), (DOOR,), furniture, things)
    before = [problem for problem in check(house) if any(wrong in problem for wrong in WRONG)]
    assert before, "nothing is wrong"
    house, notes = settle(house, catalogue())
    assert notes
    wrong = [problem for problem in check(house) if any(wrong in problem for wrong in WRONG)]
    assert wrong == []
    return house


def test_objects_are_put_on_the_surface_below_or_above_them() -> None:
    cup = thing("cup_0", (3.0, 2.0, 0.81), ("table_0", "top"))
    bowl = thing("bowl_0", (3.3, 2.1, 0.70), ("table_0", "top"))
    house = settled(TABLE, cup, bowl)
    assert house.thing["cup_0"].pose.position == (3.0, 2.0, 0.75)
    assert house.thing["bowl_0"].pose.position == (3.3, 2.1, 0.75)


def test_objects_at_an_edge_are_put_wholly_on_it() -> None:
    house = settled(TABLE, thing("plate_0", (3.69, 2.0, 0.75), ("table_0", "top")))
    assert 3.4 < house.thing["plate_0"].pose.position[0] < 3.6


def test_objects_that_overlap_are_put_side_by_side() -> None:
    cups = [thing(f"cup_{n}", (3.0, 2.0, 0.75), ("table_0", "top")) for n in range(6)]
    house = settled(TABLE, *cups)
    assert house.thing["cup_0"].pose.position == (3.0, 2.0, 0.75)
    assert len({each.pose.position for each in house.things}) == 6


def test_a_tv_wider_than_its_table_is_put_on_its_middle() -> None:
    table = piece("table_0", (3.0, 2.0, 0.0), (0.9, 0.4, 0.5))
    house = settled(table, piece("tv_0", (3.1, 2.1, 0.53), (1.5, 0.45, 0.85)))
    assert house.piece["tv_0"].pose.position == (3.0, 2.0, 0.5)


def test_a_chair_is_pulled_out_from_under_its_table() -> None:
    chair = piece("chair_0", (3.0, 2.5, 0.0), (0.45, 0.5, 0.9), 180.0)
    book = thing("book_0", (3.0, 2.5, 0.46), ("chair_0", "seat"))
    house = settled(TABLE, chair, book)
    assert house.piece["table_0"].pose == TABLE.pose
    x, y, _ = house.piece["chair_0"].pose.position
    assert (x, y) == pytest.approx((3.0, 2.7), abs=0.01)
    assert house.thing["book_0"].place == ("chair_0", "seat")
    assert house.thing["book_0"].pose.position[1] == pytest.approx(2.7, abs=0.1)


def test_a_table_makes_room_for_a_chair_at_the_wall() -> None:
    table = piece("table_0", (3.0, 3.2, 0.0), (1.4, 0.9, 0.75))
    chair = piece("chair_0", (3.0, 3.74, 0.0), (0.45, 0.5, 0.9), 180.0)
    cup = thing("cup_0", (3.0, 3.2, 0.75), ("table_0", "top"))
    house = settled(table, chair, cup)
    assert house.piece["table_0"].pose.position[1] < 3.1
    assert house.thing["cup_0"].pose.position[1] < 3.1


def test_what_carries_furniture_stays() -> None:
    tv = piece("tv_0", (3.0, 2.0, 0.75), (1.0, 0.2, 0.6))
    beds = [piece(f"bed_{n}", (3.0, y, 0.0), (2.0, 1.5, 0.6)) for n, y in enumerate((0.8, 3.2))]
    house = House(0, "home", (ROOM,), (DOOR,), (TABLE, tv, *beds))
    after, _ = settle(house, catalogue())
    assert after.piece["table_0"].pose == TABLE.pose
    assert after.piece["tv_0"].pose == tv.pose


def test_what_is_in_a_wall_hangs_on_it() -> None:
    painting = piece("painting_0", (3.0, 4.02, 1.5), (0.8, 0.04, 0.6), 180.0)
    assert settled(painting).piece["painting_0"].box.high[1] == pytest.approx(4.0)


def test_what_hovers_over_furniture_stands_on_it() -> None:
    tv = piece("tv_0", (3.0, 2.0, 0.82), (1.0, 0.2, 0.6))
    cup = thing("cup_0", (3.0, 2.0, 0.75), ("table_0", "top"))
    house = settled(TABLE, tv, cup)
    assert house.piece["tv_0"].pose.position[2] == 0.75
    assert house.thing["cup_0"].place[0] == "table_0"  # beside the television


def test_what_is_too_large_goes_to_the_floor() -> None:
    shelf = piece("wall_shelf_0", (3.0, 3.86, 1.4), (0.8, 0.25, 0.3), 180.0)
    suitcase = thing("suitcase_0", (3.0, 3.86, 1.7), ("wall_shelf_0", shelf.receptacles[0].name))
    house = settled(shelf, suitcase)
    assert house.thing["suitcase_0"].place == ("floor_den_0", "")


def test_nothing_moves_farther_than_near() -> None:
    beds = [piece(f"bed_{n}", (3.0, 2.0, 0.0), (1.6, 2.0, 0.6)) for n in range(2)]
    house = House(0, "home", (ROOM,), (DOOR,), tuple(beds))
    after, _ = settle(house, catalogue())
    for old, new in zip(house.furniture, after.furniture, strict=True):
        assert new.pose.position == pytest.approx(old.pose.position, abs=NEAR)


@pytest.mark.parametrize("kind", ["home", "office"])
def test_a_house_without_problems_stays_as_it_is(kind: str) -> None:
    house = generate(1, kind)
    house = replace(
        house, people=(), things=tuple(t for t in house.things if t.place[0] not in house.person)
    )
    after, notes = settle(house, catalogue())
    assert notes == []
    assert {p.name: p.pose for p in after.furniture} == {p.name: p.pose for p in house.furniture}
    assert {t.name: t.place for t in after.things} == {t.name: t.place for t in house.things}
