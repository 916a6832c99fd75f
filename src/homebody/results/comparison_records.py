"""Records of a comparison of two runs, task by task, and their text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.core.ground.escaping import escape
from homebody.results.inference import Estimate
from homebody.results.table import align

FEW_CLUSTERS: Final = 10
"""Minimum number of clusters. With fewer clusters, intervals are too narrow."""
SURE: Final = 0.05
"""Significance level."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of one metric, B minus A, over the tasks that both runs have.

    Attributes:
        metric: Name of the metric.
        first: Mean of A.
        second: Mean of B.
        of_pairs: Mean difference with its interval and paired test.
        p: p-value, corrected for all tested metrics; nan if it was not tested.
        detectable: Minimum detectable difference at 80 % power.
    """

    metric: str
    first: float
    second: float
    of_pairs: Estimate
    p: float
    detectable: float

    @property
    def is_sure(self) -> bool:
        """True if the difference is significant."""
        return self.p < SURE


@dataclass(frozen=True, slots=True)
class Change:
    """A task whose metric differs between the runs.

    Attributes:
        task: Id of the task.
        first: Mean over its samples in A.
        second: Mean over its samples in B.
        why_first: Explanation of A's worst sample.
        why_second: Explanation of B's worst sample.
    """

    task: str
    first: float
    second: float
    why_first: str
    why_second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two runs.

    Attributes:
        suite: Name of their suite.
        names: Names of A and B.
        differences: Differences of the metrics that both runs have.
        metric: The metric that decides which tasks are won and lost.
        won: Tasks with a better metric in B, by difference, then by id.
        lost: Tasks with a better metric in A.
        ties: Number of tasks with equal metrics.
        unpaired: Number of tasks that only one run has.
        clusters: Number of clusters of the tasks that both runs have.
        prompt_note: A sentence if the runs received differently worded prompts.
    """

    suite: str
    names: tuple[str, str]
    differences: tuple[Difference, ...]
    metric: str
    won: tuple[Change, ...]
    lost: tuple[Change, ...]
    ties: int
    unpaired: int
    clusters: int
    prompt_note: str = ""

    def __str__(self) -> str:
        return "\n".join([*comparison_lines(self), *self.warnings])

    @property
    def warnings(self) -> tuple[str, ...]:
        """Caveats of the comparison."""
        found = [self.prompt_note] if self.prompt_note else []
        if self.unpaired:
            found.append(f"{self.unpaired} tasks are in one run only and are excluded")
        if self.clusters < FEW_CLUSTERS:
            found.append(
                f"there are only {self.clusters} clusters of tasks: intervals are too narrow"
            )
        for each in self.differences:
            if each.metric == self.metric and not each.is_sure:
                found.append(
                    f"the difference in {each.metric} is not significant; the minimum detectable"
                    f" difference is {100 * each.detectable:.1f} points at 80 % power"
                    if math.isfinite(each.detectable)
                    else f"too few tasks to detect any difference in {each.metric}"
                )
        return tuple(found)


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """An output with different verdicts under two protocols.

    Attributes:
        task: Id of the task.
        epoch: Epoch, from 1.
        first: True if it succeeds under A.
        second: True if it succeeds under B.
        quirks: Quirks that explain the verdict: changing any one of them in A gives B's verdict.
            Empty if several must be changed together.
        why_first: Explanation under A.
        why_second: Explanation under B.
    """

    task: str
    epoch: int
    first: bool
    second: bool
    quirks: tuple[str, ...]
    why_first: str
    why_second: str


# -- in words -------------------------------------------------------------------------------------

SHOWN: Final = 5
"""Default number of tasks shown per kind."""
MAX_WHY: Final = 300
"""Maximum characters of an explanation."""


def paired_cells(first: float, second: float, pairs: Estimate, scale: float = 1) -> dict[str, str]:
    """Return the cells of the means of A and B, multiplied by ``scale``, and of their paired
    difference."""
    low, high = scale * pairs.low, scale * pairs.high
    return {
        "A": f"{scale * first:.1f}",
        "B": f"{scale * second:.1f}",
        "B - A": f"{scale * pairs.mean:+.1f}",
        "95 %": "-" if math.isnan(low) else f"{low:+.1f} to {high:+.1f}",
    }


def difference_record(each: Difference) -> dict[str, str]:
    """Return a row of the table of metrics, in percent."""
    return {
        "metric": each.metric,
        **paired_cells(each.first, each.second, each.of_pairs, 100),
        "p (Holm)": "-" if math.isnan(each.p) else f"{each.p:.3g}",
        "sure": "yes" if each.is_sure else "",
    }


def comparison_lines(found: Comparison, show: int = SHOWN) -> Iterator[str]:
    """Yield the lines of a comparison, with ``show`` tasks per kind and their explanations."""
    a, b = (escape(name, 40) for name in found.names)
    tasks = found.differences[0].of_pairs.number
    yield f"{found.suite}, A: {a}, B: {b}; {tasks} tasks in {found.clusters} clusters, in %"
    yield from align([difference_record(each) for each in found.differences]).splitlines()
    yield (
        f"{found.metric}: B is better at {len(found.won)} tasks, A at {len(found.lost)};"
        f" {found.ties} are equal"
    )
    for what, changes in (("A is better", found.lost), ("B is better", found.won)):
        if changes[:show]:
            yield f"Where {what}:"
        for change in changes[:show]:
            yield f"  {change.task}: {100 * change.first:.0f} -> {100 * change.second:.0f}"
            yield from _whys(change.why_first, change.why_second)


def rejudged_lines(
    found: Sequence[VerdictChange], names: Sequence[str], outputs: int, show: int = SHOWN
) -> Iterator[str]:
    """Yield the lines about outputs whose verdicts differ between two protocols, and why."""
    won = sum(each.second for each in found)
    a, b = names
    yield f"A: {a}, B: {b}; {outputs} outputs"
    yield f"{len(found)} verdicts differ: {won} succeed under B alone, {len(found) - won} under A"
    for quirk, count in Counter(quirk for each in found for quirk in each.quirks).most_common():
        yield f"  {quirk}: {count} alone"
    if together := sum(not each.quirks for each in found):
        yield f"  several together: {together}"
    for each in found[:show]:
        verdicts = " -> ".join("success" if ok else "failure" for ok in (each.first, each.second))
        quirks = ", ".join(each.quirks) or "several together"
        yield f"{each.task}, {each.epoch}: {verdicts} ({quirks})"
        yield from _whys(each.why_first, each.why_second)


def _whys(first: str, second: str) -> Iterator[str]:
    for side, why in (("A", first), ("B", second)):
        yield f"    {side}: {escape(why or '-', MAX_WHY)}"
