"""Reading and printing BDDL problems; the language itself is described in :mod:`.bddl`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from homebody.core.action import Parameter
from homebody.core.formula import Atom, Not, is_variable
from homebody.goals.grounding import Literal

MAX_LENGTH = 200_000
"""Longest text that is read, in characters. The largest official problem has 7,501."""

MAX_DEPTH = 60
"""Deepest nesting of groups that is read, so that recursive functions over conditions stay far
below Python's recursion limit. The official problems have 8 levels."""

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


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class _Group:
    items: tuple[_Item, ...]
    at: int

    @property
    def head(self) -> str:
        """The first word, or an empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, _Word) else ""


_Item: TypeAlias = _Word | _Group


class _Fault(Exception):
    """What is wrong and at which character; :func:`_located` makes a line and column of it."""

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at


_TOKEN = re.compile(r"(?P<skip>\s+|;[^\n]*)|(?P<mark>[()])|(?P<word>[!-'*-:<-~]+)")

_T = TypeVar("_T")


def _located(text: str, read: Callable[[_Item], _T]) -> _T:
    """``read`` on the one group that ``text`` must be, with faults turned into BDDLErrors."""
    try:
        return read(_only(text))
    except _Fault as fault:
        before = text[: fault.at]
        line, column = before.count("\n") + 1, fault.at - before.rfind("\n")
        raise BDDLError(fault.problem, line, column) from None


def _only(text: str) -> _Item:
    if len(text) > MAX_LENGTH:
        raise _Fault(f"the text is longer than {MAX_LENGTH} characters", MAX_LENGTH)
    open_groups: list[tuple[int, list[_Item]]] = [(0, [])]
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            found = ascii(text[position])
            raise _Fault(f"unexpected character {found}; expected a word, '(' or ')'", position)
        items = open_groups[-1][1]
        if token["word"]:  # BDDL does not tell cases apart
            items.append(_Word(token["word"].lower(), position))
        elif token["mark"] == "(":
            if len(open_groups) > MAX_DEPTH:
                raise _Fault(f"more than {MAX_DEPTH} groups inside one another", position)
            open_groups.append((position, []))
        elif token["mark"] == ")":
            if len(open_groups) == 1:
                raise _Fault("unexpected ')'; no '(' is open", position)
            start, inner = open_groups.pop()
            open_groups[-1][1].append(_Group(tuple(inner), start))
        position = token.end()
    if len(open_groups) > 1:
        raise _Fault("this '(' is never closed; expected ')'", open_groups[-1][0])
    items = open_groups[0][1]
    if not items:
        raise _Fault("expected '(', found nothing", 0)
    if len(items) > 1:
        raise _Fault("expected the end of the text", items[1].at)
    return items[0]


def _group(item: _Item, expected: str) -> _Group:
    if isinstance(item, _Word):
        raise _Fault(f"expected {expected}, found '{_cut(item.text)}'", item.at)
    return item


def _word(item: _Item, expected: str) -> str:
    """A word that is no variable, keyword or ``-``."""
    if isinstance(item, _Group):
        raise _Fault(f"expected {expected}, found a group", item.at)
    if is_variable(item.text) or item.text.startswith(":") or item.text == "-":
        raise _Fault(f"expected {expected}, found '{_cut(item.text)}'", item.at)
    return item.text


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _takes(group: _Group, count: int) -> tuple[_Item, ...]:
    """What comes after the head, which must be ``count`` items."""
    found = len(group.items) - 1
    if found != count:
        raise _Fault(f"'{_cut(group.head)}' takes {count} parts, found {found}", group.at)
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


def _condition(item: _Item, bound: frozenset[str], known: _Known) -> Condition:
    group = _group(item, "a condition in parentheses")

    def inner(part: _Item, *variables: Parameter) -> Condition:
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


def _variable(item: _Item) -> Parameter:
    """``(?name - category)``"""
    group = _group(item, "a variable such as '(?x - apple.n.01)'")
    if len(group.items) == 3:
        name, dash, category = group.items
        if (
            isinstance(name, _Word)
            and len(name.text.lstrip("?")) == len(name.text) - 1
            and name.text != "?"
            and isinstance(dash, _Word)
            and dash.text == "-"
        ):
            return Parameter(name.text, _word(category, "a category such as 'apple.n.01'"))
    raise _Fault("expected a variable such as '(?x - apple.n.01)'", group.at)


def _pair(one: _Item, two: _Item) -> tuple[Parameter, Parameter]:
    first, second = _variable(one), _variable(two)
    if first.name == second.name:
        raise _Fault(f"variable '{_cut(first.name)}' is there twice", two.at)
    return first, second


def _count(item: _Item) -> int:
    group = _group(item, "a number in parentheses such as '(2)'")
    text = group.head if len(group.items) == 1 else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= MAX_COUNT):
        raise _Fault(f"expected a number up to {MAX_COUNT} in parentheses", group.at)
    return int(text)


_RESERVED = frozenset({"-", "define"})


def _atom(group: _Group, bound: frozenset[str], known: _Known) -> Atom:
    if not group.items:
        raise _Fault("expected a connective or a predicate, found '()'", group.at)
    predicate = _word(group.items[0], "a connective or a predicate")
    if predicate in _RESERVED:
        raise _Fault(f"'{predicate}' is no predicate", group.at)
    return Atom(predicate, tuple(_term(item, bound, known) for item in group.items[1:]))


def _term(item: _Item, bound: frozenset[str], known: _Known) -> str:
    """Goals write objects like variables: ``?apple.n.01_1`` is an object unless it is bound."""
    if isinstance(item, _Group):
        raise _Fault("expected an object or a variable, found a group", item.at)
    name = item.text.removeprefix("?")
    if "?" + name in bound:
        return "?" + name
    if not name or is_variable(name) or name.startswith(":") or name == "-":
        found = _cut(item.text)
        raise _Fault(f"expected an object or a variable, found '{found}'", item.at)
    if known is not None and name not in known:
        raise _Fault(f"nothing is called '{_cut(name)}'", item.at)
    return name


# --- Reading problems -------------------------------------------------------------------------


def parse_problem(text: str) -> Problem:
    """Read ``(define (problem ...) ...)`` with objects, initial facts and a goal.

    Raises:
        BDDLError: The text is not a problem, or its goal names an object that is not there.
    """
    return _located(text, _problem)


def _problem(item: _Item) -> Problem:
    define = _group(item, "'(define (problem'")
    if define.head != "define":
        raise _Fault("expected '(define (problem name) ...)'", define.at)
    blocks: dict[str, _Group] = {}
    known = ("problem", ":domain", ":requirements", ":objects", ":init", ":goal")
    for part in define.items[1:]:
        block = _group(part, "a block such as '(:goal'")
        if block.head not in known:
            raise _Fault(f"expected a block: {', '.join(known)}", block.at)
        if block.head in blocks:
            raise _Fault(f"'{block.head}' is there twice", block.at)
        blocks[block.head] = block
    for needed in ("problem", ":domain", ":objects", ":goal"):
        if needed not in blocks:
            raise _Fault(f"'({needed}' is missing", define.at)
    objects = _objects(blocks[":objects"].items[1:])
    (goal,) = _takes(blocks[":goal"], 1)
    wanted = _condition(goal, frozenset(), frozenset(objects))
    return Problem(
        name=_word(_takes(blocks["problem"], 1)[0], "the problem's name"),
        domain=_word(_takes(blocks[":domain"], 1)[0], "the domain's name"),
        objects=objects,
        initial=tuple(map(_fact, blocks[":init"].items[1:])) if ":init" in blocks else (),
        conditions=wanted.parts if isinstance(wanted, Conjunction) else (wanted,),
    )


def _objects(items: Sequence[_Item]) -> dict[str, str]:
    """``name name - category name - category``"""
    objects: dict[str, str] = {}
    waiting: list[str] = []
    rest = iter(items)
    for item in rest:
        if isinstance(item, _Word) and item.text == "-":
            following = next(rest, None)
            if following is None:
                raise _Fault("expected a category after '-'", item.at)
            category = _word(following, "a category such as 'apple.n.01'")
            objects.update(dict.fromkeys(waiting, category))
            waiting.clear()
            continue
        name = _word(item, "an object such as 'apple.n.01_1'")
        if name in objects or name in waiting:
            raise _Fault(f"object '{_cut(name)}' is there twice", item.at)
        waiting.append(name)
    objects.update(dict.fromkeys(waiting, ROOT))
    return objects


def _fact(item: _Item) -> Literal:
    group = _group(item, "a fact such as '(stained table.n.02_1)'")
    if group.head != "not":
        return _atom(group, frozenset(), None)
    (body,) = _takes(group, 1)
    return Not(_atom(_group(body, "a fact in parentheses"), frozenset(), None))


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
