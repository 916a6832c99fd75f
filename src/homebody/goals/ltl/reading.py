"""Reads EAI's LTL formulas; :mod:`homebody.goals.ltl` describes the language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Then,
    flatten,
)

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

MAX_LENGTH = 100_000
"""Longest text that is accepted, in characters."""

MAX_DEPTH = 100
"""Maximum nesting depth, including parentheses; published goals have up to 5 levels.

It keeps recursive functions on formulas far below Python's recursion limit.
"""

KEYWORDS = frozenset({"and", "or", "not", "implies", "forall", "exists", "forn", "then"})


class LTLError(ValueError):
    """A formula that cannot be used; ``str()`` shows the line with a caret under the column.

    Attributes:
        problem: The problem, in a phrase.
        text: The whole formula.
        line: Line of the problem, from 1.
        column: Column of the problem, from 1.
    """

    def __init__(self, problem: str, text: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}\n{_excerpt(text, line, column)}")
        self.problem = problem
        self.text = text
        self.line = line
        self.column = column


class LTLSyntaxError(LTLError):
    """The text does not follow the grammar, is too long or is nested too deeply."""


class LTLVocabularyError(LTLError):
    """The text follows the grammar but uses an unknown predicate or object.

    Attributes:
        name: The predicate or object at fault.
        reason: ``"predicate"``, ``"arity"`` (wrong number of arguments) or ``"object"``.
    """

    def __init__(
        self, problem: str, text: str, line: int, column: int, name: str, reason: str
    ) -> None:
        super().__init__(problem, text, line, column)
        self.name = name
        self.reason = reason


def _excerpt(text: str, line: int, column: int, width: int = 76) -> str:
    """Return the line, cut to ``width`` around the column, and a caret below."""
    source = "".join(c if c.isprintable() else " " for c in text.split("\n")[line - 1])
    start = max(0, column - 1 - width * 2 // 3)
    shown, offset = source[start : start + width], column - 1 - start
    if start + width < len(source):
        shown += "..."
    if start:
        shown, offset = "..." + shown, offset + 3
    return f"    {shown}\n    {' ' * offset}^"


# --- Reading ------------------------------------------------------------------------------------

_GRAMMAR = r"""
start: formula
?formula: implication
        | implication ("then" implication)+                        -> sequence
?implication: disjunction
        | disjunction "implies" implication
?disjunction: conjunction
        | conjunction ("or" conjunction)+
?conjunction: literal
        | literal ("and" literal)+
?literal: atom
        | "(" formula ")"                                          -> group
        | "not" literal                                            -> negation
        | "forall" NAME "." "(" formula ")"                        -> forall
        | "exists" NAME "." "(" formula ")"                        -> exists
        | "exists" "=" COUNT NAME "." "(" formula ")"              -> exactly
        | "forn" COUNT "."? NAME "." "(" formula ")"               -> exactly
atom: NAME "(" (_argument ("," _argument)*)? ")"
_argument: NAME | OBJECT

NAME: /[a-zA-Z_]\w*/
OBJECT.2: /[a-zA-Z_]\w*\.[0-9]+(?!\w)/
COUNT: /[0-9]+/
WS: /[ \t\f\r\n]+/
%ignore WS
"""

MAX_COUNT_DIGITS = 9
"""Maximum number of digits of the number in ``exists=n``."""

_SYMBOLS = {
    **dict.fromkeys("&∧", "and"),
    **dict.fromkeys("|\u2228", "or"),
    **dict.fromkeys("!~¬", "not"),
    **dict.fromkeys("-→⇒", "implies"),
    "∀": "forall",
    "∃": "exists",
}


@cache
def _parser() -> Lark:
    import lark  # lazily, to keep the command line fast

    # The contextual lexer would take a keyword for a name.
    return lark.Lark(_GRAMMAR, parser="lalr", lexer="basic", propagate_positions=True)


def parse(
    text: str,
    *,
    predicates: Mapping[str, int] | None = None,
    objects: Collection[str] | None = None,
) -> Formula:
    """Read a formula. Safe on any text.

    Args:
        text: The formula.
        predicates: If given, the only predicates allowed, states and actions, with their number of
            arguments.
        objects: If given, the only object names allowed.

    Returns:
        The formula in normal form.

    Raises:
        LTLSyntaxError: The text does not follow the grammar, has more than ``MAX_LENGTH``
            characters or more than ``MAX_DEPTH`` levels.
        LTLVocabularyError: A predicate or object is not allowed, or has a wrong number of
            arguments.
    """
    if len(text) > MAX_LENGTH:
        problem = f"the formula has {len(text)} characters; at most {MAX_LENGTH} are read"
        raise LTLSyntaxError(problem, text, *_position(text, MAX_LENGTH))
    import lark

    try:
        tree = _parser().parse(text)
    except lark.UnexpectedToken as error:
        if error.token.type == "$END":
            line, column = _position(text, len(text.rstrip()))
        else:
            line, column = error.line, error.column
        raise LTLSyntaxError(_describe_unexpected_token(error, text), text, line, column) from None
    except lark.UnexpectedCharacters as error:
        problem = _describe_unexpected_character(text[error.pos_in_stream or 0])
        raise LTLSyntaxError(problem, text, error.line, error.column) from None
    reading = _Reading(text, predicates, None if objects is None else frozenset(objects))
    return _build(_only_branch(tree), frozenset(), 0, reading)


def _position(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of a character."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _describe_unexpected_token(error: Any, text: str) -> str:
    token = str(error.token)
    found_text = f"'{token if len(token) <= 40 else token[:37] + '...'}'"
    if error.token.type == "$END":
        found_text = "the end of the formula"
    problem = f"expected {_describe_expected(error.accepts or set())}, found {found_text}"
    if error.token.type == "NAME" and token.lower() in KEYWORDS:
        problem += f" (keywords are lower case: {token.lower()})"
    if text[error.token.start_pos or 0 :].startswith("=>"):
        problem += " (write 'implies')"
    return problem


def _describe_expected(accepts: Collection[str]) -> str:
    """Describe what may come next, from the names of the grammar's terminals."""
    words: list[str] = []
    if "NOT" in accepts:
        words.append("a condition such as ON(light.1)")
    elif "OBJECT" in accepts:
        words.append("an object name")
    elif "NAME" in accepts:
        words.append("a variable name")
    if "COUNT" in accepts:
        words.append("a whole number")
    words += [f"'{k}'" for k in ("and", "or", "implies", "then") if k.upper() in accepts]
    marks = {"COMMA": "','", "DOT": "'.'", "EQUAL": "'='", "RPAR": "')'"}
    words += [word for terminal, word in marks.items() if terminal in accepts]
    if "LPAR" in accepts and "NOT" not in accepts:
        words.append("'('")
    if "$END" in accepts:
        words.append("the end of the formula")
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _describe_unexpected_character(character: str) -> str:
    problem = f"a formula has no character {character!r}"
    if character in _SYMBOLS:
        problem += f" (write '{_SYMBOLS[character]}')"
    return problem


