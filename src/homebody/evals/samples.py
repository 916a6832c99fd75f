"""What a sample is: one task in one epoch, from its first question to its score.

Whoever runs it, Inspect for models or :mod:`.agents`, drives :func:`sample`, a dialogue as those of
sessions are, and has the answer judged by :func:`judged`. An agent that is no model is asked
nothing: its dialogue is over at once.
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
"""A dialogue whose result is an output."""
Agent: TypeAlias = str | Callable[[Any], Any]
"""One of a suite's agents by name, or a function: of the text that a model would be given, to its
answer; where tasks are played, of an :class:`~homebody.core.Observation`, to what to do. A run of a
function is gone on with by another call only if it has an attribute ``goes_on`` that is true."""

ENDED_EARLY = {
    "refused": "The model declined, or its provider withheld the answer.",
    "max_tokens": "The answer was cut off.",
}
"""Stop reason -> what an explanation of a score begins with, which knows the output only."""
NO_ACTION = (
    "an agent that plays returns an hb.Action, a text with an action such as Pick[cup_0] in it, or"
    " the number of an option, not {}"
)


class AgentFailed(Exception):
    """An agent or a function raised; whatever else is raised is a mistake of ours.

    Attributes:
        error: What it raised.
    """

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def acting() -> Iterator[None]:
    """What an agent or a function does. Raises AgentFailed if that raises anything."""
    try:
        yield
    except Exception as error:
        raise AgentFailed(error) from error


@dataclass(frozen=True)
class Setup:
    """What tasks are done by whom, and how they are judged.

    Attributes:
        suite: What they are tasks of.
        protocol: Protocol name.
        agent: Who answers in place of a model; None for a model.
        seed: Of the agent, and of all that is random in a task.
        options: What is asked besides the suite's own question.
    """

    suite: Suite[Any]
    protocol: str = CORRECTED.name
    agent: Agent | None = None
    seed: int = 0
    options: Options = USUAL

    def __reduce__(self) -> tuple[type[Setup], tuple[Any, ...]]:
        """What has been loaded stays where it is: another process loads it itself."""
        return Setup, tuple(getattr(self, field.name) for field in fields(self))

    @cached_property
    def evaluated(self) -> Suite[Any]:
        """The suite, with the limits of work of this run."""
        return self.suite.with_bounds(self.options.bounds)

    @cached_property
    def rules(self) -> Protocol:
        """The protocol. Raises HomebodyError if the suite has none of that name."""
        return self.evaluated.protocol(self.protocol)

    @cached_property
    def asked_first(self) -> Suite[Any] | None:
        """The suite whose answers its tasks start from, if that is asked for."""
        pipeline = self.evaluated.experiments.pipeline if self.options.pipeline else None
        return None if pipeline is None else pipeline.first

    @cached_property
    def tasks(self) -> Mapping[str, Any]:
        """Its tasks by their ids, in order."""
        return _by_id(self.evaluated, self.protocol)

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The ids of the tasks that are asked, in order: those that the options name, or all.
        Raises HomebodyError if one is named that there is not."""
        suite, names = self.evaluated, self.options.tasks
        chosen = {suite.tasks.identify(suite.task(name, self.rules)) for name in names}
        return tuple(name for name in self.tasks if not names or name in chosen)

    @cached_property
    def first_tasks(self) -> Mapping[str, Any]:
        """Those of the suite that is asked first."""
        return {} if self.asked_first is None else _by_id(self.asked_first, self.protocol)


suite_of_run: ContextVar[Suite[Any] | None] = ContextVar("suite_of_run", default=None)
"""The suite that :func:`homebody.evals.run` has Inspect evaluate, which knows its name only."""


def suite_named(name: str) -> Suite[Any]:
    """The suite of the run, if that is its name, or else the one that packages offer."""
    own = suite_of_run.get()
    return own if own is not None and own.name == name else get_suite(name)


def goes_on(agent: Agent | None) -> bool:
    """Whether a run of an agent that was interrupted is gone on with by the same call."""
    return not callable(agent) or bool(getattr(agent, "goes_on", False))


