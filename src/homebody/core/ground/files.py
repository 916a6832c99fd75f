"""Writes files atomically: a kill or a full disk never leaves an incomplete file.

homebody writes all files through this module or, line by line, through :mod:`.journal`.
"""

from __future__ import annotations

import glob
import hashlib
import os
import platform
import re
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Final

from homebody.core.ground.user_errors import HomebodyError

_numbers: Final = count()
_HALF_NAME: Final = 50
"""Maximum number of characters of a file's name in the name of its temporary file. Names have at
most 255 bytes."""


def sha256(path: Path) -> str:
    """Return the sha256 of a file, in hexadecimal.

    Raises:
        HomebodyError: the file is missing, is a device or a pipe, or cannot be read.
    """
    try:
        if path.is_char_device() or path.is_fifo():  # which need not end
            raise HomebodyError(f"{path} is not a file")
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error


def read_bounded(path: Path, most: int) -> bytes:
    """Return the content of a file of at most ``most`` bytes, unpacked if it is gzipped. Larger
    files are not read whole.

    Raises:
        HomebodyError: it cannot be read, is damaged or too large; the message does not name it.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise HomebodyError(f"cannot be read: {error.strerror or error}") from error
    if data[:2] == b"\x1f\x8b":
        unpacker = zlib.decompressobj(31)
        try:
            data = unpacker.decompress(data, most + 1)
        except zlib.error as error:
            raise HomebodyError(f"is damaged: {error}") from error
        if len(data) <= most and (not unpacker.eof or unpacker.unused_data):
            raise HomebodyError("is damaged: its compressed data do not end where they should")
    if len(data) > most:
        raise HomebodyError(f"is larger than {most >> 20} MB")
    return data


def make_folder(folder: Path) -> None:
    """Make a folder if it is missing, and check, before long work, that it can be written to.

    Raises:
        HomebodyError: it cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise HomebodyError(f"cannot write to {folder}: {error.strerror or error}") from error


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file, strings as UTF-8; see :func:`replace_whole`.

    Raises:
        HomebodyError: it cannot be written; a former file remains.
    """
    with replace_whole(path) as half:
        half.write_bytes(data.encode() if isinstance(data, str) else data)


@contextmanager
def replace_whole(path: Path) -> Iterator[Path]:
    """Yield the name of a hidden temporary file to write. If the block ends without an exception,
    the file is synced to disk and then replaces ``path``.

    A kill leaves at most the hidden file ``.*.half``. The next writer of ``path`` on this machine
    removes it. Links stay links. Anything but a plain file, such as ``/dev/stdout``, is written
    directly.

    Raises:
        HomebodyError: it cannot be written; a former file remains.
    """
    half = path
    try:
        if path.exists() and not path.is_file():
            yield path
            return
        whole = Path(os.path.realpath(path))
        if whole.exists() and not os.access(whole, os.W_OK):
            raise PermissionError(13, "it is write-protected")
        half = _make_half_name(whole)
        try:
            yield half
            with half.open("r+b") as file:
                os.fsync(file.fileno())
            if whole.exists():  # keep its permissions
                half.chmod(whole.stat().st_mode & 0o7777)
            half.replace(whole)
        finally:
            with suppress(OSError):
                half.unlink(missing_ok=True)
        _sync_folder(whole.parent)
    except OSError as error:
        if error.filename not in (None, half, str(half)):
            raise  # an error of another file, which the block read
        raise HomebodyError(f"cannot write {path}: {error.strerror or error}") from error


def _make_half_name(path: Path) -> Path:
    """Return a unique name, and remove the files of killed processes."""
    host = re.sub(r"\W", "_", platform.node())[:50]
    stem = f".{path.name[:_HALF_NAME]}.{host}-"
    for half in path.parent.glob(f"{glob.escape(stem)}*.half"):
        pid = half.name.removeprefix(stem).split("-")[0]
        if pid.isdecimal() and not is_alive(int(pid)):
            with suppress(OSError):
                half.unlink()
    return path.with_name(f"{stem}{os.getpid()}-{next(_numbers)}.half")


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that new names survive a power failure, if the system supports it."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def is_alive(pid: int) -> bool:
    """Return whether a process of this machine exists, True if unknown."""
    if os.name == "nt":  # signal 0 would end the process there
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


@contextmanager
def lock_file(path: Path, problem: str) -> Iterator[None]:
    """Hold an exclusive lock on a file against other processes of this machine. The file is made if
    it is missing, and stays. A kill releases the lock.

    Raises:
        HomebodyError: the file is locked (the message is ``problem``), or cannot be written.
    """
    try:
        file = path.open("ab")
    except OSError as error:
        raise HomebodyError(f"cannot write {path}: {error.strerror}") from error
    with file, _flock(file, problem):
        yield


@contextmanager
def _flock(file: IO[bytes], problem: str) -> Iterator[None]:
    is_locked = _acquire(file, problem)
    try:
        yield
    finally:  # closing it is not enough, as forked processes have it open, too
        if is_locked:
            _release(file)


def _acquire(file: IO[bytes], problem: str) -> bool:
    """Lock a file, and return False on a file system without locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)  # a byte is locked, which need not exist
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise HomebodyError(problem) from None
    except OSError:
        return False
    return True


def _release(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)
