"""Reading and printing PDDL; the language itself is described in :mod:`.pddl`.

Two steps: a grammar reads words and groups with their places, then typed readers turn groups into
the nodes of :mod:`.nodes`. What a text means for a domain is not asked here but in
:mod:`.pddl_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from homebody.core.action import Parameter
from homebody.core.formula import Atom, is_variable
from homebody.planning.nodes import (
    TRUE,
    Conjunction,
    Disjunction,
    Domain,
    Expression,
    Implication,
    Negation,
    Operator,
    Problem,
    Quantification,
    When,
)

if TYPE_CHECKING:
    from lark import Lark, Token

MAX_LENGTH = 200_000
"""Longest text that is read, in characters. The largest official file has 17,000."""

MAX_DEPTH = 60
"""Deepest nesting of groups that is read, so that recursive functions over expressions stay far
below Python's recursion limit. The official files have 8 levels."""

CONNECTIVES = frozenset({"and", "or", "not", "imply", "forall", "exists", "when"})

ROOT = "object"

_GRAMMAR = r"""
start: (group | WORD | VARIABLE)*
group: OPEN (group | WORD | VARIABLE)* CLOSE
OPEN: "("
CLOSE: ")"
VARIABLE: /\?[!-'*-:<->@-~]*/
WORD: /[!-'*-:<->@-~]+/
%ignore /;[^\r\n]*/
%ignore /[ \t\r\n\f\v]+/
"""


class PddlError(ValueError):
    """A text that is not PDDL; ``str()`` says where and what was expected.

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


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class _Group:
    items: tuple[_Item, ...]
    line: int
    column: int
    depth: int

    @property
    def head(self) -> str:
        """The first word in lower case, or an empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, _Word) else ""


_Item: TypeAlias = _Word | _Group


# --- Words and groups -----------------------------------------------------------------------


@cache
def _parser() -> Lark:
    """Lark is loaded with the first text that is read: it takes longer than starting up."""
    from lark import Lark, Transformer

    def group(children: list[Token | _Group]) -> _Group:
        opening = children[0]
        inner = _items(children[1:-1])
        depth = 1 + max((item.depth for item in inner if isinstance(item, _Group)), default=0)
        line, column = _place(opening)
        if depth > MAX_DEPTH:
            raise PddlError(f"more than {MAX_DEPTH} groups inside one another", line, column)
        return _Group(inner, line, column, depth)

    transformer: Transformer[Token, tuple[_Item, ...]] = Transformer()
    transformer.group = group  # type: ignore[attr-defined]
    transformer.start = _items  # type: ignore[attr-defined]
    return Lark(_GRAMMAR, parser="lalr", lexer="basic", transformer=transformer)


def _place(token: Token | _Group) -> tuple[int, int]:
    return token.line or 1, token.column or 1


def _items(children: Sequence[Token | _Group]) -> tuple[_Item, ...]:
    """Words in lower case: PDDL does not tell cases apart."""
    return tuple(
        child if isinstance(child, _Group) else _Word(child.lower(), *_place(child))
        for child in children
    )


