"""Records as JSON: one, or a file with one per line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from homebody.core.ground.nesting import check_depth
from homebody.core.ground.user_errors import HomebodyError

T = TypeVar("T")


def decode_record(data: bytes, kind: type[T]) -> T:
    """Return the record of JSON. Raises ValueError if it is not one or is nested too deep."""
    check_depth(data)
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


def encode_lines(records: Iterable[object]) -> bytes:
    """Return records as lines: the same records, the same bytes."""
    return b"".join(msgspec.json.encode(record) + b"\n" for record in records)


def decode_lines(data: bytes, read: Callable[[bytes], T], noun: str = "a task") -> Iterator[T]:
    """Yield the record of each line. Raises HomebodyError, with the number of the line, if ``read``
    raises an error about the line."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            record = read(line)
        except (ValueError, msgspec.MsgspecError, RecursionError, HomebodyError) as error:
            raise HomebodyError(f"line {number} is not {noun}: {error}") from error
        yield record
