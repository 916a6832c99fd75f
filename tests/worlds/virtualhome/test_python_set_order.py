"""Sets are replayed from where the last replay ended, and come to the same."""

from __future__ import annotations

import random

import pytest

from homebody.core import Object, State
from homebody.worlds.virtualhome import python_set_order
from homebody.worlds.virtualhome.python_set_order import order_targets

THINGS = [f"thing.{number}" for number in (1, 2, 3, 9, 17, 33, 65, 100, 1001, 2049)]
ORDER = {("INSIDE", "key.5"): ("thing.9", "thing.1", "thing.1001")}


def chain(seed: int, length: int) -> list[State]:
    """A state and what became of it, a key being put into things and taken out of them."""
    generator = random.Random(seed)
    objects = [Object(name, "thing") for name in (*THINGS, "key.5")]
    facts = [("INSIDE", "key.5", name) for name in ORDER["INSIDE", "key.5"]]
    states = [State.from_facts(objects, facts)]
    for _ in range(length):
        delete = generator.sample(THINGS, generator.randrange(3))
        add = generator.sample(THINGS, generator.randrange(3))
        states.append(
            states[-1].change(
                [("INSIDE", "key.5", name) for name in delete],
                [("INSIDE", "key.5", name) for name in add],
            )
        )
    return states


@pytest.mark.parametrize("seed", range(40))
def test_who_asks_on_the_way_is_told_the_same_at_the_end(seed: int) -> None:
    once = order_targets(chain(seed, 60)[-1], ORDER, "INSIDE", "key.5")
    asked = [
        order_targets(state, ORDER, "INSIDE", "key.5") for state in chain(seed, 60)[:: seed % 5 + 1]
    ]
    states = chain(seed, 60)
    for state in states[:: seed % 5 + 1]:
        assert order_targets(state, ORDER, "INSIDE", "key.5") == asked.pop(0)
    assert order_targets(states[-1], ORDER, "INSIDE", "key.5") == once
    assert order_targets(states[-1], ORDER, "INSIDE", "key.5") == once  # and when asked again


def test_a_long_run_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each state is asked, and each replay began with the first of them all."""
    numbers = []
    read = python_set_order._id
    monkeypatch.setattr(python_set_order, "_id", lambda name: numbers.append(name) or read(name))
    for state in chain(0, 2_000):
        order_targets(state, ORDER, "INSIDE", "key.5")
    assert len(numbers) < 40_000
