"""The journal of a run without a model, see :mod:`~homebody.core.ground.journal`.

    {"format": "homebody-run", "version": 1, "run": {"suite": ..., "agent": ..., "epochs": 1, ...},
     "tasks": ["27_2", "29_1", ...]}
    {"id": "27_2", "epoch": 1, "output": "...", "score": {...}, "attempts": [...]}
    {"id": "29_1", "epoch": 1, "error": {"kind": "agent_error", "reason": ..., "traceback": ...}}

Its name depends on the identity of the run, so that the same run finds it. The journal of a
function also has a number, because another function may have the same name; no other call resumes
it. A sample may occur twice; the later line counts. A line that cannot be read is skipped and its
sample is run again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

from homebody.core import HomebodyError, SampleError, Score
from homebody.core.ground import journal
from homebody.core.ground.nesting import read_json
from homebody.core.score import ErrorKind
from homebody.evals.metadata import score_from_metadata, score_to_metadata
from homebody.evals.replanning import Attempt

Key: TypeAlias = tuple[str, int]
"""Task id and epoch."""


@dataclass(frozen=True, slots=True)
class ScoredSample:
    """A sample with a score."""

    output: str
    score: Score
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Journal:
    """The contents of a journal.

    Attributes:
        run: The identity of the run.
        tasks: Ids of its tasks, in order.
        scored: Samples with a score.
        errors: Samples without a score.
    """

    run: Mapping[str, Any]
    tasks: tuple[str, ...]
    scored: Mapping[Key, ScoredSample] = field(default_factory=dict)
    errors: Mapping[Key, SampleError] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        """True if all samples have a score."""
        return all(key in self.scored for key in self.keys)

    @property
    def keys(self) -> list[Key]:
        """All samples of the run, in order."""
        epochs = range(1, self.run["epochs"] + 1)
        return [(task, epoch) for task in self.tasks for epoch in epochs]


def journal_path(log_dir: Path, run: Mapping[str, Any]) -> Path:
    """Return the path of a run's journal."""
    digest = hashlib.sha256(json.dumps(run, sort_keys=True).encode()).hexdigest()[:8]
    words = f"{run['suite']}_{run['agent'] or run['model']}".replace(".", "_")
    return log_dir / f"{re.sub(r'[^A-Za-z0-9_-]+', '_', words)[:100]}_{digest}.jsonl"


