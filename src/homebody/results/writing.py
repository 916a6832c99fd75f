"""What a run leaves in files: its outputs, and the results of them."""

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
    """Write ``samples.jsonl`` (a record per output, told apart by ``identifier`` and ``epoch``,
    then one for each sample that has no score), ``summary.json`` (published schema) and then
    ``run.json``, which says what they were made with (:mod:`homebody.results.record`); and, where
    PyArrow is installed, ``samples.parquet`` (:mod:`homebody.results.store`).

    Args:
        folder: Where to; made if it is not there.
        suite: What the outputs are of.
        scores: Of the outputs.
        protocol: How they were judged.
        errors: Samples that have no score.
        run: What makes the run this run.
        outputs: The file of the outputs, if there is one.

    Returns the summary. Raises HomebodyError if the folder cannot be written.
    """
    summary = suite.summarise(scores)
    # not orjson: it refuses the lone surrogates that a model's output may hold
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
    """The line of a score in ``samples.jsonl``, but for the protocol."""
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
    """Where a run of a name leaves its results, a folder, and its outputs, a file."""
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
    """Write what a run leaves: ``<name>_outputs.json``, and the results of it in ``<name>/``.

    Args:
        root: Where to; made if it is not there.
        name: Of the files, see :func:`safe_name`.
        suite: What the outputs are of.
        scores: Of the outputs.
        protocol: How they were judged.
        errors: Samples that have no score.
        outputs: ``(task id, answer)``.
        run: What makes the run this run.

    Raises:
        HomebodyError: results of another run are there, or they cannot be written.
    """
    (folder, file), given = places(root, name), rename_outputs(suite, outputs)
    check_place(folder, suite.name, protocol.name, run, file)
    if not is_run(run) and file.exists() and read_outputs(file) != given:
        hint = f"give another folder, or remove {folder} and {file}"
        raise HomebodyError(f"{file} has other outputs, which nobody can be asked for again", hint)
    claim(folder, suite, protocol, run)
    write_outputs(file, given)
    write_results(folder, suite, scores, protocol, errors, run=run, outputs=file)
