"""The goal options of the published code, which are incomplete.

``bddl`` 1.0.1 keeps at most 20 combinations of the options of a quantifier's objects and at most 10
pairings, and EAI's own goal check on BEHAVIOR tries only those. Differences from
:mod:`homebody.goals.bddl.options`:

- Combinations are tried in the order of the sum of their positions. Positions that do not exist
  also count towards the 20.
- Pairs: only the first 10 orders of the larger side. ``fornpairs`` only uses its first objects.
- "Exactly n" requires n objects and ignores the others.
- The negation of a condition takes one literal from each of its options. If options are missing,
  the negation can be fulfilled although the condition holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice, permutations, product
from typing import TypeAlias

from homebody.core.formula import (
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Literal,
    Not,
    Or,
    ground,
    negation,
)
from homebody.goals.bddl.grounding import TooLargeError
from homebody.goals.bddl.truth import Universe, count_pairs, pair_grid

MAX_COMBINATIONS = 20
MAX_PERMUTATIONS = 10

MAX_OPTIONS = 100_000
"""Maximum number of options of one condition in memory; the official goals have up to 300."""

Option: TypeAlias = tuple[Literal, ...]


def published_options(condition: Formula, over: Universe) -> list[Option]:
    """Return the options of one condition of a goal, in the published order.

    In cases where the published code fails (``forpairs`` without objects, more pairs than objects),
    the result is one empty option or no option.

    Raises:
        TooLargeError: There are more than ``MAX_OPTIONS``.
    """
    return _Published(over).options(condition, {})


def published_goal_options(conditions: Iterable[Formula], over: Universe) -> Iterator[Option]:
    """Yield combined options of all conditions, except options that contradict themselves.

    The published code sorts all of them by length. Here they are not sorted, so they are not all in
    memory.
    """
    for parts in product(*(published_options(condition, over) for condition in conditions)):
        option = tuple(chain.from_iterable(parts))
        present = set(option)
        if not any(negation(literal) in present for literal in option):
            yield option


@dataclass(frozen=True, slots=True)
class _Published:
    over: Universe

    def options(self, c: Formula, binding: Binding) -> list[Option]:
        match c:
            case Atom():
                return [(ground(c, binding),)]
            case Not(body):
                return _negate(self.options(body, binding))
            case And(parts):
                return _join(product(*(self.options(part, binding) for part in parts)))
            case Or(parts):
                return _limit(chain(*(self.options(part, binding) for part in parts)))
            case Implies(left, right):
                negated = _negate(self.options(left, binding))
                return _limit(chain(negated, self.options(right, binding)))
            case Forall(x, body, category):
                return _join(_first_products(self.each(x, category, body, binding)))
            case Exists(x, body, category):
                return _limit(chain(*self.each(x, category, body, binding)))
            case Exactly(count, x, body, category):
                whole = _first_products(self.each(x, category, body, binding))
                return _join(chain.from_iterable(combinations(w, count) for w in whole))
            case ForPairs():
                return self.pairs(c, binding)
        raise ValueError(f"not BDDL: {type(c).__name__}")

    def each(
        self, variable: str, category: str, body: Formula, binding: Binding
    ) -> list[list[Option]]:
        return [self.options(body, {**binding, variable: n}) for n in self.over.of(category)]

    def pairs(self, c: ForPairs, binding: Binding) -> list[Option]:
        cells = [
            [[] if pair is None else self.options(c.body, {**binding, **pair}) for pair in row]
            for row in pair_grid(c, self.over)
        ]
        rows, columns, size = len(cells), len(cells[0]) if cells else 0, count_pairs(c, self.over)
        if size > min(rows, columns):
            return []
        paired: list[Option] = []
        by_row = c.count is not None or rows < columns
        longer = columns if by_row else rows
        for order in islice(permutations(range(longer), size), MAX_PERMUTATIONS):
            places = enumerate(order)
            chosen = [cells[i][p] if by_row else cells[p][i] for i, p in places]
            paired += _join(_first_products(chosen))
        return _limit(paired)


def _first_products(sources: Sequence[Sequence[Option]]) -> Iterator[tuple[Option, ...]]:
    """Yield the first combinations in the order of the sum of positions. Missing positions count as
    tries."""
    last = [len(source) - 1 for source in sources]
    tries = 0
    if min(last, default=0) < 0:
        return
    for total in range(sum(last)):
        for places in _places(total, len(sources)):
            if tries == MAX_COMBINATIONS:
                return
            tries += 1
            if all(place <= most for place, most in zip(places, last, strict=True)):
                yield tuple(s[place] for s, place in zip(sources, places, strict=True))
    if tries < MAX_COMBINATIONS:
        yield tuple(source[-1] for source in sources)


def _places(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write ``total`` as a sum of ``count`` numbers, in order."""
    if count == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in _places(total - first, count - 1):
            yield (first, *others)


def _negate(options: Sequence[Option]) -> list[Option]:
    """Return one literal from each option, negated."""
    return _limit(product(*(tuple(negation(literal) for literal in o) for o in options)))


def _join(options: Iterable[Iterable[Option]]) -> list[Option]:
    return _limit(tuple(chain.from_iterable(parts)) for parts in options)


def _limit(options: Iterable[Option]) -> list[Option]:
    kept = list(islice(options, MAX_OPTIONS + 1))
    if len(kept) > MAX_OPTIONS:
        raise TooLargeError(f"a condition has more than {MAX_OPTIONS} options")
    return kept
