"""A sample as an Inspect solver: its questions are asked of the models of the run.

What a sample is :mod:`.samples` says; this drives it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
    get_model_info,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from homebody.core import Message, Question, Reply
from homebody.core.play.conversation import STOP_REASONS
from homebody.drivers.shortening import shorten, tokens
from homebody.evals.chat import DataUrls, as_chat, as_tool, config_of, joined, reply_of
from homebody.evals.logs import ERROR
from homebody.evals.options import Options
from homebody.evals.replanning import ATTEMPTS, attempts_of
from homebody.evals.requests import ContextTooLong, Outage, ProviderError, Requests, requests_of_run
from homebody.evals.samples import AgentFailed, Answer, Setup, sample, suite_named
from homebody.evals.threads import in_thread

PIPELINE = "pipeline"
"""Key in a sample's metadata: what came before, as :class:`~.samples.Answer` has it."""
LEFT_OUT = "messages_left_out"
"""Key in a sample's metadata: role -> messages of its conversation that were left out, most at
once."""
MAX_ANSWER_TOKENS = 4_096
"""Of a context, that are kept for the answer where a run has no ``max_tokens``."""

on_done: ContextVar[Callable[[], None]] = ContextVar("on_done", default=lambda: None)
"""Called whenever a sample has come to its end; :func:`homebody.evals.run` shows progress with it.
"""


