"""Standard errors by jackknife."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence


def jackknife(
    statistic: Callable[[Mapping[str, float]], Sequence[float]],
    counts: Mapping[str, Mapping[str, float]],
) -> list[float]:
    """Return standard errors of statistics of sums, omitting one cluster at a time.

    Args:
        statistic: Sums of counts -> numbers, such as micro-averaged rates.
        counts: Cluster -> sums of the counts of all outputs of its tasks.

    Returns:
        One error per number; ``nan`` with fewer than two clusters.
    """
    total: Counter[str] = Counter()
    for own in counts.values():
        total.update(own)
    size = len(counts)
    if size < 2:
        return [math.nan] * len(statistic(total))
    without = [
        statistic(Counter({name: value - own.get(name, 0) for name, value in total.items()}))
        for own in counts.values()
    ]
    errors = []
    for values in zip(*without, strict=True):
        mean = math.fsum(values) / size
        spread = math.fsum((value - mean) ** 2 for value in values)
        errors.append(math.sqrt((size - 1) / size * spread))
    return errors
