"""Runs in the form that the page shows: samples, outputs and messages.

Results are untrusted files: reading is bounded, and their contents are checked.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeAlias

from homebody.core import HomebodyError, Message, Protocol, SampleError, Score, Suite
from homebody.core.ground.escaping import escape
from homebody.core.ground.files import sha256
from homebody.core.score import Usage
from homebody.results.outputs import Output, read_outputs, safe_name
from homebody.results.record import find_mismatches, read_record
from homebody.results.samples import SAMPLES, check_record, read_records
from homebody.results.scoring import match_tasks
from homebody.suites import get_suite

Key: TypeAlias = tuple[str, int]
"""Task id and epoch."""
_IN_TASKS: Final = ("success", "progress", "percent_complete", "f1")
"""Keys of records that are also metrics."""
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Log:
    """The contents of a run's log or journal.

    Attributes:
        path: Its path.
        run: The identity of the run.
        total: Number of samples of the whole run.
        records: Records of finished samples, as in ``samples.jsonl``.
        outputs: Sample -> output.
        messages: Sample -> messages in order.
    """

    path: Path
    run: Mapping[str, Any]
    total: int
    records: tuple[Mapping[str, Any], ...]
    outputs: Mapping[Key, str]
    messages: Mapping[Key, tuple[Message, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Run:
    """One model or agent on one suite.

    Attributes:
        id: Id in URLs and file names: letters, digits, ``.``, ``_`` and ``-``.
        name: Name of the model or agent.
        suite: The suite.
        protocol: The protocol.
        made: How it was made, from ``run.json``.
        records: Records of its samples, in order.
        outputs: Sample -> output, if known.
        messages: Sample -> messages, if a log has them.
        total: Number of samples of the whole run.
        source: Path that it was read from.
        note: A caveat; for example, its files do not belong together.
    """

    id: str
    name: str
    suite: Suite[Any]
    protocol: Protocol
    made: Mapping[str, Any]
    records: tuple[Mapping[str, Any], ...]
    outputs: Mapping[Key, str]
    messages: Mapping[Key, tuple[Message, ...]]
    total: int
    source: str
    note: str = ""

    @cached_property
    def tasks(self) -> Mapping[str, Any]:
        """The suite's tasks by id; empty if their data is not stored."""
        try:
            tasks = self.suite.tasks.load(self.protocol)
        except HomebodyError:
            return {}
        return {self.suite.tasks.identify(task): task for task in tasks}

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The samples that have a score, in order."""
        wanted = {*self.suite.reporting.means.values(), *_IN_TASKS}
        return tuple(_score(each, wanted) for each in self.records if "error" not in each)

    @cached_property
    def errors(self) -> tuple[SampleError, ...]:
        """The samples without a score."""
        return tuple(_error(each) for each in self.records if "error" in each)


def key_of(record: Mapping[str, Any]) -> Key:
    """Return the sample of a record."""
    return record["identifier"], record["epoch"]


def _score(record: Mapping[str, Any], wanted: Iterable[str]) -> Score:
    name, epoch = key_of(record)
    metrics = record.get("metrics")
    given = metrics if isinstance(metrics, Mapping) else {key: record.get(key) for key in wanted}
    cluster, usage = record.get("cluster"), record.get("usage")
    return Score(
        name,
        {key: float(value) for key, value in given.items() if isinstance(value, int | float)},
        record,
        record.get("valid", True) is not False,
        epoch,
        cluster if isinstance(cluster, str) else "",
        _usage(usage) if isinstance(usage, Mapping) else None,
    )


def _usage(record: Mapping[str, Any]) -> Usage:
    numbers: dict[str, Any] = {
        key: value
        for key in ("input_tokens", "output_tokens", "seconds", "cost")
        if isinstance(value := record.get(key), int | float)
    }
    return Usage(**numbers)


def _error(record: Mapping[str, Any]) -> SampleError:
    error = record["error"] if isinstance(record["error"], Mapping) else {}
    kind = error.get("kind")
    return SampleError(
        *key_of(record),
        kind if kind in ("agent_error", "provider_error") else "internal_error",
        str(error.get("reason", "")),
        str(error.get("traceback", "")),
    )


def read_runs(
    folders: Iterable[Path],
    logs: Iterable[Log] = (),
    suites: Mapping[str, Suite[Any]] | None = None,
    outputs: Sequence[Path] = (),
) -> tuple[list[Run], list[HomebodyError]]:
    """Read the runs in folders of results and logs; also return errors of unreadable ones.

    Args:
        folders: Folders with ``samples.jsonl`` and ``run.json``.
        logs: Logs of these or other runs, which may be in progress.
        suites: Name -> the suite to use instead of the installed one.
        outputs: Further files of outputs that may belong to results. The files beside the results
            are always used.
    """
    own, wrong = suites or {}, []
    named = _Names()
    runs: list[Run] = []
    left = list(logs)
    for folder in folders:
        try:
            runs.append(_read_run(folder, left, own, named, outputs))
        except HomebodyError as error:
            wrong.append(error)
    for log in left:
        try:
            runs.append(_make_log_run(log, own, named))
        except HomebodyError as error:
            wrong.append(error)
    return sorted(runs, key=lambda run: (run.suite.name, run.suite.reporting.place)), wrong


class _Names:
    """A source of unique ids for runs."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def __call__(self, suite: str, name: str, protocol: str, source: str) -> str:
        usual = "" if protocol == "corrected" else f".{protocol}"
        name = _OTHER.sub("-", f"{suite}.{safe_name(name)}{usual}")[:150]
        given = name
        if given in self._taken:
            given = f"{name}-{hashlib.sha256(source.encode(errors='replace')).hexdigest()[:6]}"
        for number in count(2):
            if given not in self._taken:
                break
            given = f"{name}-{number}"
        self._taken.add(given)
        return given


