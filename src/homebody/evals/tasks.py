"""The suites as Inspect tasks: ``inspect eval homebody/eai_virtualhome_action_sequencing``.

Every suite is a task of its name, with ``_`` for ``.``. They all take the same arguments; one
that a suite cannot do anything with is refused.

An agent that is no model needs no model: ``-T agent=oracle --model none``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import Solver, generate

from homebody.core import HomebodyError, Suite
from homebody.evals.options import USUAL, Options
from homebody.evals.playing import play
from homebody.evals.resume import task_name
from homebody.evals.scorers import suite_metrics, suite_score
from homebody.evals.solvers import ask_first, question_of, replan, suite_agent
from homebody.suites import get_suite, suites


def _inspect_task(name: str) -> Callable[..., Task]:
    """A suite as a function that Inspect knows; the suite itself is loaded when it is called."""

    def made(
        protocol: str = "corrected",
        agent: str | None = None,
        seed: int = 0,
        retries: int = 0,
        fail_probability: float = 0.0,
        pipeline: bool = False,
        bounds: Mapping[str, float] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> Task:
        """{name}, see: homebody list

        Args:
            protocol: ``corrected`` (as the paper defines) or ``published``.
            agent: One of the suite's agents instead of a model, e.g. oracle.
            seed: Seed of the agent, and of the actions that fail.
            retries: How often a failed answer may be mended, told what was wrong.
            fail_probability: How often an action has no effect.
            pipeline: Start from the goals that the model has interpreted itself.
            bounds: Limits of the work for one output, by name.
            settings: How tasks are set, by name.
        """
        options = Options(retries, fail_probability, pipeline, bounds or {}, settings or {})
        return suite_task(name, protocol, agent, seed, options)

    made.__name__ = made.__qualname__ = task_name(name)
    made.__doc__ = (made.__doc__ or "").format(name=name)
    return task(made)


TASKS = {task_name(name): _inspect_task(name) for name in suites()}
"""Name as an Inspect task -> what makes it."""


def suite_task(
    name: str, protocol: str, agent: str | None, seed: int, options: Options = USUAL
) -> Task:
    """Any suite as an Inspect task: one plain question per task, or as the options say.

    Raises:
        PrerequisiteError: there is no such suite, protocol or agent, or no data or planner, or
            the suite has no such option; Inspect prints it in one line.
    """
    try:
        suite = get_suite(name)
        options.check(suite, suite.protocol(protocol))
        suite.scoring.require()
        chance, bounds = options.fail_probability, dict(options.bounds)
        first_asked = suite
        if options.pipeline and suite.pipeline is not None:
            first_asked = get_suite(suite.pipeline.first)
        return Task(
            dataset=MemoryDataset(_samples(first_asked, protocol, seed), name=name),
            solver=_solvers(name, protocol, agent, seed, options),
            scorer=suite_score(name, protocol, chance, seed if chance else 0, bounds),
            metrics=suite_metrics(name, protocol),
            config=GenerateConfig(temperature=0.0),
        )
    except HomebodyError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise PrerequisiteError(f"{error}{hint}") from error


def _solvers(
    name: str, protocol: str, agent: str | None, seed: int, options: Options
) -> list[Solver]:
    settings = dict(options.settings)
    if agent is None and get_suite(name).playing is not None:
        return [play(name, protocol, seed, settings)]
    first = [ask_first(name, protocol, agent, seed)] if options.pipeline else []
    if options.retries:
        chance, bounds = options.fail_probability, dict(options.bounds)
        return [*first, replan(name, protocol, options.retries, agent, seed, chance, bounds)]
    return [
        *first,
        generate() if agent is None else suite_agent(name, protocol, agent, seed, settings),
    ]


def _samples(suite: Suite[Any], protocol: str, seed: int) -> list[Sample]:
    return [
        Sample(
            id=suite.tasks.identify(task),
            input=question_of(suite, task),
            metadata={
                "task": suite.tasks.describe(task),
                "categories": list(suite.tasks.categories(task)),
                "seed": seed,
            },
        )
        for task in suite.tasks.load(suite.protocol(protocol))
    ]
