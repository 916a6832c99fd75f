"""First-order formulas: the one tree of goals, preconditions and effects.

A formula is a small immutable tree. Its leaves are atoms ``predicate(arg, ...)`` whose
arguments are object names or variables; a variable is a string that starts with ``?``.
Schemas of actions, LTL, BDDL and PDDL are all made of these nodes. Each language has its
parser; what one of them has alone are the last four nodes, and a function that gives no
meaning to such a node raises an error.

Source of the connectives: EAI paper, section 2.2 and appendix C.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal as OneOf
from typing import Protocol, TypeAlias

Binding: TypeAlias = Mapping[str, str]
"""Variable name (with its ``?``) -> object name."""

OBJECT = "object"
"""The type of everything: the root of PDDL's types and of BDDL's categories."""

EQUALS = "="
"""The predicate of two equal terms."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A typed variable; ``name`` is a variable such as ``"?obj"``."""

    name: str
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Atom:
    """``predicate(args...)``: a state proposition or, in a goal, an action proposition."""

    predicate: str
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Not:
    """True where ``body`` is false. In an effect: the fact is taken out."""

    body: Formula


@dataclass(frozen=True, slots=True)
class And:
    """True where all parts are; without parts, always."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """True where some part is; without parts, never."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Implies:
    """True where ``left`` is false or ``right`` is true."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Forall:
    """All objects (of a type) satisfy ``body``."""

    variable: str
    body: Formula
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Exists:
    """Some object (of a type) satisfies ``body``."""

    variable: str
    body: Formula
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Exactly:
    """Exactly ``count`` objects (of a type) satisfy ``body``; BDDL's ``forn``."""

    count: int
    variable: str
    body: Formula
    type: str = OBJECT


