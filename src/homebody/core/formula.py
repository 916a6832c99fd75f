"""First-order formulas: the one tree of goals, preconditions and effects.

A formula is a small immutable tree. Its leaves are atoms ``predicate(arg, ...)`` whose arguments
are object names or variables; a variable is a string that starts with ``?``. Action schemas, LTL,
BDDL and PDDL use these nodes, each with its own parser. The last four nodes belong to one language
each; functions that do not support a node raise an error.

Source of the connectives: EAI paper, section 2.2 and appendix C.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal as OneOf
from typing import Protocol, TypeAlias, TypeGuard

from homebody.core.ground.sharing import never_changes

Binding: TypeAlias = Mapping[str, str]
"""Variable name (with its ``?``) -> object name."""

OBJECT = "object"
"""The root of PDDL's types and of BDDL's categories."""

EQUALS = "="
"""The predicate of equality."""


@never_changes
@dataclass(frozen=True, slots=True)
class Parameter:
    """A typed variable; ``name`` is a variable such as ``"?obj"``."""

    name: str
    type: str = OBJECT


@never_changes
@dataclass(frozen=True, slots=True)
class Atom:
    """``predicate(args...)``: a state proposition or, in a goal, an action proposition."""

    predicate: str
    args: tuple[str, ...] = ()


@never_changes
@dataclass(frozen=True, slots=True)
class Not:
    """True where ``body`` is false. In an effect: the fact is deleted."""

    body: Formula


@never_changes
@dataclass(frozen=True, slots=True)
class And:
    """True where all parts are true; always true without parts."""

    parts: tuple[Formula, ...]


@never_changes
@dataclass(frozen=True, slots=True)
class Or:
    """True where some part is true; never true without parts."""

    parts: tuple[Formula, ...]


@never_changes
@dataclass(frozen=True, slots=True)
class Implies:
    """True where ``left`` is false or ``right`` is true."""

    left: Formula
    right: Formula


@never_changes
@dataclass(frozen=True, slots=True)
class Forall:
    """All objects (of a type) satisfy ``body``."""

    variable: str
    body: Formula
    type: str = OBJECT


@never_changes
@dataclass(frozen=True, slots=True)
class Exists:
    """Some object (of a type) satisfies ``body``."""

    variable: str
    body: Formula
    type: str = OBJECT


@never_changes
@dataclass(frozen=True, slots=True)
class Exactly:
    """Exactly ``count`` objects (of a type) satisfy ``body``; BDDL's ``forn``."""

    count: int
    variable: str
    body: Formula
    type: str = OBJECT


@never_changes
@dataclass(frozen=True, slots=True)
class Then:
    """LTL: temporal order; see :mod:`homebody.goals.ltl`."""

    parts: tuple[Formula, ...]


@never_changes
@dataclass(frozen=True, slots=True)
class ForPairs:
    """BDDL: pairs of objects of two types satisfy ``body``. The number of pairs is the maximum
    possible or, for ``fornpairs``, at least ``count``; see :mod:`homebody.goals.bddl`."""

    first: Parameter
    second: Parameter
    body: Formula
    count: int | None = None


@never_changes
@dataclass(frozen=True, slots=True)
class Quantification:
    """PDDL: ``forall`` or ``exists`` over a list of variables. Effects can have it, too."""

    kind: OneOf["forall", "exists"]
    variables: tuple[Parameter, ...]
    body: Formula


@never_changes
@dataclass(frozen=True, slots=True)
class When:
    """PDDL, in effects only: ``effect`` happens if ``condition`` holds before."""

    condition: Formula
    effect: Formula


Formula: TypeAlias = (
    Atom
    | Not
    | And
    | Or
    | Implies
    | Forall
    | Exists
    | Exactly
    | Then
    | ForPairs
    | Quantification
    | When
)

Literal: TypeAlias = Atom | Not
"""An atom or the negation of one."""

TRUE = And(())
FALSE = Or(())


# --- Making and changing ------------------------------------------------------------------------


def is_literal(formula: Formula) -> TypeGuard[Literal]:
    """Return whether a formula is an atom or the negation of one."""
    return isinstance(formula.body if isinstance(formula, Not) else formula, Atom)


def is_variable(term: str) -> bool:
    """Return whether an argument is a variable, not an object."""
    return term.startswith("?")


def flat_parts(connective: type[And | Or | Then], parts: Iterable[Formula]) -> list[Formula]:
    """Flatten parts: a part that is joined by the same connective is replaced by its own parts."""
    flat: list[Formula] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, connective) else (part,))
    return flat


