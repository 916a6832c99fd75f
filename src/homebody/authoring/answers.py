"""JSON in what a model answers, which may be anything."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

from homebody.core.nesting import MAX_DEPTH, groups

MAX_TEXT: Final = 200_000
"""Characters of an answer that are looked at."""
_T = TypeVar("_T")


def first_json(text: str) -> Any:
    """The first JSON list or object in a text, fenced or not, that can be read. Raises ValueError
    if there is none."""
    text = text[:MAX_TEXT]
    decoder = json.JSONDecoder()
    known: dict[int, tuple[int, int]] = {}
    for tries, match in enumerate(re.finditer(r"[\[{]", text)):
        if tries > 200:
            break
        if match.start() not in known:
            known |= groups(text, match.start())
        levels, _ = known[match.start()]
        if not 0 < levels <= MAX_DEPTH:
            continue
        with suppress(ValueError):
            return decoder.raw_decode(text, match.start())[0]
    raise ValueError("there is no JSON list or object in the answer")


def converted(raw: Any, kind: type[_T]) -> _T:
    """What JSON gave, as one of a type. Raises ValueError if it is something else, or has half a
    surrogate, which no file that is written of it could have."""
    json.dumps(raw, ensure_ascii=False).encode()
    return msgspec.convert(raw, kind)
