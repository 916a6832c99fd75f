"""Rank correlation with ties by scipy, its permutation test, and intervals of shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from homebody.results.inference import EXTRA

PERMUTATIONS = 10_000
MIN_TASKS = 3
"""Two tasks that differ always have a correlation of 1 or -1."""
_CHUNK = 1_000
_SAME = 1e-9
"""Correlations this close are equal: sums may round differently from machine to machine."""
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Correlation:
    """How far one number goes up or down with another.

    Attributes:
        spearman: rho, in [-1, 1]; ``nan`` if there is none.
        kendall: tau-b, in [-1, 1]; ``nan`` likewise.
        p: Share of shuffles at least as far from zero as ``spearman``, in (0, 1]; ``nan``
            likewise. Where one of the numbers is only ever 0 or 1, it is the p of ``kendall`` too:
            both then are the same sum of ranks, scaled.
        why_none: Why there is none: too few tasks, numbers that are all the same, or no scipy;
            empty if there is one.
    """

    spearman: float
    kendall: float
    p: float
    why_none: str = ""


def correlate(
    x: Sequence[float],
    y: Sequence[float],
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
    names: tuple[str, str] = ("the first", "the second"),
) -> Correlation:
    """Correlation of two numbers of each task, called ``names``, with a two-sided test. Raises
    ValueError on unequal lengths."""
    if len(x) != len(y):
        raise ValueError(f"{len(x)} numbers against {len(y)}")
    same = [name for name, own in zip(names, (x, y), strict=True) if len(set(own)) < 2]
    why_none = ""
    if len(x) < MIN_TASKS:
        why_none = f"fewer than {MIN_TASKS} tasks"
    elif same:
        why_none = f"{' and '.join(same)} {'is' if len(same) == 1 else 'are'} always the same"
    else:
        try:
            from scipy import stats
        except ImportError:
            why_none = f"scipy is not installed: {EXTRA}"
    if why_none:
        return Correlation(math.nan, math.nan, math.nan, why_none)
    first, second = (stats.rankdata(own) - (len(own) + 1) / 2 for own in (x, y))
    spread = math.sqrt(float(first @ first) * float(second @ second))
    rho = float(first @ second) / spread
    generator = np.random.default_rng(seed)
    extreme = 0
    for start in range(0, permutations, _CHUNK):
        copies = np.tile(second, (min(_CHUNK, permutations - start), 1))
        drawn = generator.permuted(copies, axis=1) @ first / spread
        extreme += int(np.count_nonzero(np.abs(drawn) >= abs(rho) - _SAME))
    # the pairing at hand is one of the shuffles, so p is never 0
    kendall = float(stats.kendalltau(x, y).statistic)
    return Correlation(min(1.0, max(-1.0, rho)), kendall, (extreme + 1) / (permutations + 1))


def wilson(share: float, size: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share of ``size`` draws; all of [0, 1] for no draws.

    A share of draws that are themselves between 0 and 1 varies less than one of zeros and ones,
    so for it the interval is too wide, not too narrow.
    """
    if not size:
        return 0.0, 1.0
    square = _Z95 * _Z95 / size
    middle = (share + square / 2) / (1 + square)
    half = _Z95 / (1 + square) * math.sqrt(share * (1 - share) / size + square / (4 * size))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
