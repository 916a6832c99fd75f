"""Files of episodes: one episode per line of JSON, compressed if the name ends with ``.gz``.

Files are streamed line by line, so that 100,000 episodes take no memory. The same episodes give the
same bytes. Published files are read by :func:`homebody.goals.partnr.read_episodes`."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import resources
from pathlib import Path
from typing import IO, Final

import orjson

from homebody.core import HomebodyError
from homebody.core.ground.files import replace_whole
from homebody.core.ground.nesting import check_depth
from homebody.goals.partnr import (
    Episode,
    EvaluationError,
    read_episode,
    read_episodes,
    write_episode,
)

MAX_LINE: Final = 4 * 1024**2
"""Most bytes of one episode."""
MAX_EPISODES: Final = 2_000_000
MAX_LINES: Final = 2 * MAX_EPISODES
"""Most lines of one file, empty ones included: a small ``.gz`` file can have billions."""
OWN: Final = {f"partnr.{split}": f"{split}.jsonl.gz" for split in ("val", "test")}
"""Suite -> the file that comes with homebody."""


def find_own_file(name: str) -> Path | None:
    """Return the path of a suite's episodes, such as those of ``partnr.val``.

    Returns None if there is no such suite or the package is not a folder."""
    if name not in OWN:
        return None
    path = resources.files("homebody.suites.partnr") / "data" / OWN[name]
    return path if isinstance(path, Path) else None


def read_file(path: Path) -> Iterator[Episode]:
    """Yield the episodes of a ``.jsonl(.gz)`` file or of a published ``.json(.gz)`` file.

    Raises:
        HomebodyError: A line is no episode; the message gives its number. Earlier episodes are
            yielded.
        OSError: The file cannot be read.
    """
    if ".jsonl" not in path.suffixes:
        yield from read_episodes(path)
        return
    for number, line in enumerate(read_lines(path), 1):
        if number > MAX_EPISODES:
            raise HomebodyError(f"{path.name} has more than {MAX_EPISODES} episodes")
        try:
            yield decode(line)
        except EvaluationError as error:
            raise HomebodyError(f"{path.name}, line {number}: {error}") from None


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file without line ends and empty lines; ``.gz`` is decompressed.

    Raises:
        HomebodyError: A line is too long, there are too many, or the gzip file is incomplete.
        OSError: The file cannot be read.
    """
    with ExitStack() as stack:
        raw = stack.enter_context(path.open("rb"))
        packed = path.suffix == ".gz"
        file = stack.enter_context(gzip.GzipFile(fileobj=raw)) if packed else raw
        for _ in range(MAX_LINES):
            try:
                line = file.readline(MAX_LINE + 1)
            except (gzip.BadGzipFile, EOFError, zlib.error):
                raise HomebodyError(
                    f"{path.name} is not a complete gzip file", "generate or download it again"
                ) from None
            if not line:
                return
            if len(line) > MAX_LINE:
                raise HomebodyError(f"{path.name} has a line of more than {MAX_LINE} bytes")
            if line := line.strip():
                yield line
        raise HomebodyError(f"{path.name} has {MAX_LINES} lines or more")


def find(path: Path, identifier: str) -> Episode:
    """Return the episode with this id.

    Raises:
        HomebodyError: It does not exist, or something before it is not an episode.
        OSError: The file cannot be read.
    """
    count, first = 0, ""
    for episode in read_file(path):
        if episode.id == identifier:
            return episode
        count, first = count + 1, first or episode.id
    hint = (
        f"it has {count} episodes, the first is {first[:80]!r}" if count else "it has no episodes"
    )
    raise HomebodyError(f"{path.name} has no episode {identifier[:80]!r}", hint)


def write_file(path: Path, episodes: Iterable[Episode]) -> int:
    """Write episodes and return their number. The file appears whole or not at all."""
    count = 0
    with open_whole(path) as file:
        for episode in episodes:
            file.write(encode(episode) + b"\n")
            count += 1
    return count


def encode(episode: Episode) -> bytes:
    """Encode an episode as a line of JSON, without the line end."""
    return orjson.dumps(write_episode(episode))


def decode(line: bytes) -> Episode:
    """Read such a line. Raises EvaluationError."""
    try:
        check_depth(line)
        raw = orjson.loads(line)
    except ValueError:
        raise EvaluationError("this is not JSON") from None
    return read_episode(raw)


@contextmanager
def open_whole(path: Path, *, packed: bool = False) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only once all of it is on disk.

    It is compressed if the name ends with ``.gz``, unless the content is ``packed`` already. The
    header has no name and no time, so that the same content gives the same bytes."""
    with replace_whole(path) as half, half.open("wb") as raw:
        if path.suffix == ".gz" and not packed:
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
                yield file  # type: ignore[misc]
        else:
            yield raw
