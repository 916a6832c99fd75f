"""S-expressions, the syntax of PDDL and BDDL: reading of words and groups with their positions, and
printing of formulas (:func:`formula_text`).

A :class:`Notation` defines the words and some messages of a language. The readers of the language
interpret words and groups. They raise a :class:`Fault` at a character, which :func:`place` converts
to line and column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.formula import (
    Atom,
    Exactly,
    Formula,
    ForPairs,
    Implies,
    Parameter,
    Quantification,
    bound_by,
    is_variable,
    parts_of,
)

MAX_LENGTH = 200_000
"""Maximum length of a string, in characters. The largest official file has 17,000."""

MAX_DEPTH = 60
"""Maximum nesting of groups, far below Python's recursion limit. The official files have 8
levels."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case, as both languages ignore case.

    Attributes:
        text: The word.
        at: Index of its first character in the text.
    """

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Group:
    """A group: ``(item item ...)``.

    Attributes:
        items: The items between the parentheses.
        at: Index of the opening parenthesis in the text.
    """

    items: tuple[Item, ...]
    at: int

    @property
    def head(self) -> str:
        """The first word, or an empty string."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Word) else ""


Item: TypeAlias = Word | Group


class Fault(Exception):
    """Raised if a string cannot be read.

    Attributes:
        problem: The fault, in a phrase.
        at: The position of the fault, from 0.
    """

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at


class TextError(ValueError):
    """Raised if a string does not belong to its language. ``str()`` has the position and the
    expected text.

    Attributes:
        problem: The fault, in a phrase.
        line: The line, from 1.
        column: The column, from 1.
    """

    def __init__(self, problem: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem = problem
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Notation:
    """The notation of one language.

    Attributes:
        token: Pattern of the next word, parenthesis, blank or comment (:func:`tokens`).
        stray: The message on a ``)`` that closes nothing.
        whole: True to report the beginning of a string or group that exceeds its limit (of a group,
            once it is closed). False to report the position at which it exceeds the limit.
    """

    token: re.Pattern[str]
    stray: str
    whole: bool = False


def tokens(word: str, skipped: str) -> re.Pattern[str]:
    """Return the pattern of tokens, from regular expressions of words and of skipped text."""
    return re.compile(rf"(?P<word>{word})|(?P<open>\()|(?P<close>\))|(?:{skipped})")


def read(text: str, notation: Notation) -> tuple[Item, ...]:
    """Read the words and groups of a string in linear time.

    Raises:
        Fault: parentheses do not match, a character is not allowed, or the text or its nesting
            exceeds its limit.
    """
    if len(text) > MAX_LENGTH:
        at = 0 if notation.whole else MAX_LENGTH
        raise Fault(f"the text is longer than {MAX_LENGTH} characters", at)
    items: list[Item] = []  # items of the innermost open group
    level = 0  # nesting level of the deepest group inside it
    around: list[tuple[int, list[Item], int]] = []  # open groups: position, outer items and level
    position = 0
    for token in notation.token.finditer(text):
        if token.start() != position:
            break
        if token.lastgroup == "word":
            items.append(Word(token[0].lower(), position))
        elif token.lastgroup == "open":
            if len(around) == MAX_DEPTH and not notation.whole:
                raise _too_deep(position)
            around.append((position, items, level))
            items, level = [], len(around)
        elif token.lastgroup == "close":
            if not around:
                raise Fault(f"unexpected ')'; {notation.stray}", position)
            if level - len(around) >= MAX_DEPTH:
                raise _too_deep(around[-1][0])
            group = tuple(items)
            start, items, outside = around.pop()
            items.append(Group(group, start))
            level = max(level, outside)
        position = token.end()
    if position < len(text):
        character = ascii(text[position])
        raise Fault(f"unexpected character {character}; expected a word, '(' or ')'", position)
    if around:
        raise Fault("this '(' is never closed; expected ')'", around[-1][0])
    return tuple(items)


def _too_deep(at: int) -> Fault:
    return Fault(f"more than {MAX_DEPTH} groups inside one another", at)


def place(text: str, at: int) -> tuple[int, int]:
    """Return line and column of a character, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# --- Checks for readers ---------------------------------------------------------------------


def as_group(item: Item, expected: str) -> Group:
    """Return a group, or raise a fault that says what was expected."""
    if isinstance(item, Word):
        raise Fault(f"expected {expected}, found '{cut(item.text)}'", item.at)
    return item


def as_word(item: Item, expected: str) -> str:
    """Return the text of a word, or raise a fault that says what was expected."""
    if isinstance(item, Group):
        raise Fault(f"expected {expected}, found a group", item.at)
    return item.text


def as_name(item: Item, expected: str) -> str:
    """Return a word that is not a variable, keyword or dash, or raise a fault."""
    text = as_word(item, expected)
    if is_variable(text) or text.startswith(":") or text == "-":
        raise Fault(f"expected {expected}, found '{cut(text)}'", item.at)
    return text


def cut(text: str) -> str:
    """Return a string as faults quote it, at most 40 characters long."""
    return text if len(text) <= 40 else text[:39] + "…"


# --- Printing -------------------------------------------------------------------------------


def formula_text(formula: Formula, term: Callable[[str], str] = str) -> str:
    """Return a formula in PDDL and BDDL, on one line; ``term`` writes the arguments of atoms."""
    match formula:
        case Atom(predicate, args):
            return f"({' '.join((predicate, *map(term, args)))})"
        case Implies():
            head = "imply"
        case Exactly(count):
            head = f"forn ({count})"
        case ForPairs(count=None):
            head = "forpairs"
        case ForPairs(count=count):
            head = f"fornpairs ({count})"
        case Quantification(kind, variables):
            head = f"{kind} ({parameters_text(variables)})"
        case _:
            head = type(formula).__name__.lower()
    if not isinstance(formula, Quantification):
        head = " ".join((head, *(f"({parameters_text([x])})" for x in bound_by(formula))))
    return f"({' '.join((head, *(formula_text(part, term) for part in parts_of(formula))))})"


def parameters_text(parameters: Iterable[Parameter]) -> str:
    """Return parameters as ``?char - character ?obj - object``."""
    return " ".join(f"{p.name} - {p.type}" for p in parameters)
