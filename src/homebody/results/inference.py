"""How sure numbers are, and what a number of tasks can tell; by scipy and statsmodels.

Tasks of a cluster (the same house, the same activity) fare alike, so that a hundred of them tell
less than a hundred from anywhere. All intervals here are of drawing other clusters. See Miller,
"Adding error bars to evals" (2024), for why, and section 4.3 there for pairs.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from homebody.core import HomebodyError

EXTRA: Final = "pip install 'homebody[results]'"
LEVEL: Final = 0.95
"""Of intervals."""
POWER: Final = 0.8
"""With which a difference is to be told."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and how sure it is.

    Attributes:
        mean: Of the numbers.
        error: Its standard error; nan with fewer than two clusters.
        low: Of its interval of :data:`LEVEL`; nan likewise.
        high: Of that.
        p: Of the test that the true mean is 0, two-sided; nan likewise.
        number: How many numbers it is of.
        clusters: How many clusters they are of.
    """

    mean: float
    error: float
    low: float
    high: float
    p: float
    number: int
    clusters: int


def clustered_mean(numbers: Sequence[float], clusters: Sequence[Hashable]) -> Estimate:
    """The mean of some numbers, each of a cluster: cluster-robust (CR1), and t with one degree of
    freedom less than there are clusters.

    Raises:
        HomebodyError: statsmodels is not installed.
        ValueError: there are no numbers, or not as many clusters.
    """
    if not numbers or len(numbers) != len(clusters):
        raise ValueError("each number has to be of a cluster")
    number, groups = len(numbers), len(set(clusters))
    mean = math.fsum(numbers) / number
    if groups < 2:
        return Estimate(mean, math.nan, math.nan, math.nan, math.nan, number, groups)
    if min(numbers) == max(numbers):  # a fit has no spread to work with
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
    """The interval of a share, within 0 to 1 also near them (Wilson, 1927): of as many outcomes as
    would be as sure if none shared a cluster. Where all are the same nothing tells how many that
    are, and each cluster counts as one.

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
    """Whether one of ``k`` tries succeeds, estimated without bias from more (Chen et al., 2021).
    Raises ValueError if there are fewer."""
    return 1.0 - _all_of(k, tries, tries - successes)


def pass_all(k: int, tries: int, successes: int) -> float:
    """Whether all of ``k`` tries succeed, pass^k (Yao et al., 2024); as :func:`pass_at`."""
    return _all_of(k, tries, successes)


def _all_of(k: int, tries: int, such: int) -> float:
    """How likely all of ``k`` that are drawn are of those."""
    if not 1 <= k <= tries or not 0 <= such <= tries:
        raise ValueError(f"{k} of {tries} tries cannot be drawn")
    return math.comb(such, k) / math.comb(tries, k)


@dataclass(frozen=True, slots=True)
class Spread:
    """Of what numbers vary: their variance, in two parts.

    Attributes:
        between: Of tasks: some are harder.
        within: Of tries at one task; nan if there is one try each.
    """

    between: float
    within: float


def spread(tries: Sequence[Sequence[float]]) -> Spread:
    """How numbers vary between tasks and between tries at a task, by restricted maximum
    likelihood.

    Args:
        tries: Of each task its numbers.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    np, api = _statsmodels()
    numbers = np.array([number for task in tries for number in task], float)
    tasks = np.repeat(np.arange(len(tries)), [len(task) for task in tries])
    if len(tries) < 2 or len(numbers) == len(tries):
        return Spread(float(np.var(numbers, ddof=1)) if len(numbers) > 1 else math.nan, math.nan)
    if all(min(task) == max(task) for task in tries):  # a fit has nothing within to work with
        return Spread(float(np.var([task[0] for task in tries], ddof=1)), 0.0)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that nothing lies between tasks is an answer, too
        fit = api.MixedLM(numbers, np.ones((len(numbers), 1)), groups=tasks).fit(reml=True)
    return Spread(max(0.0, float(fit.cov_re[0, 0])), float(fit.scale))


def detectable_difference(deviation: float, number: float) -> float:
    """The smallest true difference that so many differences tell from none, with
    :data:`POWER` at 1 - :data:`LEVEL`.

    Args:
        deviation: Standard deviation of one difference.
        number: Of differences that share nothing; of others as many as tell as much.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    if number < 3:
        return math.inf
    power = _powers()
    effect = power.solve_power(nobs=number, alpha=1 - LEVEL, power=POWER)
    return float(effect) * deviation


def required_number(difference: float, deviation: float) -> int:
    """How many differences that share nothing tell a true one from none; see :func:`detectable`.
    Raises HomebodyError if statsmodels is not installed."""
    if difference <= 0:
        raise ValueError("the difference must be positive")
    if deviation == 0:
        return 2
    power = _powers()
    effect = difference / deviation
    if effect > 5:  # which the search for a root does not stand
        return 3
    number: float = power.solve_power(effect_size=effect, alpha=1 - LEVEL, power=POWER)
    return math.ceil(number)


def holm(values: Sequence[float]) -> list[float]:
    """p-values, corrected for how many were tested (Holm, 1979); nan stays nan and is not counted.
    Raises HomebodyError if statsmodels is not installed."""
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
    """numpy, and what of statsmodels fits models. Raises HomebodyError if it is not installed."""
    try:
        import numpy as np
        import statsmodels.regression.linear_model as linear
        import statsmodels.regression.mixed_linear_model as mixed
    except ImportError:
        raise HomebodyError("statsmodels is not installed", EXTRA) from None
    from types import SimpleNamespace

    return np, SimpleNamespace(OLS=linear.OLS, MixedLM=mixed.MixedLM)
