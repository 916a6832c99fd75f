"""The one reader of structured answers, for all abilities and both worlds.

Prompts ask for JSON and nothing else; models wrap it, comment it and write it as Python would.
What can be meant in one way only is read, and each way in which it is not what was asked for is
noted in a :class:`Reading`: format is part of what is measured. ``docs/eai-answers.md`` lists what
is accepted, what is not, and why. Nothing is evaluated, and any text gives a result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any, TypeAlias

from homebody.core import Measure, Protocol
from homebody.core.nesting import MAX_DEPTH, few_brackets, groups

MAX_CHARACTERS = 200_000
"""Longer outputs are parsing errors: no plan is that long, and it bounds the work."""
MAX_FOUND = 1_000
"""Most values that are looked for in an output, and most pieces of an answer."""
MAX_SCANNED = 20 * MAX_CHARACTERS
"""Most characters that are looked at to tell how deep lists and objects are nested."""
MAX_QUOTED = 40
"""Most characters of an output that a message quotes."""

DEVIATIONS = "deviations"
"""Key of the deviations of an answer in its record."""
OFF_FORMAT: Mapping[str, Measure] = {"Off format": Measure(DEVIATIONS, percent=True, best="low")}
"""For tables: the share of answers that were read though they are not what was asked for."""


class ParsingError(ValueError):
    """The output is not in the format that was asked for; the message says why."""


class SeveralAnswers(ParsingError):
    """The output has several answers, which differ."""


class Deviation(StrEnum):
    """How an answer that is read is not what was asked for."""

    PROSE = "prose"  # words around it
    PYTHON = "python"  # single quotes, True, False, None, tuples
    COMMAS = "commas"  # one behind the last item, or none between two
    COMMENTS = "comments"
    LINE_BREAKS = "line_breaks"  # within texts
    BRACES = "braces"  # none around the keys
    REPEATED = "repeated"  # the same answer more than once
    PIECES = "pieces"  # several objects where one is asked for
    SHAPE = "shape"  # nested otherwise
    NAMES = "names"  # spelt otherwise: soap.1002, soap (1002), soap_1002 are the same
    CASE = "case"  # capitals or none


@dataclass
class Reading:
    """What is noted while one output is read.

    Attributes:
        strict: Whether what is not as asked for is an error.
        prompted: What the prompt itself does, as its example: no deviation there.
        deviations: What was read through -> what there was, and where, for people. None until
            the reader is asked, as it never is for what is read as a published evaluator does.
    """

    strict: bool = False
    prompted: frozenset[Deviation] = frozenset()
    deviations: dict[Deviation, str] | None = None

    @classmethod
    def of(cls, protocol: Protocol, *prompted: Deviation) -> Reading:
        """The reading of an output under a protocol."""
        return cls(protocol.strict, frozenset(prompted))

    def note(self, deviation: Deviation, what: str) -> None:
        """Note a deviation, once the reader is asked. Raises ParsingError if the reading is
        strict."""
        if self.deviations is None or deviation in self.prompted:
            return
        if self.strict:
            raise ParsingError(f"{what}, which is not the format asked for (strict)")
        self.deviations.setdefault(deviation, what)

    @property
    def record(self) -> dict[str, Any]:
        """What a record says of it."""
        if self.deviations is None:
            return {}
        return {DEVIATIONS: {str(name): what for name, what in self.deviations.items()}}


class JsonObject(list[tuple[str, Any]]):
    """A JSON object as pairs, so that repeated keys are kept in order."""


def plain(value: Any) -> Any:
    """Nested pairs as dicts (the last of repeated keys wins)."""
    if isinstance(value, JsonObject):
        return {key: plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def check_length(text: str) -> None:
    """Raises ParsingError on a text of more than :data:`MAX_CHARACTERS`."""
    if len(text) > MAX_CHARACTERS:
        raise ParsingError(f"the output has {len(text):,} characters; {MAX_CHARACTERS:,} at most")


# -- the answer in an output -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """A list or an object in a text: where it is, and what was read through in it."""

    value: Any
    start: int
    end: int
    notes: tuple[tuple[Deviation, str], ...] = ()


Shaped: TypeAlias = "Callable[[Any, Reading], Any]"
"""``shaped(value, reading)`` -> the answer that a list or object is, or None if it is none. What is
nested otherwise than asked for is noted. Raises ParsingError on what is an answer gone wrong."""
Joined: TypeAlias = "Callable[[list[Any]], Any]"
"""Values that follow one another -> the value that they are the pieces of, or None."""


def read_answer(
    output: str,
    reading: Reading,
    shaped: Shaped,
    wanted: str,
    *,
    otherwise: Shaped | None = None,
    joined: Joined | None = None,
) -> Any:
    """The one answer in an output.

    What is around it does not matter: code fences, prose, reasoning that ends in ``</think>``.
    The same answer more than once is one.

    Args:
        output: What a model wrote.
        reading: Notes how the answer is not what was asked for.
        shaped: Tells what is an answer.
        wanted: What an answer is, for messages: ``an object with a list "output"``.
        otherwise: Tells what is one where ``shaped`` finds none.
        joined: Puts together an answer that was written in pieces.

    Raises:
        ParsingError: there is no answer.
        SeveralAnswers: there are several that differ.
    """
    reading.deviations = reading.deviations or {}
    text, start = answer_text(output)
    found, broken, problem = _lists_and_objects(text, start)
    candidates = found
    if joined is not None:
        candidates = _in_one(text, found, joined) or found
        if any(_next_to_each_other(text, group, f) for group in broken for f in found):
            candidates = []  # pieces of an answer, one of which cannot be read
    answers, wrong = _answers(candidates, shaped, reading)
    if not answers and otherwise is not None:
        answers, wrong = _answers(candidates, otherwise, reading)
    if not answers:
        if wrong or problem:
            raise ParsingError(wrong or f"the output cannot be read: {problem}")
        there = _kind(found[-1].value) if found else "no JSON"
        raise ParsingError(f"the output has {there} where {wanted} is expected")
    answer, where, own = answers[0]
    for other, elsewhere, _ in answers[1:]:
        if other != answer:
            lines = f"{line_of(text, where.start)} and {line_of(text, elsewhere.start)}"
            raise SeveralAnswers(f"the output has different answers, in lines {lines}")
        at = line_of(text, elsewhere.start)
        reading.note(Deviation.REPEATED, f"the same answer again in line {at}")
    for deviation, what in (*where.notes, *(own.deviations or {}).items()):
        reading.note(deviation, what)
    _note_prose(text, start, [place for _, place, _ in answers], reading)
    return answer


def _answers(
    candidates: list[Found], shaped: Shaped, reading: Reading
) -> tuple[list[tuple[Any, Found, Reading]], str]:
    """Those of the candidates that are answers, not empty if any is not, with what is noted of
    each; and what is wrong with the first that is one gone wrong."""
    answers, wrong = [], ""
    for candidate in candidates:
        own = Reading(prompted=reading.prompted, deviations={})
        try:
            answer = shaped(candidate.value, own)
        except ParsingError as error:
            wrong = wrong or str(error)
        else:
            if answer is not None:
                answers.append((answer, candidate, own))
    return [row for row in answers if row[0]] or answers[:1], wrong


def object_with(keys: Collection[str]) -> Shaped:
    """An object with any of these keys, alone in a list or in an object too. Of keys only letters
    and digits matter, be they capitals or not."""
    spelt = {_letters(key): key for key in keys}

    def shaped(value: Any, reading: Reading) -> Any:
        if not isinstance(value, JsonObject):
            if len(value) != 1 or not isinstance(value[0], JsonObject):
                return None
            answer = shaped(value[0], reading)
            if answer is not None:
                reading.note(Deviation.SHAPE, "a list around the object")
            return answer
        meant = {key: spelt.get(_letters(key), key) for key, _ in value}
        if any(key in keys for key in meant.values()):
            for written, key in meant.items():
                if key != written:
                    same = written.strip().lower() == key
                    kind = Deviation.CASE if same else Deviation.NAMES
                    reading.note(kind, f"{written[:MAX_QUOTED]!r} for {key!r}")
            return JsonObject((meant[key], item) for key, item in value)
        nested = [item for _, item in value if isinstance(item, list)]
        answer = shaped(nested[0], reading) if len(nested) == 1 else None
        if answer is not None:
            reading.note(Deviation.SHAPE, "an object around the answer")
        return answer

    return shaped


def _letters(key: str) -> str:
    return re.sub(r"[\W_]+", "", key).lower()


_SPECIAL = re.compile(r"<\|[a-z_]{1,30}\|>")
_FENCE = re.compile(r"```[A-Za-z0-9_+-]*")
_LETTERS = re.compile(r"\w[^\n]*")


def answer_text(output: str) -> tuple[str, int]:
    """An output without the special tokens of chat templates, and where its answer begins: behind
    reasoning, which ends in ``</think>``.

    Raises:
        ParsingError: it is too long, nothing is left, or its reasoning never ends.
    """
    check_length(output)
    text = _SPECIAL.sub("", output)
    end = text.rfind("</think>")
    start = end + len("</think>") if end >= 0 else 0
    if end < 0 and text.lstrip().startswith("<think>"):
        raise ParsingError("the output is reasoning that never ends in </think>")
    if not text[start:].strip():
        raise ParsingError("the output is empty" + (" behind its reasoning" if end >= 0 else ""))
    return text, start


def line_of(text: str, position: int) -> int:
    """The line that a position is in, from 1."""
    return text.count("\n", 0, position) + 1


def _note_prose(text: str, start: int, answers: list[Found], reading: Reading) -> None:
    """Note words that are around answers; code fences are none."""
    for begin, end in zip(
        [start, *(a.end for a in answers)], [*(a.start for a in answers), len(text)], strict=True
    ):
        around = _FENCE.sub(lambda fence: " " * len(fence[0]), text[begin:end])
        words = _LETTERS.search(around)
        if words is not None:
            quoted = words[0].strip()[:MAX_QUOTED]
            line = line_of(text, begin + words.start())
            reading.note(Deviation.PROSE, f"words around the answer in line {line}: {quoted!r}")


def _in_one(text: str, found: list[Found], joined: Joined) -> list[Found]:
    """Values that follow one another as one, if that is what they are the pieces of."""
    if len(found) < 2 or not all(_next_to_each_other(text, *two) for two in pairwise(found)):
        return []
    whole = joined([piece.value for piece in found])
    if whole is None:
        return []
    note = (Deviation.PIECES, f"another piece in line {line_of(text, found[1].start)}")
    notes = [note, *(note for piece in found for note in piece.notes)]
    return [Found(whole, found[0].start, found[-1].end, tuple(notes))]


def _next_to_each_other(text: str, one: Found, other: Found) -> bool:
    first, second = (one, other) if one.start < other.start else (other, one)
    return not _FENCE.sub("", text[first.end : second.start]).strip(" \t\r\n,")


def _kind(value: Any) -> str:
    if isinstance(value, JsonObject):
        keys = ", ".join(repr(key[:MAX_QUOTED]) for key, _ in value[:4])
        return f"an object with the keys {keys}" if keys else "an empty object"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "something else"


# -- lists and objects in a text -------------------------------------------------------------------

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


def _lists_and_objects(text: str, start: int) -> tuple[list[Found], list[Found], str]:
    """The outermost lists and objects of a text from ``start`` on; where those are that cannot be
    read; and what is wrong with the one of these that was read furthest, empty if there is none.

    What cannot be read is passed over: what is in it is no answer.
    """
    if (bare := _without_braces(text, start)) is not None:
        return [bare], [], ""
    found: list[Found] = []
    broken: list[Found] = []
    furthest, problem = 0, ""
    shallow = few_brackets(text)
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
    keys = _FENCE.sub(lambda fence: " " * len(fence[0]), text[start:]).rstrip()
    if keys.lstrip()[:1] not in ('"', "'"):
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
_TEXT = re.compile(r"""\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'""", re.DOTALL)
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
                inner.comma = text[at] == ","
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
                    if text[at] not in "\"'[{":
                        expected = f"',' or {_CLOSING[inner.bracket]!r}"
                        raise self._unexpected(at, expected)
                    self._note(Deviation.COMMAS, "no comma between two items", at)
                at = self._key(at, stack)
                break

    def _key(self, at: int, stack: list[_Open]) -> int:
        """Read the key of an object, and its colon; nothing in a list. Returns where a value is."""
        if stack[-1].bracket != "{":
            return at
        if self._text[at] not in "\"'":
            raise self._unexpected(at, "a key in quotes")
        stack[-1].key, at = self._quoted(at)
        at = self._skip(at, stack)
        if self._text[at] != ":":
            raise self._unexpected(at, "':' behind a key")
        return at + 1

    def _scalar(self, at: int) -> tuple[Any, int]:
        if self._text[at] in "\"'":
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
        inner = text[0][1:-1]
        if text[0][0] == "'":
            self._note(Deviation.PYTHON, "single quotes", at)
            inner = _IN_SINGLE_QUOTES.sub(lambda mark: _REQUOTED.get(mark[0], mark[0]), inner)
        if any(ord(char) < 32 for char in inner):
            self._note(Deviation.LINE_BREAKS, "a line break or a tab within a text", at)
        try:
            value = json.loads(f'"{inner}"', strict=False)
        except ValueError:  # of a backslash that JSON does not know
            self._note(Deviation.PYTHON, "a backslash that JSON does not know", at)
            value = json.loads(f'"{_ESCAPE.sub(_escape, inner)}"', strict=False)
        return str(value), text.end()

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
        message = f"{expected} is expected in line {line}, not {there!r}"
        return _Unreadable(at, message, self._begun)
