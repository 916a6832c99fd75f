"""A choice of candidates is balanced, and the same each time."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest

from homebody.authoring.embodiedeval.generate import KINDS, Candidate, choose, scenes
from homebody.authoring.embodiedeval.make import numbers_around
from homebody.core import HomebodyError
from leaks import rank_scores
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


def test_no_length_and_no_number_is_right_too_often() -> None:
    task, made = task_of("attribute_qa", "quantity"), []
    for number in range(64):
        right = number % 16 + 1 if number < 32 else 1
        wrong = numbers_around(right, np.random.default_rng(number))
        own = msgspec.structs.replace(
            task, id=f"q-{number}", predicates=(f"choose {right}",), family=f"f{number % 2}"
        )
        made.append(Candidate(own, str(right), wrong))
    chosen = choose(made, {"attribute_qa": 16}, 0)
    asked = [[int(each.text) for each in one.answers] for one in chosen]
    right = [int(one.predicates[-1].removeprefix("choose ")) for one in chosen]
    places = Counter(texts.index(own) for texts, own in zip(asked, right, strict=True))
    assert max(places.values()) <= 3
    assert abs(rank_scores((a, a.index(b)) for a, b in zip(asked, right, strict=True))["rank"]) < 1


def test_too_few_are_refused() -> None:
    with pytest.raises(HomebodyError, match="only 12 of 13 tasks"):
        choose(pool(), {"attribute_qa": 13}, 0)


def test_splits_share_no_scene() -> None:
    test, train = scenes("test", 40), scenes("train", 40)
    assert {each.kind for each in test} == set(KINDS)
    assert {each.seed for each in test}.isdisjoint(each.seed for each in train)
