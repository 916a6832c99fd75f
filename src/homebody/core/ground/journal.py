"""Journals: append-only files of JSON lines that survive a kill or a full disk.

    {"format": "homebody-run", "version": 1, "run": {...}}      the header: what the lines belong to
    {"id": "27_2", "epoch": 1, ...}

One writer at a time adds whole lines, and continues when they are on disk. A kill leaves at most
one incomplete line at the end. Readers skip it, and the next writer removes it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from homebody.core.ground.files import lock_file, write_whole
from homebody.core.ground.nesting import check_depth, read_json
from homebody.core.ground.user_errors import HomebodyError, version_hint

H = TypeVar("H")
L = TypeVar("L")
MAX_LINE: Final = 1 << 26
"""Maximum number of bytes of a line."""
UNBOUNDED: Final = 1 << 50
"""Maximum number of bytes of a journal that is never read whole."""


@dataclass(frozen=True, slots=True)
class JournalFormat(Generic[H, L]):
    """The format of one kind of journal.

    Attributes:
        name: The ``format`` in the header.
        version: The ``version`` in the header.
        header: Reads the rest of the header. This and ``line`` may raise ValueError, KeyError,
            TypeError or an error of msgspec.
        line: Reads a line.
        again: The hint if a journal is of an older version: how to make a new one.
        max_bytes: Maximum number of bytes of a journal.
        bare: True if old journals have no header; ``header`` then reads an empty one.
    """

    name: str
    version: int
    header: Callable[[dict[str, Any]], H]
    line: Callable[[bytes], L]
    again: str
    max_bytes: int = UNBOUNDED
    bare: bool = False


class JournalWriter:
    """The only writer of a journal.

    Args:
        path: The file; None keeps nothing.
        later: True if lines are not synced at once. The caller then calls :meth:`sync` before
            anybody uses them.
        header: Written before the first line. A journal without lines has no file.

    Attributes:
        dirty: True if some lines may not be on disk yet.
    """

    def __init__(self, path: Path | None, later: bool = False, header: bytes = b"") -> None:
        self.path, self.later = path, later
        self.dirty = False
        self._header = header

    def add(self, lines: bytes) -> None:
        """Add whole lines, all or none. They are on disk when this, or :meth:`sync`, returns.

        Raises:
            HomebodyError: they cannot be written; the file is unchanged.
        """
        if self.path is not None and lines:
            append(self.path, self._header + lines, synced=not self.later)
            self.dirty, self._header = self.later, b""

    def sync(self) -> None:
        """Sync all lines to disk; thread-safe. Raises HomebodyError if that fails."""
        if self.path is not None:
            with _writing(self.path):
                number = os.open(self.path, os.O_RDWR)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)


def lock_journal(path: Path, problem: str) -> AbstractContextManager[None]:
    """Lock a journal for its writer. Raises HomebodyError with ``problem`` if another process
    writes it, or as :func:`~.files.lock_file`."""
    return lock_file(path.with_name(f".{path.name}.lock"), problem)


def begin(path: Path, form: JournalFormat[Any, Any], header: Mapping[str, Any]) -> None:
    """Write a journal without lines, which replaces an old one. Raises HomebodyError if it cannot
    be written."""
    write_whole(path, _header_line(form, header))


def resume(path: Path, form: JournalFormat[Any, L]) -> tuple[JournalWriter, Iterator[L]]:
    """Begin or resume a journal whose header has only its format; return its writer and its lines.

    Raises:
        HomebodyError: it cannot be written or read; see :func:`read`.
    """
    repair(path)
    if not path.exists() or not path.stat().st_size:
        return JournalWriter(path, header=_header_line(form, {})), iter(())
    return JournalWriter(path), read(path, form)[1]


def read(path: Path, form: JournalFormat[H, L]) -> tuple[H, Iterator[L]]:
    """Return the header and the lines of a journal, which another process may be writing. Lines are
    read on demand. An incomplete line at the end is skipped.

    Raises:
        HomebodyError: it cannot be read, is too large, has another format or a damaged line.
    """
    lines = _whole_lines(path, form.max_bytes)
    first = next(lines, b"")
    raw: Any = None
    with suppress(ValueError):
        raw = read_json(first)
    if not isinstance(raw, dict) or raw.pop("format", None) != form.name:
        if not form.bare:
            raise HomebodyError(f"{path} is not a journal ({form.name}): its first line differs")
        return form.header({}), _read_lines(path, form, chain([first] if first else [], lines), 1)
    if (version := raw.pop("version", None)) != form.version:
        raise HomebodyError(
            f"{path} is a journal of version {str(version)[:20]}, not {form.version}",
            version_hint(version, form.version, form.again),
        )
    try:
        return form.header(raw), _read_lines(path, form, lines, 2)
    except (ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
        raise HomebodyError(f"{path} is not a journal ({form.name}): {error}") from error


def decoder(kind: Any, depth: int = 10) -> Callable[[bytes], Any]:
    """Return a function that reads lines as values of a type, with limited nesting."""
    decode = msgspec.json.Decoder(kind).decode

    def read_line(line: bytes) -> Any:
        check_depth(line, depth)
        return decode(line)

    return read_line


def append(path: Path, lines: bytes, *, synced: bool = True) -> None:
    """Add lines at the end of a file, all or none. If ``synced``, they are on disk when this
    returns.

    Raises:
        HomebodyError: they cannot be written; the file is unchanged.
    """
    with _writing(path), path.open("ab", buffering=0) as file:
        before = file.tell()
        try:
            rest = memoryview(lines)
            while rest:
                rest = rest[file.write(rest) or 0 :]
            if synced:
                os.fsync(file.fileno())
        except BaseException:  # also Ctrl-C: half a line would damage the next one
            with suppress(OSError):
                file.truncate(before)
            raise


def repair(path: Path) -> None:
    """Remove the incomplete line that a kill has left at the end of a file, if the file exists.
    Only its writer may do this, because another process could be writing that line."""
    if path.exists():
        with _writing(path), path.open("r+b") as file:
            file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))


def _header_line(form: JournalFormat[Any, Any], header: Mapping[str, Any]) -> bytes:
    whole = {"format": form.name, "version": form.version, **header}
    return json.dumps(whole).encode() + b"\n"  # not msgspec: it refuses lone surrogates


def _whole_lines(path: Path, most: int) -> Iterator[bytes]:
    left = most
    try:
        with path.open("rb") as file:
            while line := file.readline((bound := min(left, MAX_LINE)) + 1):
                if len(line) > bound:
                    raise HomebodyError(
                        f"{path} is larger than {most >> 20:,} MB"
                        if left < MAX_LINE
                        else f"{path} has a line of more than {MAX_LINE >> 20} MB"
                    )
                if not line.endswith(b"\n"):
                    return
                left -= len(line)
                yield line
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror or error}") from error


def _read_lines(
    path: Path, form: JournalFormat[Any, L], lines: Iterator[bytes], first: int
) -> Iterator[L]:
    for number, line in enumerate(lines, first):
        try:
            value = form.line(line)
        except (ValueError, KeyError, TypeError, msgspec.MsgspecError) as error:
            raise HomebodyError(
                f"{path}, line {number} is damaged: {error}",
                "remove the line, or delete the file to start over",
            ) from None
        yield value


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HomebodyError(f"cannot write {path}: {error.strerror or error}") from error
