"""Evaluates formulas, and finds the bindings that make them true.

Each formula is compiled once into a function: the same formulas are evaluated in many states, and
walking the tree each time takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from itertools import product
from typing import NamedTuple, TypeAlias, TypeVar

from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Binding,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    Structure,
    free_variables,
    is_variable,
)

R = TypeVar("R")

Ranges: TypeAlias = Callable[[str], Iterable[str]]
"""Type -> the objects in the range of a quantifier over it."""

Special: TypeAlias = Callable[[Formula, Binding], bool]
"""The truth of a node of one language."""


class Interpretation(NamedTuple):
    """The ranges of quantifiers, and the functions that evaluate special nodes; see
    :func:`evaluate`."""

    over: Ranges | None = None
    special: Special | None = None


Meaning: TypeAlias = Callable[[Structure, Binding, Interpretation], bool]
"""A formula as a function."""
Candidates: TypeAlias = Callable[[Structure, Binding], Iterable[str]]
"""The candidate objects for a variable."""
Solutions: TypeAlias = Callable[[Structure, Binding], Iterable[Binding]]
"""All extensions of a binding that make a condition true."""

PLAIN = Interpretation()

_MOST_REMEMBERED = 4_000


def evaluate(
    formula: Formula,
    structure: Structure,
    binding: Binding | None = None,
    *,
    over: Ranges | None = None,
    special: Special | None = None,
) -> bool:
    """Return the truth of a formula in one structure.

    Args:
        formula: Any formula; its free variables are in ``binding``.
        structure: The structure.
        binding: Variable -> object.
        over: Type -> range of quantifiers; by default all names of the structure.
        special: Functions that evaluate ``then``, ``forpairs`` and ``when``, which this module does
            not define.

    Raises:
        ValueError: the formula has an unsupported node or an unbound variable.
    """
    binding = binding or {}
    atom = formula.body if isinstance(formula, Not) else formula
    if isinstance(atom, Atom) and atom.predicate != EQUALS:  # not worth a function
        args = tuple([_value(term, binding) for term in atom.args])
        return structure.holds(atom.predicate, args) == (atom is formula)
    sense = Interpretation(over, special) if over or special else PLAIN
    return meaning(formula)(structure, binding, sense)


def _cache_by_identity(make: Callable[[Formula], R]) -> Callable[[Formula], R]:
    """Cache a function of a formula, by identity, since hashing a formula walks the whole tree."""
    known: dict[int, tuple[Formula, R]] = {}

    @wraps(make)
    def find(formula: Formula) -> R:
        entry = known.get(id(formula))
        if entry is None:
            if len(known) >= _MOST_REMEMBERED:
                known.clear()
            entry = known[id(formula)] = (formula, make(formula))  # keeps the formula alive
        return entry[1]

    return find


@_cache_by_identity
def meaning(formula: Formula) -> Meaning:
    """Compile a formula into a function."""
    return _meaning(formula)


@_cache_by_identity
def variables_of(formula: Formula) -> tuple[str, ...]:
    """Return the free variables of a formula, sorted."""
    return tuple(sorted(free_variables(formula)))


def _meaning(formula: Formula) -> Meaning:
    match formula:
        case Atom(predicate, args):
            return _equal(*args) if predicate == EQUALS else _atom(predicate, args)
        case And(parts):
            return _all(tuple(map(_meaning, parts)))
        case Or(parts):
            return _any(tuple(map(_meaning, parts)))
        case Not(body):
            return _not(_meaning(body))
        case Implies(left, right):
            return _any((_not(_meaning(left)), _meaning(right)))
        case Exists(variable, body, kind):
            return _exists(variable, kind, _meaning(body), candidates(variable, body))
        case Forall(variable, body, kind):
            # objects that fail the left side of an implication satisfy it anyway
            needed = body.left if isinstance(body, Implies) else TRUE
            return _forall(variable, kind, _meaning(body), candidates(variable, needed))
        case Exactly(count, variable, body, kind):
            return _exactly(count, variable, kind, _meaning(body), candidates(variable, body))
        case Quantification(quantifier, variables, body):
            return _quantification(quantifier, variables, _meaning(body))
    return _special(formula)


# --- Nodes as functions -------------------------------------------------------------------------


def _atom(predicate: str, args: tuple[str, ...]) -> Meaning:
    if not any(map(is_variable, args)):
        return lambda structure, binding, sense: structure.holds(predicate, args)
    if len(args) == 1:
        (only,) = args

        def holds_of_one(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
            try:
                values = (binding[only],)
            except KeyError:
                raise _unbound(only) from None
            return structure.holds(predicate, values)

        return holds_of_one

    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        return structure.holds(predicate, tuple([_value(term, binding) for term in args]))

    return holds


def _equal(left: str, right: str) -> Meaning:
    return lambda structure, binding, sense: _value(left, binding) == _value(right, binding)


def _value(term: str, binding: Binding) -> str:
    if term[:1] != "?":
        return term
    try:
        return binding[term]
    except KeyError:
        raise _unbound(term) from None


def _unbound(variable: str) -> ValueError:
    return ValueError(f"variable {variable} is not bound")


def _not(body: Meaning) -> Meaning:
    return lambda structure, binding, sense: not body(structure, binding, sense)


def _all(parts: tuple[Meaning, ...]) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        for part in parts:  # noqa: SIM110 (a loop takes half the time)
            if not part(structure, binding, sense):
                return False
        return True

    return holds


def _any(parts: tuple[Meaning, ...]) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        for part in parts:  # noqa: SIM110
            if part(structure, binding, sense):
                return True
        return False

    return holds


def _exists(variable: str, kind: str, body: Meaning, find: Candidates) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        names = sense.over(kind) if sense.over else find(structure, binding)
        return any(body(structure, {**binding, variable: name}, sense) for name in names)

    return holds


def _forall(variable: str, kind: str, body: Meaning, find: Candidates) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        names = sense.over(kind) if sense.over else find(structure, binding)
        return all(body(structure, {**binding, variable: name}, sense) for name in names)

    return holds


def _exactly(count: int, variable: str, kind: str, body: Meaning, find: Candidates) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        number = 0
        for name in sense.over(kind) if sense.over else find(structure, binding):
            number += body(structure, {**binding, variable: name}, sense)
            if number > count:
                return False
        return number == count

    return holds


def _quantification(quantifier: str, variables: tuple[Parameter, ...], body: Meaning) -> Meaning:
    whole = all if quantifier == "forall" else any

    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        over = sense.over or (lambda kind: structure.names)
        return whole(body(structure, {**binding, **row}, sense) for row in rows(variables, over))

    return holds


def _special(formula: Formula) -> Meaning:
    def holds(structure: Structure, binding: Binding, sense: Interpretation) -> bool:
        if sense.special is None:
            name = type(formula).__name__.lower()
            raise ValueError(f"'{name}' has no truth value in a single state")
        return sense.special(formula, binding)

    return holds


# --- Bindings that make formulas true -----------------------------------------------------------


def rows(variables: Iterable[Parameter], over: Ranges) -> Iterator[dict[str, str]]:
    """Yield all assignments of objects of their types to variables."""
    names = [variable.name for variable in variables]
    for row in product(*(over(variable.type) for variable in variables)):
        yield dict(zip(names, row, strict=True))


def candidates(variable: str, body: Formula) -> Candidates:
    """Compile the search for objects with which ``variable`` can make ``body`` true.

    The result is a superset, each object once, in a deterministic order. If ``body`` requires an
    atom whose only unbound term is ``variable``, its table is read instead of trying every object.
    """
    tables = _tables(variable, body)

    def find(structure: Structure, binding: Binding) -> Iterable[str]:
        table = _find_readable(tables, binding)
        return structure.names if table is None else table.read(structure, binding)

    return find


class _Conjunct(NamedTuple):
    """A conjunct ``predicate(args)`` whose true instances list the values of a variable.

    Attributes:
        predicate: Its predicate.
        args: Its terms; ``None`` in place of the variable.
        others: Its other variables, which must be bound.
        place: The position of the variable.
        rest: The other conjuncts, or all of them if the variable occurs twice.
    """

    predicate: str
    args: tuple[str | None, ...]
    others: frozenset[str]
    place: int
    rest: Formula

    def read(self, structure: Structure, binding: Binding) -> Collection[str]:
        """Return the values that make the conjunct true, sorted."""
        pattern = tuple([None if t is None else binding.get(t, t) for t in self.args])
        place = self.place
        names = {row[place] for row in structure.match(self.predicate, pattern)}
        return sorted(names) if len(names) > 1 else names


def _tables(variable: str, body: Formula) -> tuple[_Conjunct, ...]:
    tables = []
    parts = body.parts if isinstance(body, And) else (body,)
    for part in parts:
        if isinstance(part, Atom) and part.predicate != EQUALS and variable in part.args:
            twice = part.args.count(variable) > 1
            rest = body if twice else And(tuple(other for other in parts if other is not part))
            args = tuple(None if term == variable else term for term in part.args)
            others = frozenset(term for term in args if term is not None and is_variable(term))
            place = part.args.index(variable)
            tables.append(_Conjunct(part.predicate, args, others, place, rest))
    return tuple(tables)


def _find_readable(tables: Iterable[_Conjunct], binding: Binding) -> _Conjunct | None:
    """Return the first conjunct whose other variables are all bound."""
    for table in tables:  # a loop takes half the time of next()
        if binding.keys() >= table.others:
            return table
    return None


def solutions(variables: tuple[str, ...], condition: Formula) -> Solutions:
    """Compile the search for all extensions of a binding to ``variables`` that make ``condition``
    true."""
    truth = meaning(condition)
    if not variables:

        def check(structure: Structure, binding: Binding) -> Iterable[Binding]:
            return (binding,) if truth(structure, binding, PLAIN) else ()

        return check
    first, others = variables[0], variables[1:]
    if not others:
        return _solutions_of_one(first, condition)
    find_objects, extend = candidates(first, condition), solutions(others, condition)

    def extensions(structure: Structure, binding: Binding) -> Iterator[Binding]:
        if not binding.keys().isdisjoint(others):  # outer variables of the same names
            binding = {term: name for term, name in binding.items() if term not in others}
        for name in find_objects(structure, binding):
            yield from extend(structure, {**binding, first: name})

    return extensions


def _solutions_of_one(variable: str, condition: Formula) -> Solutions:
    """Like :func:`solutions`, without testing a conjunct again whose table was read."""
    tables, truth = _tables(variable, condition), meaning(condition)

    def extensions(structure: Structure, binding: Binding) -> Iterator[Binding]:
        table = _find_readable(tables, binding)
        names = structure.names if table is None else table.read(structure, binding)
        test = truth if table is None else meaning(table.rest)
        for name in names:
            extended = {**binding, variable: name}
            if test(structure, extended, PLAIN):
                yield extended

    return extensions
