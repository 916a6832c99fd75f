"""Homes in which things were left in unlikely rooms."""

from __future__ import annotations

from collections import Counter

import pytest

from homebody.suites.etplan.scenes import SPLITS, home
from homebody.suites.etplan.untidy import FRESH, SHARE, make_untidy
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Thing
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.relations import room_of

SEEDS = (40, 41, 42, 43)


def tidy(seed: int) -> House:
    return generate(seed, "home", rooms=7 + seed % 4)


def moved(seed: int) -> list[tuple[Thing, Thing]]:
    """The objects that are elsewhere: as they were, and as they are."""
    pairs = zip(tidy(seed).things, home(seed).things, strict=True)
    return [(before, now) for before, now in pairs if before.place != now.place]


def test_homes_for_training_are_tidy() -> None:
    assert home(3) == tidy(3)
    assert 3 in SPLITS["train"]


@pytest.mark.parametrize("seed", SEEDS)
def test_things_are_where_they_are_not_usual(seed: int) -> None:
    first, now = HouseState.start(tidy(seed)), HouseState.start(home(seed))
    house = home(seed)
    for before, after in moved(seed):
        holder = house.piece[after.place[0]]
        assert holder.category not in catalogue().things[after.category].places
        kinds = [house.room[room_of(state, after.name)].kind for state in (first, now)]
        assert kinds[0] != kinds[1]
        came_from = house.piece.get(before.place[0])
        assert came_from is None or came_from.category not in FRESH
        assert after.category != "key"


def test_one_thing_of_about_half_the_classes_is_elsewhere() -> None:
    shares = []
    for seed in SEEDS:
        counts = Counter(now.category for _, now in moved(seed))
        assert set(counts.values()) == {1}
        shares.append(len(counts) / len({thing.category for thing in home(seed).things}))
    assert SHARE / 2 < sum(shares) / len(shares) < SHARE


@pytest.mark.parametrize("seed", SEEDS)
def test_an_untidy_home_is_valid_but_for_its_full_surfaces(seed: int) -> None:
    assert all("no room to work" in problem for problem in check(home(seed)))


def test_the_same_home_is_untidy_in_the_same_way() -> None:
    assert make_untidy(tidy(40)) == home(40)
