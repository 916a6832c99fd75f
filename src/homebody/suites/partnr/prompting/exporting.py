"""Traces and samples of many runs at once.

Work is cut into jobs of a few runs, for processes or machines; what comes of it is the same
whoever does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from homebody.core import HomebodyError
from homebody.suites.partnr.episodes.files import decode
from homebody.suites.partnr.prompting.traces import fine_tuning, samples, solved, write_traces
from homebody.suites.partnr.tasks import PartnrTask

RUNS_PER_JOB: Final = 10


@dataclass(frozen=True, slots=True)
class ExportJob:
    """Runs to be made into traces or samples.

    Attributes:
        number: Of the job: results are put together in this order.
        form: ``traces``, for prompts, or ``chats``, for fine-tuning.
        roles: Those whose actions are told.
        runs: Episodes, as lines of a file, each with the transcript of a run.
    """

    number: int
    form: str
    roles: tuple[str, ...]
    runs: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class Exported:
    """JSON lines of a job: of how many runs, and how many lines."""

    number: int
    lines: bytes
    succeeded: int
    count: int


def export(job: ExportJob) -> Exported:
    """Return traces or samples of those runs that succeeded. Runs of impossible episodes, and texts
    that are no transcript, are excluded."""
    parts, succeeded, count = [], 0, 0
    for line, transcript in job.runs:
        try:
            made = _lines_of(PartnrTask(decode(line)), transcript, job)
        except HomebodyError:
            continue
        parts += made
        succeeded += bool(made)
        count += len(made)
    return Exported(job.number, b"".join(parts), succeeded, count)


def jobs_of(runs: Sequence[tuple[bytes, str]], form: str, roles: Sequence[str]) -> list[ExportJob]:
    """Cut runs into jobs."""
    starts = range(0, len(runs), RUNS_PER_JOB)
    return [
        ExportJob(number, form, tuple(roles), tuple(runs[start : start + RUNS_PER_JOB]))
        for number, start in enumerate(starts)
    ]


def in_order(results: Iterable[Exported]) -> Iterator[Exported]:
    """Yield the results of jobs in the order of the jobs, each as soon as it can be."""
    early: dict[int, Exported] = {}
    following = 0
    for result in results:
        early[result.number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def _lines_of(task: PartnrTask, transcript: str, job: ExportJob) -> list[bytes]:
    if job.form == "traces":
        traces = solved(task, transcript)
        return [write_traces([trace]) for trace in traces if trace.role in job.roles]
    return list(
        fine_tuning(sample for sample in samples(task, transcript) if sample.role in job.roles)
    )
