"""Generates many episodes in shards, on all cores; interrupted work can be resumed.

A shard is a house and a range of indices. Its bytes depend on nothing else: not on the engine, the
number of workers, or interruptions. During generation, a folder has

- ``manifest.json``: the request. Another request for the folder is an error.
- ``shards/shard-000123.jsonl.gz``: the episodes of a finished shard. Beside it is
  ``shard-000123.json``, with counts of rejected drafts and the episodes' digest. Workers return
  whole shards, and one process writes them, each file under a hidden name first. A shard without
  counts, or with a wrong digest, is made again.

At the end the shards are joined to ``episodes.jsonl.gz``, their counts are written to
``report.json``, and the shards are removed. In train one house follows another. In val and test
houses alternate, so that the first episodes of a file cover all houses.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final, TypeAlias

from homebody.authoring.partnr import splits
from homebody.authoring.partnr.counts import (
    Counts,
    GenerationPlan,
    Report,
    ShardCounts,
    Tally,
    read_counts,
    read_report,
    sum_counts,
)
from homebody.authoring.partnr.draft import FailureMode, Rejected
from homebody.core import HomebodyError, Progress
from homebody.core.ground.engines import finish
from homebody.core.ground.files import lock_file, make_folder
from homebody.core.ground.shards import check_plan, write_json
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.kinds import kinds

Make: TypeAlias = Callable[[str, int, int], tuple[Episode, Mapping[FailureMode, int]]]
"""A function that takes a split, the seed of a house and an index. It returns an episode and the
number of rejected drafts by failure mode.

