"""Rank correlations: equal to other programs' where those have them, and to their definitions."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from homebody.results.correlation import correlate, wilson

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=3, max_size=25).filter(
    lambda found: len({x for x, _ in found}) > 1 and len({y for _, y in found}) > 1
)
Pairs = list[tuple[int, int]]


def columns(found: Pairs) -> tuple[list[int], list[int]]:
    return [x for x, _ in found], [y for _, y in found]


def test_textbook_numbers() -> None:
    """What SciPy 1.17 gives for them, ties and all."""
    found = correlate([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])
    assert found.spearman == pytest.approx(0.8207826816681233)
    assert found.kendall == pytest.approx(0.7378647873726218)


@pytest.mark.parametrize(
    ("share", "size", "low", "high"),
    [
        (0.3, 20, 0.14547724486760433, 0.5189728183535234),
        (1.0, 7, 0.6456695649333126, 1.0),
        (0.0, 9, 0.0, 0.29914504841954404),
    ],
)
def test_textbook_intervals(share: float, size: int, low: float, high: float) -> None:
    assert wilson(share, size) == (pytest.approx(low), pytest.approx(high))


@given(pairs)
def test_kendall_counts_pairs(found: Pairs) -> None:
    agree = not_x = not_y = 0
    for (x, y), (x2, y2) in itertools.combinations(found, 2):
        agree += ((x > x2) - (x < x2)) * ((y > y2) - (y < y2))
        not_x += x != x2
        not_y += y != y2
    tau = correlate(*columns(found), permutations=10).kendall
    assert tau == pytest.approx(agree / math.sqrt(not_x * not_y))


@given(pairs)
def test_spearman_is_pearson_of_ranks(found: Pairs) -> None:
    x, y = columns(found)
    rho = correlate(x, y, permutations=10).spearman
    assert rho == pytest.approx(np.corrcoef(rankdata(x), rankdata(y))[0, 1], abs=1e-9)


@given(pairs)
def test_only_the_order_counts_and_turning_it_round_changes_the_sign(found: Pairs) -> None:
    x, y = columns(found)
    plain = correlate(x, y, permutations=200)
    assert correlate([math.exp(v) for v in x], y, permutations=200) == plain
    turned = correlate([-v for v in x], y, permutations=200)
    assert turned.spearman == pytest.approx(-plain.spearman)
    assert turned.kendall == pytest.approx(-plain.kendall)
    assert turned.p == plain.p


@given(pairs, st.integers(0, 3))
def test_the_same_seed_gives_the_same_p(found: Pairs, seed: int) -> None:
    x, y = columns(found)
    first = correlate(x, y, permutations=50, seed=seed)
    assert correlate(x, y, permutations=50, seed=seed) == first
    assert 1 / 51 <= first.p <= 1


def test_p_is_that_of_all_shuffles() -> None:
    x, y = [1, 2, 3, 4, 5, 6], [0, 0, 1, 0, 1, 1]
    rho = correlate(x, y, permutations=10).spearman
    every = [
        abs(correlate(x, other, permutations=0).spearman) >= rho - 1e-9
        for other in itertools.permutations(y)
    ]
    exact = sum(every) / len(every)
    assert correlate(x, y, permutations=20_000).p == pytest.approx(exact, abs=0.01)


def test_unrelated_numbers_are_rarely_significant() -> None:
    generator = np.random.default_rng(5)
    found = [
        correlate(
            generator.integers(0, 6, 40).tolist(),
            generator.integers(0, 2, 40).tolist(),
            permutations=200,
            seed=at,
        ).p
        for at in range(200)
    ]
    assert 0.01 <= np.mean(np.array(found) <= 0.05) <= 0.1


@pytest.mark.parametrize(
    ("x", "y", "why"),
    [
        ([], [], "fewer than 3 tasks"),
        ([1], [0], "fewer than 3 tasks"),
        ([1, 2], [0, 1], "fewer than 3 tasks"),
        ([2, 2, 2], [0, 1, 0], "goals is always the same"),
        ([1, 2, 3], [1, 1, 1], "success is always the same"),
        ([2, 2, 2], [1, 1, 1], "goals and success are always the same"),
    ],
)
def test_where_there_is_none_it_is_said_why(x: list[int], y: list[int], why: str) -> None:
    found = correlate(x, y, names=("goals", "success"))
    assert all(map(math.isnan, (found.spearman, found.kendall, found.p)))
    assert found.why_none == why
    assert correlate([1, 2, 3], [0, 1, 0]).why_none == ""


def test_without_scipy_there_is_none_and_it_is_said_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    found = correlate([1, 2, 3], [0, 1, 0])
    assert all(map(math.isnan, (found.spearman, found.kendall, found.p)))
    assert found.why_none == "scipy is not installed: pip install 'homebody[results]'"
    assert correlate([1, 2], [0, 1]).why_none == "fewer than 3 tasks"


def test_unequal_lengths_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 numbers against 2"):
        correlate([1, 2, 3], [1, 2])


@given(st.floats(0, 1), st.integers(0, 10_000))
def test_intervals_hold_the_share_and_shrink(share: float, size: int) -> None:
    low, high = wilson(share, size)
    assert 0 <= low <= (share if size else 0)
    assert (share if size else 1) <= high <= 1
    wider = wilson(share, size // 2)
    assert wider[0] <= low + 1e-9
    assert high <= wider[1] + 1e-9
