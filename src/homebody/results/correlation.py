"""Rank correlation with ties (scipy), its permutation test, and intervals of proportions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from homebody.results.inference import EXTRA

PERMUTATIONS = 10_000
MIN_TASKS = 3
"""Minimum number of tasks. Two different tasks always have a correlation of 1 or -1."""
_CHUNK = 1_000
_SAME = 1e-9
"""Maximum difference of correlations that count as equal, because rounding differs between
machines."""
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Correlation:
    """A rank correlation.

    Attributes:
        spearman: rho in [-1, 1]; nan if undefined.
        kendall: tau-b in [-1, 1]; nan if undefined.
        p: Share of shuffles whose correlation is at least as far from zero as ``spearman``, in (0,
            1]; nan if undefined. If one variable is binary, it is also the p of ``kendall``.
        why_none: The reason why it is undefined (too few tasks, constant values, no scipy);
            otherwise empty.
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
    """Correlate two variables, called ``names`` in messages, with a two-sided test.

    Raises:
        ValueError: The lengths differ.
    """
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
    # the observed pairing is one of the shuffles, so p is never 0
    kendall = float(stats.kendalltau(x, y).statistic)
    return Correlation(min(1.0, max(-1.0, rho)), kendall, (extreme + 1) / (permutations + 1))


def wilson(share: float, size: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a proportion; [0, 1] if ``size`` is 0.

    For the mean of values between 0 and 1 the interval is conservative.
    """
    if not size:
        return 0.0, 1.0
    square = _Z95 * _Z95 / size
    middle = (share + square / 2) / (1 + square)
    half = _Z95 / (1 + square) * math.sqrt(share * (1 - share) / size + square / (4 * size))
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
