"""Evaluates a BDDL condition in a state, and defines the range of its quantifiers.

Source: the published evaluation (``bddl`` 1.0.1); :mod:`homebody.goals.bddl` lists its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from homebody.core.formula import Binding, Formula, ForPairs, Structure, bound_by, nodes
from homebody.core.truth import evaluate as evaluate_formula
from homebody.goals.bddl.assignment import assign
from homebody.goals.bddl.problem import Problem


@dataclass(frozen=True)
class Universe:
    """The objects that quantifiers range over.

    Attributes:
        names: All objects, each once, in the order of the ranges.
        is_a: Returns whether an object belongs to a category.
    """

    names: tuple[str, ...]
    is_a: Callable[[str, str], bool]

    @cached_property
    def _ranges(self) -> dict[str, tuple[str, ...]]:
        return {}

    def of(self, category: str) -> tuple[str, ...]:
        """Return the objects of a category, in order."""
        if category not in self._ranges:
            self._ranges[category] = tuple(n for n in self.names if self.is_a(n, category))
        return self._ranges[category]


def universe(problem: Problem) -> Universe:
    """Return the objects of a problem, each in its declared category only, as in ``bddl``.

    For "every food" to range over apples, make a Universe whose ``is_a`` uses a taxonomy.
    """
    objects = problem.objects
    return Universe(tuple(objects), partial(_is_declared, objects))


def _is_declared(objects: Mapping[str, str], name: str, category: str) -> bool:
    return objects[name] == category


def empty_categories(condition: Formula, over: Universe) -> tuple[str, ...]:
    """Return the categories without objects in the ranges of quantifiers, each once.

    ``bddl`` rejects such goals. Here, ``forall`` is true and ``exists`` is false for such a
    category.
    """
    bound = (variable.type for node in nodes(condition) for variable in bound_by(node))
    return tuple(category for category in dict.fromkeys(bound) if not over.of(category))


# --- Truth --------------------------------------------------------------------------------------


def evaluate(
    condition: Formula, structure: Structure, over: Universe, *, paired: bool = False
) -> bool:
    """Return the truth of a condition in one structure.

    Args:
        condition: A closed condition.
        structure: The facts.
        over: The objects that its quantifiers range over.
        paired: True if pairs are one to one, as in goal options. If False, objects may share a
            partner, as in ``bddl`` 1.0.1.
    """

    def pairs(part: Formula, binding: Binding) -> bool:
        if not isinstance(part, ForPairs):
            raise ValueError(f"not BDDL: {type(part).__name__}")
        grid = [
            [pair is not None and holds(part.body, {**binding, **pair}) for pair in row]
            for row in pair_grid(part, over)
        ]
        size = count_pairs(part, over)
        rows = sum(map(any, grid))
        columns = sum(map(any, zip(*grid, strict=True)))
        if rows < size or columns < size:
            return False
        if not paired or size <= 1:
            return True
        return assign([[0 if cell else None for cell in row] for row in grid], size) is not None

    def holds(part: Formula, binding: Binding) -> bool:
        return evaluate_formula(part, structure, binding, over=over.of, special=pairs)

    return holds(condition, {})


def pair_grid(c: ForPairs, over: Universe) -> list[list[dict[str, str] | None]]:
    """Return pairs, as bindings, by first object (row) and second object (column).

    No object is paired with itself, so a row omits its own object. If both categories are the same,
    the later columns of the row move up by one, as in ``bddl``. If the categories only overlap,
    ``bddl`` fails; here the row has a gap.
    """
    x, y = c.first, c.second
    rows = [
        [{x.name: a, y.name: b} if a != b else None for b in over.of(y.type)]
        for a in over.of(x.type)
    ]
    dense: list[list[dict[str, str] | None]] = [[p for p in row if p is not None] for row in rows]
    same = len({len(row) for row in dense}) <= 1
    return dense if same else rows


def count_pairs(c: ForPairs, over: Universe) -> int:
    """Return the required number of pairs: n for ``fornpairs``, the maximum for ``forpairs``."""
    if c.count is not None:
        return c.count
    grid = pair_grid(c, over)
    return min(len(grid), len(grid[0])) if grid else 0
