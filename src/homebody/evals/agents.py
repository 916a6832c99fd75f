"""Runs of agents, in the workers of an engine and without a model library."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from homebody.core import Question, Reply, SampleError
from homebody.core.ground.engines import can_fork, cores, finish
from homebody.core.ground.progress import Progress
from homebody.evals.run_journal import Journal, Key, ScoredSample, error_line, scored_line
from homebody.evals.samples import (
    Agent,
    AgentFailed,
    Answer,
    Setup,
    catch_agent_errors,
    judge,
    play_agent,
    sample_dialogue,
)

MAX_TOGETHER: Final = 16
"""Maximum number of samples per job of a worker."""
SHARES: Final = 8
"""Jobs per worker, so that all workers finish at about the same time."""


def run_samples(
    setup: Setup,
    begun: Journal,
    keep: Callable[[bytes], object],
    *,
    engine: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Run the samples that have no score yet.

    Args:
        setup: The run.
        begun: The journal with finished samples.
        keep: Receives lines of the journal as they come, in any order.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`. If None, copies of this
            process if it can be copied, otherwise new processes.
        workers: Number of processes. If None, one process for a function, and one process if there
            is no engine and this process cannot be copied. Otherwise as in
            :func:`~homebody.core.ground.engines.finish`.
        progress: Notified of finished samples.

    Raises:
        HomebodyError: There is no such engine, or a worker ended without a result.
    """
    count = len(begun.keys) - len(begun.scored)
    if engine is None:
        if workers is None:
            workers = cores() if isinstance(setup.agent, str) and can_fork() else 1
        workers = min(workers, max(count // 2, 1))
        engine = "serial" if workers == 1 else "fork" if can_fork() else "pool"
    together = min(max(count // ((workers or cores()) * SHARES), 1), MAX_TOGETHER)
    finish(
        partial(line_of, setup),
        {key: key for key in begun.keys},
        begun.scored,
        lambda lines: keep(b"".join(lines.values())),
        engine=engine,
        workers=workers,
        # a function may be slow, so each of its outputs is saved at once
        together=1 if callable(setup.agent) else together,
        progress=progress,
        activity="running",
    )


def line_of(setup: Setup, key: Key) -> bytes:
    """Run a sample, and return its line for the journal: its score or its error."""
    try:
        if isinstance(setup.agent, str) and setup.bounded_suite.playing is not None:
            return scored_line(key, ScoredSample(*play_agent(setup, *key)))
        answer = _answer(setup, *key)
        score = judge(setup, *key, answer)
        return scored_line(key, ScoredSample(answer.output, score, answer.attempts))
    except AgentFailed as failed:
        return error_line(SampleError.of(*key, "agent_error", failed.error))
    except Exception as error:  # any exception fails this sample only
        return error_line(SampleError.of(*key, "internal_error", error))


def _answer(setup: Setup, identifier: str, epoch: int) -> Answer:
    dialogue = sample_dialogue(setup, identifier, epoch)
    replies: tuple[Reply, ...] | None = None
    while True:
        try:
            questions = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        replies = tuple(_reply(setup.agent, question) for question in questions)


def _reply(agent: Agent | None, question: Question) -> Reply:
    """Call a function for its reply."""
    assert callable(agent)
    with catch_agent_errors():
        text = agent("\n\n".join(message.text for message in question.messages))
        if not isinstance(text, str):
            raise TypeError(f"an agent must return a string, not {type(text).__name__}")
    return Reply(text)
