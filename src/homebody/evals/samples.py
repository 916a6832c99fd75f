"""A sample: one task in one epoch, from its first query to its score.

Inspect (for models) or :mod:`.agents` drives the dialogue :func:`sample_dialogue` and scores its
result with :func:`judge`. The dialogue of a named agent ends at once, without a query.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import index
from typing import Any, TypeAlias

from homebody.core import (
    CORRECTED,
    Action,
    Message,
    Playing,
    Protocol,
    Question,
    Reply,
    Score,
    Session,
    Suite,
    ToolCall,
)
from homebody.core.ground.seeds import attempt_generator, session_seed
from homebody.core.play.conversation import STOP_REASON, STOP_REASONS, Image
from homebody.core.play.rounds import play
from homebody.core.play.session import ActionInput
from homebody.core.suite import Driver
from homebody.drivers import DRIVERS, react
from homebody.evals.metadata import score_from_metadata, score_to_metadata
from homebody.evals.options import USUAL, Options
from homebody.evals.replanning import Attempt, with_history
from homebody.suites import get_suite

Asking: TypeAlias = Generator[tuple[Question, ...], tuple[Reply, ...], str]
"""A dialogue that returns an output."""
Agent: TypeAlias = str | Callable[[Any], Any]
"""The name of a suite's agent, or a function from a model's text, or from an
:class:`~homebody.core.Observation` where tasks are played, to an output or action. Another call
resumes a function's run only if the function has a true attribute ``can_resume``."""

ENDED_EARLY = {
    "refused": "The model declined, or its provider withheld the answer.",
    "max_tokens": "The answer was cut off.",
}
"""Stop reason -> the beginning of a score's explanation."""
NO_ACTION = (
    "an agent that plays returns an hb.Action, a string with an action such as Pick[cup_0], or"
    " the number of an option, not {}"
)


class AgentFailed(Exception):
    """Raised if an agent or a function raises an exception. All other exceptions are bugs of
    homebody.

    Attributes:
        error: The exception.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def catch_agent_errors() -> Iterator[None]:
    """Wrap any exception of an agent or a function in AgentFailed."""
    try:
        yield
    except Exception as error:
        raise AgentFailed(error) from error


@dataclass(frozen=True)
class Setup:
    """The tasks, the agent and the judging of a run.

    Attributes:
        suite: The suite.
        protocol: Protocol name.
        agent: The agent; None for a model.
        seed: Seed of the agent and of everything random in a task.
        options: Options of the run.
    """

    suite: Suite[Any]
    protocol: str = CORRECTED.name
    agent: Agent | None = None
    seed: int = 0
    options: Options = USUAL

    def __reduce__(self) -> tuple[type[Setup], tuple[Any, ...]]:
        """Omit loaded tasks: another process loads them itself."""
        return Setup, tuple(getattr(self, field.name) for field in fields(self))

    @cached_property
    def bounded_suite(self) -> Suite[Any]:
        """The suite with the run's limits of work."""
        return self.suite.with_bounds(self.options.bounds)

    @cached_property
    def rules(self) -> Protocol:
        """The protocol. Raises HomebodyError if the suite has none of that name."""
        return self.bounded_suite.protocol(self.protocol)

    @cached_property
    def first_suite(self) -> Suite[Any] | None:
        """The first suite of a pipeline, which provides the outputs; None without a pipeline."""
        pipeline = self.bounded_suite.experiments.pipeline if self.options.pipeline else None
        return None if pipeline is None else pipeline.first

    @cached_property
    def tasks(self) -> Mapping[str, Any]:
        """The suite's tasks by id, in order."""
        return _tasks_by_id(self.bounded_suite, self.protocol)

    @cached_property
    def task_ids(self) -> tuple[str, ...]:
        """Ids of the run's tasks in order. Raises HomebodyError if a named task does not exist."""
        suite, names = self.bounded_suite, self.options.tasks
        chosen = {suite.tasks.identify(suite.task(name, self.rules)) for name in names}
        return tuple(name for name in self.tasks if not names or name in chosen)

    @cached_property
    def first_tasks(self) -> Mapping[str, Any]:
        """Tasks of the pipeline's first suite, by id."""
        return {} if self.first_suite is None else _tasks_by_id(self.first_suite, self.protocol)


suite_of_run: ContextVar[Suite[Any] | None] = ContextVar("suite_of_run", default=None)
"""The suite of :func:`homebody.evals.run`. It is stored here because Inspect passes only its
name."""


def find_suite(name: str) -> Suite[Any]:
    """Return the run's suite if it has this name, otherwise the installed one."""
    own = suite_of_run.get()
    return own if own is not None and own.name == name else get_suite(name)


