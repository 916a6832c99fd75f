"""The suites as Inspect tasks: ``inspect eval homebody/eai_virtualhome_action_sequencing``.

Every suite is a task of its name with ``_`` for ``.``. All tasks take the same arguments. A suite
refuses the arguments that it does not support. To run an agent: ``-T agent=oracle --model none``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from click import ClickException
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from homebody.core import HomebodyError, Suite
from homebody.evals.chat import as_chat
from homebody.evals.model_resume import task_name
from homebody.evals.options import USUAL, Options
from homebody.evals.requests import Stopping, requests_of_run
from homebody.evals.samples import Setup, find_suite, question_of
from homebody.evals.scorers import suite_metrics, suite_score
from homebody.evals.solvers import answer_task
from homebody.evals.viewer import viewer_of
from homebody.suites import list_suites


@cache
def inspect_task(name: str) -> Callable[..., Task]:
    """Register a suite as an Inspect task; the suite is loaded when the task is called."""

    def build_task(
        protocol: str = "corrected",
        agent: str | None = None,
        seed: int = 0,
        retries: int = 0,
        fail_probability: float = 0.0,
        pipeline: bool = False,
        bounds: Mapping[str, float] | None = None,
        settings: Mapping[str, str] | None = None,
        driver: str = "",
        max_context: int | None = None,
        tasks: str | Sequence[str] = (),
    ) -> Task:
        """{name}, see: homebody list.

        Args:
            protocol: ``corrected`` (as the paper defines) or ``published``.
            agent: One of the suite's agents instead of a model, e.g. oracle.
            seed: Seed of the agent and of the actions that fail.
            retries: Retries of a failed output, with feedback.
            fail_probability: Probability that an action has no effect.
            pipeline: Start from the goals that the model interprets itself.
            bounds: Limits of the work for one output, by name.
            settings: Settings of the tasks, by name.
            driver: How playing models are queried; the suite's own if empty.
            max_context: Context length in tokens.
            tasks: Ids of the tasks to run; all if empty.
        """
        options = Options.of(
            retries=retries,
            fail_probability=fail_probability,
            pipeline=pipeline,
            bounds=bounds,
            settings=settings,
            driver=driver,
            max_context=max_context,
            tasks=[tasks] if isinstance(tasks, str) else list(map(str, tasks)),
        )
        return suite_task(name, protocol, agent, seed, options)

    build_task.__name__ = build_task.__qualname__ = task_name(name)
    build_task.__doc__ = (build_task.__doc__ or "").format(name=name)
    return task(build_task)


TASKS = {task_name(name): inspect_task(name) for name in list_suites()}
"""Name as an Inspect task -> its function, for the suites that packages offer."""


def suite_task(
    name: str, protocol: str, agent: str | None, seed: int, options: Options = USUAL
) -> Task:
    """Make a suite an Inspect task.

    Raises:
        ClickException: A suite, protocol, agent, data or planner is missing, or the suite does not
            support an option. Inspect's command line prints it in one line.
    """
    try:
        setup = Setup(find_suite(name), protocol, agent, seed, options)
        of_answers = {k: v for k, v in options.task_options().items() if k != "tasks"}
        solver = answer_task(name, protocol, agent, seed, of_answers)  # checks all options
        setup.bounded_suite.scoring.require()
        chance, bounds = options.fail_probability, dict(options.bounds)
        first_asked = setup.first_suite or setup.bounded_suite
        requests = requests_of_run.get()
        return Task(
            dataset=MemoryDataset(_samples(first_asked, setup), name=name),
            solver=solver,
            scorer=suite_score(name, protocol, chance, seed if chance else 0, bounds),
            metrics=suite_metrics(name, protocol),
            viewer=viewer_of(setup.bounded_suite),
            config=GenerateConfig(temperature=0.0),
            version=setup.suite.prompt_version,
            early_stopping=None if requests is None else Stopping(requests),
        )
    except HomebodyError as error:
        hint = f" ({error.hint})" if error.hint else ""
        raise ClickException(f"{error}{hint}") from error


def _samples(suite: Suite[Any], setup: Setup) -> list[Sample]:
    """Return the run's tasks with their first messages."""
    asked = set(setup.task_ids)
    return [
        Sample(
            id=suite.tasks.identify(task),
            input=[as_chat(message) for message in question_of(suite, task)],
            # shown in the log viewer instead of a long prompt
            target=suite.tasks.describe(task) if suite.playing is None else "",
            metadata={
                "task": suite.tasks.describe(task),
                "categories": list(suite.tasks.categories(task)),
                "seed": setup.seed,
            },
        )
        for task in suite.tasks.load(suite.protocol(setup.protocol))
        if suite.tasks.identify(task) in asked
    ]
