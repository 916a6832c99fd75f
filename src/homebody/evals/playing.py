"""Suites in which models play: a conversation for each role, until the suite says it is over."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    get_model,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from homebody.core import CORRECTED, Dialogue, HomebodyError, Message, Question, Reply
from homebody.core.seeds import attempt_generator, session_seed
from homebody.evals.lookup import tasks_by_id
from homebody.evals.threads import in_thread
from homebody.suites import get_suite


@solver
def play(
    suite: str, protocol: str, seed: int = 0, settings: Mapping[str, str] | None = None
) -> Solver:
    """Have models play a task.

    Every role is played by the model of that role (``--model-role human=...``), or else by the
    model of the run. Questions that can be asked at the same time are. The sample's messages are
    the whole of what was said, role by role in the order in which it was; its output is what the
    suite scores.

    Args:
        suite: Suite name; one that is played.
        protocol: Protocol name.
        seed: Of all that is random in a task.
        settings: How tasks are set.

    Raises:
        HomebodyError: there is no such suite, setting or value, or the suite is not played.
    """
    playing = get_suite(suite).playing
    if playing is None or playing.driver is None:
        raise HomebodyError(f"the tasks of {suite} are not played")
    driver = playing.driver
    tasks = tasks_by_id(suite, protocol)
    chosen = playing.unusual(settings or {})

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name = str(state.sample_id)
        drawn = session_seed(seed, state.epoch)
        session = playing.start(tasks[name], chosen, drawn, CORRECTED)
        random = attempt_generator(seed, name, state.epoch)
        dialogue = driver(session, playing.players(session, chosen, random))
        said: dict[str, int] = {}
        messages: list[ChatMessage] = []
        usage = ModelUsage()
        questions = await in_thread(partial(_next, dialogue, None))
        while questions:
            answers: list[ModelOutput] = [ModelOutput()] * len(questions)
            async with anyio.create_task_group() as group:
                for at, question in enumerate(questions):
                    group.start_soon(_ask, question, answers, at)
            for question, answer in zip(questions, answers, strict=True):
                new = question.messages[said.get(question.role, 0) :]
                messages += [_tagged(one, question.role) for one in new or question.messages[-1:]]
                text = answer.completion
                messages.append(ChatMessageAssistant(content=f"[{question.role}] {text}"))
                said[question.role] = len(question.messages) + 1
                usage = usage + answer.usage if answer.usage else usage
            replies = tuple(Reply(answer.completion) for answer in answers)
            questions = await in_thread(partial(_next, dialogue, replies))
        state.messages = messages or state.messages
        state.output = ModelOutput.from_content(str(state.model), session.transcript().encode())
        state.output.usage = usage
        return state

    return solve


def _next(dialogue: Dialogue, replies: tuple[Reply, ...] | None) -> tuple[Question, ...]:
    """What is asked next; nothing if it is over."""
    try:
        return next(dialogue) if replies is None else dialogue.send(replies)
    except StopIteration:  # which must not leave a thread or a coroutine
        return ()


async def _ask(question: Question, answers: list[ModelOutput], at: int) -> None:
    model = model_of(question.role)
    answers[at] = await model.generate(
        [as_chat(one) for one in question.messages], config=config_of(question)
    )


def model_of(role: str) -> Model:
    """The model that plays a role."""
    return get_model(role=role, default=get_model())


def config_of(question: Question) -> GenerateConfig:
    """What sees to it that an answer keeps to its form.

    A schema goes the way that Inspect has for it. Grammars have no common way: they are sent
    under the names by which servers of local models take them, ``grammar`` (llama.cpp) and
    ``guided_grammar`` or ``guided_regex`` (vLLM), ``ebnf`` and ``regex`` (SGLang).
    """
    body: dict[str, Any] = {}
    if question.gbnf:
        body |= {"grammar": question.gbnf, "guided_grammar": question.gbnf, "ebnf": question.gbnf}
    if question.regex:
        body |= {"guided_regex": question.regex, "regex": question.regex}
    if question.schema is None:
        return GenerateConfig(extra_body=body or None)
    schema = JSONSchema.model_validate(question.schema)
    return GenerateConfig(
        response_schema=ResponseSchema(name="action", json_schema=schema, strict=True),
        extra_body=body or None,
    )


def as_chat(message: Message) -> ChatMessage:
    """A message as Inspect has it."""
    kinds = {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }
    made: ChatMessage = kinds[message.role](content=message.text)
    return made


def _tagged(message: Message, role: str) -> ChatMessage:
    return as_chat(Message(message.role, f"[{role}] {message.text}"))
