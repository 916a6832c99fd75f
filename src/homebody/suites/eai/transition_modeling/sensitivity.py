"""Sensitivity to each predicted operator: replace one annotated operator by it, and plan again.

A task is sensitive to an operator if its problem has a solution with the annotated operators, but
none once that operator is replaced by the predicted one. As in the planner success rate, only
operators that the task requests are replaced. If a protocol completes the domain with the ground
truth, the domain has all operators, and an operator that is not requested may replace the missing
one in a plan.

Source: EAI paper, appendix F.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from homebody.core import CORRECTED, HomebodyError, Protocol, Suite
from homebody.planning.solver.solve import Result
from homebody.suites.eai.reading import ParsingError
from homebody.suites.eai.transition_modeling.operators import (
    TITLES,
    Prediction,
    TransitionTask,
    read_predictions,
)
from homebody.suites.eai.transition_modeling.planning import Operators, plan_many, problems

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Trial:
    """One replaced operator in one task.

    Attributes:
        task: Id of the task.
        operator: The operator that was replaced.
        solved: True if the problem still has a solution.
        reason: The reason why it has no solution, or an empty string.
    """

    task: str
    operator: str
    solved: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Rate:
    """The trials of one operator in the tasks of one category, or in all tasks (``overall``)."""

    operator: str
    category: str
    solved: int
    tried: int

    @property
    def success_rate(self) -> float:
        """Success rate in [0, 1]."""
        return self.solved / self.tried


def try_each(
    suite: Suite[TransitionTask],
    outputs: Iterable[tuple[str, str]],
    protocol: Protocol = CORRECTED,
    *,
    workers: int = 4,
) -> list[Trial]:
    """Try each operator that each task requests.

    An operator that was not predicted, or that a planner would refuse, solves nothing.

    Args:
        suite: Transition modeling on one of the data sets.
        outputs: ``(task id, output)``. If a task has several outputs, the last one counts.
        protocol: Determines how outputs are read and which operators are annotated.
        workers: Maximum number of parallel planner processes.

    Raises:
        HomebodyError: There is no such task, or Fast Downward is needed and not installed.
    """
    tasks = {task.id: task for task in suite.tasks.load(protocol)}
    trials: list[Trial | None] = []
    waiting: list[tuple[int, str, Operators, TransitionTask]] = []
    for identifier, output in dict(outputs).items():
        task = tasks.get(identifier)
        if task is None:
            raise HomebodyError(
                f"{suite.name} has no task {identifier!r}",
                f"see: homebody list {suite.name}, or choose another --suite",
            )
        try:
            predictions = read_predictions(task, output, protocol)
        except ParsingError as error:
            trials += [Trial(identifier, name, False, str(error)) for name in task.to_define]
            continue
        for name in task.to_define:
            replaced = _replace_operator(task, name, predictions.get(name), protocol)
            if isinstance(replaced, str):
                trials.append(Trial(identifier, name, False, replaced))
            else:
                waiting.append((len(trials), name, replaced, task))
                trials.append(None)
    results = plan_many(((operators, task) for _, _, operators, task in waiting), workers=workers)
    for (at, name, _, task), result in zip(waiting, results, strict=True):
        trials[at] = _make_trial(task, name, result)
    return [trial for trial in trials if trial is not None]


def _replace_operator(
    task: TransitionTask, name: str, prediction: Prediction | None, protocol: Protocol
) -> Operators | str:
    """Return the annotated operators with one of them replaced by the prediction, or the reason why
    this is impossible."""
    if prediction is None:
        return "it was not predicted"
    if prediction.operator is None:
        return prediction.problem
    if wrong := problems(prediction.operator, task.reference):
        return wrong[0]
    annotated = task.reference.operators
    whole = protocol.keeps("domain_completed_with_ground_truth")
    needed = (*task.to_define, *task.given)
    among = annotated if whole else {each: annotated[each] for each in needed}
    return tuple({**among, name: prediction.operator}.values())


def _make_trial(task: TransitionTask, name: str, result: Result) -> Trial:
    solved = result.status == "solved"
    return Trial(task.id, name, solved, "" if solved else result.message)


def rates(suite: Suite[TransitionTask], trials: Iterable[Trial]) -> list[Rate]:
    """Compute the success rates by operator and category. Operators are sorted by name, and
    ``overall`` is the first category."""
    categories = {task.id: task.categories for task in suite.tasks.load(CORRECTED)}
    sums: dict[tuple[str, str], list[int]] = {}
    for trial in trials:
        for category in (OVERALL, *categories[trial.task]):
            counts = sums.setdefault((category, trial.operator), [0, 0])
            counts[0] += trial.solved
            counts[1] += 1
    order = (OVERALL, *TITLES)
    return [
        Rate(operator, category, *sums[category, operator])
        for category, operator in sorted(sums, key=lambda key: (order.index(key[0]), key[1]))
    ]


def sensitivity(
    suite: Suite[TransitionTask],
    outputs: Iterable[tuple[str, str]],
    protocol: Protocol = CORRECTED,
    *,
    workers: int = 4,
) -> list[Rate]:
    """Return :func:`rates` of :func:`try_each`."""
    return rates(suite, try_each(suite, outputs, protocol, workers=workers))


def records(
    suite: Suite[TransitionTask], measured_rates: Sequence[Rate]
) -> list[dict[str, str | float | None]]:
    """Return a row per operator: its tasks, and the percentage that stays solvable, by category."""
    categories = {category for task in suite.tasks.load(CORRECTED) for category in task.categories}
    columns = (OVERALL, *(category for category in TITLES if category in categories))
    by_operator: dict[str, dict[str, Rate]] = {}
    for rate in measured_rates:
        by_operator.setdefault(rate.operator, {})[rate.category] = rate

    def percent(rate: Rate | None) -> float | None:
        return None if rate is None else round(100 * rate.success_rate, 1)

    return [
        {
            "operator": operator,
            "tasks": own[OVERALL].tried,
            **{column.replace("_", " "): percent(own.get(column)) for column in columns},
        }
        for operator, own in sorted(by_operator.items())
    ]
