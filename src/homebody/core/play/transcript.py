"""Transcripts of sessions: who did what when, as JSON.

    {"format": "homebody-transcript", "version": 1, "settings": {"team": "single"}, "seed": 0,
     "entries": [[0, "human", "Pick[cup_0]", 1, "human"], ...]}

An entry has its clock, role, call, planning cycle and planner, and how often time passed before it
without moving the clock, where the clock alone does not tell (:mod:`.replay`). As the world, its
chances and its errors depend on task, settings and seed alone, this is all that is needed to play
the same session again. Where a task has a version, that stands there too, as ``task``. Texts are
hostile: what is no transcript is refused, and all of it is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
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
"""Most characters of a call."""
MAX_TEXT: Final = 4_000_000
"""Most characters of a transcript."""
MAX_ENTRIES: Final = 100_000
MAX_NAME: Final = 40
"""Most characters of the name of a role or planner."""
MAX_LINE: Final = 400
"""Characters at the end of a line that are looked at for a call: what a model says may be of any
length."""
_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,49}"
"""Of an action."""
_CALL: Final = re.compile(rf"\s*({_NAME})\s*\[([^\[\]\n]*)\]\s*")
_CLEAN_CALL: Final = re.compile(rf"{_NAME}\[(?:[\w.]{{1,40}}(?:, [\w.]{{1,40}}){{0,4}})?\]")
"""Of names alone, of which nothing is left out."""
_CALL_IN_TEXT: Final = re.compile(rf"\b({_NAME})\s*\[([^\[\]]*)\]")
UNREAD: Final = "? "
"""Begins what could not be read: no call does."""


@never_changes
@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """A line of a transcript.

    Attributes:
        clock: Steps since the start.
        role: Who acted.
        call: ``Pick[cup_0]``; what is no call was not understood, and nothing was done.
        cycle: In which planning cycle of its planner, from 1; 0 if nobody planned in words.
        planner: Whose cycles are counted: the role, or one who decides for several; empty if
            nobody's are.
        pauses: How often time passed at this clock, without moving it, since the entry before; see
            :mod:`.replay`.
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
        pauses: How often time passed there without moving the clock, since the last entry.
    """

    clock: int
    pauses: int = 0


@never_changes
@dataclass(frozen=True, slots=True)
class Transcript:
    """What was tried in a session, and how it was played.

    Attributes:
        settings: Those that are not as usual, by name.
        seed: Of all that is random.
        entries: What was tried, in order.
        version: Of the task that was played; empty if it has none, or the transcript does not say.
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    entries: tuple[TranscriptEntry, ...] = ()
    version: str = ""

    def check_version(self, version: str) -> None:
        """Raise HomebodyError if this is of another version of a task than the one that is here."""
        if self.version and self.version != version:
            raise HomebodyError(
                f"the transcript is of another version of the task: {self.version[:20]!r} there,"
                f" {version[:20]!r} here",
                "play it again, or score it with the homebody that it was played with",
            )

    def encode(self) -> str:
        """The transcript as JSON, for :func:`decode`."""
        import orjson  # here, as the command line need not wait for it

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
    """The transcript that was encoded. Raises HomebodyError if a text is none, or one of more
    than so many entries."""
    import orjson

    if len(text) > MAX_TEXT:
        raise HomebodyError(f"a transcript has at most {MAX_TEXT} characters")
    try:
        check_depth(text)
        raw = orjson.loads(text)
    except ValueError:
        raise HomebodyError("this is no JSON, and no transcript") from None
    if not isinstance(raw, dict) or raw.get("format") not in _FORMATS:
        raise HomebodyError(f"this is no {FORMAT}")
    if raw.get("version") != VERSION:
        found = raw.get("version")
        raise HomebodyError(
            f"a transcript of version {str(found)[:20]} is not known",
            version_hint(found, VERSION, "homebody run plays again"),
        )
    given, seed, listed = raw.get("settings", {}), raw.get("seed", 0), raw.get("entries")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise HomebodyError("the settings of a transcript are names and values")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise HomebodyError("the seed of a transcript is a whole number")
    if not isinstance(listed, list):
        raise HomebodyError("a transcript has a list of entries")
    if len(listed) > max_entries:
        raise HomebodyError(f"a transcript has at most {max_entries} entries")
    version = raw.get("task", "")
    if not isinstance(version, str) or len(version) > MAX_NAME:
        raise HomebodyError(f"the task of a transcript is its version, of {MAX_NAME} characters")
    return Transcript(given, seed, tuple(map(_read_entry, listed)), version)


