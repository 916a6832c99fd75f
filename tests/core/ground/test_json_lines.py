"""Records as lines of JSON: what is written is read again, and errors name their line."""

from __future__ import annotations

import msgspec
import pytest

from homebody.core import HomebodyError
from homebody.core.ground.json_lines import decode_lines, decode_record, encode_lines


class Item(msgspec.Struct, frozen=True):
    name: str
    count: int = 1


ITEMS = (Item("cup"), Item("plate", 2))


def read(line: bytes) -> Item:
    return decode_record(line, Item)


def test_what_is_written_is_read_again() -> None:
    assert tuple(decode_lines(encode_lines(ITEMS), read)) == ITEMS


@pytest.mark.parametrize(
    "line", [b"{}", b'{"name": 1}', b"\xff", b"[" * 5_000, b'{"name": ' + b"[" * 200 + b"}"]
)
def test_an_error_names_its_line(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (msgspec has many sentences)
        read(line)
    with pytest.raises(HomebodyError, match="line 3 is not an item: "):
        list(decode_lines(encode_lines(ITEMS) + line, read, "an item"))
