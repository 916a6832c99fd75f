"""The published summary.json of the abilities that end in a plan.

The published summaries of the three modules have the same content in different layouts; a
:class:`Layout` describes one.
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
from homebody.suites.eai.solution import show_solution

T = TypeVar("T")

ERRORS = {**GRAMMAR, **{name: (error,) for name, error in RUNTIME.items()}}


def count(score: Score) -> Counter[str]:
    """Count one output in the numerators and denominators of the summary."""
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


def _same_names(*names: str) -> Mapping[str, str]:
    return MappingProxyType({name: name for name in names})


def make_viewing(traced: Callable[[T, str, Protocol], PlanTrace | None]) -> Viewing[T]:
    """Return the viewing for outputs that end in a plan. ``traced`` executes an output."""
    return Viewing(
        trace=traced,
        abilities=(Ability("Planning"),),
        faults={*GRAMMAR, *RUNTIME, "additional_step"},
        solution=show_solution,
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a published summary.json.

    Attributes:
        sections: Its two parts, in order.
        whole: The value of a full rate: 1, or 100 for percentages.
        kinds: Kinds of goals that the world has. The rates of other kinds are 0.
        total: Name of the rate of all goals.
        runtime_errors: Runtime errors, in order -> their names in the summary.
        executable_digits: Number of digits to which the rate of executable plans is rounded. Other
            rates have 4.
        undefined: Value written for 0 of 0.
    """

    sections: tuple[str, str] = ("goal_evaluation", "trajectory_evaluation")
    whole: int = 1
    kinds: tuple[str, ...] = KINDS
    total: str = "total_goal"
    runtime_errors: Mapping[str, str] = field(
        default_factory=lambda: _same_names(*RUNTIME, "additional_step")
    )
    executable_digits: int = 4
    undefined: float = 0.0

    def columns(self) -> dict[str, tuple[str, ...]]:
        """Return the columns of the paper's tables, with the path of each in the summary."""
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
        """Return the reporting of scores in this layout, with ``measures`` from records."""
        return Reporting(
            means={"Partial": "progress"},
            measures={**measures, **OFF_FORMAT},
            summary=Summary(count, self.rates, self.columns()),
        )

    def rates(self, sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
        """Compute the summary from added-up counts.

        Rates are rounded as in the published summary. If ``exact``, for tables, they are unrounded
        percentages, and NaN for 0 of 0.
        """

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
