"""Parses sequences of calls as eai-eval 1.0.5 does, for both worlds.

Its grammar has no scanner: blanks between words do not matter, and a keyword may follow a name
without a blank. Models almost always write a plain sequence of calls, which needs no parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from homebody.core import ErrorType
from homebody.core.formula import Atom, Formula, Not
from homebody.suites.eai import lenient_json
from homebody.suites.eai.plan_results import GrammarError, wrong_number_text
from homebody.suites.eai.published import json_error_text, published_json

if TYPE_CHECKING:
    from lark import Lark

MAX_CHARACTERS = 4_000
"""Maximum length of formulas other than plain sequences: the parser takes quadratic time."""
MAX_FRAMES = 964
"""Number of nested function calls (:data:`_FRAMES` per level) at which the published parser
stops."""
_FRAMES = {"group": 8, "quantified": 8, "negation": 2}

Tree: TypeAlias = Any
"""A call, or a connective with its parts.

The forms are ``("call", name, args)`` (args is ``None`` without arguments), ``("negation", tree)``,
``("quantified", variable, tree)`` and ``("sequence" | "choice" | "both", trees)``.
"""

_OBJECT = r"[a-zA-Z_]\w*(?:\.[0-9]+)?"
_BLANK = r"[ \t\f\r\n]*"
_CALL = re.compile(
    rf"{_BLANK}(not[ \t\f\r\n]+)?(?!not|forall|exists|forn)([a-zA-Z_]\w*){_BLANK}"
    rf"\({_BLANK}((?:{_OBJECT}(?:{_BLANK},{_BLANK}{_OBJECT})*)?){_BLANK}\){_BLANK}"
)
_BETWEEN_CALLS = re.compile(r"(?:and|then)")
_GRAMMAR = r"""
?start: sequence
?sequence: choice ("then" choice)*
?choice: both ("or" both)*
?both: single ("and" single)*
?single: "not" single -> negation
       | NAME "(" [arguments] ")" -> call
       | "(" sequence ")" -> group
       | "forall" NAME "." "(" sequence ")" -> quantified
       | "exists" NAME "." "(" sequence ")" -> quantified
       | "forn" COUNT "." NAME "." "(" sequence ")" -> quantified
