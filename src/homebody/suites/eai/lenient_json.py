"""Reads JSON as models write it: with comments, Python syntax or superfluous commas.

Text with one possible meaning is read, and its deviations are noted. Nothing is evaluated, and any
text takes linear time.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from homebody.core.ground.nesting import MAX_DEPTH, groups, has_few_brackets
from homebody.core.play.transcript import printable
from homebody.suites.eai.reading import Deviation, ParsingError

MAX_CHARACTERS = 200_000
"""Maximum length of outputs. Longer outputs are parsing errors, which limits the work; no plan is
that long."""
MAX_FOUND = 1_000
"""Maximum number of values in an output, and of pieces of an answer."""
MAX_SCANNED = 20 * MAX_CHARACTERS
"""Maximum number of characters scanned to determine the nesting of lists and objects."""

MAX_QUOTED = 40
"""Maximum number of characters of an output that a message quotes."""


class JsonObject(list[tuple[str, Any]]):
    """A JSON object as a list of pairs. Repeated keys are kept, in order."""


def to_plain(value: Any) -> Any:
    """Convert nested pairs to dicts. If a key is repeated, the last value wins."""
    if isinstance(value, JsonObject):
        return {key: to_plain(item) for key, item in value}
    if isinstance(value, list):
        return [to_plain(item) for item in value]
    return value


def quote(text: str) -> str:
    """Quote a string in one line, cut at a word after :data:`MAX_QUOTED` characters."""
    cut = text[: 2 * MAX_QUOTED]
    line = " ".join(printable(cut).split())
    if len(line) > MAX_QUOTED or cut != text:
        line = f"{line[: MAX_QUOTED + 1].rpartition(' ')[0] or line[:MAX_QUOTED]} ..."
    quote = '"' if "'" in line else "'"
    return f"{quote}{line}{quote}"


def describe_value(value: Any) -> str:
    """Describe a value for messages: ``a list of strings``."""
    if isinstance(value, JsonObject):
        keys = ", ".join(quote(key) for key, _ in value[:4])
        plural = "" if len(value) == 1 else "s"
        return f"an object with the key{plural} {keys}" if keys else "an empty object"
    if isinstance(value, list):
        for kind, name in ((str, "strings"), (JsonObject, "objects"), (list, "lists")):
            if value and all(isinstance(item, kind) for item in value):
                return f"a list of {name}"
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return f"the string {quote(value)}"
    return "a number" if type(value) in (int, float) else json.dumps(value)


def check_length(text: str) -> None:
    """Raise ParsingError if a string has more than :data:`MAX_CHARACTERS` characters."""
    if len(text) > MAX_CHARACTERS:
        raise ParsingError(f"the output has {len(text):,} characters; {MAX_CHARACTERS:,} at most")


def line_of(text: str, position: int) -> int:
    """Return the line of a position, from 1."""
    return bisect_left(_line_breaks(text), position) + 1


@lru_cache(maxsize=2)
def _line_breaks(text: str) -> list[int]:
    """Return the positions of line breaks; cached, as messages may concern many brackets."""
    return [mark.start() for mark in re.finditer("\n", text)]


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A list or an object in a string, with its position and the deviations in it."""

    value: Any
    start: int
    end: int
    notes: tuple[tuple[Deviation, str], ...] = ()


FENCE = re.compile("`{3,}[A-Za-z0-9_+-]*")
"""Code fence around an answer."""

_Notes: TypeAlias = dict[Deviation, str]


class _Unreadable(Exception):
    """Raised if there is no list or object at position ``at``.

    ``started`` is true if a part was read, so the bracket does not belong to a sentence.
    """

    def __init__(self, at: int, message: str, started: bool = True) -> None:
        super().__init__(message)
        self.at = at
        self.started = started


