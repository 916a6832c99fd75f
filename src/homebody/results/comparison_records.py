"""Two runs beside each other, task by task: what differs, and that in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.core.ground.escaping import escape
from homebody.results.inference import Estimate
from homebody.results.table import aligned

FEW_CLUSTERS: Final = 10
"""Fewer are too few for intervals to be trusted."""
SURE: Final = 0.05
"""p-values below it tell."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How one metric differs: of B, less that of A, over the tasks that both have.

    Attributes:
        metric: Its name.
        first: Mean of A.
        second: Mean of B.
        of_pairs: Mean difference, with its interval and paired test.
        p: Of that test, corrected for all metrics that were tested; nan if it was not.
        detectable: The smallest difference that so many tasks would tell from none.
    """

    metric: str
    first: float
    second: float
    of_pairs: Estimate
    p: float
    detectable: float

    @property
    def is_sure(self) -> bool:
        """Whether it is more than chance."""
        return self.p < SURE


@dataclass(frozen=True, slots=True)
class Change:
    """A task that did better in one run than in the other.

    Attributes:
        task: Its id.
        first: Its number in A, the mean of its tries.
        second: That in B.
        why_first: The explanation of A's worst try.
        why_second: That of B's.
    """

    task: str
    first: float
    second: float
    why_first: str
    why_second: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs beside each other.

    Attributes:
        suite: Of both.
        names: Of A and B.
        differences: Of each metric that both have.
        metric: By which tasks are won and lost.
        won: Tasks that B did better, by how much, then by id.
        lost: Those that A did better.
        ties: How many are as good in both.
        unpaired: How many tasks only one has.
        clusters: Of the tasks that both have.
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

    def __str__(self) -> str:
        return "\n".join([*comparison_lines(self), *self.warnings])

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be known before anything is concluded."""
        told = []
        if self.unpaired:
            told.append(f"{self.unpaired} tasks are in one run only, and in no number")
        if self.clusters < FEW_CLUSTERS:
            told.append(
                f"there are only {self.clusters} clusters of tasks: intervals are too narrow"
            )
        for each in self.differences:
            if each.metric == self.metric and not each.is_sure:
                told.append(
                    f"this sample cannot tell: it takes a difference in {each.metric} of"
                    f" {100 * each.detectable:.1f} points to be told in four of five such samples"
                    if math.isfinite(each.detectable)
                    else f"this sample cannot tell any difference in {each.metric}"
                )
        return tuple(told)


@dataclass(frozen=True, slots=True)
class Rejudged:
    """An output on which two protocols do not agree.

    Attributes:
        task: Its id.
        epoch: From 1.
        first: Whether it succeeds under A.
        second: Whether it does under B.
        quirks: Those each of which alone, kept or mended in A, gives B's verdict; none if it
            takes several of them.
        why_first: The explanation under A.
        why_second: That under B.
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
"""Tasks of each kind that are shown if nobody says otherwise."""
MAX_WHY: Final = 300
"""Characters of an explanation."""


def difference_record(each: Difference) -> dict[str, str]:
    """A row of the table of metrics, in percent."""
    pairs = each.of_pairs
    return {
        "metric": each.metric,
        "A": f"{100 * each.first:.1f}",
        "B": f"{100 * each.second:.1f}",
        "B - A": f"{100 * pairs.mean:+.1f}",
        "95 %": "-"
        if math.isnan(pairs.low)
        else f"{100 * pairs.low:+.1f} to {100 * pairs.high:+.1f}",
        "p (Holm)": "-" if math.isnan(each.p) else f"{each.p:.3g}",
        "sure": "yes" if each.is_sure else "",
    }


def comparison_lines(found: Comparison, show: int = SHOWN) -> Iterator[str]:
    """Two runs beside each other, with so many tasks of each kind and their explanations."""
    a, b = (escape(name, 40) for name in found.names)
    tasks = found.differences[0].of_pairs.number
    yield f"{found.suite}, A: {a}, B: {b}; {tasks} tasks in {found.clusters} clusters, in %"
    yield from aligned([difference_record(each) for each in found.differences]).splitlines()
    yield (
        f"{found.metric}: B does better at {len(found.won)} tasks, A at {len(found.lost)};"
        f" {found.ties} are as good in both"
    )
    for what, changes in (("A did better", found.lost), ("B did better", found.won)):
        if changes[:show]:
            yield f"Where {what}:"
        for change in changes[:show]:
            yield f"  {change.task}: {100 * change.first:.0f} -> {100 * change.second:.0f}"
            yield from _whys(change.why_first, change.why_second)


def rejudged_lines(
    found: Sequence[Rejudged], names: Sequence[str], outputs: int, show: int = SHOWN
) -> Iterator[str]:
    """Which verdicts of so many outputs differ between two protocols, and by what."""
    won = sum(each.second for each in found)
    a, b = names
    yield f"A: {a}, B: {b}; {outputs} outputs"
    yield f"{len(found)} verdicts differ: {won} succeed under B alone, {len(found) - won} under A"
    for quirk, count in Counter(quirk for each in found for quirk in each.quirks).most_common():
        yield f"  {quirk}: {count} by itself"
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
