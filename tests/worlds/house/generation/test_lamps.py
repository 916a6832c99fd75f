"""Lamps are on where somebody is awake."""

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from thorough import part_of


@pytest.mark.slow
def test_nobody_is_awake_in_the_dark() -> None:
    entries = catalogue()
    awake = 0
    for kind in entries.scenes:
        for seed in part_of(range(8)):
            house = generate(seed, kind, density=0.2, people=4)
            lamps = [
                piece
                for piece in house.furniture
                if "light" in entries.furniture[piece.category].affords
            ]
            lit = {piece.room for piece in lamps if piece.states["powered_on"]}
            for person in house.people:
                awake += person.posture != "lying"
                assert person.posture == "lying" or person.room in lit, (kind, seed, person.name)
    assert awake > 60


def test_ceiling_lamps_of_a_room_have_one_switch_and_light_rooms_without_windows() -> None:
    on = off = 0
    for seed in range(12):
        house = generate(seed, "office", 7, density=0.0, people=0)
        windows = {name for each in house.openings if each.kind == "window" for name in each.rooms}
        for room in house.rooms:
            states = {
                piece.states["powered_on"]
                for piece in house.furniture
                if piece.room == room.name and piece.category == "ceiling_lamp"
            }
            assert len(states) <= 1
            on, off = on + (True in states), off + (False in states)
            assert room.name in windows or True in states
    assert on > 20
    assert off > 10
