"""The summary of the abilities that end in a plan: what is counted, and the published summary.json.

The published summaries of the three modules say the same and are laid out differently; how, is a
:class:`Layout`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from homebody.core import Measure, Protocol, Reporting, Score
from homebody.core.suite import Summary
from homebody.core.viewing import Ability, PlanTrace, Viewing
from homebody.suites.eai.plan_results import GRAMMAR, KINDS, RUNTIME
from homebody.suites.eai.reading import OFF_FORMAT

T = TypeVar("T")

ERRORS = {**GRAMMAR, **{name: (error,) for name, error in RUNTIME.items()}}


def count(score: Score) -> Counter[str]:
    """What one output adds to the numerators and denominators of the summary."""
    sums: Counter[str] = Counter()
    if not score.valid:
        return sums
    row = score.record
    sums["tasks"] = 1
    sums["success"] = row["success"]
    sums["executable"] = row["executable"]
    sums["additional_step"] = row["counts"]["additional_steps"]
    for kind, (met, total) in row["goals_met"].items():
        sums[f"{kind} met"], sums[f"{kind} goals"] = met, total
    for name, errors in ERRORS.items():
        if row["error_type"] in errors:
            sums[name] = row["counts"]["grammar_errors"] or 1
    return sums


def _as_counted(*names: str) -> Mapping[str, str]:
    return MappingProxyType({name: name for name in names})


def viewing(traced: Callable[[T, str, Protocol], PlanTrace | None]) -> Viewing[T]:
    """What is shown of answers that end in a plan: what it did, by ``traced``."""
    return Viewing(
        trace=traced,
        abilities=(Ability("Planning"),),
        faults={*GRAMMAR, *RUNTIME, "additional_step"},
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """How a published summary.json is laid out.

    Attributes:
        sections: Its two parts, in their order.
        whole: What a rate of all is written as: 1, or 100 for percentages.
        kinds: The kinds of goals that there are; rates of others are 0.
        total: What the rate of all goals is called.
        runtime_errors: Runtime errors, in their order -> what they are called.
        executable_digits: To which the rate of executable plans is rounded; others to 4.
        undefined: What 0 of 0 is written as.
    """

    sections: tuple[str, str] = ("goal_evaluation", "trajectory_evaluation")
    whole: int = 1
    kinds: tuple[str, ...] = KINDS
    total: str = "total_goal"
    runtime_errors: Mapping[str, str] = field(
        default_factory=lambda: _as_counted(*RUNTIME, "additional_step")
    )
    executable_digits: int = 4
    undefined: float = 0.0

    def columns(self) -> dict[str, tuple[str, ...]]:
        """Columns of the paper's tables -> where they are in the summary."""
        goals, run = "goal_evaluation", "trajectory_evaluation"
        affordance = self.runtime_errors["affordance_error"]
        return {
            "Task SR": (goals, "task_success_rate"),
            **{kind.capitalize(): (goals, f"{kind}_goal") for kind in self.kinds},
            "Total": (goals, self.total),
            "Exec SR": (run, "execution_success_rate"),
            "Parsing": (run, "grammar_error", "parsing"),
            "Halluc.": (run, "grammar_error", "hallucination"),
            "Arg. num.": (run, "grammar_error", "predicate_argument_number"),
            "Wrong order": (run, "runtime_error", "wrong_order"),
            "Missing": (run, "runtime_error", "missing_step"),
            "Affordance": (run, "runtime_error", affordance),
            "Additional": (run, "runtime_error", "additional_step"),
        }

    def reporting(self, measures: Mapping[str, Measure] = MappingProxyType({})) -> Reporting:
        """What is told of scores that are laid out like this, and of ``measures`` in records."""
        return Reporting(
            means={"Partial": "progress"},
            measures={**measures, **OFF_FORMAT},
            summary=Summary(count, self.rates, self.columns()),
        )

    def rates(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """The summary of added-up counts, rounded as the published one; if ``exact``, for tables:
        percentages, unrounded, and NaN for 0 of 0."""

        def rate(part: float, whole: float, digits: int = 4) -> float:
            if exact:
                return 100.0 * part / whole if whole else math.nan
            return round(self.whole * part / whole, digits) if whole else self.undefined

        def share(name: str, digits: int = 4) -> float:
            return rate(sums[name], sums["tasks"], digits)

        def of_goals(kind: str) -> float:
            return rate(sums[f"{kind} met"], sums[f"{kind} goals"]) if kind in self.kinds else 0

        met, goals = (
            sum(sums[f"{kind} {number}"] for kind in self.kinds) for number in ("met", "goals")
        )
        parts = {
            "goal_evaluation": {
                "task_success_rate": share("success"),
                **{f"{kind}_goal": of_goals(kind) for kind in KINDS},
                self.total: rate(met, goals),
            },
            "trajectory_evaluation": {
                "execution_success_rate": share("executable", self.executable_digits),
                "grammar_error": {name: share(name) for name in GRAMMAR},
                "runtime_error": {
                    written: share(name) for name, written in self.runtime_errors.items()
                },
            },
        }
        return {section: parts[section] for section in self.sections}
