"""Success, goal-condition success and SPL of a run (section 4.2), and their summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from homebody.core import Measure, Score
from homebody.core.score import share_of
from homebody.suites.embodiedeval.protocol import CUT_LIST, NO_SPL
from homebody.suites.embodiedeval.tasks import CAPABILITIES, CATEGORIES

METRICS: Final = ("success", "gcs", "spl")
QUESTIONS: Final = ("attribute_qa", "spatial_qa")
"""Categories for which the paper reports success only."""
LENGTHS: Final = {"1-5": (1, 5), "6-10": (6, 10), "11-15": (11, 15), "16-24": (16, 24)}
"""Number of steps of the shortest run: its name -> minimum and maximum (after the paper's figure
5)."""


def spl(success: bool, shortest: int, steps: int) -> float:
    """Return success weighted by path length, relative to the shortest successful run."""
    longest = max(shortest, steps)
    return shortest / longest if success and longest else float(success)


def goal_conditions(met: Sequence[bool], chosen_at: int | None, quirks: frozenset[str]) -> float:
    """Return the share of predicates that are met.

    Args:
        met: Whether each predicate is met.
        chosen_at: Index of ``choose`` if a wrong answer was given.
        quirks: The kept quirks.
    """
    counted = met[: chosen_at + 1] if CUT_LIST in quirks and chosen_at is not None else met
    return sum(counted) / len(counted)


def spl_of(success: bool, shortest: int, steps: int, quirks: frozenset[str]) -> float:
    """Return SPL under the kept quirks."""
    return 0.0 if NO_SPL in quirks else spl(success, shortest, steps)


def count(score: Score) -> Counter[str]:
    """Return the counts of one score for the sums of the summary."""
    sums: Counter[str] = Counter()
    if not score.valid:
        return sums
    record = score.record
    own = [record["category"], *record["capabilities"]]
    shortest = record["shortest"] or 0  # of runs recorded elsewhere it is unknown
    own += [name for name, (least, most) in LENGTHS.items() if least <= shortest <= most]
    for group in ("", *(f"{name} " for name in own)):
        sums[f"{group}tasks"] += 1
        for metric in METRICS:
            sums[f"{group}{metric}"] += record[metric]
    for key in ("steps", "interactions", "interactions_done"):
        sums[key] += record[key]
    sums.update(f"error {kind}" for kind in record["errors"])
    sums["steps used up"] += record["steps_used_up"]
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Return all metrics over all tasks, by category and by capability.

    They are between 0 and 1, rounded. If ``exact``, for tables, they are unrounded percentages, and
    NaN where there are no tasks."""
    share = partial(share_of, exact=exact)

    def of(group: str) -> dict[str, float]:
        return {name: share(sums[f"{group}{name}"], sums[f"{group}tasks"]) for name in METRICS}

    tasks = sums["tasks"]
    return {
        **of(""),
        "by_category": {name: of(f"{name} ") for name in CATEGORIES},
        "by_capability": {name: of(f"{name} ") for name in CAPABILITIES},
        "by_length": {name: of(f"{name} ") for name in LENGTHS},
        "mean_steps": round(sums["steps"] / tasks, 2) if tasks else 0.0,
        "interactions_done": share(sums["interactions_done"], sums["interactions"]),
        "steps_used_up": share(sums["steps used up"], tasks),
        "errors": {
            kind.removeprefix("error "): int(number)
            for kind, number in sorted(sums.items())
            if kind.startswith("error ")
        },
    }


_SHORT: Final = {
    "attribute_qa": "Attr QA",
    "spatial_qa": "Spat QA",
    "navigation": "Nav",
    "object_interaction": "Object",
    "social_interaction": "Social",
}
COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "Success": ("success",),
    "GcS": ("gcs",),
    "SPL": ("spl",),
    **{short: ("by_category", name, "success") for name, short in _SHORT.items()},
    **{
        name.replace("_", " ").capitalize(): ("by_capability", name, "success")
        for name in CAPABILITIES
    },
    **{f"{name} steps": ("by_length", name, "success") for name in LENGTHS},
}
"""The columns of the paper's table 2, then success by category, by capability, and by the number
of steps of the shortest run."""
MEASURES: Final[Mapping[str, Measure]] = {"Steps": Measure("steps", best="low")}
