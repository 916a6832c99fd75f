"""What EmbodiedEval's published code reads and writes, as targets: task files and recorded runs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator

from homebody.core import CORRECTED, PUBLISHED, Score
from homebody.suites.embodiedeval.metrics import count, rates
from homebody.suites.embodiedeval.published_tasks import PublishedTask, read_json
from homebody.suites.embodiedeval.recorded import score_runs
from hostile.corpus import nested
from hostile.readers import folder, reader, reader_of_files
from hostile.target import Broken, Prepared, Target
from suites.embodiedeval.test_recorded import TASK, record, step

_STEPS = [
    [step(0, 0, [0, 0, 1], feedback="failed: too far"), step(1, 1, [1, 1, 1], feedback="success")],
    [step(0, 0, [1, 0, 1]), step(1, -1, [1, -1])],
    [step(0, 0, [], action_choice=-2, action_error="option out of range")],
]
_DEEP = (b"[" * 100_000, nested('{"step":', "}", 50_000, "0").encode(), b"\x1f\x8b", b"", b"[]")


def embodiedeval_targets() -> Iterator[Target]:
    """A target for each format of files."""
    yield Target("EmbodiedEval published task", _tasks)
    yield Target("EmbodiedEval recorded run", _runs)
    yield Target("EmbodiedEval recorded task", _settings)


def _tasks() -> Prepared:
    own = json.dumps(TASK).encode()
    wrong = [
        (b'"agent_position": [', b'"agent_position": [1e999, '), (b'"x": 0', b'"x": "0"'),
        (b'"choose"', b'"\\ud800"'), (b'"a pan"', b'"a \xff"'),
        (b'"options": [', b'"options": [3,'),
    ]  # fmt: skip
    crafted = [*_DEEP, *(own.replace(old, new, 1) for old, new in wrong)]
    return reader_of_files(
        [own], lambda path: read_json(path, PublishedTask), ".json", crafted=crafted
    )


def _runs() -> Prepared:
    valid = [json.dumps(steps).encode() for steps in _STEPS]
    wrong = [
        (b'"step": 0', b'"step": 1e999'), (b'_choice": 1', b'_choice": ' + b"9" * 6_000),
        (b"[0, 0, 1]", b"[" + b"1," * 200 + b"1]"), (b'"failed', b'"\\ud800'),
    ]  # fmt: skip
    crafted = [*_DEEP, *(valid[0].replace(old, new, 1) for old, new in wrong)]
    return reader(valid, lambda data: _scored("traj.json", data), crafted=crafted)


def _settings() -> Prepared:
    own = json.dumps({"scene": {"task_instance": TASK}, "task_id": "AttrQA/1.json"}).encode()
    crafted = [
        *_DEEP,
        own.replace(b"AttrQA", b"../\\u0000"),
        own.replace(b"AttrQA/1", b"a" * 9_999),
    ]
    return reader([own], lambda data: _scored("task.json", data), crafted=crafted)


def _scored(name: str, data: bytes) -> object:
    """What a run is worth whose file of that name is so, and what a table says of it."""
    where = folder() / "embodiedeval"
    shutil.rmtree(where, ignore_errors=True)
    record(where, 1, *_STEPS[0])
    (where / "traj0001" / name).write_bytes(data)
    said: list[object] = []
    for protocol in (CORRECTED, PUBLISHED):
        (own,) = score_runs(where, protocol, where)
        if not isinstance(own, Score):
            said.append(own.reason.replace(str(folder()), ""))
            if len(own.reason) > 1_000:
                raise Broken(f"the message has {len(own.reason)} characters")
            continue
        if not all(0 <= own.metrics[metric] <= 1 for metric in ("success", "gcs", "spl")):
            raise Broken(f"a metric beyond 0 and 1: {own.metrics}")
        said.append((own.metrics, rates(count(own))))
    return said
