"""Reading and writing files in the formats of the published evaluators."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import orjson

from homebody.core import CORRECTED, HomebodyError, Protocol, SampleError, Score, Suite
from homebody.core.files import make_folder, write_whole
from homebody.core.nesting import MAX_DEPTH, TooDeep, check_depth, groups_at, read_json
from homebody.results.record import check_place, claim, is_run, write_record

SUFFIX = "_outputs.json"
MAX_BYTES = 1 << 30
MAX_NAME = 200
"""Bytes of a name that is made that of a file, to which others are added; systems allow 255."""
_VALUE = 3
"""Depth of a list or object that is the value of an entry."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Output:
    """What a model wrote for one task; where it wrote several, which of these, from 1."""

    identifier: str
    text: str
    epoch: int = 1


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
            return _told_apart(files)
    raise HomebodyError(
        f"{path} holds no *{SUFFIX} file", "give a file, or a folder with <model>_outputs.json"
    )


def _no_file(name: str) -> str:
    """A name for a folder that is none of a file of outputs, beside which it may be."""
    return f"{name.removesuffix(SUFFIX)}_outputs_json" if name.endswith(SUFFIX) else name


def _told_apart(files: Sequence[Path]) -> dict[str, Path]:
    """Files by model; of those that would have one name each keeps what its own has besides: ``m``
    and ``m.json``, of ``m_outputs.json`` and ``m.json_outputs.json``."""
    alike = Counter(map(_model, files))
    named: dict[str, Path] = {}
    for file in files:
        name = _model(file) if alike[_model(file)] == 1 else _no_file(results_of(file).name)
        while name in named:
            name += "_"
        named[name] = file
    return named


def _model(file: Path) -> str:
    """A name that is safe as that of a folder: not empty, no ``..``, no file of outputs."""
    return _no_file(results_of(file).name.removesuffix(".json").lstrip(".") or "model")


def results_of(file: Path) -> Path:
    """The folder where a run puts the results of its file of outputs."""
    return file.parent / file.name.removesuffix(SUFFIX)


def safe_name(name: str) -> str:
    """The name of a model or an agent as that of a file: ``openai_gpt-4o``. If it is too long, its
    end is a digest."""
    safe = re.sub(r"[^\w.=+-]+", "_", name).lstrip(".") or "model"
    safe = _no_file(safe)
    if len(safe.encode()) <= MAX_NAME:
        return safe
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{safe.encode()[: MAX_NAME - 9].decode(errors='ignore')}_{digest}"


