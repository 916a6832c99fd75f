"""BDDL goals without quantifiers, for planners, including ``forn``, ``forpairs`` and ``fornpairs``.

A goal becomes one formula over facts and *definitions*: named formulas over facts and earlier
definitions, which PDDL writes as derived predicates. Without names, the counting quantifiers would
be exponentially long: "exactly n of m" takes about n m definitions with two choices each. The truth
values are the same as in :func:`homebody.goals.bddl.evaluate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from homebody.core.formula import (
    FALSE,
    TRUE,
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Not,
    Or,
    flat_parts,
    ground,
)
from homebody.goals.bddl.grounding import TooLargeError
from homebody.goals.bddl.truth import Universe, count_pairs, pair_grid

MAX_LITERALS = 50_000
"""Maximum number of literals of an expanded goal."""
PREFIX = "goal-"
"""Prefix of the names of definitions; no predicate of a world has it."""


@dataclass(frozen=True, slots=True)
class GroundGoal:
    """A goal over facts.

    Attributes:
        formula: Made of ``And``, ``Or``, ``Not`` and atoms. An atom without arguments whose name is
            in ``definitions`` stands for that definition.
        definitions: Name -> formula over facts and earlier names.
    """

    formula: Formula
    definitions: Mapping[str, Formula]


def expand(conditions: Iterable[Formula], over: Universe) -> GroundGoal:
    """Return all conditions as one ground goal.

    Raises:
        TooLargeError: The goal would have more than ``MAX_LITERALS`` literals.
    """
    expansion = _Expansion(over)
    parts = [expansion.expand(condition, {}) for condition in conditions]
    return GroundGoal(all_of(parts), expansion.definitions)


def all_of(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction without true parts; false if a part is false."""
    return _join(And, FALSE, parts)


def any_of(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction without false parts; true if a part is true."""
    return _join(Or, TRUE, parts)


def _join(connective: type[And | Or], decisive: Formula, parts: Iterable[Formula]) -> Formula:
    flat = flat_parts(connective, parts)
    if decisive in flat:
        return decisive
    return flat[0] if len(flat) == 1 else connective(tuple(dict.fromkeys(flat)))


def negate(formula: Formula) -> Formula:
    """Return the negation, with ``not`` at atoms only."""
    match formula:
        case Not(body):
            return body
        case And(parts):
            return any_of(map(negate, parts))
        case Or(parts):
            return all_of(map(negate, parts))
    return Not(formula)


@dataclass(slots=True)
class _Expansion:
    over: Universe
    definitions: dict[str, Formula] = field(default_factory=dict)
    literals: int = 0

    def expand(self, c: Formula, binding: Binding) -> Formula:
        match c:
            case Atom():
                self.literals += 1
                if self.literals > MAX_LITERALS:
                    raise TooLargeError(f"the goal has more than {MAX_LITERALS} literals")
                return ground(c, binding)
            case Not(body):
                return negate(self.expand(body, binding))
            case And(parts):
                return all_of([self.expand(part, binding) for part in parts])
            case Or(parts):
                return any_of([self.expand(part, binding) for part in parts])
            case Implies(left, right):
                sides = [negate(self.expand(left, binding)), self.expand(right, binding)]
                return any_of(sides)
            case Forall(x, body, category):
                return all_of(self.each(x, category, body, binding))
            case Exists(x, body, category):
                return any_of(self.each(x, category, body, binding))
            case Exactly(count, x, body, category):
                return self.count(count, self.each(x, category, body, binding), exactly=True)
            case ForPairs():
                return self.pairs(c, binding)
        raise ValueError(f"not BDDL: {type(c).__name__}")

    def each(self, x: str, category: str, body: Formula, binding: Binding) -> list[Formula]:
        """Expand the body for each object of a category."""
        return [self.expand(body, {**binding, x: n}) for n in self.over.of(category)]

    def pairs(self, c: ForPairs, binding: Binding) -> Formula:
        grid = [
            [FALSE if pair is None else self.expand(c.body, {**binding, **pair}) for pair in row]
            for row in pair_grid(c, self.over)
        ]
        size = count_pairs(c, self.over)
        sides = [
            self.count(size, [any_of(line) for line in lines], exactly=False)
            for lines in (grid, list(zip(*grid, strict=True)))
        ]
        return all_of(sides)

    def count(self, count: int, parts: Sequence[Formula], *, exactly: bool) -> Formula:
        """Return the formula that exactly, or at least, ``count`` of the parts are true."""
        if count > len(parts):
            return FALSE
        if count == len(parts):
            return all_of(parts)
        if count <= 0:
            return all_of(map(negate, parts)) if exactly else TRUE
        if count == 1 and not exactly:
            return any_of(parts)
        named = [self.give_name(part) for part in parts]
        # rows[j]: j of the parts so far are true
        rows: list[Formula] = [TRUE, *[FALSE] * count]
        for part in named:
            rows = [
                self.give_name(
                    any_of(
                        [
                            all_of([rows[j], negate(part)]) if exactly else rows[j],
                            *([all_of([rows[j - 1], part])] if j else []),
                        ]
                    )
                )
                for j in range(count + 1)
            ]
        return rows[count]

    def give_name(self, formula: Formula) -> Formula:
        """Return a literal or constant unchanged; for any other formula, return a name that is
        defined as it."""
        if isinstance(formula, Atom | Not) or formula in (TRUE, FALSE):
            return formula
        name = f"{PREFIX}{len(self.definitions)}"
        self.definitions[name] = formula
        return Atom(name)
