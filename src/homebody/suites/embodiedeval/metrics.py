"""What a run is worth: success, goal-condition success and SPL (section 4.2), and their summary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from homebody.core import Measure, Score
from homebody.suites.embodiedeval.protocol import CUT_LIST, NO_SPL
from homebody.suites.embodiedeval.tasks import CAPABILITIES, CATEGORIES

METRICS: Final = ("success", "gcs", "spl")
QUESTIONS: Final = ("attribute_qa", "spatial_qa")
"""Categories of which the paper gives success only."""


def spl(success: bool, shortest: int, steps: int) -> float:
    """Success weighted by path length: of a run of so many steps, where the shortest successful
    one has so many."""
    longest = max(shortest, steps)
    return shortest / longest if success and longest else float(success)


def goal_conditions(met: Sequence[bool], chosen_at: int | None, quirks: frozenset[str]) -> float:
    """The share of predicates that are met.

    Args:
        met: Of each predicate, whether it is.
        chosen_at: Which of them is ``choose``, if a wrong answer was given.
        quirks: Those that are kept.
    """
    counted = met[: chosen_at + 1] if CUT_LIST in quirks and chosen_at is not None else met
    return sum(counted) / len(counted)


def spl_of(success: bool, shortest: int, steps: int, quirks: frozenset[str]) -> float:
    """SPL, as the quirks have it."""
    return 0.0 if NO_SPL in quirks else spl(success, shortest, steps)


def count(score: Score) -> Counter[str]:
    """What one run adds to the summary."""
    sums: Counter[str] = Counter()
    if not score.valid:
        return sums
    record = score.record
    for group in ("", f"{record['category']} ", *(f"{name} " for name in record["capabilities"])):
        sums[f"{group}tasks"] += 1
        for metric in METRICS:
            sums[f"{group}{metric}"] += record[metric]
    for key in ("steps", "interactions", "interactions_done"):
        sums[key] += record[key]
    sums.update(f"error {kind}" for kind in record["errors"])
    sums["steps used up"] += record["steps_used_up"]
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """All metrics of all tasks, by category and by capability, between 0 and 1, rounded; if
    ``exact``, for tables, percentages, unrounded, and NaN where there are no tasks."""

    def share(part: float, whole: float) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(part / whole, 4) if whole else 0.0

    def of(group: str) -> dict[str, float]:
        return {name: share(sums[f"{group}{name}"], sums[f"{group}tasks"]) for name in METRICS}

    tasks = sums["tasks"]
    return {
        **of(""),
        "by_category": {name: of(f"{name} ") for name in CATEGORIES},
        "by_capability": {name: of(f"{name} ") for name in CAPABILITIES},
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
}
"""Those of the paper's table 2, then success by category and by what a task asks for above all."""
MEASURES: Final[Mapping[str, Measure]] = {"Steps": Measure("steps", best="low")}
