"""The relaxation of a planning task, computed with arrays. It finds the reachable atoms and
actions.

In the relaxation, an atom that can be true (or false) at some level can be so at all later levels.
Everything that is possible in the task is possible in the relaxation, so a goal that the relaxation
cannot reach has no plan. Levels are the levels of h-max: 0 for literals that hold at the start. For
another literal, take the action that achieves it with the lowest level of preconditions, and add
one to that level.

An operator is evaluated for all bindings at once: a condition becomes an array of levels with one
axis for each variable, where ``and`` is the maximum, ``or`` the minimum, and ``exists`` the minimum
along an axis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.core.formula import (
    EQUALS,
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
)
from homebody.planning.pddl.domain import Domain, Operator, Problem
from homebody.planning.solver.execution import objects_by_type

Levels: TypeAlias = NDArray[np.int16]
Indices: TypeAlias = NDArray[np.intp]
Sign: TypeAlias = bool
LiteralKey: TypeAlias = tuple[str, Sign]
"""A predicate, and the truth value that an effect gives or a condition requires."""

NEVER = 32_000
"""The level of impossible literals."""

MAX_WORK = 200_000_000
"""Maximum number of computed array elements (about half a second)."""

NODE_WORK = 2_000
"""The minimum cost of evaluating a node of an expression, in array elements."""

MAX_ARRAY = 2_000_000
"""Maximum number of elements of an array."""

MAX_AXES = 30


class TooLargeError(Exception):
    """Raised if a task is too large for this process."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One literal of an effect, with the conditions and quantifiers around it, outermost first."""

    atom: Atom
    sign: Sign
    around: tuple[Formula | tuple[Parameter, ...], ...]


def leaves(
    effect: Formula, around: tuple[Formula | tuple[Parameter, ...], ...] = ()
) -> Iterator[Leaf]:
    """Yield the literals of an effect, in textual order."""
    match effect:
        case Atom():
            yield Leaf(effect, True, around)
        case Not(Atom() as atom):
            yield Leaf(atom, False, around)
        case And(parts):
            for part in parts:
                yield from leaves(part, around)
        case Quantification("forall", variables, body):
            yield from leaves(body, (*around, variables))
        case When(condition, body):
            yield from leaves(body, (*around, condition))


def literals(condition: Formula, sign: Sign = True) -> Iterator[LiteralKey]:
    """Yield the literals that a condition requires: predicate and sign, without arguments."""
    match condition:
        case Atom(predicate, _):
            yield predicate, sign
        case Not(body):
            yield from literals(body, not sign)
        case And(parts) | Or(parts):
            for part in parts:
                yield from literals(part, sign)
        case Implies(left, right):
            yield from literals(left, not sign)
            yield from literals(right, sign)
        case Quantification(_, _, body):
            yield from literals(body, sign)


@dataclass(frozen=True, slots=True)
class Schema:
    """An operator, prepared for the relaxation."""

    operator: Operator
    leaves: tuple[Leaf, ...]
    reads: frozenset[LiteralKey]


def _schemas(domain: Domain, goal: Formula) -> list[Schema]:
    """Return the operators that are relevant to a goal. An operator is relevant if it achieves a
    literal that the goal or a relevant operator requires. Arguments are ignored."""
    waiting = []
    for operator in domain.operators.values():
        literals_made = tuple(leaves(operator.effect))
        reads = set(literals(operator.precondition))
        for leaf in literals_made:
            for item in leaf.around:
                if not isinstance(item, tuple):
                    reads.update(literals(item))
        waiting.append(Schema(operator, literals_made, frozenset(reads)))
    needed = set(literals(goal))
    chosen: dict[str, Schema] = {}
    grown = True
    while grown:
        grown = False
        for schema in waiting:
            name = schema.operator.name
            if name in chosen:
                continue
            if any((leaf.atom.predicate, leaf.sign) in needed for leaf in schema.leaves):
                chosen[name] = schema
                needed |= schema.reads
                grown = True
    return [schema for schema in waiting if schema.operator.name in chosen]


