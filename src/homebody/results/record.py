"""What results were made with: ``run.json``, beside ``samples.jsonl`` and ``summary.json``.

    {"format": "homebody-results", "version": 1, "suite": ..., "protocol": "corrected",
     "homebody": "0.1.0", "data": {"eai-eval": "1.0.5"}, "run": {"agent": "oracle", "seed": 0, ...},
     "samples": 342, "files": {"samples.jsonl": "<sha256>", "summary.json": "<sha256>"},
     "outputs": {"file": "oracle_outputs.json", "sha256": ...}}

It is written last. So whoever finds it, and in it the digests of the files beside it, has results
that belong together; who does not was left with those of two runs by a kill or a full disk.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from homebody._version import __version__
from homebody.core import HomebodyError, Protocol, Suite
from homebody.core.errors import other_version
from homebody.core.files import write_whole
from homebody.core.nesting import read_json
from homebody.suites import distribution_of

FORMAT: Final = "homebody-results"
VERSION: Final = 1
NAME: Final = "run.json"
MAX_BYTES: Final = 16 << 20
"""Of a record: a run may have thousands of tasks chosen by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """What stands in ``run.json``.

    Attributes:
        suite: What the outputs are of.
        protocol: How they were judged.
        homebody: The version that did.
        data: What the tasks were made of, and its version: ``{"eai-eval": "1.0.5"}``.
        run: What makes the run this run: who answered, with which options; of outputs that were
            only scored, how.
        samples: How many lines ``samples.jsonl`` has.
        files: Name of a file beside it -> its sha256, in hexadecimal.
        outputs: ``file`` and ``sha256`` of the outputs that were judged, if they are in a file.
        distribution: The package and version of a suite that is not homebody's.
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


class _Head(msgspec.Struct):
    format: str
    version: int


def write_record(
    folder: Path,
    suite: Suite[Any],
    protocol: Protocol,
    *,
    samples: int,
    run: Mapping[str, Any],
    outputs: Path | None,
) -> None:
    """Write what the results in a folder were made with, when they are there.

    Args:
        folder: Where ``samples.jsonl`` and ``summary.json`` are.
        suite: What the outputs are of.
        protocol: How they were judged.
        samples: How many there are.
        run: What makes the run this run.
        outputs: The file of what was judged, if there is one.

    Raises:
        HomebodyError: a file cannot be read or written.
    """
    record = {
        "format": FORMAT,
        "version": VERSION,
        "suite": suite.name,
        "protocol": protocol.name,
        "homebody": __version__,
        "data": dict(suite.tasks.data()),
        "run": dict(run),
        "samples": samples,
        "files": {name: _digest(folder / name) for name in ("samples.jsonl", "summary.json")},
    }
    if outputs is not None:
        record["outputs"] = {"file": outputs.name, "sha256": _digest(outputs)}
    if (other := distribution_of(suite.name)) is not None:
        record["distribution"] = other
    write_whole(folder / NAME, json.dumps(record, indent=4))


def read_record(folder: Path) -> RunRecord:
    """What the results in a folder were made with.

    Raises:
        HomebodyError: there is none, or it is another version's; the hint says what mends it.
    """
    path = folder / NAME
    again = "homebody run or homebody score with --out writes all of it again"
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise HomebodyError(f"{path} is larger than {MAX_BYTES >> 20} MiB", again)
        document = read_json(data)  # msgspec's reader refuses names that are not UTF-8
        head = msgspec.convert(document, _Head)
        if head.format != FORMAT:
            raise HomebodyError(f"{path} is none of homebody's", again)
        if head.version != VERSION:
            raise HomebodyError(
                f"{path} is of version {head.version}; this homebody reads version {VERSION}",
                other_version(head.version, VERSION, again),
            )
        return msgspec.convert(document, RunRecord)
    except FileNotFoundError:
        raise HomebodyError(
            f"{folder} has no {NAME}: its results are of an older homebody, or were not finished",
            again,
        ) from None
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    except (msgspec.MsgspecError, ValueError) as error:
        raise HomebodyError(f"{path} is damaged: {error}", again) from error


def out_of_step(folder: Path, record: RunRecord) -> list[str]:
    """The files that are not those which a record was written for; none if all belong together.

    Outputs count if a file of their name lies beside the folder, as a run puts them.
    """
    beside = folder.resolve().parent / Path(record.outputs.get("file", "")).name
    digests = {folder / Path(name).name: digest for name, digest in record.files.items()}
    if record.outputs and beside.is_file():
        digests[beside] = record.outputs.get("sha256", "")
    return [str(path) for path, digest in digests.items() if _digest(path) != digest]


def are_others(outputs: Path, results: Path) -> bool:
    """Whether a file of outputs is not the one that the results in a folder are of. False where
    that cannot be told."""
    try:
        record = read_record(results)
    except HomebodyError:
        return False
    return record.outputs.get("file") == outputs.name and str(
        results.resolve().parent / outputs.name
    ) in out_of_step(results, record)


def _digest(path: Path) -> str:
    """The sha256 of a file; empty if there is none.

    Raises:
        HomebodyError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
