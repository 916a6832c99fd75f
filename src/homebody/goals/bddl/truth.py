"""What a BDDL condition means: its truth in a state, and the tree that its goal options grow on.

Sources: the published evaluation of conditions (``bddl`` 1.0.1), whose readings :mod:`.bddl`
lists, and appendix M.2 of the EAI paper for goal options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from homebody.core.formula import Atom, Not, Structure
from homebody.goals.bddl.assignment import assign
from homebody.goals.bddl.syntax import (
    Condition,
    Conjunction,
    Disjunction,
    ForAll,
    ForN,
    ForPairs,
    ForSome,
    Implication,
    Negation,
    Problem,
)
from homebody.goals.grounding import Literal

MAX_LEAVES = 200_000
"""Most literals in the tree of one goal. The largest official goal has 126."""


class TooLargeError(ValueError):
    """A goal that would take too much memory or time; ``str()`` says what and how much."""


@dataclass(frozen=True)
class Universe:
    """The objects that quantifiers range over.

    Attributes:
        names: All objects, each once, in the order of the ranges.
        is_a: Whether an object belongs to a category.
    """

    names: tuple[str, ...]
    is_a: Callable[[str, str], bool]

    @cached_property
    def _ranges(self) -> dict[str, tuple[str, ...]]:
        return {}

    def of(self, category: str) -> tuple[str, ...]:
        """The objects of a category, in order."""
        if category not in self._ranges:
            self._ranges[category] = tuple(n for n in self.names if self.is_a(n, category))
        return self._ranges[category]


def universe(problem: Problem) -> Universe:
    """The objects of a problem, each in the category it is declared with and in no other.

    That is how ``bddl`` ranges. For "every food" to range over apples, make a Universe whose
    ``is_a`` asks a taxonomy.
    """
    objects = problem.objects
    return Universe(tuple(objects), lambda name, category: objects[name] == category)


def empty_categories(condition: Condition, over: Universe) -> tuple[str, ...]:
    """Categories that are quantified over but have no objects, each once.

    ``bddl`` refuses such goals; here ``forall`` is then true and ``exists`` false.
    """
    found: dict[str, None] = {}

    def visit(part: Condition) -> None:
        match part:
            case Conjunction(parts) | Disjunction(parts):
                for inner in parts:
                    visit(inner)
            case Implication(left, right):
                visit(left)
                visit(right)
            case Negation(body):
                visit(body)
            case ForAll(x, body) | ForSome(x, body) | ForN(_, x, body):
                found.setdefault(x.type)
                visit(body)
            case ForPairs(x, y, body, _):
                found.update(dict.fromkeys((x.type, y.type)))
                visit(body)

    visit(condition)
    return tuple(category for category in found if not over.of(category))


# --- Truth --------------------------------------------------------------------------------------

_Binding: TypeAlias = Mapping[str, str]


def evaluate(
    condition: Condition, structure: Structure, over: Universe, *, paired: bool = False
) -> bool:
    """Truth of a condition in one structure.

    Args:
        condition: A closed condition.
        structure: What holds.
        over: What its quantifiers range over.
        paired: Whether pairs are one to one, as goal options have them. If not, objects may share
            a partner, as ``bddl`` 1.0.1 evaluates it.
    """
    return _Truth(structure, over, paired).holds(condition, {})


@dataclass(frozen=True, slots=True)
class _Truth:
    structure: Structure
    over: Universe
    paired: bool

    def holds(self, c: Condition, binding: _Binding) -> bool:
        match c:
            case Atom(predicate, args):
                return self.structure.holds(predicate, tuple([binding.get(a, a) for a in args]))
            case Negation(body):
                return not self.holds(body, binding)
            case Conjunction(parts):
                return all(self.holds(part, binding) for part in parts)
            case Disjunction(parts):
                return any(self.holds(part, binding) for part in parts)
            case Implication(left, right):
                return not self.holds(left, binding) or self.holds(right, binding)
            case ForAll(x, body):
                return all(self.holds(body, {**binding, x.name: n}) for n in self.over.of(x.type))
            case ForSome(x, body):
                return any(self.holds(body, {**binding, x.name: n}) for n in self.over.of(x.type))
            case ForN(count, x, body):
                names = self.over.of(x.type)
                return count == sum(self.holds(body, {**binding, x.name: n}) for n in names)
            case ForPairs():
                return self.pairs(c, binding)

    def pairs(self, c: ForPairs, binding: _Binding) -> bool:
        one, other = c.first.name, c.second.name
        grid = [
            [
                pair is not None and self.holds(c.body, {**binding, one: pair[0], other: pair[1]})
                for pair in row
            ]
            for row in pair_grid(c, self.over)
        ]
        size = pairs_wanted(c, self.over)
        rows = sum(map(any, grid))
        columns = sum(map(any, zip(*grid, strict=True)))
        if rows < size or columns < size:
            return False
        if not self.paired or size <= 1:
            return True
        return assign([[0 if cell else None for cell in row] for row in grid], size) is not None


def pair_grid(c: ForPairs, over: Universe) -> list[list[tuple[str, str] | None]]:
    """Pairs by first object (row) and second object (column).

    No object is paired with itself. Where the categories are the same, ``bddl`` lets the later
    columns of a row move up one place; where they only overlap it fails, and we leave a gap.
    """
    firsts, seconds = over.of(c.first.type), over.of(c.second.type)
    rows = [[(a, b) if a != b else None for b in seconds] for a in firsts]
    dense: list[list[tuple[str, str] | None]] = [[p for p in row if p is not None] for row in rows]
    same = len({len(row) for row in dense}) <= 1
    return dense if same else [list(row) for row in rows]


def pairs_wanted(c: ForPairs, over: Universe) -> int:
    """How many pairs there must be: ``fornpairs`` says, ``forpairs`` wants as many as can be."""
    if c.count is not None:
        return c.count
    grid = pair_grid(c, over)
    return min(len(grid), len(grid[0])) if grid else 0


# --- Trees --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class All:
    """Options of every part together."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Options of any one part."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Options of ``yes[i]`` for some places ``i``, as many as ``counts`` allows, and of ``no[i]``
    for the others."""

    counts: tuple[int, ...]
    yes: tuple[Tree, ...]
    no: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """Options of ``size`` cells, no two of them in one row or one column.

    There are at least as many columns as rows. ``full``: every cell has options.
    """

    size: int
    cells: tuple[tuple[Tree, ...], ...]
    full: bool


Tree: TypeAlias = Literal | All | Any | Choose | Match
"""A ground condition with ``not`` only at atoms. Its options are conjunctions of literals."""

TRUE = All(())
FALSE = Any(())


def ground(condition: Condition, over: Universe, *, exact: bool = True) -> Tree:
    """The tree of a condition.

    Args:
        condition: A closed condition.
        over: What its quantifiers range over.
        exact: Whether an option of "exactly n" says that the other objects fail. If it does,
            whatever fulfils an option makes the condition true. The options of ``bddl`` and of
            the EAI paper do not say so.

    Raises:
        TooLargeError: The tree would have more than ``MAX_LEAVES`` literals.
    """
    return _Grounding(over, exact).tree(condition, True, {})


@dataclass(slots=True)
class _Grounding:
    over: Universe
    exact: bool
    leaves: int = 0

    def tree(self, c: Condition, positive: bool, binding: _Binding) -> Tree:
        """The tree of ``c``, or of its negation."""
        match c:
            case Atom(predicate, args):
                self.leaves += 1
                if self.leaves > MAX_LEAVES:
                    raise TooLargeError(f"the goal has more than {MAX_LEAVES} literals")
                atom = Atom(predicate, tuple([binding.get(a, a) for a in args]))
                return atom if positive else Not(atom)
            case Negation(body):
                return self.tree(body, not positive, binding)
            case Conjunction(parts) | Disjunction(parts):
                trees = [self.tree(part, positive, binding) for part in parts]
                return joined(isinstance(c, Conjunction) == positive, trees)
            case Implication(left, right):
                sides = [self.tree(left, not positive, binding)]
                return joined(not positive, [*sides, self.tree(right, positive, binding)])
            case ForAll(x, body) | ForSome(x, body):
                trees = [
                    self.tree(body, positive, {**binding, x.name: n}) for n in self.over.of(x.type)
                ]
                return joined(isinstance(c, ForAll) == positive, trees)
            case ForN():
                return self.counted(c, positive, binding)
            case ForPairs():
                return self.paired(c, positive, binding)

    def counted(self, c: ForN, positive: bool, binding: _Binding) -> Tree:
        bindings = [{**binding, c.variable.name: n} for n in self.over.of(c.variable.type)]
        if self.exact:
            yes = [self.tree(c.body, True, b) for b in bindings]
            no = [self.tree(c.body, False, b) for b in bindings]
            counts = [k for k in range(len(yes) + 1) if (k == c.count) == positive]
            return chosen(counts, yes, no)
        if positive:
            return some(c.count, [self.tree(c.body, True, b) for b in bindings])
        trees = [self.tree(c.body, False, b) for b in bindings]
        return some(len(trees) - c.count + 1, trees)

    def paired(self, c: ForPairs, positive: bool, binding: _Binding) -> Tree:
        cells = [
            [
                FALSE
                if pair is None and positive
                else TRUE
                if pair is None
                else self.tree(
                    c.body, positive, {**binding, c.first.name: pair[0], c.second.name: pair[1]}
                )
                for pair in row
            ]
            for row in pair_grid(c, self.over)
        ]
        size = pairs_wanted(c, self.over)
        if positive:
            return matched(size, cells)
        # Too few of the first, or too few of the second, have a partner.
        nobody: list[tuple[Tree, ...]] = [()] * len(self.over.of(c.second.type))
        columns = list(zip(*cells, strict=True)) if cells else nobody
        sides = [
            some(len(lines) - size + 1, [joined(True, line) for line in lines])
            for lines in (cells, columns)
        ]
        return joined(False, sides)


def joined(every: bool, parts: Sequence[Tree]) -> Tree:
    """``All`` or ``Any`` of ``parts``: flat, and without what can have no options."""
    if every:
        flat = [p for part in parts for p in (part.parts if isinstance(part, All) else (part,))]
        if FALSE in flat:
            return FALSE
        return flat[0] if len(flat) == 1 else All(tuple(flat))
    flat = [p for part in parts for p in (part.parts if isinstance(part, Any) else (part,))]
    return flat[0] if len(flat) == 1 else Any(tuple(flat))


def some(count: int, parts: Sequence[Tree]) -> Tree:
    """Options of ``count`` of the parts; none or fewer parts are true."""
    return chosen([max(count, 0)], parts, [TRUE] * len(parts))


def chosen(counts: Sequence[int], yes: Sequence[Tree], no: Sequence[Tree]) -> Tree:
    """``Choose`` with the counts that can be had."""
    if any(y == FALSE and n == FALSE for y, n in zip(yes, no, strict=True)):
        return FALSE
    least, most = sum(n == FALSE for n in no), sum(y != FALSE for y in yes)
    possible = tuple(k for k in counts if least <= k <= most)
    if not possible:
        return FALSE
    return Choose(possible, tuple(yes), tuple(no)) if yes else TRUE


def matched(size: int, cells: Sequence[Sequence[Tree]]) -> Tree:
    """``Match``, turned so that it has no more rows than columns."""
    if size <= 0:
        return TRUE
    grid = [tuple(row) for row in cells]
    if grid and len(grid) >= len(grid[0]):
        grid = [tuple(column) for column in zip(*cells, strict=True)]
    if largest_matching([[cell != FALSE for cell in row] for row in grid]) < size:
        return FALSE
    return Match(size, tuple(grid), all(cell != FALSE for row in grid for cell in row))


def largest_matching(allowed: Sequence[Sequence[bool]]) -> int:
    """How many cells can be allowed, no two in one row or column (augmenting paths)."""
    taken: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, free in enumerate(allowed[row]):
            if free and column not in tried:
                tried.add(column)
                if column not in taken or place(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(allowed)))
