"""Limits on nesting in text from outside, checked before any recursion.

JSON readers recurse once for each level, and so does most code that uses the values. Their own
limits depend on the interpreter and the caller. The limits here depend on the text alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, Final

MAX_DEPTH: Final = 100
"""Maximum nesting of lists and objects in JSON from outside. JSON from homebody has a tenth of
it."""
MAX_DIGITS: Final = 300
"""Maximum number of digits of a whole number; longer ones are read as strings."""

_OTHERS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS: Final[Mapping[int, int]] = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_MARKS: Final = re.compile(r'"(?:[^"\\]|\\.)*+["\\]?|[\[\]{}]', re.DOTALL)
"""A quoted text, which extends to the end if it is not closed, or a bracket outside of quotes."""


class TooDeep(ValueError):
    """Raised if a string is nested too deep."""


def check_depth(text: str | bytes, most: int = MAX_DEPTH) -> None:
    """Raise TooDeep if JSON, or a beginning of JSON, is nested more than ``most`` levels deep."""
    if has_few_brackets(text, most):
        return
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    quoted = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    brackets = b"".join(quoted.split(b'"')[::2])
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > most:
        raise TooDeep(f"it is nested more than {most} levels deep")


def has_few_brackets(text: str | bytes, most: int = MAX_DEPTH) -> bool:
    """Return whether a string has at most ``most`` opening brackets: a fast sufficient check."""
    if isinstance(text, str):
        return text.count("[") + text.count("{") <= most
    return text.count(b"[") + text.count(b"{") <= most


def read_json(data: str | bytes, most: int = MAX_DEPTH) -> Any:
    """Return the value of JSON as Python reads it: lone surrogates, NaN and other encodings are
    accepted, and numbers with too many digits become strings.

    Raises:
        ValueError: the data is not JSON or is nested more than ``most`` levels deep.
    """
    encoding = json.detect_encoding(data) if isinstance(data, bytes) else ""
    text = data.decode(encoding) if isinstance(data, bytes) else data
    check_depth(data if encoding == "utf-8" else text, most)  # avoids encoding large files again
    return json.loads(text, parse_int=_read_integer)


def _read_integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def is_deep(value: object, most: int = MAX_DEPTH) -> bool:
    """Return whether lists and mappings in a value are nested more than ``most`` levels deep."""
    level = [value]
    for _ in range(most + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, Mapping):
                below += item.values()
            elif isinstance(item, list | tuple):
                below += item
        level = list({id(item): item for item in below}.values())  # shared items would multiply
    return any(isinstance(item, Mapping | list | tuple) for item in level)


def groups(text: str, start: int = 0) -> dict[int, tuple[int, int]]:
    """Return position -> (number of levels, end) for each opening bracket from one at ``start`` to
    its end; (0, 0) for brackets that are never closed.

    Brackets in double quotes do not count. Here a bracket of any kind closes any other bracket;
    readers refuse such text later.
    """
    found: dict[int, tuple[int, int]] = {}
    opened: list[int] = []
    for mark in _MARKS.finditer(text, start):
        at = mark.start()
        if text[at] in "[{":
            opened.append(at)
            found[at] = (0, 0)
        elif text[at] in "]}":
            inner = opened.pop()
            levels = found[inner][0] + 1
            found[inner] = (levels, at + 1)
            if not opened:
                break
            found[opened[-1]] = (max(found[opened[-1]][0], levels), 0)
    return found | dict.fromkeys(opened, (0, 0))


def groups_at(text: str, depth: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the groups of brackets that open at a depth, from 1; brackets count as
    in :func:`groups`."""
    open_now = begin = 0
    for mark in _MARKS.finditer(text):
        if text[mark.start()] in "[{":
            open_now += 1
            if open_now == depth:
                begin = mark.start()
        elif text[mark.start()] in "]}":
            if open_now == depth:
                yield begin, mark.end()
            open_now -= 1
