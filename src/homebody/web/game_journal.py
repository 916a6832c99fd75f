"""The journal of a game: lines that are on disk before anybody is told of what they say.

    {"format": "homebody-journal", "version": 1, "suite": "partnr.val", "task": "...", ...}
    ["act", 1790000000.1, "human", "Pick[cup_0]", "a1"]
    ["time", 1790000000.1, 57]

The first line says what is played, and by whom; of the tokens only digests are kept. Each other is
something that has happened, in order; what came of it is not written down, as the same session
gives the same. Lines with the same time belong together. A kill leaves at most a part of the last
such group, which nobody was told of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from homebody.core import HomebodyError
from homebody.core.ground.files import append, make_folder, read_bounded, sync
from homebody.core.ground.nesting import check_depth
from homebody.core.ground.user_errors import other_version

FORMAT: Final = "homebody-journal"
VERSION: Final = 1
SUFFIX: Final = ".jsonl"
MAX_BYTES: Final = 1 << 26
"""Of a journal: all that a session of the most entries could need."""
MAX_SAID: Final = 2_000
"""Most characters of what somebody says to be done."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is played, and by whom.

    Attributes:
        session: Its name, which nobody has to keep secret.
        suite: Name of the suite.
        task: Id of the task.
        task_version: Of the task, if it has one.
        settings: Those that are not as usual, by name.
        seed: Of all that is random.
        seats: Role -> who plays it: ``person``, a policy of the suite, or a model's name.
        digests: Role of a person -> sha256 of the token that lets them play it.
        made: Seconds since 1970.
        homebody: The version that made it.
        label: What whoever made it calls it, such as the participant of a study; not shown to
            those who play.
        chat: Whether persons can write to each other.
        driver: How models are asked; empty: as the suite has it.
        partners_view: Whether persons see what their partners see and do.
        feedback: What persons are told at the end.
    """

    session: str
    suite: str
    task: str
    task_version: str
    settings: dict[str, str]
    seed: int
    seats: dict[str, str]
    digests: dict[str, str]
    made: float
    homebody: str
    label: str = ""
    chat: bool = False
    driver: str = ""
    partners_view: bool = False
    feedback: str = "all"
    format: str = FORMAT
    version: int = VERSION


class Act(msgspec.Struct, frozen=True, array_like=True, tag="act"):
    """A person has said what to do; the identifier is whoever said it gave it."""

    at: float
    role: str
    said: str
    identifier: str


class Chatted(msgspec.Struct, frozen=True, array_like=True, tag="chat"):
    """A person has written to the others; the identifier is whoever wrote gave it."""

    at: float
    role: str
    text: str
    identifier: str


class Own(msgspec.Struct, frozen=True, array_like=True, tag="own"):
    """Somebody who is no person has done something, as transcripts have it."""

    at: float
    role: str
    call: str
    cycle: int
    planner: str


class Answer(msgspec.Struct, frozen=True, array_like=True, tag="answer"):
    """A model has answered, after so many seconds; of what it called, name, arguments and id."""

    at: float
    role: str
    seconds: float
    text: str
    stop_reason: str
    calls: tuple[tuple[str, dict[str, Any], str], ...] = ()


class Passed(msgspec.Struct, frozen=True, array_like=True, tag="time"):
    """Time went on to the next moment at which something was over, which is this clock."""

    at: float
    clock: int


class Joined(msgspec.Struct, frozen=True, array_like=True, tag="here"):
    """A person has come."""

    at: float
    role: str


class Ended(msgspec.Struct, frozen=True, array_like=True, tag="end"):
    """It is over, and why."""

    at: float
    why: str


Line: TypeAlias = Act | Chatted | Own | Answer | Passed | Joined | Ended
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final[msgspec.json.Decoder[Any]] = msgspec.json.Decoder(Line)


class Journal:
    """A journal that is being written.

    Args:
        path: Its file; None keeps nothing.

    Attributes:
        later: Whether whoever has it sees to it, with :meth:`sync`, that lines are on disk before
            anybody is told of what they say.
        dirty: Whether lines may not be on disk yet.
    """

    def __init__(self, path: Path | None, later: bool = False) -> None:
        self.path = path
        self.dirty = False
        self.later = later

    def begin(self, header: Header) -> None:
        """Make the file. Raises HomebodyError if it is there, or cannot be written."""
        if self.path is None:
            return
        make_folder(self.path.parent)
        if self.path.exists():
            raise HomebodyError(f"{self.path} is there already")
        append(self.path, _ENCODER.encode(header) + b"\n")

    def write(self, lines: Sequence[Line]) -> None:
        """Add lines; they are on disk when this returns, or :meth:`sync` has. Raises HomebodyError
        if they cannot be written."""
        if self.path is not None and lines:
            text = b"".join(_ENCODER.encode(line) + b"\n" for line in lines)
            append(self.path, text, synced=not self.later)
            self.dirty = self.later

    def sync(self) -> None:
        """Have all lines be on disk; any thread may. Raises HomebodyError if they cannot be."""
        if self.path is not None:
            sync(self.path)


def read_journal(path: Path) -> tuple[Header, list[Line]]:
    """What a journal says. Half a line at its end is passed over.

    Raises:
        HomebodyError: it cannot be read, or is no journal.
    """
    try:
        data = read_bounded(path, MAX_BYTES)
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}") from None
    first, *rest = data.split(b"\n")[:-1] or [b""]
    try:
        for line in (first, *rest):
            check_depth(line, 10)
        header = _header(path, msgspec.json.decode(first))
        return header, [_DECODER.decode(line) for line in rest]
    except (msgspec.MsgspecError, ValueError) as error:
        raise HomebodyError(f"{path} is no {FORMAT}: {error}") from None


def _header(path: Path, raw: Any) -> Header:
    if not isinstance(raw, Mapping) or raw.get("format") != FORMAT:
        raise ValueError("its first line is no header")
    if raw.get("version") != VERSION:
        found = raw.get("version")
        again = "play it with the homebody that it was begun with"
        raise HomebodyError(
            f"{path}: a journal of version {str(found)[:20]} is not known",
            other_version(found, VERSION, again),
        )
    return msgspec.convert(raw, Header)
