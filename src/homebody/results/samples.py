"""Read the samples of a run from its folder of results (``samples.jsonl``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec

from homebody.core import HomebodyError, Score
from homebody.core.ground.files import read_bounded
from homebody.core.ground.nesting import read_json
from homebody.core.play.failures import read_labels
from homebody.core.score import Usage
from homebody.results.record import RunRecord, find_mismatches, read_record

SAMPLES: Final = "samples.jsonl"
MAX_BYTES: Final = 1 << 30
_AGAIN: Final = "write it again by homebody score with --out"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of a run.

    Attributes:
        identifier: Id of the task.
        epoch: Epoch, from 1.
        cluster: Name of the task's cluster; its id if it has none.
        metrics: Name -> number in [0, 1]; empty without a score.
        valid: True if it has a score and the protocol does not exclude its task.
        error: Kind and reason of a missing score; empty if there is one.
        usage: Usage, if a model was queried.
        record: The whole line.
    """

    identifier: str
    epoch: int
    cluster: str
    metrics: Mapping[str, float]
    valid: bool
    error: str
    usage: Usage | None
    record: Mapping[str, Any]

    @property
    def success(self) -> bool | None:
        """True if the task succeeded; None if the suite has no success or it is unknown."""
        known = self.metrics.get("success")
        return None if known is None else known == 1

    @property
    def labels(self) -> str:
        """The labels of its failure, separated by commas; empty without any."""
        return ", ".join(read_labels(self.record))

    @property
    def explanation(self) -> str:
        """The explanation of the score."""
        return str(self.record.get("explanation", ""))


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """The part of a run that a comparison needs.

    Attributes:
        name: Name of the model or agent.
        suite: Name of the suite.
        protocol: Name of the protocol.
        data: Name -> version of the tasks' data.
        samples: Its samples.
        run: The identity of the run, as in ``run.json``.
    """

    name: str
    suite: str
    protocol: str
    data: Mapping[str, str]
    samples: tuple[Sample, ...]
    run: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SampledRun:
    """A run with its samples.

    Attributes:
        folder: Its folder of results.
        about: Its ``run.json``.
        samples: Its samples, in the order of the file.
    """

    folder: Path
    about: RunRecord
    samples: tuple[Sample, ...]

    @property
    def name(self) -> str:
        """Name of the model or agent, which is the name of the folder."""
        return self.folder.resolve().name

    @property
    def comparable(self) -> ComparableRun:
        """The part of the run that comparisons need."""
        about = self.about
        return ComparableRun(
            self.name, about.suite, about.protocol, about.data, self.samples, about.run
        )

    @property
    def model(self) -> str:
        """Name of the model, otherwise of the agent, otherwise of the folder."""
        run = self.about.run
        return str(run.get("model") or run.get("agent") or self.name)

    @property
    def seed(self) -> int | None:
        """Seed of the run; None if unknown."""
        seed = self.about.run.get("seed")
        return seed if isinstance(seed, int) else None


def samples_of(scores: Iterable[Score]) -> tuple[Sample, ...]:
    """Convert scores to samples."""
    return tuple(
        Sample(
            score.identifier,
            score.epoch,
            score.cluster or score.identifier,
            score.metrics,
            score.valid,
            "",
            score.usage,
            score.record,
        )
        for score in scores
    )


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None


class _Line(msgspec.Struct):
    identifier: str
    epoch: int = 1
    cluster: str = ""
    metrics: dict[str, float] = {}
    valid: bool = True
    error: dict[str, Any] | str | None = None
    usage: _Usage | None = None


def find_result_folders(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders of results among ``paths`` and up to two levels below.

    Raises:
        HomebodyError: A path has none.
    """
    for path in paths:
        if (path / SAMPLES).exists() or (path / "summary.json").exists():
            yield path
            continue
        files = chain(path.glob("*/s*.json*"), path.glob("*/*/s*.json*"))
        inside = sorted({file.parent for file in files if file.stem in ("samples", "summary")})
        if not inside:
            raise HomebodyError(
                f"no results in {path} or its subfolders (two levels)",
                "give the folder of --out",
            )
        yield from inside


def read_run(folder: Path) -> SampledRun:
    """Read a run from its folder of results.

    Raises:
        HomebodyError: Files are missing, do not belong together, or are from an older homebody.
    """
    about = read_record(folder)
    if others := find_mismatches(folder, about):
        raise HomebodyError(
            f"files in {folder} do not belong together, perhaps after a kill: {', '.join(others)}",
            "run or score again with --out",
        )
    records = read_records(folder / SAMPLES)
    return SampledRun(folder, about, tuple(_sample(folder, record) for record in records))


def read_records(path: Path) -> tuple[Mapping[str, Any], ...]:
    """Read the lines of a ``samples.jsonl``.

    Raises:
        HomebodyError: It cannot be read, or a line is not a record.
    """
    try:
        data = read_bounded(path, MAX_BYTES)
        return tuple(check_record(read_json(line)) for line in data.splitlines() if line.strip())
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}", error.hint) from error
    except ValueError as error:
        raise HomebodyError(f"{path} is damaged: {error}", _AGAIN) from error


def check_record(record: Any) -> Mapping[str, Any]:
    """Return a sample's record with its epoch. Raises ValueError if it is not a record."""
    fits = isinstance(record, Mapping) and isinstance(record.get("identifier"), str)
    if not fits or type(record.get("epoch", 1)) is not int:
        raise ValueError("a line is not the record of a sample")
    return {"epoch": 1, **record}


def _sample(folder: Path, record: Mapping[str, Any]) -> Sample:
    own = {name: record[name] for name in _Line.__struct_fields__ if name in record}
    try:  # other fields may have lone surrogates
        read = msgspec.convert(own, _Line)
    except msgspec.MsgspecError as problem:
        message = f"{folder / SAMPLES}, {record['identifier'][:80]}: {problem}"
        raise HomebodyError(message, _AGAIN) from problem
    error = read.error if isinstance(read.error, dict) and "kind" in read.error else None
    if error is None and not read.metrics:
        text = f"{folder / SAMPLES} has no metrics: it is from an older homebody"
        raise HomebodyError(text, _AGAIN)
    usage = read.usage
    return Sample(
        read.identifier,
        read.epoch,
        read.cluster or read.identifier,
        read.metrics,
        error is None and read.valid,
        "" if error is None else f"{error['kind']}: {error.get('reason', '')}",
        None
        if usage is None
        else Usage(usage.input_tokens, usage.output_tokens, usage.seconds, usage.cost),
        record,
    )
