"""What categories of other data sets are called here."""

from __future__ import annotations

import pytest

from homebody.worlds.house.exchange.categories import (
    OTHER_NAMES,
    ROOMS,
    as_name,
    category_of,
    room_kind,
)
from homebody.worlds.house.model.catalogue import catalogue


@pytest.mark.parametrize(
    ("type", "name"),
    [
        ("DiningTable", "dining_table"),
        ("TVStand", "tv_stand"),
        ("dining table", "dining_table"),
        ("CD", "cd"),
        ("", "thing"),
        ("x" * 10_000, "x" * 60),
    ],
)
def test_types_become_names(type: str, name: str) -> None:
    assert as_name(type) == name


def test_other_names_lead_to_what_there_is() -> None:
    entries = catalogue()
    for name, others in OTHER_NAMES.items():
        assert name not in others
    assert category_of("Television", entries).name == "tv"
    assert category_of("couch", entries).of == "furniture"
    assert not category_of("flux capacitor", entries).is_known
    assert set(ROOMS.values()) <= set(entries.rooms)


def test_rooms_of_no_known_type_are_living_rooms() -> None:
    entries = catalogue()
    assert room_kind("Kitchen", entries) == "kitchen"
    assert room_kind("laundryroom", entries) in entries.rooms
    assert room_kind("bedroom_3", entries) == "bedroom"
    assert room_kind("entryway/foyer/lobby", entries) == "hallway"
    assert room_kind("orangery", entries) == "living_room"
