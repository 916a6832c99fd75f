"""S-expressions, which PDDL and BDDL are written in: words and groups, each with its place, are
read from a text, and formulas are printed (:func:`formula_text`).

What is a word, and how some faults are told, differs from language to language: a
:class:`Notation` says it. What words and groups mean is up to the readers of each language. They
raise a :class:`Fault` at a character, and whoever has the text makes a line and column of it
(:func:`place`).
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
"""Longest text that is read, in characters. The largest official file has 17,000."""

MAX_DEPTH = 60
"""Deepest nesting of groups that is read, so that recursive functions over what was read stay far
below Python's recursion limit. The official files have 8 levels."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word in lower case, for neither language tells cases apart.

    Attributes:
        text: The word.
        at: Index of its first character in the text.
    """

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Group:
    """A list: ``(item item ...)``.

    Attributes:
        items: What is between the parentheses.
        at: Index of the opening one in the text.
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
    """A text that cannot be read.

    Attributes:
        problem: What is wrong, in a phrase.
        at: At which character, from 0.
    """

    def __init__(self, problem: str, at: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at


class TextError(ValueError):
    """A text that is not of its language; ``str()`` says where and what was expected.

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
class Notation:
    """What one language makes of s-expressions.

    Attributes:
        token: Matches the next word, parenthesis, blank or comment (:func:`tokens`).
        stray: What is said of a ``)`` that closes nothing.
        whole: A text or a group past its bound is reported where it begins, the group once it is
            closed. Otherwise: where the bound is passed.
    """

    token: re.Pattern[str]
    stray: str
    whole: bool = False


def tokens(word: str, skipped: str) -> re.Pattern[str]:
    """The tokens of a notation, from regular expressions for a word and for what is skipped."""
    return re.compile(rf"(?P<word>{word})|(?P<open>\()|(?P<close>\))|(?:{skipped})")


def read(text: str, notation: Notation) -> tuple[Item, ...]:
    """The words and groups of a text, in time that grows with its length.

    Raises:
        Fault: parentheses do not match, a character is not allowed, or the text or its nesting
            is beyond the bounds.
    """
    if len(text) > MAX_LENGTH:
        at = 0 if notation.whole else MAX_LENGTH
        raise Fault(f"the text is longer than {MAX_LENGTH} characters", at)
    items: list[Item] = []  # of the innermost open group
    level = 0  # of the deepest group inside it, counted from the outside
    around: list[tuple[int, list[Item], int]] = []  # where it opens; items and level outside of it
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
    """Line and column of a character, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


# --- What readers expect --------------------------------------------------------------------


def as_group(item: Item, expected: str) -> Group:
    """A group, or a fault that says what was expected."""
    if isinstance(item, Word):
        raise Fault(f"expected {expected}, found '{cut(item.text)}'", item.at)
    return item


def as_word(item: Item, expected: str) -> str:
    """Any word, or a fault that says what was expected."""
    if isinstance(item, Group):
        raise Fault(f"expected {expected}, found a group", item.at)
    return item.text


def as_name(item: Item, expected: str) -> str:
    """A word that is neither a variable nor a keyword nor the dash of a type, or a fault."""
    text = as_word(item, expected)
    if is_variable(text) or text.startswith(":") or text == "-":
        raise Fault(f"expected {expected}, found '{cut(text)}'", item.at)
    return text


def cut(text: str) -> str:
    """A text as faults quote it, at most 40 characters long."""
    return text if len(text) <= 40 else text[:39] + "…"


# --- Printing -------------------------------------------------------------------------------


def formula_text(formula: Formula, term: Callable[[str], str] = str) -> str:
    """A formula on one line, as PDDL and BDDL write it; ``term`` writes the arguments of atoms."""
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
    """Write typed parameters: ``?char - character ?obj - object``."""
    return " ".join(f"{p.name} - {p.type}" for p in parameters)