It must be a function of a module, or a ``functools.partial`` of one, so that it can be sent to
other processes."""

FORMAT: Final = "partnr-generation"
VERSION: Final = 1
MAX_EPISODES: Final = {"train": 2_000_000, "val": 10_000, "test": 10_000}
"""Maximum number of episodes of a split. More would repeat the few houses of val and test too
often."""
SHARD: Final = 200
"""Maximum number of episodes in a shard: about ten seconds of work, which a killed worker loses."""
SEEDS_APART: Final = 100_000_000
"""Distance between the first indices of consecutive seeds."""
GIVEN_UP: Final = "given up"
"""The key in the counts, beside failure modes, for indices without an episode."""
_AGAIN: Final = 5_000_000
_TRIES: Final = 10
"""Number of other indices that are tried when an author finds no episode for an index; ``_AGAIN``
is the distance between them."""


@dataclass(frozen=True, slots=True)
class Job:
    """A shard to make: the indices from ``start`` to before ``stop`` of a house."""

    number: int
    split: str
    scene: int
    start: int
    stop: int


def jobs_of(plan: GenerationPlan) -> tuple[Job, ...]:
    """Return the shards of a plan, in order.

    Indices continue from house to house, so that the types of tasks, which alternate with the
    index, are balanced over all houses.

    Raises:
        HomebodyError: the plan is impossible.
    """
    splits.check_split(plan.split)
    most = MAX_EPISODES[plan.split]
    if not 1 <= plan.episodes <= most:
        raise HomebodyError(f"{plan.split} can have 1 to {most} episodes, not {plan.episodes}")
    if not 0 <= plan.seed < 1_000:
        raise HomebodyError(f"the seed is from 0 to 999, not {plan.seed}")
    jobs: list[Job] = []
    first = plan.seed * SEEDS_APART
    for scene, count in splits.houses_for(plan.split, plan.episodes):
        for start in range(first, first + count, SHARD):
            stop = min(start + SHARD, first + count)
            jobs.append(Job(len(jobs), plan.split, scene, start, stop))
        first += count
    return tuple(jobs)


def fill(make: Make, job: Job) -> tuple[bytes, Counts]:
    """Make a shard: return the episodes as compressed lines, and the counts of its drafts. Raises
    HomebodyError if the author found no episode for an index and for its replacements."""
    began = time.perf_counter()
    tally = Tally()
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 6, packed, mtime=0) as file:
        for index in range(job.start, job.stop):
            episode, failures = _make_episode(make, job, index)
            file.write(files.encode(episode) + b"\n")
            types = sorted(kinds(episode.evaluation))
            tally.reject(failures, types)
            tally.of_kind.update(types)
    counts = tally.counts(job.stop - job.start, time.perf_counter() - began, megabytes())
    return packed.getvalue(), counts


def generate(
    out: Path,
    plan: GenerationPlan,
    make: Make,
    *,
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Report:
    """Make a file of episodes, or resume interrupted work.

    Args:
        out: A folder, made if it is missing. ``episodes.jsonl.gz`` is the result.
        plan: The request.
        make: The author; see :data:`Make`.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; default: the number of cores.
        progress: Is notified of finished episodes.

    Raises:
        HomebodyError: the engine or plan is invalid, the folder has other content or is used by
            another process, or an episode could not be made. Finished work is kept.
    """
    jobs = jobs_of(plan)
    folder = out / "shards"
    make_folder(folder)
    with lock_folder(out):
        check_manifest(out / "manifest.json", plan)
        if not ((out / "episodes.jsonl.gz").exists() and (out / "report.json").exists()):
            for half in folder.glob(".*.half"):  # left by a killed process: no other works here
                half.unlink()
            finish(
                work=partial(fill, make),
                jobs={job.number: job for job in jobs},
                kept={job.number for job in jobs if _is_whole(folder, job)},
                keep=partial(_keep, folder),
                engine=engine,
                workers=workers,
                progress=progress,
                activity="generating",
                size=lambda job: job.stop - job.start,
            )
            _join(out, folder, jobs, plan)
        shutil.rmtree(folder)
    return read_report(out / "report.json")


def _keep(folder: Path, made: Mapping[int, tuple[bytes, Counts]]) -> None:
    for number, (packed, counts) in made.items():
        with files.open_whole(_episodes_of(folder, number), packed=True) as file:
            file.write(packed)
        digest = hashlib.sha256(packed).hexdigest()
        write_json(_counts_of(folder, number), asdict(ShardCounts(counts, digest)))


def _is_whole(folder: Path, job: Job) -> bool:
    """Return whether a shard exists and is undamaged."""
    try:
        known = read_counts(_counts_of(folder, job.number))
        packed = _episodes_of(folder, job.number).read_bytes()
    except (OSError, HomebodyError):
        return False
    return (
        hashlib.sha256(packed).hexdigest() == known.sha256
        and known.counts.episodes == job.stop - job.start
    )


def _join(out: Path, folder: Path, jobs: tuple[Job, ...], plan: GenerationPlan) -> None:
    each = [read_counts(_counts_of(folder, job.number)).counts for job in jobs]
    path = out / "episodes.jsonl.gz"
    if plan.split == "train":
        # concatenated gzip files are a gzip file
        with files.open_whole(path, packed=True) as whole:
            for job in jobs:
                with _episodes_of(folder, job.number).open("rb") as part:
                    shutil.copyfileobj(part, whole)
    else:
        by_house: dict[int, list[Path]] = {}
        for job in jobs:
            by_house.setdefault(job.scene, []).append(_episodes_of(folder, job.number))
        lines = [chain.from_iterable(map(files.read_lines, paths)) for paths in by_house.values()]
        with files.open_whole(path) as whole:
            for turn in zip_longest(*lines):
                whole.writelines(line + b"\n" for line in turn if line is not None)
    report = Report(plan, len({job.scene for job in jobs}), sum_counts(each))
    write_json(out / "report.json", asdict(report))


def _make_episode(make: Make, job: Job, index: int) -> tuple[Episode, Counter[str]]:
    """Return an episode and the failures before it. Another index is used if the author finds no
    episode."""
    failures: Counter[str] = Counter()
    for attempt in range(_TRIES):
        try:
            episode, more = make(job.split, job.scene, index + attempt * _AGAIN)
        except Rejected as error:
            failures[error.failure.value] += 1
            why = HomebodyError(str(error))
        except HomebodyError as error:
            failures[GIVEN_UP] += 1
            why = error
        else:
            failures.update({failure.value: count for failure, count in more.items()})
            return episode, failures
    raise HomebodyError(f"house {job.scene} of {job.split}, index {index}: {why}", why.hint)


def check_manifest(path: Path, plan: GenerationPlan) -> None:
    """Raise HomebodyError unless a folder is new or was started with this plan."""
    if not path.exists() and (path.parent / "episodes.jsonl.gz").exists():
        raise HomebodyError(f"{path.parent} has episodes already", "give another folder")
    check_plan(path, FORMAT, {"version": VERSION, **asdict(plan)})


def lock_folder(out: Path) -> AbstractContextManager[None]:
    """Return a context manager that locks a folder against other processes of this machine. The
    lock of a killed process is released."""
    return lock_file(out / ".lock", f"another process works in {out}")


def _episodes_of(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:06}.jsonl.gz"


def _counts_of(folder: Path, number: int) -> Path:
    return folder / f"shard-{number:06}.json"


def megabytes() -> float:
    """Return the peak memory of this process; 0 if it is unknown."""
    try:
        import resource
    except ImportError:  # pragma: no cover - Windows
        return 0.0
    import sys

    unit = 1 if sys.platform == "darwin" else 1024
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 1)