arguments: argument ("," argument)*
argument: NAME | NUMBERED
%import common.WS
%ignore WS
NAME: /[a-zA-Z_\-]\w*/
NUMBERED: /[a-zA-Z_\-]\w*\.[0-9]+/
COUNT: /\d+/
"""
_UNKNOWN = "Unknown primitive"


class Unevaluated(Exception):
    """Raised where the published evaluator raises an exception that it calls a parsing error."""


def unreadable_error(reason: str) -> GrammarError:
    """Return the error for an output that the published evaluator cannot read."""
    return GrammarError(ErrorType.PARSING, reason)


def published_texts(output: str, spellings: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """Return the strings in ``"output"`` of an output's first ``{...}`` without inner braces.

    Args:
        output: Any text.
        spellings: Replacements made before it is read.

    Raises:
        GrammarError: There is no such list.
    """
    if len(output) > lenient_json.MAX_CHARACTERS:
        raise unreadable_error(
            f"the output has more than {lenient_json.MAX_CHARACTERS:,} characters"
        )
    text = output.strip().replace("}}", "}")
    for written, read in spellings.items():
        text = text.replace(written, read)
    braces = re.search(r"{[^{}]*}", text)
    if braces is None:
        raise unreadable_error("the output has no {...}")
    try:
        content = published_json(braces.group())
    except ValueError as error:
        raise unreadable_error(json_error_text(error)) from None
    items = content.get("output")
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise unreadable_error('"output" is not a list of strings')
    return [item.strip() for item in items]


def parse(text: str, vocabulary: Collection[str]) -> Tree:
    """Parse a formula over ``vocabulary``. Raises GrammarError."""
    plain = _read_plain_calls(text, vocabulary)
    if plain is not None:
        return ("sequence", plain)
    if len(text) > MAX_CHARACTERS:
        raise unreadable_error(f"a formula of more than {MAX_CHARACTERS:,} characters")
    import lark

    try:
        node = _parser().parse(text)
    except lark.exceptions.LarkError as error:
        if _UNKNOWN in str(error):  # the published evaluator searches the error's text for it
            raise _unknown_error(_UNKNOWN) from None
        reason = str(error).partition("\n")[0]
        raise unreadable_error(f"the subgoals are not formulas: {reason}") from None
    if _frames(node) > MAX_FRAMES:
        raise unreadable_error("the subgoals are nested too deep")
    return _tree(node, vocabulary)


def _read_plain_calls(text: str, vocabulary: Collection[str]) -> list[Tree] | None:
    calls: list[Tree] = []
    unknown = ""
    position = 0
    while (match := _CALL.match(text, position)) is not None:
        negated, name, objects = match.groups()
        args = tuple(part.strip() for part in objects.split(",")) if objects else None
        call = ("call", name, args)
        calls.append(("negation", call) if negated else call)
        if name not in vocabulary:
            unknown = unknown or name
        position = match.end()
        if position == len(text):
            if unknown:
                raise _unknown_error(unknown)
            return calls
        joint = _BETWEEN_CALLS.match(text, position)
        if joint is None:
            return None
        position = joint.end()
    return None


@cache
def _parser() -> Lark:
    import lark

    return lark.Lark(_GRAMMAR)


def _frames(node: Any) -> int:
    """Return the maximum number of nested calls of the published parser."""
    most, waiting = 0, [(node, 0)]
    while waiting:
        node, frames = waiting.pop()
        frames += _FRAMES.get(str(node.data), 0)
        most = max(most, frames)
        waiting += [(child, frames) for child in node.children if hasattr(child, "children")]
    return most


def _tree(node: Any, vocabulary: Collection[str]) -> Tree:
    """Return the parsed formula as nested tuples. Refuse the same formulas as the published
    parser."""
    kind = str(node.data)
    if kind == "call":
        name = str(node.children[0])
        if name not in vocabulary:
            raise _unknown_error(name)
        objects = node.children[1]
        args = None if objects is None else tuple(str(a.children[0]) for a in objects.children)
        return ("call", name, args)
    if kind == "group":
        return _tree(node.children[0], vocabulary)
    if kind == "negation":
        count = 0
        while node.data == "negation":
            node, count = node.children[0], count + 1
        body = _tree(node, vocabulary)
        return (kind, body) if count % 2 else (kind, (kind, body))  # three equal one
    if kind == "quantified":
        return (kind, str(node.children[-2]), _tree(node.children[-1], vocabulary))
    parts = [_tree(child, vocabulary) for child in node.children]
    if kind == "both" and len({_is_temporal(part) for part in parts}) > 1:
        raise unreadable_error("'and' joins a sequence and a state")
    return (kind, parts)


def _is_temporal(tree: Tree) -> bool:
    match tree:
        case ("sequence", _):
            return True
        case ("negation", body) | ("quantified", _, body):
            return _is_temporal(body)
        case ("choice", parts):
            return any(map(_is_temporal, parts))
        case ("both", parts):
            return _is_temporal(parts[0])
    return False


def _unknown_error(name: str) -> GrammarError:
    return GrammarError(ErrorType.ACTION_HALLUCINATION, f"there is no predicate {name!r}")


def calls(tree: Tree, bound: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield all calls, left to right, with ``"?"`` for bound variables."""
    match tree:
        case ("call", name, args):
            yield name, args and tuple("?" if a in bound else a for a in args)
        case ("negation", body):
            yield from calls(body, bound)
        case ("quantified", name, body):
            yield from calls(body, (*bound, name))
        case (_, parts):
            for part in parts:
                yield from calls(part, bound)


def check_calls(
    calls: Iterable[tuple[str, tuple[str, ...] | None]],
    arity: Mapping[str, int],
    exists: Callable[[str], bool],
) -> None:
    """Check the arity of all calls, then that their objects exist. Raises GrammarError."""
    checked = [(name, args or ()) for name, args in calls]
    for name, args in checked:
        if name not in arity:
            raise unreadable_error(f"the number of objects of {name} is not known")
        if len(args) != arity[name]:
            reason = wrong_number_text(name, arity[name], len(args))
            raise GrammarError(ErrorType.ARGUMENT_NUMBER, reason, action=name)
    for name, args in checked:
        for arg in args:
            if not exists(arg):
                reason = f"there is no object {arg!r}"
                raise GrammarError(ErrorType.OBJECT_HALLUCINATION, reason, action=name)


def path(tree: Tree, refused: str = "the negation of more than one call") -> list[Formula]:
    """Return the calls to refine and their negations, in order. Only the first part of an ``or`` is
    refined.

    Raises:
        GrammarError: It negates or quantifies more than the published evaluator can follow; the
            reason is ``refused``.
    """
    match tree:
        case ("call", name, args):
            return [Atom(name, args or ())]
        case ("negation", ("negation", ("negation", body))):
            return path(("negation", body), refused)
        case ("negation", ("call", name, args)):
            return [Not(Atom(name, args or ()))]
        case ("choice", parts):
            return path(parts[0], refused)
        case ("sequence" | "both", parts):
            return [call for part in parts for call in path(part, refused)]
    raise unreadable_error(refused)


def call_text(call: Formula) -> str:
    """Write a call or its negation as text."""
    if isinstance(call, Not):
        return f"not {call_text(call.body)}"
    assert isinstance(call, Atom)
    return f"{call.predicate}({', '.join(call.args)})"
