"""Standard errors: equal to the textbook's where the textbook has one."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Score
from homebody.results.statistics import GROUPS, jackknife

values = st.floats(0, 1, allow_nan=False)


def scores_of(numbers: Sequence[float], repeats: int = 1) -> list[Score]:
    """One task per number, and ``repeats`` equal outputs for it."""
    return [
        Score(f"task {at}", {"x": x}, {}) for _ in range(repeats) for at, x in enumerate(numbers)
    ]


def mean(scores: Sequence[Score]) -> list[float]:
    return [statistics.fmean(score.metrics["x"] for score in scores)]


def standard_error(numbers: Sequence[float]) -> float:
    """Of a mean, from the textbook."""
    return statistics.stdev(numbers) / math.sqrt(len(numbers))


def same(value: float) -> object:
    return pytest.approx(value, rel=1e-6, abs=1e-9)


@given(st.lists(values, min_size=2, max_size=GROUPS))
def test_of_a_mean_over_few_tasks_it_is_the_textbooks(numbers: list[float]) -> None:
    assert jackknife(mean, scores_of(numbers)) == [same(standard_error(numbers))]


@given(st.lists(values, min_size=GROUPS, max_size=60))
def test_deleting_one_task_at_a_time_it_is_the_textbooks(numbers: list[float]) -> None:
    assert jackknife(mean, scores_of(numbers), groups=len(numbers)) == [
        same(standard_error(numbers))
    ]


@given(st.lists(values, min_size=GROUPS, max_size=GROUPS), st.integers(2, 4))
def test_with_equal_groups_it_is_that_of_the_group_means(numbers: list[float], size: int) -> None:
    dealt = [x + at / 10 for at in range(size) for x in numbers]
    assert jackknife(mean, scores_of(dealt)) == [same(standard_error(numbers))]


@given(st.lists(values, min_size=2, max_size=30), st.integers(2, 5))
def test_asking_again_does_not_make_it_surer_about_other_tasks(
    numbers: list[float], epochs: int
) -> None:
    assert jackknife(mean, scores_of(numbers, epochs)) == [
        same(jackknife(mean, scores_of(numbers))[0])
    ]


def test_the_order_of_epochs_does_not_matter() -> None:
    together = [score for score in scores_of([0.0, 0.5, 1.0, 0.25]) for _ in range(3)]
    apart = scores_of([0.0, 0.5, 1.0, 0.25], repeats=3)
    assert jackknife(mean, together) == [same(jackknife(mean, apart)[0])]


def test_of_equal_numbers_it_is_zero() -> None:
    assert jackknife(mean, scores_of([0.5] * 50)) == [same(0.0)]


def test_each_statistic_has_its_own() -> None:
    def mean_and_double(scores: Sequence[Score]) -> list[float]:
        return [mean(scores)[0], 2 * mean(scores)[0]]

    one, two = jackknife(mean_and_double, scores_of([0.0, 1.0, 1.0, 0.0, 1.0]))
    assert two == same(2 * one)


def test_of_a_ratio_it_is_near_that_of_many_draws() -> None:
    """A micro-averaged rate, whose parts vary together, has no textbook formula."""
    generator = random.Random(7)

    def draw() -> list[Score]:
        asked = [generator.randint(1, 5) for _ in range(200)]
        return [
            Score(str(at), {"met": sum(generator.random() < 0.7 for _ in range(n)), "n": n}, {})
            for at, n in enumerate(asked)
        ]

    def rate(scores: Sequence[Score]) -> list[float]:
        return [sum(s.metrics["met"] for s in scores) / sum(s.metrics["n"] for s in scores)]

    truth = statistics.stdev(rate(draw())[0] for _ in range(300))
    estimate = statistics.fmean(jackknife(rate, draw())[0] for _ in range(30))
    assert estimate == pytest.approx(truth, rel=0.15)


@pytest.mark.parametrize("repeats", [1, 5])
def test_one_task_says_nothing_about_others(repeats: int) -> None:
    (error,) = jackknife(mean, scores_of([0.5], repeats))
    assert math.isnan(error)


def test_no_task_says_nothing_at_all() -> None:
    first, second = jackknife(lambda scores: [0.0, 0.0], [])
    assert math.isnan(first)
    assert math.isnan(second)
