"""An Inspect solver that drives a sample's dialogue (:mod:`.samples`) with the run's models."""

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
from homebody.evals.chat import DataUrls, as_chat, as_tool, config_of, join_user_turns, read_reply
from homebody.evals.logs import ERROR
from homebody.evals.options import Options
from homebody.evals.replanning import ATTEMPTS, attempts_of
from homebody.evals.requests import ContextTooLong, Outage, ProviderError, Requests, requests_of_run
from homebody.evals.samples import AgentFailed, Answer, Setup, find_suite, sample_dialogue
from homebody.evals.threads import run_in_thread

PIPELINE = "pipeline"
"""Key in a sample's metadata: ``before`` of :class:`~.samples.Answer`."""
LEFT_OUT = "messages_left_out"
"""Key in a sample's metadata: ``left_out`` of :class:`~.samples.Answer`."""
MAX_ANSWER_TOKENS = 4_096
"""Tokens of a context reserved for the reply if a run has no ``max_tokens``."""

on_done: ContextVar[Callable[[], None]] = ContextVar("on_done", default=lambda: None)
"""Called at the end of each sample; :func:`homebody.evals.run` reports progress with it."""


@solver
def answer_task(
    suite: str,
    protocol: str,
    agent: str | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Solver:
    """Solve a task of a suite, with retries, as a pipeline or by playing.

    Where tasks are played, each role is played by its model (``--model-role human=...``) or by the
    model of the run, and concurrent queries run concurrently. The sample's messages are then the
    whole conversation, each with its role. The metadata has all attempts and the output of a
    pipeline's first suite; the suite scores the output.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        agent: One of ``suite.agents`` instead of a model.
        seed: Seed of the agent, of everything random in a task, and of actions that fail.
        options: Fields of :class:`~.options.Options`.

    Raises:
        HomebodyError: There is no such suite or agent, or the suite does not support an option.
    """
    evaluated = find_suite(suite)
    chosen = Options(**(options or {})).validate(evaluated, evaluated.protocol(protocol))
    setup = Setup(evaluated, protocol, agent, seed, chosen)
    if agent is not None:
        for each in (setup.bounded_suite, setup.first_suite):
            if each is not None:
                each.require_agent(agent, chosen.settings)

    is_played = setup.bounded_suite.playing is not None
    requests = requests_of_run.get() or Requests()

    async def answer(state: TaskState) -> None:
        dialogue = sample_dialogue(setup, str(state.sample_id), state.epoch)
        played = Conversations(requests, chosen.max_context)
        step = await run_in_thread(partial(_advance, dialogue, None))
        while not isinstance(step, Answer):
            if is_played:
                replies = await played.ask(step)
            else:
                (question,) = step
                state.messages = [as_chat(message) for message in question.messages]
                state.output = await requests.ask(get_model(), state.messages)
                state.messages.append(state.output.message)
                replies = (read_reply(state.output),)
            step = await run_in_thread(partial(_advance, dialogue, replies))
        if agent is not None or is_played or state.output.completion != step.output:
            name = f"homebody/{agent}" if agent is not None else str(state.model)
            state.messages = played.messages or state.messages
            usage = played.usage if is_played else state.output.usage
            state.output = ModelOutput.from_content(name, step.output)
            state.output.usage = usage or ModelUsage()  # otherwise Inspect fetches a tokenizer
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
                is_outage = isinstance(error, Outage)
                state.metadata[ERROR] = {"reason": error.reason, "outage": is_outage}
            on_done.get()()
            raise
        return state

    return solve


def read_answer(output: str, metadata: Mapping[str, Any]) -> Answer:
    """Read a sample's result from its output and metadata."""
    return Answer(
        output,
        tuple(attempts_of(metadata)),
        metadata.get(PIPELINE),
        metadata.get(LEFT_OUT, {}),
        metadata.get(STOP_REASONS, {}),
    )


def _advance(
    dialogue: Generator[tuple[Question, ...], tuple[Reply, ...], Answer],
    replies: tuple[Reply, ...] | None,
) -> tuple[Question, ...] | Answer:
    """Return the next queries, or the result."""
    try:
        return next(dialogue) if replies is None else dialogue.send(replies)
    except StopIteration as end:  # must not leave a thread or a coroutine
        answer: Answer = end.value
        return answer
    except AgentFailed as failed:  # so that Inspect logs the original
        raise failed.error from failed.error.__cause__


class Conversations:
    """The conversations with the models of several roles.

    Tool calls are sent back unchanged, because some providers require the model's reasoning with
    them. Conversations beyond the context are shortened (:mod:`homebody.drivers.shortening`); if a
    provider still refuses a conversation as too long, the limit of that role is halved.

    Args:
        requests: Requests of the run.
        max_context: Context length in tokens; Inspect's value for each model if None.
        model_of: Role -> its model. None to use the run's models.

    Attributes:
        messages: All messages, each with its role in brackets.
        usage: Total token usage.
        left_out: Role -> maximum number of messages omitted from one query.
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
        self._most: dict[str, int] = {}  # tokens of a query, by role
        self._said: dict[str, int] = {}
        self._url_of = DataUrls()
        self._called: dict[tuple[str, tuple[str, ...]], tuple[Message, ChatMessage]] = {}

    async def ask(self, questions: Sequence[Question]) -> tuple[Reply, ...]:
        """Query the roles' models concurrently.

        Raises:
            ProviderError: A model could not be queried; the other queries are cancelled.
        """
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
            new = question.messages[self._said.get(question.role, 0) :] or _new_messages(question)
            reply = read_reply(output)
            answer = Message("assistant", reply.text, reply.calls)
            self.messages += [
                as_chat(replace(message, text=f"[{question.role}] {message.text}"), self._url_of)
                for message in (*new, answer)
            ]
            self._said[question.role] = len(question.messages) + 1
            self.usage = self.usage + output.usage if output.usage else self.usage
            if reply.calls:
                self._called[_calls_of(question.role, answer)] = answer, output.message
        return tuple(map(read_reply, outputs))

    async def _ask(self, question: Question) -> ModelOutput:
        role, model = question.role, self._model_of(question.role)
        tools = [as_tool(tool) for tool in question.tools]
        most = self._most.get(role) or most_tokens(model, self._max_context)
        while True:
            fitting, left_out = (question, 0) if most is None else shorten(question, most)
            said = join_user_turns(self._as_said(role, message) for message in fitting.messages)
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
        """Convert a message. Calls stay unchanged, unless they were shortened."""
        answer, made = self._called.get(_calls_of(role, message), (None, None))
        return made if made is not None and answer == message else as_chat(message, self._url_of)


def _new_messages(question: Question) -> tuple[Message, ...]:
    """Return the messages after the model's last reply. Queries repeat the whole conversation."""
    last = [at for at, message in enumerate(question.messages) if message.role != "user"]
    return question.messages[last[-1] + 1 if last else 0 :] or question.messages[-1:]


def _calls_of(role: str, message: Message) -> tuple[str, tuple[str, ...]]:
    return role, tuple(call.id for call in message.calls)


def most_tokens(model: Model, max_context: int | None) -> int | None:
    """Return the maximum tokens of a query: the context without the part reserved for the reply.

    None if the context length is unknown.
    """
    if max_context is None:
        known = get_model_info(model)
        max_context = known.input_tokens if known is not None else None
    if max_context is None:
        return None
    return max_context - min(model.config.max_tokens or MAX_ANSWER_TOKENS, max_context // 2)


def _model_of(role: str) -> Model:
    """Return the model that plays a role."""
    return get_model(role=role, default=get_model())
