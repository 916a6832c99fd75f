"""Reading and printing BDDL problems; the language itself is described in :mod:`.bddl`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from homebody.core.action import Parameter
from homebody.core.formula import Atom, Not, is_variable
from homebody.goals.grounding import Literal
from homebody.planning import sexpr
from homebody.planning.sexpr import Fault, Group, Item, Word, as_group, as_name, cut

MAX_LENGTH, MAX_DEPTH = sexpr.MAX_LENGTH, sexpr.MAX_DEPTH
"""Bounds of what is read."""

MAX_COUNT = 10**6
"""Largest number that ``forn`` and ``fornpairs`` take."""

ROOT = "object"
"""The category of objects that are given none."""


class BDDLError(ValueError):
    """A text that is not BDDL; ``str()`` says where and what was expected.

    Attributes:
        problem: What is wrong, in a phrase.
        line: Where, from 1.
        column: Where, from 1.
    """

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


# --- Conditions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Negation:
    body: Condition


@dataclass(frozen=True, slots=True)
class Conjunction:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Implication:
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class ForAll:
    """``(forall (?x - category) body)``"""

    variable: Parameter
    body: Condition


@dataclass(frozen=True, slots=True)
class ForSome:
    """``(exists (?x - category) body)``"""

    variable: Parameter
    body: Condition


@dataclass(frozen=True, slots=True)
class ForN:
    """``(forn (count) (?x - category) body)``"""

    count: int
    variable: Parameter
    body: Condition


@dataclass(frozen=True, slots=True)
class ForPairs:
    """``(forpairs (?x - category) (?y - category) body)``, and ``fornpairs`` if ``count`` is
    given: ``(fornpairs (count) (?x - category) (?y - category) body)``."""

    first: Parameter
    second: Parameter
    body: Condition
    count: int | None = None


Condition: TypeAlias = (
    Atom | Negation | Conjunction | Disjunction | Implication | ForAll | ForSome | ForN | ForPairs
)
"""Variables in atoms start with ``?`` and objects do not, whatever the text has."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An activity: what there is, how it starts, and what is wanted.

    Attributes:
        name: The problem's name.
        domain: The domain's name, ``igibson`` or ``omnigibson``.
        objects: Object -> category, in the order of the text.
        initial: What holds and what does not. Arguments can also be rooms and categories.
        conditions: What is wanted, all of it; the parts of the outermost ``and``.
    """

    name: str
    domain: str
    objects: Mapping[str, str]
    initial: tuple[Literal, ...]
    conditions: tuple[Condition, ...]

    @property
    def goal(self) -> Condition:
        return Conjunction(self.conditions)


# --- Words and groups -----------------------------------------------------------------------

# Unlike in PDDL, a question mark can be anywhere in a word, and any blank separates words.
_NOTATION = sexpr.Notation(
    sexpr.tokens(word=r"[!-'*-:<-~]+", skipped=r"\s+|;[^\n]*"), stray="no '(' is open"
)

_T = TypeVar("_T")


def _located(text: str, read: Callable[[Item], _T]) -> _T:
    """``read`` on the one item that ``text`` must be, with faults turned into BDDLErrors."""
    try:
        return read(_only(text))
    except Fault as fault:
        raise BDDLError(fault.problem, *sexpr.place(text, fault.at)) from None


def _only(text: str) -> Item:
    items = sexpr.read(text, _NOTATION)
    if not items:
        raise Fault("expected '(', found nothing", 0)
    if len(items) > 1:
        raise Fault("expected the end of the text", items[1].at)
    return items[0]


def _takes(group: Group, count: int) -> tuple[Item, ...]:
    """What comes after the head, which must be ``count`` items."""
    found = len(group.items) - 1
    if found != count:
        raise Fault(f"'{cut(group.head)}' takes {count} parts, found {found}", group.at)
    return group.items[1:]


# --- Reading conditions -----------------------------------------------------------------------


def parse_condition(text: str, objects: Collection[str] | None = None) -> Condition:
    """Read one condition, such as the whole goal.

    Args:
        text: The condition.
        objects: The objects that exist; if None, every name that nothing binds is an object.

    Raises:
        BDDLError: The text is not a condition or names what does not exist.
    """
    known = None if objects is None else frozenset(objects)
    return _located(text, lambda item: _condition(item, frozenset(), known))


_Known: TypeAlias = frozenset[str] | None


def _condition(item: Item, bound: frozenset[str], known: _Known) -> Condition:
    group = as_group(item, "a condition in parentheses")

    def inner(part: Item, *variables: Parameter) -> Condition:
        return _condition(part, bound | {v.name for v in variables}, known)

    match group.head:
        case "and":
            return Conjunction(tuple(inner(part) for part in group.items[1:]))
        case "or":
            return Disjunction(tuple(inner(part) for part in group.items[1:]))
        case "not":
            (body,) = _takes(group, 1)
            return Negation(inner(body))
        case "imply":
            left, right = _takes(group, 2)
            return Implication(inner(left), inner(right))
        case "forall" | "exists":
            one, body = _takes(group, 2)
            x = _variable(one)
            quantifier = ForAll if group.head == "forall" else ForSome
            return quantifier(x, inner(body, x))
        case "forn":
            number, one, body = _takes(group, 3)
            x = _variable(one)
            return ForN(_count(number), x, inner(body, x))
        case "forpairs":
            one, two, body = _takes(group, 3)
            x, y = _pair(one, two)
            return ForPairs(x, y, inner(body, x, y))
        case "fornpairs":
            number, one, two, body = _takes(group, 4)
            x, y = _pair(one, two)
            return ForPairs(x, y, inner(body, x, y), _count(number))
    return _atom(group, bound, known)


def _variable(item: Item) -> Parameter:
    """``(?name - category)``"""
    group = as_group(item, "a variable such as '(?x - apple.n.01)'")
    if len(group.items) == 3:
        name, dash, category = group.items
        if (
            isinstance(name, Word)
            and len(name.text.lstrip("?")) == len(name.text) - 1
            and name.text != "?"
            and isinstance(dash, Word)
            and dash.text == "-"
        ):
            return Parameter(name.text, as_name(category, "a category such as 'apple.n.01'"))
    raise Fault("expected a variable such as '(?x - apple.n.01)'", group.at)


def _pair(one: Item, two: Item) -> tuple[Parameter, Parameter]:
    first, second = _variable(one), _variable(two)
    if first.name == second.name:
        raise Fault(f"variable '{cut(first.name)}' is there twice", two.at)
    return first, second


def _count(item: Item) -> int:
    group = as_group(item, "a number in parentheses such as '(2)'")
    text = group.head if len(group.items) == 1 else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= MAX_COUNT):
        raise Fault(f"expected a number up to {MAX_COUNT} in parentheses", group.at)
    return int(text)


_RESERVED = frozenset({"-", "define"})


def _atom(group: Group, bound: frozenset[str], known: _Known) -> Atom:
    if not group.items:
        raise Fault("expected a connective or a predicate, found '()'", group.at)
    predicate = as_name(group.items[0], "a connective or a predicate")
    if predicate in _RESERVED:
        raise Fault(f"'{predicate}' is no predicate", group.at)
    return Atom(predicate, tuple(_term(item, bound, known) for item in group.items[1:]))


def _term(item: Item, bound: frozenset[str], known: _Known) -> str:
    """Goals write objects like variables: ``?apple.n.01_1`` is an object unless it is bound."""
    if isinstance(item, Group):
        raise Fault("expected an object or a variable, found a group", item.at)
    name = item.text.removeprefix("?")
    if "?" + name in bound:
        return "?" + name
    if not name or is_variable(name) or name.startswith(":") or name == "-":
        found = cut(item.text)
        raise Fault(f"expected an object or a variable, found '{found}'", item.at)
    if known is not None and name not in known:
        raise Fault(f"nothing is called '{cut(name)}'", item.at)
    return name


# --- Reading problems -------------------------------------------------------------------------


def parse_problem(text: str) -> Problem:
    """Read ``(define (problem ...) ...)`` with objects, initial facts and a goal.

    Raises:
        BDDLError: The text is not a problem, or its goal names an object that is not there.
    """
    return _located(text, _problem)


def _problem(item: Item) -> Problem:
    define = as_group(item, "'(define (problem'")
    if define.head != "define":
        raise Fault("expected '(define (problem name) ...)'", define.at)
    blocks: dict[str, Group] = {}
    known = ("problem", ":domain", ":requirements", ":objects", ":init", ":goal")
    for part in define.items[1:]:
        block = as_group(part, "a block such as '(:goal'")
        if block.head not in known:
            raise Fault(f"expected a block: {', '.join(known)}", block.at)
        if block.head in blocks:
            raise Fault(f"'{block.head}' is there twice", block.at)
        blocks[block.head] = block
    for needed in ("problem", ":domain", ":objects", ":goal"):
        if needed not in blocks:
            raise Fault(f"'({needed}' is missing", define.at)
    objects = _objects(blocks[":objects"].items[1:])
    (goal,) = _takes(blocks[":goal"], 1)
    wanted = _condition(goal, frozenset(), frozenset(objects))
    return Problem(
        name=as_name(_takes(blocks["problem"], 1)[0], "the problem's name"),
        domain=as_name(_takes(blocks[":domain"], 1)[0], "the domain's name"),
        objects=objects,
        initial=tuple(map(_fact, blocks[":init"].items[1:])) if ":init" in blocks else (),
        conditions=wanted.parts if isinstance(wanted, Conjunction) else (wanted,),
    )


def _objects(items: Sequence[Item]) -> dict[str, str]:
    """``name name - category name - category``"""
    objects: dict[str, str] = {}
    waiting: list[str] = []
    rest = iter(items)
    for item in rest:
        if isinstance(item, Word) and item.text == "-":
            following = next(rest, None)
            if following is None:
                raise Fault("expected a category after '-'", item.at)
            category = as_name(following, "a category such as 'apple.n.01'")
            objects.update(dict.fromkeys(waiting, category))
            waiting.clear()
            continue
        name = as_name(item, "an object such as 'apple.n.01_1'")
        if name in objects or name in waiting:
            raise Fault(f"object '{cut(name)}' is there twice", item.at)
        waiting.append(name)
    objects.update(dict.fromkeys(waiting, ROOT))
    return objects


def _fact(item: Item) -> Literal:
    group = as_group(item, "a fact such as '(stained table.n.02_1)'")
    if group.head != "not":
        return _atom(group, frozenset(), None)
    (body,) = _takes(group, 1)
    return Not(_atom(as_group(body, "a fact in parentheses"), frozenset(), None))


# --- Printing -----------------------------------------------------------------------------------


def condition_text(condition: Condition) -> str:
    """One line that :func:`parse_condition` reads back as the same condition."""
    match condition:
        case Atom(predicate, args):
            terms = (arg if is_variable(arg) else "?" + arg for arg in args)
            return f"({' '.join((predicate, *terms))})"
        case Negation(body):
            return f"(not {condition_text(body)})"
        case Conjunction(parts):
            return f"({' '.join(('and', *map(condition_text, parts)))})"
        case Disjunction(parts):
            return f"({' '.join(('or', *map(condition_text, parts)))})"
        case Implication(left, right):
            return f"(imply {condition_text(left)} {condition_text(right)})"
        case ForAll(x, body):
            return f"(forall ({x.name} - {x.type}) {condition_text(body)})"
        case ForSome(x, body):
            return f"(exists ({x.name} - {x.type}) {condition_text(body)})"
        case ForN(count, x, body):
            return f"(forn ({count}) ({x.name} - {x.type}) {condition_text(body)})"
        case ForPairs(x, y, body, count):
            head = "forpairs" if count is None else f"fornpairs ({count})"
            pair = f"({x.name} - {x.type}) ({y.name} - {y.type})"
            return f"({head} {pair} {condition_text(body)})"


def problem_text(problem: Problem) -> str:
    """The whole problem, one line for each object, fact and condition."""
    objects = [f"{name} - {category}" for name, category in problem.objects.items()]
    lines = [
        f"(define (problem {problem.name})",
        f"(:domain {problem.domain})",
        "(:objects",
        *objects,
        ")",
        "(:init",
        *map(_fact_text, problem.initial),
        ")",
        "(:goal (and",
        *map(condition_text, problem.conditions),
        ")))",
    ]
    return "\n".join(lines) + "\n"


def _fact_text(literal: Literal) -> str:
    if isinstance(literal, Not):
        assert isinstance(literal.body, Atom)
        return f"(not {_fact_text(literal.body)})"
    return f"({' '.join((literal.predicate, *literal.args))})"


def atoms(condition: Condition) -> Iterator[Atom]:
    """All atoms of a condition, left to right."""
    match condition:
        case Atom():
            yield condition
        case Conjunction(parts) | Disjunction(parts):
            for part in parts:
                yield from atoms(part)
        case Implication(left, right):
            yield from atoms(left)
            yield from atoms(right)
        case _:
            yield from atoms(condition.body)


def renamed(problem: Problem, names: Mapping[str, str]) -> Problem:
    """The problem with other names for some of its objects; categories and rooms stay.

    Raises:
        ValueError: two objects would have the same name.
    """
    objects = {names.get(name, name): category for name, category in problem.objects.items()}
    if len(objects) != len(problem.objects):
        raise ValueError("two objects would have the same name")

    def atom(one: Atom) -> Atom:
        return Atom(one.predicate, tuple(names.get(a, a) for a in one.args))

    def literal(one: Literal) -> Literal:
        if isinstance(one, Atom):
            return atom(one)
        assert isinstance(one.body, Atom)
        return Not(atom(one.body))

    return replace(
        problem,
        objects=objects,
        initial=tuple(map(literal, problem.initial)),
        conditions=tuple(with_atoms(one, atom) for one in problem.conditions),
    )


def with_atoms(condition: Condition, change: Callable[[Atom], Atom]) -> Condition:
    """The condition with every atom changed."""
    match condition:
        case Atom():
            return change(condition)
        case Conjunction(parts):
            return Conjunction(tuple(with_atoms(part, change) for part in parts))
        case Disjunction(parts):
            return Disjunction(tuple(with_atoms(part, change) for part in parts))
        case Implication(left, right):
            return Implication(with_atoms(left, change), with_atoms(right, change))
        case _:
            return replace(condition, body=with_atoms(condition.body, change))
