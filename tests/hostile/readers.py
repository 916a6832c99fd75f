"""Readers as targets: what is no file or text of theirs is one documented error, in a sentence."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from homebody.core import HomebodyError
from hostile.target import Broken, Input, Prepared

MAX_MESSAGE = 4_000
"""Maximum number of characters of an error's message."""
_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def reader(
    valid: Sequence[Input],
    read: Callable[[Any], object],
    *errors: type[Exception],
    crafted: Sequence[Input] = (),
) -> Prepared:
    """A reader of inputs.

    Args:
        valid: What it can read.
        read: Gives what can be told apart by its ``repr``; raises HomebodyError, or one of the
            others.
        crafted: Hostile inputs.
    """

    def judge(given: Input, which: int, random: Random) -> bytes:
        try:
            return as_bytes(repr(read(given)))
        except (HomebodyError, *errors) as error:
            message = f"{error} {getattr(error, 'hint', '')}"
        if len(message) > MAX_MESSAGE:
            raise Broken(f"the message has {len(message)} characters: {message[:200]}")
        return as_bytes(message)

    return Prepared(valid, judge, [(given, None) for given in crafted])


def reader_of_files(
    valid: Sequence[bytes],
    read: Callable[[Path], object],
    suffix: str,
    *errors: type[Exception],
    crafted: Sequence[bytes] = (),
) -> Prepared:
    """The same for what reads a file by its path, whose name ends so."""

    def written(given: bytes) -> object:
        path = folder() / f"hostile{suffix}"
        path.write_bytes(given)
        return read(path)

    return reader(valid, written, *errors, crafted=crafted)


def as_bytes(text: str) -> bytes:
    """Any text as bytes, lone surrogates too."""
    return text.encode("utf-8", "backslashreplace")


@cache
def folder() -> Path:
    """Where inputs are written, while this process lives."""
    _KEPT.append(tempfile.TemporaryDirectory(prefix="hostile-"))
    return Path(_KEPT[-1].name)