def _read_run(
    folder: Path,
    logs: list[Log],
    suites: Mapping[str, Suite[Any]],
    named: _Names,
    files: Sequence[Path],
) -> Run:
    record = read_record(folder)
    suite = suites.get(record.suite) or get_suite(record.suite)
    protocol = suite.protocol(record.protocol)
    records = read_records(folder / SAMPLES)
    mine = [log for log in logs if _same_run(log.run, record.run)]
    for log in mine:
        logs.remove(log)
    more = next((log for log in mine if len(log.records) > len(records)), None)
    if more is not None:  # the run is repeated; results are written at its end
        records = more.records
    outputs: dict[Key, str] = {}
    beside = folder.resolve().parent / Path(record.outputs.get("file", "")).name
    for file in (beside, *(file for file in files if file.name == beside.name)):
        if record.outputs and file.is_file() and sha256(file) == record.outputs.get("sha256"):
            outputs = _match_outputs(suite, protocol, records, file)
            break
    messages: dict[Key, tuple[Message, ...]] = {}
    for log in mine:
        outputs.update({key: text for key, text in log.outputs.items() if key not in outputs})
        messages.update(log.messages)
    others = find_mismatches(folder, record)
    note = (
        f"files do not belong together, perhaps after a kill: {', '.join(others)}" if others else ""
    )
    name = _run_name(record.run, folder.name)
    return Run(
        named(suite.name, name, protocol.name, str(folder)),
        name,
        suite,
        protocol,
        {
            "homebody": record.homebody,
            **({"package": record.distribution} if record.distribution else {}),
            "data": record.data,
            **{key: each for key, each in record.run.items() if key not in ("data", "version")},
        },
        records,
        outputs,
        messages,
        max((len(records), *(log.total for log in mine))),
        str(folder),
        note,
    )


def _make_log_run(log: Log, suites: Mapping[str, Suite[Any]], named: _Names) -> Run:
    wanted = str(log.run.get("suite", ""))
    suite = suites.get(wanted) or get_suite(wanted)
    protocol = suite.protocol(str(log.run.get("protocol", "corrected")))
    name = _run_name(log.run, log.path.stem)
    return Run(
        named(suite.name, name, protocol.name, str(log.path)),
        name,
        suite,
        protocol,
        {key: each for key, each in log.run.items() if key not in ("suite", "protocol")},
        tuple(map(check_record, log.records)),
        log.outputs,
        log.messages,
        log.total,
        str(log.path),
    )


def _same_run(log: Mapping[str, Any], results: Mapping[str, Any]) -> bool:
    """Return whether a log and results are of the same run, in any version of homebody."""
    made = ("version", "data", "distribution")
    return {k: v for k, v in log.items() if k not in made} == {
        k: v for k, v in results.items() if k not in made
    }


def _run_name(run: Mapping[str, Any], folder: str) -> str:
    """Return the name of the model or agent with the suffix of the results' folder."""
    asked = run.get("model") or run.get("agent")
    if not isinstance(asked, str):
        return escape(folder, 100)
    plain = safe_name(asked)
    added = folder.removeprefix(plain) if folder.startswith(plain) else ""
    return escape(f"{asked}{added}", 100)


def _match_outputs(
    suite: Suite[Any], protocol: Protocol, records: Sequence[Mapping[str, Any]], file: Path
) -> dict[Key, str]:
    """Return outputs by sample. The outputs of a task belong to its scored samples in the same
    order."""
    try:
        outputs = [each for each in read_outputs(file) if isinstance(each, Output)]
        known = [(suite.tasks.identify(t), o) for t, o in match_tasks(suite, outputs, protocol)[0]]
    except HomebodyError:  # samples can be shown without outputs
        return {}
    epochs: dict[str, list[int]] = defaultdict(list)
    for record in records:
        if "error" not in record:
            epochs[record["identifier"]].append(record["epoch"])
    left = {name: iter(numbers) for name, numbers in epochs.items()}
    matched = {}
    for name, output in known:
        epoch = next(left.get(name, iter(())), None)
        if epoch is not None:
            matched[name, epoch] = output.text
    return matched