def flatten(connective: type[And | Or | Then], parts: Iterable[Formula]) -> Formula:
    """Join parts by a connective, without nesting; a single part stays as it is."""
    flat = flat_parts(connective, parts)
    return flat[0] if len(flat) == 1 else connective(tuple(flat))


def conjunction(*parts: Formula) -> Formula:
    """Return the conjunction of parts, without nesting; a single part stays as it is."""
    return flatten(And, parts)


def normalise(formula: Formula) -> Formula:
    """Flatten nested ``and``, ``or`` and ``then``. A connective with one part is replaced by that
    part."""
    if isinstance(formula, And | Or | Then):
        return flatten(type(formula), map(normalise, formula.parts))
    return with_parts(formula, normalise)


def negation(literal: Literal) -> Literal:
    """Return the negated literal."""
    if isinstance(literal, Atom):
        return Not(literal)
    assert isinstance(literal.body, Atom)
    return literal.body


def atom_of(literal: Literal) -> Atom:
    """Return the atom of a literal."""
    if isinstance(literal, Atom):
        return literal
    assert isinstance(literal.body, Atom)
    return literal.body


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the direct parts of a node, left to right."""
    match formula:
        case Atom():
            return ()
        case And(parts) | Or(parts) | Then(parts):
            return parts
        case Implies(left, right) | When(left, right):
            return (left, right)
        case _:
            return (formula.body,)


def with_parts(formula: Formula, change: Callable[[Formula], Formula]) -> Formula:
    """Return the node with a change applied to each direct part."""
    match formula:
        case Atom():
            return formula
        case And(parts) | Or(parts) | Then(parts):
            return type(formula)(tuple(map(change, parts)))
        case Implies(left, right) | When(left, right):
            return type(formula)(change(left), change(right))
        case _:
            return replace(formula, body=change(formula.body))


def with_atoms(formula: Formula, change: Callable[[Atom], Formula]) -> Formula:
    """Return the formula with a change applied to every atom."""
    if isinstance(formula, Atom):
        return change(formula)
    return with_parts(formula, lambda part: with_atoms(part, change))


def ground(atom: Atom, binding: Binding) -> Atom:
    """Replace the variables of an atom by a binding."""
    return Atom(atom.predicate, tuple([binding.get(a, a) for a in atom.args]))


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Replace the free variables of a formula by a binding."""
    if isinstance(formula, Atom):
        return ground(formula, binding)
    for variable in bound_by(formula):
        if variable.name in binding:
            binding = {k: v for k, v in binding.items() if k != variable.name}
    return with_parts(formula, lambda part: substitute(part, binding))


# --- Parts of formulas --------------------------------------------------------------------------


def bound_by(formula: Formula) -> tuple[Parameter, ...]:
    """Return the variables that a node itself binds."""
    match formula:
        case Forall(variable, _, kind) | Exists(variable, _, kind):
            return (Parameter(variable, kind),)
        case Exactly(_, variable, _, kind):
            return (Parameter(variable, kind),)
        case ForPairs(first, second):
            return (first, second)
        case Quantification(_, variables):
            return variables
        case _:
            return ()


def nodes(formula: Formula) -> Iterator[Formula]:
    """Yield the formula and all its parts in preorder, left to right."""
    yield formula
    for part in parts_of(formula):
        yield from nodes(part)


def atoms(formula: Formula) -> Iterator[Atom]:
    """Return all atoms of the tree, left to right."""
    return (node for node in nodes(formula) if isinstance(node, Atom))


def has_then(formula: Formula) -> bool:
    """Return whether the formula has a ``then`` anywhere."""
    return any(isinstance(node, Then) for node in nodes(formula))


def free_variables(formula: Formula) -> frozenset[str]:
    """Return the free variables of ``formula``."""
    if isinstance(formula, Atom):
        return frozenset(a for a in formula.args if is_variable(a))
    free = frozenset[str]().union(*map(free_variables, parts_of(formula)))
    return free - {variable.name for variable in bound_by(formula)}


# --- Structures ---------------------------------------------------------------------------------


class Structure(Protocol):
    """A structure in which formulas are evaluated: a state, a state with derived predicates, or
    one step of a trace."""

    @property
    def names(self) -> Iterable[str]:
        """All object names, in a fixed order: the range of quantifiers."""
        ...

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether a ground atom is true (closed world: unknown atoms are false)."""
        ...

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the arguments of true atoms that agree with ``args``; None matches anything."""
        ...