@dataclass(frozen=True, slots=True)
class Then:
    """LTL: temporal order; see :mod:`homebody.goals.ltl`."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class ForPairs:
    """BDDL: objects of two types satisfy ``body`` in pairs, as many as there can be or, as
    ``fornpairs``, at least ``count``; see :mod:`homebody.goals.bddl`."""

    first: Parameter
    second: Parameter
    body: Formula
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Quantification:
    """PDDL: ``forall`` or ``exists`` over a list of variables at once; effects have it too."""

    kind: OneOf["forall", "exists"]
    variables: tuple[Parameter, ...]
    body: Formula


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


def is_variable(term: str) -> bool:
    """Whether an argument is a variable, not an object."""
    return term.startswith("?")


def joined(connective: type[And | Or | Then], parts: Iterable[Formula]) -> Formula:
    """A connective with direct parts of its own kind flattened; one part stays itself."""
    flat: list[Formula] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, connective) else (part,))
    return flat[0] if len(flat) == 1 else connective(tuple(flat))


def conjunction(*parts: Formula) -> Formula:
    """``And`` of ``parts`` with nested conjunctions flattened; one part stays itself."""
    return joined(And, parts)


def normalise(formula: Formula) -> Formula:
    """The formula with ``and``, ``or`` and ``then`` flattened, and replaced by their part where
    they have only one."""
    if isinstance(formula, And | Or | Then):
        return joined(type(formula), map(normalise, formula.parts))
    return with_parts(formula, normalise)


def negation(literal: Literal) -> Literal:
    """The literal that is true where this one is false."""
    if isinstance(literal, Atom):
        return Not(literal)
    assert isinstance(literal.body, Atom)
    return literal.body


def atom_of(literal: Literal) -> Atom:
    """The atom that a literal is, or negates."""
    if isinstance(literal, Atom):
        return literal
    assert isinstance(literal.body, Atom)
    return literal.body


def parts_of(formula: Formula) -> tuple[Formula, ...]:
    """The formulas that a node is directly made of, left to right."""
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
    """The node with each formula that it is directly made of changed."""
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
    """The formula with every atom changed."""
    if isinstance(formula, Atom):
        return change(formula)
    return with_parts(formula, lambda part: with_atoms(part, change))


def ground(atom: Atom, binding: Binding) -> Atom:
    """The atom with its variables replaced by what ``binding`` gives them."""
    return Atom(atom.predicate, tuple([binding.get(a, a) for a in atom.args]))


def substitute(formula: Formula, binding: Binding) -> Formula:
    """Replace free variables by what ``binding`` gives them."""
    if isinstance(formula, Atom):
        return ground(formula, binding)
    for variable in bound_by(formula):
        if variable.name in binding:
            binding = {k: v for k, v in binding.items() if k != variable.name}
    return with_parts(formula, lambda part: substitute(part, binding))


# --- What a formula is made of ------------------------------------------------------------------


def bound_by(formula: Formula) -> tuple[Parameter, ...]:
    """The variables that a node itself binds."""
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
    """The formula and all that it is made of, each before its parts, left to right."""
    yield formula
    for part in parts_of(formula):
        yield from nodes(part)


def atoms(formula: Formula) -> Iterator[Atom]:
    """All atoms of the tree, left to right."""
    return (node for node in nodes(formula) if isinstance(node, Atom))


def has_then(formula: Formula) -> bool:
    """Whether there is a ``then`` anywhere in the formula."""
    return any(isinstance(node, Then) for node in nodes(formula))


def free_variables(formula: Formula) -> frozenset[str]:
    """Variables that nothing in ``formula`` binds."""
    if isinstance(formula, Atom):
        return frozenset(a for a in formula.args if is_variable(a))
    free = frozenset[str]().union(*map(free_variables, parts_of(formula)))
    return free - {variable.name for variable in bound_by(formula)}


# --- Truth --------------------------------------------------------------------------------------


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


Ranges: TypeAlias = Callable[[str], Iterable[str]]
"""Type -> the objects that a quantifier over it ranges over."""

Special: TypeAlias = Callable[[Formula, Binding], bool]
"""The truth of a node that only one language has."""


def evaluate(
    formula: Formula,
    structure: Structure,
    binding: Binding | None = None,
    *,
    over: Ranges | None = None,
    special: Special | None = None,
) -> bool:
    """Truth of a formula in one structure.

    Args:
        formula: Any formula; its free variables are in ``binding``.
        structure: What holds.
        binding: The objects that variables stand for.
        over: What quantifiers range over, by type; if None, all names of the structure.
        special: Asked for the truth of ``then``, ``forpairs`` and ``when``, which have none here.

    Raises:
        ValueError: the formula has a node without a meaning, or a variable that nothing binds.
    """
    return _evaluate(formula, structure, binding or {}, over, special)


def _evaluate(
    formula: Formula,
    structure: Structure,
    binding: Binding,
    over: Ranges | None,
    special: Special | None,
) -> bool:
    match formula:
        case Atom(predicate, args):
            values = tuple([_value(a, binding) for a in args])
            if predicate == EQUALS:
                return values[0] == values[1]
            return structure.holds(predicate, values)
        case And(parts):
            return all(_evaluate(p, structure, binding, over, special) for p in parts)
        case Or(parts):
            return any(_evaluate(p, structure, binding, over, special) for p in parts)
        case Not(body):
            return not _evaluate(body, structure, binding, over, special)
        case Implies(left, right):
            return not _evaluate(left, structure, binding, over, special) or _evaluate(
                right, structure, binding, over, special
            )
        case Exists(variable, body, kind):
            names = over(kind) if over else candidates(variable, body, structure, binding)
            return any(
                _evaluate(body, structure, {**binding, variable: name}, over, special)
                for name in names
            )
        case Forall(variable, body, kind):
            if over:
                names = over(kind)
            elif isinstance(body, Implies):  # objects that fail the left side satisfy it anyway
                names = candidates(variable, body.left, structure, binding)
            else:
                names = structure.names
            return all(
                _evaluate(body, structure, {**binding, variable: name}, over, special)
                for name in names
            )
        case Exactly(count, variable, body, kind):
            number = 0
            for name in over(kind) if over else candidates(variable, body, structure, binding):
                number += _evaluate(body, structure, {**binding, variable: name}, over, special)
                if number > count:
                    return False
            return number == count
        case Quantification(quantifier, variables, body):
            truths = (
                _evaluate(body, structure, {**binding, **row}, over, special)
                for row in rows(variables, over or (lambda kind: structure.names))
            )
            return all(truths) if quantifier == "forall" else any(truths)
    if special is None:
        raise ValueError(f"'{type(formula).__name__.lower()}' has no truth value in a single state")
    return special(formula, binding)


def _value(term: str, binding: Binding) -> str:
    if term[:1] != "?":
        return term
    try:
        return binding[term]
    except KeyError:
        raise ValueError(f"variable {term} is not bound") from None


def rows(variables: Iterable[Parameter], over: Ranges) -> Iterator[dict[str, str]]:
    """Every way to give variables objects of their types."""
    names = [variable.name for variable in variables]
    for row in product(*(over(variable.type) for variable in variables)):
        yield dict(zip(names, row, strict=True))


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
            matches = structure.match(part.predicate, tuple(pattern))
            return sorted({row[position] for row in matches})
    return structure.names


def bindings(
    variables: tuple[str, ...], condition: Formula, structure: Structure, binding: Binding
) -> Iterator[Binding]:
    """Every extension of ``binding`` to ``variables`` under which ``condition`` is true."""
    if not variables:
        if evaluate(condition, structure, binding):
            yield binding
        return
    first, others = variables[0], variables[1:]
    if not binding.keys().isdisjoint(others):  # what they stood for outside says nothing here
        binding = {term: name for term, name in binding.items() if term not in others}
    for name in candidates(first, condition, structure, binding):
        yield from bindings(others, condition, structure, {**binding, first: name})
