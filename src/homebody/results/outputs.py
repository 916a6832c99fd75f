"""Files of outputs, in the format of the published evaluators: found, named, read and written."""

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
"""Bytes of a name that is made that of a file, to which others are added; systems allow 255."""
_VALUE = 3
"""Depth of a list or object that is the value of an entry."""


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
            return _name_files(files)
    raise HomebodyError(
        f"{path} holds no *{SUFFIX} file", "give a file, or a folder with <model>_outputs.json"
    )


def _avoid_suffix(name: str) -> str:
    """A name for a folder that is none of a file of outputs, beside which it may be."""
    return f"{name.removesuffix(SUFFIX)}_outputs_json" if name.endswith(SUFFIX) else name


def _name_files(files: Sequence[Path]) -> dict[str, Path]:
    """Files by model; of those that would have one name each keeps what its own has besides: ``m``
    and ``m.json``, of ``m_outputs.json`` and ``m.json_outputs.json``."""
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
    """A name that is safe as that of a folder: not empty, no ``..``, no file of outputs."""
    return _avoid_suffix(results_folder(file).name.removesuffix(".json").lstrip(".") or "model")


def results_folder(file: Path) -> Path:
    """The folder where a run puts the results of its file of outputs."""
    return file.parent / file.name.removesuffix(SUFFIX)


def safe_name(name: str) -> str:
    """The name of a model or an agent as that of a file: ``openai_gpt-4o``. If it is too long, its
    end is a digest."""
    safe = re.sub(r"[^\w.=+-]+", "_", name).lstrip(".") or "model"
    safe = _avoid_suffix(safe)
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
        content = path.read_bytes()
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror}") from error
    return decode_outputs(content, str(path))


def decode_outputs(content: bytes, path: str) -> list[Output | SampleError]:
    """The outputs of a file that was read; see :func:`read_outputs`. ``path`` is for messages."""
    try:
        entries = _loads(content)
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


def rename_outputs(suite: Suite[Any], outputs: Iterable[tuple[str, str]]) -> list[Output]:
    """``(task id, answer)`` as outputs, under the identifiers of the published files."""
    label = suite.published.output_id
    if label is None:
        return [Output(name, text) for name, text in outputs]
    names = {suite.tasks.identify(task): label(task) for task in suite.tasks.load(CORRECTED)}
    return [Output(names[name], text) for name, text in outputs]


def write_outputs(file: Path, outputs: Iterable[Output]) -> None:
    """Write outputs as :func:`read_outputs` reads them. Raises HomebodyError if they cannot be
    written; what was there before is there still."""
    make_folder(file.parent)
    write_whole(file, encode_outputs(outputs))


def encode_outputs(outputs: Iterable[Output]) -> str:
    """The content of a file of outputs."""
    entries = [{"identifier": o.identifier, "llm_output": o.text} for o in outputs]
    return json.dumps(entries, indent=2)