def can_resume(agent: Agent | None) -> bool:
    """Return whether the same call resumes an agent's interrupted run."""
    return not callable(agent) or bool(getattr(agent, "can_resume", False))


def _tasks_by_id(suite: Suite[Any], protocol: str) -> dict[str, Any]:
    return {suite.tasks.identify(task): task for task in suite.tasks.load(suite.protocol(protocol))}


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a sample's dialogue.

    Attributes:
        output: The last output.
        attempts: All attempts with their scores, in order, if retries are allowed.
        before: In a pipeline, the first suite's ``output`` and ``score``, and the next suite's
            record of them.
        left_out: Role -> maximum number of messages omitted from one query.
        stop_reasons: Stop reason -> number of replies. In a task that is played all replies count,
            otherwise the last reply.
    """

    output: str
    attempts: tuple[Attempt, ...] = ()
    before: Mapping[str, Any] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    stop_reasons: Mapping[str, int] = field(default_factory=dict)


def sample_dialogue(
    setup: Setup, identifier: str, epoch: int
) -> Generator[tuple[Question, ...], tuple[Reply, ...], Answer]:
    """Run a sample: yield concurrent queries, receive their replies, return the result.

    A failed output is retried with feedback, up to the given limit (EAI paper, appendix H).
    In a pipeline (appendix G) the task starts from the output for another suite.

    Raises:
        AgentFailed: An agent or a function raised.
    """
    suite, task, options = setup.bounded_suite, setup.tasks[identifier], setup.options
    before: dict[str, Any] | None = None
    if setup.first_suite is not None and suite.experiments.pipeline is not None:
        first = setup.first_suite
        first_task = setup.first_tasks[identifier]
        output, reasons = yield from _count_stop_reasons(_query(setup, first, first_task, epoch))
        score = first.score(first_task, output, first.protocol(setup.protocol))
        score = _add_stop_reasons(setup, first, score, reasons)
        task, record = suite.experiments.pipeline.feed(task, output)
        before = {**record, "output": output, "score": score_to_metadata(score)}
    attempts: list[Attempt] = []
    while True:
        output, reasons = yield from _count_stop_reasons(
            _query(setup, suite, task, epoch, attempts)
        )
        if not options.retries or suite.experiments.feedback is None:
            return Answer(output, (), before, stop_reasons=reasons)
        met = _task_for_attempt(setup, task, epoch, len(attempts))
        score = suite.score(met, output, setup.rules)
        reason = suite.experiments.feedback(met, score)
        score = _add_stop_reasons(setup, suite, score, reasons)
        attempts.append(Attempt(output, replace(score, epoch=epoch), reason))
        if reason is None or len(attempts) > options.retries:
            return Answer(output, tuple(attempts), before, stop_reasons=reasons)


def play_agent(setup: Setup, identifier: str, epoch: int) -> tuple[str, Score]:
    """Return the transcript and the score of one of the suite's agents that plays a sample.

    Raises:
        AgentFailed: The agent raised.
    """
    suite, task = setup.bounded_suite, setup.tasks[identifier]
    assert isinstance(setup.agent, str)
    with catch_agent_errors():
        session = suite.play(
            setup.agent, task, settings=setup.options.settings, seed=setup.seed, epoch=epoch
        )
        output = session.transcript().encode()
    return output, replace(suite.score_played(task, session, setup.rules), epoch=epoch)


def judge(setup: Setup, identifier: str, epoch: int, answer: Answer) -> Score:
    """Score a sample's result.

    The record also has attempts, the output of a pipeline's first suite (under that suite's name)
    and the number of omitted messages.
    """
    if answer.attempts:
        score = answer.attempts[-1].score
    else:
        task = _task_for_attempt(setup, setup.tasks[identifier], epoch, 0)
        score = setup.bounded_suite.score(task, answer.output, setup.rules)
        score = _add_stop_reasons(setup, setup.bounded_suite, score, answer.stop_reasons)
    history: dict[str, Any] = {}
    if answer.left_out:
        history["messages_left_out"] = dict(answer.left_out)
    if answer.attempts:
        history["attempts"] = [attempt.record() for attempt in answer.attempts]
    before, pipeline = answer.before, setup.bounded_suite.experiments.pipeline
    if before is not None and pipeline is not None:
        first = score_from_metadata(before["score"])
        history[pipeline.first.name.rpartition(".")[2]] = {
            **{key: first.record[key] for key in pipeline.copied_keys},
            **{key: value for key, value in before.items() if key not in ("output", "score")},
            **{key: first.record[key] for key in (STOP_REASON,) if key in first.record},
            "output": before["output"],
        }
    return replace(score, record={**score.record, **history}, epoch=epoch)


def _add_stop_reasons(
    setup: Setup, suite: Suite[Any], score: Score, reasons: Mapping[str, int]
) -> Score:
    """Add stop reasons to a score's record: the reply's, or counts for a task that is played.

    If a reply was cut off or refused, the explanation begins with this fact.
    """
    if setup.agent is not None or not reasons:
        return score
    added: dict[str, Any] = {STOP_REASONS: dict(sorted(reasons.items()))}
    if suite.playing is None:
        reason = next(iter(reasons))
        explanation = score.record.get("explanation")
        added = {STOP_REASON: reason}
        if reason in ENDED_EARLY and isinstance(explanation, str):
            added["explanation"] = f"{ENDED_EARLY[reason]} {explanation}".rstrip()
    return replace(score, record={**score.record, **added})


def question_of(suite: Suite[Any], task: Any) -> tuple[Message, ...]:
    """Return a task's messages; the last is the prompt, or a played task's description."""
    prompting = suite.prompting
    if prompting is None:
        return (Message("user", suite.tasks.describe(task)),)
    text = prompting.system()
    system = (Message("system", text),) if text else ()
    return (*system, Message("user", prompting.prompt(task)))


def driver_of(playing: Playing[Any], name: str = "") -> Driver:
    """Return the named driver of :data:`homebody.drivers.DRIVERS`, or the suite's own."""
    return DRIVERS[name] if name else playing.driver or react


