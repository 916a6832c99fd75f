"""The released tasks of ET-Plan-Bench: seven files of JSON lines, with criteria and plans.

Their VirtualHome scenes were not released. They are read and audited
(:mod:`homebody.suites.etplan.audit`), and some can be played in other scenes
(:mod:`homebody.authoring.etplan.released_tasks`). No part of them comes with homebody."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from homebody.core import Action, HomebodyError
from homebody.core.ground.escaping import escape
from homebody.core.ground.files import read_bounded
from homebody.core.ground.nesting import check_depth
from homebody.goals.etplan import Criterion, read_criterion

FILES: Final[Mapping[str, str]] = {
    "navigation_tasks": "navigation",
    "navigation_tasks_with_spatial_constraint": "navigation-relation",
    "navigation_and_manipulation_tasks": "manipulation",
    "navigation_and_manipulation_tasks_with_spatial_constraint": "manipulation-relation",
    "navi_and_mani_multi_one_arm": "several",
    "navi_and_mani_multi_two_arm": "several-two-arms",
    "navigation_and_manipulation_tasks_with_temporal_constraint": "temporal",
}
"""File, without ``.json`` -> its row of table 2."""
MOST_BYTES: Final = 10 * 1024**2
MOST_TASKS: Final = 20_000
"""Maximum number of tasks of a file. The largest file has 714."""
MOST_STEPS: Final = 200

_STEP: Final = re.compile(
    r"<char0> \[([a-z]{1,20})\] <([a-z]{1,60})> \(([0-9]{1,9})\)"
    r"(?: <([a-z]{1,60})> \(([0-9]{1,9})\))?"
)
VERBS: Final[Mapping[str, tuple[str, str]]] = {
    "walk": ("Navigate", ""),
    "open": ("Open", ""),
    "close": ("Close", ""),
    "grab": ("Pick", ""),
    "put": ("Place", "on"),
    "putin": ("Place", "within"),
}
"""Verb of a released step -> our action, and the relation of a placement."""


@dataclass(frozen=True, slots=True)
class ReleasedTask:
    """A released task.

    Attributes:
        file: A key of :data:`FILES`.
        line: Line of the file, from 1.
        text: The instruction as written.
        criterion: The criterion as written. :func:`homebody.goals.etplan.add_stages` converts it to
            the form of table 5.
        scene: Number of the VirtualHome scene.
        plan: The ground truth, with objects such as ``apple_437``: class and number in the scene.
    """

    file: str
    line: int
    text: str
    criterion: Criterion
    scene: int
    plan: tuple[Action, ...]

    @property
    def row(self) -> str:
        """The row of table 2."""
        return FILES[self.file]

    @property
    def id(self) -> str:
        """Row and line, such as ``navigation:12``."""
        return f"{self.row}:{self.line}"


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    task: str
    task_completion_criterion: str
    env_id: int
    ground_truth_plan: list[str]


def read_released(folder: Path) -> tuple[ReleasedTask, ...]:
    """Return all released tasks, in the order of the files and their lines.

    Args:
        folder: Folder of the seven files.

    Raises:
        HomebodyError: A file is missing, or a line is no task; the message gives its number.
    """
    return tuple(task for file in FILES for task in _read_file(folder, file))


def _read_file(folder: Path, file: str) -> list[ReleasedTask]:
    path = folder / f"{file}.json"
    try:
        lines = read_bounded(path, MOST_BYTES).splitlines()
    except HomebodyError as error:
        raise HomebodyError(
            f"{path}: {error}",
            "name the folder with the seven released files, such as navigation_tasks.json",
        ) from None
    if len(lines) > MOST_TASKS:
        raise HomebodyError(f"{path.name} has more than {MOST_TASKS:,} lines")
    tasks = []
    for number, line in enumerate(lines, 1):
        try:
            tasks.append(_read_task(file, number, line))
        except (ValueError, msgspec.MsgspecError, HomebodyError) as error:
            raise HomebodyError(f"{path.name}, line {number}: {error}") from None
    return tasks


def _read_task(file: str, number: int, line: bytes) -> ReleasedTask:
    check_depth(line)
    raw = msgspec.json.decode(line, type=_Line)
    if not 1 <= len(raw.ground_truth_plan) <= MOST_STEPS:
        raise HomebodyError(f"a plan has 1 to {MOST_STEPS} steps")
    return ReleasedTask(
        file,
        number,
        raw.task,
        read_criterion(raw.task_completion_criterion),
        raw.env_id,
        tuple(map(read_step, raw.ground_truth_plan)),
    )


def read_step(text: str) -> Action:
    """Return a step of a released plan as an action.

    ``<char0> [walk] <kitchen> (205)`` becomes ``Navigate(kitchen_205)``.

    Raises:
        HomebodyError: The text is not a step.
    """
    found = _STEP.fullmatch(text)
    name, how = VERBS.get(found[1], ("", "")) if found else ("", "")
    if found is None or not name or bool(how) != bool(found[4]):
        raise HomebodyError(f"{escape(text, 100)!r} is not a step of a plan")
    first = f"{found[2]}_{found[3]}"
    return Action(name, (first, how, f"{found[4]}_{found[5]}") if how else (first,))


def class_of(name: str) -> str:
    """Return the class of an object in a released plan."""
    return name.rpartition("_")[0] or name
