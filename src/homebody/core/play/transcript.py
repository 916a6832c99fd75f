"""Transcripts of sessions: all actions with their times, as JSON.

    {"format": "homebody-transcript", "version": 1, "settings": {"team": "single"}, "seed": 0,
     "entries": [[0, "human", "Pick[cup_0]", 1, "human"], ...]}

An entry has its clock, role, call, planning cycle and planner, and the number of pauses before it
if the clock is ambiguous (:mod:`.replay`). The world, with all its random events, depends only on
task, settings and seed, so this is enough to replay a session. The version of a task is stored as
``task``, if it has one. Texts are not trusted: everything is bounded and checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from homebody.core.action import Action
from homebody.core.ground.nesting import check_depth
from homebody.core.ground.sharing import never_changes
from homebody.core.ground.user_errors import HomebodyError, version_hint

FORMAT: Final = "homebody-transcript"
_FORMATS: Final = (FORMAT, "partnr-run")  # as PARTNR's were called at first
VERSION: Final = 1
MAX_CALL: Final = 300
"""Maximum number of characters of a call."""
MAX_TEXT: Final = 4_000_000
"""Maximum number of characters of a transcript."""
MAX_ENTRIES: Final = 100_000
MAX_NAME: Final = 40
"""Maximum number of characters of the name of a role or planner."""
MAX_LINE: Final = 400
"""Number of characters at the end of a line that are searched for a call. Models write lines of any
length."""
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,49}"
"""The name of an action."""
_CALL: Final = re.compile(rf"\s*({_NAME})\s*\[([^\[\]\n]*)\]\s*")
_CLEAN_CALL: Final = re.compile(rf"{_NAME}\[(?:[\w.]{{1,40}}(?:, [\w.]{{1,40}}){{0,4}})?\]")
"""A call of plain names, which is written without changes."""
_CALL_IN_TEXT: Final = re.compile(rf"\b({_NAME})\s*\[([^\[\]]*)\]")
UNREAD: Final = "? "
"""The prefix of unreadable entries. No call begins with it."""


@never_changes
@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """An entry of a transcript.

    Attributes:
        clock: Steps since the start.
        role: The role that acted.
        call: The action, such as ``Pick[cup_0]``; anything else was unreadable and did nothing.
        cycle: The planning cycle of its planner, from 1; 0 if no model was queried.
        planner: The planner whose cycles are counted: the role, or a planner that decides for
            several roles. Empty if no cycles are counted.
        pauses: Number of pauses at this clock since the previous entry; see :mod:`.replay`.
    """

    clock: int
    role: str
    call: str
    cycle: int = 0
    planner: str = ""
    pauses: int = 0


class Position(NamedTuple):
    """A moment of a session.

    Attributes:
        clock: Steps since the start.
        pauses: Number of pauses at this clock since the last entry.
    """

    clock: int
    pauses: int = 0


@never_changes
@dataclass(frozen=True, slots=True)
class Transcript:
    """The actions of a session, with its settings and seed.

    Attributes:
        settings: Name -> value, for the settings that are not the defaults.
        seed: The seed of everything random.
        entries: The actions, in order.
        version: The version of the task; empty if unknown.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    entries: tuple[TranscriptEntry, ...] = ()
    version: str = ""

    def check_version(self, version: str) -> None:
        """Raise HomebodyError if the transcript is of another version of its task."""
        if self.version and self.version != version:
            raise HomebodyError(
                f"the transcript is of another version of the task: {self.version[:20]!r} there,"
                f" {version[:20]!r} here",
                "play it again, or score it with the homebody that it was played with",
            )

    def encode(self) -> str:
        """Return the transcript as JSON, for :func:`decode`."""
        import orjson  # here, so that the command line starts faster

        return orjson.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "settings": dict(self.settings),
                "seed": self.seed,
                **({"task": self.version} if self.version else {}),
                "entries": [
                    [
                        entry.clock,
                        _replace_surrogates(entry.role),
                        entry.call,
                        entry.cycle,
                        _replace_surrogates(entry.planner),
                        *((entry.pauses,) if entry.pauses else ()),
                    ]
                    for entry in self.entries
                ],
            }
        ).decode()


