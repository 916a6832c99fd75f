"""Files that a kill leaves sound: they appear as a whole, or lines are added at their end, by one
process at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from homebody.core.errors import HomebodyError


@contextmanager
def replace_whole(path: Path) -> Iterator[Path]:
    """The name of a hidden file to be written, which becomes ``path`` if the block ends without an
    exception. A kill leaves at most the hidden one, ``.*.half``."""
    half = path.with_name(f".{path.name}.{os.getpid()}.half")
    try:
        yield half
        half.replace(path)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


@contextmanager
def alone(path: Path, problem: str) -> Iterator[None]:
    """While nobody else on this machine is in such a block of the same file, which is made for it
    and stays. A kill leaves no lock behind.

    Raises:
        HomebodyError: somebody is, which is ``problem``; or the file cannot be written.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise HomebodyError(f"cannot write {path}: {error.strerror}") from error
    with file, _locked(file, problem):
        yield


@contextmanager
def _locked(file: IO[bytes], problem: str) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # pragma: no cover - not on Windows; then users have to see to it
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise HomebodyError(problem) from None
    except OSError:  # a file system without locks; then too
        yield
        return
    try:
        yield
    finally:  # closing it is not enough, as processes that were forked meanwhile have it open too
        fcntl.flock(file, fcntl.LOCK_UN)


def append(path: Path, lines: bytes) -> None:
    """Add lines at the end of a file; they are on disk when this returns."""
    with path.open("ab") as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def mend(path: Path) -> None:
    """Cut off half a line at the end of a file, which a kill may have left; there may be none.
    Only for who is :func:`alone`: half a line may also be another's that is being written."""
    if path.exists():
        with path.open("r+b") as file:
            file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))
