"""How a sample is answered: by an agent that is no model, in a pipeline, with retries.

Solvers ask through Inspect's ``generate``, or let one of the suite's agents answer in its place.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from homebody.core import HomebodyError, Suite
from homebody.evals.lookup import tasks_by_id
from homebody.evals.metadata import score_to_metadata
from homebody.evals.replanning import ATTEMPTS, Attempt, with_history
from homebody.evals.threads import in_thread, judged
from homebody.suites import get_suite

PIPELINE = "pipeline"
"""Key in a sample's metadata: the answer to a pipeline's first question (``output``), its score
(``score``), and what the suite that is asked next says of it."""

Ask = Callable[[TaskState, Generate, int], Awaitable[TaskState]]
"""Has a state's question answered; the number is that of the attempt, from 0."""


@solver
def suite_agent(
    suite: str,
    protocol: str,
    agent: str,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
) -> Solver:
    """Let one of a suite's agents answer; no model is called.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        agent: One of ``suite.agents``.
        seed: Together with the task's id and the epoch, seeds the agent's generator.
        settings: How tasks are set.

    Raises:
        HomebodyError: there is no such suite or agent.
    """
    ask = _asking(suite, protocol, agent, seed, settings or {})

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask(state, generate, 0)

    return solve


@solver
def replan(
    suite: str,
    protocol: str,
    retries: int = 3,
    agent: str | None = None,
    seed: int = 0,
    fail_probability: float = 0.0,
    bounds: Mapping[str, float] | None = None,
) -> Solver:
    """Ask, judge, say what was wrong, and ask again (EAI paper, appendix H).

    Ends with success, or with the last retry. All attempts are kept in the sample's metadata
    (:mod:`homebody.evals.replanning`); the sample's output is the last.

    Args:
        suite: Suite name; one with feedback.
        protocol: Protocol name.
        retries: How often to ask again.
        agent: One of ``suite.agents`` instead of a model. It is not told anything, and draws
            afresh.
        seed: Of the agent and of what fails.
        fail_probability: How often an action has no effect.
        bounds: Limits of the work for one output that are other than the suite's.

    Raises:
        HomebodyError: there is no such suite or agent, or the suite has no feedback.
    """
    judge = get_suite(suite).bounded(bounds or {})
    rules = judge.protocol(protocol)
    tasks = tasks_by_id(suite, protocol)
    ask = _asking(suite, protocol, agent, seed)
    feedback = judge.feedback
    if feedback is None:
        raise HomebodyError(f"{suite} has no feedback to replan with")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name = str(state.sample_id)
        *before, question = state.messages
        attempts: list[Attempt] = []
        reason: str | None = ""
        while reason is not None and len(attempts) <= retries:
            number = len(attempts)
            if attempts:
                text = with_history(question.text, attempts)
                state.messages = [*before, ChatMessageUser(content=text)]
            state = await ask(state, generate, number)
            output = state.output.completion
            task = in_world(judge, tasks[name], fail_probability, seed, state.epoch, number)
            score = await judged(judge, task, output, rules)
            reason = feedback(task, score)
            attempts.append(Attempt(output, score, reason))
        state.metadata[ATTEMPTS] = [attempt.to_json() for attempt in attempts]
        return state

    return solve


@solver
def ask_first(suite: str, protocol: str, agent: str | None = None, seed: int = 0) -> Solver:
    """The first half of a pipeline (EAI paper, appendix G): what follows is asked what the answer
    to this makes of it, such as to plan for the goals that were interpreted.

    The question that the sample comes with has to be that of the pipeline's first suite. The
    answer and its score are kept in the sample's metadata.

    Args:
        suite: The suite that is asked next; one with a pipeline.
        protocol: Protocol name.
        agent: An agent of the first suite instead of a model.
        seed: Seed of the agent.

    Raises:
        HomebodyError: there is no such suite or agent, or the suite has no pipeline.
    """
    following = get_suite(suite)
    pipeline = following.pipeline
    if pipeline is None:
        raise HomebodyError(f"{suite} does not start from another suite's answers")
    judge = get_suite(pipeline.first)
    rules = judge.protocol(protocol)
    first, second = tasks_by_id(pipeline.first, protocol), tasks_by_id(suite, protocol)
    ask = _asking(pipeline.first, protocol, agent, seed)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await ask(state, generate, 0)
        name, output = str(state.sample_id), state.output.completion
        score = await judged(judge, first[name], output, rules)
        task, record = pipeline.feed(second[name], output)
        state.metadata[PIPELINE] = {**record, "output": output, "score": score_to_metadata(score)}
        state.messages = question_of(following, task)
        return state

    return solve


def question_of(suite: Suite[Any], task: Any) -> list[ChatMessage]:
    """What a suite asks of a task; the last message is the prompt, or of a task that is played,
    which has none, what it is about."""
    prompting = suite.prompting
    if prompting is None:
        return [ChatMessageUser(content=suite.tasks.describe(task))]
    text = prompting.system()
    system = [ChatMessageSystem(content=text)] if text else []
    return [*system, ChatMessageUser(content=prompting.prompt(task))]


def in_world(
    suite: Suite[Any], task: Any, chance: float, seed: int, epoch: int, attempt: int
) -> Any:
    """The task as an attempt meets it: in a world where actions fail, if the run asks for that."""
    if not chance or suite.scoring.unreliable is None:
        return task
    return suite.scoring.unreliable(task, chance, seed, epoch, attempt)


def _asking(
    suite: str,
    protocol: str,
    agent: str | None,
    seed: int,
    settings: Mapping[str, str] = MappingProxyType({}),
) -> Ask:
    """Ask the model, or in its place an agent. Raises HomebodyError if there is no such agent."""
    if seed < 0:
        raise HomebodyError("the seed must not be negative")
    if agent is None:

        async def generated(state: TaskState, generate: Generate, attempt: int) -> TaskState:
            return await generate(state)

        return generated
    answering = get_suite(suite)
    slow = answering.require_agent(agent) or answering.playing is not None
    tasks = tasks_by_id(suite, protocol)

    async def acted(state: TaskState, generate: Generate, attempt: int) -> TaskState:
        name = str(state.sample_id)
        task = tasks[name]
        before = state.metadata.get(PIPELINE)
        if before is not None and answering.pipeline is not None:
            task, _ = answering.pipeline.feed(task, before["output"])
        work = partial(
            answering.answer,
            agent,
            task,
            settings=settings,
            seed=seed,
            epoch=state.epoch,
            attempt=attempt,
        )
        text = await in_thread(work) if slow else work()
        state.output = ModelOutput.from_content(f"homebody/{agent}", text)
        state.output.usage = ModelUsage()  # else Inspect would fetch a tokenizer to count
        state.messages.append(state.output.message)
        return state

    return acted
