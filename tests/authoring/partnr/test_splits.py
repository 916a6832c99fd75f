"""Which houses are in which split."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.authoring.partnr import splits
from homebody.authoring.partnr.splits import hosts, houses_for, scenes, split_of
from homebody.core import HomebodyError
from homebody.worlds.house.generation.generate import generate


def test_no_house_is_in_two_splits() -> None:
    found = {split: set(scenes(split)) for split in splits.SPLITS}
    assert [len(found[split]) for split in splits.SPLITS] == [37, 13, 10]
    assert not found["train"] & found["val"]
    assert not found["train"] & found["test"]
    assert not found["val"] & found["test"]
    for split, some in found.items():
        assert {split_of(seed) for seed in some} == {split}


@given(st.integers(0, 2**40))
def test_of_twenty_houses_in_a_row_one_is_of_val_and_one_of_test(seed: int) -> None:
    row = [split_of(seed + more) for more in range(20)]
    assert (row.count("val"), row.count("test"), row.count("train")) == (1, 1, 18)


@pytest.mark.slow
def test_houses_can_host_and_differ_in_size() -> None:
    for split in splits.SPLITS:
        houses = [generate(seed, "home", things=0, people=0) for seed in scenes(split)]
        assert all(hosts(house) for house in houses)
        assert len({len(house.rooms) for house in houses}) >= 4


def test_what_hosts() -> None:
    house = generate(scenes("val")[0], "home", things=0, people=0)
    kitchen = next(room for room in house.rooms if room.kind == "kitchen")
    others = tuple(room for room in house.rooms if room is not kitchen)
    assert hosts(house)
    assert not hosts(replace(house, rooms=others))
    assert not hosts(replace(house, rooms=house.rooms[:2]))
    dry = ("sink", "washbasin", "bathtub", "shower")
    assert not hosts(
        replace(house, furniture=tuple(f for f in house.furniture if f.category not in dry))
    )
    useful = [one for one in house.furniture if one.receptacles]
    sink = next(one for one in useful if one.category == "sink")
    rest = [one for one in useful if one is not sink][: splits.MIN_PIECES - 1]
    assert hosts(replace(house, furniture=(sink, *rest)))
    assert not hosts(replace(house, furniture=(sink, *rest[1:])))


def test_most_houses_can_host() -> None:
    known = scenes("train", 60)
    candidates = [seed for seed in range(known[-1] + 1) if split_of(seed) == "train"]
    assert len(known) > 0.85 * len(candidates)


@given(st.sampled_from(splits.SPLITS), st.integers(1, 5_000))
def test_episodes_are_shared_out_evenly(split: str, episodes: int) -> None:
    shares = houses_for(split, episodes)
    counts = [count for _, count in shares]
    assert sum(counts) == episodes
    assert max(counts) - min(counts) <= 1
    assert min(counts) >= 1
    assert tuple(seed for seed, _ in shares) == scenes(split, len(shares))


def test_many_episodes_have_many_houses_but_for_val_and_test(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(splits, "hosts", lambda house: True)
    monkeypatch.setattr(splits, "generate", lambda *args, **options: None)
    splits._houses_so_far.cache_clear()
    try:
        assert len(houses_for("train", 100_000)) == 500
        assert {count for _, count in houses_for("train", 100_000)} == {200}
        assert len(houses_for("train", 100_001)) == 501
        assert len(houses_for("val", 100_000)) == 13
        assert len(houses_for("test", 1_000)) == 10
    finally:
        splits._houses_so_far.cache_clear()


@pytest.mark.parametrize("call", [scenes, lambda split: houses_for(split, 1)])
def test_an_unknown_split_is_refused(call: object) -> None:
    with pytest.raises(HomebodyError, match="unknown split: 'dev'"):
        call("dev")  # type: ignore[operator]