def _read_entry(raw: Any) -> TranscriptEntry:
    kinds = (int, str, str, int, str, int)
    fits = isinstance(raw, list) and len(kinds) - 1 <= len(raw) <= len(kinds)
    if not fits or not all(type(a) is kind for a, kind in zip(raw, kinds, strict=False)):
        raise HomebodyError("an entry of a transcript is [clock, role, call, cycle, planner]")
    clock, role, call, cycle, planner, *pauses = raw
    return TranscriptEntry(
        clock, role[:MAX_NAME], call[:MAX_CALL], cycle, planner[:MAX_NAME], *pauses
    )


# -- calls ----------------------------------------------------------------------------------------


def write_call(action: Action) -> str:
    """``Pick[cup_0]``. What a call cannot hold is left out of it; the action that is read from it
    is written in the same way. Raises TypeError if the arguments are no tuple of texts."""
    require_names(action)
    call = f"{action.name}[{', '.join(action.args)}]"
    if _CLEAN_CALL.fullmatch(call) and call.count(",") == max(0, len(action.args) - 1):
        return call  # as nearly all are
    call = _format_call(action)
    read = read_call(call)  # without the spaces that what was left out has left behind
    return call if read is None else _format_call(read)


def require_names(action: Action) -> None:
    """Raises TypeError if the arguments of an action are no tuple of texts: one text by itself
    would be taken for as many arguments as it has letters."""
    if type(action.args) is not tuple or not all(isinstance(arg, str) for arg in action.args):
        raise TypeError(
            "the arguments of an action are a tuple of texts: "
            f"give a tuple, as in Action({action.name!r}, ('cup_0',))"
        )


def is_writable(action: Action) -> bool:
    """Whether an action can be written as a call and read again: its name is of at most 50
    letters, digits and underscores and begins with no digit; its arguments are printable, not
    empty, without commas, brackets and spaces around them; all of it has 300 characters at most."""
    return read_call(write_call(action)) == action


def _format_call(action: Action) -> str:
    arguments = ", ".join(printable(argument).replace(",", " ").strip() for argument in action.args)
    arguments = re.sub(r"[\[\]]", " ", arguments)
    return f"{printable(action.name)[:50]}[{arguments[: MAX_CALL - 60]}]"


def read_call(text: str) -> Action | None:
    """The action of a call, or None if it is none."""
    return _read_call(text[:MAX_CALL])


@lru_cache(4096)  # the same few are read again and again, when they are written down and played
def _read_call(text: str) -> Action | None:
    match = _CALL.fullmatch(text)
    return None if match is None else Action(match[1], _split_arguments(match[2]))


def find_call(text: str) -> Action:
    """The last action written in a text, as ``Place[cup_0, on, table_1, next_to, plate_2]``.

    Of a model that thinks aloud, only the last line with an action counts.

    Raises:
        HomebodyError: there is none; the message says how actions are written.
    """
    for line in reversed(text.splitlines()):
        calls = _CALL_IN_TEXT.findall(line[-MAX_LINE:])
        if calls:
            name, inside = calls[-1]
            return Action(name, _split_arguments(inside))
    raise HomebodyError("there is no action in this text", "write one as Name[argument, ...]")


def mark_unread(text: str) -> str:
    """What stands for a call that could not be read."""
    return UNREAD + printable(text)[: MAX_CALL - len(UNREAD)]


def printable(text: str) -> str:
    """A line of plain characters; what is none becomes a space."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " for char in text)


def _replace_surrogates(name: str) -> str:
    """A name without what UTF-8 has no code for: half a pair of surrogates."""
    return name if name.isascii() else name.encode("utf-8", "replace").decode()


def _split_arguments(inside: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in inside.split(",")) if inside.strip() else ()
