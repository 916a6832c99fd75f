"""First-order formulas over facts, the one language of goals, preconditions and effects.

A formula is a small immutable tree. Its leaves are atoms ``predicate(arg, ...)`` whose
arguments are object names or variables; a variable is a string that starts with ``?``.
Actions, goals and (later) PDDL all parse into these nodes, so that each is evaluated,
printed and explained in one place.

Source of the connectives: EAI paper, section 2.2 and appendix C.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Binding: TypeAlias = Mapping[str, str]
"""Variable name (with its ``?``) -> object name."""


@dataclass(frozen=True, slots=True)
class Atom:
    """``predicate(args...)``: a state proposition or, in a goal, an action proposition."""

    predicate: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    variable: str
    body: Formula


@dataclass(frozen=True, slots=True)
class Exists:
    variable: str
    body: Formula


@dataclass(frozen=True, slots=True)
class Exactly:
    """``exists=n``: exactly ``count`` objects satisfy ``body``."""

    count: int
    variable: str
    body: Formula


@dataclass(frozen=True, slots=True)
class Then:
    """Temporal order; only :mod:`homebody.goals.ltl` gives it a meaning."""

    parts: tuple[Formula, ...]


Formula: TypeAlias = Atom | Not | And | Or | Implies | Forall | Exists | Exactly | Then

TRUE = And(())
FALSE = Or(())
EQUALS = "="


class Structure(Protocol):
    """What a formula is evaluated against: a state, a state seen through derived
    predicates, or one step of a trace."""

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order: the range of the quantifiers."""
        ...

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Whether the ground atom is true (closed world: unknown atoms are false)."""
        ...

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """The true ground atoms that agree with ``args``; ``None`` matches anything."""
        ...


def is_variable(term: str) -> bool:
    return term.startswith("?")


def conjunction(*parts: Formula) -> Formula:
    """``And`` of ``parts`` with nested conjunctions flattened; one part stays itself."""
    flat: list[Formula] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Replace free variables by what ``binding`` gives them."""
    match formula:
        case Atom(predicate, args):
            return Atom(predicate, tuple(binding.get(a, a) for a in args))
        case Not(body):
            return Not(substitute(body, binding))
        case And(parts):
            return And(tuple(substitute(p, binding) for p in parts))
        case Or(parts):
            return Or(tuple(substitute(p, binding) for p in parts))
        case Then(parts):
            return Then(tuple(substitute(p, binding) for p in parts))
        case Implies(left, right):
            return Implies(substitute(left, binding), substitute(right, binding))
        case Forall(variable, body):
            return Forall(variable, substitute(body, _without(binding, variable)))
        case Exists(variable, body):
            return Exists(variable, substitute(body, _without(binding, variable)))
        case Exactly(count, variable, body):
            return Exactly(count, variable, substitute(body, _without(binding, variable)))


def _without(binding: Binding, variable: str) -> Binding:
    return {k: v for k, v in binding.items() if k != variable} if variable in binding else binding


def evaluate(formula: Formula, structure: Structure, binding: Binding | None = None) -> bool:
    """Truth of a formula without ``then`` in one structure.

    Raises:
        ValueError: the formula has ``then`` or a variable that nothing binds.
    """
    return _evaluate(formula, structure, binding or {})


def _evaluate(formula: Formula, structure: Structure, binding: Binding) -> bool:
    match formula:
        case Atom(predicate, args):
            ground = tuple([_ground(a, binding) for a in args])
            if predicate == EQUALS:
                return ground[0] == ground[1]
            return structure.holds(predicate, ground)
        case And(parts):
            return all(_evaluate(p, structure, binding) for p in parts)
        case Or(parts):
            return any(_evaluate(p, structure, binding) for p in parts)
        case Not(body):
            return not _evaluate(body, structure, binding)
        case Implies(left, right):
            return not _evaluate(left, structure, binding) or _evaluate(right, structure, binding)
        case Exists(variable, body):
            return any(
                _evaluate(body, structure, {**binding, variable: name})
                for name in candidates(variable, body, structure, binding)
            )
        case Forall(variable, body):
            if isinstance(body, Implies):  # objects that fail the left side satisfy it anyway
                names = candidates(variable, body.left, structure, binding)
            else:
                names = structure.names
            return all(_evaluate(body, structure, {**binding, variable: name}) for name in names)
        case Exactly(count, variable, body):
            found = 0
            for name in candidates(variable, body, structure, binding):
                found += _evaluate(body, structure, {**binding, variable: name})
                if found > count:
                    return False
            return found == count
        case Then():
            raise ValueError("'then' has no truth value in a single state")


def _ground(term: str, binding: Binding) -> str:
    if term[:1] != "?":
        return term
    try:
        return binding[term]
    except KeyError:
        raise ValueError(f"variable {term} is not bound") from None


def candidates(
    variable: str, body: Formula, structure: Structure, binding: Binding
) -> Iterable[str]:
    """Objects that can make ``body`` true when they take the place of ``variable``.

    A superset, each object once, in a deterministic order. If ``body`` requires an atom whose
    only unbound term is ``variable``, its table is read instead of trying every object.
    """
    for part in body.parts if isinstance(body, And) else (body,):
        if not isinstance(part, Atom) or part.predicate == EQUALS or variable not in part.args:
            continue
        pattern: list[str | None] = []
        for term in part.args:
            if term == variable:
                pattern.append(None)
            elif is_variable(term) and term not in binding:
                break
            else:
                pattern.append(binding.get(term, term))
        else:
            position = part.args.index(variable)
            found = {row[position] for row in structure.match(part.predicate, tuple(pattern))}
            return sorted(found)
    return structure.names


def bindings(
    variables: tuple[str, ...], condition: Formula, structure: Structure, binding: Binding
) -> Iterator[Binding]:
    """Every extension of ``binding`` to ``variables`` under which ``condition`` is true."""
    if not variables:
        if _evaluate(condition, structure, binding):
            yield binding
        return
    first, rest = variables[0], variables[1:]
    for name in candidates(first, condition, structure, binding):
        yield from bindings(rest, condition, structure, {**binding, first: name})


def atoms(formula: Formula) -> Iterator[Atom]:
    """All atoms of the tree, left to right."""
    match formula:
        case Atom():
            yield formula
        case Not(body) | Forall(_, body) | Exists(_, body) | Exactly(_, _, body):
            yield from atoms(body)
        case And(parts) | Or(parts) | Then(parts):
            for part in parts:
                yield from atoms(part)
        case Implies(left, right):
            yield from atoms(left)
            yield from atoms(right)
