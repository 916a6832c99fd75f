"""The suites as Inspect tasks: ``inspect eval homebody/eai_virtualhome_action_sequencing``.

An agent that is no model needs no model: ``-T agent=oracle --model none``.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import Solver, generate

from homebody.core import HomebodyError, Suite
from homebody.evals.options import USUAL, Options
from homebody.evals.scorers import suite_metrics, suite_score
from homebody.evals.solvers import interpret_goals, question_of, replan, suite_agent
from homebody.suites import get_suite
from homebody.suites.eai.virtualhome import pipeline as pipelines


@task
def eai_virtualhome_action_sequencing(
    protocol: str = "corrected",
    agent: str | None = None,
    seed: int = 0,
    retries: int = 0,
    fail_probability: float = 0.0,
    pipeline: bool = False,
) -> Task:
    """Turn a goal into an executable plan (EAI, VirtualHome).

    Args:
        protocol: ``corrected`` (as the paper defines) or ``published``.
        agent: One of the suite's agents instead of a model: oracle, random or empty.
        seed: Seed of the agent, and of the actions that fail.
        retries: How often a failed plan may be mended.
        fail_probability: How often an action has no effect.
        pipeline: Plan for the goals that the model has interpreted itself.
    """
    options = Options(retries, fail_probability, pipeline)
    return suite_task("eai.virtualhome.action_sequencing", protocol, agent, seed, options)


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


@task
def eai_virtualhome_subgoal_decomposition(
    protocol: str = "corrected",
    agent: str | None = None,
    seed: int = 0,
    pipeline: bool = False,
) -> Task:
    """Turn a goal into subgoals that lead to it (EAI, VirtualHome).

    Args:
        protocol: ``corrected`` (as the paper defines) or ``published``.
        agent: One of the suite's agents instead of a model: oracle, random or empty.
        seed: Seed of the agent.
        pipeline: Start from the goals that the model has interpreted itself.
    """
    options = Options(pipeline=pipeline)
    return suite_task("eai.virtualhome.subgoal_decomposition", protocol, agent, seed, options)


@task
def eai_virtualhome_transition_modeling(
    protocol: str = "corrected", agent: str | None = None, seed: int = 0
) -> Task:
    """Define preconditions and effects of operators (EAI, VirtualHome).

    Args:
        protocol: ``corrected`` (as the paper defines) or ``published``.
        agent: One of the suite's agents instead of a model: oracle, random or empty.
        seed: Seed of the agent.
    """
    return suite_task("eai.virtualhome.transition_modeling", protocol, agent, seed)


def suite_task(
    name: str, protocol: str, agent: str | None, seed: int, options: Options = USUAL
) -> Task:
    """Any suite as an Inspect task: one plain question per task, or as the options say.

    Raises:
        PrerequisiteError: there is no such suite, protocol or agent, or no data, or the suite
            has no such option; Inspect prints it in one line.
    """
    try:
        suite = get_suite(name)
        options.check(suite, suite.protocol(protocol))
        chance = options.fail_probability
        first = get_suite(pipelines.FIRST) if options.pipeline else suite
        return Task(
            dataset=MemoryDataset(_samples(first, protocol, seed), name=name),
            solver=_solvers(name, protocol, agent, seed, options),
            scorer=suite_score(name, protocol, chance, seed if chance else 0),
            metrics=suite_metrics(name, protocol),
            config=GenerateConfig(temperature=0.0),
        )
    except HomebodyError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise PrerequisiteError(f"{error}{hint}") from error


def _solvers(
    name: str, protocol: str, agent: str | None, seed: int, options: Options
) -> list[Solver]:
    first = [interpret_goals(name, protocol, agent, seed)] if options.pipeline else []
    if options.retries:
        chance = options.fail_probability
        return [*first, replan(name, protocol, options.retries, agent, seed, chance)]
    return [*first, generate() if agent is None else suite_agent(name, protocol, agent, seed)]


def _samples(suite: Suite[Any], protocol: str, seed: int) -> list[Sample]:
    return [
        Sample(
            id=suite.identify(one),
            input=question_of(suite, one),
            metadata={
                "task": suite.describe(one),
                "categories": list(suite.categories(one)),
                "seed": seed,
            },
        )
        for one in suite.load(suite.protocol(protocol))
    ]