Scope: TypeAlias = dict[str, Indices | int]
"""Variable -> its objects along an axis of its own, or its only object, which needs no axis.

Axes count from the right, outermost variable last, so that numpy broadcasts arrays without the axes
of inner variables.
"""


@dataclass(slots=True)
class Relaxation:
    """The relaxation of one task. :func:`relax` makes one; :meth:`run` fills in the levels.

    Attributes:
        names: The objects in the problem's order, which defines their indices.
        index: Object -> its index.
        table: Type -> the indices of its objects.
        members: Type -> the indices of its objects, as tuples.
        schemas: The relevant operators with at least one binding.
        levels: ``levels[predicate, sign][objects]``: the first level of a true or false atom.
    """

    problem: Problem
    names: tuple[str, ...]
    index: dict[str, int]
    table: dict[str, Indices]
    members: dict[str, tuple[int, ...]]
    schemas: list[Schema]
    levels: dict[LiteralKey, Levels]
    work: int = 0

    def run(self) -> bool:
        """Compute the levels; return whether the goal is reachable. Raises TooLargeError."""
        changed: set[LiteralKey] | None = None
        while changed is None or changed:
            before, changed = changed, set()
            for schema in self.schemas:
                if before is None or not schema.reads.isdisjoint(before | changed):
                    self._apply(schema, changed)
        return self.level(self.problem.goal, True, {}) < NEVER

    def level(self, condition: Formula, sign: Sign, scope: Scope) -> int:
        """Return the first level at which a condition without free axes has a truth value."""
        return int(self.array(condition, sign, scope, 0))

    def array(self, condition: Formula, sign: Sign, scope: Scope, depth: int) -> Levels | np.int16:
        """Return the first level at which a condition has a truth value, for each binding of a
        scope.

        ``depth`` is the number of axes in use.
        """
        match condition:
            case Atom(predicate, args):
                levels: Levels = self.levels[predicate, sign][self._indices(args, scope)]
                self._spend(levels.size)
                return levels
            case Not(body):
                return self.array(body, not sign, scope, depth)
            case And(parts):
                return self._join(parts, sign, sign, scope, depth)
            case Or(parts):
                return self._join(parts, sign, not sign, scope, depth)
            case Implies(left, right):
                return self._join((Not(left), right), sign, not sign, scope, depth)
            case Quantification(kind, variables, body):
                inner, deeper = self.inside(variables, scope, depth)
                if not all(np.size(inner[v.name]) for v in variables):
                    return _ALWAYS if (kind == "forall") == sign else _NEVER
                value = self.array(body, sign, inner, deeper)
                axes = tuple(range(value.ndim - depth))
                if not axes:
                    return value
                hardest = (kind == "forall") == sign
                reduced: Levels = value.max(axis=axes) if hardest else value.min(axis=axes)
                return reduced
        raise TypeError(f"not a condition: {type(condition).__name__}")

    def _join(
        self, parts: Sequence[Formula], sign: Sign, every: bool, scope: Scope, depth: int
    ) -> Levels | np.int16:
        """Return the levels of all ``parts`` (``every``) or of any one of them."""
        value: Levels | np.int16 = _ALWAYS if every else _NEVER
        for part in parts:
            levels = self.array(part, sign, scope, depth)
            value = np.maximum(value, levels) if every else np.minimum(value, levels)
            self._spend(value.size)
        return value

    def inside(self, variables: Sequence[Parameter], scope: Scope, depth: int) -> tuple[Scope, int]:
        """Return the scope and the depth inside a quantifier. Raises TooLargeError."""
        inner = dict(scope)
        for variable in variables:
            objects = self.table.get(variable.type, _NONE)
            if depth >= MAX_AXES:  # numpy has not many more
                raise TooLargeError
            inner[variable.name] = objects.reshape((-1,) + (1,) * depth)
            depth += 1
        if depth > MAX_AXES or prod(map(np.size, inner.values())) > MAX_ARRAY:
            raise TooLargeError
        return inner, depth

    def _indices(self, args: Sequence[str], scope: Scope) -> tuple[Indices | int, ...]:
        return tuple(scope[arg] if arg in scope else self.index[arg] for arg in args)

    def _spend(self, elements: int) -> None:
        self.work += elements + NODE_WORK
        if self.work > MAX_WORK:
            raise TooLargeError

    def _apply(self, schema: Schema, changed: set[LiteralKey]) -> None:
        """Lower the levels of the effects of an operator."""
        scope, depth = self.inside(schema.operator.parameters, {}, 0)
        base = self.array(schema.operator.precondition, True, scope, depth)
        if base.min() >= NEVER:
            return
        for leaf in schema.leaves:
            inner, deeper, value = scope, depth, base
            for item in leaf.around:
                if isinstance(item, tuple):
                    inner, deeper = self.inside(item, inner, deeper)
                else:
                    value = np.maximum(value, self.array(item, True, inner, deeper))
            key = (leaf.atom.predicate, leaf.sign)
            if key in self.levels and all(map(np.size, inner.values())):
                self._lower(key, self._indices(leaf.atom.args, inner), value, changed)

    def _lower(
        self,
        key: LiteralKey,
        indices: tuple[Indices | int, ...],
        value: Levels | np.int16,
        changed: set[LiteralKey],
    ) -> None:
        levels = self.levels[key]
        old = levels[indices]
        missing = value.ndim - old.ndim
        shape = (1,) * missing + old.shape
        spare = tuple(a for a, size in enumerate(shape[-value.ndim :] or ()) if size == 1)
        if value.ndim and spare:
            value = value.min(axis=spare, keepdims=True)
        if missing > 0:
            value = value.reshape(value.shape[missing:])
        self._spend(old.size)
        new = np.minimum(old, value + 1)
        if (new < old).any():
            levels[indices] = new
            changed.add(key)


