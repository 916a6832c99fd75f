"""Statistics of a file of episodes, for comparison with the PARTNR paper.

They cover tables 4 and 5, figures 4 and 7, and the uniqueness of instructions of appendix A.2. The
paper has no numbers for figures 4 and 7.

The characteristics of table 5 are counted from evaluation functions alone:

- subset count: a proposition requires more than one object, but not all alternatives;
- resolvable ambiguity: a list of alternatives for a moved or changed object, furniture, or
  rooms (as in the published analysis, not for ``is_next_to``, whose lists mostly occur in another
  proposition already);
- dependent rearrange: arguments must be the same, or the objects of a proposition need the same
  place;
- multi-step rearrange: an object is moved after an earlier move of it, by an order or a
  dependency.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from homebody.authoring.partnr.phenomena import PHENOMENA, phenomena, without_nouns
from homebody.authoring.partnr.wording import (
    PUBLISHED_SEEDS,
    Wording,
    draw_texts,
    format_wording,
    wording,
)
from homebody.goals.partnr import (
    Episode,
    Evaluation,
    Proposition,
    SameArgConstraint,
    unroll,
)
from homebody.goals.partnr.evaluation_function import CLUSTERED, ancestors
from homebody.suites.partnr.episodes.kinds import KINDS, kinds, label
from homebody.worlds.house.model.catalogue import catalogue

SAMPLE: Final = 1_000
"""Number of instructions that are compared for uniqueness. The paper reports 80 % for this number
from val."""
CLOSE: Final = 5
"""Minimum edit distance, in characters, of the instructions of the paper."""
CHARACTERISTICS: Final = (
    "subset count",
    "resolvable ambiguity",
    "dependent rearrange",
    "multi-step rearrange",
)
PAPER_TABLE_4: Final[Mapping[str, tuple[float, float]]] = dict(
    zip(
        PHENOMENA,
        ((100, 6.38), (12, 0.14), (50, 0.64), (14, 0.18), (92, 2.40), (50, 0.50), (14, 0.16)),
        strict=True,
    )
)
"""Share of instructions with a phenomenon, in per cent, and its mean number per instruction."""
PAPER_TABLE_5: Final[Mapping[str, tuple[float, float]]] = dict(
    zip(CHARACTERISTICS, ((1, 0.01), (68, 1.68), (7, 0.09), (6, 0.11)), strict=True)
)
PAPER_PROPOSITIONS: Final = 4.7
PAPER_UNIQUE: Final[Mapping[str, float]] = {"val (1,000)": 80.0, "train (10,000)": 52.0}
"""Per cent of instructions that are unique without their nouns."""
PAPER_CATEGORIES: Final[Mapping[str, int]] = {"object": 155, "furniture": 20, "room": 13}

_REARRANGE: Final = frozenset({"is_on_top", "is_inside", "is_in_room", "is_on_floor"})
_INDEX = re.compile(r"_\d+$")


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a file of episodes.

    Attributes:
        episodes: Number of episodes.
        houses: Number of houses.
        types: Type of task -> per cent of episodes of this type (figure 4, left).
        combinations: Set of types -> per cent of episodes of exactly these (figure 4, right).
        language: Phenomenon -> (per cent of instructions, mean number) (table 4).
        characteristics: Characteristic -> (per cent of episodes, mean number) (table 5).
        propositions: Mean number of propositions, as written.
        unrolled: Mean number of propositions, if "two cups" counts as two.
        predicates: Predicate -> number of propositions.
        entities: ``object``, ``furniture``, ``room`` -> category -> number of times that it is an
            alternative (figure 7). Furniture that must be cleaned or switched counts as furniture.
        words: Mean number of words of an instruction.
        unique: Per cent of instructions that occur in no other episode.
        sample: Number of sampled instructions, which are compared without nouns.
        unique_without_nouns: Per cent of the sample that differ from all others without nouns.
        distinct_without_nouns: Number of distinct instructions without nouns, in per cent of the
            sample.
        close_pairs: Number of pairs of the sample that are fewer than :data:`CLOSE` edits apart.
        wording: The wording of a sample as large as that of the published seeds.
    """

    episodes: int
    houses: int
    types: Mapping[str, float]
    combinations: Mapping[str, float]
    language: Mapping[str, tuple[float, float]]
    characteristics: Mapping[str, tuple[float, float]]
    propositions: float
    unrolled: float
    predicates: Mapping[str, int]
    entities: Mapping[str, Mapping[str, int]]
    words: float
    unique: float
    sample: int
    unique_without_nouns: float
    distinct_without_nouns: float
    close_pairs: int
    wording: Wording


