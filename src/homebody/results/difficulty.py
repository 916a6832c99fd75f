"""What makes tasks hard for a model: success against goals, plan length and objects.

Source: EAI paper, appendix E.5 and figures 35 and 36.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import orjson

from homebody.core import HomebodyError, Score, Suite
from homebody.core.task import Demands
from homebody.results.correlation import PERMUTATIONS, Correlation, correlate, wilson
from homebody.results.table import Format, aligned, render_records
from homebody.suites import SUITES, get_suite

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
        scores: Of one model, as :func:`homebody.results.outputs.score_outputs` gives them.
        tasks: The suite's tasks, loaded for the protocol of the scores.
        metric: Which of the scores' metrics.
        permutations: Shuffles of each test.
        seed: Of the shuffles.

    Raises:
        HomebodyError: the suite does not say that, lacks the metric, or no score counts.
    """
    by_id = {suite.identify(task): task for task in tasks}
    outputs: dict[str, list[Score]] = {}
    for score in scores:
        if score.valid:
            outputs.setdefault(score.identifier, []).append(score)
    if not outputs:
        raise HomebodyError(f"{suite.name}: there is no score that counts")
    metrics = sorted(next(iter(outputs.values()))[0].metrics)
    if metric not in metrics:
        raise HomebodyError(
            f"{suite.name} has no metric {metric!r}", f"choose one of: {', '.join(metrics)}"
        )
    demands = demands_of(suite)
    asked = [by_id[identifier] for identifier in outputs]
    means = [
        math.fsum(score.metrics[metric] for score in own) / len(own) for own in outputs.values()
    ]
    answered = list(zip(asked, outputs.values(), means, strict=True))
    factors = [demands.factors(task) for task in asked]
    return Difficulty(
        metric=metric,
        tasks=len(asked),
        mean=math.fsum(means) / len(means),
        factors=tuple(
            _factor(name, [own[name] for own in factors], means, permutations, seed)
            for name in factors[0]
        ),
        actions=_actions(answered, demands),
        predicates=_predicates(answered, demands),
    )


def demands_of(suite: Suite[Any]) -> Demands[Any]:
    """What a suite's tasks ask for. Raises HomebodyError if it does not say."""
    if suite.demands is not None:
        return suite.demands
    known = [name for name in SUITES if get_suite(name).demands is not None]
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
    found: list[tuple[float, float]] = []
    total = sum(sizes.values())
    for size in range(smallest, max(smallest, total) + 1):
        found, start, held = [], None, 0
        for value in sorted(sizes):
            start = value if start is None else start
            held += sizes[value]
            if held >= size:
                found.append((start, value))
                start, held = None, 0
        if start is not None:  # too few are left over: they go to their neighbours
            found = [*found[:-1], (found[-1][0] if found else start, max(sizes))]
        if len(found) <= most:
            break
    return found


# -- counting ------------------------------------------------------------------------------------

Answered: TypeAlias = Sequence[tuple[Any, Sequence[Score], float]]
"""Tasks with their scores and the mean of the metric over these."""


