"""What people hold, point at and look at in a house that has its objects."""

from __future__ import annotations

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue


@pytest.mark.slow
def test_who_reads_holds_a_book_and_who_telephones_a_phone() -> None:
    held = set()
    for seed in range(12):
        for kind in ("home", "restaurant"):
            house = generate(seed, kind, 4, things=30, people=5)
            assert not check(house)
            for thing in house.things:
                if thing.place[0] in house.person:
                    person = house.person[thing.place[0]]
                    kinds = catalogue().people.activities.values()
                    assert any(
                        activity.holds == thing.category
                        for activity in kinds
                        if activity.phrase == person.activity
                    )
                    held.add(thing.category)
    assert {"book", "phone", "tray"} <= held


def test_who_points_points_at_something_and_looks_at_it() -> None:
    pointing = [
        person
        for seed in range(12)
        for person in generate(seed, "gallery", 3, people=6).people
        if person.posture == "pointing"
    ]
    assert pointing
    for person in pointing:
        assert person.pointing_at
        assert person.looks_at == person.pointing_at
