"""The reader of structured outputs, for all abilities and both worlds.

Prompts request JSON only, but models wrap it, comment it and write it as Python would. An output
with one possible meaning is read, and its deviations from the requested format are noted
(:mod:`.reading`). ``docs/benchmarks/eai-answers.md`` lists what is accepted. Nothing is evaluated,
and any text gives a result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any, TypeAlias

from homebody.suites.eai.lenient_json import (
    FENCE,
    FoundValue,
    JsonObject,
    check_length,
    describe_value,
    find_values,
    line_of,
    quote,
)
from homebody.suites.eai.reading import Deviation, ParsingError, Reading, SeveralAnswers

Interpret: TypeAlias = "Callable[[Any, Reading], Any]"
"""``interpret(value, reading)`` -> the answer in a list or object, or None if it is not an answer.

Deviations in nesting are noted. Raises ParsingError on a faulty answer.
"""
Join: TypeAlias = "Callable[[list[Any]], Any]"
"""Consecutive values -> the value that they form together, or None."""


def read_answer(
    output: str,
    reading: Reading,
    interpret: Interpret,
    wanted: str,
    *,
    fallback: Interpret | None = None,
    join: Join | None = None,
) -> Any:
    """Read the one answer in an output.

    Text around it is allowed: code fences, prose, reasoning that ends in ``</think>``. Repetitions
    of the same answer count as one.

    Args:
        output: Output of a model.
        reading: Notes deviations from the requested format.
        interpret: Recognizes an answer.
        wanted: Description of an answer, for messages: ``an object with a list "output"``.
        fallback: Recognizes an answer where ``interpret`` finds none.
        join: Joins an answer that was written in pieces.

    Raises:
        ParsingError: There is no answer.
        SeveralAnswers: There are several different answers.
    """
    reading.deviations = reading.deviations or {}
    text, start = answer_text(output)
    found, broken, problem = find_values(text, start)
    candidates = found
    if join is not None:
        candidates = _join_pieces(text, start, found, join) or found
        for one, other in pairwise(sorted((*found, *broken), key=lambda piece: piece.start)):
            if (one.value is None) != (other.value is None) and _number_between(
                text, one, other
            ) is not None:
                candidates = []  # one piece of the answer cannot be read
    answers, wrong = _find_answers(candidates, interpret, reading)
    if not answers and fallback is not None:
        answers, also_wrong = _find_answers(candidates, fallback, reading)
        wrong = wrong or also_wrong
    if not answers:
        if wrong or problem:
            raise ParsingError(wrong or f"the output cannot be read: {problem}")
        begins = text[start:].lstrip()
        there = describe_value(found[-1].value) if found else f"no JSON, but {quote(begins)},"
        raise ParsingError(f"the output has {there} where {wanted} is expected")
    answer, where, own = answers[0]
    for other, elsewhere, _ in answers[1:]:
        if other != answer:
            first, second = line_of(text, where.start), line_of(text, elsewhere.start)
            same = first == second
            lines = f"both in line {first}" if same else f"in lines {first} and {second}"
            raise SeveralAnswers(f"the output has different answers, {lines}")
        at = line_of(text, elsewhere.start)
        reading.note(Deviation.REPEATED, f"the same answer repeated in line {at}")
    for deviation, what in (*where.notes, *(own.deviations or {}).items()):
        reading.note(deviation, what)
    _note_prose(text, start, [place for _, place, _ in answers], reading)
    return answer


def _find_answers(
    candidates: list[FoundValue], interpret: Interpret, reading: Reading
) -> tuple[list[tuple[Any, FoundValue, Reading]], str]:
    """Interpret the candidates. Return the non-empty answers (or the first answer, if all are
    empty), and the first fault."""
    answers, wrong = [], ""
    for candidate in candidates:
        own = Reading(prompted=reading.prompted, deviations={})
        try:
            answer = interpret(candidate.value, own)
        except ParsingError as error:
            wrong = wrong or str(error)
        else:
            if answer is not None:
                answers.append((answer, candidate, own))
    return [row for row in answers if row[0]] or answers[:1], wrong


def object_with(keys: Collection[str], beside: Collection[str] = ()) -> Interpret:
    """Recognize an object with any of these keys. It may be nested in one list or object.

    Keys are compared by letters and digits, in any case. Keys that are not in ``beside`` are noted.
    """
    spelt = {letters(key): key for key in keys}

    def read_object(value: Any, reading: Reading) -> Any:
        if not isinstance(value, JsonObject):
            if len(value) != 1 or not isinstance(value[0], JsonObject):
                return None
            answer = read_object(value[0], reading)
            if answer is not None:
                reading.note(Deviation.SHAPE, "a list around the object")
            return answer
        resolved = {key: spelt.get(letters(key), key) for key, _ in value}
        if any(key in keys for key in resolved.values()):
            for written, key in resolved.items():
                if key not in keys and key not in beside:
                    reading.note(Deviation.SHAPE, f"another key, {quote(written)}")
                elif key != written:
                    same = written.strip().lower() == key
                    kind = Deviation.CASE if same else Deviation.NAMES
                    reading.note(kind, f"{quote(written)} for {key!r}")
            return JsonObject((resolved[key], item) for key, item in value)
        nested = [item for _, item in value if isinstance(item, list)]
        answer = read_object(nested[0], reading) if len(nested) == 1 else None
        if answer is not None:
            reading.note(Deviation.SHAPE, "an object around the answer")
        return answer

    return read_object


def letters(key: str) -> str:
    """Return the letters and digits of a name in lower case, which identify it."""
    return re.sub(r"[\W_]+", "", key).lower()


_SPECIAL = re.compile(
    r"<[|\uff5c][a-zA-Z_\u2581]{1,30}[|\uff5c]>|</?s>|<(?:start|end)_of_turn>|<[be]os>"
    "|[\ufeff\u200b\u2060]"
)
_REASONED = re.compile(
    r"</(?:think(?:ing)?|reasoning)>|\[/THINK\]|\u25c1/think\u25b7|<\|channel\|>final<\|message\|>"
)
_REASONS = re.compile(
    r"\s*(<(?:think(?:ing)?|reasoning)>|\[THINK\]|\u25c1think\u25b7|<\|channel\|>analysis)"
)
_SIGNS = re.compile(r"\S[^\n]*")


def answer_text(output: str) -> tuple[str, int]:
    """Replace special tokens by blanks, and find the start of the answer after the reasoning.
    Raises ParsingError."""
    check_length(output)
    start = 0
    for end in _REASONED.finditer(output):
        start = end.end()
    if not start and (begins := _REASONS.match(output)) is not None:
        reason = f"it begins with {begins[1]}, which nothing ends"
        raise ParsingError(f"the output is reasoning that never ends: {reason}")
    text = _SPECIAL.sub(lambda mark: " " * len(mark[0]), output)
    if not text[start:].strip():
        raise ParsingError("the output is empty" + (" behind its reasoning" if start else ""))
    return text, start


def _note_prose(text: str, start: int, answers: list[FoundValue], reading: Reading) -> None:
    """Note text around answers as a deviation, except code fences."""
    for begin, end in zip(
        [start, *(a.end for a in answers)], [*(a.start for a in answers), len(text)], strict=True
    ):
        around = FENCE.sub(lambda fence: " " * len(fence[0]), text[begin:end])
        signs = _SIGNS.search(around)
        if signs is not None:
            line = line_of(text, begin + signs.start())
            what = "words" if any(map(str.isalnum, signs[0])) else "signs"
            there = f"{what} around the answer in line {line}: {quote(signs[0].strip())}"
            reading.note(Deviation.PROSE, there)


def _join_pieces(text: str, start: int, found: list[FoundValue], join: Join) -> list[FoundValue]:
    """Join consecutive values if they are pieces of one answer. Numbered pieces must be in
    order."""
    between = [_number_between(text, *two) for two in pairwise(found)]
    if len(found) < 2 or None in between:
        return []
    line = max(start, text.rfind("\n", 0, found[0].start) + 1)
    before = _ENUMERATES.fullmatch(text[line : found[0].start].strip())
    marks = [before[1] if before is not None else "", *between]
    numbers = [int(mark) for mark in marks if mark]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) if numbers else []:
        return []
    whole = join([piece.value for piece in found])
    if whole is None:
        return []
    note = (Deviation.PIECES, f"another piece in line {line_of(text, found[1].start)}")
    notes = [note, *(note for piece in found for note in piece.notes)]
    return [FoundValue(whole, found[0].start, found[-1].end, tuple(notes))]


_ENUMERATES = re.compile(
    r"[-*\u2022]|\**(?:(?:step|action)\s+)?(\d{1,4})\s*[.):]\**", re.IGNORECASE
)
"""Pattern of the marks before pieces of an answer: ``2.``, ``Step 2:``, ``-``."""


def _number_between(text: str, one: FoundValue, other: FoundValue) -> str | None:
    """Return the number between two adjacent values, empty if absent; None for other text."""
    apart = FENCE.sub("", text[one.end : other.start]).strip(" \t\r\n,")
    mark = _ENUMERATES.fullmatch(apart)
    return (mark[1] or "") if mark is not None else None if apart else ""
