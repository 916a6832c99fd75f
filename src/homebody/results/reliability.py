"""Intervals, variance and detectable differences of a run, one row per metric."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Final

from homebody.results.inference import (
    clustered_mean,
    detectable_difference,
    pass_all,
    pass_at,
    required_number,
    share_interval,
    spread,
)
from homebody.results.samples import Sample, SampledRun

WANTED: Final = 0.05
"""The difference for which the table gives the required number of tasks."""


def reliability(run: SampledRun) -> Iterator[Mapping[str, str]]:
    """Yield a row per metric of a run.

    It has the mean in percent, the clustered 95 % interval, the Wilson interval of a proportion,
    and the variance between tasks and between tries. ``detectable`` is the minimum detectable
    difference between two such independent runs at 80 % power, and the last column is the number of
    tasks that detect five points. With several epochs, pass@k and pass^k of success follow.

    Raises:
        HomebodyError: statsmodels is not installed.
    """
    counted = [sample for sample in run.samples if sample.valid]
    tries: dict[str, list[Sample]] = {}
    for sample in counted:
        tries.setdefault(sample.identifier, []).append(sample)
    if not counted:
        return
    epochs = min(map(len, tries.values()))
    for metric in counted[0].metrics:
        by_task = [[each.metrics[metric] for each in of] for of in tries.values()]
        means = [math.fsum(of) / len(of) for of in by_task]
        clusters = [of[0].cluster for of in tries.values()]
        estimate = clustered_mean(means, clusters)
        is_share = all(value in (0, 1) for of in by_task for value in of)
        parts = spread(by_task)
        # of a difference between two independent runs
        deviation = math.sqrt(2 * estimate.clusters) * estimate.error
        tasks_a_cluster = len(tries) / estimate.clusters
        row = {
            "metric": metric,
            "mean": _percent(estimate.mean),
            "95 %": _interval(estimate.low, estimate.high),
            "Wilson": _interval(*share_interval([m == 1 for m in means], clusters))
            if is_share and epochs == 1
            else "",
            "between tasks": f"{parts.between:.3f}",
            "between tries": "" if math.isnan(parts.within) else f"{parts.within:.3f}",
            "detectable": "-",
            f"tasks for {WANTED:.0%}": "-",
        }
        if deviation > 0:  # without variance nothing can be estimated
            row["detectable"] = _percent(detectable_difference(deviation, estimate.clusters))
            row[f"tasks for {WANTED:.0%}"] = str(
                math.ceil(required_number(WANTED, deviation) * tasks_a_cluster)
            )
        yield row
        if metric == "success" and epochs > 1:
            for k in range(2, epochs + 1):
                for name, estimator in ((f"pass@{k}", pass_at), (f"pass^{k}", pass_all)):
                    of_tasks = [estimator(k, len(of), int(sum(of))) for of in by_task]
                    estimate = clustered_mean(of_tasks, clusters)
                    yield dict.fromkeys(row, "") | {
                        "metric": name,
                        "mean": _percent(estimate.mean),
                        "95 %": _interval(estimate.low, estimate.high),
                    }


def _percent(share: float) -> str:
    return "-" if not math.isfinite(share) else f"{100 * share:.1f}"


def _interval(low: float, high: float) -> str:
    return "-" if math.isnan(low) else f"{100 * low:.1f} to {100 * high:.1f}"
