"""Episodes that people solved, by the results of a study (section 3.2 and appendix A.12).

In the paper, people try each task up to three times until it is solved, and eliminate tasks that
cannot be done. Here a study also lets them mark a task as infeasible or ambiguous.
"""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Final

from homebody.core import HomebodyError
from homebody.core.ground.files import read_bounded

MAX_BYTES: Final = 64 * 1024**2
COLUMNS: Final = ("participant", "task", "practice", "try", "solved", "mark")
"""The columns of ``homebody study results -f csv`` that are read."""
COMPLAINTS: Final = ("infeasible", "ambiguous")


@dataclass(slots=True)
class PeopleTally:
    """The outcome of one episode among people.

    Attributes:
        tried: Participants who tried it.
        solved: Participants who solved it in one of their tries.
        marks: Participant -> its mark.
    """

    tried: set[str] = field(default_factory=set)
    solved: set[str] = field(default_factory=set)
    marks: dict[str, str] = field(default_factory=dict)


def read_people(path: Path) -> dict[str, PeopleTally]:
    """Return the id of each episode with its tally, of a file of ``homebody study results -f csv``.
    Practice does not count. Raises HomebodyError if it is another file."""
    try:
        text = read_bounded(path, MAX_BYTES).decode()
        reader = csv.DictReader(StringIO(text, newline=""), strict=True)
        if not set(COLUMNS) <= set(reader.fieldnames or ()):
            raise ValueError(f"it needs the columns {', '.join(COLUMNS)}")
        rows = [[row[name] or "" for name in COLUMNS] for row in reader]
    except (ValueError, csv.Error) as error:
        raise HomebodyError(
            f"{path} has no results of a study: {error}",
            "homebody study results study.toml -f csv > results.csv",
        ) from None
    found: dict[str, PeopleTally] = {}
    for participant, task, practice, number, solved, mark in rows:
        if practice == "yes":
            continue
        tally = found.setdefault(task, PeopleTally())
        if number != "0":
            tally.tried.add(participant)
        if solved == "yes":
            tally.solved.add(participant)
        if mark in COMPLAINTS:
            tally.marks[participant] = mark
    return found


def find_complaint(tally: PeopleTally | None) -> str:
    """Return the reason why an episode is not kept; empty if it is.

    It is kept if somebody solved it, and if more participants solved it than marked it."""
    if tally is None or not tally.tried:
        return "nobody has tried it"
    counts = Counter(tally.marks.values())
    marked = [f"{counts[mark]} marked it as {mark}" for mark in COMPLAINTS if counts[mark]]
    if len(tally.solved) > len(tally.marks):
        return ""
    solved = f"{len(tally.solved)} of {len(tally.tried)} people solved it"
    return ", ".join([solved, *marked])
