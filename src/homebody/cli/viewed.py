"""The runs that `view` and `report` show: folders of results and logs, as they are now."""

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
"""Suffixes of logs and of agents' journals."""
SUFFIX: Final = "_outputs.json"
"""Suffix of files of outputs."""
PATIENCE: Final = 5.0
"""Seconds after which the log of a run in progress is read again even if its file is unchanged,
because Inspect buffers samples elsewhere."""


@dataclass
class Viewed:
    """The runs to show.

    Attributes:
        paths: Folders of results, logs, and folders that contain them.
        log_dir: Folder with the logs of these runs, which contain the conversations, and of runs in
            progress.
        suites: Name -> the suite to use instead of the installed suite, if its tasks come from a
            file.
    """

    paths: Sequence[Path]
    log_dir: Path | None = None
    suites: Mapping[str, Suite[Any]] = field(default_factory=dict)
    _known: dict[Path, tuple[object, Log | None]] = field(default_factory=dict, init=False)

    def read(self) -> tuple[list[Run], list[HomebodyError]]:
        """Return the runs as they are now, and errors for those that cannot be read.

        Raises:
            HomebodyError: A path has no runs.
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
                continue  # reported when it is read
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
        """Return a value that changes whenever a run changes."""
        files = [each for folder in self._folders() for each in folder.glob("*.json*")]
        files += self._logs([*self.paths, self.log_dir])
        in_progress = any(
            log is not None and len(log.records) < log.total for _, log in self._known.values()
        )
        now = int(time.monotonic() / PATIENCE) if in_progress else 0
        return json.dumps([now, [(str(file), _stamp(file)) for file in sorted(files)]])

    def _folders(self) -> list[Path]:
        """Find the folders of results. Empty folders are allowed while a run is in progress.

        Raises:
            HomebodyError: A path has no results, logs or outputs, or all paths have only outputs.
        """
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
                    if not (has_outputs or (path.is_dir() and self._has_run_in_progress())):
                        raise
        if not found and len(refused) == len(self.paths) and not self._has_run_in_progress():
            raise refused[0]
        return found

    def _has_run_in_progress(self) -> bool:
        """Return whether a run is in progress, so that its results may not be written yet."""
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
    """Return a key of a run that does not depend on the versions of homebody and its data."""
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
