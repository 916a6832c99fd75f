"""Agents that are not models, on the path that models take."""

from __future__ import annotations

import numpy as np
from inspect_ai.model import ModelOutput, ModelUsage
from inspect_ai.solver import Generate, Solver, TaskState, solver

from homebody.core import HomebodyError
from homebody.evals.lookup import tasks_by_id
from homebody.suites import get_suite


@solver
def suite_agent(suite: str, protocol: str, agent: str, seed: int = 0) -> Solver:
    """Let one of a suite's agents answer; no model is called.

    Args:
        suite: Suite name.
        protocol: Protocol name.
        agent: One of ``suite.agents``.
        seed: Together with the task's id and the epoch, seeds the agent's generator.

    Raises:
        HomebodyError: there is no such suite or agent.
    """
    act = get_suite(suite).agent(agent)
    tasks = tasks_by_id(suite, protocol)
    if seed < 0:
        raise HomebodyError("the seed must not be negative")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name = str(state.sample_id)
        text = act(tasks[name], generator_for(seed, name, state.epoch))
        state.output = ModelOutput.from_content(f"homebody/{agent}", text)
        state.output.usage = ModelUsage()  # else Inspect would fetch a tokenizer to count
        state.messages.append(state.output.message)
        return state

    return solve


def generator_for(seed: int, identifier: str, epoch: int) -> np.random.Generator:
    """The generator of one sample: the same whatever runs before it or beside it."""
    return np.random.default_rng(np.random.SeedSequence([seed, epoch, *identifier.encode()]))
