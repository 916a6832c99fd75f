"""A share of the attack: nothing that it tries breaks a promise.

`pytest -m slow` tries twice as many others (with `HOMEBODY_THOROUGH=1`, all of them),
`pytest -m attack` more; `python benchmarks/attack.py` for as long as one likes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

import pytest

from hostile.readers import reader
from hostile.target import Prepared, Target, attack, case_of, tried
from hostile.targets import targets
from suites.played import ALIKE
from thorough import THOROUGH

OUTPUTS, OTHERS = 80, 20
"""Cases of a suite and of another target, besides the crafted ones."""
MORE = 50
"""Times as many with ``-m attack``."""
SHARE = 8
"""Of so many cases one is in every run of the tests."""
TARGETS = targets()
OFTEN_ENOUGH = {"etplan.manipulation_relation", "playing etplan.several_two_arms"}
"""Of the two rows that stand for all, the outputs of one and the play of the other will do."""
IN_HOMES = {"etplan.several_two_arms", "playing etplan.manipulation_relation"}
"""Those that take longest to prepare: each task has a home with lines of sight."""
DRAWN = {"playing embodiedeval.test"}
"""Those that draw pictures, and take longest."""
USUAL = [name for name in TARGETS if not ALIKE.search(name) and name not in OFTEN_ENOUGH]


def attacked(name: str, times: int = 1, every: int = 1, first: int = 0) -> None:
    target = TARGETS[name]
    prepared = target.prepare()
    mutated = (OUTPUTS if target.is_suite else OTHERS) * times
    # those of one world after the other, as only the last worlds are kept
    numbers = range(first, len(prepared.crafted) + mutated, every)
    cases = sorted(numbers, key=lambda index: case_of(target, prepared, index).which)
    broken = (outcome for outcome in attack(target, prepared, cases) if outcome.problem)
    for outcome in broken:
        pytest.fail(f"{name}:{outcome.case.index} {outcome.case.input[:300]!r}\n{outcome.problem}")


@pytest.mark.parametrize("name", [name for name in USUAL if name not in IN_HOMES | DRAWN])
@pytest.mark.usefixtures("eai_data", "behavior_data")
def test_nothing_is_broken_by_a_few(name: str) -> None:
    attacked(name, every=SHARE)


@pytest.mark.slow
@pytest.mark.parametrize("name", USUAL)
@pytest.mark.usefixtures("eai_data", "behavior_data")
def test_nothing_is_broken(name: str) -> None:
    if THOROUGH:
        attacked(name)
    else:  # those that no other run tries
        attacked(name, every=2 * SHARE if name in DRAWN else SHARE // 2, first=SHARE // 4)


@pytest.mark.attack
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.usefixtures("eai_data", "behavior_data")
def test_nothing_is_broken_by_more(name: str) -> None:
    attacked(name, MORE)


# -- the attack itself -----------------------------------------------------------------------------


def toy(read: Callable[[str], object], *errors: type[Exception]) -> tuple[Target, Prepared]:
    prepared = reader(['{"a": [1, "b c"]}', "(and (p ?x) q)"], read, *errors)
    return Target("toy", lambda: prepared), prepared


def test_a_case_is_the_same_always() -> None:
    target, prepared = toy(len)
    cases = [case_of(target, prepared, index) for index in range(200)]
    assert cases == [case_of(target, prepared, index) for index in range(200)]
    assert len({case.input for case in cases}) > 100
    assert max(len(case.input) for case in cases) > 1_000


def test_what_is_not_documented_is_found() -> None:
    def read(text: str) -> object:
        if "]" not in text:
            raise KeyError(len(text))
        return text

    target, prepared = toy(read)
    problems = [outcome.problem for outcome in attack(target, prepared, range(100))]
    assert any("KeyError" in problem for problem in problems)
    assert not all(problems)
    toys = toy(read, KeyError)
    assert not any(outcome.problem for outcome in attack(*toys, range(100)))


def test_it_is_found_that_a_second_time_gives_something_else() -> None:
    numbers = count()
    target, prepared = toy(lambda text: next(numbers))
    outcome = tried(target, prepared, case_of(target, prepared, 10))
    assert "other bytes the second time" in outcome.problem


def test_messages_are_no_books() -> None:
    def read(text: str) -> object:
        raise ValueError("x" * Random(text).choice((10, 10_000)))

    toys = toy(read, ValueError)
    problems = [outcome.problem for outcome in attack(*toys, range(20))]
    assert any("the message has 10" in problem for problem in problems)
    assert "" in problems
