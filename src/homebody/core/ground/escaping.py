"""Safe display of text from outside (models, files, networks, names of files).

Terminals obey escape sequences. Direction marks, invisible characters and line breaks make a text
look like another text. File names that are not UTF-8 cannot be printed at all.
"""

from __future__ import annotations

import json
import re

_UNSEEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # ^ those that cannot be seen, and tags
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks of direction
    "\u2028\u2029"  # breaks of lines and paragraphs
    "\ud800-\udfff"  # lone surrogates: bytes in names of files that are not UTF-8, halves of pairs
    "]"
)


def escape(text: object, most: int | None = None, *, lines: bool = False) -> str:
    r"""Return a line that is safe to print: invisible characters are written as in Python,
    ``\x1b``. Escaping twice gives the same text as once.

    Args:
        text: Anything; its ``str`` is used.
        most: Maximum number of characters; a longer text ends in ``...``.
        lines: True to keep newlines and tabs, as in a prompt.
    """
    text = str(text)
    whole = text if most is None else text[: most + 1]
    safe = _UNSEEN.sub(_escape_within_lines if lines else _escape_character, whole)
    return safe if most is None or len(safe) <= most else safe[: max(0, most - 3)] + "..."


def count_listed(number: int, most: int) -> int:
    """Return the number of items that a list names before "and 3 more". This is ``most``, or one
    more if only one item would remain: "and 1 more" is not shorter than the item."""
    return number if number <= most + 1 else most


def escape_json(value: object) -> str:
    r"""Return a value as indented JSON that is safe to print. Decoding it gives the same value.
    Invisible characters are written as ``\u001b``; NaN and infinity, which JSON lacks, as
    ``null``."""
    plain = json.loads(json.dumps(value), parse_constant=lambda _: None)
    return _UNSEEN.sub(_escape_for_json, json.dumps(plain, indent=2, ensure_ascii=False))


def _escape_for_json(found: re.Match[str]) -> str:
    return "\n" if found.group() == "\n" else json.dumps(found.group())[1:-1]


def _escape_character(found: re.Match[str]) -> str:
    return ascii(found.group())[1:-1]


def _escape_within_lines(found: re.Match[str]) -> str:
    return found.group() if found.group() in "\n\t" else _escape_character(found)
