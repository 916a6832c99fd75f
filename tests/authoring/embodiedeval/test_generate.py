"""A choice of candidates is balanced, and the same each time."""

from __future__ import annotations

import msgspec
import pytest

from homebody.authoring.embodiedeval.generate import KINDS, Candidate, choose, scenes
from homebody.core import HomebodyError
from suites.embodiedeval.small_tasks import task_of

NUMBERS = tuple(map(str, range(1, 9)))


def pool() -> list[Candidate]:
    task = task_of("attribute_qa", "quantity")
    made = []
    for number in range(12):
        right = NUMBERS[number % 3 if number < 9 else 3]
        own = msgspec.structs.replace(
            task, id=f"q-{number}", predicates=(f"choose {right}",), family=f"f{number % 2}"
        )
        made.append(Candidate(own, right, tuple(each for each in NUMBERS if each != right)))
    return made


def test_families_are_even_and_answers_differ() -> None:
    chosen = choose(pool(), {"attribute_qa": 6}, 0)
    assert sorted(task.family for task in chosen) == ["f0"] * 3 + ["f1"] * 3
    assert len({task.predicates for task in chosen}) >= 3
    assert choose(pool(), {"attribute_qa": 6}, 0) == chosen


def test_too_few_are_refused() -> None:
    with pytest.raises(HomebodyError, match="only 12 of 13 tasks"):
        choose(pool(), {"attribute_qa": 13}, 0)


def test_splits_share_no_scene() -> None:
    test, train = scenes("test", 40), scenes("train", 40)
    assert {each.kind for each in test} == set(KINDS)
    assert {each.seed for each in test}.isdisjoint(each.seed for each in train)
