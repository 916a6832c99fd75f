"""The journal of a game. Its lines are on disk before clients are notified of them.

    {"format": "homebody-journal", "version": 1, "suite": "partnr.val", "task": "...", ...}
    ["act", 1790000000.1, "human", "Pick[cup_0]", "a1"]
    ["time", 1790000000.1, 57]

The first line states the task and the players, with digests of the tokens. Each other line is an
event, in order. Results are not stored, because replaying the session gives them again. Lines with
the same time belong together. A kill loses at most the last such group, which no client received.
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
"""Maximum characters of an action in a journal."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The header of a game: its task and its players.

    Attributes:
        session: Name of the game; not secret.
        suite: Name of the suite.
        task: Id of the task.
        task_version: Version of the task, if it has one.
        settings: Settings that differ from the defaults, by name.
        seed: Seed of everything random.
        seats: Role -> player: ``person``, a policy of the suite, or a model's name.
        digests: Role of a person -> SHA-256 of its token.
        made: Seconds since 1970.
        homebody: Version of homebody that made the game.
        label: Label of its creator, such as a participant of a study; hidden from players.
        chat: True if persons can write to each other.
        driver: Driver of models; empty for the suite's own.
        partners_view: True if persons see what their partners see and do.
        feedback: The feedback that persons see at the end.
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
    """An action of a person, with the client's identifier."""

    at: float
    role: str
    said: str
    identifier: str


class ChatLine(msgspec.Struct, frozen=True, array_like=True, tag="chat"):
    """A message of a person, with the client's identifier."""

    at: float
    role: str
    text: str
    identifier: str


class Own(msgspec.Struct, frozen=True, array_like=True, tag="own"):
    """An action of a policy or model, as in transcripts."""

    at: float
    role: str
    call: str
    cycle: int
    planner: str


class Answer(msgspec.Struct, frozen=True, array_like=True, tag="answer"):
    """A reply of a model after ``seconds``; calls are (name, arguments, id)."""

    at: float
    role: str
    seconds: float
    text: str
    stop_reason: str
    calls: tuple[tuple[str, dict[str, Any], str], ...] = ()


class TimeLine(msgspec.Struct, frozen=True, array_like=True, tag="time"):
    """Time passed until the next event; ``clock`` is the clock then."""

    at: float
    clock: int


class JoinLine(msgspec.Struct, frozen=True, array_like=True, tag="here"):
    """A person joined."""

    at: float
    role: str


class EndLine(msgspec.Struct, frozen=True, array_like=True, tag="end"):
    """The game ended."""

    at: float
    why: str


Line: TypeAlias = Act | ChatLine | Own | Answer | TimeLine | JoinLine | EndLine
_ENCODER: Final = msgspec.json.Encoder()


FORMAT: Final[journal.JournalFormat[Header, Line]] = journal.JournalFormat(
    "homebody-journal",
    1,
    partial(msgspec.convert, type=Header),
    journal.decoder(Line),
    again="play it with the version of homebody that started it",
    max_bytes=1 << 26,  # enough for the longest session
)


def begin(path: Path | None, header: Header, later: bool) -> JournalWriter:
    """Start a journal, stored only with a path; raise HomebodyError if it cannot be written."""
    if path is not None:
        make_folder(path.parent)
        journal.begin(path, FORMAT, msgspec.to_builtins(header))
    return JournalWriter(path, later)


def encode(lines: Sequence[Line]) -> bytes:
    """Return lines as bytes."""
    return _ENCODER.encode_lines(lines)


def read_journal(path: Path) -> tuple[Header, list[Line]]:
    """Read a journal; raise HomebodyError if the file is unreadable or no journal."""
    header, lines = journal.read(path, FORMAT)
    return header, list(lines)
