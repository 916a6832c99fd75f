"""How deep texts from outside may be nested: asked of the text, before anything recurses over it.

Readers of JSON go down a level of their stack for each level of the text, and so does most of what
is then done with what they read. How far they can hangs on the interpreter, its version and who
called them; what is read here hangs on the text alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any, Final

MAX_DEPTH: Final = 100
"""Deepest nesting of lists and objects in JSON from outside. What homebody writes has a tenth."""
MAX_DIGITS: Final = 300
"""A whole number of more digits is read as a text: there is nothing that it could count."""

_OTHERS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS: Final[Mapping[int, int]] = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_MARKS: Final = re.compile(r'"(?:[^"\\]|\\.)*+["\\]?|[\[\]{}]', re.DOTALL)
"""Finds a quoted text, which goes to the end if nothing closes it, or a bracket outside of one."""


class TooDeep(ValueError):
    """A text is nested deeper than is read."""


def check_depth(text: str | bytes, most: int = MAX_DEPTH) -> None:
    """Raises TooDeep if JSON, or what begins like it, is nested more than ``most`` levels deep."""
    if has_few_brackets(text, most):
        return
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    quoted = data.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
    brackets = b"".join(quoted.split(b'"')[::2])
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > most:
        raise TooDeep(f"it is nested more than {most} levels deep")


def has_few_brackets(text: str | bytes, most: int = MAX_DEPTH) -> bool:
    """Whether so few brackets open in a text that it cannot be nested deeper, which is quick to
    tell."""
    if isinstance(text, str):
        return text.count("[") + text.count("{") <= most
    return text.count(b"[") + text.count(b"{") <= most


def read_json(data: str | bytes, most: int = MAX_DEPTH) -> Any:
    """The value of JSON as Python reads it: lone surrogates, NaN and other encodings are no fault,
    and a number that is too long for one is a text.

    Raises:
        ValueError: it is not JSON, or nested more than ``most`` levels deep.
    """
    encoding = json.detect_encoding(data) if isinstance(data, bytes) else ""
    text = data.decode(encoding) if isinstance(data, bytes) else data
    check_depth(data if encoding == "utf-8" else text, most)  # large files are not encoded again
    return json.loads(text, parse_int=_read_integer)


def _read_integer(digits: str) -> int | str:
    return int(digits) if len(digits) <= MAX_DIGITS else digits


def is_deep(value: object, most: int = MAX_DEPTH) -> bool:
    """Whether lists and mappings in a value are nested more than ``most`` levels deep."""
    level = [value]
    for _ in range(most + 1):
        below: list[object] = []
        for item in level:
            if isinstance(item, Mapping):
                below += item.values()
            elif isinstance(item, list | tuple):
                below += item
        level = list({id(item): item for item in below}.values())  # each once, or they may double
    return any(isinstance(item, Mapping | list | tuple) for item in level)


def groups(text: str, start: int = 0) -> dict[int, tuple[int, int]]:
    """Where brackets open, from one at ``start`` to where it is closed (or the end): how many
    levels each holds, itself included, and where it ends; 0 and 0 for one that is never closed.

    Brackets in double quotes do not count, and any kind closes any other: readers refuse that.
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
    """Where groups of brackets begin and end that open at a depth, from 1; as :func:`groups` has
    them."""
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
