"""Intervals, pass@k, variance and power: against textbooks, scipy, and data of known truth."""

from __future__ import annotations

import itertools
import math
import random
from statistics import fmean, variance

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.results.inference import (
    clustered_mean,
    detectable_difference,
    holm,
    pass_all,
    pass_at,
    required_number,
    share_interval,
    spread,
)

pytest.importorskip("statsmodels")
stats = pytest.importorskip("scipy.stats")


def test_without_clusters_it_is_the_textbook_interval() -> None:
    numbers = [float(x) for x in np.random.default_rng(1).normal(3.0, 2.0, 40)]
    found = clustered_mean(numbers, range(40))
    expected = stats.ttest_1samp(numbers, 0.0)
    low, high = expected.confidence_interval(0.95)
    assert found.mean == pytest.approx(fmean(numbers))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-6)
    assert found.p == pytest.approx(expected.pvalue, rel=1e-6)
    assert found.error == pytest.approx(math.sqrt(variance(numbers) / 40), rel=1e-6)


def test_copies_tell_nothing_more() -> None:
    """Each number five times in its cluster: as sure as each number once."""
    numbers = [0.0, 1.0, 1.0, 0.0, 1.0, 1.0]
    once = clustered_mean(numbers, range(6))
    often = clustered_mean(numbers * 5, [*range(6)] * 5)
    assert (often.mean, often.clusters, often.number) == (once.mean, 6, 30)
    # but for the correction for small samples, which counts numbers, too
    assert often.error == pytest.approx(once.error, rel=0.01)


@pytest.mark.parametrize(("numbers", "error"), [([1.0], True), ([1.0, 1.0, 0.0], True)])
def test_one_cluster_tells_nothing(numbers: list[float], error: bool) -> None:
    found = clustered_mean(numbers, ["same"] * len(numbers))
    assert math.isnan(found.error) is error
    assert math.isnan(found.p)


def test_wilson_is_that_of_the_textbook() -> None:
    """Wilson's interval for 9 of 10, as in Newcombe (1998), table I: 81 of 263, and 0 of 20."""
    for successes, number, low, high in ((81, 263, 0.2553, 0.3662), (0, 20, 0.0, 0.1611)):
        outcomes = [at < successes for at in range(number)]
        found = share_interval(outcomes, range(number))
        assert found == pytest.approx((low, high), abs=8e-4)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
@settings(max_examples=50)
def test_intervals_of_shares_are_shares(outcomes: list[tuple[bool, int]]) -> None:
    low, high = share_interval([each for each, _ in outcomes], [at for _, at in outcomes])
    share = fmean(each for each, _ in outcomes)
    assert 0.0 <= low <= share + 1e-9
    assert share - 1e-9 <= high <= 1.0


@pytest.mark.parametrize(("tries", "successes"), [(5, 0), (5, 2), (6, 3), (4, 4)])
def test_pass_at_k_is_that_of_all_draws(tries: int, successes: int) -> None:
    outcomes = [at < successes for at in range(tries)]
    for k in range(1, tries + 1):
        draws = list(itertools.combinations(outcomes, k))
        assert pass_at(k, tries, successes) == pytest.approx(fmean(any(draw) for draw in draws))
        assert pass_all(k, tries, successes) == pytest.approx(fmean(all(draw) for draw in draws))
        assert pass_at(k, tries, successes) == pytest.approx(
            stats.hypergeom.sf(0, tries, successes, k)
        )
    with pytest.raises(ValueError, match="cannot sample"):
        pass_at(tries + 1, tries, successes)


@pytest.mark.slow
def test_variance_is_split_as_it_was_made() -> None:
    rng = np.random.default_rng(7)
    hard = rng.normal(0.0, 2.0, 400)
    found = spread([[float(x) for x in rng.normal(each, 1.0, 5)] for each in hard])
    assert found.between == pytest.approx(4.0, rel=0.2)
    assert found.within == pytest.approx(1.0, rel=0.1)
    # of a balanced design it is what the analysis of variance gives
    tries = [[float(x) for x in rng.normal(each, 1.0, 3)] for each in hard[:60]]
    within = fmean(variance(task) for task in tries)
    between = variance([fmean(task) for task in tries]) - within / 3
    found = spread(tries)
    assert (found.between, found.within) == pytest.approx((between, within), rel=1e-2)


@pytest.mark.parametrize("tries", [[[1.0, 1.0], [0.0, 0.0]], [[0.5, 0.5], [0.5, 0.5]]])
def test_who_always_does_the_same_varies_between_tasks_alone(tries: list[list[float]]) -> None:
    assert spread(tries).within == 0.0
    assert math.isnan(spread([[1.0], [0.0]]).within)


def test_power_is_that_of_the_paired_t_test() -> None:
    """34 pairs tell half a standard deviation (Cohen, 1988, table 2.4.1, for pairs)."""
    assert required_number(0.5, 1.0) == 34
    assert detectable_difference(1.0, 34) == pytest.approx(0.5, abs=0.01)
    assert detectable_difference(0.5, 2) == math.inf
    rng = np.random.default_rng(3)
    number, told = required_number(0.1, 0.3), 0
    for _ in range(400):
        told += (
            clustered_mean([float(x) for x in rng.normal(0.1, 0.3, number)], range(number)).p < 0.05
        )
    assert told / 400 == pytest.approx(0.8, abs=0.06)


def test_p_values_are_corrected_for_how_many_there_are() -> None:
    """Holm's procedure by hand: the smallest times four, the next times three, never falling."""
    assert holm([0.01, 0.04, math.nan, 0.03, 0.005]) == pytest.approx(
        [0.03, 0.06, math.nan, 0.06, 0.02], nan_ok=True
    )
    assert holm([]) == []


def drawn(rng: np.random.Generator, clusters: int, truth: float) -> tuple[list[float], list[int]]:
    """Successes at tasks whose chance hangs on their cluster; clusters have 2 to 12 tasks."""
    numbers: list[float] = []
    groups: list[int] = []
    for cluster in range(clusters):
        chance = rng.beta(4 * truth, 4 * (1 - truth))
        size = int(rng.integers(2, 13))
        numbers += [float(x) for x in rng.random(size) < chance]
        groups += [cluster] * size
    return numbers, groups


def coverage(runs: int, truth: float, clusters: int) -> tuple[float, float]:
    """How often intervals hold the truth: those of clusters, and those that know of none."""
    rng = np.random.default_rng(11)
    held = naive = 0
    for _ in range(runs):
        numbers, groups = drawn(rng, clusters, truth)
        for found, is_naive in (
            (clustered_mean(numbers, groups), False),
            (clustered_mean(numbers, range(len(numbers))), True),
        ):
            if found.low <= truth <= found.high:
                naive += is_naive
                held += not is_naive
    return held / runs, naive / runs


def test_intervals_hold_the_truth() -> None:
    held, naive = coverage(300, 0.6, 40)
    assert 0.91 <= held <= 0.985
    assert naive < 0.91  # as they take tasks of a house for tasks of many


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.3, 0.6])
def test_intervals_hold_the_truth_as_often_as_they_say(truth: float) -> None:
    held, _ = coverage(2_000, truth, 40)
    assert 0.93 <= held <= 0.97


def test_any_numbers_of_any_clusters_give_an_estimate() -> None:
    rng = random.Random(5)
    for _ in range(100):
        size = rng.randint(1, 12)
        numbers = [rng.choice([0.0, 1.0, 0.5, 1e-300]) for _ in range(size)]
        found = clustered_mean(numbers, [rng.randint(0, 3) for _ in range(size)])
        assert math.isnan(found.error) or found.low <= found.mean <= found.high
