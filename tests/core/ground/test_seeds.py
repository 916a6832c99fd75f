"""Random numbers that depend on names alone."""

from __future__ import annotations

from homebody.core.ground.seeds import generator, shuffle


def test_items_are_shuffled_by_the_seed_alone() -> None:
    items = "abcdefgh"
    mixed = shuffle(generator("a name"), iter(items))
    assert mixed == shuffle(generator("a name"), items) != list(items)
    assert sorted(mixed) == list(items)
    assert shuffle(generator("another"), items) != mixed
    assert shuffle(generator("a name"), ()) == []
