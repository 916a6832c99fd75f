"""Find and pack outputs for submission to a benchmark's leaderboard.

A suite declares its part of a submission (:class:`homebody.core.suite.Submission`).
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from homebody.core import HomebodyError, Suite
from homebody.core.ground.files import make_folder, write_whole
from homebody.results.outputs import (
    SUFFIX,
    Output,
    encode_outputs,
    results_folder,
)
from homebody.results.record import NAME, read_record
from homebody.results.submission_checks import CheckedOutputs, list_benchmarks, submission_of
from homebody.suites import get_suite, list_members

MOST_FILES: Final = 10_000
"""Maximum number of folder entries searched for outputs."""
DEPTH: Final = 4
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""Timestamp of all files in an archive, so that the same files give the same bytes."""


def find_submitted_suites(name: str) -> tuple[Suite[Any], ...]:
    """Return the suites of a benchmark with a submission, or the suite of that name.

    Raises:
        HomebodyError: It does not exist.
    """
    group = list_members(name)
    if group:
        found = tuple(suite for suite in group if suite.published.submission is not None)
        if not found:
            raise HomebodyError(f"{name} has no submission", list_benchmarks())
        return found
    suite = get_suite(name)
    submission_of(suite)
    return (suite,)


def find_runs(
    paths: Iterable[Path], suites: Sequence[Suite[Any]], model: str | None = None
) -> dict[str, Path]:
    """Return a mapping from suite names to files of outputs. A file is identified by ``run.json``
    or by its name in a submission.

    Args:
        paths: Files of outputs, folders of results, or folders that contain them.
        suites: The suites to find.
        model: Only ``<model>_outputs.json`` if given.

    Raises:
        HomebodyError: No outputs were found, or several files of a suite.
    """
    wanted = {suite.name for suite in suites}
    named = {submission_of(suite).file: suite.name for suite in suites}
    found: dict[str, dict[Path, None]] = {}
    for path in paths:
        for file in _files(path):
            suite = named.get(file.name) or _suite_of(file)
            mine = model is None or results_folder(file).name == model
            if suite in wanted and (mine or file.name in named):
                found.setdefault(suite, {})[file.resolve()] = None
    for name, files in found.items():
        if len(files) > 1:
            listed = ", ".join(sorted(map(str, files))[:4])
            raise HomebodyError(
                f"there are {len(files)} runs of {name}: {listed}", "choose with --model NAME"
            )
    if not found:
        of = wanted.pop() if len(wanted) == 1 else "these suites"
        raise HomebodyError(
            f"there are no outputs of {of}", f"give what homebody run --out wrote, with its {NAME}"
        )
    return {name: next(iter(files)) for name, files in found.items()}


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise HomebodyError(f"file or folder not found: {path}")
    if (path / NAME).is_file():
        outputs = read_record(path).outputs.get("file", "")
        yield path.resolve().parent / Path(outputs).name
        return
    seen = 0
    for root, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if len(Path(root).relative_to(path).parts) >= DEPTH:
            folders.clear()
        seen += len(folders) + len(names)
        if seen > MOST_FILES:
            raise HomebodyError(f"{path} has more than {MOST_FILES:,} files", "name its runs")
        yield from (Path(root, name) for name in sorted(names) if name.endswith(SUFFIX))


def _suite_of(file: Path) -> str | None:
    """Return the suite of outputs according to ``run.json``; None if unknown."""
    try:
        record = read_record(results_folder(file))
    except HomebodyError:
        return None
    return record.suite if record.outputs.get("file") == file.name else None


def archive_of(parts: Iterable[CheckedOutputs]) -> bytes:
    """Return the archive of a submission; the same outputs give the same bytes."""
    files: dict[str, bytes] = {}
    for part in parts:
        submission, label = submission_of(part.suite), part.suite.published.output_id
        name_of = label or part.suite.tasks.identify
        outputs = [Output(name_of(task), text) for task, text, _ in part.answers]
        files[submission.file] = encode_outputs(outputs).encode()
        files |= submission.extra_files(part.answers)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:  # zlib differs by version
        for name, content in sorted(files.items()):
            info = zipfile.ZipInfo(name, _FIRST_DAY)
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, content)
    return packed.getvalue()


def write(path: Path, parts: Iterable[CheckedOutputs]) -> None:
    """Write a submission's archive atomically. Raises HomebodyError if it cannot be written."""
    content = archive_of(parts)
    make_folder(path.parent)
    write_whole(path, content)
