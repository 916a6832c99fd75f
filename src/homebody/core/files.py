"""Files that a kill leaves sound: they appear as a whole, or lines are added at their end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


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


def append(path: Path, lines: bytes) -> None:
    """Add lines at the end of a file; they are on disk when this returns."""
    with path.open("ab") as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def mend(path: Path) -> None:
    """Cut off half a line at the end of a file, which a kill may have left; there may be none."""
    if path.exists():
        with path.open("r+b") as file:
            file.truncate(sum(len(line) for line in file if line.endswith(b"\n")))
