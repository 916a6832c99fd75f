"""Episodes that a model writes: instructions, then evaluation functions, checked in the simulator.

There are four stages, as in appendix A.3 of the PARTNR paper. A model writes drafts freely for a
house (a) or after seeds (c), then their evaluation functions in three steps (d). Rules check the
drafts, which are then instantiated and verified (b). A model's output cannot be reproduced, so all
of it is stored. A folder has

- ``manifest.json``: the request. A different request for the same folder is an error.
- ``drafts.jsonl``: a line for each finished draft, with the episode or the reason for its
  rejection. Each line is on disk before the next draft.
- ``episodes.jsonl.gz`` and ``report.json``: written from these lines whenever work ends, for any
  reason.

Several threads query the model at once. All other work is done by one of them at a time, because
caches of houses are not thread-safe.
"""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Final

import msgspec

from homebody.authoring.partnr import shards
from homebody.authoring.partnr.checks.lint import lint
from homebody.authoring.partnr.counts import GenerationPlan
from homebody.authoring.partnr.draft import Draft, Rejected, excerpt
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.prompting.evaluation import evaluate_with_model
from homebody.authoring.partnr.prompting.records import (
    FORMAT,
    DraftRecord,
    PromptingReport,
    write,
)
from homebody.authoring.partnr.prompting.sources import Batch, Find, Source
from homebody.authoring.partnr.verify import verify
from homebody.core import HomebodyError, Message, Progress
from homebody.core.ground import journal
from homebody.core.ground.seeds import generator
from homebody.core.play.conversation import Ask
from homebody.goals.partnr import write_episode
from homebody.suites.partnr.episodes.kinds import KINDS
from homebody.suites.partnr.episodes.scene import scene

TOGETHER: Final = 5
"""Maximum number of drafts in one query."""
TRIES: Final = 6
"""Maximum number of queries for drafts of a batch."""
MAX_CONCURRENCY: Final = 256
REPEATED: Final = "repeated instruction"
"""The key in the counts, beside failure modes, for an instruction that the house has already."""
_SHOWN: Final = 300


class _Stopped(Exception):
    """Raised in a thread when another thread has ended the work."""


def batches(plan: GenerationPlan, typed: bool = True) -> tuple[Batch, ...]:
    """Return the batches of a plan: up to :data:`TOGETHER` episodes of a house and a type. If
    drafts have no type, each batch has one episode. Raises HomebodyError if the plan is
    impossible."""
    all_batches: list[Batch] = []
    for job in shards.jobs_of(plan):
        indices = range(job.start, job.stop)
        if not typed:
            all_batches += [Batch(job.scene, "", (index,)) for index in indices]
            continue
        for place, kind in enumerate(KINDS):
            own = tuple(index for index in indices if index % len(KINDS) == place)
            for at in range(0, len(own), TOGETHER):
                all_batches.append(Batch(job.scene, kind, own[at : at + TOGETHER]))
    return tuple(all_batches)


def generate(
    out: Path,
    plan: GenerationPlan,
    ask: Ask,
    source: Source,
    find: Find,
    *,
    concurrency: int = 8,
    progress: Progress | None = None,
) -> PromptingReport:
    """Let a model write episodes, or resume work that was interrupted or gave up.

    Args:
        out: A folder that exists.
        plan: The request; its author names the model.
        ask: Queries the model; called by several threads at once.
        source: Author of drafts: :func:`~.sources.free_source` or :func:`~.sources.seeded_source`.
        find: Finds examples of evaluation functions, see :func:`~.sources.example_finder`.
        concurrency: Maximum number of concurrent queries.
        progress: Is notified of finished episodes.

    Returns:
        The report. It may have fewer episodes than requested, if the model did not produce
        them in :data:`TRIES` tries; the same call tries again.

    Raises:
        HomebodyError: the plan is impossible, the folder has other content or is used by another
            process, or the model cannot be queried. Finished work is kept.
    """
    if not 1 <= concurrency <= MAX_CONCURRENCY:
        raise HomebodyError(f"the concurrency is 1 to {MAX_CONCURRENCY}, not {concurrency}")
    work = batches(plan, source.typed)
    path = out / "drafts.jsonl"
    with shards.lock_folder(out):
        shards.check_manifest(out / "manifest.json", plan)
        for half in out.glob(".*.half"):  # left by a killed process: no other works here
            half.unlink()
        path.touch()
        kept, records = journal.resume(path, FORMAT)
        try:
            desk = _Desk(plan, ask, source, find, kept, records, progress)
            _work(desk, work, concurrency)
        finally:
            report = write(out, plan)
    return report


