"""Standard errors: equal to the textbook's where the textbook has one."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.results.jackknife import jackknife

values = st.floats(0, 1, allow_nan=False)
Counts = dict[str, dict[str, float]]


def counts_of(numbers: Sequence[float], epochs: int = 1) -> Counts:
    """One task per number, asked ``epochs`` times with the same result."""
    return {f"task {at}": {"x": x * epochs, "n": epochs} for at, x in enumerate(numbers)}


def mean(sums: Mapping[str, float]) -> list[float]:
    return [sums["x"] / sums["n"] if sums["n"] else 0.0]


def same(value: float) -> object:
    return pytest.approx(value, rel=1e-6, abs=1e-7)


@given(st.lists(values, min_size=2, max_size=60))
def test_of_a_mean_it_is_the_textbooks(numbers: list[float]) -> None:
    textbook = statistics.stdev(numbers) / math.sqrt(len(numbers))
    assert jackknife(mean, counts_of(numbers)) == [same(textbook)]


@given(st.lists(values, min_size=2, max_size=30), st.integers(2, 5))
def test_asking_again_does_not_make_it_surer_about_other_tasks(
    numbers: list[float], epochs: int
) -> None:
    once, often = (jackknife(mean, counts_of(numbers, times))[0] for times in (1, epochs))
    assert often == same(once)


@given(st.lists(values, min_size=2, max_size=30), st.randoms(use_true_random=False))
def test_the_order_of_tasks_does_not_matter(numbers: list[float], shuffled: random.Random) -> None:
    counts = list(counts_of(numbers).items())
    before = jackknife(mean, dict(counts))
    shuffled.shuffle(counts)
    assert jackknife(mean, dict(counts)) == [same(before[0])]


def test_of_equal_numbers_it_is_zero() -> None:
    assert jackknife(mean, counts_of([0.5] * 50)) == [same(0.0)]


def test_each_statistic_has_its_own() -> None:
    def mean_and_double(sums: Mapping[str, float]) -> list[float]:
        return [mean(sums)[0], 2 * mean(sums)[0]]

    one, two = jackknife(mean_and_double, counts_of([0.0, 1.0, 1.0, 0.0, 1.0]))
    assert two == same(2 * one)


def test_of_a_ratio_it_is_near_that_of_many_draws() -> None:
    """A micro-averaged rate, whose parts vary together, has no textbook formula."""
    generator = random.Random(7)

    def draw() -> Counts:
        asked = [generator.randint(1, 5) for _ in range(200)]
        return {
            str(at): {"x": sum(generator.random() < 0.7 for _ in range(n)), "n": n}
            for at, n in enumerate(asked)
        }

    def total(counts: Counts) -> dict[str, float]:
        return {name: sum(own[name] for own in counts.values()) for name in ("x", "n")}

    truth = statistics.stdev(mean(total(draw()))[0] for _ in range(300))
    estimate = statistics.fmean(jackknife(mean, draw())[0] for _ in range(30))
    assert estimate == pytest.approx(truth, rel=0.15)


@pytest.mark.parametrize("tasks", [0, 1])
def test_one_task_says_nothing_about_others(tasks: int) -> None:
    assert all(map(math.isnan, jackknife(mean, counts_of([0.5] * tasks))))
