"""Runs without a model: agents answer in processes of this machine, and need no model library."""

from __future__ import annotations

import pickle
from collections.abc import Generator, Sequence
from functools import partial
from typing import Final

from homebody.core import HomebodyError, Question, Reply, SampleError
from homebody.core.ground.engines import can_fork, cores, forked, pool, serial
from homebody.evals.run_journal import Key, Scored, error_line, scored_line
from homebody.evals.samples import Agent, AgentFailed, Answer, Setup, acting, judged, sample

MAX_PER_JOB: Final = 16
"""Samples that a process does at a time."""
JOBS_PER_WORKER: Final = 8


def run_samples(
    setup: Setup, todo: Sequence[Key], workers: int | None
) -> Generator[list[bytes], None, None]:
    """Have samples done: yields the lines of a journal as they come, in any order.

    Args:
        setup: Who does what.
        todo: The samples.
        workers: Processes; as many as cores if left out, or one where that could go wrong: for a
            function, and where processes cannot be copied.

    Raises:
        HomebodyError: a process ended without an answer.
    """
    if workers is None:
        workers = cores() if isinstance(setup.agent, str) and can_fork() else 1
    workers = min(workers, max(len(todo) // 2, 1))
    size = min(max(len(todo) // (workers * JOBS_PER_WORKER), 1), MAX_PER_JOB)
    if callable(setup.agent):
        size = 1  # it may be slow, and all that it has answered is kept
    jobs = [todo[at : at + size] for at in range(0, len(todo), size)]
    engine = serial if workers == 1 else forked if can_fork() else pool
    if engine is pool:
        _check_sendable(setup)
    yield from engine(partial(lines_of, setup), jobs, workers)


def _check_sendable(setup: Setup) -> None:
    """Raises HomebodyError if a fresh process cannot be given a suite and an agent."""
    try:
        pickle.dumps(setup)
    except Exception as error:  # as many kinds as there are things that cannot be sent
        raise HomebodyError(
            f"the suite {setup.suite.name} or its agent cannot be sent to other processes: {error}",
            "have a module that they can be imported from, or leave workers out",
        ) from error


def lines_of(setup: Setup, keys: Sequence[Key]) -> list[bytes]:
    """The lines of a journal for some samples."""
    return [_line(setup, *key) for key in keys]


def _line(setup: Setup, identifier: str, epoch: int) -> bytes:
    key = (identifier, epoch)
    try:
        answer = _answer(setup, identifier, epoch)
        score = judged(setup, identifier, epoch, answer)
        return scored_line(key, Scored(answer.output, score, answer.attempts))
    except AgentFailed as failed:
        return error_line(SampleError.of(*key, "agent_error", failed.error))
    except Exception as error:  # whatever it is, it is about this sample
        return error_line(SampleError.of(*key, "internal_error", error))


def _answer(setup: Setup, identifier: str, epoch: int) -> Answer:
    dialogue = sample(setup, identifier, epoch)
    replies: tuple[Reply, ...] | None = None
    while True:
        try:
            questions = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
        replies = tuple(_reply(setup.agent, question) for question in questions)


def _reply(agent: Agent | None, question: Question) -> Reply:
    """What a function answers."""
    assert callable(agent)
    with acting():
        text = agent("\n\n".join(message.text for message in question.messages))
        if not isinstance(text, str):
            raise TypeError(f"an agent answers with a text, not with {type(text).__name__}")
    return Reply(text)
