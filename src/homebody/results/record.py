"""``run.json``: the origin of the results beside it (``samples.jsonl``, ``summary.json``).

    {"format": "homebody-results", "version": 1, "suite": ..., "protocol": "corrected",
     "homebody": "0.1.0", "data": {"eai-eval": "1.0.5"}, "run": {"agent": "oracle", "seed": 0, ...},
     "samples": 342, "files": {"samples.jsonl": "<sha256>", "summary.json": "<sha256>"},
     "outputs": {"file": "oracle_outputs.json", "sha256": ...}}

It is written last, so matching digests prove that the files belong together. In a new folder it is
also written first, without digests, to reserve the folder for its run (:func:`claim`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from homebody._version import __version__
from homebody.core import HomebodyError, Protocol, Suite
from homebody.core.ground.escaping import escape
from homebody.core.ground.files import make_folder, sha256, write_whole
from homebody.core.ground.nesting import read_json
from homebody.core.ground.user_errors import version_hint
from homebody.results.prompt_versions import FIRST, PROMPT_VERSION
from homebody.suites import distribution_of

FORMAT: Final = "homebody-results"
VERSION: Final = 1
NAME: Final = "run.json"
MAX_BYTES: Final = 16 << 20
"""Maximum size of a record: a run may name thousands of tasks."""
_FILES: Final = ("samples.jsonl", "summary.json")
_UNWRITTEN: Final = "not written yet"
"""Placeholder for a digest; no file has it."""
_VERSIONS: Final = ("version", "distribution", "data")
"""Parts of a run's identity that may change when the same run is repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """The contents of ``run.json``.

    Attributes:
        suite: Name of the suite.
        protocol: Name of the protocol.
        homebody: Version of homebody.
        data: Name -> version of the tasks' data: ``{"eai-eval": "1.0.5"}``.
        run: The identity of the run: model or agent, options and ``prompt_version``. For outputs
            that were only scored, the options of scoring.
        samples: Number of lines in ``samples.jsonl``.
        files: Name of a file beside it -> its sha256, in hexadecimal.
        outputs: ``file`` and ``sha256`` of the judged outputs, if they are in a file.
        distribution: Package and version of a suite that is not homebody's.
        unscored: Number of samples without a score.
    """

    format: str
    version: int
    suite: str
    protocol: str
    homebody: str
    data: dict[str, str]
    run: dict[str, Any]
    samples: int
    files: dict[str, str]
    outputs: dict[str, str] = field(default_factory=dict)
    distribution: str = ""
    unscored: int = 0


class _Head(msgspec.Struct):
    format: str
    version: int


def write_record(
    folder: Path,
    suite: Suite[Any],
    protocol: Protocol,
    *,
    samples: int,
    unscored: int,
    run: Mapping[str, Any],
    outputs: Path | None,
) -> None:
    """Write ``run.json`` for finished results.

    Args:
        folder: Folder of ``samples.jsonl`` and ``summary.json``.
        suite: The suite.
        protocol: The protocol.
        samples: Number of samples.
        unscored: Number of samples without a score.
        run: The identity of the run.
        outputs: The file of judged outputs, if there is one.

    Raises:
        HomebodyError: A file cannot be read or written.
    """
    record = _record(
        suite, protocol, samples, run, {name: _digest(folder / name) for name in _FILES}
    )
    if unscored:
        record["unscored"] = unscored
    if outputs is not None:
        record["outputs"] = {"file": outputs.name, "sha256": _digest(outputs)}
    write_whole(folder / NAME, json.dumps(record, indent=4))


def _record(
    suite: Suite[Any],
    protocol: Protocol,
    samples: int,
    run: Mapping[str, Any],
    files: Mapping[str, str],
) -> dict[str, Any]:
    other = distribution_of(suite.name)
    return {
        "format": FORMAT,
        "version": VERSION,
        "suite": suite.name,
        "protocol": protocol.name,
        "homebody": __version__,
        "data": dict(suite.tasks.data()),
        "run": dict(run),
        "samples": samples,
        "files": dict(files),
        **({} if other is None else {"distribution": other}),
    }


def is_run(run: Mapping[str, Any]) -> bool:
    """Return whether a model or agent was run. False if existing outputs were scored."""
    return "model" in run or "agent" in run


def claim(folder: Path, suite: Suite[Any], protocol: Protocol, run: Mapping[str, Any]) -> None:
    """Reserve a new folder for a run's results, so that the run may write there again if killed.

    Raises:
        HomebodyError: The folder cannot be written.
    """
    make_folder(folder)
    if not (folder / NAME).exists():
        record = _record(suite, protocol, 0, run, dict.fromkeys(_FILES, _UNWRITTEN))
        write_whole(folder / NAME, json.dumps(record, indent=4))


def check_place(
    folder: Path,
    suite: str,
    protocol: str,
    run: Mapping[str, Any],
    outputs: Path | None = None,
) -> None:
    """Check that this does not overwrite results of another run.

    The same run may replace its own results, whatever the version of homebody and its data.

    Args:
        folder: Folder of the results to write.
        suite: Name of the suite.
        protocol: Name of the protocol.
        run: The identity of the run.
        outputs: The file of outputs to write, if any.

    Raises:
        HomebodyError: They would be overwritten; the message says what differs.
    """
    hint = f"give another --out, or remove {folder}"
    hint += f" and {outputs}" if outputs is not None and outputs.exists() else ""
    if folder.exists() and not folder.is_dir():
        raise HomebodyError(f"{folder} is a file, but must be a folder of results", hint)
    if (folder / NAME).exists():
        try:
            existing = read_record(folder)
        except HomebodyError as error:
            raise HomebodyError(f"results would be overwritten: {error}", hint) from error
        first = {PROMPT_VERSION: FIRST}
        now = {**first, "suite": suite, "protocol": protocol, **json.loads(json.dumps(dict(run)))}
        before = {**first, "suite": existing.suite, "protocol": existing.protocol, **existing.run}
        if differing := _describe_differences(before, now):
            raise HomebodyError(f"{folder} has results of another run: {differing}", hint)
        return
    for path in (*(folder / name for name in _FILES), outputs):
        if path is not None and path.exists():
            raise HomebodyError(f"{path} would be overwritten, and its run is unknown", hint)


def _describe_differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Describe how two runs differ: ``limit 3 there, none here``; empty if they do not."""

    def value_in(run: Mapping[str, Any], name: str) -> str:
        return "none" if run.get(name) is None else escape(run[name], 100)

    return "; ".join(
        f"{name} {value_in(before, name)} there, {value_in(now, name)} here"
        for name in dict.fromkeys([*before, *now])
        if name not in _VERSIONS and before.get(name) != now.get(name)
    )


