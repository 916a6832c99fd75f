"""Follows the actions of a goal along a trace: finds which of them were done in order, and when."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.formula import (
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Or,
    Structure,
    Then,
    free_variables,
    is_variable,
    substitute,
)
from homebody.core.truth import evaluate as evaluate_state
from homebody.goals.ltl.formula_truth import needs_action
from homebody.goals.ltl.printing import show

_Binding: TypeAlias = Mapping[str, str | None]
"""Variable -> object, or None for any object."""

_Before: TypeAlias = tuple[Formula, _Binding] | None
"""The formula of the actions that have to be done before an action."""


@dataclass(frozen=True)
class DoneActions:
    """The executed actions of a trace and its final state.

    Attributes:
        done: The executed actions.
        actions: The predicates that are actions.
        final: The final state, seen through the world's view.
    """

    done: tuple[Action, ...]
    actions: Collection[str]
    final: Structure

    @cached_property
    def objects(self) -> list[str]:
        """The objects that occur in actions, in order."""
        existing = frozenset(self.final.names)
        named = dict.fromkeys(name for action in self.done for name in action.args)
        return [name for name in named if name in existing]


@dataclass(frozen=True, slots=True)
class WantedAction:
    """The result for one action of the goal.

    Attributes:
        text: The executed action if there is one, else the action in the goal.
        words: The action in words. If it can be on any objects, only the names of its actions.
        end: Number of actions executed up to it in the required order, or None.
        elsewhere: Number of actions executed up to its first occurrence anywhere, or None.
        after: The actions required before it, or None; only kept if it explains a failure.
    """

    text: str
    words: str
    end: int | None
    elsewhere: int | None
    after: str | None


def follow(formula: Formula, run: DoneActions) -> list[WantedAction]:
    """Return one entry for each action of a formula of actions, in its order."""
    steps: list[WantedAction] = []
    _walk(formula, 0, None, run, {}, steps)
    return steps


def _walk(
    formula: Formula,
    start: int | None,
    after: _Before,
    run: DoneActions,
    binding: _Binding,
    steps: list[WantedAction],
) -> int | None:
    """Match ``formula`` as early as possible from ``start`` (None: the part before failed).

    Appends one entry for each action of the goal, and returns the end of the match. The earliest
    end is the best start for the next part, because most actions remain.
    """
    match formula:
        case Then(parts):
            for part in parts:
                start = _walk(part, start, after, run, binding, steps)
                after = (part, binding)
            return start
        case And(parts):
            ends = [_walk(part, start, after, run, binding, steps) for part in parts]
            reached = [end for end in ends if end is not None]
            return max(reached, default=start) if len(reached) == len(ends) else None
        case Exists(variable, body) if _has_several_actions(body):
            return _walk_shared(variable, body, start, after, run, binding, steps)
    end = None if start is None else end_of(formula, start, run, binding)
    if end is None:
        elsewhere = end_of(formula, 0, run, binding)
        earlier = after and describe_actions(*after)
        words = describe_actions(formula, binding)
        steps.append(WantedAction(_show(formula, binding), words, None, elsewhere, earlier))
    else:
        single = _is_one_step(formula, run.actions)
        text = str(run.done[end - 1]) if single else _show(formula, binding)
        steps.append(WantedAction(text, text, end, end, None))
    return end


def _walk_shared(
    variable: str,
    body: Formula,
    start: int | None,
    after: _Before,
    run: DoneActions,
    binding: _Binding,
    steps: list[WantedAction],
) -> int | None:
    """Match several actions on one free object: try each object in actions, and one other
    object."""
    best: tuple[int, int] | None = None
    chosen: list[WantedAction] = []
    reached: int | None = None
    others = (name for name in run.final.names if name not in run.objects)
    for name in [*run.objects, *islice(others, 1)] if start is not None else ():
        trial: list[WantedAction] = []
        end = _walk(body, start, after, run, {**binding, variable: name}, trial)
        count = sum(step.end is not None for step in trial)
        score = (count, 0 if end is None else -end)
        if count and (best is None or score > best):
            best, chosen, reached = score, trial, end
    if best is None:
        return _walk(body, None, after, run, {**binding, variable: None}, steps)
    steps.extend(chosen)
    return reached


def _has_several_actions(formula: Formula) -> bool:
    """Return whether several actions of the goal share an ``exists`` over ``formula``."""
    while isinstance(formula, Exists):
        formula = formula.body
    return isinstance(formula, And | Then)


def _is_one_step(formula: Formula, actions: Collection[str]) -> bool:
    """Return whether a single action makes ``formula`` true, whatever the objects."""
    match formula:
        case Atom(predicate, _):
            return predicate in actions
        case Or(parts):
            return all(_is_one_step(part, actions) for part in parts)
        case Exists(_, body):
            return _is_one_step(body, actions)
        case _:
            return False


def end_of(formula: Formula, start: int, run: DoneActions, binding: _Binding) -> int | None:
    """Return the least ``end`` such that ``run.done[start:end]`` satisfies ``formula``, or None.

    State conditions are evaluated in the final state and need no action. ``formula`` must be in
    negation normal form (:func:`.simple_goals.to_nnf`).
    """
    match formula:
        case Atom(predicate, args) if predicate in run.actions:
            for i in range(start, len(run.done)):
                done = run.done[i]
                if done.name == predicate and _is_match(args, done.args, binding):
                    return i + 1
            return None
        case And(parts):
            return _latest(start, (end_of(part, start, run, binding) for part in parts))
        case Or(parts):
            return _earliest(end_of(part, start, run, binding) for part in parts)
        case Then(parts):
            for part in parts:
                end = end_of(part, start, run, binding)
                if end is None:
                    return None
                start = end
            return start
        case Exists(variable, body):
            if _is_one_step(body, run.actions):
                return end_of(body, start, run, {**binding, variable: None})
            names = run.objects if needs_action(body, variable, run.actions) else run.final.names
            return _earliest(end_of(body, start, run, {**binding, variable: n}) for n in names)
        case Forall(variable, body):
            names = run.final.names
            return _latest(
                start, (end_of(body, start, run, {**binding, variable: n}) for n in names)
            )
        case _:
            bound = {k: v for k, v in binding.items() if v is not None}
            return start if evaluate_state(formula, run.final, bound) else None


def _latest(start: int, ends: Iterable[int | None]) -> int | None:
    latest = start
    for end in ends:
        if end is None:
            return None
        latest = max(latest, end)
    return latest


def _earliest(ends: Iterable[int | None]) -> int | None:
    return min((end for end in ends if end is not None), default=None)


def _is_match(wanted: tuple[str, ...], done: tuple[str, ...], binding: _Binding) -> bool:
    if len(wanted) != len(done):
        return False
    free: dict[str, str] = {}
    for term, name in zip(wanted, done, strict=True):
        value = binding[term] if is_variable(term) else term
        if value is None:
            value = free.setdefault(term, name)
        if value != name:
            return False
    return True


def _close(formula: Formula, binding: _Binding) -> Formula:
    """Substitute known objects in ``formula`` and close open variables by ``exists``."""
    formula = substitute(formula, {k: v for k, v in binding.items() if v is not None})
    for variable in sorted(free_variables(formula), reverse=True):
        formula = Exists(variable, formula)
    return formula


def _show(formula: Formula, binding: _Binding) -> str:
    return show(_close(formula, binding))


def describe_actions(formula: Formula, binding: _Binding) -> str:
    """Return actions in words: ``WASH or RINSE``, ``POUR(milk.1, something)``, or as written."""
    closed = body = _close(formula, binding)
    while isinstance(body, Exists):
        body = body.body
    options = body.parts if isinstance(body, Or) else (body,)
    if not all(isinstance(option, Atom) for option in options):
        return show(closed)
    wanted = [option for option in options if isinstance(option, Atom)]
    if all(is_variable(arg) for option in wanted for arg in option.args):
        return " or ".join(dict.fromkeys(option.predicate for option in wanted))
    return " or ".join(
        show(Atom(o.predicate, tuple("something" if is_variable(a) else a for a in o.args)))
        for o in wanted
    )
