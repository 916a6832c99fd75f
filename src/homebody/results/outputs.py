"""Reading and writing files in the formats of the published evaluators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from homebody.core import CORRECTED, HomebodyError, Protocol, SampleError, Score, Suite
from homebody.core.files import make_folder, write_whole
from homebody.results.record import write_record

SUFFIX = "_outputs.json"
MAX_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Output:
    """What a model wrote for one task."""

    identifier: str
    text: str


def find_outputs(path: Path, suite: str) -> dict[str, Path]:
    """Model name -> output file.

    Args:
        path: One file, or a folder with ``<model>_outputs.json`` files, directly or where the
            published evaluator keeps them: ``<dataset>/<module>/``.
        suite: Suite name, e.g. ``eai.virtualhome.action_sequencing``.

    Raises:
        HomebodyError: there is nothing to score.
    """
    if path.is_file():
        return {_model(path): path}
    if not path.is_dir():
        raise HomebodyError(f"there is no file or folder {path}")
    for folder in (path, path.joinpath(*suite.split(".")[1:])):
        files = sorted(folder.glob(f"[!.]*{SUFFIX}"))
        if files:
            return {_model(file): file for file in files}
    raise HomebodyError(
        f"{path} holds no *{SUFFIX} file", "give a file, or a folder with <model>_outputs.json"
    )


def _model(file: Path) -> str:
    """A name that is safe as that of a folder: not empty, no ``..``."""
    return file.name.removesuffix(SUFFIX).removesuffix(".json").lstrip(".") or "model"


def safe_name(name: str) -> str:
    """The name of a model or an agent as that of a file: ``openai_gpt-4o``."""
    return re.sub(r"[^\w.=+-]+", "_", name).lstrip(".") or "model"


def read_outputs(path: Path) -> list[Output]:
    """Read ``[{"identifier": ..., "llm_output": ...}, ...]``.

    An output that is not text (``null``, an object) becomes text, so that it is judged like any
    other malformed output.

    Raises:
        HomebodyError: the file cannot be read or has another layout; says where.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise HomebodyError(f"{path} is larger than {MAX_BYTES >> 20} MiB")
        entries = _loads(path.read_bytes())
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise HomebodyError(f"{path} is not JSON: {error}") from error
    layout = 'a list of {"identifier": ..., "llm_output": ...} is expected'
    if not isinstance(entries, list):
        raise HomebodyError(f"{path} holds no list", layout)
    outputs = []
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict) or "identifier" not in entry or "llm_output" not in entry:
            raise HomebodyError(f"{path}: entry {index} is not an output", layout)
        outputs.append(Output(str(entry["identifier"]), _text(entry["llm_output"])))
    return outputs


def _loads(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return json.loads(content)  # slower; reads lone surrogates and very long numbers too


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return "" if value is None else json.dumps(value)
    except RecursionError:
        return ""


def score_outputs(suite: Suite[Any], outputs: Iterable[Output], protocol: Protocol) -> list[Score]:
    """Score outputs in their order.

    Raises:
        HomebodyError: an output is for a task that the suite does not have.
    """
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(protocol)}
    if suite.tasks.output_id is not None:
        tasks.update({suite.tasks.output_id(task): task for task in tasks.values()})
    tasks.update(
        {alias: tasks[name] for alias, name in suite.tasks.aliases.items() if name in tasks}
    )
    scores = []
    for output in outputs:
        task = tasks.get(output.identifier)
        if task is None:
            raise HomebodyError(
                f"{suite.name} has no task {output.identifier!r}",
                f"see: homebody list {suite.name}",
            )
        scores.append(suite.score(task, output.text, protocol))
    return scores


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
    """Write ``samples.jsonl`` (a record per output, then one for each sample that has no score),
    ``summary.json`` (published schema) and then ``run.json``, which says what they were made with
    (:mod:`homebody.results.record`).

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
    records = [score.record for score in scores] + [error.record for error in errors]
    lines = [json.dumps({**record, "protocol": protocol.name}) for record in records]
    make_folder(folder)
    write_whole(folder / "samples.jsonl", "".join(line + "\n" for line in lines))
    write_whole(folder / "summary.json", json.dumps(summary, indent=4))
    write_record(folder, suite, protocol, samples=len(lines), run=run or {}, outputs=outputs)
    return summary


def renamed(suite: Suite[Any], outputs: Iterable[tuple[str, str]]) -> list[Output]:
    """``(task id, answer)`` as outputs, under the identifiers of the published files."""
    label = suite.tasks.output_id
    if label is None:
        return [Output(name, text) for name, text in outputs]
    names = {suite.tasks.identify(task): label(task) for task in suite.tasks.load(CORRECTED)}
    return [Output(names[name], text) for name, text in outputs]


def write_outputs(file: Path, outputs: Iterable[Output]) -> None:
    """Write outputs as :func:`read_outputs` reads them. Raises HomebodyError if they cannot be
    written; what was there before is there still."""
    entries = [{"identifier": o.identifier, "llm_output": o.text} for o in outputs]
    make_folder(file.parent)
    write_whole(file, json.dumps(entries, indent=2))
