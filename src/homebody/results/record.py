"""What results were made with: ``run.json``, beside ``samples.jsonl`` and ``summary.json``.

    {"format": "homebody-results", "version": 1, "suite": ..., "protocol": "corrected",
     "homebody": "0.1.0", "data": {"eai-eval": "1.0.5"}, "run": {"agent": "oracle", "seed": 0, ...},
     "samples": 342, "files": {"samples.jsonl": "<sha256>", "summary.json": "<sha256>"},
     "outputs": {"file": "oracle_outputs.json", "sha256": ...}}

It is written last. So whoever finds it, and in it the digests of the files beside it, has results
that belong together; who does not was left with those of two runs by a kill or a full disk. Where
there is none yet it is also written first, without digests, so that the same run may go on there,
and no other (:func:`claim`).
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
from homebody.suites import distribution_of

FORMAT: Final = "homebody-results"
VERSION: Final = 1
NAME: Final = "run.json"
MAX_BYTES: Final = 16 << 20
"""Of a record: a run may have thousands of tasks chosen by name."""
_FILES: Final = ("samples.jsonl", "summary.json")
_UNWRITTEN: Final = "not written yet"
"""In the place of a digest; no file has it."""
_VERSIONS: Final = ("version", "distribution", "data")
"""Of what makes a run this run: with others of these it is the same one, made again."""


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
        unscored: How many of the samples have no score.
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
    """Write what the results in a folder were made with, when they are there.

    Args:
        folder: Where ``samples.jsonl`` and ``summary.json`` are.
        suite: What the outputs are of.
        protocol: How they were judged.
        samples: How many there are.
        unscored: How many of them have no score.
        run: What makes the run this run.
        outputs: The file of what was judged, if there is one.

    Raises:
        HomebodyError: a file cannot be read or written.
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
    """Whether somebody was asked, rather than outputs scored that were there."""
    return "model" in run or "agent" in run


def claim(folder: Path, suite: Suite[Any], protocol: Protocol, run: Mapping[str, Any]) -> None:
    """Say whose results a folder will hold, where nothing says it yet, before the first of them
    is written: whoever is killed then may write there again.

    Raises:
        HomebodyError: it cannot be written.
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
    """See that no results of another run would be overwritten. The same run, of whatever version
    of homebody and its data, may take the place of its own results.

    Args:
        folder: Where ``samples.jsonl`` and the others would be written.
        suite: What the outputs are of.
        protocol: How they are judged.
        run: What makes the run this run.
        outputs: Where outputs would be written, if they would.

    Raises:
        HomebodyError: they would; it says what differs.
    """
    hint = f"give another --out, or remove {folder}"
    hint += f" and {outputs}" if outputs is not None and outputs.exists() else ""
    if folder.exists() and not folder.is_dir():
        raise HomebodyError(f"{folder} is in the way of a folder of results", hint)
    if (folder / NAME).exists():
        try:
            there = read_record(folder)
        except HomebodyError as error:
            raise HomebodyError(f"results would be overwritten: {error}", hint) from error
        now = {"suite": suite, "protocol": protocol, **json.loads(json.dumps(dict(run)))}
        before = {"suite": there.suite, "protocol": there.protocol, **there.run}
        if differing := _differing(before, now):
            raise HomebodyError(f"{folder} has results of another run: {differing}", hint)
        return
    for path in (*(folder / name for name in _FILES), outputs):
        if path is not None and path.exists():
            raise HomebodyError(
                f"nothing says of which run {path} is, which would be overwritten", hint
            )


def _differing(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What makes two runs two: ``limit 3 there, none here``; empty if nothing does."""

    def told(run: Mapping[str, Any], name: str) -> str:
        return "none" if run.get(name) is None else escape(run[name], 100)

    return "; ".join(
        f"{name} {told(before, name)} there, {told(now, name)} here"
        for name in dict.fromkeys([*before, *now])
        if name not in _VERSIONS and before.get(name) != now.get(name)
    )


def read_record(folder: Path) -> RunRecord:
    """What the results in a folder were made with.

    Raises:
        HomebodyError: there is none, or it is another version's; the hint says what mends it.
    """
    path = folder / NAME
    again = "remove it, and homebody run or homebody score with --out writes all of it again"
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
                version_hint(head.version, VERSION, again),
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


def check_suite(outputs: Path, results: Path, suite: str) -> None:
    """See that a file of outputs is not one that a run wrote for another suite, as the results in
    a folder say.

    Raises:
        HomebodyError: it is.
    """
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
    """The sha256 of a file; empty if there is none, or it is none. Raises HomebodyError if it
    cannot be read."""
    return sha256(path) if path.is_file() else ""