def statistics(episodes: Iterable[Episode], seed: int = 0) -> Statistics:
    """Compute statistics of episodes, which may be a stream: only their instructions are kept.

    In published episodes, the handles of objects count as categories."""
    texts: list[str] = []
    houses: set[str] = set()
    types: Counter[str] = Counter()
    combinations: Counter[str] = Counter()
    language = {name: np.zeros(2) for name in PHENOMENA}
    features = {name: np.zeros(2) for name in CHARACTERISTICS}
    predicates: Counter[str] = Counter()
    entities: dict[str, Counter[str]] = {name: Counter() for name in PAPER_CATEGORIES}
    propositions = unrolled = words = 0
    for episode in episodes:
        evaluation = episode.evaluation
        texts.append(episode.instruction)
        houses.add(episode.scene)
        types.update(sorted(kinds(evaluation)))
        combinations[label(evaluation)] += 1
        for table, counts in (
            (language, phenomena(episode.instruction)),
            (features, characteristics(evaluation)),
        ):
            for name, count in counts.items():
                table[name] += (count > 0, count)
        predicates.update(p.predicate for p in evaluation.propositions)
        _count_entities(evaluation, entities)
        propositions += len(evaluation.propositions)
        unrolled += len(unroll(evaluation)[0].propositions)
        words += len(episode.instruction.split())
    total = max(len(texts), 1)
    drawn = draw_texts(texts, SAMPLE, seed)
    bare = Counter(without_nouns(text) for text in drawn)
    whole = Counter(texts)
    return Statistics(
        episodes=len(texts),
        houses=len(houses),
        types={kind: 100 * types[kind] / total for kind in KINDS},
        combinations={
            name: 100 * count / total
            for name, count in sorted(combinations.items(), key=lambda entry: (-entry[1], entry[0]))
        },
        language={name: _share_and_mean(pair, total) for name, pair in language.items()},
        characteristics={name: _share_and_mean(pair, total) for name, pair in features.items()},
        propositions=propositions / total,
        unrolled=unrolled / total,
        predicates=_rank(predicates),
        entities={kind: _rank(counts) for kind, counts in entities.items()},
        words=words / total,
        unique=100 * sum(count == 1 for count in whole.values()) / total,
        sample=len(drawn),
        unique_without_nouns=100 * sum(c == 1 for c in bare.values()) / max(len(drawn), 1),
        distinct_without_nouns=100 * len(bare) / max(len(drawn), 1),
        close_pairs=close_pairs(drawn),
        wording=wording(texts, PUBLISHED_SEEDS.sample, seed),
    )


def characteristics(evaluation: Evaluation) -> dict[str, int]:
    """Count each of :data:`CHARACTERISTICS` in an evaluation function."""
    subsets = ambiguous = same = 0
    for proposition in evaluation.propositions:
        pairs = list(zip(proposition.lists, proposition.numbers, strict=False))
        subsets += sum(1 < number < len(names) for names, number in pairs)
        if proposition.predicate not in ("is_next_to", CLUSTERED):
            ambiguous += proposition.number < len(proposition.lists[0])
            ambiguous += sum(len(names) > 1 for names in proposition.lists[1:])
        same += proposition.same and proposition.number > 1
    same_arguments = sum(
        isinstance(constraint, SameArgConstraint) for constraint in evaluation.constraints
    )
    return dict(
        zip(
            CHARACTERISTICS,
            (subsets, ambiguous, same_arguments + same, _steps(evaluation)),
            strict=True,
        )
    )


def _steps(evaluation: Evaluation) -> int:
    """Count the propositions that move an object which an earlier proposition moved."""
    before: dict[int, set[int]] = {
        index: set(earlier_ones)
        for index, earlier_ones in (ancestors(evaluation.edges) or {}).items()
    }
    for dependency in evaluation.dependencies:
        if dependency.relation in ("after_satisfied", "after_unsatisfied"):
            for index in dependency.propositions:
                before.setdefault(index, set()).update(dependency.depends_on)
    return sum(
        _is_placement(evaluation.propositions[index])
        and any(
            _is_placement(earlier) and not set(earlier.lists[0]).isdisjoint(proposition.lists[0])
            for earlier in (evaluation.propositions[i] for i in earlier_ones if i != index)
        )
        for index, earlier_ones in before.items()
        for proposition in (evaluation.propositions[index],)
    )


def _is_placement(proposition: Proposition) -> bool:
    return proposition.predicate in _REARRANGE


def _count_entities(evaluation: Evaluation, entities: Mapping[str, Counter[str]]) -> None:
    kinds = catalogue()
    for proposition in evaluation.propositions:
        things = [name for names in proposition.lists for name in names]
        places: Sequence[str] = ()
        if proposition.predicate in _REARRANGE:
            things = list(proposition.lists[0])
            places = proposition.lists[1] if len(proposition.lists) > 1 else ()
        for name in things:
            category = _category(name)
            entities["furniture" if category in kinds.furniture else "object"][category] += 1
        kind = "room" if proposition.predicate == "is_in_room" else "furniture"
        for name in places:
            floor = name.startswith("floor_")
            entities["room" if floor else kind][_category(name.removeprefix("floor_"))] += 1


