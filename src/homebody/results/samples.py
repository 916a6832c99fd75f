"""What a run did, sample by sample, out of its folder of results: ``samples.jsonl``."""

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
from homebody.core.score import Usage
from homebody.results.record import RunRecord, find_mismatches, read_record

SAMPLES: Final = "samples.jsonl"
MAX_BYTES: Final = 1 << 30
_AGAIN: Final = "homebody score with --out writes it again"


@dataclass(frozen=True, slots=True)
class Sample:
    """One output of a run, as its line says.

    Attributes:
        identifier: Of the task.
        epoch: From 1.
        cluster: What the task shares with others; its id if nothing.
        metrics: Name -> number in [0, 1]; none of a sample without a score.
        valid: Whether it counts: it has a score, and the protocol does not leave its task out.
        error: Whose fault it is that there is no score, and why; empty if there is one.
        usage: What it took, if a model was asked.
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
        """Whether it did what was asked; None where the suite knows no success, or nobody knows."""
        known = self.metrics.get("success")
        return None if known is None else known == 1

    @property
    def explanation(self) -> str:
        """Why it did not, or what it did."""
        return str(self.record.get("explanation", ""))


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """What a comparison needs of a run.

    Attributes:
        name: Name of the model or agent.
        suite: Name of the suite.
        protocol: Name of the protocol.
        data: Name -> version of the tasks' data.
        samples: Its samples.
        run: What identifies the run, as in ``run.json``.
    """

    name: str
    suite: str
    protocol: str
    data: Mapping[str, str]
    samples: tuple[Sample, ...]
    run: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SampledRun:
    """A run whose samples were read.

    Attributes:
        folder: Where it is.
        about: What it was made with.
        samples: In the order in which they are written.
    """

    folder: Path
    about: RunRecord
    samples: tuple[Sample, ...]

    @property
    def name(self) -> str:
        """Of who was asked, as its folder is called."""
        return self.folder.resolve().name

    @property
    def comparable(self) -> ComparableRun:
        """What of it another run is compared with."""
        about = self.about
        return ComparableRun(
            self.name, about.suite, about.protocol, about.data, self.samples, about.run
        )

    @property
    def model(self) -> str:
        """Who was asked: of a model its name, else the agent's, else the name of the folder."""
        run = self.about.run
        return str(run.get("model") or run.get("agent") or self.name)

    @property
    def seed(self) -> int | None:
        """Of all that was random; None if that is not known."""
        seed = self.about.run.get("seed")
        return seed if isinstance(seed, int) else None


def samples_of(scores: Iterable[Score]) -> tuple[Sample, ...]:
    """Scores as samples."""
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
    """The folders of results that are meant: those named, or those in them, two levels down.

    Raises:
        HomebodyError: a folder has none.
    """
    for path in paths:
        if (path / SAMPLES).exists() or (path / "summary.json").exists():
            yield path
            continue
        files = chain(path.glob("*/s*.json*"), path.glob("*/*/s*.json*"))
        inside = sorted({file.parent for file in files if file.stem in ("samples", "summary")})
        if not inside:
            raise HomebodyError(
                f"{path} has no results, nor have the folders in it, two levels down",
                "name a folder that --out named",
            )
        yield from inside


def read_run(folder: Path) -> SampledRun:
    """A run, out of its folder of results.

    Raises:
        HomebodyError: there are none, they do not belong together, or are an older homebody's.
    """
    about = read_record(folder)
    if others := find_mismatches(folder, about):
        raise HomebodyError(
            f"{folder} is out of step, as a kill or a full disk leaves it: {', '.join(others)}",
            "run or score again with --out",
        )
    records = read_records(folder / SAMPLES)
    return SampledRun(folder, about, tuple(_sample(folder, record) for record in records))


def read_records(path: Path) -> tuple[Mapping[str, Any], ...]:
    """The lines of a ``samples.jsonl``.

    Raises:
        HomebodyError: it cannot be read, or has a line that is no record.
    """
    try:
        data = read_bounded(path, MAX_BYTES)
        return tuple(check_record(read_json(line)) for line in data.splitlines() if line.strip())
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}", error.hint) from error
    except ValueError as error:
        raise HomebodyError(f"{path} is damaged: {error}", _AGAIN) from error


def check_record(record: Any) -> Mapping[str, Any]:
    """What is the record of a sample. Raises ValueError if it is none."""
    fits = isinstance(record, Mapping) and isinstance(record.get("identifier"), str)
    if not fits or type(record.get("epoch", 1)) is not int:
        raise ValueError("a line is no record of a sample")
    return {"epoch": 1, **record}


def _sample(folder: Path, record: Mapping[str, Any]) -> Sample:
    own = {name: record[name] for name in _Line.__struct_fields__ if name in record}
    try:  # other names may hold what UTF-8 does not
        read = msgspec.convert(own, _Line)
    except msgspec.MsgspecError as error:
        problem = f"{folder / SAMPLES}, {record['identifier'][:80]}: {error}"
        raise HomebodyError(problem, _AGAIN) from error
    told = read.error if isinstance(read.error, dict) and "kind" in read.error else None
    if told is None and not read.metrics:
        raise HomebodyError(f"{folder / SAMPLES} has no metrics: an older homebody's", _AGAIN)
    usage = read.usage
    return Sample(
        read.identifier,
        read.epoch,
        read.cluster or read.identifier,
        read.metrics,
        told is None and read.valid,
        "" if told is None else f"{told['kind']}: {told.get('reason', '')}",
        None
        if usage is None
        else Usage(usage.input_tokens, usage.output_tokens, usage.seconds, usage.cost),
        record,
    )