@dataclass(frozen=True, slots=True)
class _Reading:
    text: str
    predicates: Mapping[str, int] | None
    objects: frozenset[str] | None


def _branches(tree: Tree[Token]) -> list[Tree[Token]]:
    return [child for child in tree.children if not isinstance(child, str)]


def _tokens(tree: Tree[Token]) -> list[Token]:
    return [child for child in tree.children if isinstance(child, str)]


def _only_branch(tree: Tree[Token]) -> Tree[Token]:
    return _branches(tree)[0]


def _build(tree: Tree[Token], scope: frozenset[str], depth: int, reading: _Reading) -> Formula:
    """Turn a syntax tree into a formula; ``scope`` holds the names that quantifiers bind."""
    if depth > MAX_DEPTH:
        problem = f"nested more than {MAX_DEPTH} levels deep"
        raise LTLSyntaxError(problem, reading.text, tree.meta.line, tree.meta.column)
    kind = str(tree.data)
    if kind == "atom":
        return _build_atom(tree, scope, reading)
    if kind in ("forall", "exists", "exactly"):
        tokens = _tokens(tree)
        name = str(tokens[-1])
        body = _build(_only_branch(tree), scope | {name}, depth + 1, reading)
        if kind == "exactly":
            return Exactly(_count(tokens[0], reading), "?" + name, body)
        return Forall("?" + name, body) if kind == "forall" else Exists("?" + name, body)
    parts = [_build(branch, scope, depth + 1, reading) for branch in _branches(tree)]
    if kind == "group":
        return parts[0]
    if kind == "negation":
        return Not(parts[0])
    if kind == "implication":
        return Implies(parts[0], parts[1])
    if kind == "conjunction":
        return flatten(And, parts)
    return flatten(Or if kind == "disjunction" else Then, parts)


def _count(token: Token, reading: _Reading) -> int:
    if len(token) > MAX_COUNT_DIGITS:
        problem = f"a count has at most {MAX_COUNT_DIGITS} digits"
        raise LTLSyntaxError(problem, reading.text, token.line or 1, token.column or 1)
    return int(token)


def _build_atom(tree: Tree[Token], scope: frozenset[str], reading: _Reading) -> Atom:
    predicate, *args = _tokens(tree)

    def vocabulary_error(problem: str, at: Token, reason: str) -> LTLVocabularyError:
        line, column = at.line or 1, at.column or 1
        return LTLVocabularyError(problem, reading.text, line, column, str(at), reason)

    if reading.predicates is not None:
        arity = reading.predicates.get(str(predicate))
        if arity is None:
            raise vocabulary_error(f"there is no predicate {predicate}", predicate, "predicate")
        if arity != len(args):
            plural = "argument" if arity == 1 else "arguments"
            problem = f"{predicate} takes {arity} {plural}, not {len(args)}"
            raise vocabulary_error(problem, predicate, "arity")
    if reading.objects is not None:
        for arg in args:
            if str(arg) not in scope and str(arg) not in reading.objects:
                raise vocabulary_error(f"there is no object {arg}", arg, "object")
    terms = tuple("?" + str(arg) if str(arg) in scope else str(arg) for arg in args)
    return Atom(str(predicate), terms)
