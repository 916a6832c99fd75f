"""What a run without a model has done: a file of JSON lines that only grows.

    {"format": "homebody-run", "version": 1, "run": {"suite": ..., "agent": ..., "epochs": 1, ...},
     "tasks": ["27_2", "29_1", ...]}
    {"id": "27_2", "epoch": 1, "output": "...", "score": {...}, "attempts": [...]}
    {"id": "29_1", "epoch": 1, "error": "Traceback ..."}

Its name hangs on what makes the run this run, so that the same run finds it. A sample may stand in
it twice; the later line counts.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from homebody.core import HomebodyError, Score
from homebody.core.files import append, mend
from homebody.evals.metadata import score_from_metadata, score_to_metadata
from homebody.evals.replanning import Attempt

FORMAT: Final = "homebody-run"
VERSION: Final = 1
Key: TypeAlias = tuple[str, int]
"""Task id and epoch."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A sample that has its score."""

    output: str
    score: Score
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskError:
    """A sample that ended in an exception, which is a mistake in an agent or in homebody.

    Attributes:
        identifier: The task's id.
        epoch: From 1.
        traceback: Where and why.
    """

    identifier: str
    epoch: int
    traceback: str

    @property
    def reason(self) -> str:
        """The exception, in one line."""
        return self.traceback.strip().rpartition("\n")[2]


@dataclass(frozen=True, slots=True)
class Journal:
    """What stands in a file.

    Attributes:
        run: What makes the run this run.
        tasks: Ids of its tasks, in order.
        scored: Samples that are done.
        errors: Those that ended in an exception.
    """

    run: Mapping[str, Any]
    tasks: tuple[str, ...]
    scored: Mapping[Key, Scored] = field(default_factory=dict)
    errors: Mapping[Key, TaskError] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether all is done."""
        return all(key in self.scored for key in self.keys)

    @property
    def keys(self) -> list[Key]:
        """All samples of the run, in order."""
        epochs = range(1, self.run["epochs"] + 1)
        return [(task, epoch) for task in self.tasks for epoch in epochs]


def journal_path(log_dir: Path, run: Mapping[str, Any]) -> Path:
    """Where the journal of a run is, or would be."""
    digest = hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:8]
    words = f"{run['suite']}_{run['agent']}".replace(".", "_")
    return log_dir / f"{re.sub(r'[^A-Za-z0-9_-]+', '_', words)[:100]}_{digest}.jsonl"


def begin_journal(path: Path, run: Mapping[str, Any], tasks: Sequence[str]) -> Journal:
    """Begin a journal, in place of one that may be there."""
    header = {"format": FORMAT, "version": VERSION, "run": run, "tasks": tasks}
    path.unlink(missing_ok=True)
    append(path, json.dumps(header).encode() + b"\n")
    return Journal(run, tuple(tasks))


def find_journal(path: Path, run: Mapping[str, Any]) -> Journal | None:
    """The journal of a run that was begun before; None if there is none, or that file is none."""
    if not path.exists():
        return None
    mend(path)
    try:
        journal = read_journal(path)
    except HomebodyError:
        return None
    return journal if journal.run == run else None


def read_journal(path: Path) -> Journal:
    """What a run has done so far. Raises HomebodyError if a file is no journal."""
    scored: dict[Key, Scored] = {}
    errors: dict[Key, TaskError] = {}
    try:
        with path.open("rb") as file:
            header = json.loads(next(file, b""))
            if header["format"] != FORMAT or header["version"] != VERSION:
                raise ValueError("its first line is another one's")
            for line in file:
                if not line.endswith(b"\n"):
                    break  # a run that still goes on
                raw = json.loads(line)
                key = (raw["id"], raw["epoch"])
                if "error" in raw:
                    errors[key] = TaskError(*key, raw["error"])
                else:
                    errors.pop(key, None)
                    scored[key] = _scored(raw)
        return Journal(header["run"], tuple(header["tasks"]), scored, errors)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise HomebodyError(f"cannot read {path}, which is no journal of a run: {error}") from error


def _scored(raw: Mapping[str, Any]) -> Scored:
    attempts = tuple(map(Attempt.from_json, raw.get("attempts", ())))
    return Scored(raw["output"], score_from_metadata(raw["score"]), attempts)


def scored_line(key: Key, scored: Scored) -> bytes:
    """The line of a sample that is done."""
    raw: dict[str, Any] = {
        "id": key[0],
        "epoch": key[1],
        "output": scored.output,
        "score": score_to_metadata(scored.score),
    }
    if scored.attempts:
        raw["attempts"] = [attempt.to_json() for attempt in scored.attempts]
    return json.dumps(raw).encode() + b"\n"  # not orjson: it refuses lone surrogates


def error_line(key: Key, traceback: str) -> bytes:
    """The line of a sample that ended in an exception."""
    return json.dumps({"id": key[0], "epoch": key[1], "error": traceback}).encode() + b"\n"