def _category(name: str) -> str:
    return _INDEX.sub("", name)


def _rank(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def _share_and_mean(pair: np.ndarray, total: int) -> tuple[float, float]:
    return 100 * float(pair[0]) / total, float(pair[1]) / total


def close_pairs(texts: Sequence[str], limit: int = CLOSE) -> int:
    """Count the pairs of strings that are fewer than ``limit`` edits of a character apart."""
    letters = sorted({letter for text in texts for letter in text})
    place = {letter: index for index, letter in enumerate(letters)}
    bags = np.zeros((len(texts), len(letters)), dtype=np.int16)
    for row, text in enumerate(texts):
        for letter, count in Counter(text).items():
            bags[row, place[letter]] = count
    close = 0
    for row in range(len(texts) - 1):
        # an edit changes the number of surplus letters, and that of missing ones, by one at most
        difference = bags[row + 1 :] - bags[row]
        least = np.maximum(
            np.maximum(difference, 0).sum(axis=1), np.maximum(-difference, 0).sum(axis=1)
        )
        for other in np.flatnonzero(least < limit):
            close += edit_distance(texts[row], texts[row + 1 + int(other)], limit) < limit
    return close


def edit_distance(first: str, other: str, limit: int) -> int:
    """Return the minimum number of inserted, removed or replaced characters between two strings, or
    ``limit`` if it is at least that."""
    if abs(len(first) - len(other)) >= limit:
        return limit
    start = _common_prefix(first, other)  # equal starts and ends cost nothing
    first, other = first[start:], other[start:]
    end = _common_prefix(first[::-1], other[::-1])
    first, other = first[: len(first) - end], other[: len(other) - end]
    last = {column: column for column in range(min(limit, len(other)) + 1)}
    for row, letter in enumerate(first, 1):
        new: dict[int, int] = {}
        # cells further than the limit off the diagonal cost more than the limit
        for column in range(max(0, row - limit), min(len(other), row + limit) + 1):
            if not column:
                new[column] = row
                continue
            new[column] = min(
                last.get(column, limit) + 1,
                new.get(column - 1, limit) + 1,
                last.get(column - 1, limit) + (letter != other[column - 1]),
            )
        last = new
        if min(last.values()) >= limit:
            return limit
    return min(last.get(len(other), limit), limit)


def _common_prefix(first: str, other: str) -> int:
    """Return the length of the common prefix of two strings."""
    pairs = enumerate(zip(first, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(first), len(other)))


def format_statistics(result: Statistics, most: int = 10) -> str:
    """Return statistics as text, with the paper's numbers in brackets. The text lists at most
    ``most`` categories, the most frequent first."""
    lines = [
        f"{result.episodes:,} episodes in {result.houses} houses",
        f"{result.propositions:.1f} propositions an episode [{PAPER_PROPOSITIONS}],"
        f" {result.unrolled:.1f} unrolled; {result.words:.1f} words an instruction",
        "",
        "types of tasks (figure 4)",
        *(f"  {name:<42} {share:6.1f} %" for name, share in result.types.items()),
        "",
        "types together (figure 4)",
        *(f"  {name:<42} {share:6.1f} %" for name, share in result.combinations.items()),
    ]
    for title, table, paper in (
        ("language (table 4)", result.language, PAPER_TABLE_4),
        ("characteristics (table 5)", result.characteristics, PAPER_TABLE_5),
    ):
        lines += ["", f"{title:<44} {'share':>6}   {'mean':>5}  [paper]"]
        for name, (share, mean) in table.items():
            theirs = "[{:g} %, {:.2f}]".format(*paper[name])
            lines.append(f"  {name:<42} {share:6.1f} % {mean:5.2f}  {theirs}")
    paper_unique = ", ".join(f"{share:g} % of {name}" for name, share in PAPER_UNIQUE.items())
    lines += [
        "",
        "instructions (appendix A.2)",
        f"  unique                                     {result.unique:6.1f} %",
        f"  unique without nouns, of {result.sample:<18,}{result.unique_without_nouns:6.1f} %"
        f"  [{paper_unique}]",
        f"  different without nouns                    {result.distinct_without_nouns:6.1f} %",
        f"  pairs of these fewer than {CLOSE} edits apart     {result.close_pairs:6}    [0]",
        "",
        *format_wording(result.wording),
        "",
        "predicates",
        *(f"  {name:<42} {count:6,}" for name, count in result.predicates.items()),
    ]
    for kind, counts in result.entities.items():
        lines += ["", f"{kind} (figure 7): {len(counts)} categories [{PAPER_CATEGORIES[kind]}]"]
        lines += [f"  {name:<42} {count:6,}" for name, count in list(counts.items())[:most]]
        if len(counts) > most:
            lines.append(f"  and {len(counts) - most} more")
    return "\n".join(lines)