def _by_id(suite: Suite[Any], protocol: str) -> dict[str, Any]:
    return {suite.tasks.identify(task): task for task in suite.tasks.load(suite.protocol(protocol))}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking.

    Attributes:
        output: The last answer.
        attempts: All of them with their scores, in order, if failed ones may be mended.
        before: In a pipeline, the answer to the first question (``output``), its ``score``, and
            what the suite that is asked next says of it.
        left_out: Role -> messages of its conversation that did not fit, most at once.
        stop_reasons: Why a model's answers ended, and how many of them did so: of a task that is
            played, all of them, else the last.
    """

    output: str
    attempts: tuple[Attempt, ...] = ()
    before: Mapping[str, Any] | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    stop_reasons: Mapping[str, int] = field(default_factory=dict)


def sample(
    setup: Setup, identifier: str, epoch: int
) -> Generator[tuple[Question, ...], tuple[Reply, ...], Answer]:
    """Have a task answered: yields questions that can be asked at the same time, and is sent the
    replies; its result is the answer. Raises AgentFailed if an agent or a function does not answer.

    A failed answer is told what was wrong and asked again, as often as the options say (EAI paper,
    appendix H); in a pipeline (appendix G) the task starts from the answer to another question.
    """
    suite, task, options = setup.evaluated, setup.tasks[identifier], setup.options
    before: dict[str, Any] | None = None
    if setup.asked_first is not None and suite.experiments.pipeline is not None:
        first = setup.asked_first
        first_task = setup.first_tasks[identifier]
        output, reasons = yield from _counted(_asked(setup, first, first_task, epoch))
        score = first.score(first_task, output, first.protocol(setup.protocol))
        score = _with_reasons(setup, first, score, reasons)
        task, record = suite.experiments.pipeline.feed(task, output)
        before = {**record, "output": output, "score": score_to_metadata(score)}
    attempts: list[Attempt] = []
    while True:
        output, reasons = yield from _counted(_asked(setup, suite, task, epoch, attempts))
        if not options.retries or suite.experiments.feedback is None:
            return Answer(output, (), before, stop_reasons=reasons)
        met = _in_world(setup, task, epoch, len(attempts))
        score = suite.score(met, output, setup.rules)
        reason = suite.experiments.feedback(met, score)
        score = _with_reasons(setup, suite, score, reasons)
        attempts.append(Attempt(output, replace(score, epoch=epoch), reason))
        if reason is None or len(attempts) > options.retries:
            return Answer(output, tuple(attempts), before, stop_reasons=reasons)


def judged(setup: Setup, identifier: str, epoch: int, answer: Answer) -> Score:
    """The score of an answer, whose record also says what came before it: attempts, the answer to a
    pipeline's first question under the name of its suite, and what was left out of conversations.
    """
    if answer.attempts:
        score = answer.attempts[-1].score
    else:
        task = _in_world(setup, setup.tasks[identifier], epoch, 0)
        score = setup.evaluated.score(task, answer.output, setup.rules)
        score = _with_reasons(setup, setup.evaluated, score, answer.stop_reasons)
    history: dict[str, Any] = {}
    if answer.left_out:
        history["messages_left_out"] = dict(answer.left_out)
    if answer.attempts:
        history["attempts"] = [attempt.record() for attempt in answer.attempts]
    before, pipeline = answer.before, setup.evaluated.experiments.pipeline
    if before is not None and pipeline is not None:
        first = score_from_metadata(before["score"])
        history[pipeline.first.name.rpartition(".")[2]] = {
            **{key: first.record[key] for key in pipeline.copied_keys},
            **{key: value for key, value in before.items() if key not in ("output", "score")},
            **{key: first.record[key] for key in (STOP_REASON,) if key in first.record},
            "output": before["output"],
        }
    return replace(score, record={**score.record, **history}, epoch=epoch)


def _with_reasons(
    setup: Setup, suite: Suite[Any], score: Score, reasons: Mapping[str, int]
) -> Score:
    """A score whose record says why a model's answer ended, also in its explanation if it was not
    to say more; or how many of its answers did so for each reason if it has played."""
    if setup.agent is not None or not reasons:
        return score
    told: dict[str, Any] = {STOP_REASONS: dict(sorted(reasons.items()))}
    if suite.playing is None:
        reason = next(iter(reasons))
        explanation = score.record.get("explanation")
        told = {STOP_REASON: reason}
        if reason in ENDED_EARLY and isinstance(explanation, str):
            told["explanation"] = f"{ENDED_EARLY[reason]} {explanation}".rstrip()
    return replace(score, record={**score.record, **told})


def question_of(suite: Suite[Any], task: Any) -> tuple[Message, ...]:
    """What a suite asks of a task in words; the last message is the prompt, or of a task that is
    played, which has none, what it is about."""
    prompting = suite.prompting
    if prompting is None:
        return (Message("user", suite.tasks.describe(task)),)
    text = prompting.system()
    system = (Message("system", text),) if text else ()
    return (*system, Message("user", prompting.prompt(task)))


def driver_of(playing: Playing[Any], name: str = "") -> Driver:
    """How models are asked: one of :data:`homebody.drivers.DRIVERS`, or if none is named, as the
    suite has it."""
    return DRIVERS[name] if name else playing.driver or react


def _in_world(setup: Setup, task: Any, epoch: int, attempt: int) -> Any:
    """The task as an attempt meets it: in a world where actions fail, if the run asks for that."""
    unreliable, chance = setup.evaluated.experiments.unreliable, setup.options.fail_probability
    if not chance or unreliable is None:
        return task
    return unreliable(task, chance, setup.seed, epoch, attempt)


def _counted(
    asking: Asking,
) -> Generator[tuple[Question, ...], tuple[Reply, ...], tuple[str, Mapping[str, int]]]:
    """The output, and why the replies that it is made of ended."""
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


def _asked(
    setup: Setup, suite: Suite[Any], task: Any, epoch: int, attempts: Sequence[Attempt] = ()
) -> Asking:
    """The output for a task that was attempted before, of an agent, a model or a function."""
    if isinstance(setup.agent, str):
        with acting():
            return suite.answer(
                setup.agent,
                task,
                settings=setup.options.settings,
                seed=setup.seed,
                epoch=epoch,
                attempt=len(attempts),
            )
    if suite.playing is not None:
        return (yield from _played(setup, suite, suite.playing, task, epoch))
    images: Sequence[Image] = ()
    if suite.prompting is not None:
        task = suite.prompting.set_to(task, setup.options.settings)
        images = suite.prompting.images(task)
    *system, prompt = question_of(suite, task)
    text = with_history(prompt.text, attempts)
    asked = Message("user", text, images=tuple(images))
    (reply,) = yield (Question("", (*system, asked)),)
    return reply.text


def _played(
    setup: Setup, suite: Suite[Any], playing: Playing[Any], task: Any, epoch: int
) -> Asking:
    """The transcript of a task that a model or a function plays, beside those policies that the
    settings name."""
    chosen = playing.drop_defaults(setup.options.settings)
    session = playing.start(task, chosen, session_seed(setup.seed, epoch), CORRECTED)
    random = attempt_generator(setup.seed, suite.tasks.identify(task), epoch)
    players = playing.players(session, chosen, random)
    if callable(setup.agent):
        decide = setup.agent

        def said(session: Session, role: str) -> ActionInput:
            seen = session.observe(role)
            with acting():
                value: Any = decide(seen)
                if isinstance(value, Action | ToolCall | str):
                    return value
                try:
                    return index(value)
                except TypeError:
                    raise TypeError(NO_ACTION.format(type(value).__name__)) from None

        play(session, {role: players.get(role, said) for role in session.roles})
    else:
        yield from driver_of(playing, setup.options.driver)(session, players)
    return session.transcript().encode()
