"""Success of a model against properties of tasks: goals, plan length and objects.

Source: EAI paper, appendix E.5 and figures 35 and 36.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from homebody.core import HomebodyError, Score, Suite
from homebody.core.demands import Demands
from homebody.core.score import LEFT_OUT
from homebody.results.correlation import PERMUTATIONS, Correlation, correlate, wilson
from homebody.suites import loadable_suites

METRIC = "success"
KINDS = ("state", "relation", "action")
"""Kinds of goals in the order of tables; other kinds follow."""


@dataclass(frozen=True, slots=True)
class Group:
    """The group of tasks with a value of a factor from ``least`` to ``most``.

    ``mean`` is the metric's mean with its 95 % interval ``low`` to ``high``, all in [0, 1].
    """

    least: float
    most: float
    tasks: int
    mean: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """The range of values as text, or the value if there is only one."""
        ends = f"{self.least:g}", f"{self.most:g}"
        return "\N{EN DASH}".join(dict.fromkeys(ends))


@dataclass(frozen=True, slots=True)
class Factor:
    """A property of tasks, with a group of tasks for each value, and the rank correlation."""

    name: str
    groups: tuple[Group, ...]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class ActionUse:
    """Statistics of a model for one action.

    Attributes:
        name: Name in the action space.
        tasks: Number of tasks whose annotated plan uses it.
        mean, low, high: Mean of the metric over these tasks and its interval.
        steps: Number of steps with it in the model's plans, up to a plan's first failure.
        executed: Share of these steps that did not fail; nan without steps.
        executed_low, executed_high: Its interval, with tasks as the sample size because steps of
            one plan are not independent.
    """

    name: str
    tasks: int
    mean: float
    low: float
    high: float
    steps: int
    executed: float
    executed_low: float
    executed_high: float


@dataclass(frozen=True, slots=True)
class PredicateUse:
    """Statistics of a model for goals of one predicate.

    Attributes:
        name: The predicate or required action; ``"WASH|RINSE"`` requires either.
        kind: Kind of goal: ``state``, ``relation``, ``action``, or another kind that the suite
            defines.
        tasks: Number of tasks that require it.
        goals: Number of its goal conditions over all outputs.
        met: Share of these conditions that were met.
        low, high: Interval of ``met``, with tasks as the sample size because goals of one task are
            not independent.
    """

    name: str
    kind: str
    tasks: int
    goals: int
    met: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The result of :func:`difficulty` for one model."""

    metric: str
    tasks: int
    mean: float
    factors: tuple[Factor, ...]
    actions: tuple[ActionUse, ...]
    predicates: tuple[PredicateUse, ...]


