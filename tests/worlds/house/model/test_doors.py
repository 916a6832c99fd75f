"""Where the leaves of doors are, and that a house and its state know doors by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.worlds.house.model.doors import LEAF, hinge_at, open_leaf, shut_leaf, swing
from homebody.worlds.house.model.house import Box
from homebody.worlds.house.model.state import HouseState
from worlds.house.handmade import with_door


def _is(box: Box, low: tuple[float, float], high: tuple[float, float]) -> None:
    assert box.low == pytest.approx((*low, 0.0))
    assert box.high == pytest.approx((*high, 2.1))


def test_a_leaf_is_shut_in_its_opening_and_open_at_its_hinge():
    house = with_door()
    door = house.door["door_0"]
    _is(shut_leaf(house, door), (4.0, 3.0), (4.0 + LEAF, 3.9))
    _is(open_leaf(house, door), (3.1, 3.9 - LEAF), (4.0, 3.9))
    _is(swing(house, door), (3.1, 3.0), (4.0 + LEAF, 3.9))
    assert hinge_at(door) == 3.9


def test_it_may_turn_about_the_other_end_and_into_the_other_room():
    house = with_door()
    door = replace(house.door["door_0"], hinge="start", swings_into="bedroom_0")
    _is(shut_leaf(house, door), (4.12 - LEAF, 3.0), (4.12, 3.9))
    _is(open_leaf(house, door), (4.12, 3.0), (5.02, 3.0 + LEAF))


def test_a_house_and_its_state_know_doors_by_name():
    house = with_door(open=True)
    assert list(house.door) == ["door_0"]
    state = HouseState.start(house)
    assert state.is_in_state("door_0", "open")
    state.set("door_0", "open", False)
    assert not state.is_in_state("door_0", "open")
    assert state.journal.since(0) == ["door_0"]
    assert state.box("door_0") == shut_leaf(house, house.door["door_0"])
