"""Reading and printing BDDL problems; :mod:`homebody.goals.bddl` describes the language."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar, cast

from homebody.core.formula import (
    OBJECT,
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    ForPairs,
    Implies,
    Literal,
    Not,
    Or,
    Parameter,
    is_variable,
    substitute,
)
from homebody.planning import sexpr
from homebody.planning.sexpr import (
    Fault,
    Group,
    Item,
    TextError,
    Word,
    as_group,
    as_name,
    cut,
    formula_text,
)

MAX_LENGTH, MAX_DEPTH = sexpr.MAX_LENGTH, sexpr.MAX_DEPTH
"""Bounds on strings."""

MAX_COUNT = 10**6
"""Largest number that ``forn`` and ``fornpairs`` accept."""


class BDDLError(TextError):
    """A string that is not BDDL."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An activity: its objects, initial facts and goal.

    Attributes:
        name: The problem's name.
        domain: The domain's name, ``igibson`` or ``omnigibson``.
        objects: Object -> category, in the order of the text.
        initial: The initial facts and negated facts. Arguments can also be rooms and categories.
        conditions: The conditions of the goal: the parts of its outermost ``and``.
    """

    name: str
    domain: str
    objects: Mapping[str, str]
    initial: tuple[Literal, ...]
    conditions: tuple[Formula, ...]

    @property
    def goal(self) -> Formula:
        """The whole goal as one condition."""
        return And(self.conditions)


# --- Words and groups -----------------------------------------------------------------------

# Unlike in PDDL, a question mark can be anywhere in a word, and any blank separates words.
_NOTATION = sexpr.Notation(
    sexpr.tokens(word=r"[!-'*-:<-~]+", skipped=r"\s+|;[^\n]*"), stray="no '(' is open"
)

_T = TypeVar("_T")


def _read_located(text: str, read: Callable[[Item], _T]) -> _T:
    """Apply ``read`` to the single item in ``text``; faults become BDDLErrors."""
    try:
        return read(_read_only_item(text))
    except Fault as fault:
        raise BDDLError(fault.problem, *sexpr.place(text, fault.at)) from None


def _read_only_item(text: str) -> Item:
    items = sexpr.read(text, _NOTATION)
    if not items:
        raise Fault("expected '(', found nothing", 0)
    if len(items) > 1:
        raise Fault("expected the end of the text", items[1].at)
    return items[0]


def _take_parts(group: Group, count: int) -> tuple[Item, ...]:
    """Return the items after the head, which must be ``count`` in number."""
    number = len(group.items) - 1
    if number != count:
        raise Fault(f"'{cut(group.head)}' takes {count} parts, found {number}", group.at)
    return group.items[1:]


# --- Reading conditions -----------------------------------------------------------------------


def parse_condition(text: str, objects: Collection[str] | None = None) -> Formula:
    """Read one condition, such as a whole goal.

    Args:
        text: The condition.
        objects: The objects that exist; if None, every name that nothing binds is an object.

    Raises:
        BDDLError: The text is not a condition or names something that does not exist.
    """
    existing = None if objects is None else frozenset(objects)
    return _read_located(text, lambda item: _condition(item, frozenset(), existing))


_Existing: TypeAlias = frozenset[str] | None


def _condition(item: Item, bound: frozenset[str], existing: _Existing) -> Formula:
    group = as_group(item, "a condition in parentheses")

    def inner(part: Item, *variables: Parameter) -> Formula:
        return _condition(part, bound | {v.name for v in variables}, existing)

    match group.head:
        case "and":
            return And(tuple(inner(part) for part in group.items[1:]))
        case "or":
            return Or(tuple(inner(part) for part in group.items[1:]))
        case "not":
            (body,) = _take_parts(group, 1)
            return Not(inner(body))
        case "imply":
            left, right = _take_parts(group, 2)
            return Implies(inner(left), inner(right))
        case "forall" | "exists":
            first, body = _take_parts(group, 2)
            x = _variable(first)
            quantifier = Forall if group.head == "forall" else Exists
            return quantifier(x.name, inner(body, x), x.type)
        case "forn":
            number, first, body = _take_parts(group, 3)
            x = _variable(first)
            return Exactly(_count(number), x.name, inner(body, x), x.type)
        case "forpairs":
            first, second, body = _take_parts(group, 3)
            x, y = _pair(first, second)
            return ForPairs(x, y, inner(body, x, y))
        case "fornpairs":
            number, first, second, body = _take_parts(group, 4)
            x, y = _pair(first, second)
            return ForPairs(x, y, inner(body, x, y), _count(number))
    return _atom(group, bound, existing)


def _variable(item: Item) -> Parameter:
    """Read ``(?name - category)``."""
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


def _pair(first: Item, second: Item) -> tuple[Parameter, Parameter]:
    x, y = _variable(first), _variable(second)
    if x.name == y.name:
        raise Fault(f"variable '{cut(x.name)}' appears twice", second.at)
    return x, y


def _count(item: Item) -> int:
    group = as_group(item, "a number in parentheses such as '(2)'")
    text = group.head if len(group.items) == 1 else ""
    if not (text.isascii() and text.isdigit() and len(text) <= 7 and int(text) <= MAX_COUNT):
        raise Fault(f"expected a number up to {MAX_COUNT} in parentheses", group.at)
    return int(text)


_RESERVED = frozenset({"-", "=", "define"})


def _atom(group: Group, bound: frozenset[str], existing: _Existing) -> Atom:
    if not group.items:
        raise Fault("expected a connective or a predicate, found '()'", group.at)
    predicate = as_name(group.items[0], "a connective or a predicate")
    if predicate in _RESERVED:
        raise Fault(f"'{predicate}' is not a predicate", group.at)
    return Atom(predicate, tuple(_term(item, bound, existing) for item in group.items[1:]))


def _term(item: Item, bound: frozenset[str], existing: _Existing) -> str:
    """Read a term. ``?apple.n.01_1`` is an object unless it is bound."""
    if isinstance(item, Group):
        raise Fault("expected an object or a variable, found a group", item.at)
    name = item.text.removeprefix("?")
    if "?" + name in bound:
        return "?" + name
    if not name or is_variable(name) or name.startswith(":") or name == "-":
        text = cut(item.text)
        raise Fault(f"expected an object or a variable, found '{text}'", item.at)
    if existing is not None and name not in existing:
        raise Fault(f"there is no object '{cut(name)}'", item.at)
    return name


# --- Reading problems -------------------------------------------------------------------------


def parse_problem(text: str) -> Problem:
    """Read ``(define (problem ...) ...)`` with objects, initial facts and a goal.

    Raises:
        BDDLError: The text is not a problem, or its goal names an unknown object.
    """
    return _read_located(text, _problem)


def _problem(item: Item) -> Problem:
    define = as_group(item, "'(define (problem'")
    if define.head != "define":
        raise Fault("expected '(define (problem name) ...)'", define.at)
    blocks: dict[str, Group] = {}
    heads = ("problem", ":domain", ":requirements", ":objects", ":init", ":goal")
    for part in define.items[1:]:
        block = as_group(part, "a block such as '(:goal'")
        if block.head not in heads:
            raise Fault(f"expected a block: {', '.join(heads)}", block.at)
        if block.head in blocks:
            raise Fault(f"'{block.head}' appears twice", block.at)
        blocks[block.head] = block
    for needed in ("problem", ":domain", ":objects", ":goal"):
        if needed not in blocks:
            raise Fault(f"'({needed}' is missing", define.at)
    objects = _objects(blocks[":objects"].items[1:])
    (goal,) = _take_parts(blocks[":goal"], 1)
    wanted = _condition(goal, frozenset(), frozenset(objects))
    return Problem(
        name=as_name(_take_parts(blocks["problem"], 1)[0], "the problem's name"),
        domain=as_name(_take_parts(blocks[":domain"], 1)[0], "the domain's name"),
        objects=objects,
        initial=tuple(map(_fact, blocks[":init"].items[1:])) if ":init" in blocks else (),
        conditions=wanted.parts if isinstance(wanted, And) else (wanted,),
    )


def _objects(items: Sequence[Item]) -> dict[str, str]:
    """Read ``name name - category name - category``."""
    objects: dict[str, str] = {}
    waiting: list[str] = []
    remaining = iter(items)
    for item in remaining:
        if isinstance(item, Word) and item.text == "-":
            following = next(remaining, None)
            if following is None:
                raise Fault("expected a category after '-'", item.at)
            category = as_name(following, "a category such as 'apple.n.01'")
            objects.update(dict.fromkeys(waiting, category))
            waiting.clear()
            continue
        name = as_name(item, "an object such as 'apple.n.01_1'")
        if name in objects or name in waiting:
            raise Fault(f"object '{cut(name)}' appears twice", item.at)
        waiting.append(name)
    objects.update(dict.fromkeys(waiting, OBJECT))
    return objects


def _fact(item: Item) -> Literal:
    group = as_group(item, "a fact such as '(stained table.n.02_1)'")
    if group.head != "not":
        return _atom(group, frozenset(), None)
    (body,) = _take_parts(group, 1)
    return Not(_atom(as_group(body, "a fact in parentheses"), frozenset(), None))


# --- Printing -----------------------------------------------------------------------------------


def condition_text(condition: Formula) -> str:
    """Return one line that :func:`parse_condition` reads back as the same condition."""
    return formula_text(condition, lambda arg: arg if is_variable(arg) else "?" + arg)


def problem_text(problem: Problem) -> str:
    """Return the whole problem, one line for each object, fact and condition."""
    objects = [f"{name} - {category}" for name, category in problem.objects.items()]
    lines = [
        f"(define (problem {problem.name})",
        f"(:domain {problem.domain})",
        "(:objects",
        *objects,
        ")",
        "(:init",
        *map(formula_text, problem.initial),
        ")",
        "(:goal (and",
        *map(condition_text, problem.conditions),
        ")))",
    ]
    return "\n".join(lines) + "\n"


def rename_objects(problem: Problem, names: Mapping[str, str]) -> Problem:
    """Return the problem with some of its objects renamed; categories and rooms stay.

    Raises:
        ValueError: Two objects would have the same name.
    """
    objects = {names.get(name, name): category for name, category in problem.objects.items()}
    if len(objects) != len(problem.objects):
        raise ValueError("two objects would have the same name")

    return replace(
        problem,
        objects=objects,
        initial=tuple(cast(Literal, substitute(literal, names)) for literal in problem.initial),
        conditions=tuple(substitute(condition, names) for condition in problem.conditions),
    )
