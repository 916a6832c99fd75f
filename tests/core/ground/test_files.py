"""Files that appear as a whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from homebody.core.ground.files import (
    lock_file,
    make_folder,
    replace_whole,
    sha256,
    write_whole,
)
from homebody.core.ground.user_errors import HomebodyError


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replace_whole(path) as half:
        half.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_file_stays_when_writing_ends_early(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write() -> None:
        with replace_whole(path) as half:
            half.write_text("ne")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


HALF_WRITTEN = """
import os, signal, sys
from pathlib import Path
from homebody.core.ground.files import replace_whole

with replace_whole(Path(sys.argv[1])) as half:
    half.write_text("ne")
    os.kill(os.getpid(), signal.SIGKILL)
"""
FULL = """
import resource, sys
from pathlib import Path
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.ground.files import write_whole

resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    write_whole(Path(sys.argv[1]), b"x" * 10_000)
except HomebodyError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX processes")
def test_what_a_kill_left_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    killed = subprocess.run([sys.executable, "-c", HALF_WRITTEN, str(path)])
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert len(list(tmp_path.glob(".*.half"))) == 1
    with replace_whole(path) as half:
        half.write_text("by another that goes on")
        write_whole(path, "new")
        assert half.exists()
    assert path.read_text() == "by another that goes on"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old\n")
    full = subprocess.run(
        [sys.executable, "-c", FULL, str(path)], capture_output=True, text=True, check=True
    )
    assert full.stdout == f"cannot write {path}: File too large\n"
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one_and_who_may_read_a_file_stays_the_same(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "in" / "link.txt"
    path.write_text("old")
    path.chmod(0o600)
    link.parent.mkdir()
    link.symlink_to(path)
    write_whole(link, "new")
    assert link.is_symlink()
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(link.parent.iterdir()) == [link]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX files")
def test_what_is_no_file_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "new")
    assert os.read(reading, 10) == b"new"
    os.close(reading)
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HomebodyError, match=r"cannot write .*none/a: No such file or directory"):
        write_whole(tmp_path / "none" / "a", "")
    with pytest.raises(HomebodyError, match=r"cannot write .*: Is a directory"):
        write_whole(tmp_path, "")
    with pytest.raises(HomebodyError, match=r"cannot write to .*file/a"):
        make_folder(tmp_path / "file" / "a")


def test_a_digest_is_of_what_can_be_read_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    assert sha256(tmp_path / "file").startswith("ba7816bf")
    with pytest.raises(HomebodyError, match=r"cannot read .*none: No such file or directory"):
        sha256(tmp_path / "none")
    with pytest.raises(HomebodyError, match="/dev/zero is not a file"):
        sha256(Path("/dev/zero"))


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 120 + ".txt")
    write_whole(path, "new")
    assert list(tmp_path.iterdir()) == [path]


def test_write_protected_files_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    # not by the file's mode: who runs the tests may be allowed to write anything
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(HomebodyError, match="it is write-protected"):
        write_whole(path, "new")
    assert path.read_text() == "old"


def test_another_files_error_is_told_as_its_own(tmp_path: Path) -> None:
    def copy() -> None:
        with replace_whole(tmp_path / "a.txt"):
            (tmp_path / "missing.txt").read_bytes()

    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        copy()


def test_one_is_alone(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "lock"
    with lock_file(path, "one"):
        with pytest.raises(HomebodyError, match="two"), lock_file(path, "two"):
            raise AssertionError
        with lock_file(tmp_path / "other", "three"):
            pass
    with pytest.raises(ValueError, match="inside"), lock_file(path, "four"):
        raise ValueError("inside")
    with lock_file(path, "five"):
        pass
    with pytest.raises(HomebodyError, match="cannot write"), lock_file(tmp_path, "six"):
        raise AssertionError


@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX processes")
def test_windows_locks_a_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: set[tuple[str, int]] = set()

    def locking(number: int, mode: int, count: int) -> None:
        byte = (os.readlink(f"/proc/self/fd/{number}"), os.lseek(number, 0, os.SEEK_CUR))
        assert count == 1
        if mode == 0:
            held.remove(byte)
        elif byte in held:
            raise PermissionError(13, "Permission denied")
        else:
            held.add(byte)

    msvcrt = SimpleNamespace(LK_UNLCK=0, LK_NBLCK=2, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setattr("sys.platform", "win32")
    path = tmp_path / "lock"
    path.write_bytes(b"longer")
    with lock_file(path, "one"):
        assert held == {(str(path), 0)}
        with pytest.raises(HomebodyError, match="two"), lock_file(path, "two"):
            pass
    assert held == set()


def test_a_copied_process_does_not_keep_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    reading, writing = os.pipe()
    with lock_file(path, "one"):
        child = os.fork()
        if child == 0:  # pragma: no cover - in the child
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
    with lock_file(path, "two"):
        os.close(writing)
        os.waitpid(child, 0)
    os.close(reading)