def _factor(
    name: str, values: Sequence[float], means: Sequence[float], permutations: int, seed: int
) -> Factor:
    rows: dict[float, list[float]] = {}
    for value, mean in zip(values, means, strict=True):
        rows.setdefault(value, []).append(mean)
    groups = []
    for value in sorted(rows):
        size = len(rows[value])
        mean = math.fsum(rows[value]) / size
        groups.append(Group(value, value, size, mean, *wilson(mean, size)))
    correlation = correlate(values, means, permutations=permutations, seed=seed)
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
    asked: Counter[tuple[str, str]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    tasks: Counter[tuple[str, str]] = Counter()
    for task, scores, _ in answered:
        mine: set[tuple[str, str]] = set()
        for score in scores:
            for kind, name, satisfied in demands.goals(task, score) if demands.goals else ():
                asked[kind, name] += 1
                met[kind, name] += satisfied
                mine.add((kind, name))
        tasks.update(sorted(mine))
    rows = []
    for kind, name in sorted(asked, key=lambda key: (*kind_order(key[0]), key[1])):
        key = kind, name
        share = met[key] / asked[key]
        rows.append(
            PredicateUse(name, kind, tasks[key], asked[key], share, *wilson(share, tasks[key]))
        )
    return tuple(rows)


def kind_order(kind: str) -> tuple[int, str]:
    """To sort kinds of goals by."""
    return (KINDS.index(kind) if kind in KINDS else len(KINDS)), kind


# -- showing -------------------------------------------------------------------------------------

Models: TypeAlias = Mapping[str, Difficulty]
"""Model name -> what :func:`difficulty` found."""
SMALLEST, MOST = 10, 7
"""Tables and figures put neighbouring values together until a group has ``SMALLEST`` tasks, and
there are at most ``MOST`` groups; JSON has every value."""


def shared_bounds(models: Models, factor: int) -> list[tuple[float, float]]:
    """Ranges of a factor's values that suit all models, see :func:`bounds`."""
    sizes: Counter[float] = Counter()
    for found in models.values():
        for group in found.factors[factor].groups:
            sizes[group.least] = max(sizes[group.least], group.tasks)
    return bounds(sizes, smallest=SMALLEST, most=MOST)


def correlation_records(models: Models) -> list[dict[str, str]]:
    """A record per model and factor: its rank correlation with the metric."""
    return [
        {
            "Model": model,
            "Metric": found.metric,
            "Factor": factor.name,
            "Tasks": str(found.tasks),
            "Spearman": _signed(factor.correlation.spearman),
            "Kendall": _signed(factor.correlation.kendall),
            "p": _p(factor.correlation.p),
        }
        for model, found in models.items()
        for factor in found.factors
    ]


def group_records(models: Models) -> list[dict[str, str]]:
    """A record per model, factor and group of values; rates in percent."""
    return [
        {
            "Model": model,
            "Factor": factor.name,
            "Value": group.label,
            "Tasks": str(group.tasks),
            _title(found.metric): _percent(group.mean),
            "95 % interval": _interval(group.low, group.high),
        }
        for model, found in models.items()
        for at, factor in enumerate(found.factors)
        for group in regroup(factor.groups, shared_bounds(models, at))
    ]


def action_records(models: Models) -> list[dict[str, str]]:
    """A record per model and action; rates in percent."""
    return [
        {
            "Model": model,
            "Action": row.name,
            "Tasks": str(row.tasks),
            _title(found.metric): _percent(row.mean),
            "95 % interval": _interval(row.low, row.high),
            "Steps": str(row.steps),
            "Executed": _percent(row.executed),
        }
        for model, found in models.items()
        for row in found.actions
    ]


def predicate_records(models: Models) -> list[dict[str, str]]:
    """A record per model and goal predicate; rates in percent."""
    return [
        {
            "Model": model,
            "Goal": row.name,
            "Kind": row.kind,
            "Tasks": str(row.tasks),
            "Goals": str(row.goals),
            "Met": _percent(row.met),
            "95 % interval": _interval(row.low, row.high),
        }
        for model, found in models.items()
        for row in found.predicates
    ]


TABLES: Mapping[str, Callable[[Models], list[dict[str, str]]]] = {
    "Rank correlation": correlation_records,
    "By value": group_records,
    "By action of the ground truth": action_records,
    "By goal predicate": predicate_records,
}


def render_difficulty(models: Models, form: Format) -> str:
    """All tables as text; CSV has them in one, a number per line."""
    if form is Format.JSON:
        return as_json(models)
    if form is Format.CSV:
        return render_records(_long(models), form)
    sections = []
    for title, records_of in TABLES.items():
        records = records_of(models)
        if not records:
            continue
        if form is Format.MARKDOWN:
            sections.append(f"## {title}\n\n{render_records(records, form)}")
        else:
            sections.append(f"{title}\n\n{aligned(records)}")
    return "\n\n".join(sections)


def as_json(models: Models) -> str:
    """Everything, unrounded, with a group for each value; what is not a number is null."""
    document = [{"model": model, **asdict(found)} for model, found in models.items()]
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()


def _long(models: Models) -> list[dict[str, str]]:
    def line(model: str, table: str, name: str, value: str, **numbers: float) -> dict[str, str]:
        shown = {k: "" if math.isnan(v) else f"{v:.6g}" for k, v in numbers.items()}
        return {"model": model, "table": table, "name": name, "value": value, **shown}

    lines = []
    for model, found in models.items():
        for factor in found.factors:
            for g in factor.groups:
                numbers = {"n": g.tasks, "mean": g.mean, "low": g.low, "high": g.high}
                lines.append(line(model, "factor", factor.name, g.label, **numbers))
        for factor in found.factors:
            for name, value in asdict(factor.correlation).items():
                numbers = {"n": found.tasks, "mean": value, "low": math.nan, "high": math.nan}
                lines.append(line(model, "correlation", factor.name, name, **numbers))
        for use in found.actions:
            numbers = {"n": use.tasks, "mean": use.mean, "low": use.low, "high": use.high}
            lines.append(line(model, "action", use.name, found.metric, **numbers))
            numbers = {
                "n": use.steps,
                "mean": use.executed,
                "low": use.executed_low,
                "high": use.executed_high,
            }
            lines.append(line(model, "action", use.name, "executed", **numbers))
        for goal in found.predicates:
            numbers = {"n": goal.tasks, "mean": goal.met, "low": goal.low, "high": goal.high}
            lines.append(line(model, "predicate", goal.name, goal.kind, **numbers))
    return lines


def _title(metric: str) -> str:
    return metric.replace("_", " ").capitalize()


def _percent(share: float) -> str:
    return "" if math.isnan(share) else f"{100 * share:.1f}"


def _interval(low: float, high: float) -> str:
    if math.isnan(low):
        return ""
    return f"{_percent(low)}\N{EN DASH}{_percent(high)}"


def _signed(value: float) -> str:
    return "" if math.isnan(value) else f"{value:+.2f}"


def _p(value: float) -> str:
    if math.isnan(value):
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