def read_record(folder: Path) -> RunRecord:
    """Read the ``run.json`` of a folder.

    Raises:
        HomebodyError: It does not exist, is damaged, or it has another version.
    """
    path = folder / NAME
    again = "remove the folder, then write it again by homebody run or homebody score with --out"
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise HomebodyError(f"{path} is larger than {MAX_BYTES >> 20} MiB", again)
        document = read_json(data)  # msgspec's reader refuses names that are not UTF-8
        head = msgspec.convert(document, _Head)
        if head.format != FORMAT:
            raise HomebodyError(f"{path} was not written by homebody", again)
        if head.version != VERSION:
            raise HomebodyError(
                f"{path} has version {head.version}; this homebody reads version {VERSION}",
                version_hint(head.version, VERSION, again),
            )
        return msgspec.convert(document, RunRecord)
    except FileNotFoundError:
        raise HomebodyError(
            f"{folder} has no {NAME}: its results are from an older homebody or unfinished",
            again,
        ) from None
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise HomebodyError(f"{path} is damaged: {error}", again) from error


def find_mismatches(folder: Path, record: RunRecord) -> list[str]:
    """Return the files that have changed since the record was written.

    The file of outputs is checked if it is beside the folder, where a run writes it.
    """
    beside = folder.resolve().parent / Path(record.outputs.get("file", "")).name
    digests = {folder / Path(name).name: digest for name, digest in record.files.items()}
    if record.outputs and beside.is_file():
        digests[beside] = record.outputs.get("sha256", "")
    return [str(path) for path, digest in digests.items() if _digest(path) != digest]


def is_mismatched(outputs: Path, results: Path) -> bool:
    """Return whether the results in a folder belong to other outputs than this file.

    The result is False if this is unknown.
    """
    try:
        record = read_record(results)
    except HomebodyError:
        return False
    return record.outputs.get("file") == outputs.name and str(
        results.resolve().parent / outputs.name
    ) in find_mismatches(results, record)


def check_suite(outputs: Path, results: Path, suite: str) -> None:
    """Raise HomebodyError if ``run.json`` says that a run wrote these outputs for another suite."""
    try:
        record = read_record(results)
    except HomebodyError:
        return
    other = is_run(record.run) and record.suite != suite
    its = {"file": outputs.name, "sha256": _digest(outputs)} if other else {}
    if other and its == record.outputs:
        raise HomebodyError(
            f"{outputs} has outputs of {record.suite}, not of {suite}, as {results / NAME} says"
        )


def _digest(path: Path) -> str:
    """Return the sha256 of a file; empty if the file does not exist.

    Raises:
        HomebodyError: It cannot be read.
    """
    return sha256(path) if path.is_file() else ""
