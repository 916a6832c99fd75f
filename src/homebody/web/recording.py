"""Files of outputs of played games, in the format of models' outputs.

DIR/partnr.val/expert+person_outputs.json
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.core.ground.files import make_folder, write_whole
from homebody.core.ground.nesting import read_json
from homebody.results.outputs import SUFFIX, safe_name
from homebody.web.game_journal import Header

SESSION: Final = "session"
"""Key in an output for the name of its game."""


def players_name(seats: Mapping[str, str]) -> str:
    """Return a name for the players: ``person`` alone, else ``human=person+robot=expert``."""
    if len(seats) == 1:
        return next(iter(seats.values()))
    return "+".join(f"{role}={kind}" for role, kind in sorted(seats.items()))


def outputs_file(folder: Path, header: Header) -> Path:
    """Return the file of a game's output."""
    return folder / header.suite / f"{safe_name(players_name(header.seats))}{SUFFIX}"


def read_recorded(file: Path) -> list[dict[str, Any]]:
    """Return the outputs of a file, if any; raise HomebodyError if it is damaged."""
    if not file.exists():
        return []
    try:
        entries = read_json(file.read_bytes())
    except (OSError, ValueError) as error:
        raise HomebodyError(f"cannot read {file}: {error}") from error
    return entries if isinstance(entries, list) else []


def record(folder: Path, suite: Suite[Any], header: Header, transcript: str) -> None:
    """Add the output of a finished game to its file, once; not safe in several threads."""
    file = outputs_file(folder, header)
    label = suite.published.output_id
    identifier = header.task if label is None else label(suite.task(header.task, CORRECTED))
    entries = read_recorded(file)
    if any(entry.get(SESSION) == header.session for entry in entries):
        return
    entry = {"identifier": identifier, "llm_output": transcript, SESSION: header.session}
    make_folder(file.parent)
    _write(file, [*entries, entry])


def forget(folder: Path, header: Header) -> None:
    """Remove the output of a game from its file; raise HomebodyError if that fails."""
    file = outputs_file(folder, header)
    entries = read_recorded(file)
    left = [entry for entry in entries if entry.get(SESSION) != header.session]
    if left:
        _write(file, left)
    else:
        file.unlink(missing_ok=True)


def _write(file: Path, entries: list[dict[str, Any]]) -> None:
    write_whole(file, orjson.dumps(entries, option=orjson.OPT_INDENT_2))