_ALWAYS = np.int16(0)
_NEVER = np.int16(NEVER)
_NONE: Indices = np.zeros(0, dtype=np.intp)


def relax(domain: Domain, problem: Problem) -> Relaxation:
    """Make the relaxation of a task, with initial levels. Raises TooLargeError."""
    names = tuple(problem.objects)
    index = {name: number for number, name in enumerate(names)}
    members = {
        kind: tuple(index[name] for name in members_of_type)
        for kind, members_of_type in objects_by_type(domain, problem).items()
    }
    table = {kind: np.array(numbers, dtype=np.intp) for kind, numbers in members.items()}
    schemas = [
        schema
        for schema in _schemas(domain, problem.goal)
        if all(p.type in table for p in schema.operator.parameters)
    ]
    keys = set(literals(problem.goal))
    for schema in schemas:
        keys |= schema.reads
    facts: dict[str, list[tuple[int, ...]]] = {}
    for atom in problem.initial:
        facts.setdefault(atom.predicate, []).append(tuple([index[arg] for arg in atom.args]))
    levels: dict[LiteralKey, Levels] = {}
    for predicate, sign in keys:
        arity = 2 if predicate == EQUALS else len(domain.predicates[predicate])
        if len(names) ** arity > MAX_ARRAY:
            raise TooLargeError
        shape = (len(names),) * arity
        array = np.full(shape, NEVER if sign else 0, dtype=np.int16)
        there: list[tuple[int, ...]] = facts.get(predicate, [])
        if predicate == EQUALS:
            there = [(number, number) for number in range(len(names))]
        if there:
            array[tuple(np.array(column) for column in zip(*there, strict=True))] = (
                0 if sign else NEVER
            )
        levels[predicate, sign] = array
    return Relaxation(problem, names, index, table, members, schemas, levels)
