"""Confidence intervals, tests and power, with scipy and statsmodels.

Tasks of a cluster (the same house, the same activity) are correlated, so all intervals here are
clustered. See Miller, "Adding error bars to evals" (2024); for pairs, its section 4.3.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homebody.core import HomebodyError

EXTRA: Final = "pip install 'homebody[results]'"
LEVEL: Final = 0.95
"""Confidence level of intervals."""
POWER: Final = 0.8
"""Power at which a difference is detectable."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its uncertainty.

    Attributes:
        mean: Mean of the numbers.
        error: Standard error; nan with fewer than two clusters.
        low: Lower end of the interval of :data:`LEVEL`; nan likewise.
        high: Upper end; nan likewise.
        p: Two-sided p-value for a true mean of 0; nan likewise.
        number: Count of numbers.
        clusters: Count of clusters.
    """

    mean: float
    error: float
    low: float
    high: float
    p: float
    number: int
    clusters: int


def clustered_mean(numbers: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """Estimate the mean of numbers in clusters.

    The standard error is cluster-robust (CR1). Intervals and p-values use Student's t, with one
    degree of freedom fewer than there are clusters.

    Args:
        numbers: The numbers.
        clusters: The cluster of each number.

    Raises:
        HomebodyError: statsmodels is not installed.
        ValueError: There are no numbers, or the lengths differ.
    """
    if not numbers or len(numbers) != len(clusters):
        raise ValueError("each number needs a cluster")
    number, groups = len(numbers), len(set(clusters))
    mean = math.fsum(numbers) / number
    if groups < 2:
        return Estimate(mean, math.nan, math.nan, math.nan, math.nan, number, groups)
    if min(numbers) == max(numbers):  # a fit needs variance
        return Estimate(mean, 0.0, mean, mean, float(mean == 0), number, groups)
    np, api = _statsmodels()
    codes = {cluster: at for at, cluster in enumerate(dict.fromkeys(clusters))}
    fit = api.OLS(np.asarray(numbers, float), np.ones(number)).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.array([codes[each] for each in clusters])},
        use_t=True,
    )
    ((low, high),) = fit.conf_int(1 - LEVEL)
    return Estimate(
        mean, float(fit.bse[0]), float(low), float(high), float(fit.pvalues[0]), number, groups
    )


def share_interval(outcomes: Sequence[bool], clusters: Sequence[Hashable]) -> tuple[float, float]:
    """Return the Wilson interval (1927) of a proportion of clustered outcomes.

    It uses the effective sample size. If all outcomes are equal, that size is the number of
    clusters.

    Raises:
        HomebodyError: statsmodels is not installed.
        ValueError: as :func:`clustered_mean`.
    """
    estimate = clustered_mean([float(outcome) for outcome in outcomes], clusters)
    share, number = estimate.mean, float(estimate.clusters)
    if estimate.error > 0:
        number = min(share * (1 - share) / estimate.error**2, float(estimate.number))
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(share * number, number, alpha=1 - LEVEL, method="wilson")
    return float(low), float(high)


def pass_at(k: int, tries: int, successes: int) -> float:
    """Return the unbiased estimate of pass@k (Chen et al., 2021): one of ``k`` tries succeeds.

    Raises:
        ValueError: There are fewer than ``k`` tries.
    """
    return 1.0 - _all_of(k, tries, tries - successes)


def pass_all(k: int, tries: int, successes: int) -> float:
    """Return the estimate of pass^k (Yao et al., 2024): all of ``k`` tries succeed.

    Raises:
        ValueError: There are fewer than ``k`` tries.
    """
    return _all_of(k, tries, successes)


def _all_of(k: int, tries: int, such: int) -> float:
    """Return the probability that all of ``k`` sampled tries are among the ``such`` tries."""
    if not 1 <= k <= tries or not 0 <= such <= tries:
        raise ValueError(f"cannot sample {k} of {tries} tries")
    return math.comb(such, k) / math.comb(tries, k)


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of numbers in two parts.

    Attributes:
        between: Variance between tasks.
        within: Variance between tries at a task; nan with one try each.
    """

    between: float
    within: float


def spread(tries: Sequence[Sequence[float]]) -> Spread:
    """Estimate the variance between tasks and between tries by restricted maximum likelihood.

    Args:
        tries: The numbers of each task.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    np, api = _statsmodels()
    numbers = np.array([number for task in tries for number in task], float)
    tasks = np.repeat(np.arange(len(tries)), [len(task) for task in tries])
    if len(tries) < 2 or len(numbers) == len(tries):
        return Spread(float(np.var(numbers, ddof=1)) if len(numbers) > 1 else math.nan, math.nan)
    if all(min(task) == max(task) for task in tries):  # a fit needs variance within tasks
        return Spread(float(np.var([task[0] for task in tries], ddof=1)), 0.0)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no variance between tasks is a valid result
        fit = api.MixedLM(numbers, np.ones((len(numbers), 1)), groups=tasks).fit(reml=True)
    return Spread(max(0.0, float(fit.cov_re[0, 0])), float(fit.scale))


def detectable_difference(deviation: float, number: float) -> float:
    """Return the minimum detectable difference at :data:`POWER` and level 1 - :data:`LEVEL`.

    Args:
        deviation: Standard deviation of one difference.
        number: Number of independent differences, or the effective number.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    if number < 3:
        return math.inf
    power = _powers()
    effect = power.solve_power(nobs=number, alpha=1 - LEVEL, power=POWER)
    return float(effect) * deviation


def required_number(difference: float, deviation: float) -> int:
    """Return the number of independent differences that is needed to detect a true difference.

    See :func:`detectable_difference`. Raises HomebodyError if statsmodels is not installed.
    """
    if difference <= 0:
        raise ValueError("the difference must be positive")
    if deviation == 0:
        return 2
    power = _powers()
    effect = difference / deviation
    if effect > 5:  # the solver fails beyond
        return 3
    number: float = power.solve_power(effect_size=effect, alpha=1 - LEVEL, power=POWER)
    return math.ceil(number)


def holm(values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests (Holm, 1979); nan stays nan and is not counted.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    _statsmodels()
    from statsmodels.stats.multitest import multipletests

    tested = [value for value in values if not math.isnan(value)]
    corrected = iter(multipletests(tested, method="holm")[1] if tested else ())
    return [value if math.isnan(value) else float(next(corrected)) for value in values]


def _powers() -> Any:
    _statsmodels()
    from statsmodels.stats.power import TTestPower

    return TTestPower()


def _statsmodels() -> tuple[Any, Any]:
    """Import numpy and statsmodels. Raises HomebodyError if it is not installed."""
    try:
        import numpy as np
        import statsmodels.regression.linear_model as linear
        import statsmodels.regression.mixed_linear_model as mixed
    except ImportError:
        raise HomebodyError("statsmodels is not installed", EXTRA) from None
    from types import SimpleNamespace

    return np, SimpleNamespace(OLS=linear.OLS, MixedLM=mixed.MixedLM)