def read_outputs(path: Path) -> list[Output | SampleError]:
    """Read ``[{"identifier": ..., "llm_output": ...}, ...]``.

    An output that is not text (``null``, an object) becomes text, so that it is judged like any
    other malformed output. An entry that is no output is an error, and the others are read.

    Raises:
        HomebodyError: the file cannot be read, or none of its entries is an output.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # a named pipe would be waited for
            raise HomebodyError(f"cannot read {path}: it is no file")
        if status.st_size > MAX_BYTES:
            raise HomebodyError(f"{path} is larger than {MAX_BYTES >> 20} MiB")
        entries = _loads(path.read_bytes())
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise HomebodyError(f"{path} is not JSON: {error}") from error
    layout = 'a list of {"identifier": ..., "llm_output": ...} is expected'
    if not isinstance(entries, list):
        raise HomebodyError(f"{path} holds no list", layout)
    outputs = [_output(entry, index) for index, entry in enumerate(entries)]
    if outputs and all(isinstance(output, SampleError) for output in outputs):
        raise HomebodyError(f"{path}: entry 0 is not an output", layout)
    return outputs


def _output(entry: Any, index: int) -> Output | SampleError:
    fields = entry if isinstance(entry, dict) else {}
    name = str(fields.get("identifier", f"entry {index}"))
    for key in ("identifier", "llm_output"):
        if key not in fields:
            reason = f"no {key}: entry {index} of the file"
            return SampleError(name, 1, "agent_error", reason)
    return Output(name, _text(fields["llm_output"]))


def _loads(content: bytes) -> Any:
    try:
        check_depth(content)
        return orjson.loads(content)
    except ValueError:  # what follows is slower; reads lone surrogates and very long numbers too
        text = content.decode(json.detect_encoding(content))
    try:
        return read_json(text)
    except TooDeep:
        return read_json(_deep_as_text(text))


def _deep_as_text(text: str) -> str:
    """A file in which what is nested too deep, in the value of an entry, stands as its text."""
    pieces: list[str] = []
    end = 0
    for begin, after in groups_at(text, _VALUE):
        value = text[begin:after]
        try:
            check_depth(value, MAX_DEPTH + 1 - _VALUE)
        except TooDeep:
            pieces += text[end:begin], json.dumps(value)
            end = after
    return "".join([*pieces, text[end:]])


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else json.dumps(value)


@dataclass(frozen=True, slots=True)
class ScoredOutputs:
    """What outputs are worth.

    Attributes:
        scores: Of those that have one, in their order.
        outputs: What each score is of.
        errors: Those that have none, and why.
    """

    scores: tuple[Score, ...]
    outputs: tuple[str, ...]
    errors: tuple[SampleError, ...] = ()


def score_outputs(
    suite: Suite[Any], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> ScoredOutputs:
    """Score outputs in their order. One of a task that there is not, and one whose scoring ends in
    an exception, has no score, and costs the others nothing.

    Raises:
        HomebodyError: no output is for a task that the suite has.
    """
    known, errors = of_tasks(suite, outputs, protocol)
    scores: list[Score] = []
    texts: list[str] = []
    for task, output in known:
        try:
            score = suite.score(task, output.text, protocol)
            scores.append(replace(score, epoch=output.epoch))
            texts.append(output.text)
        except Exception as error:  # whatever it is, it is about this output
            name = suite.tasks.identify(task)
            errors.append(SampleError.of(name, output.epoch, "internal_error", error))
    return ScoredOutputs(tuple(scores), tuple(texts), tuple(errors))


def of_tasks(
    suite: Suite[T], outputs: Iterable[Output | SampleError], protocol: Protocol
) -> tuple[list[tuple[T, Output]], list[SampleError]]:
    """Outputs with their tasks, and errors for those that are of none. Those of the same task are
    numbered in their order: its epochs.

    Raises:
        HomebodyError: no output is for a task that the suite has.
    """
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(protocol)}
    if suite.tasks.output_id is not None:
        tasks.update({suite.tasks.output_id(task): task for task in tasks.values()})
    tasks.update(
        {alias: tasks[name] for alias, name in suite.tasks.aliases.items() if name in tasks}
    )
    known: list[tuple[T, Output]] = []
    errors: list[SampleError] = []
    epochs: Counter[str] = Counter()
    for output in outputs:
        name = output.identifier
        here = suite.tasks.identify(tasks[name]) if name in tasks else name
        epochs[here] += 1
        if isinstance(output, SampleError):
            errors.append(replace(output, epoch=epochs[here]))
        elif name in tasks:
            known.append((tasks[name], replace(output, epoch=epochs[here])))
        else:
            reason = f"{suite.name} has no such task"
            errors.append(SampleError(name, epochs[here], "agent_error", reason))
    if not known:
        why = "there are no outputs"
        if errors:
            why = f"{errors[0].reason}: {errors[0].identifier[:80]!r}"
        raise HomebodyError(why, f"see: homebody list {suite.name}")
    return known, errors


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
    ``run.json``, which says what they were made with (:mod:`homebody.results.record`).

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
    records = [
        *(
            {"identifier": score.identifier, "epoch": score.epoch, **score.record}
            for score in scores
        ),
        *(error.record for error in errors),
    ]
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
    return summary


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
    (folder, file), given = places(root, name), renamed(suite, outputs)
    check_place(folder, suite.name, protocol.name, run, file)
    if not is_run(run) and file.exists() and read_outputs(file) != given:
        hint = f"give another folder, or remove {folder} and {file}"
        raise HomebodyError(f"{file} has other outputs, which nobody can be asked for again", hint)
    claim(folder, suite, protocol, run)
    write_outputs(file, given)
    write_results(folder, suite, scores, protocol, errors, run=run, outputs=file)


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
