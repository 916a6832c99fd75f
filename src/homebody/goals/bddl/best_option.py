"""The best option of a goal in a state, found without listing the options.

Parts of a conjunction are solved separately, "n of them" by dynamic programming over the objects,
and pairs as an assignment problem. The share is a quotient, so Dinkelbach's method maximises
``total * met - share * total`` in a few rounds. Options that contradict themselves are excluded by
branching on the contradicting atoms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from homebody.core.formula import Atom, Literal, Not, atom_of
from homebody.goals.bddl.assignment import assign
from homebody.goals.bddl.counting import contradictions, literals
from homebody.goals.bddl.grounding import All, Any, Choose, Match, Tree
from homebody.goals.bddl.incompatible import (
    ITSELF,
    NOTHING,
    find_contradiction,
    find_impossibility,
    is_to_itself,
)

MAX_BRANCHES = 2_000
"""Maximum number of subproblems that :func:`best_option` solves to exclude contradicting
options."""


@dataclass(frozen=True, slots=True)
class Best:
    """The option with the largest share of true literals.

    Attributes:
        option: Its literals, or None if no option exists: nothing can fulfil the goal.
        met: The number of its literals that hold.
        exact: True if no option is better; False if contradictions made the search too long.
        excluded: Reasons why options were excluded.
    """

    option: tuple[Literal, ...] | None
    met: int
    exact: bool
    excluded: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of its literals that hold, in [0, 1]: 1 for an empty option, 0 if there is no
        option."""
        if self.option is None:
            return 0.0
        return self.met / len(self.option) if self.option else 1.0


_Rope: TypeAlias = "Literal | tuple[_Rope, ...]"
_Value: TypeAlias = tuple[int, _Rope]


def best_option(
    tree: Tree,
    holds: Callable[[Atom], bool],
    *,
    branches: int = MAX_BRANCHES,
    clashing: bool | None = None,
    possible: bool = False,
) -> Best:
    """Return the best option in a state. Of equally good options, the first in the goal wins.

    Args:
        tree: The goal.
        holds: Returns whether an atom is true.
        branches: Bound on the work that contradicting options may cause.
        clashing: True if options may contradict themselves; None to find out.
        possible: True to also exclude options that no household can fulfil (:mod:`.incompatible`).
    """
    if clashing is None:
        clashing = bool(contradictions(tree))
    truth: dict[Literal, bool] = {}

    def is_met(literal: Literal) -> bool:
        known = truth.get(literal)
        if known is None:
            known = truth[literal] = holds(atom_of(literal)) != isinstance(literal, Not)
        return known

    search = _Search(tree, is_met, branches, clashing, possible)
    option = search.find_maximum(1, 1)  # the option with the fewest unmet literals
    if option is None:
        return Best(None, 0, search.exact, tuple(search.excluded) or (NOTHING,))
    while True:
        hits, total = sum(map(is_met, option)), len(option)
        exact = hits == total
        better = None if exact else search.find_maximum(hits, total)
        if better is None or sum(map(is_met, better)) * total <= hits * len(better):
            return Best(option, hits, exact or search.exact, tuple(search.excluded))
        option = better


@dataclass(slots=True)
class _Search:
    tree: Tree
    is_met: Callable[[Literal], bool]
    branches: int
    clashing: bool
    possible: bool
    exact: bool = True
    excluded: dict[str, None] = field(default_factory=dict)

    def find_maximum(self, share: int, whole: int) -> tuple[Literal, ...] | None:
        """Return the option with the largest ``whole * met - share * length``, or None."""
        best: tuple[int, tuple[Literal, ...]] | None = None
        excluded = filter(is_to_itself, literals(self.tree)) if self.possible else ()
        waiting: list[frozenset[Literal]] = [frozenset(excluded)]
        if waiting[0]:
            self.excluded[ITSELF] = None
        for _ in range(self.branches):
            if not waiting:
                return best and best[1]
            banned = waiting.pop()
            value = self.solve(self.tree, share, whole, banned)
            if value is None or (best is not None and value[0] <= best[0]):
                continue
            option = tuple(_flatten(value[1]))
            clash, why = find_contradiction(option) if self.clashing else ((), "")
            if self.possible and not clash:
                clash, why = find_impossibility(option, self.is_met)
            if clash:
                self.excluded[why] = None
                waiting += [banned | {literal} for literal in clash]
            else:
                best = (value[0], option)
        self.exact = self.exact and not waiting
        return best and best[1]

    def solve(self, tree: Tree, p: int, q: int, banned: frozenset[Literal]) -> _Value | None:
        match tree:
            case Atom() | Not():
                return None if tree in banned else (q * self.is_met(tree) - p, tree)
            case All(parts):
                values = []
                for part in parts:
                    value = self.solve(part, p, q, banned)
                    if value is None:
                        return None
                    values.append(value)
                return _add_values(values)
            case Any(parts):
                best: _Value | None = None
                for part in parts:
                    value = self.solve(part, p, q, banned)
                    if value is not None and (best is None or value[0] > best[0]):
                        best = value
                return best
            case Choose(counts, yes, no):
                by_number: dict[int, _Value] = {0: (0, ())}  # by the number taken
                for y, n in zip(yes, no, strict=True):
                    taken, left = (self.solve(part, p, q, banned) for part in (y, n))
                    after: dict[int, _Value] = {}
                    for number, value in by_number.items():
                        for more, at in ((taken, number + 1), (left, number)):
                            if more is not None and at <= counts[-1]:
                                new = value[0] + more[0]
                                if at not in after or new > after[at][0]:
                                    after[at] = (new, (value[1], more[1]))
                    by_number = after
                return max(
                    (by_number[k] for k in counts if k in by_number),
                    key=lambda v: v[0],
                    default=None,
                )
            case Match(size, cells, _):
                grid = [[self.solve(cell, p, q, banned) for cell in row] for row in cells]
                pairs = assign([[v and v[0] for v in row] for row in grid], size)
                if pairs is None:
                    return None
                return _add_values([value for r, c in pairs if (value := grid[r][c]) is not None])


def _add_values(values: Sequence[_Value]) -> _Value:
    return sum(value for value, _ in values), tuple(rope for _, rope in values)


def _flatten(rope: _Rope) -> Iterator[Literal]:
    waiting = [rope]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting += reversed(item)
        else:
            yield item
