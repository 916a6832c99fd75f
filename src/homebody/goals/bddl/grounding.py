"""Ground conditions as trees, which goal options are generated from (EAI paper, appendix M.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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
)
from homebody.core.formula import ground as ground_atom
from homebody.goals.bddl.truth import Universe, count_pairs, pair_grid

MAX_LEAVES = 200_000
"""Maximum number of literals in the tree of one goal. The largest official goal has 126."""


class TooLargeError(ValueError):
    """A goal that would take too much memory or time; ``str()`` gives the limit."""


@dataclass(frozen=True, slots=True)
class All:
    """Options that combine one option of every part."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """The options of all parts; each is an option of one part."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """Options that combine an option of ``yes[i]`` for some indices ``i`` with an option of
    ``no[i]`` for all other indices. ``counts`` has the allowed numbers of ``yes`` options."""

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


def ground(condition: Formula, over: Universe, *, exact: bool = True) -> Tree:
    """Return the tree of a condition.

    Args:
        condition: A closed condition.
        over: The objects that its quantifiers range over.
        exact: True if an option of "exactly n" requires that the other objects do not satisfy the
            body. Then every state that fulfils an option makes the condition true. The options of
            ``bddl`` and of the EAI paper do not require this.

    Raises:
        TooLargeError: The tree would have more than ``MAX_LEAVES`` literals.
    """
    return _Grounding(over, exact).build(condition, True, {})


@dataclass(slots=True)
class _Grounding:
    over: Universe
    exact: bool
    leaves: int = 0

    def build(self, c: Formula, positive: bool, binding: Binding) -> Tree:
        """Build the tree of ``c``, or of its negation."""
        match c:
            case Atom():
                self.leaves += 1
                if self.leaves > MAX_LEAVES:
                    raise TooLargeError(f"the goal has more than {MAX_LEAVES} literals")
                atom = ground_atom(c, binding)
                return atom if positive else Not(atom)
            case Not(body):
                return self.build(body, not positive, binding)
            case And(parts) | Or(parts):
                trees = [self.build(part, positive, binding) for part in parts]
                return join(isinstance(c, And) == positive, trees)
            case Implies(left, right):
                sides = [self.build(left, not positive, binding)]
                return join(not positive, [*sides, self.build(right, positive, binding)])
            case Forall(x, body, category) | Exists(x, body, category):
                trees = [
                    self.build(body, positive, {**binding, x: n}) for n in self.over.of(category)
                ]
                return join(isinstance(c, Forall) == positive, trees)
            case Exactly():
                return self.build_count(c, positive, binding)
            case ForPairs():
                return self.build_pairs(c, positive, binding)
        raise ValueError(f"not BDDL: {type(c).__name__}")

    def build_count(self, c: Exactly, positive: bool, binding: Binding) -> Tree:
        bindings = [{**binding, c.variable: n} for n in self.over.of(c.type)]
        if self.exact:
            yes = [self.build(c.body, True, b) for b in bindings]
            no = [self.build(c.body, False, b) for b in bindings]
            counts = [k for k in range(len(yes) + 1) if (k == c.count) == positive]
            return choose(counts, yes, no)
        if positive:
            return count_of(c.count, [self.build(c.body, True, b) for b in bindings])
        trees = [self.build(c.body, False, b) for b in bindings]
        return count_of(len(trees) - c.count + 1, trees)

    def build_pairs(self, c: ForPairs, positive: bool, binding: Binding) -> Tree:
        cells = [
            [
                FALSE
                if pair is None and positive
                else TRUE
                if pair is None
                else self.build(c.body, positive, {**binding, **pair})
                for pair in row
            ]
            for row in pair_grid(c, self.over)
        ]
        size = count_pairs(c, self.over)
        if positive:
            return match_cells(size, cells)
        # Too few of the first, or too few of the second, have a partner.
        nobody: list[tuple[Tree, ...]] = [()] * len(self.over.of(c.second.type))
        columns = list(zip(*cells, strict=True)) if cells else nobody
        sides = [
            count_of(len(lines) - size + 1, [join(True, line) for line in lines])
            for lines in (cells, columns)
        ]
        return join(False, sides)


def join(every: bool, parts: Sequence[Tree]) -> Tree:
    """Return ``All`` or ``Any`` of ``parts``, flattened, and simplified if a part has no
    options."""
    if every:
        flat = [p for part in parts for p in (part.parts if isinstance(part, All) else (part,))]
        if FALSE in flat:
            return FALSE
        return flat[0] if len(flat) == 1 else All(tuple(flat))
    flat = [p for part in parts for p in (part.parts if isinstance(part, Any) else (part,))]
    return flat[0] if len(flat) == 1 else Any(tuple(flat))


def count_of(count: int, parts: Sequence[Tree]) -> Tree:
    """Return options of ``count`` of the parts; true if ``count`` is 0 or less."""
    return choose([max(count, 0)], parts, [TRUE] * len(parts))


def choose(counts: Sequence[int], yes: Sequence[Tree], no: Sequence[Tree]) -> Tree:
    """Return ``Choose`` with the counts that are possible."""
    if any(y == FALSE and n == FALSE for y, n in zip(yes, no, strict=True)):
        return FALSE
    least, most = sum(n == FALSE for n in no), sum(y != FALSE for y in yes)
    possible = tuple(k for k in counts if least <= k <= most)
    if not possible:
        return FALSE
    return Choose(possible, tuple(yes), tuple(no)) if yes else TRUE


def match_cells(size: int, cells: Sequence[Sequence[Tree]]) -> Tree:
    """Return ``Match``, transposed if needed so that it has no more rows than columns."""
    if size <= 0:
        return TRUE
    grid = [tuple(row) for row in cells]
    if grid and len(grid) >= len(grid[0]):
        grid = [tuple(column) for column in zip(*cells, strict=True)]
    if largest_matching([[cell != FALSE for cell in row] for row in grid]) < size:
        return FALSE
    return Match(size, tuple(grid), all(cell != FALSE for row in grid for cell in row))


def largest_matching(allowed: Sequence[Sequence[bool]]) -> int:
    """Return the maximum number of allowed cells, no two in one row or column (augmenting
    paths)."""
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
