"""Writes the files of a run: outputs and results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from homebody.core import HomebodyError, Protocol, SampleError, Score, Suite
from homebody.core.ground.files import write_whole
from homebody.results.outputs import SUFFIX, read_outputs, rename_outputs, write_outputs
from homebody.results.record import check_place, claim, is_run, write_record
from homebody.results.store import store


def write_results(
    folder: Path,
    suite: Suite[Any],
    scores: Sequence[Score],
    protocol: Protocol,
    errors: Iterable[SampleError] = (),
    *,
    run: Mapping[str, Any] | None = None,
    outputs: Path | None = None,
) -> Mapping[str, Any]:
    """Write a folder of results.

    It has ``samples.jsonl`` (a record per sample, with ``identifier`` and ``epoch``; samples
    without a score last), ``summary.json`` (published schema), ``run.json``
    (:mod:`homebody.results.record`) and, with PyArrow, ``samples.parquet``
    (:mod:`homebody.results.store`).

    Args:
        folder: The folder, made if missing.
        suite: The suite.
        scores: The scores.
        protocol: The protocol.
        errors: Samples without a score.
        run: The identity of the run.
        outputs: The file of the outputs, if there is one.

    Returns:
        The summary.

    Raises:
        HomebodyError: The folder cannot be written.
    """
    summary = suite.summarise(scores)
    # not orjson, which refuses lone surrogates in outputs
    records = [*map(record_of, scores), *(error.record for error in errors)]
    lines = [json.dumps({**record, "protocol": protocol.name}) for record in records]
    claim(folder, suite, protocol, run or {})
    write_whole(folder / "samples.jsonl", "".join(line + "\n" for line in lines))
    write_whole(folder / "summary.json", json.dumps(summary, indent=4))
    write_record(
        folder,
        suite,
        protocol,
        samples=len(lines),
        unscored=len(lines) - len(scores),
        run=run or {},
        outputs=outputs,
    )
    store(folder)
    return summary


def record_of(score: Score) -> dict[str, Any]:
    """Return a score's line in ``samples.jsonl``, without the protocol."""
    return {
        "identifier": score.identifier,
        "epoch": score.epoch,
        **score.record,
        "metrics": dict(score.metrics),
        "cluster": score.cluster or score.identifier,
        **({} if score.valid else {"valid": False}),
        **({} if score.usage is None else {"usage": asdict(score.usage)}),
    }


def places(root: Path, name: str) -> tuple[Path, Path]:
    """Return the folder of results and the file of outputs of a run."""
    return root / name, root / f"{name}{SUFFIX}"


def keep_run(
    root: Path,
    name: str,
    suite: Suite[Any],
    scores: Sequence[Score],
    protocol: Protocol,
    errors: Iterable[SampleError],
    outputs: Iterable[tuple[str, str]],
    run: Mapping[str, Any],
) -> None:
    """Write a run's ``<name>_outputs.json`` and its results in ``<name>/``.

    Args:
        root: The folder for both, made if missing.
        name: Name of the files, see :func:`safe_name`.
        suite: The suite.
        scores: The scores.
        protocol: The protocol.
        errors: Samples without a score.
        outputs: ``(task id, output)``.
        run: The identity of the run.

    Raises:
        HomebodyError: Results of another run exist, or the files cannot be written.
    """
    (folder, file), given = places(root, name), rename_outputs(suite, outputs)
    check_place(folder, suite.name, protocol.name, run, file)
    if not is_run(run) and file.exists() and read_outputs(file) != given:
        hint = f"give another folder, or remove {folder} and {file}"
        raise HomebodyError(f"{file} has other outputs, which cannot be produced again", hint)
    claim(folder, suite, protocol, run)
    write_outputs(file, given)
    write_results(folder, suite, scores, protocol, errors, run=run, outputs=file)
