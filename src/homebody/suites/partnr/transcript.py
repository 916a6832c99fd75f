"""Transcripts of runs: who called what when, as JSON.

    {"format": "partnr-run", "version": 1, "settings": {"team": "single"}, "seed": 0,
     "entries": [[0, "human", "Pick[cup_0]", 1, "human"], ...]}

An entry has its clock, agent, call, planning cycle and planner. Texts are hostile: what is no
transcript is refused, and all of it is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from homebody.core import Action, HomebodyError
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM, Settings, changed, read_settings

FORMAT: Final = "partnr-run"
VERSION: Final = 1
MAX_CALL: Final = 300
"""Most characters of a call."""
MAX_TEXT: Final = 4_000_000
"""Most characters of a transcript."""
_CALL: Final = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]{0,49})\s*\[([^\[\]\n]*)\]\s*")
UNREAD: Final = "? "
"""Begins what could not be read: no call does."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a transcript.

    Attributes:
        clock: Steps since the start.
        agent: Who acted.
        call: ``Pick[cup_0]``; what is no call was not understood, and nothing was done.
        cycle: In which planning cycle of its planner, from 1; 0 if nobody planned in words.
        planner: Whose cycles are counted: the agent, or ``team``; empty if nobody's are.
    """

    clock: int
    agent: str
    call: str
    cycle: int = 0
    planner: str = ""


def write_call(action: Action) -> str:
    """``Pick[cup_0]``. What a call cannot hold is left out of it."""
    arguments = ", ".join(printable(argument).replace(",", " ").strip() for argument in action.args)
    arguments = re.sub(r"[\[\]]", " ", arguments)
    return f"{printable(action.name)[:50]}[{arguments[: MAX_CALL - 60]}]"


def read_call(text: str) -> Action | None:
    """The action of a call, or None if it is none."""
    match = _CALL.fullmatch(text[:MAX_CALL])
    if match is None:
        return None
    inside = match[2].strip()
    arguments = tuple(argument.strip() for argument in inside.split(",")) if inside else ()
    return Action(match[1], arguments)


def unread(text: str) -> str:
    """What stands for a call that could not be read."""
    return UNREAD + printable(text)[: MAX_CALL - len(UNREAD)]


def encode(settings: Settings, seed: int, entries: Sequence[Entry]) -> str:
    """A transcript as JSON; settings that are as usual are left out."""
    return orjson.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "settings": changed(settings),
            "seed": seed,
            "entries": [
                [entry.clock, entry.agent, entry.call, entry.cycle, entry.planner]
                for entry in entries
            ],
        }
    ).decode()


def decode(text: str, most: int) -> tuple[Settings, int, list[Entry]]:
    """Settings, seed and entries of a transcript, at most so many entries. Raises HomebodyError if
    it is none."""
    if len(text) > MAX_TEXT:
        raise HomebodyError(f"a transcript has at most {MAX_TEXT} characters")
    try:
        raw = orjson.loads(text)
    except ValueError:
        raise HomebodyError("this is no JSON, and no transcript") from None
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise HomebodyError(f"this is no {FORMAT} transcript")
    if raw.get("version") != VERSION:
        raise HomebodyError(f"a transcript of version {str(raw.get('version'))[:20]} is not known")
    given, seed, listed = raw.get("settings", {}), raw.get("seed", 0), raw.get("entries")
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise HomebodyError("the settings of a transcript are names and values")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise HomebodyError("the seed of a transcript is a whole number")
    if not isinstance(listed, list):
        raise HomebodyError("a transcript has a list of entries")
    if len(listed) > most:
        raise HomebodyError(f"a transcript has at most {most} entries")
    return read_settings(given), seed, [_entry(value) for value in listed]


def _entry(raw: Any) -> Entry:
    kinds = (int, str, str, int, str)
    fits = isinstance(raw, list) and len(raw) == len(kinds)
    if not fits or not all(type(a) is kind for a, kind in zip(raw, kinds, strict=True)):
        raise HomebodyError("an entry of a transcript is [clock, agent, call, cycle, planner]")
    clock, agent, call, cycle, planner = raw
    if cycle > 0 and planner not in (ROBOT, HUMAN, TEAM):  # each has so many cycles, and no more
        raise HomebodyError(f"there is no planner {printable(planner[:40])!r}")
    return Entry(clock, agent[:40], call[:MAX_CALL], cycle, planner[:40])


def printable(text: str) -> str:
    """A line of plain characters; what is none becomes a space."""
    return "".join(char if char.isprintable() else " " for char in text)
