"""The one reader of structured answers, for all abilities and both worlds.

Prompts ask for JSON and nothing else; models wrap it, comment it and write it as Python would.
What can be meant in one way only is read, and each way in which it is not what was asked for is
noted (:mod:`.reading`): format is part of what is measured. ``docs/benchmarks/eai-answers.md``
lists what is accepted, what is not, and why. Nothing is evaluated, and any text gives a result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import pairwise
from typing import Any, TypeAlias

from homebody.suites.eai.lenient_json import (
    FENCE,
    Found,
    JsonObject,
    check_length,
    described,
    line_of,
    lists_and_objects,
    quoted,
)
from homebody.suites.eai.reading import Deviation, ParsingError, Reading, SeveralAnswers

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
    found, broken, problem = lists_and_objects(text, start)
    candidates = found
    if joined is not None:
        candidates = _in_one(text, start, found, joined) or found
        for one, other in pairwise(sorted((*found, *broken), key=lambda piece: piece.start)):
            if (one.value is None) != (other.value is None) and _between(
                text, one, other
            ) is not None:
                candidates = []  # pieces of an answer, one of which cannot be read
    answers, wrong = _answers(candidates, shaped, reading)
    if not answers and otherwise is not None:
        answers, also_wrong = _answers(candidates, otherwise, reading)
        wrong = wrong or also_wrong
    if not answers:
        if wrong or problem:
            raise ParsingError(wrong or f"the output cannot be read: {problem}")
        begins = text[start:].lstrip()
        there = described(found[-1].value) if found else f"no JSON, but {quoted(begins)},"
        raise ParsingError(f"the output has {there} where {wanted} is expected")
    answer, where, own = answers[0]
    for other, elsewhere, _ in answers[1:]:
        if other != answer:
            first, second = line_of(text, where.start), line_of(text, elsewhere.start)
            same = first == second
            lines = f"both in line {first}" if same else f"in lines {first} and {second}"
            raise SeveralAnswers(f"the output has different answers, {lines}")
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


def object_with(keys: Collection[str], beside: Collection[str] = ()) -> Shaped:
    """An object with any of these keys, alone in a list or in an object too. Of keys only letters
    and digits matter, be they capitals or not. It may have those ``beside`` as well; others are
    noted."""
    spelt = {letters(key): key for key in keys}

    def shaped(value: Any, reading: Reading) -> Any:
        if not isinstance(value, JsonObject):
            if len(value) != 1 or not isinstance(value[0], JsonObject):
                return None
            answer = shaped(value[0], reading)
            if answer is not None:
                reading.note(Deviation.SHAPE, "a list around the object")
            return answer
        meant = {key: spelt.get(letters(key), key) for key, _ in value}
        if any(key in keys for key in meant.values()):
            for written, key in meant.items():
                if key not in keys and key not in beside:
                    reading.note(Deviation.SHAPE, f"another key, {quoted(written)}")
                elif key != written:
                    same = written.strip().lower() == key
                    kind = Deviation.CASE if same else Deviation.NAMES
                    reading.note(kind, f"{quoted(written)} for {key!r}")
            return JsonObject((meant[key], item) for key, item in value)
        nested = [item for _, item in value if isinstance(item, list)]
        answer = shaped(nested[0], reading) if len(nested) == 1 else None
        if answer is not None:
            reading.note(Deviation.SHAPE, "an object around the answer")
        return answer

    return shaped


def letters(key: str) -> str:
    """The letters and digits of a name, small: what tells it from others."""
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
    """An output with blanks for special tokens of chat templates and marks that nobody sees, and
    where its answer begins: behind reasoning, as models mark its end (``</think>``).

    Raises:
        ParsingError: it is too long, nothing is left, or its reasoning never ends.
    """
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


def _note_prose(text: str, start: int, answers: list[Found], reading: Reading) -> None:
    """Note words and signs that are around answers; code fences are none."""
    for begin, end in zip(
        [start, *(a.end for a in answers)], [*(a.start for a in answers), len(text)], strict=True
    ):
        around = FENCE.sub(lambda fence: " " * len(fence[0]), text[begin:end])
        signs = _SIGNS.search(around)
        if signs is not None:
            line = line_of(text, begin + signs.start())
            what = "words" if any(map(str.isalnum, signs[0])) else "signs"
            there = f"{what} around the answer in line {line}: {quoted(signs[0].strip())}"
            reading.note(Deviation.PROSE, there)


def _in_one(text: str, start: int, found: list[Found], joined: Joined) -> list[Found]:
    """Values that follow one another as one, if that is what they are the pieces of; those that
    are numbered have to be in order."""
    between = [_between(text, *two) for two in pairwise(found)]
    if len(found) < 2 or None in between:
        return []
    line = max(start, text.rfind("\n", 0, found[0].start) + 1)
    before = _ENUMERATES.fullmatch(text[line : found[0].start].strip())
    marks = [before[1] if before is not None else "", *between]
    numbers = [int(mark) for mark in marks if mark]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))) if numbers else []:
        return []
    whole = joined([piece.value for piece in found])
    if whole is None:
        return []
    note = (Deviation.PIECES, f"another piece in line {line_of(text, found[1].start)}")
    notes = [note, *(note for piece in found for note in piece.notes)]
    return [Found(whole, found[0].start, found[-1].end, tuple(notes))]


_ENUMERATES = re.compile(
    r"[-*\u2022]|\**(?:(?:step|action)\s+)?(\d{1,4})\s*[.):]\**", re.IGNORECASE
)
"""What pieces of an answer are numbered with: ``2.``, ``Step 2:``, ``-``."""


def _between(text: str, one: Found, other: Found) -> str | None:
    """The number of the second of two values that are next to each other, empty if it has none;
    None if there is anything else between them."""
    apart = FENCE.sub("", text[one.end : other.start]).strip(" \t\r\n,")
    mark = _ENUMERATES.fullmatch(apart)
    return (mark[1] or "") if mark is not None else None if apart else ""