def decode(text: str, max_entries: int = MAX_ENTRIES) -> Transcript:
    """Decode a transcript. Raises HomebodyError if the text is not a transcript, or has too many
    entries."""
    import orjson

    if len(text) > MAX_TEXT:
        raise HomebodyError(f"a transcript has at most {MAX_TEXT} characters")
    try:
        check_depth(text)
        raw = orjson.loads(text)
    except ValueError:
        raise HomebodyError("this is not a transcript: it is not JSON") from None
    if not isinstance(raw, dict) or raw.get("format") not in _FORMATS:
        raise HomebodyError(f"this is not a transcript: its format is not {FORMAT}")
    if raw.get("version") != VERSION:
        found = raw.get("version")
        raise HomebodyError(
            f"transcripts of version {str(found)[:20]} cannot be read",
            version_hint(found, VERSION, "homebody run makes a new one"),
        )
    given, seed, listed = raw.get("settings", {}), raw.get("seed", 0), raw.get("entries")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise HomebodyError("the settings of a transcript must map names to strings")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise HomebodyError("the seed of a transcript must be a whole number")
    if not isinstance(listed, list):
        raise HomebodyError("a transcript must have a list of entries")
    if len(listed) > max_entries:
        raise HomebodyError(f"a transcript has at most {max_entries} entries")
    version = raw.get("task", "")
    if not isinstance(version, str) or len(version) > MAX_NAME:
        raise HomebodyError(
            f"the task of a transcript must be a version of at most {MAX_NAME} characters"
        )
    return Transcript(given, seed, tuple(map(_read_entry, listed)), version)


def _read_entry(raw: Any) -> TranscriptEntry:
    kinds = (int, str, str, int, str, int)
    fits = isinstance(raw, list) and len(kinds) - 1 <= len(raw) <= len(kinds)
    if not fits or not all(type(a) is kind for a, kind in zip(raw, kinds, strict=False)):
        raise HomebodyError("an entry of a transcript must be [clock, role, call, cycle, planner]")
    clock, role, call, cycle, planner, *pauses = raw
    return TranscriptEntry(
        clock, role[:MAX_NAME], call[:MAX_CALL], cycle, planner[:MAX_NAME], *pauses
    )


# -- calls ----------------------------------------------------------------------------------------


def number_lines(lines: Iterable[str]) -> str:
    """Return lines with their numbers from 1, such as the calls of a plan."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def write_call(action: Action) -> str:
    """Return the call of an action, such as ``Pick[cup_0]``. Characters that calls cannot have are
    removed. Reading the call gives an action with the same call. Raises TypeError if the arguments
    are not a tuple of strings."""
    require_names(action)
    call = f"{action.name}[{', '.join(action.args)}]"
    if _CLEAN_CALL.fullmatch(call) and call.count(",") == max(0, len(action.args) - 1):
        return call  # the usual case
    call = _format_call(action)
    read = read_call(call)  # strips spaces around removed characters
    return call if read is None else _format_call(read)


def require_names(action: Action) -> None:
    """Raise TypeError if the arguments of an action are not a tuple of strings. A single string
    would be taken for one argument per letter."""
    if type(action.args) is not tuple or not all(isinstance(arg, str) for arg in action.args):
        raise TypeError(
            "the arguments of an action must be a tuple of strings, "
            f"as in Action({action.name!r}, ('cup_0',))"
        )


def is_writable(action: Action) -> bool:
    """Return whether an action can be written as a call and read again.

    Its name must have at most 50 letters, digits and underscores and not begin with a digit. Its
    arguments must be printable and not empty, without commas, brackets and outer spaces. The call
    must have at most 300 characters.
    """
    return read_call(write_call(action)) == action


def _format_call(action: Action) -> str:
    arguments = ", ".join(printable(argument).replace(",", " ").strip() for argument in action.args)
    arguments = re.sub(r"[\[\]]", " ", arguments)
    return f"{printable(action.name)[:50]}[{arguments[: MAX_CALL - 60]}]"


def read_call(text: str) -> Action | None:
    """Return the action of a call; None if the text is not a call."""
    return _read_call(text[:MAX_CALL])


@lru_cache(4096)  # the same few calls are read in recording and in replays
def _read_call(text: str) -> Action | None:
    match = _CALL.fullmatch(text)
    return None if match is None else Action(match[1], _split_arguments(match[2]))


def find_call(text: str) -> Action:
    """Return the last action in a string, such as ``Place[cup_0, on, table_1, next_to, plate_2]``.

    Models think aloud, so only the last line with an action counts.

    Raises:
        HomebodyError: the text has no action; the hint says how actions are written.
    """
    for line in reversed(text.splitlines()):
        calls = _CALL_IN_TEXT.findall(line[-MAX_LINE:])
        if calls:
            name, inside = calls[-1]
            return Action(name, _split_arguments(inside))
    raise HomebodyError("there is no action in this text", "write one as Name[argument, ...]")


def mark_unread(text: str) -> str:
    """Return the entry for an unreadable text."""
    return UNREAD + printable(text)[: MAX_CALL - len(UNREAD)]


def printable(text: str) -> str:
    """Return a string with spaces in place of characters that are not printable."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def _replace_surrogates(name: str) -> str:
    """Return a name without lone surrogates, which UTF-8 cannot encode."""
    return name if name.isascii() else name.encode("utf-8", "replace").decode()


def _split_arguments(inside: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in inside.split(",")) if inside.strip() else ()
