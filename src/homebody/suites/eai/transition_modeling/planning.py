"""Planning for a task's problem with predicted operators (EAI paper, 2.6 and D.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from homebody.core import Protocol
from homebody.core.formula import And, Formula, Quantification, When
from homebody.planning.pddl import Domain, Operator, check_operator
from homebody.planning.solver.solve import Limits, Result, solve, solve_many
from homebody.suites.eai.transition_modeling.operators import Prediction, Reference, TransitionTask

Operators: TypeAlias = tuple[Operator, ...]

LIMITS = Limits(nodes=20_000)
"""The limits of planning. Within them, all official problems are solved without Fast Downward."""

_KEPT = 20_000
_Key: TypeAlias = tuple[Operators, str, str, Limits]
_solved: dict[_Key, Result] = {}
"""Cached results of this process. If there are too many, the oldest are removed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of planning.

    Attributes:
        success: True if a plan exists.
        message: One line for people.
        plan: Its steps, as ``"grab character cup"``.
        crash: The exception that ends the published evaluation here, or an empty string.
        undecided: True if neither a plan was found nor a proof that no plan exists.
    """

    success: bool
    message: str
    plan: tuple[str, ...] = ()
    crash: str = ""
    undecided: bool = False


def attempt(
    task: TransitionTask,
    predictions: Mapping[str, Prediction],
    protocol: Protocol,
    limits: Limits = LIMITS,
) -> Attempt:
    """Plan with the predicted operators of a task."""
    if protocol.keeps("operators_read_by_brackets") and not _is_encodable(predictions.values()):
        return Attempt(False, "the operators cannot be written to a file", crash="UnicodeError")
    operators = select_operators(task, predictions, protocol)
    if isinstance(operators, str):
        return Attempt(False, f"no plan: {operators}")
    return describe_result(plan(operators, task, limits))


def describe_result(result: Result) -> Attempt:
    """Describe the result of a planner for people."""
    if result.status != "solved":
        undecided = result.status == "unknown"
        reason = result.message.removeprefix("no plan exists: ")
        head = "undecided whether there is a plan" if undecided else "no plan"
        return Attempt(False, f"{head}: {reason}", undecided=undecided)
    steps = tuple(" ".join((name, *args)) for name, args in result.plan)
    return Attempt(True, f"solved in {len(steps)} steps", steps)


def _is_encodable(predictions: Iterable[Prediction]) -> bool:
    try:
        for prediction in predictions:
            str(prediction.text).encode()
    except UnicodeEncodeError:
        return False
    return True


def select_operators(
    task: TransitionTask, predictions: Mapping[str, Prediction], protocol: Protocol
) -> Operators | str:
    """Return the operators that the planner receives, or the reason why it would refuse them."""
    reference = task.reference
    chosen: dict[str, Operator] = {}
    for name, prediction in predictions.items():
        if name not in task.to_define and not protocol.keeps("hallucinated_operators_planned_with"):
            continue
        if prediction.operator is None:
            return f"{name}: {prediction.problem}"
        if wrong := problems(prediction.operator, reference):
            return f"{name}: {wrong[0]}"
        if protocol.keeps("quantified_parts_refused") and can_break_planner(prediction.operator):
            return f"{name}: the published planner breaks down at it"
        chosen[name] = prediction.operator
    if protocol.keeps("domain_completed_with_ground_truth"):
        chosen |= {n: o for n, o in reference.operators.items() if n not in predictions}
    chosen |= {name: reference.operators[name] for name in task.given if name not in chosen}
    return tuple(chosen.values())


@lru_cache(maxsize=10_000)
def problems(operator: Operator, reference: Reference) -> tuple[str, ...]:
    """Return why a planner would refuse an operator; empty if it would not."""
    return tuple(check_operator(operator, reference.domain))


_MAX_PARTS = 200


@lru_cache(maxsize=10_000)
def can_break_planner(operator: Operator) -> bool:
    """Return whether Fast Downward crashes on an operator: a ``when`` has several parts and one of
    them is quantified."""
    waiting = [operator.effect]
    while waiting:
        match waiting.pop():
            case And(parts):
                waiting += parts
            case Quantification(_, _, body):
                waiting.append(body)
            case When(_, body):
                waiting.append(body)
                several, quantified = _inspect_effect(body)
                if several and quantified:
                    return True
    return False


def _inspect_effect(effect: Formula) -> tuple[bool, bool]:
    """Return whether an effect contains a conjunction, and whether it contains a quantifier."""
    match effect:
        case And(parts):
            return True, any(_inspect_effect(part)[1] for part in parts)
        case Quantification(_, _, body):
            return _inspect_effect(body)[0], True
        case When(_, body):
            return _inspect_effect(body)
    return False, False


def _separate_parts(operator: Operator) -> Operator:
    """Rewrite an operator for Fast Downward, so that each part of an effect has its own
    condition."""
    if not can_break_planner(operator):
        return operator
    parts = _split_effect(operator.effect)
    if len(parts) > _MAX_PARTS:
        return operator
    return replace(operator, effect=And(tuple(parts)))


def _split_effect(effect: Formula) -> list[Formula]:
    match effect:
        case And(parts):
            return [inner for part in parts for inner in _split_effect(part)]
        case Quantification(kind, variables, body):
            return [Quantification(kind, variables, inner) for inner in _split_effect(body)]
        case When(condition, body):
            return [When(condition, inner) for inner in _split_effect(body)]
    return [effect]


def plan(operators: Operators, task: TransitionTask, limits: Limits = LIMITS) -> Result:
    """Plan for a task's problem, with a cache. Raises HomebodyError if Fast Downward is needed and
    not installed."""
    key = _key(operators, task, limits)
    result = _solved.get(key)
    if result is None:
        result = solve(domain_of(operators, task.reference), task.problem, limits=limits)
        _keep(key, result)
    return result


def plan_many(
    jobs: Iterable[tuple[Operators, TransitionTask]],
    *,
    workers: int = 4,
    limits: Limits = LIMITS,
) -> list[Result]:
    """Run :func:`plan` for many problems, each distinct one once, in several processes."""
    listed = [(_key(operators, task, limits), task) for operators, task in jobs]
    answers = {key: _solved[key] for key, _ in listed if key in _solved}
    new = {key: task for key, task in listed if key not in answers}
    results = solve_many(
        (
            (domain_of(operators, task.reference), task.problem)
            for (operators, *_), task in new.items()
        ),
        workers=workers,
        limits=limits,
    )
    for key, result in zip(new, results, strict=True):
        answers[key] = result
        _keep(key, result)
    return [answers[key] for key, _ in listed]


def _key(operators: Operators, task: TransitionTask, limits: Limits) -> _Key:
    return operators, task.reference.name, task.problem_text, limits


def _keep(key: _Key, result: Result) -> None:
    while len(_solved) >= _KEPT:
        _solved.pop(next(iter(_solved)))
    _solved[key] = result


def domain_of(operators: Operators, reference: Reference) -> Domain:
    """Return the official domain with these operators. Names that differ only in case stay
    distinct."""
    named: dict[str, Operator] = {}
    for operator in operators:
        name = operator.name
        while name in named:
            name += "_"
        named[name] = replace(_separate_parts(operator), name=name)
    return replace(reference.domain, operators=named)
