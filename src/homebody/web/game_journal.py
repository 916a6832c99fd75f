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

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from homebody.core.ground import journal
from homebody.core.ground.files import make_folder
from homebody.core.ground.journal import JournalWriter

SUFFIX: Final = ".jsonl"
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


class Act(msgspec.Struct, frozen=True, array_like=True, tag="act"):
    """A person has said what to do; the identifier is whoever said it gave it."""

    at: float
    role: str
    said: str
    identifier: str


class ChatLine(msgspec.Struct, frozen=True, array_like=True, tag="chat"):
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


class TimeLine(msgspec.Struct, frozen=True, array_like=True, tag="time"):
    """Time went on to the next moment at which something was over, which is this clock."""

    at: float
    clock: int


class JoinLine(msgspec.Struct, frozen=True, array_like=True, tag="here"):
    """A person has come."""

    at: float
    role: str


class EndLine(msgspec.Struct, frozen=True, array_like=True, tag="end"):
    """It is over, and why."""

    at: float
    why: str


Line: TypeAlias = Act | ChatLine | Own | Answer | TimeLine | JoinLine | EndLine
_ENCODER: Final = msgspec.json.Encoder()


FORMAT: Final[journal.JournalFormat[Header, Line]] = journal.JournalFormat(
    "homebody-journal",
    1,
    partial(msgspec.convert, type=Header),
    journal.decoder(Line),
    again="play it with the homebody that it was begun with",
    max_bytes=1 << 26,  # all that a session of the most entries could need
)


def begin(path: Path | None, header: Header, later: bool) -> JournalWriter:
    """The journal of a new game; None as its path keeps nothing. Raises HomebodyError if it cannot
    be written."""
    if path is not None:
        make_folder(path.parent)
        journal.begin(path, FORMAT, msgspec.to_builtins(header))
    return JournalWriter(path, later)


def encode(lines: Sequence[Line]) -> bytes:
    """Lines as they are written."""
    return _ENCODER.encode_lines(lines)


def read_journal(path: Path) -> tuple[Header, list[Line]]:
    """What a journal says. Raises HomebodyError if it cannot be read, or is no journal."""
    header, lines = journal.read(path, FORMAT)
    return header, list(lines)
