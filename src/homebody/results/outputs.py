"""Find, name, read and write files of outputs in the published evaluators' format."""

from __future__ import annotations

import hashlib
import json
import re
import stat
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from homebody.core import CORRECTED, HomebodyError, SampleError, Suite
from homebody.core.ground.files import make_folder, write_whole
from homebody.core.ground.nesting import MAX_DEPTH, TooDeep, check_depth, groups_at, read_json

SUFFIX = "_outputs.json"
MAX_BYTES = 1 << 30
MAX_NAME = 200
"""Maximum bytes of a name used for files, which get suffixes; systems allow 255."""
_VALUE = 3
"""Maximum nesting depth of an entry's value."""


@dataclass(frozen=True, slots=True)
class Output:
    """A model's output for one task, with its epoch from 1."""

    identifier: str
    text: str
    epoch: int = 1


def find_outputs(path: Path, suite: str) -> dict[str, Path]:
    """Return model name -> file of outputs.

    Args:
        path: One file, or a folder with ``<model>_outputs.json`` files, directly or in
            ``<dataset>/<module>/``, as the published evaluator writes them.
        suite: Suite name, e.g. ``eai.virtualhome.action_sequencing``.

    Raises:
        HomebodyError: There is no such file.
    """
    if path.is_file():
        return {_model(path): path}
    if not path.is_dir():
        raise HomebodyError(f"file or folder not found: {path}")
    for folder in (path, path.joinpath(*suite.split(".")[1:])):
        files = sorted(folder.glob(f"[!.]*{SUFFIX}"))
        if files:
            return _name_files(files)
    raise HomebodyError(
        f"{path} has no *{SUFFIX} file", "give a file, or a folder with <model>_outputs.json"
    )


def _avoid_suffix(name: str) -> str:
    """Return a name for the folder of results that cannot be confused with the file of outputs
    beside it."""
    return f"{name.removesuffix(SUFFIX)}_outputs_json" if name.endswith(SUFFIX) else name


def _name_files(files: Sequence[Path]) -> dict[str, Path]:
    """Return files by model; names that would clash keep their ``.json``.

    ``m_outputs.json`` and ``m.json_outputs.json`` become ``m`` and ``m.json``.
    """
    alike = Counter(map(_model, files))
    named: dict[str, Path] = {}
    for file in files:
        name = (
            _model(file) if alike[_model(file)] == 1 else _avoid_suffix(results_folder(file).name)
        )
        while name in named:
            name += "_"
        named[name] = file
    return named


def _model(file: Path) -> str:
    """Return a file's model as a safe folder name: not empty, without ``..``."""
    return _avoid_suffix(results_folder(file).name.removesuffix(".json").lstrip(".") or "model")


def results_folder(file: Path) -> Path:
    """Return the folder of the results that belong to a run's file of outputs."""
    return file.parent / file.name.removesuffix(SUFFIX)


def safe_name(name: str) -> str:
    """Return a model's or agent's name as a file name: ``openai_gpt-4o``.

    A long name is cut and ends with a digest.
    """
    safe = re.sub(r"[^\w.=+-]+", "_", name).lstrip(".") or "model"
    safe = _avoid_suffix(safe)
    if len(safe.encode()) <= MAX_NAME:
        return safe
    digest = hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:8]
    return f"{safe.encode()[: MAX_NAME - 9].decode(errors='ignore')}_{digest}"


def read_outputs(path: Path) -> list[Output | SampleError]:
    """Read ``[{"identifier": ..., "llm_output": ...}, ...]``.

    An output that is not text (``null``, an object) becomes text, so that it is judged like any
    other malformed output. An entry that is not an output becomes an error.

    Raises:
        HomebodyError: The file cannot be read, or none of its entries is an output.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a named pipe would block
            raise HomebodyError(f"cannot read {path}: it is not a file")
        if status.st_size > MAX_BYTES:
            raise HomebodyError(f"{path} is larger than {MAX_BYTES >> 20} MiB")
        content = path.read_bytes()
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    return decode_outputs(content, str(path))


def decode_outputs(content: bytes, path: str) -> list[Output | SampleError]:
    """Decode a file of outputs, see :func:`read_outputs`; ``path`` is for messages."""
    try:
        entries = _loads(content)
    except ValueError as error:
        raise HomebodyError(f"{path} is not JSON: {error}") from error
    layout = 'expected: a list of {"identifier": ..., "llm_output": ...}'
    if not isinstance(entries, list):
        raise HomebodyError(f"{path} is not a list", layout)
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
    except ValueError:  # the slower reader accepts lone surrogates and very long numbers
        text = content.decode(json.detect_encoding(content))
    try:
        return read_json(text)
    except TooDeep:
        return read_json(_deep_as_text(text))


def _deep_as_text(text: str) -> str:
    """Replace entries' values that are nested too deep by their text."""
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


def rename_outputs(suite: Suite[Any], outputs: Iterable[tuple[str, str]]) -> list[Output]:
    """Make outputs from ``(task id, text)``, with the identifiers of the published files."""
    label = suite.published.output_id
    if label is None:
        return [Output(name, text) for name, text in outputs]
    names = {suite.tasks.identify(task): label(task) for task in suite.tasks.load(CORRECTED)}
    return [Output(names[name], text) for name, text in outputs]


def write_outputs(file: Path, outputs: Iterable[Output]) -> None:
    """Write outputs for :func:`read_outputs`, atomically.

    Raises:
        HomebodyError: They cannot be written.
    """
    make_folder(file.parent)
    write_whole(file, encode_outputs(outputs))


def encode_outputs(outputs: Iterable[Output]) -> str:
    """Return the content of a file of outputs."""
    entries = [{"identifier": o.identifier, "llm_output": o.text} for o in outputs]
    return json.dumps(entries, indent=2)
