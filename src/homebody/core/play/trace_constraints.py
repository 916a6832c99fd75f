"""Constraints on traces: events that must not happen. Breaches are a cost, separate from the goal.

    judge([Never(spilled), Before(asked, took), After(stove_on, stove_off, within=60)], trace)

A trace is a sequence of (clock, situation). A predicate is a function of a situation, or a closed
formula if situations are structures (:mod:`homebody.core.formula`). A :class:`Watch` judges step by
step; the time per step does not depend on the length of the trace.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from homebody.core.formula import Formula
from homebody.core.truth import evaluate

Predicate: TypeAlias = Callable[[Any], bool] | Formula


@dataclass(frozen=True, slots=True)
class Never:
    """The constraint that a predicate is never true; each time it becomes true is a breach.

    Attributes:
        forbidden: The predicate.
        rule: The constraint as a sentence; optional.
        cost: The cost of each breach.
    """

    forbidden: Predicate
    rule: str = ""
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class Before:
    """The constraint that one predicate was true at a step before another becomes true.

    Attributes:
        first: The predicate that must have been true.
        then: The predicate that may become true only later; each earlier time is a breach.
        rule: The constraint as a sentence; optional.
        cost: The cost of each breach.
    """

    first: Predicate
    then: Predicate
    rule: str = ""
    cost: float = 1.0


@dataclass(frozen=True, slots=True)
class After:
    """The constraint that each time one predicate becomes true, another predicate is true within a
    time limit. A deadline after the end of the trace is not a breach.

    Attributes:
        trigger: The predicate that sets a deadline.
        due: The predicate that must be true by then.
        within: Steps of the clock until the deadline.
        rule: The constraint as a sentence; optional.
        cost: The cost of each breach.
    """

    trigger: Predicate
    due: Predicate
    within: int
    rule: str = ""
    cost: float = 1.0


Constraint: TypeAlias = Never | Before | After


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach of a constraint.

    Attributes:
        constraint: The constraint.
        clock: The time of the breach; the deadline if an event was too late.
        explanation: A sentence that a person or a model can act on.
    """

    constraint: Constraint
    clock: int
    explanation: str


@dataclass(slots=True)
class _ConstraintState:
    """A constraint with its memory of the trace."""

    constraint: Constraint
    was_true: bool = False
    has_been: bool = False
    deadlines: list[int] = field(default_factory=list)

    def step(self, clock: int, now: Any) -> Iterable[Breach]:
        """Yield the breaches of one step."""
        constraint = self.constraint
        if isinstance(constraint, Never):
            if self._becomes_true(constraint.forbidden, now):
                yield self._make_breach(clock, f"{_name(constraint.forbidden)} became true")
        elif isinstance(constraint, Before):
            if self._becomes_true(constraint.then, now) and not self.has_been:
                missing = _name(constraint.first)
                yield self._make_breach(clock, f"{_name(constraint.then)} came before {missing}")
            self.has_been = self.has_been or _is_true(constraint.first, now)
        else:
            late = [deadline for deadline in self.deadlines if deadline < clock]
            yield from (self._make_breach(at, self._describe_delay(constraint)) for at in late)
            self.deadlines = self.deadlines[len(late) :]
            if self._becomes_true(constraint.trigger, now):
                self.deadlines.append(clock + constraint.within)
            if self.deadlines and _is_true(constraint.due, now):
                self.deadlines.clear()

    def _becomes_true(self, predicate: Predicate, now: Any) -> bool:
        was, self.was_true = self.was_true, _is_true(predicate, now)
        return self.was_true and not was

    def _describe_delay(self, constraint: After) -> str:
        due, trigger = _name(constraint.due), _name(constraint.trigger)
        return f"{due} did not follow {trigger} within {constraint.within} steps"

    def _make_breach(self, clock: int, what: str) -> Breach:
        rule = f"{self.constraint.rule}: " if self.constraint.rule else ""
        return Breach(self.constraint, clock, f"{rule}{what} at step {clock}")


class Watch:
    """Constraints on a growing trace.

    Attributes:
        breaches: All breaches so far, in order.
    """

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self.breaches: list[Breach] = []
        self._watched = [_ConstraintState(constraint) for constraint in constraints]

    def step(self, clock: int, now: Any) -> list[Breach]:
        """Judge the next step of the trace, whose clock never decreases; return its breaches."""
        found = [breach for each in self._watched for breach in each.step(clock, now)]
        self.breaches += found
        return found

    @property
    def cost(self) -> float:
        """The sum of the costs of all breaches."""
        return math.fsum(breach.constraint.cost for breach in self.breaches)


def judge(constraints: Iterable[Constraint], trace: Iterable[tuple[int, Any]]) -> Watch:
    """Judge a whole trace."""
    watch = Watch(constraints)
    for clock, now in trace:
        watch.step(clock, now)
    return watch


def _is_true(predicate: Predicate, now: Any) -> bool:
    return bool(predicate(now)) if callable(predicate) else evaluate(predicate, now)


def _name(predicate: Predicate) -> str:
    name = getattr(predicate, "__name__", "") if callable(predicate) else str(predicate)
    return "its condition" if name in ("", "<lambda>") else name.replace("_", " ")
