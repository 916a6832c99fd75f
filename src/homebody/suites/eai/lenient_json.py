"""Reads JSON as models write it: commented, as Python would, with a comma too many.

What can be meant in one way only is read; what was read through is told with it. Nothing is
evaluated, and a text of any kind takes linear time.
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
"""Longer outputs are parsing errors: no plan is that long, and it bounds the work."""
MAX_FOUND = 1_000
"""Most values that are looked for in an output, and most pieces of an answer."""
MAX_SCANNED = 20 * MAX_CHARACTERS
"""Most characters that are looked at to tell how deep lists and objects are nested."""

MAX_QUOTED = 40
"""Most characters of an output that a message quotes."""


class JsonObject(list[tuple[str, Any]]):
    """A JSON object as pairs, so that repeated keys are kept in order."""


def plain(value: Any) -> Any:
    """Nested pairs as dicts (the last of repeated keys wins)."""
    if isinstance(value, JsonObject):
        return {key: plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def quoted(text: str) -> str:
    """A text in quotes, for messages: as it is written, in one line; of more than
    :data:`MAX_QUOTED` characters whole words only, and ``...``."""
    cut = text[: 2 * MAX_QUOTED]
    line = " ".join(printable(cut).split())
    if len(line) > MAX_QUOTED or cut != text:
        line = f"{line[: MAX_QUOTED + 1].rpartition(' ')[0] or line[:MAX_QUOTED]} ..."
    quote = '"' if "'" in line else "'"
    return f"{quote}{line}{quote}"


def described(value: Any) -> str:
    """What a value is, for messages: ``a list of texts``."""
    if isinstance(value, JsonObject):
        keys = ", ".join(quoted(key) for key, _ in value[:4])
        plural = "" if len(value) == 1 else "s"
        return f"an object with the key{plural} {keys}" if keys else "an empty object"
    if isinstance(value, list):
        for kind, name in ((str, "texts"), (JsonObject, "objects"), (list, "lists")):
            if value and all(isinstance(item, kind) for item in value):
                return f"a list of {name}"
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return "a number" if type(value) in (int, float) else json.dumps(value)


def check_length(text: str) -> None:
    """Raises ParsingError on a text of more than :data:`MAX_CHARACTERS`."""
    if len(text) > MAX_CHARACTERS:
        raise ParsingError(f"the output has {len(text):,} characters; {MAX_CHARACTERS:,} at most")


def line_of(text: str, position: int) -> int:
    """The line that a position is in, from 1."""
    return bisect_left(_line_breaks(text), position) + 1


@lru_cache(maxsize=2)
def _line_breaks(text: str) -> list[int]:
    """Where they are: what is wrong may be told of each of many thousands of brackets."""
    return [mark.start() for mark in re.finditer("\n", text)]


@dataclass(frozen=True, slots=True)
class Found:
    """A list or an object in a text: where it is, and what was read through in it."""

    value: Any
    start: int
    end: int
    notes: tuple[tuple[Deviation, str], ...] = ()


FENCE = re.compile("`{3,}[A-Za-z0-9_+-]*")
"""Of code, around an answer."""

_Notes: TypeAlias = dict[Deviation, str]


class _Unreadable(Exception):
    """What begins like a list or an object is none, from a position on; ``begun`` if something in
    it was read, so that it is no bracket of a sentence."""

    def __init__(self, at: int, message: str, begun: bool = True) -> None:
        super().__init__(message)
        self.at = at
        self.begun = begun


_OPENING = re.compile(r"[\[{]")
_BRACKET = re.compile(r"[\[\]{}]")
_DECODER = json.JSONDecoder(object_pairs_hook=JsonObject)


def lists_and_objects(text: str, start: int) -> tuple[list[Found], list[Found], str]:
    """The outermost lists and objects of a text from ``start`` on; where those are that cannot be
    read; and what is wrong with the one of these that was read furthest, empty if there is none.

    What cannot be read is passed over: what is in it is no answer.
    """
    if (bare := _without_braces(text, start)) is not None:
        return [bare], [], ""
    found: list[Found] = []
    broken: list[Found] = []
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
                raise _Unreadable(end, "it is nested too deep", begun=False)
            value, position, notes = _read(text, begin, bool(depth))
        except _Unreadable as error:
            if error.at - begin > furthest:
                furthest, problem = error.at - begin, str(error)
            position = max(error.at, begin + 1)
            if error.begun:
                position = max(position, _end_of_broken(text, begin))
                broken.append(Found(None, begin, position))
        else:
            found.append(Found(value, begin, position, tuple(notes.items())))
        if len(found) + len(broken) > MAX_FOUND:
            raise ParsingError(f"the output has more than {MAX_FOUND:,} lists and objects")
    return found, broken, problem


def _end_of_broken(text: str, start: int) -> int:
    """Where the bracket at ``start`` is closed, that of the text if it never is."""
    opened: list[str] = []
    for bracket in _BRACKET.finditer(text, start):
        if bracket[0] in _CLOSING:
            opened.append(_CLOSING[bracket[0]])
        elif bracket[0] == opened[-1]:  # one of another kind is part of what is wrong
            opened.pop()
            if not opened:
                return bracket.end()
    return len(text)


def _without_braces(text: str, start: int) -> Found | None:
    """``"GRAB": [...], ...`` as the object that it would be in braces; the last may be there."""
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
    return Found(value, start, len(text), tuple(notes.items()))


def _read(text: str, start: int, shallow: bool) -> tuple[Any, int, _Notes]:
    """The list or object that begins at ``start``, where it ends, and what was read through.

    Args:
        text: The output.
        start: Where a bracket opens.
        shallow: Whether it is closed and not nested too deep for a reader that recurses.

    Raises:
        _Unreadable: there is none.
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
"""Full-width colons and commas, and the quotes of word processors -> what JSON has."""
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_IN_SINGLE_QUOTES = re.compile(r'\\.|"', re.DOTALL)
_REQUOTED = {"\\'": "'", '"': '\\"'}
_ESCAPE = re.compile(r'(\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})|\\(?:x(..)|U(.{8}))?')