class _Desk:
    """State that threads share. Only the thread that holds ``turn`` works. It releases ``turn``
    while it waits for the model."""

    def __init__(
        self,
        plan: GenerationPlan,
        ask: Ask,
        source: Source,
        find: Find,
        kept: journal.JournalWriter,
        records: Iterable[DraftRecord],
        progress: Progress | None,
    ) -> None:
        self.plan, self.source, self.find = plan, source, find
        self.turn = threading.Lock()
        self.stopped = False
        self.done: set[int] = set()
        self.known: set[tuple[int, str]] = set()
        self._ask, self._kept, self._progress = ask, kept, progress
        for record in records:
            self._note(record)

    def ask(self, messages: Sequence[Message]) -> str:
        """Query the model while other threads work. Raises HomebodyError if that fails."""
        self.turn.release()
        try:
            if self.stopped:
                raise _Stopped
            return self._ask(messages)
        except (_Stopped, HomebodyError):
            raise
        except Exception as error:  # a user's function may raise anything
            cause = error.__cause__ or error
            raise HomebodyError(
                f"the model could not be queried: {type(cause).__name__}:"
                f" {excerpt(str(cause), 300)}",
                "finished work is kept; the same command resumes",
            ) from error
        finally:
            self.turn.acquire()
            if self.stopped:
                raise _Stopped

    def record(self, outcome: DraftRecord) -> None:
        """Write the result of a draft to disk."""
        self._kept.add(msgspec.json.encode(outcome) + b"\n")
        self._note(outcome)
        self.report()

    def report(self) -> None:
        if self._progress:
            self._progress("generating", len(self.done), self.plan.episodes)

    def _note(self, outcome: DraftRecord) -> None:
        if outcome.episode is not None:
            self.done.add(outcome.index)
            self.known.add(_key(outcome))


def _work(desk: _Desk, work: Sequence[Batch], concurrency: int) -> None:
    desk.report()
    waiting = deque(batch for batch in work if not desk.done.issuperset(batch.indices))
    ended: SimpleQueue[Exception | None] = SimpleQueue()

    def labour() -> None:
        try:
            while waiting:
                try:
                    batch = waiting.popleft()
                except IndexError:  # another thread was faster
                    break
                _fill(desk, batch)
        except Exception as error:
            ended.put(error)
        else:
            ended.put(None)

    try:
        crew = min(concurrency, len(waiting))
        for _ in range(crew):
            # daemons, so that the end does not wait for a pending query
            threading.Thread(target=labour, daemon=True).start()
        for _ in range(crew):
            error = ended.get()
            if error is not None:
                raise error
    finally:
        # from here on nothing is queried or recorded
        with desk.turn:
            desk.stopped = True


def _fill(desk: _Desk, batch: Batch) -> None:
    """Make the episodes of a batch, as far as the model succeeds in :data:`TRIES` tries."""
    calls = 0

    def ask(messages: Sequence[Message]) -> str:
        nonlocal calls
        calls += 1
        return desk.ask(messages)

    with desk.turn:
        for attempt in range(TRIES):
            missing = [index for index in batch.indices if index not in desk.done]
            if desk.stopped or not missing:
                return
            began = time.monotonic()
            drafts = desk.source.write(ask, batch, missing, attempt)
            # the indices first, so that no superfluous draft is requested
            for index, draft in zip(missing, drafts, strict=False):
                outcome = _judge(desk, ask, batch, draft, index, attempt)
                seconds = round(time.monotonic() - began, 3)
                desk.record(msgspec.structs.replace(outcome, calls=calls, seconds=seconds))
                calls, began = 0, time.monotonic()


def _judge(
    desk: _Desk, ask: Ask, batch: Batch, draft: Draft | Rejected, index: int, attempt: int
) -> DraftRecord:
    """Add an evaluation function to a draft, check it, and return its record."""
    outcome = DraftRecord(batch.scene, batch.kind)
    try:
        if isinstance(draft, Rejected):
            raise draft
        outcome = DraftRecord(batch.scene, batch.kind, draft.instruction)
        if _key(outcome) in desk.known:
            return msgspec.structs.replace(outcome, failure=REPEATED)
        house = scene(batch.scene)
        findings = lint(draft, house)
        if not findings:  # no queries for drafts with errors
            draft = evaluate_with_model(ask, draft, house, desk.find)
            findings = lint(draft, house)
        if findings:
            modes = tuple(failure.value for failure, _ in findings)
            why = excerpt(findings[0][1], _SHOWN)
            return msgspec.structs.replace(outcome, failure=modes[0], why=why, findings=modes)
        name = f"{desk.plan.split}-{batch.scene}-m{index}"
        rng = generator(f"partnr {desk.plan.author} {name} {attempt}")
        episode = instantiate(name, batch.scene, draft, rng)
        verify(episode)
    except Rejected as rejected:
        why = excerpt(rejected.why, _SHOWN)
        return msgspec.structs.replace(outcome, failure=rejected.failure.value, why=why)
    return msgspec.structs.replace(outcome, index=index, episode=write_episode(episode))


def _key(outcome: DraftRecord) -> tuple[int, str]:
    """Return a key that must be unique among episodes: the house and the instruction."""
    return outcome.scene, " ".join(re.findall(r"\w+", outcome.instruction.lower()))
