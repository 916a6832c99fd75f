"""Comparisons in words: a table, who did better at how many tasks, and where most."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from homebody.core.shown import shown
from homebody.results.table import aligned

if TYPE_CHECKING:
    from homebody.results.comparison import Comparison, Difference, Rejudged

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
    a, b = (shown(name, 40) for name in found.names)
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
        yield f"    {side}: {shown(why or '-', MAX_WHY)}"