_OPENING = re.compile(r"[\[{]")
_BRACKET = re.compile(r"[\[\]{}]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject)


def find_values(text: str, start: int) -> tuple[list[FoundValue], list[FoundValue], str]:
    """Find the outermost lists and objects of a string from ``start`` on.

    Unreadable values are skipped with all their contents.

    Returns:
        The values; the positions of unreadable values; and the problem of the unreadable value that
        was read furthest, or an empty string.
    """
    if (bare := _read_without_braces(text, start)) is not None:
        return [bare], [], ""
    found: list[FoundValue] = []
    broken: list[FoundValue] = []
    furthest, problem = 0, ""
    shallow = has_few_brackets(text)
    known: dict[int, tuple[int, int]] = {}
    budget = MAX_SCANNED
    position = start
    while (opening := _OPENING.search(text, position)) is not None:
        begin = opening.start()
        if not shallow and begin not in known and budget > 0:
            known |= groups(text, begin)
            budget -= len(text) - begin
        depth, end = (1, 0) if shallow else known.get(begin, (0, 0))
        try:
            if depth > MAX_DEPTH:
                raise _Unreadable(end, "it is nested too deep", started=False)
            value, position, notes = _read(text, begin, bool(depth))
        except _Unreadable as error:
            if error.at - begin > furthest:
                furthest, problem = error.at - begin, str(error)
            position = max(error.at, begin + 1)
            if error.started:
                position = max(position, _end_of_broken(text, begin))
                broken.append(FoundValue(None, begin, position))
        else:
            found.append(FoundValue(value, begin, position, tuple(notes.items())))
        if len(found) + len(broken) > MAX_FOUND:
            raise ParsingError(f"the output has more than {MAX_FOUND:,} lists and objects")
    return found, broken, problem


def _end_of_broken(text: str, start: int) -> int:
    """Return the position after the bracket that closes the one at ``start``, or the text's end."""
    opened: list[str] = []
    for bracket in _BRACKET.finditer(text, start):
        if bracket[0] in _CLOSING:
            opened.append(_CLOSING[bracket[0]])
        elif bracket[0] == opened[-1]:  # a bracket of another kind is part of the fault
            opened.pop()
            if not opened:
                return bracket.end()
    return len(text)


def _read_without_braces(text: str, start: int) -> FoundValue | None:
    """Read ``"GRAB": [...], ...`` as if it were in braces; the closing brace may be present."""
    keys = FENCE.sub(lambda fence: " " * len(fence[0]), text[start:]).rstrip()
    if keys.lstrip()[:1] not in ('"', "'", "\u201c", "\u2018"):
        return None
    if keys.endswith("}") and keys.count("{") < keys.count("}"):
        keys = keys[:-1]
    above = "\n" * text.count("\n", 0, start)
    with_braces = f"{above}{{{keys}\n}}"
    try:
        value, end, notes = _read(with_braces, len(above), False)
    except _Unreadable:
        return None
    if end < len(with_braces) or not value:
        return None
    notes = {Deviation.BRACES: "no braces around the keys", **notes}
    return FoundValue(value, start, len(text), tuple(notes.items()))


def _read(text: str, start: int, shallow: bool) -> tuple[Any, int, _Notes]:
    """Read the list or object that begins at ``start``.

    Args:
        text: The output.
        start: Position of the opening bracket.
        shallow: True if the value is closed, and not nested too deep for a recursive reader.

    Returns:
        The value, its end, and the deviations in it.

    Raises:
        _Unreadable: There is no list or object.
    """
    if shallow:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except ValueError:
            pass
        else:
            return value, end, {}
    return _Tolerant(text).read(start)


_BLANK = re.compile(r"\s*(#[^\n]*|//[^\n]*|/\*)?")
_TEXT = re.compile(
    r"\"{3}(?:[^\\]|\\.)*?\"{3}|'{3}(?:[^\\]|\\.)*?'{3}"
    r"""|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'"""
    "|[\u201c\u201d\u201e](?:[^\u201c\u201d\\\\]|\\\\.)*+[\u201c\u201d]"
    "|[\u2018\u2019](?:[^\u2018\u2019\\\\]|\\\\.)*+[\u2018\u2019]",
    re.DOTALL,
)
_NUMBER = re.compile(r"-?[0-9]{1,300}(?:\.[0-9]{1,300})?(?:[eE][+-]?[0-9]{1,3})?(?![\w.])")
_WORD = re.compile(r"[^\W\d]\w{0,40}")
_CONSTANTS = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}
_TYPOGRAPHIC = {
    "\uff1a": ":",
    "\uff0c": ",",
    **dict.fromkeys("\u201c\u201d\u201e", '"'),
    **dict.fromkeys("\u2018\u2019", "'"),
}
"""Full-width colons and commas, and the quotes of word processors -> their counterparts in JSON."""
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_IN_SINGLE_QUOTES = re.compile(r'\\.|"', re.DOTALL)
_REQUOTED = {"\\'": "'", '"': '\\"'}
_ESCAPE = re.compile(r'(\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})|\\(?:x(..)|U(.{8}))?')