def difficulty(
    suite: Suite[Any],
    scores: Sequence[Score],
    tasks: Iterable[Any],
    *,
    metric: str = METRIC,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> Difficulty:
    """Measure one model's success against properties of its tasks.

    A task with several samples counts once, with the mean of its metric. Scores that the protocol
    excludes do not count.

    Args:
        suite: A suite that states its tasks' demands.
        scores: Scores of one model, as from :func:`homebody.results.scoring.score_outputs`.
        tasks: The suite's tasks, loaded for the protocol of the scores.
        metric: Name of the metric.
        permutations: Number of shuffles per test.
        seed: Seed of the shuffles.

    Raises:
        HomebodyError: The suite states no demands or lacks the metric, or all scores are excluded.
    """
    by_id = {suite.tasks.identify(task): task for task in tasks}
    outputs: dict[str, list[Score]] = {}
    for score in scores:
        if score.valid:
            outputs.setdefault(score.identifier, []).append(score)
    if not outputs:
        why = Counter(str(score.record.get(LEFT_OUT, "left out")) for score in scores)
        reasons = ", ".join(f"{reason} ({number})" for reason, number in why.most_common())
        raise HomebodyError(f"{suite.name}: all scores are excluded: {reasons or 'no scores'}")
    metrics = sorted(next(iter(outputs.values()))[0].metrics)
    if metric not in metrics:
        raise HomebodyError(
            f"{suite.name} has no metric {metric!r}", f"choose one of: {', '.join(metrics)}"
        )
    demands = demands_of(suite)
    tasks_answered = [by_id[identifier] for identifier in outputs]
    means = [
        math.fsum(score.metrics[metric] for score in own) / len(own) for own in outputs.values()
    ]
    answered = list(zip(tasks_answered, outputs.values(), means, strict=True))
    factors = [demands.factors(task) for task in tasks_answered]
    return Difficulty(
        metric=metric,
        tasks=len(tasks_answered),
        mean=math.fsum(means) / len(means),
        factors=tuple(
            _factor(name, [own[name] for own in factors], metric, means, permutations, seed)
            for name in factors[0]
        ),
        actions=_actions(answered, demands),
        predicates=_predicates(answered, demands),
    )


def demands_of(suite: Suite[Any]) -> Demands[Any]:
    """Return a suite's demands. Raises HomebodyError if it states none."""
    if suite.experiments.demands is not None:
        return suite.experiments.demands
    known = [each.name for each in loadable_suites() if each.experiments.demands is not None]
    raise HomebodyError(
        f"{suite.name} does not state what its tasks demand", f"choose one of: {', '.join(known)}"
    )


def regroup(groups: Iterable[Group], bounds: Sequence[tuple[float, float]]) -> list[Group]:
    """Merge groups within ``bounds``, inclusive; bounds without tasks are omitted."""
    groups = list(groups)
    merged = []
    for least, most in bounds:
        inside = [g for g in groups if least <= g.least and g.most <= most]
        tasks = sum(g.tasks for g in inside)
        if tasks:
            mean = math.fsum(g.mean * g.tasks for g in inside) / tasks
            merged.append(Group(least, most, tasks, mean, *wilson(mean, tasks)))
    return merged


def bounds(sizes: Mapping[float, int], *, smallest: int, most: int) -> list[tuple[float, float]]:
    """Return ranges of neighbouring values.

    Args:
        sizes: Value -> number of tasks.
        smallest: Minimum number of tasks per range, if there are that many in all.
        most: Maximum number of ranges, at least 1.
    """
    ranges: list[tuple[float, float]] = []
    total = sum(sizes.values())
    for size in range(smallest, max(smallest, total) + 1):
        ranges, start, held = [], None, 0
        for value in sorted(sizes):
            start = value if start is None else start
            held += sizes[value]
            if held >= size:
                ranges.append((start, value))
                start, held = None, 0
        if start is not None:  # merge a remainder that is too small
            ranges = [*ranges[:-1], (ranges[-1][0] if ranges else start, max(sizes))]
        if len(ranges) <= most:
            break
    return ranges


# -- counting ------------------------------------------------------------------------------------

Answered: TypeAlias = Sequence[tuple[Any, Sequence[Score], float]]
"""Tasks with their scores and the mean of the metric over the scores."""


def _factor(
    name: str,
    values: Sequence[float],
    metric: str,
    means: Sequence[float],
    permutations: int,
    seed: int,
) -> Factor:
    rows: dict[float, list[float]] = {}
    for value, mean in zip(values, means, strict=True):
        rows.setdefault(value, []).append(mean)
    groups = []
    for value in sorted(rows):
        size = len(rows[value])
        mean = math.fsum(rows[value]) / size
        groups.append(Group(value, value, size, mean, *wilson(mean, size)))
    correlation = correlate(
        values, means, permutations=permutations, seed=seed, names=(name, metric)
    )
    return Factor(name, tuple(groups), correlation)


def _actions(answered: Answered, demands: Demands[Any]) -> tuple[ActionUse, ...]:
    used: dict[str, list[float]] = defaultdict(list)
    tried: Counter[str] = Counter()
    tried_in: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for task, scores, mean in answered:
        for name in dict.fromkeys(demands.actions(task)):
            used[name].append(mean)
        own: set[str] = set()
        for score in scores:
            for name, done in demands.steps(task, score) if demands.steps else ():
                tried[name] += 1
                failed[name] += not done
                own.add(name)
        tried_in.update(own)
    rows = []
    for name in sorted(used.keys() | tried.keys()):
        tasks, steps = len(used[name]), tried[name]
        mean = math.fsum(used[name]) / tasks if tasks else math.nan
        executed = (steps - failed[name]) / steps if steps else math.nan
        rows.append(
            ActionUse(
                name,
                tasks,
                mean,
                *_interval_of(mean, tasks),
                steps,
                executed,
                *_interval_of(executed, tried_in[name]),
            )
        )
    return tuple(rows)


def _interval_of(share: float, size: int) -> tuple[float, float]:
    return wilson(share, size) if size else (math.nan, math.nan)


def _predicates(answered: Answered, demands: Demands[Any]) -> tuple[PredicateUse, ...]:
    goals: Counter[tuple[str, str]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    tasks: Counter[tuple[str, str]] = Counter()
    for task, scores, _ in answered:
        mine: set[tuple[str, str]] = set()
        for score in scores:
            for kind, name, satisfied in demands.goals(task, score) if demands.goals else ():
                goals[kind, name] += 1
                met[kind, name] += satisfied
                mine.add((kind, name))
        tasks.update(sorted(mine))
    rows = []
    for kind, name in sorted(goals, key=lambda key: (*kind_order(key[0]), key[1])):
        key = kind, name
        share = met[key] / goals[key]
        rows.append(
            PredicateUse(name, kind, tasks[key], goals[key], share, *wilson(share, tasks[key]))
        )
    return tuple(rows)


def kind_order(kind: str) -> tuple[int, str]:
    """Return a sort key for kinds of goals."""
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind
