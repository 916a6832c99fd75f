"""How sure a number is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from homebody.core import Score

GROUPS = 20


def jackknife(
    statistic: Callable[[Sequence[Score]], Sequence[float]],
    scores: Sequence[Score],
    groups: int = GROUPS,
) -> list[float]:
    """Standard errors of any statistics of scores, by the delete-a-group jackknife.

    Tasks are dealt into groups in order; all outputs for a task (epochs) stay together, so that
    the error is that of drawing other tasks. ``nan`` with fewer than two tasks.

    Args:
        statistic: Scores -> numbers, such as micro-averaged rates.
        scores: The scores of one model.
        groups: How many groups; the number of tasks, if that is smaller.
    """
    order = {name: at for at, name in enumerate(dict.fromkeys(s.identifier for s in scores))}
    groups = min(groups, len(order))
    if groups < 2:
        return [math.nan] * len(statistic(scores))
    without = [
        statistic([s for s in scores if order[s.identifier] % groups != group])
        for group in range(groups)
    ]
    errors = []
    for values in zip(*without, strict=True):
        mean = math.fsum(values) / groups
        spread = math.fsum((value - mean) ** 2 for value in values)
        errors.append(math.sqrt((groups - 1) / groups * spread))
    return errors
