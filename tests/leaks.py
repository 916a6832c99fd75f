"""Rules that guess what a task is about from lists and names alone, compared with chance."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence, Set
from statistics import fmean, pvariance

RULES = ("first", "last", "highest number", "lowest number", "first in the alphabet")


def guess_wanted(lists: Iterable[tuple[Sequence[str], Set[str]]]) -> dict[str, tuple[float, ...]]:
    """Return rule -> its rate of wanted names among its guesses, the rate of chance, and how many
    standard deviations lie between them.

    Args:
        lists: For each task, the names in the order in which an agent reads them, and the wanted
            ones. In each list a rule guesses as many names as are wanted; rules on numbers do so
            among the names of a kind, if only some of them are wanted.
    """
    tried = {rule: [0.0, 0.0, 0.0, 0.0] for rule in RULES}
    for names, wanted in lists:
        there = wanted & set(names)
        _try(tried["first"], names, there)
        _try(tried["last"], names[::-1], there)
        _try(tried["first in the alphabet"], sorted(names), there)
        kinds: dict[str, list[str]] = {}
        for name in names:
            kinds.setdefault(split_name(name)[0], []).append(name)
        for alike in kinds.values():
            ordered = sorted(alike, key=split_name)
            _try(tried["lowest number"], ordered, there & set(alike))
            _try(tried["highest number"], ordered[::-1], there & set(alike))
    return {
        rule: (found / guesses, chance / guesses, (found - chance) / math.sqrt(variance))
        for rule, (found, guesses, chance, variance) in tried.items()
        if variance
    }


def rank_scores(lists: Iterable[tuple[Sequence[float], int]]) -> dict[str, float]:
    """Return rule -> how many standard deviations lie between it and chance: the wanted value is
    the lowest or the highest, and its rank is high. Equal values share their ranks.

    Args:
        lists: For each task, some values, such as lengths, and the index of the wanted one.
    """
    off: defaultdict[str, float] = defaultdict(float)
    variance: defaultdict[str, float] = defaultdict(float)
    for values, wanted in lists:
        ordered = sorted(values)
        rules = {
            "lowest": [(value == ordered[0]) / ordered.count(value) for value in values],
            "highest": [(value == ordered[-1]) / ordered.count(value) for value in values],
            "rank": [ordered.index(value) + ordered.count(value) / 2 for value in values],
        }
        for rule, scores in rules.items():
            off[rule] += scores[wanted] - fmean(scores)
            variance[rule] += pvariance(scores)
    return {rule: off[rule] / math.sqrt(spread) for rule, spread in variance.items() if spread}


def split_name(name: str) -> tuple[str, int]:
    """Return the kind and the number of ``cup_3``, ``cup.3`` or ``a cup``, whose number is -1."""
    kind, number = re.fullmatch(r"(.*?)(?:[_.]([0-9]+))?", name).groups()  # type: ignore[union-attr]
    return kind, int(number or -1)


def read_names(text: str, known: Container[str]) -> list[str]:
    """Return the known names in a text in the order in which they first appear; also those of
    ranges such as ``cup_0 to cup_3``."""
    names: dict[str, None] = {}
    for stem, low, high in re.findall(r"([a-z_]+)_([0-9]+)(?: to \1_([0-9]+))?", text):
        numbers = range(int(low), int(high or low) + 1)
        names |= dict.fromkeys(f"{stem}_{number}" for number in numbers)
    return [name for name in names if name in known]


def _try(so_far: list[float], ordered: Sequence[str], wanted: Set[str]) -> None:
    """Add one list to what a rule found, guessed, and would have found by chance (hypergeometric:
    as many guesses as are wanted)."""
    total, k = len(ordered), len(wanted)
    if 0 < k < total:
        so_far[0] += len(wanted.intersection(ordered[:k]))
        so_far[1] += k
        so_far[2] += k * k / total
        so_far[3] += k * k * (total - k) ** 2 / (total * total * (total - 1))
