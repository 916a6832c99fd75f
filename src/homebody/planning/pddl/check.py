"""Checks of operators, domains and problems.

Errors are the faults that Fast Downward's translator refuses, as the tests check. It ignores the
types of arguments, so a wrong type is not an error; see :func:`check_types`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal, TypeAlias

from homebody.core.formula import (
    EQUALS,
    OBJECT,
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Quantification,
    When,
    is_variable,
)
from homebody.planning.pddl.domain import Domain, Operator, Problem
from homebody.planning.sexpr import formula_text

Role: TypeAlias = Literal["condition", "effect"]


def supertypes(types: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Return a type and its supertypes, nearest first; ``object`` is the supertype of all."""
    above = [name]
    while (parent := types.get(above[-1], OBJECT)) not in above:
        above.append(parent)
    if OBJECT not in above and name in types:
        above.append(OBJECT)
    return tuple(above)


def check_operator(operator: Operator, domain: Domain) -> list[str]:
    """Return the errors of an operator, a sentence each; empty if a planner would accept it."""
    names = {p.name for p in operator.parameters}
    return [
        *(
            f"precondition: {problem}"
            for problem in _check(operator.precondition, "condition", names, domain)
        ),
        *(f"effect: {problem}" for problem in _check(operator.effect, "effect", names, domain)),
    ]


def check_domain(domain: Domain) -> list[str]:
    """Return the errors of a domain's operators, each with its operator's name."""
    return [
        f"{name}: {problem}"
        for name, operator in domain.operators.items()
        for problem in check_operator(operator, domain)
    ]


def check_problem(problem: Problem, domain: Domain) -> list[str]:
    """Return the errors of a problem for a domain; empty if a planner would accept it."""
    problems = []
    if problem.domain != domain.name:
        problems.append(f"the problem is for domain '{problem.domain}', not '{domain.name}'")
    types = {OBJECT, *domain.types}
    problems += [
        f"object '{name}' has unknown type '{kind}'"
        for name, kind in problem.objects.items()
        if kind not in types
    ]
    names = set(problem.objects)
    for fact in sorted(problem.initial, key=lambda atom: (atom.predicate, atom.args)):
        if fact.predicate == EQUALS:
            problems.append(f"initial state: '=' is not a fact: {_quote(fact)}")
        problems += [f"initial state: {wrong}" for wrong in _check(fact, "effect", names, domain)]
    problems += [f"goal: {wrong}" for wrong in _check(problem.goal, "condition", names, domain)]
    return problems


def _check(formula: Formula, role: Role, names: set[str], domain: Domain) -> Iterator[str]:
    """Yield the errors of a formula; ``names`` are the bound variables and known objects."""
    match formula:
        case Atom():
            yield from _check_atom(formula, role, names, domain)
        case Not(body):
            if role == "effect" and not isinstance(body, Atom):
                yield f"'not' takes a predicate in an effect: {_quote(formula)}"
            else:
                yield from _check(body, role, names, domain)
        case And(parts):
            for part in parts:
                yield from _check(part, role, names, domain)
        case Or(parts):
            if role == "effect":
                yield f"an effect has no 'or': {_quote(formula)}"
            for part in parts:
                yield from _check(part, role, names, domain)
        case Implies(left, right):
            if role == "effect":
                yield f"an effect has no 'imply', only 'when': {_quote(formula)}"
            yield from _check(left, "condition", names, domain)
            yield from _check(right, role, names, domain)
        case Quantification(kind, variables, body):
            if role == "effect" and kind == "exists":
                yield f"an effect has no 'exists': {_quote(formula)}"
            if role == "condition" and not variables:
                yield f"'{kind}' has no variables: {_quote(formula)}"
            yield from _check(body, role, names | {v.name for v in variables}, domain)
        case When(condition, effect):
            if role == "condition":
                yield f"a condition has no 'when', only 'imply': {_quote(formula)}"
            yield from _check(condition, "condition", names, domain)
            yield from _check(effect, role, names, domain)


def _check_atom(atom: Atom, role: Role, names: set[str], domain: Domain) -> Iterator[str]:
    text = cache(lambda: _quote(atom))  # cached: there may be thousands of unknown names
    if atom.predicate == EQUALS:
        arity = 2
    elif atom.predicate in domain.predicates:
        arity = len(domain.predicates[atom.predicate])
    else:
        yield f"unknown predicate '{atom.predicate}': {text()}"
        arity = len(atom.args)
    if len(atom.args) != arity:
        yield f"'{atom.predicate}' takes {arity} arguments, not {len(atom.args)}: {text()}"
    for arg in atom.args:
        if arg not in names:
            what = "variable is not bound" if is_variable(arg) else "name is not known"
            yield f"'{arg}': this {what}: {text()}"


def _quote(formula: Formula, width: int = 80) -> str:
    text = formula_text(formula)
    return text if len(text) <= width else text[: width - 1] + "…"


def is_plain(operator: Operator) -> bool:
    """Return whether Fast Downward reads an operator's effect as PDDL defines it.

    There are three exceptions: a quantifier inside a ``when`` (Fast Downward confuses conditions
    that have a variable of the same name, and refuses some such effects), a quantifier that rebinds
    a variable, and an effect on ``=``. Planners differ on these.
    """
    return _is_plain(operator.effect, frozenset(p.name for p in operator.parameters), False)


def _is_plain(effect: Formula, names: frozenset[str], conditional: bool) -> bool:
    match effect:
        case Atom(predicate, _) | Not(Atom(predicate, _)):
            return predicate != EQUALS
        case And(parts):
            return all(_is_plain(part, names, conditional) for part in parts)
        case Quantification(_, variables, body):
            new = {v.name for v in variables}
            return not conditional and not new & names and _is_plain(body, names | new, False)
        case When(_, body):
            return _is_plain(body, names, True)
    return False


def check_types(operator: Operator, domain: Domain) -> list[str]:
    """Return warnings on unknown types, and on arguments that can never have the type that their
    predicate requires. Planners accept such operators."""
    known_types = {OBJECT, *domain.types}
    problems = [
        f"unknown type '{p.type}' of {p.name}"
        for p in operator.parameters
        if p.type not in known_types
    ]
    types = {p.name: p.type for p in operator.parameters}
    for formula in (operator.precondition, operator.effect):
        problems += _types(formula, types, domain, known_types)
    return list(dict.fromkeys(problems))


def _types(
    formula: Formula, types: Mapping[str, str], domain: Domain, known_types: set[str]
) -> Iterator[str]:
    match formula:
        case Atom(predicate, args):
            declared = domain.predicates.get(predicate, ())
            for arg, parameter in zip(args, declared, strict=False):
                given = types.get(arg)
                if given is None or given not in known_types:
                    continue
                above = supertypes(domain.types, given)
                below = supertypes(domain.types, parameter.type)
                if parameter.type not in above and given not in below:
                    yield (
                        f"'{arg}' is of type '{given}', but '{predicate}' takes "
                        f"'{parameter.type}': {_quote(formula)}"
                    )
        case Not(body):
            yield from _types(body, types, domain, known_types)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _types(part, types, domain, known_types)
        case Implies(left, right) | When(left, right):
            yield from _types(left, types, domain, known_types)
            yield from _types(right, types, domain, known_types)
        case Quantification(_, variables, body):
            for variable in variables:
                if variable.type not in known_types:
                    yield f"unknown type '{variable.type}' of {variable.name}"
            inner = {**types, **{v.name: v.type for v in variables}}
            yield from _types(body, inner, domain, known_types)
