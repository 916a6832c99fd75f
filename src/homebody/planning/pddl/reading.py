"""Reading of PDDL; :mod:`homebody.planning.pddl` describes the language.

:mod:`homebody.planning.sexpr` reads words and groups with their positions; typed readers here turn
them into formulas, operators, domains and problems. :mod:`homebody.planning.pddl.check` checks
their meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeVar

from homebody.core.formula import (
    OBJECT,
    TRUE,
    And,
    Atom,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    Quantification,
    When,
    is_variable,
)
from homebody.planning import sexpr
from homebody.planning.pddl.domain import Domain, Operator, Problem
from homebody.planning.sexpr import (
    Fault,
    Group,
    Item,
    TextError,
    Word,
    as_group,
    as_name,
    as_word,
    cut,
)

MAX_LENGTH, MAX_DEPTH = sexpr.MAX_LENGTH, sexpr.MAX_DEPTH
"""Limits of strings."""

CONNECTIVES = frozenset({"and", "or", "not", "imply", "forall", "exists", "when"})


class PddlError(TextError):
    """Raised if a string is not PDDL."""


# --- Words and groups -----------------------------------------------------------------------

# A variable begins at its question mark, wherever that is.
_CHARACTER = r"[!-'*-:<->@-~]"
_NOTATION = sexpr.Notation(
    sexpr.tokens(word=rf"\?{_CHARACTER}*|{_CHARACTER}+", skipped=r"[ \t\r\n\f\v]+|;[^\r\n]*"),
    stray="expected a word, '(' or the end",
    whole=True,
)

_T = TypeVar("_T")


def _read_located(text: str, read: Callable[[tuple[Item, ...]], _T]) -> _T:
    """Apply ``read`` to the words and groups of a string. Raises PddlError for a fault."""
    try:
        return read(sexpr.read(text, _NOTATION))
    except Fault as fault:
        raise _error(text, fault) from None


def _error(text: str, fault: Fault) -> PddlError:
    return PddlError(fault.problem, *sexpr.place(text, fault.at))


def _fail(item: Item, problem: str) -> Fault:
    return Fault(problem, item.at)


# --- Typed lists ----------------------------------------------------------------------------


def _read_typed(
    items: Sequence[Item], read: Callable[[Item], str], default: str = OBJECT
) -> list[tuple[str, str, Item]]:
    """Read ``name name - type name - type`` as (name, type, item); by default of ``object``."""
    result: list[tuple[str, str, Item]] = []
    waiting: list[tuple[str, Item]] = []
    position = 0
    while position < len(items):
        item = items[position]
        if isinstance(item, Word) and item.text == "-":
            if position + 1 == len(items):
                raise _fail(item, "expected a type after '-'")
            kind = items[position + 1]
            if isinstance(kind, Group):
                raise _fail(kind, "expected one type; '(either ...)' is not supported")
            name = as_name(kind, "a type")
            result.extend((text, name, where) for text, where in waiting)
            waiting = []
            position += 2
        else:
            waiting.append((read(item), item))
            position += 1
    result.extend((text, default, where) for text, where in waiting)
    return result


def _variable(item: Item) -> str:
    text = as_word(item, "a variable such as '?obj'")
    if not is_variable(text) or text == "?":
        raise _fail(item, f"expected a variable such as '?obj', found '{cut(text)}'")
    return text


def _parameters(items: Sequence[Item]) -> tuple[Parameter, ...]:
    parameters: dict[str, Parameter] = {}
    for name, kind, where in _read_typed(items, _variable):
        if name in parameters:
            raise _fail(where, f"variable '{cut(name)}' is there twice")
        parameters[name] = Parameter(name, kind)
    return tuple(parameters.values())


# --- Expressions ----------------------------------------------------------------------------


def _expression(item: Item) -> Formula:
    group = as_group(item, "an expression in parentheses")
    if not group.items:
        raise _fail(group, "expected a connective or a predicate, found '()'")
    head = as_word(group.items[0], "a connective or a predicate")
    parts = group.items[1:]
    match head:
        case "and":
            return And(tuple(_expression(part) for part in parts))
        case "or":
            return Or(tuple(_expression(part) for part in parts))
        case "not":
            _count(group, 1)
            return Not(_expression(parts[0]))
        case "imply":
            _count(group, 2)
            return Implies(_expression(parts[0]), _expression(parts[1]))
        case "forall" | "exists":
            _count(group, 2)
            variables = _parameters(as_group(parts[0], "variables in parentheses").items)
            kind: Literal["forall", "exists"] = "forall" if head == "forall" else "exists"
            return Quantification(kind, variables, _expression(parts[1]))
        case "when":
            _count(group, 2)
            return When(_whole(parts[0]), _expression(parts[1]))
    return _atom(group)


def _count(group: Group, count: int) -> None:
    number = len(group.items) - 1
    if number != count:
        raise _fail(group, f"'{group.head}' takes {count} expressions or lists, found {number}")


def _atom(group: Group) -> Atom:
    predicate = as_name(group.items[0], "a connective or a predicate")
    args = []
    for item in group.items[1:]:
        if isinstance(item, Group):
            problem = f"'{cut(predicate)}' is not a connective; expected a name or a variable"
            raise _fail(item, problem)
        args.append(item.text if is_variable(item.text) else as_name(item, "a name or a variable"))
        if args[-1] == "?":
            raise _fail(item, "expected a variable such as '?obj', found '?'")
    if predicate == "=" and len(args) != 2:
        raise _fail(group, f"'=' takes 2 names or variables, found {len(args)}")
    return Atom(predicate, tuple(args))


def _whole(item: Item) -> Formula:
    """Read a whole condition or effect: only here ``()`` is true."""
    return TRUE if isinstance(item, Group) and not item.items else _expression(item)


def parse_expression(text: str) -> Formula:
    """Read one condition or effect; ``()`` is true. Raises PddlError."""
    return _read_located(text, lambda items: _whole(_only(items, "one expression")))


def _only(items: Sequence[Item], expected: str) -> Item:
    if not items:
        raise Fault(f"expected {expected}, found nothing", 0)
    if len(items) > 1:
        raise _fail(items[1], f"expected the end after {expected}")
    return items[0]


# --- Operators ------------------------------------------------------------------------------


def _fields(group: Group, start: int, keywords: Sequence[str]) -> dict[str, Item]:
    """Read ``:keyword value`` pairs, each keyword at most once."""
    fields: dict[str, Item] = {}
    for position in range(start, len(group.items), 2):
        item = group.items[position]
        key = as_word(item, " or ".join(keywords))
        if key not in keywords:
            raise _fail(item, f"expected {' or '.join(keywords)}, found '{cut(key)}'")
        if key in fields:
            raise _fail(item, f"{key} is there twice")
        if position + 1 == len(group.items):
            raise _fail(item, f"expected a group after {key}")
        fields[key] = group.items[position + 1]
    return fields


def _operator(item: Item) -> Operator:
    group = as_group(item, "'(:action'")
    if group.head != ":action":
        raise _fail(group, f"expected '(:action', found '({cut(group.head)}'")
    if len(group.items) < 2:
        raise _fail(group, "expected the action's name")
    name = as_name(group.items[1], "the action's name")
    fields = _fields(group, 2, (":parameters", ":precondition", ":effect"))
    parameters: tuple[Parameter, ...] = ()
    if ":parameters" in fields:
        group = as_group(fields[":parameters"], "parameters in parentheses")
        parameters = _parameters(group.items)
    precondition = _whole(fields[":precondition"]) if ":precondition" in fields else TRUE
    effect = _whole(fields[":effect"]) if ":effect" in fields else TRUE
    return Operator(name, parameters, precondition, effect)


def parse_operators(text: str) -> list[Operator]:
    """Read any number of ``(:action ...)`` blocks, and nothing else.

    A missing parameter list is empty; a missing condition or effect is true.

    Raises:
        PddlError: one of them cannot be read; :func:`read_operators` keeps the others.
    """
    return _read_located(text, lambda items: [_operator(item) for item in items])


def read_operators(text: str) -> list[Operator | PddlError]:
    """Read operators as :func:`parse_operators`, with an error in place of each unreadable block.
    Raises PddlError if parentheses do not match or a character is not allowed."""

    def read(item: Item) -> Operator | PddlError:
        try:
            return _operator(item)
        except Fault as fault:
            return _error(text, fault)

    return _read_located(text, lambda items: [read(item) for item in items])


# --- Domains and problems -------------------------------------------------------------------


def _define(items: Sequence[Item], what: str) -> tuple[str, list[Group]]:
    """Read the name and the blocks of ``(define (what name) block ...)``."""
    group = as_group(_only(items, f"'(define ({what} ...'"), f"'(define ({what}'")
    if group.head != "define" or len(group.items) < 2:
        raise _fail(group, f"expected '(define ({what} name) ...)'")
    title = as_group(group.items[1], f"'({what} name)'")
    if title.head != what or len(title.items) != 2:
        raise _fail(title, f"expected '({what} name)'")
    name = as_name(title.items[1], f"the {what}'s name")
    return name, [as_group(item, "a block such as '(:...'") for item in group.items[2:]]


def parse_domain(text: str) -> Domain:
    """Read ``(define (domain ...))`` with types, predicates and actions. Raises PddlError."""
    return _read_located(text, _domain)


def _domain(items: Sequence[Item]) -> Domain:
    name, blocks = _define(items, "domain")
    types: dict[str, str] = {}
    predicates: dict[str, tuple[Parameter, ...]] = {}
    operators: dict[str, Operator] = {}
    for block in _each_once(blocks, {":requirements", ":types", ":predicates"}, {":action"}):
        match block.head:
            case ":types":
                for kind, parent, where in _read_typed(block.items[1:], _type):
                    if types.setdefault(kind, parent) != parent:
                        raise _fail(where, f"type '{cut(kind)}' has two supertypes")
            case ":predicates":
                for item in block.items[1:]:
                    predicate, parameters, where = _predicate(item)
                    if predicate in predicates:
                        raise _fail(where, f"predicate '{cut(predicate)}' is there twice")
                    predicates[predicate] = parameters
            case ":action":
                operator = _operator(block)
                if operator.name in operators:
                    raise _fail(block, f"action '{cut(operator.name)}' is there twice")
                operators[operator.name] = operator
    return Domain(name, types, predicates, operators)


def _each_once(blocks: Sequence[Group], once: set[str], often: set[str]) -> Iterable[Group]:
    seen: set[str] = set()
    for block in blocks:
        if block.head not in once | often:
            expected = " or ".join(sorted(once | often))
            raise _fail(block, f"expected {expected}, found '{cut(block.head)}'")
        if block.head in seen and block.head in once:
            raise _fail(block, f"{block.head} is there twice")
        seen.add(block.head)
        yield block


def _type(item: Item) -> str:
    return as_name(item, "a type")


def _object(item: Item) -> str:
    return as_name(item, "an object")


def _predicate(item: Item) -> tuple[str, tuple[Parameter, ...], Group]:
    group = as_group(item, "a predicate in parentheses")
    if not group.items:
        raise _fail(group, "expected a predicate, found '()'")
    name = as_name(group.items[0], "a predicate")
    if name in CONNECTIVES or name == "=":
        raise _fail(group, f"'{name}' cannot be a predicate")
    return name, _parameters(group.items[1:]), group


def parse_problem(text: str) -> Problem:
    """Read ``(define (problem ...))`` with objects, facts and a goal. Raises PddlError.

    Negated facts are omitted, as all other facts are false anyway.
    """
    return _read_located(text, _problem)


def _problem(items: Sequence[Item]) -> Problem:
    name, blocks = _define(items, "problem")
    block_of: dict[str, Group] = {}
    heads = {":domain", ":requirements", ":objects", ":init", ":goal"}
    for block in _each_once(blocks, heads, set()):
        block_of[block.head] = block
    for needed in (":domain", ":init", ":goal"):
        if needed not in block_of:
            raise Fault(f"expected a '({needed}' block", 0)
    for single in (":domain", ":goal"):
        if len(block_of[single].items) != 2:
            raise _fail(block_of[single], f"expected one thing after {single}")
    objects: dict[str, str] = {}
    if ":objects" in block_of:
        for thing, kind, where in _read_typed(block_of[":objects"].items[1:], _object):
            if thing in objects:
                raise _fail(where, f"object '{cut(thing)}' is there twice")
            objects[thing] = kind
    return Problem(
        name=name,
        domain=as_name(block_of[":domain"].items[1], "the domain's name"),
        objects=objects,
        initial=_initial(block_of[":init"].items[1:]),
        goal=_expression(block_of[":goal"].items[1]),
    )


def _initial(items: Iterable[Item]) -> frozenset[Atom]:
    facts: set[Atom] = set()
    negated: dict[Atom, Group] = {}
    for item in items:
        group = as_group(item, "a fact in parentheses")
        if group.head == "not" and len(group.items) == 2:
            negated[_fact(group.items[1])] = group
        else:
            facts.add(_fact(group))
    for fact, group in negated.items():
        if fact in facts:
            raise _fail(group, "a fact is stated both to hold and not to hold")
    return frozenset(facts)


def _fact(item: Item) -> Atom:
    group = as_group(item, "a fact in parentheses")
    fact = _expression(group)
    if not isinstance(fact, Atom) or fact.predicate == "=":
        raise _fail(group, "expected a fact such as '(predicate object)'")
    for where in group.items[1:]:
        as_name(where, "an object")
    return fact