def _escape(mark: re.Match[str]) -> str:
    r"""Rewrite a backslash sequence for JSON, including Python's ``\x1f`` and ``\U0001f600``."""
    digits = mark[2] or mark[3]
    if digits is None:
        return mark[1] or "\\\\"
    try:
        return json.dumps(chr(int(digits, 16)))[1:-1]
    except (ValueError, OverflowError):
        return f"\\{mark[0]}"


@dataclass
class _Open:
    """A list or an object whose end is not read yet."""

    bracket: str
    start: int
    items: list[Any]
    key: str = ""
    comma: bool = False

    def add(self, value: Any) -> None:
        self.items.append((self.key, value) if self.bracket == "{" else value)

    @property
    def value(self) -> Any:
        if self.bracket == "(" and len(self.items) == 1 and not self.comma:
            return self.items[0]  # a value in parentheses, as in Python
        return self.items


class _Tolerant:
    """Reads one list or object of a string that is JSON or similar to JSON."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._notes: _Notes = {}
        self._started = False

    def read(self, start: int) -> tuple[Any, int, _Notes]:
        """Read the list or object that begins at ``start``; return value, end and deviations."""
        text, stack = self._text, list[_Open]()
        at = start
        while True:
            at = self._skip(at, stack)
            if text[at] in _CLOSING:
                if len(stack) == MAX_DEPTH:
                    raise _Unreadable(len(text), "it is nested too deep")
                if text[at] == "(":
                    self._note(Deviation.PYTHON, "parentheses", at)
                stack.append(_Open(text[at], at, JsonObject() if text[at] == "{" else []))
                at = self._skip(at + 1, stack)
                if text[at] != _CLOSING[stack[-1].bracket]:
                    at = self._read_key(at, stack)
                    continue
            else:
                value, at = self._read_scalar(at)
                stack[-1].add(value)
            while True:  # after a value: the end of its container, or another value
                at = self._skip(at, stack)
                inner = stack[-1]
                inner.comma = self._read_mark(at) == ","
                if inner.comma:
                    comma, at = at, self._skip(at + 1, stack)
                    if text[at] == _CLOSING[inner.bracket] and inner.bracket != "(":
                        self._note(Deviation.COMMAS, "a comma behind the last item", comma)
                if text[at] == _CLOSING[inner.bracket]:
                    stack.pop()
                    at += 1
                    if not stack:
                        return inner.value, at, self._notes
                    stack[-1].add(inner.value)
                    continue
                if not inner.comma:
                    if self._read_mark(at) not in "\"'[{":
                        expected = f"',' or {_CLOSING[inner.bracket]!r}"
                        raise self._unexpected_error(at, expected)
                    self._note(Deviation.COMMAS, "no comma between two items", at)
                at = self._read_key(at, stack)
                break

    def _read_key(self, at: int, stack: list[_Open]) -> int:
        """If inside an object, read a key and its colon. Return the start of the value."""
        if stack[-1].bracket != "{":
            return at
        if self._read_mark(at) not in "\"'":
            raise self._unexpected_error(at, "a key in quotes")
        stack[-1].key, at = self._read_text(at)
        at = self._skip(at, stack)
        if self._read_mark(at) != ":":
            raise self._unexpected_error(at, "':' behind a key")
        return at + 1

    def _read_scalar(self, at: int) -> tuple[Any, int]:
        if self._read_mark(at) in "\"'":
            return self._read_text(at)
        number = _NUMBER.match(self._text, at)
        if number is not None:
            digits = number[0].lstrip("-")
            self._started = True
            return (int if digits.isdigit() else float)(number[0]), number.end()
        word = _WORD.match(self._text, at)
        if word is None or word[0] not in _CONSTANTS:
            raise self._unexpected_error(at, "a string, a number, a list or an object")
        if word[0][0].isupper():
            self._note(Deviation.PYTHON, word[0], at)
        self._started = True
        return _CONSTANTS[word[0]], word.end()

    def _read_text(self, at: int) -> tuple[str, int]:
        text = _TEXT.match(self._text, at)
        if text is None:
            line = line_of(self._text, at)
            raise _Unreadable(len(self._text), f"a string that begins in line {line} never ends")
        self._started = True
        three = len(text[0]) > 5 and text[0][:3] in ('"""', "'''")
        inner = text[0][3:-3] if three else text[0][1:-1]
        if text[0][0] == "'" or three:
            self._note(Deviation.PYTHON, f"{'three' if three else 'single'} quotes", at)
        if text[0][0] != '"' or three:
            inner = _IN_SINGLE_QUOTES.sub(lambda mark: _REQUOTED.get(mark[0], mark[0]), inner)
        if any(ord(char) < 32 for char in inner):
            self._note(Deviation.LINE_BREAKS, "a line break or a tab within a string", at)
        try:
            value = json.loads(f'"{inner}"', strict=False)
        except ValueError:  # an escape that JSON does not have
            self._note(Deviation.PYTHON, "a backslash that JSON does not know", at)
            value = json.loads(f'"{_ESCAPE.sub(_escape, inner)}"', strict=False)
        return str(value), text.end()

    def _read_mark(self, at: int) -> str:
        """Return the JSON character for the character at a position."""
        written = self._text[at]
        mark = _TYPOGRAPHIC.get(written, written)
        if mark != written:
            self._note(Deviation.TYPOGRAPHY, f"{written!r} for {mark!r}", at)
        return mark

    def _skip(self, at: int, stack: list[_Open]) -> int:
        """Return the position after blanks and comments; raise _Unreadable at the text's end."""
        while (blank := _BLANK.match(self._text, at)) is not None and blank[1]:
            self._note(Deviation.COMMENTS, "a comment", blank.start(1))
            at = blank.end()
            if blank[1] == "/*":
                at = self._text.find("*/", at) + 2
                if at == 1:
                    raise _Unreadable(len(self._text), "a comment never ends")
        at = blank.end() if blank is not None else at
        if at == len(self._text):
            inner = stack[-1]
            line = line_of(self._text, inner.start)
            raise _Unreadable(at, f"the {inner.bracket!r} of line {line} is never closed")
        return at

    def _note(self, deviation: Deviation, what: str, at: int) -> None:
        if deviation not in self._notes:
            self._notes[deviation] = f"{what} in line {line_of(self._text, at)}"

    def _unexpected_error(self, at: int, expected: str) -> _Unreadable:
        word = _WORD.match(self._text, at)
        there = word[0] if word is not None else self._text[at]
        line = line_of(self._text, at)
        message = f"{expected} is expected in line {line}, not {quote(there)}"
        return _Unreadable(at, message, self._started)
