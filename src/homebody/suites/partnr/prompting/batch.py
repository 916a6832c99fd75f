"""Many episodes at once: played by agents that need no model, and made into traces and samples.

Work is cut into jobs of a few episodes, for processes or machines; what comes of it is the same
whoever does it. Runs that were played are kept in a journal, so that a command
that was ended early goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson

from homebody.core import HomebodyError
from homebody.core.ground.journal import append, mend
from homebody.core.ground.nesting import check_depth
from homebody.suites.partnr.episodes.files import decode
from homebody.suites.partnr.prompting.traces import fine_tuning, samples, solved, write_traces
from homebody.suites.partnr.suite import make_suite
from homebody.suites.partnr.tasks import PartnrTask

EPISODES_PER_JOB: Final = 10
"""Episodes of a job."""
FORMS: Final = ("traces", "chats")


@dataclass(frozen=True, slots=True)
class PlayJob:
    """Episodes to be played.

    Attributes:
        agent: Who plays them: one of the suite's agents that need no model.
        settings: How they are played.
        seed: Of all chance.
        lines: The episodes, as lines of a file.
    """

    agent: str
    settings: Mapping[str, str]
    seed: int
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SampleJob:
    """Runs to be made into traces or samples.

    Attributes:
        number: Of the job: they are put together again in this order.
        form: ``traces``, for prompts, or ``chats``, for fine-tuning.
        roles: Those whose actions are told.
        runs: Episodes, as lines of a file, each with the transcript of a run.
    """

    number: int
    form: str
    roles: tuple[str, ...]
    runs: tuple[tuple[bytes, str], ...]


@dataclass(frozen=True, slots=True)
class SampleLines:
    """What came of it: JSON lines, and of how many runs and how many lines."""

    number: int
    lines: bytes
    succeeded: int
    count: int


def play_episodes(job: PlayJob) -> list[tuple[str, str, str]]:
    """Play episodes: the digest of each, its id and the transcript.

    Raises:
        HomebodyError: there is no such agent or setting, or an episode is not possible.
    """
    suite = make_suite("val")
    transcripts = []
    for line in job.lines:
        task = PartnrTask(decode(line))
        text = suite.answer(job.agent, task, settings=job.settings, seed=job.seed)
        transcripts.append((digest(line), task.id, text))
    return transcripts


def make_samples(job: SampleJob) -> SampleLines:
    """Traces or samples of those runs that succeeded. A run of an episode that is not possible is
    none, and so is a text that is no transcript."""
    parts, succeeded, count = [], 0, 0
    for line, transcript in job.runs:
        try:
            data, more = _samples_of(PartnrTask(decode(line)), transcript, job)
        except HomebodyError:
            continue
        parts.append(data)
        succeeded += more > 0
        count += more
    return SampleLines(job.number, b"".join(parts), succeeded, count)


def jobs_of(runs: Sequence[tuple[bytes, str]], form: str, roles: Sequence[str]) -> list[SampleJob]:
    """Runs cut into jobs."""
    cut = [tuple(runs[at : at + EPISODES_PER_JOB]) for at in range(0, len(runs), EPISODES_PER_JOB)]
    return [
        SampleJob(number, form, tuple(roles), runs_of_job) for number, runs_of_job in enumerate(cut)
    ]


def in_order(results: Iterable[SampleLines]) -> Iterator[SampleLines]:
    """What came of jobs, in the order of the jobs, as soon as it can be."""
    early: dict[int, SampleLines] = {}
    following = 0
    for result in results:
        early[result.number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def digest(line: bytes) -> str:
    """What tells episodes apart, also those of the same id."""
    return hashlib.sha256(line).hexdigest()[:16]


# -- journals -------------------------------------------------------------------------------------


class Journal:
    """Runs that were played so far, in a file of JSON lines that only grows; it is begun with the
    first run, so that a command that is refused leaves none behind.

    Args:
        path: The file; gone on with if it is there.
        how: Who plays and how; in its first line.

    Attributes:
        runs: Digest of an episode -> transcript.

    Raises:
        HomebodyError: it was begun in another way, or is no journal.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, how: Mapping[str, Any]) -> None:
        self.path = path
        self.runs: dict[str, str] = {}
        head = orjson.dumps({"format": "partnr-play", **how}, option=orjson.OPT_SORT_KEYS)
        data = path.read_bytes() if path.exists() else b""
        lines = data[: data.rfind(b"\n") + 1].splitlines()  # the last may have been cut off
        if lines and lines[0] != head:
            raise HomebodyError(
                f"{path} was begun in another way, or by another homebody",
                "remove it, or give the same options",
            )
        for number, line in enumerate(lines[1:], 2):
            name, text = _entry(line, path, number)
            self.runs[name] = text
        self._head = b"" if lines else head + b"\n"
        mend(path)

    def add(self, transcripts: Iterable[tuple[str, str, str]]) -> None:
        """Keep runs as :func:`play_episodes` gives them."""
        new = [(name, text) for name, _, text in transcripts]
        self.runs.update(new)
        lines = b"".join(orjson.dumps(entry) + b"\n" for entry in new)
        append(self.path, self._head + lines)
        self._head = b""


def _entry(line: bytes, path: Path, number: int) -> tuple[str, str]:
    try:
        check_depth(line)
        raw = orjson.loads(line)
    except ValueError:
        raw = None
    if not isinstance(raw, list) or len(raw) != 2 or not all(isinstance(part, str) for part in raw):
        raise HomebodyError(f"line {number} of {path} is no run", "remove the file to begin anew")
    return raw[0], raw[1]


def _samples_of(task: PartnrTask, transcript: str, job: SampleJob) -> tuple[bytes, int]:
    if job.form == "traces":
        traces = [sample for sample in solved(task, transcript) if sample.role in job.roles]
        return write_traces(traces), len(traces)
    lines = list(
        fine_tuning(sample for sample in samples(task, transcript) if sample.role in job.roles)
    )
    return b"".join(lines), len(lines)