@solver
def answer_task(
    suite: str,
    protocol: str,
    agent: str | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Solver:
    """Have a task of a suite answered, with retries, in a pipeline or played as is asked for.

    Where tasks are played, every role is played by the model of that role (``--model-role
    human=...``), or else by the model of the run, and questions that can be asked at the same time
    are. The sample's messages are then the whole of what was said, role by role in the order in
    which it was. All attempts, and the answer to a pipeline's first question, are kept in the
    sample's metadata; its output is what the suite scores.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        agent: One of ``suite.agents`` instead of a model.
        seed: Of the agent, of all that is random in a task, and of what fails.
        options: What is asked besides the suite's own question, by the names that
            :class:`~.options.Options` has for it.

    Raises:
        HomebodyError: there is no such suite or agent, or the suite has no such option.
    """
    evaluated = suite_named(suite)
    chosen = Options(**(options or {})).checked(evaluated, evaluated.protocol(protocol))
    setup = Setup(evaluated, protocol, agent, seed, chosen)
    if agent is not None:
        for asked in (setup.evaluated, setup.asked_first):
            if asked is not None:
                asked.require_agent(agent, chosen.settings)

    is_played = setup.evaluated.playing is not None
    requests = requests_of_run.get() or Requests()

    async def answer(state: TaskState) -> None:
        dialogue = sample(setup, str(state.sample_id), state.epoch)
        played = Conversations(requests, chosen.max_context)
        step = await in_thread(partial(_next, dialogue, None))
        while not isinstance(step, Answer):
            if is_played:
                replies = await played.ask(step)
            else:
                (question,) = step
                state.messages = [as_chat(message) for message in question.messages]
                state.output = await requests.ask(get_model(), state.messages)
                state.messages.append(state.output.message)
                replies = (reply_of(state.output),)
            step = await in_thread(partial(_next, dialogue, replies))
        if agent is not None or is_played or state.output.completion != step.output:
            name = f"homebody/{agent}" if agent is not None else str(state.model)
            state.messages = played.messages or state.messages
            usage = played.usage if is_played else state.output.usage
            state.output = ModelOutput.from_content(name, step.output)
            state.output.usage = usage or ModelUsage()  # else Inspect would fetch a tokenizer
            if agent is not None:
                state.messages.append(state.output.message)
        kept: dict[str, Any] = {
            ATTEMPTS: [attempt.to_json() for attempt in step.attempts],
            PIPELINE: dict(step.before or {}),
            LEFT_OUT: dict(sorted(played.left_out.items())),
            STOP_REASONS: dict(step.stop_reasons),
        }
        state.metadata |= {key: value for key, value in kept.items() if value}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        try:
            await answer(state)
        except Exception as error:
            if isinstance(error, ProviderError):
                told = {"reason": error.reason, "outage": isinstance(error, Outage)}
                state.metadata[ERROR] = told
            on_done.get()()
            raise
        return state

    return solve


def answer_of(output: str, metadata: Mapping[str, Any]) -> Answer:
    """What a sample's solver came to, from what Inspect keeps of it."""
    return Answer(
        output,
        tuple(attempts_of(metadata)),
        metadata.get(PIPELINE),
        metadata.get(LEFT_OUT, {}),
        metadata.get(STOP_REASONS, {}),
    )


def _next(
    dialogue: Generator[tuple[Question, ...], tuple[Reply, ...], Answer],
    replies: tuple[Reply, ...] | None,
) -> tuple[Question, ...] | Answer:
    """What is asked next, or what came of it."""
    try:
        return next(dialogue) if replies is None else dialogue.send(replies)
    except StopIteration as end:  # which must not leave a thread or a coroutine
        answer: Answer = end.value
        return answer
    except AgentFailed as failed:  # Inspect's log says what it raised
        raise failed.error from failed.error.__cause__


class Conversations:
    """Questions to the models of several roles, and what was said.

    Calls of tools go back as the model made them: some providers want what it thought with them.
    What is more than a model can read is shortened (:mod:`homebody.drivers.shortening`) before it
    is asked; and, where a provider still says that it is too long, to half its length from then
    on.

    Args:
        requests: Of the run.
        max_context: Tokens that models can read and write at a time; what Inspect knows of each if
            left out.
        model_of: Role -> its model; as a run has them if left out.

    Attributes:
        messages: All of it, each with whom it is said to or by.
        usage: Tokens.
        left_out: Role -> messages that were left out of what it was asked, most at once.
    """

    def __init__(
        self,
        requests: Requests,
        max_context: int | None = None,
        model_of: Callable[[str], Model] | None = None,
    ) -> None:
        self._requests = requests
        self._model_of = model_of or _model_of
        self.messages: list[ChatMessage] = []
        self.usage = ModelUsage()
        self.left_out: dict[str, int] = {}
        self._max_context = max_context
        self._most: dict[str, int] = {}  # tokens of a question, by role
        self._said: dict[str, int] = {}
        self._url_of = DataUrls()
        self._called: dict[tuple[str, tuple[str, ...]], tuple[Message, ChatMessage]] = {}

    async def ask(self, questions: Sequence[Question]) -> tuple[Reply, ...]:
        """Ask the models of the roles, all at once. Raises ProviderError if one of them could not
        be asked; the others are given up."""
        outputs: list[ModelOutput] = [ModelOutput()] * len(questions)
        errors: list[ProviderError] = []

        async def ask_one(at: int, question: Question) -> None:
            try:
                outputs[at] = await self._ask(question)
            except ProviderError as error:
                errors.append(error)
                group.cancel_scope.cancel()

        async with anyio.create_task_group() as group:
            for at, question in enumerate(questions):
                group.start_soon(ask_one, at, question)
        if errors:
            raise errors[0]
        for question, output in zip(questions, outputs, strict=True):
            new = question.messages[self._said.get(question.role, 0) :] or _asked(question)
            reply = reply_of(output)
            answer = Message("assistant", reply.text, reply.calls)
            self.messages += [
                as_chat(replace(message, text=f"[{question.role}] {message.text}"), self._url_of)
                for message in (*new, answer)
            ]
            self._said[question.role] = len(question.messages) + 1
            self.usage = self.usage + output.usage if output.usage else self.usage
            if reply.calls:
                self._called[_calls_of(question.role, answer)] = answer, output.message
        return tuple(map(reply_of, outputs))

    async def _ask(self, question: Question) -> ModelOutput:
        role, model = question.role, self._model_of(question.role)
        tools = [as_tool(tool) for tool in question.tools]
        most = self._most.get(role) or most_tokens(model, self._max_context)
        while True:
            fitting, left_out = (question, 0) if most is None else shorten(question, most)
            said = joined(self._as_said(role, message) for message in fitting.messages)
            try:
                output = await self._requests.ask(model, said, tools, config_of(question))
                break
            except ContextTooLong:
                most = tokens(fitting.messages, fitting.tools) // 2
                if shorten(fitting, most)[1] == 0:
                    raise
                self._most[role] = most
        if left_out:
            self.left_out[role] = max(left_out, self.left_out.get(role, 0))
        return output

    def _as_said(self, role: str, message: Message) -> ChatMessage:
        """A message; calls as the model made them, unless the driver has shortened them."""
        answer, made = self._called.get(_calls_of(role, message), (None, None))
        return made if made is not None and answer == message else as_chat(message, self._url_of)


def _asked(question: Question) -> tuple[Message, ...]:
    """What is asked, without what was said before: where each question is told all anew."""
    last = [at for at, message in enumerate(question.messages) if message.role != "user"]
    return question.messages[last[-1] + 1 if last else 0 :] or question.messages[-1:]


def _calls_of(role: str, message: Message) -> tuple[str, tuple[str, ...]]:
    return role, tuple(call.id for call in message.calls)


def most_tokens(model: Model, max_context: int | None) -> int | None:
    """How long what a model is asked may be, as far as that is known: its context, or what was
    said of it, without what is kept for the answer."""
    if max_context is None:
        known = get_model_info(model)
        max_context = known.input_tokens if known is not None else None
    if max_context is None:
        return None
    return max_context - min(model.config.max_tokens or MAX_ANSWER_TOKENS, max_context // 2)


def _model_of(role: str) -> Model:
    """The model that plays a role."""
    return get_model(role=role, default=get_model())
