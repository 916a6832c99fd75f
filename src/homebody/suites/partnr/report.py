"""The summary of many scores and its table columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from homebody.core import Measure, Score
from homebody.core.score import share_of
from homebody.suites.partnr.episodes.kinds import KINDS
from homebody.suites.partnr.settings import ROBOT


def count(score: Score) -> Counter[str]:
    """Return the counts of one score for the sums of the summary."""
    sums: Counter[str] = Counter()
    if score.valid:
        sums["tasks"] = 1
        sums["success"] = score.record["success"]
        sums["complete"] = score.record["percent_complete"]
        for kind in score.record["kinds"]:
            sums[f"{kind} tasks"] = 1
            sums[f"{kind} success"] = score.record["success"]
            sums[f"{kind} complete"] = score.record["percent_complete"]
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Return success rate and percent complete, over all tasks and by type of task.

    Rates are between 0 and 1, rounded. If ``exact``, for tables, they are unrounded percentages,
    and NaN where there are no tasks."""
    share = partial(share_of, exact=exact)

    def of(prefix: str) -> dict[str, float]:
        tasks = sums[f"{prefix}tasks"]
        return {
            "success_rate": share(sums[f"{prefix}success"], tasks),
            "percent_complete": share(sums[f"{prefix}complete"], tasks),
        }

    return {**of(""), "by_type": {kind: of(f"{kind} ") for kind in KINDS}}


def robot_share(met: Sequence[Mapping[str, Any]]) -> float | None:
    """Return the robot's share of the sub-tasks that somebody did, from the key ``met`` of a
    record; None if nobody did any. In a successful run it is the task offloading of the paper."""
    shares = [(ROBOT in each["by"]) / len(each["by"]) for each in met if each["by"]]
    return sum(shares) / len(shares) if shares else None


COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "Success": ("success_rate",),
    "Complete": ("percent_complete",),
    **{kind.capitalize(): ("by_type", kind, "success_rate") for kind in KINDS},
}
"""Columns of the table. The last four are success by type of task."""
MEASURES: Final[Mapping[str, Measure]] = {
    "Steps": Measure("steps", best="low"),
    "Cycles": Measure("cycles", best="low"),
    "Offloading": Measure("offloading", percent=True),
    "Extraneous": Measure("extraneous", percent=True, best="low"),
    "Exploration": Measure("exploration", best="low"),
    "Metres": Measure("moved", best="low"),
}
CROSS_PLAY: Final[Mapping[str, Measure]] = {
    "Success": Measure("success", percent=True),
    "Complete": Measure("percent_complete", percent=True),
    "Steps": MEASURES["Steps"],
    "Share of work": Measure("met", percent=True, read=robot_share),
    "Extraneous": MEASURES["Extraneous"],
}
"""Columns of the table of agents beside partners, which play the human."""