def _task_for_attempt(setup: Setup, task: Any, epoch: int, attempt: int) -> Any:
    """Return the task for an attempt. If the run has a probability of failure, actions of the task
    fail by chance."""
    unreliable, chance = setup.bounded_suite.experiments.unreliable, setup.options.fail_probability
    if not chance or unreliable is None:
        return task
    return unreliable(task, chance, setup.seed, epoch, attempt)


def _count_stop_reasons(
    asking: Asking,
) -> Generator[tuple[Question, ...], tuple[Reply, ...], tuple[str, Mapping[str, int]]]:
    """Return the output and the stop reasons of its replies."""
    reasons: Counter[str] = Counter()
    replies: tuple[Reply, ...] | None = None
    with closing(asking):
        while True:
            try:
                questions = next(asking) if replies is None else asking.send(replies)
            except StopIteration as end:
                return end.value, reasons
            replies = yield questions
            reasons.update(reply.stop_reason for reply in replies)


def _query(
    setup: Setup, suite: Suite[Any], task: Any, epoch: int, attempts: Sequence[Attempt] = ()
) -> Asking:
    """Return the output of an agent, a model or a function after earlier attempts."""
    if isinstance(setup.agent, str):
        with catch_agent_errors():
            return suite.answer(
                setup.agent,
                task,
                settings=setup.options.settings,
                seed=setup.seed,
                epoch=epoch,
                attempt=len(attempts),
            )
    if suite.playing is not None:
        return (yield from _play_task(setup, suite, suite.playing, task, epoch))
    images: Sequence[Image] = ()
    if suite.prompting is not None:
        task = suite.prompting.set_to(task, setup.options.settings)
        images = suite.prompting.images(task)
    *system, prompt = question_of(suite, task)
    text = with_history(prompt.text, attempts)
    asked = Message("user", text, images=tuple(images))
    (reply,) = yield (Question("", (*system, asked)),)
    return reply.text


def _play_task(
    setup: Setup, suite: Suite[Any], playing: Playing[Any], task: Any, epoch: int
) -> Asking:
    """Return the transcript of a model or function playing beside the settings' policies."""
    chosen = playing.drop_defaults(setup.options.settings)
    session = playing.start(task, chosen, session_seed(setup.seed, epoch), CORRECTED)
    random = attempt_generator(setup.seed, suite.tasks.identify(task), epoch)
    players = playing.players(session, chosen, random)
    if callable(setup.agent):
        decide = setup.agent

        def decide_action(session: Session, role: str) -> ActionInput:
            seen = session.observe(role)
            with catch_agent_errors():
                value: Any = decide(seen)
                if isinstance(value, Action | ToolCall | str):
                    return value
                try:
                    return index(value)
                except TypeError:
                    raise TypeError(NO_ACTION.format(type(value).__name__)) from None

        play(session, {role: players.get(role, decide_action) for role in session.roles})
    else:
        yield from driver_of(playing, setup.options.driver)(session, players)
    return session.transcript().encode()