def lock_run(log_dir: Path, run: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Lock a run in a folder. Raises HomebodyError if it is in progress already."""
    path = journal_path(log_dir, run)
    where = log_dir if run["agent"] is None else path
    return journal.lock_journal(path, f"this run is already in progress: {where}")


@contextmanager
def open_journal(
    log_dir: Path, run: Mapping[str, Any], tasks: Sequence[str], *, resume: bool, reuse: bool
) -> Iterator[tuple[Path, Journal]]:
    """Open and lock the journal of a run; yield its path and contents.

    A file with its name that belongs to another run or has other tasks is renamed.

    Args:
        log_dir: Folder of the journal.
        run: The identity of the run.
        tasks: Ids of its tasks.
        resume: Resume an incomplete journal; otherwise start a new one.
        reuse: Use a complete journal; otherwise start a new one.

    Raises:
        HomebodyError: The run is in progress already, or a file cannot be written.
    """
    path = journal_path(log_dir, run)
    with lock_run(log_dir, run):
        begun = find_journal(path, run, tasks)
        if begun is None and path.exists():
            _set_aside(path)
        if begun is not None and (reuse if begun.is_complete else resume):
            journal.repair(path)
        else:
            begun = begin_journal(path, run, tasks)
        yield path, begun


def new_journal(
    log_dir: Path, run: Mapping[str, Any], tasks: Sequence[str]
) -> tuple[Path, Journal]:
    """Start a journal with an unused name. Raises HomebodyError if it cannot be written."""
    usual = journal_path(log_dir, run)
    for number in count(1):
        path = usual.with_name(f"{usual.stem}_{number}.jsonl")
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        except OSError as error:
            raise HomebodyError(f"cannot write {path}: {error.strerror}") from error
        break
    return path, begin_journal(path, run, tasks)


def begin_journal(path: Path, run: Mapping[str, Any], tasks: Sequence[str]) -> Journal:
    """Start a journal, replacing one. Raises HomebodyError if it cannot be written."""
    journal.begin(path, FORMAT, {"run": run, "tasks": tasks})
    return Journal(run, tuple(tasks))


def find_journal(path: Path, run: Mapping[str, Any], tasks: Sequence[str]) -> Journal | None:
    """Read the journal of this run and these tasks; None if it does not exist."""
    try:
        begun = read_journal(path)
    except HomebodyError:
        return None
    return begun if (begun.run, begun.tasks) == (run, tuple(tasks)) else None


def _set_aside(path: Path) -> None:
    """Rename a file so that its contents are not lost."""
    names = (path.with_name(f"{path.name}.{number}.old") for number in count(1))
    path.rename(next(name for name in names if not name.exists()))


def read_journal(path: Path) -> Journal:
    """Read a journal. Raises HomebodyError if the file is not a journal of a run."""
    begun, lines = journal.read(path, FORMAT)
    scored: dict[Key, ScoredSample] = {}
    errors: dict[Key, SampleError] = {}
    keys = set(begun.keys)
    for key, sample in lines:
        if key in keys:
            scored.pop(key, None)
            errors.pop(key, None)
            if isinstance(sample, ScoredSample):
                scored[key] = sample
            elif sample is not None:
                errors[key] = sample
    return replace(begun, scored=scored, errors=errors)


def read_journal_identity(path: Path) -> Mapping[str, Any] | None:
    """Return the identity of the run of a journal; None if the file is not a journal."""
    try:
        return journal.read(path, FORMAT)[0].run
    except HomebodyError:
        return None


def _read_header(raw: Mapping[str, Any]) -> Journal:
    run = raw["run"]
    if not isinstance(run, dict) or type(run.get("epochs")) is not int:
        raise ValueError("its header names no run")
    return Journal(run, tuple(raw["tasks"]))


def _read_line(line: bytes) -> tuple[Key, ScoredSample | SampleError | None]:
    """Read a sample and its result; the result is None if the line cannot be read."""
    try:
        raw = read_json(line)
        key = (str(raw["id"]), int(raw["epoch"]))
        if "error" in raw:
            return key, _read_error(key, raw["error"])
        attempts = tuple(map(Attempt.from_json, raw.get("attempts", ())))
        return key, ScoredSample(str(raw["output"]), score_from_metadata(raw["score"]), attempts)
    except (ValueError, KeyError, TypeError, AttributeError):
        return ("", 0), None


def _read_error(key: Key, raw: Mapping[str, Any]) -> SampleError:
    if raw["kind"] not in get_args(ErrorKind):
        raise ValueError("no kind of error")
    return SampleError(*key, raw["kind"], str(raw["reason"]), str(raw["traceback"]))


FORMAT: Final = journal.JournalFormat(
    "homebody-run", 1, _read_header, _read_line, again="homebody run starts it again"
)


def scored_line(key: Key, scored: ScoredSample) -> bytes:
    """Return the line of a sample with a score."""
    raw: dict[str, Any] = {
        "id": key[0],
        "epoch": key[1],
        "output": scored.output,
        "score": score_to_metadata(scored.score),
    }
    if scored.attempts:
        raw["attempts"] = [attempt.to_json() for attempt in scored.attempts]
    return json.dumps(raw).encode() + b"\n"  # not orjson: it refuses lone surrogates


def error_line(error: SampleError) -> bytes:
    """Return the line of a sample without a score."""
    raw = {"id": error.identifier, "epoch": error.epoch, "error": error.record["error"]}
    return json.dumps(raw).encode() + b"\n"
