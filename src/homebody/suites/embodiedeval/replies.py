"""Finds the option that a reply names, or the error if it names none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from homebody.core import Action, HomebodyError

NO_MATCH: Final = "no option match"
"""The published code's name for a reply that names no option."""
OUT_OF_RANGE: Final = "option out of range"
"""The published code's name for a reply with a number that no option has."""
_CHOICE: Final = re.compile(r"choice\W{0,10}?\[?\s*(\d{1,6})\b", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\[(\d{1,6})\]")
_NUMBER: Final = re.compile(r"(?<![\w.])(\d{1,6})(?![\w.]*\d)")


def read_choice(text: str, options: Sequence[Action], texts: Sequence[str]) -> Action:
    """Return the option that a reply names.

    The rules are tried in this order: the number after ``Choice``, a number in brackets, the text
    of an option, and the last number.

    Args:
        text: The reply.
        options: The options.
        texts: Their texts.

    Raises:
        HomebodyError: The reply names none.
    """
    number = _marked_number(text)
    if number is None:
        answer = text.strip().rpartition("\n")[2].partition(":")[2] or text
        for option, words in zip(options, texts, strict=True):
            if _strip(answer) in (_strip(words), _strip(words.removeprefix("answer "))):
                return option
        number = _last_number(_NUMBER, text)
    if number is None:
        raise HomebodyError("no option is named; end with Choice: [number]")
    if not 1 <= number <= len(options):
        raise HomebodyError(f"there is no option {number}; choose one that is listed")
    return options[number - 1]


def kind_of_error(text: str) -> str:
    """Return :data:`NO_MATCH` or :data:`OUT_OF_RANGE` for a reply that names no option."""
    if text.startswith("ToolCall("):  # its numbers are not options
        return NO_MATCH
    has_number = _marked_number(text) is not None or _last_number(_NUMBER, text) is not None
    return OUT_OF_RANGE if has_number else NO_MATCH


def _strip(text: str) -> str:
    return text.strip().strip("[].\"'").lower()


def _marked_number(text: str) -> int | None:
    """Return the number that is marked as the choice."""
    number = _last_number(_CHOICE, text)
    return _last_number(_BRACKETS, text) if number is None else number


def _last_number(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.findall(text)
    return int(found[-1]) if found else None
