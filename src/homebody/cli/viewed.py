"""Which runs are looked at: those in folders of results, and in logs, as they are now."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.core import Suite
    from homebody.results.viewing.runs import Log, Run

LOGS: Final = (".eval", ".jsonl")
"""What the names of logs, and of the journals of agents, end in."""
SUFFIX: Final = "_outputs.json"
"""What the names of files of outputs end in."""
PATIENCE: Final = 5.0
"""Seconds after which a log of a run that goes on is read again, even if its file is the same:
Inspect keeps samples elsewhere for a while."""


@dataclass
class Viewed:
    """What is looked at.

    Attributes:
        paths: Folders of results, logs, and folders of them.
        log_dir: Has logs of these runs, from which comes what was said, and of others that go on.
        suites: Name -> the suite that is meant by it, if it has other tasks.
    """

    paths: Sequence[Path]
    log_dir: Path | None = None
    suites: Mapping[str, Suite[Any]] = field(default_factory=dict)
    _known: dict[Path, tuple[object, Log | None]] = field(default_factory=dict, init=False)

    def read(self) -> tuple[list[Run], list[HomebodyError]]:
        """The runs as they are now, and what could not be read.

        Raises:
            HomebodyError: a path has no runs.
        """
        from homebody.evals.logs import read_log_identity
        from homebody.results.record import read_record
        from homebody.results.viewing.runs import read_runs

        folders = self._folders()
        wanted = set()
        for folder in folders:
            try:
                wanted.add(_run_key(read_record(folder).run))
            except HomebodyError:
                continue  # it is told of when it is read
        named = set(self._logs(self.paths))
        newest: dict[str, Log] = {}
        for path in sorted({*named, *self._logs([self.log_dir])}, key=_sort_key):
            run = read_log_identity(path)
            if run is None and path not in named:
                continue
            log = self._log(path)
            key = _run_key(log.run)
            if path in named or key in wanted or len(log.records) < log.total:
                newest[key] = log
        outputs = [file for path in self.paths for file in path.glob(f"[!.]*{SUFFIX}")]
        return read_runs(folders, newest.values(), self.suites, outputs)

    def stamp(self) -> str:
        """Something that is another one when there is something new."""
        files = [each for folder in self._folders() for each in folder.glob("*.json*")]
        files += self._logs([*self.paths, self.log_dir])
        going_on = any(
            log is not None and len(log.records) < log.total for _, log in self._known.values()
        )
        now = int(time.monotonic() / PATIENCE) if going_on else 0
        return json.dumps([now, [(str(file), _stamp(file)) for file in sorted(files)]])

    def _folders(self) -> list[Path]:
        """The folders of results. Raises HomebodyError if a path has neither these nor logs nor
        outputs, or all have outputs at most; but for folders while a run goes on."""
        from homebody.results.samples import find_result_folders

        found: list[Path] = []
        refused: list[HomebodyError] = []
        for path in self.paths:
            try:
                found += find_result_folders([path])
            except HomebodyError as error:
                if not any(self._logs([path])):
                    refused.append(error)
                    has_outputs = any(path.glob(f"[!.]*{SUFFIX}"))
                    if not (has_outputs or (path.is_dir() and self._is_begun())):
                        raise
        if not found and len(refused) == len(self.paths) and not self._is_begun():
            raise refused[0]
        return found

    def _is_begun(self) -> bool:
        """Whether a run goes on: what it is to write may not be there yet."""
        from homebody.evals.logs import read_log_identity

        logs = (self._log(path) for path in self._logs([self.log_dir]) if read_log_identity(path))
        return any(len(log.records) < log.total for log in logs)

    def _logs(self, paths: Sequence[Path | None]) -> Iterator[Path]:
        for path in paths:
            if path is None:
                continue
            if path.is_file() and path.suffix in LOGS:
                yield path
            elif path.is_dir():
                yield from (
                    file
                    for kind in LOGS
                    for file in path.glob(f"[!.]*{kind}")
                    if file.name != "samples.jsonl"
                )

    def _log(self, path: Path) -> Log:
        from homebody.evals.logs import read_log

        known, log = self._known.get(path, (None, None))
        is_new = known != _stamp(path)
        if log is None or is_new or len(log.records) < log.total:
            log = read_log(path)
            self._known[path] = _stamp(path), log
        return log


def _run_key(run: Mapping[str, Any]) -> str:
    """What makes a run the same as another one."""
    made = ("version", "data", "distribution")
    return json.dumps({key: run[key] for key in sorted(run) if key not in made}, default=str)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _sort_key(path: Path) -> tuple[int, str]:
    return _stamp(path)[0], str(path)
