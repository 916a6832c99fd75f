"""Finds the option that a reply names, or the error if it names none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from homebody.core import Action, HomebodyError
from homebody.core.play.conversation import CUT_OFF

NO_MATCH: Final = "no option match"
"""The published code's name for a reply that names no option."""
OUT_OF_RANGE: Final = "option out of range"
"""The published code's name for a reply with a number that no option has."""
MAX_END: Final = 400
"""Characters at the end of a reply in which an option is sought by its text."""
_CHOICE: Final = re.compile(r"choice(?:\W|\bis\b){0,10}?\[?\s*(\d{1,6})\b", re.IGNORECASE)
_CHOOSING: Final = re.compile(
    r"\W*(?:(?:i|will|would|my|the|is|choice|choose|select|take|pick|to|option|action|number)\b\W*)?",
    re.IGNORECASE,
)
"""A word that only announces a choice."""
_NUMBER: Final = re.compile(r"\[?(\d{1,6})\]?\W*")


def read_choice(text: str, options: Sequence[Action], texts: Sequence[str]) -> Action:
    """Return the option that a reply names.

    It is the number after the last ``Choice``; otherwise the last sentence, if it consists of the
    text or the number of an option after words such as "I choose". Other numbers are part of a
    thought.

    Args:
        text: The reply.
        options: The options.
        texts: Their texts.

    Raises:
        HomebodyError: The reply names none.
    """
    number = _last_number(text)
    if number is None:
        wanted = {
            _strip(each): option
            for option, words in zip(options, texts, strict=True)
            for each in (words, words.removeprefix("answer "))
        }
        for end in _last_words(text):
            if _strip(end) in wanted:
                return wanted[_strip(end)]
        raise HomebodyError("no option is named; end with Choice: [number]")
    if not 1 <= number <= len(options):
        raise HomebodyError(f"there is no option {number}; choose one that is listed")
    return options[number - 1]


def kind_of_error(text: str) -> str:
    """Return :data:`NO_MATCH` or :data:`OUT_OF_RANGE` for a reply that names no option."""
    if text.startswith(("ToolCall(", CUT_OFF)):  # their numbers are not options
        return NO_MATCH
    return NO_MATCH if _last_number(text) is None else OUT_OF_RANGE


def _strip(text: str) -> str:
    return text.strip().strip("[].*\"'").lower()


def _last_number(text: str) -> int | None:
    """Return the number that is marked as the choice, or is all that the last sentence says."""
    found = _CHOICE.findall(text)
    ends = map(_NUMBER.fullmatch, _last_words(text))
    alone = next((end[1] for end in ends if end is not None), None)
    number = found[-1] if found else alone
    return None if number is None else int(number)


def _last_words(text: str) -> Iterator[str]:
    """Yield the last sentence, and what is left of it without each word that announces a choice."""
    line = text.strip()[-MAX_END:].rpartition("\n")[2]
    left = re.split(r"[.!?]\s+", re.split("choice", line, flags=re.IGNORECASE)[-1])[-1]
    before = ""
    while left != before:
        yield left
        before, left = left, _CHOOSING.sub("", left, count=1)
