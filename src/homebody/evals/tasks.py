"""The suites as Inspect tasks: ``inspect eval homebody/eai_virtualhome_action_sequencing``.

An agent that is no model needs no model: ``-T agent=oracle --model none``.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.solver import generate

from homebody.core import HomebodyError, Suite
from homebody.evals.scorers import suite_metrics, suite_score
from homebody.evals.solvers import suite_agent
from homebody.suites import get_suite


@task
def eai_virtualhome_action_sequencing(
    protocol: str = "corrected", agent: str | None = None, seed: int = 0
) -> Task:
    """Turn a goal into an executable plan (EAI, VirtualHome).

    Args:
        protocol: ``corrected`` (as the paper defines) or ``published``.
        agent: One of the suite's agents instead of a model: oracle, random or empty.
        seed: Seed of the agent.
    """
    return suite_task("eai.virtualhome.action_sequencing", protocol, agent, seed)


@task
def eai_virtualhome_goal_interpretation(
    protocol: str = "corrected", agent: str | None = None, seed: int = 0
) -> Task:
    """Turn an instruction into symbolic goals (EAI, VirtualHome).

    Args:
        protocol: ``corrected`` (as the paper defines) or ``published``.
        agent: One of the suite's agents instead of a model: oracle, random or empty.
        seed: Seed of the agent.
    """
    return suite_task("eai.virtualhome.goal_interpretation", protocol, agent, seed)


def suite_task(name: str, protocol: str, agent: str | None, seed: int) -> Task:
    """Any suite as an Inspect task: one plain question per task, or an agent.

    Raises:
        PrerequisiteError: there is no such suite, protocol or agent, or no data; Inspect prints
            it in one line.
    """
    try:
        suite = get_suite(name)
        return Task(
            dataset=MemoryDataset(_samples(suite, protocol, seed), name=name),
            solver=generate() if agent is None else suite_agent(name, protocol, agent, seed),
            scorer=suite_score(name, protocol),
            metrics=suite_metrics(name, protocol),
            config=GenerateConfig(temperature=0.0),
        )
    except HomebodyError as error:
        raise PrerequisiteError(f"{error} ({error.hint})") from error


def _samples(suite: Suite[Any], protocol: str, seed: int) -> list[Sample]:
    text = suite.system()
    system = [ChatMessageSystem(content=text)] if text else []
    return [
        Sample(
            id=suite.identify(one),
            input=[*system, ChatMessageUser(content=suite.prompt(one))],
            metadata={
                "task": suite.describe(one),
                "categories": list(suite.categories(one)),
                "seed": seed,
            },
        )
        for one in suite.load(suite.protocol(protocol))
    ]
