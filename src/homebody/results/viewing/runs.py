"""A run as it is looked at: the samples of its results, what was answered, and what was said.

Results are read as files from outside: bounded, and nothing in them is taken to be as it should.
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
from homebody.results.record import out_of_step, read_record
from homebody.results.samples import SAMPLES, checked, read_records
from homebody.results.scoring import of_tasks
from homebody.suites import get_suite

Key: TypeAlias = tuple[str, int]
"""Task id and epoch."""
_IN_TASKS: Final = ("success", "progress", "percent_complete", "f1")
"""Shares in records that are metrics of their scores, too, wherever there are any."""
_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Log:
    """What the log of a run has, or the journal of an agent.

    Attributes:
        path: Where it is.
        run: What makes the run this run.
        total: How many samples there are to be.
        records: Of samples that are done, as lines of ``samples.jsonl``.
        outputs: Sample -> what was answered.
        messages: Sample -> what was asked and said, in order.
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
        id: Names it in addresses and files: letters, digits, ``.``, ``_`` and ``-``.
        name: Of the model or agent.
        suite: What it was evaluated on.
        protocol: How it was judged.
        made: What it was made with, as ``run.json`` says.
        records: Of its samples, in their order.
        outputs: Sample -> what was answered, where that is known.
        messages: Sample -> what was asked and said, where a log has it.
        total: How many samples there are to be.
        source: Where it was read from.
        note: What is to be known of it, such as that its files do not belong together.
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

    @property
    def is_going_on(self) -> bool:
        """Whether samples are still to come."""
        return len(self.records) < self.total

    @cached_property
    def tasks(self) -> Mapping[str, Any]:
        """The suite's tasks by their ids; none if their data is not here."""
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
        """The samples that have none, and why."""
        return tuple(_error(each) for each in self.records if "error" in each)


def key_of(record: Mapping[str, Any]) -> Key:
    """The sample that a record is of."""
    return record["identifier"], record["epoch"]


def _score(record: Mapping[str, Any], wanted: Iterable[str]) -> Score:
    name, epoch = key_of(record)
    told = record.get("metrics")
    given = told if isinstance(told, Mapping) else {key: record.get(key) for key in wanted}
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


def _usage(told: Mapping[str, Any]) -> Usage:
    numbers: dict[str, Any] = {
        key: value
        for key in ("input_tokens", "output_tokens", "seconds", "cost")
        if isinstance(value := told.get(key), int | float)
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
    """The runs in folders of results, with what logs add to them, and those that only logs have;
    and what could not be read.

    Args:
        folders: Each with a ``samples.jsonl`` and a ``run.json``.
        logs: Of the same runs, or of others, which may still go on.
        suites: Name -> the suite to take in place of the one of that name.
        outputs: Files that results may be of, besides those that lie beside them.
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
            runs.append(_of_log(log, own, named))
        except HomebodyError as error:
            wrong.append(error)
    return sorted(runs, key=lambda run: (run.suite.name, run.suite.reporting.place)), wrong


class _Names:
    """Gives each run an id of its own."""

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
    if more is not None:  # it is asked again, and results are written at its end
        records = more.records
    outputs: dict[Key, str] = {}
    beside = folder.resolve().parent / Path(record.outputs.get("file", "")).name
    for file in (beside, *(file for file in files if file.name == beside.name)):
        if record.outputs and file.is_file() and sha256(file) == record.outputs.get("sha256"):
            outputs = _matched(suite, protocol, records, file)
            break
    messages: dict[Key, tuple[Message, ...]] = {}
    for log in mine:
        outputs.update({key: text for key, text in log.outputs.items() if key not in outputs})
        messages.update(log.messages)
    others = out_of_step(folder, record)
    note = f"out of step, as a kill leaves it: {', '.join(others)}" if others else ""
    name = _called(record.run, folder.name)
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


def _of_log(log: Log, suites: Mapping[str, Suite[Any]], named: _Names) -> Run:
    wanted = str(log.run.get("suite", ""))
    suite = suites.get(wanted) or get_suite(wanted)
    protocol = suite.protocol(str(log.run.get("protocol", "corrected")))
    name = _called(log.run, log.path.stem)
    return Run(
        named(suite.name, name, protocol.name, str(log.path)),
        name,
        suite,
        protocol,
        {key: each for key, each in log.run.items() if key not in ("suite", "protocol")},
        tuple(map(checked, log.records)),
        log.outputs,
        log.messages,
        log.total,
        str(log.path),
    )


def _same_run(log: Mapping[str, Any], results: Mapping[str, Any]) -> bool:
    """Whether a log is of the run that results are of, or of a version of homebody before it."""
    made = ("version", "data", "distribution")
    return {k: v for k, v in log.items() if k not in made} == {
        k: v for k, v in results.items() if k not in made
    }


def _called(run: Mapping[str, Any], folder: str) -> str:
    """The name of who was asked, with what the name of a folder of results adds to it."""
    asked = run.get("model") or run.get("agent")
    if not isinstance(asked, str):
        return escape(folder, 100)
    plain = safe_name(asked)
    added = folder.removeprefix(plain) if folder.startswith(plain) else ""
    return escape(f"{asked}{added}", 100)


def _matched(
    suite: Suite[Any], protocol: Protocol, records: Sequence[Mapping[str, Any]], file: Path
) -> dict[Key, str]:
    """Outputs by their samples: of the outputs of a task, in order, the first is of its first
    sample that has a score."""
    try:
        outputs = [each for each in read_outputs(file) if isinstance(each, Output)]
        known = [(suite.tasks.identify(t), o) for t, o in of_tasks(suite, outputs, protocol)[0]]
    except HomebodyError:  # the samples can be looked at without
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
