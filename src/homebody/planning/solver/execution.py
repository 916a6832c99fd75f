"""What PDDL means, written as plainly as possible: states are sets of atoms.

The planners of :mod:`.solve` work on other representations; a plan counts only if it runs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from homebody.core.action import Parameter
from homebody.core.formula import EQUALS, Atom
from homebody.planning.pddl.check import supertypes
from homebody.planning.pddl.nodes import (
    Conjunction,
    Disjunction,
    Domain,
    Expression,
    Implication,
    Negation,
    Problem,
    Quantification,
    When,
)

Step: TypeAlias = tuple[str, tuple[str, ...]]
"""An action's name and its objects."""

Plan: TypeAlias = tuple[Step, ...]
Binding: TypeAlias = Mapping[str, str]


def objects_by_type(domain: Domain, problem: Problem) -> dict[str, tuple[str, ...]]:
    """Type -> the objects that are of it or of a subtype, in the problem's order."""
    table: dict[str, list[str]] = {}
    for name, kind in problem.objects.items():
        for above in supertypes(domain.types, kind):
            table.setdefault(above, []).append(name)
    return {kind: tuple(names) for kind, names in table.items()}


def bindings(
    variables: Sequence[Parameter], objects: Mapping[str, Sequence[str]]
) -> Iterator[dict[str, str]]:
    """Every way to give objects of the right types to variables."""
    names = [v.name for v in variables]
    for row in product(*(objects.get(v.type, ()) for v in variables)):
        yield dict(zip(names, row, strict=True))


def holds(
    expression: Expression,
    state: frozenset[Atom],
    binding: Binding,
    objects: Mapping[str, Sequence[str]],
) -> bool:
    """Truth of a condition. Raises ValueError for ``when``, which is no condition."""
    match expression:
        case Atom():
            atom = _ground(expression, binding)
            return atom.args[0] == atom.args[1] if atom.predicate == EQUALS else atom in state
        case Negation(body):
            return not holds(body, state, binding, objects)
        case Conjunction(parts):
            return all(holds(part, state, binding, objects) for part in parts)
        case Disjunction(parts):
            return any(holds(part, state, binding, objects) for part in parts)
        case Implication(left, right):
            return not holds(left, state, binding, objects) or holds(right, state, binding, objects)
        case Quantification(kind, variables, body):
            truths = (
                holds(body, state, {**binding, **more}, objects)
                for more in bindings(variables, objects)
            )
            return all(truths) if kind == "forall" else any(truths)
        case When():
            raise ValueError("'when' is not a condition")


def apply(
    effect: Expression,
    state: frozenset[Atom],
    binding: Binding,
    objects: Mapping[str, Sequence[str]],
) -> frozenset[Atom]:
    """The state after an effect: every condition is read before, and adding beats deleting.

    Raises ValueError for what is no effect.
    """
    added: set[Atom] = set()
    deleted: set[Atom] = set()
    _collect(effect, state, binding, objects, added, deleted)
    return (state - deleted) | added


def _collect(
    effect: Expression,
    state: frozenset[Atom],
    binding: Binding,
    objects: Mapping[str, Sequence[str]],
    added: set[Atom],
    deleted: set[Atom],
) -> None:
    match effect:
        case Atom():
            added.add(_ground(effect, binding))
        case Negation(Atom() as atom):
            deleted.add(_ground(atom, binding))
        case Conjunction(parts):
            for part in parts:
                _collect(part, state, binding, objects, added, deleted)
        case Quantification("forall", variables, body):
            for more in bindings(variables, objects):
                _collect(body, state, {**binding, **more}, objects, added, deleted)
        case When(condition, body):
            if holds(condition, state, binding, objects):
                _collect(body, state, binding, objects, added, deleted)
        case _:
            raise ValueError(f"not an effect: {type(effect).__name__}")


def _ground(atom: Atom, binding: Binding) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(arg, arg) for arg in atom.args))


def fault(domain: Domain, problem: Problem, plan: Sequence[Step]) -> str:
    """Why a plan does not solve a problem, in a sentence; empty if it does."""
    objects = objects_by_type(domain, problem)
    state = problem.initial
    for number, (name, args) in enumerate(plan, 1):
        operator = domain.operators.get(name)
        if operator is None:
            return f"step {number}: there is no action '{name}'"
        if len(args) != len(operator.parameters):
            return f"step {number}: '{name}' takes {len(operator.parameters)} objects"
        for parameter, arg in zip(operator.parameters, args, strict=True):
            if arg not in objects.get(parameter.type, ()):
                return f"step {number}: '{arg}' is not of type '{parameter.type}'"
        binding = {p.name: arg for p, arg in zip(operator.parameters, args, strict=True)}
        if not holds(operator.precondition, state, binding, objects):
            return f"step {number}: the precondition of '{name}' does not hold"
        state = apply(operator.effect, state, binding, objects)
    return "" if holds(problem.goal, state, {}, objects) else "the goal does not hold at the end"
