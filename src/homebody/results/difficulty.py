"""What makes tasks hard for a model: success against goals, plan length and objects.

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
"""Kinds of goals in the order of the tables; others follow."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks of which a factor is from ``least`` to ``most``.

    ``mean`` is of the metric, with its 95 % interval ``low`` to ``high``, all in [0, 1].
    """

    least: float
    most: float
    tasks: int
    mean: float
    low: float
    high: float

    @property
    def label(self) -> str:
        """The range of values as text; the value alone where there is one."""
        ends = f"{self.least:g}", f"{self.most:g}"
        return "\N{EN DASH}".join(dict.fromkeys(ends))


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor: the tasks by its values (a group for each), and its rank correlation."""

    name: str
    groups: tuple[Group, ...]
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class ActionUse:
    """How a model does with one action.

    Attributes:
        name: As in the action space.
        tasks: Tasks whose annotated plan uses it.
        mean, low, high: The metric over these tasks and its interval.
        steps: Steps with it that were tried in the model's plans: a plan ends where one fails.
        executed: Share of those that did not fail (additional steps do not); ``nan`` for none.
        executed_low, executed_high: Its interval. It counts tasks, not steps: those of one plan
            are not independent.
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
    """How a model does with goals of one predicate.

    Attributes:
        name: The predicate, or the action that is asked for; ``"WASH|RINSE"`` asks for either.
        kind: Of goal: ``state``, ``relation`` or ``action``, or what else the suite has.
        tasks: Tasks that ask for it.
        goals: Goal conditions of it, over all outputs.
        met: Share of these that were met.
        low, high: The interval of ``met``. It counts tasks, not goals: those of one task are met
            or missed together.
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
    """One model's success against what its tasks ask for; see :func:`difficulty`."""

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
    """How one model's success goes with what its tasks ask for.

    A task that was asked several times counts once, with the mean of its metric. Scores that the
    protocol leaves out do not count.

    Args:
        suite: A suite that says what its tasks demand.
        scores: Of one model, as :func:`homebody.results.scoring.score_outputs` gives them.
        tasks: The suite's tasks, loaded for the protocol of the scores.
        metric: Which of the scores' metrics.
        permutations: Shuffles of each test.
        seed: Of the shuffles.

    Raises:
        HomebodyError: the suite does not say that, lacks the metric, or no score counts.
    """
    by_id = {suite.tasks.identify(task): task for task in tasks}
    outputs: dict[str, list[Score]] = {}
    for score in scores:
        if score.valid:
            outputs.setdefault(score.identifier, []).append(score)
    if not outputs:
        why = Counter(str(score.record.get(LEFT_OUT, "left out")) for score in scores)
        said = ", ".join(f"{reason} ({number})" for reason, number in why.most_common())
        raise HomebodyError(f"{suite.name}: there is no score that counts: {said or 'no scores'}")
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
    """What a suite's tasks ask for. Raises HomebodyError if it does not say."""
    if suite.experiments.demands is not None:
        return suite.experiments.demands
    known = [each.name for each in loadable_suites() if each.experiments.demands is not None]
    raise HomebodyError(
        f"what makes tasks hard is not known of {suite.name}", f"choose one of: {', '.join(known)}"
    )


def regroup(groups: Iterable[Group], bounds: Sequence[tuple[float, float]]) -> list[Group]:
    """Groups put together within ``bounds``, inclusive; bounds without tasks are left out."""
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
    """Ranges of neighbouring values, at most ``most``, each with at least ``smallest`` tasks.

    Args:
        sizes: Value -> number of tasks.
        smallest: Tasks in a range; fewer only if there are fewer in all.
        most: Ranges, at least 1; ranges grow until there are no more than that.
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
        if start is not None:  # too few are left over: they go to their neighbours
            ranges = [*ranges[:-1], (ranges[-1][0] if ranges else start, max(sizes))]
        if len(ranges) <= most:
            break
    return ranges


# -- counting ------------------------------------------------------------------------------------

Answered: TypeAlias = Sequence[tuple[Any, Sequence[Score], float]]
"""Tasks with their scores and the mean of the metric over these."""


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
    """To sort kinds of goals by."""
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind
