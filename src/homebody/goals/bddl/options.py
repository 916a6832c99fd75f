"""Goal options: one after the other, counted without listing them, and the best one in a state.

An option is a conjunction of ground literals that fulfils the goal (EAI paper, section 3 and
appendix M.2). It may have a literal twice, as in the published code, if two parts of the goal ask
for it. One that has an atom and its negation is no option.

Nothing here holds more than one option at a time. The best option is found without listing any:
parts of a conjunction are solved each by itself, "n of them" by dynamic programming over the
objects, pairs as an assignment problem. What this leaves is the share, a quotient; Dinkelbach's
method turns it into a few rounds of maximising ``total * met - share * total``. Options that
contradict themselves are kept out by branching on the contradicting atom.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb, perm
from typing import TypeAlias

from homebody.core.formula import Atom, Not
from homebody.goals.bddl.assignment import assign
from homebody.goals.bddl.truth import (
    All,
    Any,
    Choose,
    Match,
    TooLargeError,
    Tree,
    joined,
    largest_matching,
)
from homebody.goals.grounding import Literal

MAX_BRANCHES = 2_000
"""Most subproblems that :func:`best_option` solves to keep contradictions out."""

MAX_CONTRADICTIONS = 8
"""Most contradicting atoms that :func:`count_options` can deal with in one part of a goal."""

MAX_MATCH_ROWS = 16
"""Most rows of unlike pairs that :func:`count_options` can deal with."""


def negation(literal: Literal) -> Literal:
    if isinstance(literal, Atom):
        return Not(literal)
    assert isinstance(literal.body, Atom)
    return literal.body


# --- One after the other --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choosing:
    """What is left to choose from place ``start`` on, with ``taken`` so far."""

    node: Choose
    start: int
    taken: int


@dataclass(frozen=True, slots=True)
class _Matching:
    node: Match
    row: int
    columns: tuple[int, ...]  # those that are taken


_Step: TypeAlias = Tree | _Choosing | _Matching
_Agenda: TypeAlias = "tuple[_Step, _Agenda] | None"


def options(tree: Tree) -> Iterator[tuple[Literal, ...]]:
    """The options, one at a time, in the order of the goal and of its objects.

    Earlier parts of the goal change more slowly. Memory does not grow with the number of
    options, which can be astronomical, see :func:`count_options`.
    """
    trail: list[Literal] = []
    present: defaultdict[Literal, int] = defaultdict(int)
    open_choices: list[tuple[Iterator[_Agenda], int]] = [(iter([(tree, None)]), 0)]
    while open_choices:
        alternatives, length = open_choices[-1]
        while len(trail) > length:
            present[trail.pop()] -= 1
        try:
            agenda = next(alternatives)
        except StopIteration:
            open_choices.pop()
            continue
        while agenda is not None:
            step, agenda = agenda
            if isinstance(step, Atom | Not):
                if present[negation(step)]:
                    break
                trail.append(step)
                present[step] += 1
            elif isinstance(step, All):
                for part in reversed(step.parts):
                    agenda = (part, agenda)
            else:
                open_choices.append((_alternatives(step, agenda), len(trail)))
                break
        else:
            yield tuple(trail)


def _alternatives(step: _Step, rest: _Agenda) -> Iterator[_Agenda]:
    match step:
        case Any(parts):
            for part in parts:
                yield part, rest
        case Choose():
            yield from _alternatives(_Choosing(step, 0, 0), rest)
        case _Choosing(node, start, taken):
            if start == len(node.yes):
                yield rest
                return
            for tree, total in ((node.yes[start], taken + 1), (node.no[start], taken)):
                if tree != Any(()) and _reachable(node, start + 1, total):
                    yield tree, (_Choosing(node, start + 1, total), rest)
        case Match():
            yield from _alternatives(_Matching(step, 0, ()), rest)
        case _Matching(node, row, columns):
            yield from _match_row(node, row, columns, rest)


def _reachable(node: Choose, start: int, taken: int) -> bool:
    """Whether an allowed count can still be had from place ``start`` on."""
    least = taken + sum(tree == Any(()) for tree in node.no[start:])
    most = taken + sum(tree != Any(()) for tree in node.yes[start:])
    return any(least <= count <= most for count in node.counts)


def _match_row(node: Match, row: int, columns: tuple[int, ...], rest: _Agenda) -> Iterator[_Agenda]:
    """Give ``row`` each free column, then none if enough rows are left."""
    if len(columns) == node.size:
        yield rest
        return
    for column, tree in enumerate(node.cells[row]):
        if column not in columns and tree != Any(()):
            after = (*columns, column)
            if _matchable(node, row + 1, after):
                yield tree, (_Matching(node, row + 1, after), rest)
    if _matchable(node, row + 1, columns):
        yield _Matching(node, row + 1, columns), rest


def _matchable(node: Match, start: int, columns: tuple[int, ...]) -> bool:
    needed = node.size - len(columns)
    if node.full or needed > len(node.cells) - start:
        return needed <= len(node.cells) - start
    left = [
        [tree != Any(()) and column not in columns for column, tree in enumerate(row)]
        for row in node.cells[start:]
    ]
    return largest_matching(left) >= needed


# --- Counted --------------------------------------------------------------------------------------


def count_options(tree: Tree, *, contradictory: bool = False) -> int:
    """How many options :func:`options` would yield.

    Args:
        tree: The goal.
        contradictory: Count also those that contradict themselves, as the EAI paper does: 4,164.4
            on average over its tasks (with ``exact=False``), where 4,164.0 can be met.

    Raises:
        TooLargeError: There are too many contradicting atoms, or pairs that are too unlike each
            other, to count without listing.
    """
    if contradictory:
        return _count(tree, frozenset())
    clashing = contradictions(tree)
    if isinstance(tree, All) and clashing:
        product = 1
        for group in _groups(tree.parts, clashing):
            product *= _count_free(joined(True, group))
        return product
    return _count_free(tree)


def _count_free(tree: Tree) -> int:
    """Inclusion and exclusion: not both of ``a`` and ``not a``."""
    clashing = contradictions(tree)
    if len(clashing) > MAX_CONTRADICTIONS:
        problem = f"{len(clashing)} atoms contradict each other; at most {MAX_CONTRADICTIONS}"
        raise TooLargeError(f"too many options to count: {problem}")

    def count(left: tuple[Atom, ...], banned: frozenset[Literal]) -> int:
        if not left:
            return _count(tree, banned)
        atom, rest = left[0], left[1:]
        one = count(rest, banned | {atom}) + count(rest, banned | {Not(atom)})
        return one - count(rest, banned | {atom, Not(atom)})

    return count(clashing, frozenset())


def _groups(parts: Sequence[Tree], clashing: Sequence[Atom]) -> list[tuple[Tree, ...]]:
    """Parts that share a clashing atom together, the others each by itself."""
    wanted = set(clashing)
    groups: list[tuple[list[Tree], set[Atom]]] = []
    for part in parts:
        mine = ([part], {_atom(literal) for literal in _literals(part)} & wanted)
        apart = []
        for group in groups:
            if group[1] & mine[1]:
                mine = (group[0] + mine[0], group[1] | mine[1])
            else:
                apart.append(group)
        groups = [*apart, mine]
    return [tuple(group) for group, _ in groups]


def _count(tree: Tree, banned: frozenset[Literal]) -> int:
    match tree:
        case Atom() | Not():
            return tree not in banned
        case All(parts):
            product = 1
            for part in parts:
                product *= _count(part, banned)
            return product
        case Any(parts):
            return sum(_count(part, banned) for part in parts)
        case Choose(counts, yes, no):
            ways = [1] + [0] * len(yes)  # by how many have been taken
            for y, n in zip(yes, no, strict=True):
                taken, left = _count(y, banned), _count(n, banned)
                shifted = [0, *(way * taken for way in ways[:-1])]
                ways = [way * left + more for way, more in zip(ways, shifted, strict=True)]
            return sum(ways[count] for count in counts)
        case Match(size, cells, _):
            return _count_matchings(size, [[_count(c, banned) for c in row] for row in cells])


def _count_matchings(size: int, ways: Sequence[Sequence[int]]) -> int:
    """The sum over all matchings with ``size`` cells of the products of their cells."""
    rows, columns = len(ways), len(ways[0])
    each = ways[0][0]
    if all(way == each for row in ways for way in row):
        return comb(rows, size) * perm(columns, size) * int(each**size)
    if rows > MAX_MATCH_ROWS:
        raise TooLargeError(f"too many options to count: {rows} rows of unlike pairs")
    found = {0: 1}  # rows taken, as bits -> ways
    for column in range(columns):
        following = dict(found)
        for taken, number in found.items():
            for row in range(rows):
                if not taken >> row & 1 and ways[row][column]:
                    after = taken | 1 << row
                    following[after] = following.get(after, 0) + number * ways[row][column]
        found = following
    return sum(number for taken, number in found.items() if taken.bit_count() == size)


# --- Contradictions -------------------------------------------------------------------------------


def _atom(literal: Literal) -> Atom:
    return literal if isinstance(literal, Atom) else _atom(negation(literal))


def _literals(tree: Tree) -> Iterator[Literal]:
    match tree:
        case Atom() | Not():
            yield tree
        case All(parts) | Any(parts):
            for part in parts:
                yield from _literals(part)
        case Choose(_, yes, no):
            for part in (*yes, *no):
                yield from _literals(part)
        case Match(_, cells, _):
            for row in cells:
                for part in row:
                    yield from _literals(part)


def contradictions(tree: Tree) -> tuple[Atom, ...]:
    """The atoms that an option might ask for both true and false, sorted."""
    found: set[Atom] = set()
    _clashes(tree, found)
    return tuple(sorted(found, key=lambda atom: (atom.predicate, atom.args)))


def _clashes(tree: Tree, found: set[Atom]) -> set[Literal]:
    """Adds to ``found``; returns the literals of the tree."""
    match tree:
        case Atom() | Not():
            return {tree}
        case Any(parts):
            return set[Literal]().union(*(_clashes(part, found) for part in parts))
        case All(parts):
            together = [_clashes(part, found) for part in parts]
        case Choose(_, yes, no):  # yes and no of one place exclude each other
            together = [
                _clashes(y, found) | _clashes(n, found) for y, n in zip(yes, no, strict=True)
            ]
        case Match(_, cells, _):
            together = [_clashes(cell, found) for row in cells for cell in row]
    first: dict[Literal, int] = {}
    several: set[Literal] = set()
    for place, literals in enumerate(together):
        for literal in literals:
            if first.setdefault(literal, place) != place:
                several.add(literal)
    for literal, place in first.items():
        other = negation(literal)
        if other in first and (first[other] != place or {literal, other} & several):
            found.add(_atom(literal))
    return set(first)


# --- The best -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Best:
    """The option of which the largest share holds.

    Attributes:
        option: Its literals, or None if there is no option: nothing can fulfil the goal.
        met: How many of them hold.
        exact: Whether no option is better. False if contradictions made the search too long.
    """

    option: tuple[Literal, ...] | None
    met: int
    exact: bool

    @property
    def share(self) -> float:
        """In [0, 1]; 1 for an option that asks for nothing, 0 if there is no option."""
        if self.option is None:
            return 0.0
        return self.met / len(self.option) if self.option else 1.0


_Rope: TypeAlias = "Literal | tuple[_Rope, ...]"
_Value: TypeAlias = tuple[int, _Rope]


def best_option(tree: Tree, holds: Callable[[Atom], bool], *, branches: int = MAX_BRANCHES) -> Best:
    """The best option in a state, found without listing the options.

    Ties go to what comes first in the goal.

    Args:
        tree: The goal.
        holds: Whether an atom is true.
        branches: Bound on the work that contradicting options may cause.
    """
    truth: dict[Literal, bool] = {}

    def met(literal: Literal) -> bool:
        if literal not in truth:
            truth[literal] = holds(_atom(literal)) != isinstance(literal, Not)
        return truth[literal]

    search = _Search(tree, met, branches, bool(contradictions(tree)))
    found = search.maximum(1, 1)  # all met, or as few unmet as can be
    if found is None:
        return Best(None, 0, search.exact)
    while True:
        hits, total = sum(map(met, found)), len(found)
        if hits == total:
            return Best(found, hits, True)
        better = search.maximum(hits, total)
        if better is None or sum(map(met, better)) * total <= hits * len(better):
            return Best(found, hits, search.exact)
        found = better


@dataclass(slots=True)
class _Search:
    tree: Tree
    met: Callable[[Literal], bool]
    branches: int
    clashing: bool
    exact: bool = True

    def maximum(self, share: int, whole: int) -> tuple[Literal, ...] | None:
        """The option with the largest ``whole * met - share * length``, or None."""
        best: tuple[int, tuple[Literal, ...]] | None = None
        waiting: list[frozenset[Literal]] = [frozenset()]
        for _ in range(self.branches):
            if not waiting:
                return best and best[1]
            banned = waiting.pop()
            value = self.solve(self.tree, share, whole, banned)
            if value is None or (best is not None and value[0] <= best[0]):
                continue
            option = tuple(_flat(value[1]))
            clash = _clash(option) if self.clashing else None
            if clash is None:
                best = (value[0], option)
            else:
                waiting += [banned | {clash}, banned | {negation(clash)}]
        self.exact = self.exact and not waiting
        return best and best[1]

    def solve(self, tree: Tree, p: int, q: int, banned: frozenset[Literal]) -> _Value | None:
        match tree:
            case Atom() | Not():
                return None if tree in banned else (q * self.met(tree) - p, tree)
            case All(parts):
                values = []
                for part in parts:
                    value = self.solve(part, p, q, banned)
                    if value is None:
                        return None
                    values.append(value)
                return _sum(values)
            case Any(parts):
                best: _Value | None = None
                for part in parts:
                    value = self.solve(part, p, q, banned)
                    if value is not None and (best is None or value[0] > best[0]):
                        best = value
                return best
            case Choose(counts, yes, no):
                found: dict[int, _Value] = {0: (0, ())}  # by how many have been taken
                for y, n in zip(yes, no, strict=True):
                    taken, left = (self.solve(part, p, q, banned) for part in (y, n))
                    after: dict[int, _Value] = {}
                    for number, value in found.items():
                        for more, at in ((taken, number + 1), (left, number)):
                            if more is not None and at <= counts[-1]:
                                new = value[0] + more[0]
                                if at not in after or new > after[at][0]:
                                    after[at] = (new, (value[1], more[1]))
                    found = after
                return max(
                    (found[k] for k in counts if k in found), key=lambda v: v[0], default=None
                )
            case Match(size, cells, _):
                grid = [[self.solve(cell, p, q, banned) for cell in row] for row in cells]
                pairs = assign([[v and v[0] for v in row] for row in grid], size)
                if pairs is None:
                    return None
                return _sum([value for r, c in pairs if (value := grid[r][c]) is not None])


def _sum(values: Sequence[_Value]) -> _Value:
    return sum(value for value, _ in values), tuple(rope for _, rope in values)


def _flat(rope: _Rope) -> Iterator[Literal]:
    waiting = [rope]
    while waiting:
        item = waiting.pop()
        if isinstance(item, tuple):
            waiting += reversed(item)
        else:
            yield item


def _clash(option: Sequence[Literal]) -> Literal | None:
    """A literal whose negation is there too."""
    present = set(option)
    return next((literal for literal in option if negation(literal) in present), None)