def _read(text: str) -> tuple[_Item, ...]:
    """The words and groups of a text."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if len(text) > MAX_LENGTH:
        raise PddlError(f"the text is longer than {MAX_LENGTH} characters")
    try:
        return _parser().parse(text)  # type: ignore[return-value]  # the transformer's result
    except UnexpectedCharacters as error:
        character = ascii(text[error.pos_in_stream or 0])
        problem = f"unexpected character {character}; expected a word, '(' or ')'"
        raise PddlError(problem, error.line, error.column) from None
    except UnexpectedToken as error:
        if error.token.type == "$END":
            opening = _last_opening(error)
            raise PddlError("this '(' is never closed; expected ')'", *opening) from None
        problem = "unexpected ')'; expected a word, '(' or the end"
        raise PddlError(problem, error.line, error.column) from None


def _last_opening(error: object) -> tuple[int, int]:
    """Place of the innermost parenthesis that is open at the end of the text."""
    from lark import Token
    from lark.exceptions import UnexpectedToken

    if isinstance(error, UnexpectedToken):
        for value in reversed(error.state.value_stack):
            if isinstance(value, Token) and value.type == "OPEN":
                return _place(value)
    return 1, 1


def _fail(item: _Item, problem: str) -> PddlError:
    return PddlError(problem, item.line, item.column)


def _word(item: _Item, expected: str) -> str:
    if isinstance(item, _Group):
        raise _fail(item, f"expected {expected}, found a group")
    return item.text


def _name(item: _Item, expected: str) -> str:
    """A word that is neither a variable nor a keyword nor the dash of a type."""
    text = _word(item, expected)
    if is_variable(text) or text.startswith(":") or text == "-":
        raise _fail(item, f"expected {expected}, found '{_cut(text)}'")
    return text


def _cut(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _group(item: _Item, expected: str) -> _Group:
    if isinstance(item, _Word):
        raise _fail(item, f"expected {expected}, found '{_cut(item.text)}'")
    return item


# --- Typed lists ----------------------------------------------------------------------------


def _typed(
    items: Sequence[_Item], read: Callable[[_Item], str], default: str = ROOT
) -> list[tuple[str, str, _Item]]:
    """``name name - type name - type``: (name, type, where); ``object`` where no type is given."""
    result: list[tuple[str, str, _Item]] = []
    waiting: list[tuple[str, _Item]] = []
    position = 0
    while position < len(items):
        item = items[position]
        if isinstance(item, _Word) and item.text == "-":
            if position + 1 == len(items):
                raise _fail(item, "expected a type after '-'")
            kind = items[position + 1]
            if isinstance(kind, _Group):
                raise _fail(kind, "expected one type; '(either ...)' is not supported")
            name = _name(kind, "a type")
            result.extend((text, name, where) for text, where in waiting)
            waiting = []
            position += 2
        else:
            waiting.append((read(item), item))
            position += 1
    result.extend((text, default, where) for text, where in waiting)
    return result


def _variable(item: _Item) -> str:
    text = _word(item, "a variable such as '?obj'")
    if not is_variable(text) or text == "?":
        raise _fail(item, f"expected a variable such as '?obj', found '{_cut(text)}'")
    return text


def _parameters(group: _Group) -> tuple[Parameter, ...]:
    parameters: dict[str, Parameter] = {}
    for name, kind, where in _typed(group.items, _variable):
        if name in parameters:
            raise _fail(where, f"variable '{_cut(name)}' is there twice")
        parameters[name] = Parameter(name, kind)
    return tuple(parameters.values())


# --- Expressions ----------------------------------------------------------------------------


def _expression(item: _Item) -> Expression:
    group = _group(item, "an expression in parentheses")
    if not group.items:
        raise _fail(group, "expected a connective or a predicate, found '()'")
    head = _word(group.items[0], "a connective or a predicate")
    rest = group.items[1:]
    match head:
        case "and":
            return Conjunction(tuple(_expression(part) for part in rest))
        case "or":
            return Disjunction(tuple(_expression(part) for part in rest))
        case "not":
            _count(group, 1)
            return Negation(_expression(rest[0]))
        case "imply":
            _count(group, 2)
            return Implication(_expression(rest[0]), _expression(rest[1]))
        case "forall" | "exists":
            _count(group, 2)
            variables = _parameters(_group(rest[0], "variables in parentheses"))
            kind: Literal["forall", "exists"] = "forall" if head == "forall" else "exists"
            return Quantification(kind, variables, _expression(rest[1]))
        case "when":
            _count(group, 2)
            return When(_whole(rest[0]), _expression(rest[1]))
    return _atom(group)


def _count(group: _Group, count: int) -> None:
    found = len(group.items) - 1
    if found != count:
        raise _fail(group, f"'{group.head}' takes {count} expressions or lists, found {found}")


def _atom(group: _Group) -> Atom:
    predicate = _name(group.items[0], "a connective or a predicate")
    args = []
    for item in group.items[1:]:
        if isinstance(item, _Group):
            problem = f"'{_cut(predicate)}' is not a connective; expected a name or a variable"
            raise _fail(item, problem)
        args.append(item.text if is_variable(item.text) else _name(item, "a name or a variable"))
        if args[-1] == "?":
            raise _fail(item, "expected a variable such as '?obj', found '?'")
    if predicate == "=" and len(args) != 2:
        raise _fail(group, f"'=' takes 2 names or variables, found {len(args)}")
    return Atom(predicate, tuple(args))


def _whole(item: _Item) -> Expression:
    """A whole condition or effect: here, and only here, ``()`` is true."""
    return TRUE if isinstance(item, _Group) and not item.items else _expression(item)


def parse_expression(text: str) -> Expression:
    """Read one condition or effect; ``()`` is true. Raises PddlError."""
    return _whole(_only(text, "one expression"))


def _only(text: str, expected: str) -> _Item:
    items = _read(text)
    if not items:
        raise PddlError(f"expected {expected}, found nothing")
    if len(items) > 1:
        raise _fail(items[1], f"expected the end after {expected}")
    return items[0]


# --- Operators ------------------------------------------------------------------------------


def _fields(group: _Group, start: int, known: Sequence[str]) -> dict[str, _Item]:
    """``:keyword value`` pairs, each keyword at most once."""
    fields: dict[str, _Item] = {}
    for position in range(start, len(group.items), 2):
        item = group.items[position]
        key = _word(item, " or ".join(known))
        if key not in known:
            raise _fail(item, f"expected {' or '.join(known)}, found '{_cut(key)}'")
        if key in fields:
            raise _fail(item, f"{key} is there twice")
        if position + 1 == len(group.items):
            raise _fail(item, f"expected a group after {key}")
        fields[key] = group.items[position + 1]
    return fields


def _operator(item: _Item) -> Operator:
    group = _group(item, "'(:action'")
    if group.head != ":action":
        raise _fail(group, f"expected '(:action', found '({_cut(group.head)}'")
    if len(group.items) < 2:
        raise _fail(group, "expected the action's name")
    name = _name(group.items[1], "the action's name")
    fields = _fields(group, 2, (":parameters", ":precondition", ":effect"))
    parameters: tuple[Parameter, ...] = ()
    if ":parameters" in fields:
        parameters = _parameters(_group(fields[":parameters"], "parameters in parentheses"))
    precondition = _whole(fields[":precondition"]) if ":precondition" in fields else TRUE
    effect = _whole(fields[":effect"]) if ":effect" in fields else TRUE
    return Operator(name, parameters, precondition, effect)


def parse_operators(text: str) -> list[Operator]:
    """Read any number of ``(:action ...)`` blocks, and nothing else.

    A missing parameter list is empty; a missing condition or effect is true.

    Raises:
        PddlError: one of them cannot be read; :func:`read_operators` keeps the others.
    """
    return [_operator(item) for item in _read(text)]


def read_operators(text: str) -> list[Operator | PddlError]:
    """Like :func:`parse_operators`, but with an error in the place of each block that cannot be
    read. Raises PddlError if parentheses do not match or a character is not allowed."""
    result: list[Operator | PddlError] = []
    for item in _read(text):
        try:
            result.append(_operator(item))
        except PddlError as error:
            result.append(error)
    return result


# --- Domains and problems -------------------------------------------------------------------


def _define(text: str, what: str) -> tuple[str, list[_Group]]:
    """The name and the blocks of ``(define (what name) block ...)``."""
    group = _group(_only(text, f"'(define ({what} ...'"), f"'(define ({what}'")
    if group.head != "define" or len(group.items) < 2:
        raise _fail(group, f"expected '(define ({what} name) ...)'")
    title = _group(group.items[1], f"'({what} name)'")
    if title.head != what or len(title.items) != 2:
        raise _fail(title, f"expected '({what} name)'")
    name = _name(title.items[1], f"the {what}'s name")
    return name, [_group(item, "a block such as '(:...'") for item in group.items[2:]]


def parse_domain(text: str) -> Domain:
    """Read ``(define (domain ...))`` with types, predicates and actions. Raises PddlError."""
    name, blocks = _define(text, "domain")
    types: dict[str, str] = {}
    predicates: dict[str, tuple[Parameter, ...]] = {}
    operators: dict[str, Operator] = {}
    for block in _each_once(blocks, {":requirements", ":types", ":predicates"}, {":action"}):
        match block.head:
            case ":types":
                for kind, parent, where in _typed(block.items[1:], _type):
                    if types.setdefault(kind, parent) != parent:
                        raise _fail(where, f"type '{_cut(kind)}' has two supertypes")
            case ":predicates":
                for item in block.items[1:]:
                    predicate, parameters, where = _predicate(item)
                    if predicate in predicates:
                        raise _fail(where, f"predicate '{_cut(predicate)}' is there twice")
                    predicates[predicate] = parameters
            case ":action":
                operator = _operator(block)
                if operator.name in operators:
                    raise _fail(block, f"action '{_cut(operator.name)}' is there twice")
                operators[operator.name] = operator
    return Domain(name, types, predicates, operators)


def _each_once(blocks: Sequence[_Group], once: set[str], often: set[str]) -> Iterable[_Group]:
    seen: set[str] = set()
    for block in blocks:
        if block.head not in once | often:
            expected = " or ".join(sorted(once | often))
            raise _fail(block, f"expected {expected}, found '{_cut(block.head)}'")
        if block.head in seen and block.head in once:
            raise _fail(block, f"{block.head} is there twice")
        seen.add(block.head)
        yield block


def _type(item: _Item) -> str:
    return _name(item, "a type")


def _object(item: _Item) -> str:
    return _name(item, "an object")


def _predicate(item: _Item) -> tuple[str, tuple[Parameter, ...], _Group]:
    group = _group(item, "a predicate in parentheses")
    if not group.items:
        raise _fail(group, "expected a predicate, found '()'")
    name = _name(group.items[0], "a predicate")
    if name in CONNECTIVES or name == "=":
        raise _fail(group, f"'{name}' cannot be a predicate")
    rest = _Group(group.items[1:], group.line, group.column, group.depth)
    return name, _parameters(rest), group


def parse_problem(text: str) -> Problem:
    """Read ``(define (problem ...))`` with objects, facts and a goal. Raises PddlError.

    Facts that are said not to hold are left out: so is whatever is not said.
    """
    name, blocks = _define(text, "problem")
    found: dict[str, _Group] = {}
    known = {":domain", ":requirements", ":objects", ":init", ":goal"}
    for block in _each_once(blocks, known, set()):
        found[block.head] = block
    for needed in (":domain", ":init", ":goal"):
        if needed not in found:
            raise PddlError(f"expected a '({needed}' block")
    for single in (":domain", ":goal"):
        if len(found[single].items) != 2:
            raise _fail(found[single], f"expected one thing after {single}")
    objects: dict[str, str] = {}
    if ":objects" in found:
        for text_, kind, where in _typed(found[":objects"].items[1:], _object):
            if text_ in objects:
                raise _fail(where, f"object '{_cut(text_)}' is there twice")
            objects[text_] = kind
    return Problem(
        name=name,
        domain=_name(found[":domain"].items[1], "the domain's name"),
        objects=objects,
        initial=_initial(found[":init"].items[1:]),
        goal=_expression(found[":goal"].items[1]),
    )


def _initial(items: Iterable[_Item]) -> frozenset[Atom]:
    facts: set[Atom] = set()
    negated: dict[Atom, _Group] = {}
    for item in items:
        group = _group(item, "a fact in parentheses")
        if group.head == "not" and len(group.items) == 2:
            negated[_fact(group.items[1])] = group
        else:
            facts.add(_fact(group))
    for fact, group in negated.items():
        if fact in facts:
            raise _fail(group, "a fact is said to hold and not to hold")
    return frozenset(facts)


def _fact(item: _Item) -> Atom:
    group = _group(item, "a fact in parentheses")
    fact = _expression(group)
    if not isinstance(fact, Atom) or fact.predicate == "=":
        raise _fail(group, "expected a fact such as '(predicate object)'")
    for where in group.items[1:]:
        _name(where, "an object")
    return fact


# --- Printing -------------------------------------------------------------------------------


def expression_text(expression: Expression) -> str:
    """One line that :func:`parse_expression` reads back as the same expression."""
    match expression:
        case Atom(predicate, args):
            return f"({' '.join((predicate, *args))})"
        case Negation(body):
            return f"(not {expression_text(body)})"
        case Conjunction(parts):
            return f"({' '.join(('and', *map(expression_text, parts)))})"
        case Disjunction(parts):
            return f"({' '.join(('or', *map(expression_text, parts)))})"
        case Implication(left, right):
            return f"(imply {expression_text(left)} {expression_text(right)})"
        case Quantification(kind, variables, body):
            return f"({kind} ({parameters_text(variables)}) {expression_text(body)})"
        case When(condition, effect):
            return f"(when {expression_text(condition)} {expression_text(effect)})"


def parameters_text(parameters: Sequence[Parameter]) -> str:
    """``?char - character ?obj - object``"""
    return " ".join(f"{p.name} - {p.type}" for p in parameters)


def operator_text(operator: Operator) -> str:
    """An ``(:action ...)`` block of four lines."""
    return (
        f"(:action {operator.name}\n"
        f"    :parameters ({parameters_text(operator.parameters)})\n"
        f"    :precondition {_whole_text(operator.precondition)}\n"
        f"    :effect {_whole_text(operator.effect)})"
    )


def _whole_text(expression: Expression) -> str:
    return "()" if expression == TRUE else expression_text(expression)


def domain_text(domain: Domain) -> str:
    """The whole domain, one block after the other."""
    types = "".join(f"\n    {name} - {parent}" for name, parent in domain.types.items())
    predicates = "".join(
        f"\n    ({' '.join(filter(None, (name, parameters_text(parameters))))})"
        for name, parameters in domain.predicates.items()
    )
    blocks = [
        f"(define (domain {domain.name})",
        "(:requirements :adl :typing)",
        f"(:types{types})",
        f"(:predicates{predicates})",
        *(operator_text(operator) for operator in domain.operators.values()),
    ]
    return "\n".join(blocks) + "\n)\n"


def problem_text(problem: Problem) -> str:
    """The whole problem; facts in alphabetical order."""
    objects = "".join(f"\n    {name} - {kind}" for name, kind in problem.objects.items())
    facts = sorted(expression_text(fact) for fact in problem.initial)
    initial = "".join(f"\n    {fact}" for fact in facts)
    return (
        f"(define (problem {problem.name})\n"
        f"(:domain {problem.domain})\n"
        f"(:objects{objects})\n"
        f"(:init{initial})\n"
        f"(:goal {expression_text(problem.goal)})\n)\n"
    )
