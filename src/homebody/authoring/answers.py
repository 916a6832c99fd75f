"""Reads JSON in a model's outputs, which may be malformed, and stores outputs in files."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from homebody.core import Message
from homebody.core.ground import journal
from homebody.core.ground.nesting import MAX_DEPTH, groups
from homebody.core.play.conversation import Ask

MAX_TEXT: Final = 200_000
"""Characters of an output that are read."""
_T = TypeVar("_T")


class _Answer(msgspec.Struct, frozen=True):
    """A line of a file of outputs: the sha256 of the query, and the output."""

    asked: str
    said: str


FORMAT: Final[journal.JournalFormat[Any, _Answer]] = journal.JournalFormat(
    "homebody-answers",
    1,
    dict,
    journal.decoder(_Answer),
    again="remove it; the model is queried again",
    max_bytes=256 * 1024**2,
    bare=True,
)


def first_json(text: str) -> Any:
    """Return the first readable JSON list or object in a string, with or without a code fence.
    Raises ValueError if the text has no such JSON."""
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
    raise ValueError("the output has no JSON list or object")


def convert(raw: Any, kind: type[_T]) -> _T:
    """Convert decoded JSON to a type. Raises ValueError if the type is different, or if a string
    has an unpaired surrogate, which cannot be written to a file."""
    json.dumps(raw, ensure_ascii=False).encode()
    return msgspec.convert(raw, kind)


@contextmanager
def cache_answers(ask: Ask, model: str, path: Path) -> Iterator[Ask]:
    """Yield a function that queries a model at most once per query.

    Outputs are kept in a file, so that a command that was stopped early makes the same tasks when
    it is run again.

    Raises:
        HomebodyError: another process uses the file, or it is not a file of outputs.
    """
    lock = threading.Lock()
    with journal.lock_journal(path, f"{path} is being written by another"):
        kept, lines = journal.resume(path, FORMAT)
        known = {line.asked: line.said for line in lines}

        def answer(messages: Sequence[Message]) -> str:
            text = json.dumps([model, *((each.role, each.text) for each in messages)])
            asked = hashlib.sha256(text.encode()).hexdigest()
            if asked not in known:
                output = ask(messages).encode("utf-8", "replace").decode()
                with lock:
                    known[asked] = output
                    kept.add(msgspec.json.encode(_Answer(asked, output)) + b"\n")
            return known[asked]

        yield answer
