"""A task: the instruction, its home, the start pose and the shortest plan."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from homebody.core import Action, HomebodyError
from homebody.core.ground.files import read_bounded, sha256
from homebody.core.ground.json_lines import decode_lines, encode_lines
from homebody.core.ground.sharing import never_changes
from homebody.core.play.transcript import read_call
from homebody.goals.etplan import ROBOT, Criterion, read_criterion
from homebody.suites.etplan.rows import ROWS, Row
from homebody.suites.etplan.scenes import graph, keep
from homebody.worlds.house.model.bounds import Name, Seed
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.recipe import VERSIONS
from homebody.worlds.virtualhome.scene_graph import read_graph, write_graph

MAX_BYTES: Final = 64 * 1024**2

Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
"""Digest of a scene graph (:attr:`.SceneGraph.digest`)."""
MAX_NAME: Final = 80
_Text = Annotated[str, Meta(min_length=1, max_length=2_000)]
_Metres = Annotated[float, Meta(ge=0.0, le=1e4)]


@never_changes
class EtplanTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task, and a line of a file of tasks.

    Attributes:
        id: Unique in its row, such as ``navigation-40-7``.
        row: The row of the task; a row with a layout map has the same tasks as the row without.
        house: Seed of the home, or digest of the scene graph.
        start: The robot's first pose: x and y in metres, and yaw in degrees; in a scene graph the
            room.
        instruction: The instruction.
        criterion: The goal (table 5), over classes of objects, as text.
        plan: The shortest plan: actions on objects of this house.
        metres: Length of the robot's walks in that plan.
        volume: Volume in litres of the object to find. Small objects are hard to find.
        away: Distance in metres along the path from the start to the nearest of the right objects.
            Far objects are hard to find.
        hidden: True if none of the right objects is seen on entering its room.
        most_actions: Limit of actions; 0 for the limit of the row.
        twin: The task of the row without occlusion, or with one hand, to which this task is
            compared; empty without one.
    """

    id: Name
    row: Name
    house: Seed | Digest
    start: tuple[float, float, float] | str  # msgspec crashes if the text has a bound here
    instruction: _Text
    criterion: _Text
    plan: Annotated[tuple[_Text, ...], Meta(min_length=1, max_length=100)]
    metres: _Metres = 0.0
    volume: Annotated[float, Meta(ge=0.0, le=1e7)] = 0.0
    away: _Metres = 0.0
    hidden: bool = False
    most_actions: Annotated[int, Meta(ge=0, le=1_000)] = 0
    twin: Annotated[str, Meta(max_length=80)] = ""

    def __post_init__(self) -> None:
        if self.row not in ROWS:
            raise ValueError(f"unknown row: {self.row!r}")
        if isinstance(self.house, str) != isinstance(self.start, str):
            raise ValueError(
                "a task in a house starts at a pose, and a task in a scene graph in a room"
            )
        if len(self.start) > MAX_NAME:
            raise ValueError(f"{self.start[:40]!r}... is not a room")
        read_criterion(self.criterion)
        for step in self.plan:
            action = read_call(step)
            if action is None or not action.args:
                raise ValueError(f"this step has no action with an object: {step[:80]!r}")

    @property
    def limit(self) -> int:
        """Limit of actions."""
        return self.most_actions or ROWS[self.row].most_actions

    @property
    def goal(self) -> Criterion:
        """The goal."""
        return read_criterion(self.criterion)

    @property
    def reference(self) -> tuple[Action, ...]:
        """The shortest plan."""
        return tuple(action for step in self.plan if (action := read_call(step)) is not None)


def encode_tasks(tasks: Sequence[EtplanTask], *, packed: bool) -> bytes:
    """Encode scene graphs and tasks as a file's content: the same tasks, the same bytes."""
    digests = dict.fromkeys(task.house for task in tasks if isinstance(task.house, str))
    graphs = b"".join(write_graph(graph(each)) + b"\n" for each in digests)
    lines = graphs + encode_lines(tasks)
    return gzip.compress(lines, 9, mtime=0) if packed else lines


def decode_tasks(data: bytes) -> tuple[EtplanTask, ...]:
    """Return the tasks of a file and keep its scene graphs. Raises HomebodyError."""
    decoder = msgspec.json.Decoder(EtplanTask)

    def read(line: bytes) -> EtplanTask | None:
        if line.startswith(b'{"nodes"'):
            keep(read_graph(line))
            return None
        return decoder.decode(line)

    return tuple(task for task in decode_lines(data, read) if task is not None)


def read_tasks(row: Row, path: Path) -> tuple[EtplanTask, ...]:
    """Return the tasks of a row in a file.

    Raises:
        HomebodyError: The file is invalid, two tasks have the same id, or a criterion names a class
            that is not in the catalogue.
    """
    return tuple(task for task in _decode(read_bounded(path, MAX_BYTES)) if task.row == row.tasks)


@lru_cache(1)
def _decode(data: bytes) -> tuple[EtplanTask, ...]:
    tasks = decode_tasks(data)
    known = catalogue()
    classes = {ROBOT, *known.rooms, *known.furniture, *known.things}
    seen: set[tuple[str, str]] = set()
    for task in tasks:
        if (task.row, task.id) in seen:
            raise HomebodyError(f"{task.row} has two tasks with the id {task.id}")
        seen.add((task.row, task.id))
        unknown = set(task.goal.classes) - classes if isinstance(task.house, int) else ()
        if unknown:
            raise HomebodyError(
                f"the criterion of {task.id} names {min(unknown)[:80]!r}, which no home has",
                "use classes of docs/reference/houses/catalogue.md",
            )
    return tasks


@cache
def load(split: str) -> dict[str, tuple[EtplanTask, ...]]:
    """Return row -> tasks of a split. Raises HomebodyError if its file is missing or invalid."""
    rows: dict[str, list[EtplanTask]] = {}
    with resources.as_file(_folder() / f"{split}.jsonl.gz") as path:
        if not path.is_file():
            raise HomebodyError(
                f"the tasks of the split {split[:40]} are missing: {path}",
                f"make them and put them there: homebody etplan generate FILE --split {split}",
            )
        for task in decode_tasks(read_bounded(path, MAX_BYTES)):
            rows.setdefault(task.row, []).append(task)
    return {row: tuple(tasks) for row, tasks in rows.items()}


@cache
def versions() -> dict[str, str]:
    """Return the versions of the tasks' data: the digest of their file, and those of houses."""
    with resources.as_file(_folder() / "test.jsonl.gz") as path:
        digest = sha256(path)[:16] if path.is_file() else "none"
    return {"etplan": digest, **VERSIONS}


def _folder() -> Traversable:
    return resources.files("homebody.suites.etplan") / "data"