def _escape(mark: re.Match[str]) -> str:
    """A backslash and what follows as JSON has it: as it is, as Python's ``\\x1f`` and
    ``\\U0001f600``, or as a backslash."""
    digits = mark[2] or mark[3]
    if digits is None:
        return mark[1] or "\\\\"
    try:
        return json.dumps(chr(int(digits, 16)))[1:-1]
    except (ValueError, OverflowError):
        return f"\\{mark[0]}"


@dataclass
class _Open:
    """A list or an object of which the end is not read yet."""

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
            return self.items[0]  # in parentheses, as Python has it
        return self.items


class _Tolerant:
    """Reads JSON, and what is written almost like it; of one list or object of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._notes: _Notes = {}
        self._begun = False

    def read(self, start: int) -> tuple[Any, int, _Notes]:
        """The list or object that begins at ``start``, where it ends, and what was read through."""
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
                    at = self._key(at, stack)
                    continue
            else:
                value, at = self._scalar(at)
                stack[-1].add(value)
            while True:  # what follows a value: the end of what it is in, or another
                at = self._skip(at, stack)
                inner = stack[-1]
                inner.comma = self._mark(at) == ","
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
                    if self._mark(at) not in "\"'[{":
                        expected = f"',' or {_CLOSING[inner.bracket]!r}"
                        raise self._unexpected(at, expected)
                    self._note(Deviation.COMMAS, "no comma between two items", at)
                at = self._key(at, stack)
                break

    def _key(self, at: int, stack: list[_Open]) -> int:
        """Read the key of an object, and its colon; nothing in a list. Returns where a value is."""
        if stack[-1].bracket != "{":
            return at
        if self._mark(at) not in "\"'":
            raise self._unexpected(at, "a key in quotes")
        stack[-1].key, at = self._quoted(at)
        at = self._skip(at, stack)
        if self._mark(at) != ":":
            raise self._unexpected(at, "':' behind a key")
        return at + 1

    def _scalar(self, at: int) -> tuple[Any, int]:
        if self._mark(at) in "\"'":
            return self._quoted(at)
        number = _NUMBER.match(self._text, at)
        if number is not None:
            digits = number[0].lstrip("-")
            self._begun = True
            return (int if digits.isdigit() else float)(number[0]), number.end()
        word = _WORD.match(self._text, at)
        if word is None or word[0] not in _CONSTANTS:
            raise self._unexpected(at, "a text, a number, a list or an object")
        if word[0][0].isupper():
            self._note(Deviation.PYTHON, word[0], at)
        self._begun = True
        return _CONSTANTS[word[0]], word.end()

    def _quoted(self, at: int) -> tuple[str, int]:
        text = _TEXT.match(self._text, at)
        if text is None:
            line = line_of(self._text, at)
            raise _Unreadable(len(self._text), f"a text that begins in line {line} never ends")
        self._begun = True
        three = len(text[0]) > 5 and text[0][:3] in ('"""', "'''")
        inner = text[0][3:-3] if three else text[0][1:-1]
        if text[0][0] == "'" or three:
            self._note(Deviation.PYTHON, f"{'three' if three else 'single'} quotes", at)
        if text[0][0] != '"' or three:
            inner = _IN_SINGLE_QUOTES.sub(lambda mark: _REQUOTED.get(mark[0], mark[0]), inner)
        if any(ord(char) < 32 for char in inner):
            self._note(Deviation.LINE_BREAKS, "a line break or a tab within a text", at)
        try:
            value = json.loads(f'"{inner}"', strict=False)
        except ValueError:  # of a backslash that JSON does not know
            self._note(Deviation.PYTHON, "a backslash that JSON does not know", at)
            value = json.loads(f'"{_ESCAPE.sub(_escape, inner)}"', strict=False)
        return str(value), text.end()

    def _mark(self, at: int) -> str:
        """The character that is there, as JSON has it."""
        written = self._text[at]
        mark = _TYPOGRAPHIC.get(written, written)
        if mark != written:
            self._note(Deviation.TYPOGRAPHY, f"{written!r} for {mark!r}", at)
        return mark

    def _skip(self, at: int, stack: list[_Open]) -> int:
        """The position behind blanks and comments. Raises _Unreadable at the end of the text."""
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

    def _unexpected(self, at: int, expected: str) -> _Unreadable:
        word = _WORD.match(self._text, at)
        there = word[0] if word is not None else self._text[at]
        line = line_of(self._text, at)
        message = f"{expected} is expected in line {line}, not {quoted(there)}"
        return _Unreadable(at, message, self._begun)
