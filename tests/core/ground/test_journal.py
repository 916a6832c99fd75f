"""Journals: what they belong to, whole lines only, one writer, and old ones that have no header."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from homebody.core.ground import journal
from homebody.core.ground.journal import (
    JournalFormat,
    JournalWriter,
    append,
    begin,
    lock_journal,
    read,
    repair,
)
from homebody.core.ground.user_errors import HomebodyError


class Line(msgspec.Struct, frozen=True):
    """A line."""

    n: int


def of_owner(raw: dict[str, Any]) -> str:
    return str(raw["owner"])


OWNED: JournalFormat[str, Line] = JournalFormat(
    "test", 1, of_owner, journal.decoder(Line), "begin anew", 9_000
)
BARE: JournalFormat[Any, Line] = JournalFormat(
    "test", 1, dict, journal.decoder(Line), "begin anew", bare=True
)


def line(n: int) -> bytes:
    return msgspec.json.encode(Line(n)) + b"\n"


def numbers(path: Path, form: JournalFormat[Any, Line] = OWNED) -> list[int]:
    return [each.n for each in read(path, form)[1]]


def test_a_header_says_what_the_lines_belong_to(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    begin(path, OWNED, {"owner": "x\ud800"})
    JournalWriter(path).add(line(1) + line(2))
    assert path.read_bytes().startswith(b'{"format": "test", "version": 1, "owner": "x\\ud800"}\n')
    assert (read(path, OWNED)[0], numbers(path)) == ("x\ud800", [1, 2])


def test_half_a_line_is_skipped_by_readers_and_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    kept, lines = journal.resume(path, BARE)
    assert not list(lines)
    assert not path.exists(), "who adds nothing makes no file"
    kept.add(line(1))
    kept.add(line(2))
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at])
        begun = whole[:at].count(b"\n") > 0
        if begun:
            assert numbers(path, BARE) == [1, 2][: whole[:at].count(b"\n") - 1]
        kept, lines = journal.resume(path, BARE)
        before = [each.n for each in lines]
        assert before == ([1, 2][: whole[:at].count(b"\n") - 1] if begun else [])
        kept.add(line(3))
        assert numbers(path, BARE) == [*before, 3]
        assert path.read_bytes().startswith(whole.split(b"\n")[0] + b"\n")


def test_old_journals_without_a_header_are_read_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(line(1) + line(2) + b'{"n"')
    assert numbers(path, BARE) == [1, 2]
    kept, lines = journal.resume(path, BARE)
    assert [each.n for each in lines] == [1, 2]
    kept.add(line(3))
    assert path.read_bytes() == line(1) + line(2) + line(3)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a journal"),
        (b"garbage\n", "not a journal"),
        (b"[" * 5_000 + b"\n", "not a journal"),
        (b'{"format": "other", "version": 1}\n', "not a journal"),
        (b'{"format": "test", "version": 1}\n', "not a journal"),
        (b'{"format": "test", "version": 9, "owner": "x"}\n', "version 9"),
        (b'{"format": "test", "version": 1, "owner": "x"}\n' + line(1) + b"{}\n", "line 3"),
        (b'{"format": "test", "version": 1, "owner": "x"}\n' + b"[" * 500 + b"\n", "line 2"),
        (b'{"format": "test", "version": 1, "owner": "x"}\n' + line(1) * 2_000, "larger than"),
        (b"x" * 20_000, "larger than"),
    ],
)
def test_what_is_no_journal_of_the_form_is_refused(
    tmp_path: Path, content: bytes, says: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(HomebodyError, match=says):
        numbers(path)


def test_a_line_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_LINE", 50)
    path = tmp_path / "a.jsonl"
    path.write_bytes(line(1) + b" " * 60 + line(2))
    with pytest.raises(HomebodyError, match="has a line of more than"):
        numbers(path, BARE)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"cannot read .*none: No such file"):
        read(tmp_path / "none", OWNED)
    (tmp_path / "file").touch()
    with pytest.raises(HomebodyError, match=r"cannot write .*file/a"):
        append(tmp_path / "file" / "a", b"")


def test_there_may_be_nothing_to_mend(tmp_path: Path) -> None:
    repair(tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_there_is_one_writer(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "a.jsonl"
    with lock_journal(path, "one"):
        with pytest.raises(HomebodyError, match="two"), lock_journal(path, "two"):
            raise AssertionError
        with lock_journal(tmp_path / "b.jsonl", "three"):
            pass


def test_lines_can_be_put_on_disk_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(journal.os, "fsync", synced.append)  # type: ignore[attr-defined]
    path = tmp_path / "a.jsonl"
    at_once, later = JournalWriter(path), JournalWriter(path, later=True)
    at_once.add(line(1))
    assert (len(synced), at_once.dirty) == (1, False)
    later.add(line(2))
    assert (len(synced), later.dirty) == (1, True)
    later.sync()
    assert len(synced) == 2
    assert numbers(path, BARE) == [1, 2]
    JournalWriter(None).add(line(1))
    JournalWriter(None).sync()


FULL = """
import resource, sys
from pathlib import Path
from homebody.core.ground.journal import JournalWriter
from homebody.core.ground.user_errors import HomebodyError

resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    JournalWriter(Path(sys.argv[1])).add(b"x" * 10_000 + b"\\n")
except HomebodyError as error:
    print(error)
"""
KILLED = """
import os, signal, sys
from pathlib import Path
from homebody.core.ground.journal import JournalWriter

journal = JournalWriter(Path(sys.argv[1]))
for number in range(5):
    journal.add(b'{"n": %d}\\n' % number)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(line(1))
    full = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True
    )
    assert full.stdout == f"cannot write {path}: File too large\n"
    assert path.read_bytes() == line(1)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX processes")
def test_what_was_added_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)])
    assert killed.returncode == -signal.SIGKILL
    assert numbers(path, BARE) == [0, 1, 2, 3, 4]
