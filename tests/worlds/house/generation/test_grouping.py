"""Objects that come together lie as the catalogue's groups say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation import grouping
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.grouping import _place
from homebody.worlds.house.generation.slots import Slot
from homebody.worlds.house.generation.small_objects import Stocker
from homebody.worlds.house.model.catalogue import catalogue, catalogue_files, read_catalogue
from homebody.worlds.house.model.groups import GroupKind
from homebody.worlds.house.model.house import House, Thing, box_at, to_world
from thorough import part_of


@cache
def _homes() -> list[House]:
    rooms = ["dining_room", "kitchen", "living_room"]
    return [generate(seed, "home", rooms) for seed in range(16)]


def _on(house: House) -> Mapping[tuple[str, str], list[Thing]]:
    on: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for thing in house.things:
        on[thing.place].append(thing)
    return on


def test_a_set_table_has_a_plate_a_fork_and_a_knife_before_each_chair():
    tables = 0
    for house in _homes():
        on = _on(house)
        chairs = [piece for piece in house.furniture if piece.category == "chair"]
        for table in (piece for piece in house.furniture if piece.category == "table"):
            things = on[table.name, "top"]
            if {"plate", "fork", "knife"} - {thing.category for thing in things}:
                continue
            low, high = table.box.low, table.box.high
            plates = [thing for thing in things if thing.category == "plate"]
            seats = []
            for chair in chairs:
                x, y, _ = to_world(chair.pose, (0.0, chair.size[1] / 2 + 0.1, 0.0))
                if low[0] <= x <= high[0] and low[1] <= y <= high[1]:
                    seats.append(to_world(chair.pose, (0.0, chair.size[1] / 2 + 0.25, 0.0)))
            near = [
                any(
                    abs(plate.pose.position[0] - x) < 0.15
                    and abs(plate.pose.position[1] - y) < 0.15
                    for plate in plates
                )
                for x, y, _ in seats
            ]
            if len(plates) >= len(seats) > 1:  # else somebody left them there
                assert all(near), table
                assert len({tuple(plate.style["body"]) for plate in plates[: len(seats)]}) == 1
                tables += 1
    assert tables >= 3


def test_books_stand_side_by_side_on_shelves():
    rows = upright = 0
    for house in _homes():
        shelves = {piece.name for piece in house.furniture if piece.category == "bookcase"}
        for (owner, _), things in _on(house).items():
            books = [thing for thing in things if thing.category == "book"]
            standing = [book for book in books if book.size[2] > book.size[0]]
            if owner in shelves:
                rows += len(standing) >= 3
                upright += len(standing)
                colours = {tuple(book.style["body"]) for book in standing}
                assert len(standing) < 3 or len(colours) > 1
    assert rows >= 4
    assert upright >= 50


def test_tools_are_in_tool_boxes_and_fruit_in_bowls():
    inside: Counter[tuple[str, str]] = Counter()
    for seed in part_of(range(12), 2):
        house = generate(seed, "home", ["garage", "kitchen"])
        for thing in house.things:
            owner = house.thing.get(thing.place[0])
            if owner is not None:
                inside[owner.category, thing.category] += 1
    tools = ("hammer", "screwdriver", "wrench", "pliers")
    assert sum(inside["toolbox", tool] for tool in tools) >= 8
    assert sum(inside["bowl", fruit] for fruit in ("apple", "orange", "pear", "banana")) >= 2


def test_goods_of_a_supermarket_stand_together():
    house = generate(1, "supermarket")
    shelves = {piece.name for piece in house.furniture if piece.category == "shop_shelf"}
    boards = [things for place, things in _on(house).items() if place[0] in shelves]
    most = [max(Counter(one.category for one in things).values()) for things in boards]
    assert len(boards) >= 8
    assert sum(count >= 3 for count in most) >= len(boards) / 3


@pytest.mark.parametrize("kind", ["home", "shop", "restaurant"])
def test_a_group_is_in_a_piece_once_unless_it_repeats(kind: str, monkeypatch: pytest.MonkeyPatch):
    placed: Counter[tuple[int, str, GroupKind]] = Counter()

    def place(stocker: Stocker, slot: Slot, group: GroupKind, *limits: Any) -> bool:
        there = _place(stocker, slot, group, *limits)
        placed[seed, slot.owner, group] += there
        return there

    monkeypatch.setattr(grouping, "_place", place)
    for seed in part_of(range(12)):
        generate(seed, kind)
    assert {group.repeats for (_, _, group), count in placed.items() if count > 1} == {True}
    assert max(count for (_, _, group), count in placed.items() if not group.repeats) == 1


def test_rows_of_books_goods_clothes_shoes_and_preserves_repeat():
    repeating = {name for name, group in catalogue().groups.items() if group.repeats}
    assert not repeating & {"spices", "set_table", "coffee_corner", "medicine", "desktop"}
    assert {"shelf_of_books", "goods", "folded_clothes"} <= repeating


GROUP = """
[groups.odd]
rooms = ["kitchen"]
on = ["counter"]
parts = [{ what = ["cup"], by = "row" }]
"""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('["kitchen"]', '["moon"]', "rooms"),
        ('["counter"]', '["cloud"]', "on"),
        ('["cup"]', '["unicorn"]', "what"),
        ('["cup"]', "[]", "is empty"),
        ('["cup"]', "{ cup = 0 }", "weight"),
        ('"row"', '"tower"', "by"),
        ('"row"', '"row", count = [3, 1]', "count"),
        ('"row"', '"row", inside = true', "inside"),
        ('"row"', '"row", speed = 1', "fields"),
    ],
)
def test_a_group_that_cannot_be_gets_a_sentence(old: str, new: str, why: str):
    read_catalogue({**catalogue_files(), "mine.toml": GROUP})
    with pytest.raises(HomebodyError, match=why) as error:
        read_catalogue({**catalogue_files(), "mine.toml": GROUP.replace(old, new, 1)})
    assert "groups.odd" in str(error.value)


def test_each_group_is_somewhere():
    """No group is written in vain: each has a kind of room with furniture that it is on."""
    entries = catalogue()
    for name, group in entries.groups.items():
        kinds = {
            kind
            for kind, room in entries.rooms.items()
            if not {kind, *room.like}.isdisjoint(group.rooms)
        }
        pieces = {"floor"}
        for kind in kinds:
            for rule in entries.rooms[kind].furniture:
                pieces.update(rule.what, rule.companions.values())
                pieces.update(entries.furniture[piece].base for piece in rule.what)
            pieces.update(entries.rooms[kind].extra)
        assert pieces & set(group.on), name


def test_shops_stock_rows_of_one_product_beside_related_ones() -> None:
    what = catalogue().groups["goods"].parts[0].what
    boards = full = 0
    for seed in range(3):
        house = generate(seed, "supermarket", 4, people=0)
        for (owner, _), things in _on(house).items():
            if not owner.startswith("shop_shelf"):
                continue
            boards += 1
            kinds = [thing.category for thing in things]
            at = [what.index(kind) for kind in kinds if kind != "key"]
            assert max(at) - min(at) < 6, kinds
            runs = 1 + sum(a != b for a, b in pairwise(kinds))
            full += len(kinds) >= 3 * runs
    assert full > 0.9 * boards > 60


@pytest.mark.parametrize("category", ["display_fridge", "chest_freezer", "fruit_stand"])
def test_what_shops_keep_cold_and_fresh_is_full(category: str) -> None:
    for seed in range(3):
        house = generate(seed, "supermarket", 4, people=0)
        on = _on(house)
        for piece in house.furniture:
            if piece.category == category:
                assert "open" not in piece.states  # what is in it can be seen
                for space in piece.receptacles:
                    axis = round(piece.pose.yaw) % 180 // 90
                    boxes = [box_at(thing.pose, thing.size) for thing in on[piece.name, space.name]]
                    low, high = (
                        min(box.low[axis] for box in boxes),
                        max(box.high[axis] for box in boxes),
                    )
                    covered, wide = high - low, space.high[0] - space.low[0]
                    assert covered > 0.7 * wide, (seed, piece.name, space.name)
