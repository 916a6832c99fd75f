"""Evaluates an LTL formula over a whole trace (EAI paper, appendix C.3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.formula import (
    And,
    Atom,
    Exactly,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    Structure,
    Then,
    free_variables,
    has_then,
    normalise,
    with_parts,
)
from homebody.core.state import State
from homebody.core.truth import evaluate as evaluate_state
from homebody.core.world import Trace

View: TypeAlias = Callable[[State], Structure]
"""Maps a state to a structure with derived predicates, usually ``World.view``."""


def action_predicates(actions: Iterable[str], predicates: Iterable[str]) -> frozenset[str]:
    """Return the names that mean an action in a formula.

    A name that is also a state predicate means the state: in VirtualHome, ``OPEN(fridge.97)`` is a
    state (as in the published parser), although ``OPEN`` is an action too.
    """
    return frozenset(actions) - frozenset(predicates)


@dataclass(frozen=True, slots=True)
class Step:
    """One pair ``(s_i, a_i)`` of a trace as a structure: a state and the action that led to it.

    Attributes:
        state: The state, seen through the world's view.
        action: The action, or ``None`` for the initial state.
        actions: The predicates that are actions.
    """

    state: Structure
    action: Action | None
    actions: Collection[str]

    @property
    def names(self) -> Iterable[str]:
        """All object names."""
        return self.state.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        """Return whether the fact is in the state, or the action was done."""
        if predicate in self.actions:
            done = self.action
            return done is not None and done.name == predicate and done.args == args
        return self.state.holds(predicate, args)

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        """Return the true ground atoms that agree with ``args``; ``None`` matches anything."""
        if predicate not in self.actions:
            return self.state.match(predicate, args)
        done = self.action
        if done is None or done.name != predicate or len(done.args) != len(args):
            return ()
        agree = all(a is None or a == b for a, b in zip(args, done.args, strict=True))
        return (done.args,) if agree else ()


def steps(trace: Trace, *, actions: Collection[str], view: View | None = None) -> list[Step]:
    """Return the pairs ``(s_0, none), (s_1, a_1), ..., (s_n, a_n)``."""
    states: Iterable[Structure] = map(view, trace.states) if view else trace.states
    done = (None, *trace.actions)
    return [Step(state, action, actions) for state, action in zip(states, done, strict=True)]


def evaluate(
    formula: Formula, trace: Trace, *, actions: Collection[str], view: View | None = None
) -> bool:
    """Return the truth of a formula over a trace (appendix C.3).

    A segment of the trace satisfies

    - a formula without ``then``, if one of its steps satisfies it;
    - ``a then b``, if the segment can be cut into two pieces so that the first satisfies ``a`` and
      the second ``b``. A piece may be empty; an empty piece satisfies no formula without ``then``;
    - a connective or quantifier with ``then`` inside, by the truth of its operands on the same
      segment. ``not (a then b)`` is true if there is no such cut. The parts of a conjunction
      without ``then`` count as one formula, so they must be true in the same step. Therefore
      ``and`` is associative and commutative, and the normal form has the same meaning as the
      formula.

    Takes time in O(size of the ground formula x length of the trace squared).

    Args:
        formula: Any closed formula.
        trace: The states and actions.
        actions: The predicates that are actions; see :func:`action_predicates`.
        view: Maps a state to a structure; by default a state is its own.

    Raises:
        ValueError: The formula has an unbound variable.
    """
    formula = _group(normalise(formula))
    acted = frozenset(name for action in trace.actions for name in action.args)
    table = _Table(steps(trace, actions=actions, view=view), actions, acted)
    return bool(_find_ends(formula, 0, {}, table) >> len(table.steps) & 1)


def _group(formula: Formula) -> Formula:
    """Join the parts of each conjunction that have no ``then`` into one."""
    if not isinstance(formula, And):
        return with_parts(formula, _group)
    still = tuple(part for part in formula.parts if not has_then(part))
    moving = [_group(part) for part in formula.parts if has_then(part)]
    return And((And(still), *moving)) if still and moving else And((*still, *moving))


@dataclass(slots=True)
class _Table:
    """The dynamic-programming table of one evaluation.

    Segments are ``steps[low:high]``. A row, for one formula, binding and ``low``, is an integer
    whose bit ``high`` says whether that segment satisfies the formula. ``acted`` are the objects
    that occur in actions.
    """

    steps: list[Step]
    actions: Collection[str]
    acted: frozenset[str]
    rows: dict[tuple[object, ...], int] = field(default_factory=dict)
    truths: dict[tuple[object, ...], bool] = field(default_factory=dict)
    shapes: dict[int, tuple[bool, tuple[str, ...], Formula]] = field(default_factory=dict)

    def shape(self, formula: Formula) -> tuple[bool, tuple[str, ...]]:
        """Return whether a formula's row is computed from the rows of its parts, and the formula's
        free variables."""
        # The entry keeps the formula alive, so that no other gets its id.
        entry = self.shapes.get(id(formula))
        if entry is None:
            by_parts = has_then(formula) or self._is_search(formula)
            entry = (by_parts, tuple(sorted(free_variables(formula))), formula)
            self.shapes[id(formula)] = entry
        return entry[0], entry[1]

    def _is_search(self, formula: Formula) -> bool:
        # "Some object in some step" equals "in some step some object". Trying only the objects
        # acted on is faster where the step's tables offer no candidates.
        match formula:
            case Exists(variable, Or() | Exists() as body):
                return needs_action(body, variable, self.actions)
        return False

    def all_from(self, low: int) -> int:
        """Return the row that is true for every ``high >= low``."""
        return (1 << len(self.steps) + 1) - (1 << low)


def _find_ends(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """Return the row of ``formula`` for segments that start at ``low``."""
    by_parts, free = table.shape(formula)
    key = (id(formula), low, *[binding.get(v) for v in free])
    row = table.rows.get(key)
    if row is None:
        compute = _compute if by_parts else _first_true
        row = table.rows[key] = compute(formula, low, binding, table)
    return row


def _first_true(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """Return the row of a formula without ``then``: true from a step that satisfies it."""
    values = (id(formula), *[binding.get(v) for v in table.shape(formula)[1]])
    for k in range(low, len(table.steps)):
        truth = table.truths.get((k, *values))
        if truth is None:
            truth = evaluate_state(formula, table.steps[k], binding)
            table.truths[(k, *values)] = truth
        if truth:
            return table.all_from(k + 1)
    return 0


def _compute(formula: Formula, low: int, binding: Mapping[str, str], table: _Table) -> int:
    """Return the row of a formula from the rows of its parts."""
    everything = table.all_from(low)
    match formula:
        case Then(parts):
            reached = 1 << low  # where the next piece may start
            for part in parts:
                starts, reached = reached, 0
                for start in range(starts.bit_length()):
                    if starts >> start & 1:
                        reached |= _find_ends(part, start, binding, table)
            return reached
        case And(parts):
            row = everything
            for part in parts:
                row &= _find_ends(part, low, binding, table)
            return row
        case Or(parts):
            row = 0
            for part in parts:
                row |= _find_ends(part, low, binding, table)
            return row
        case Not(body):
            return everything & ~_find_ends(body, low, binding, table)
        case Implies(left, right):
            unless = everything & ~_find_ends(left, low, binding, table)
            return unless | _find_ends(right, low, binding, table)
        case Exists(variable, body):
            row = 0
            for name in _candidates(variable, body, table):
                row |= _find_ends(body, low, {**binding, variable: name}, table)
            return row
        case Forall(variable, body):
            row = everything
            for name in table.steps[0].names:
                row &= _find_ends(body, low, {**binding, variable: name}, table)
            return row
        case Exactly(count, variable, body):
            exactly = [everything] + [0] * count  # exactly[c]: c of the objects so far
            for name in _candidates(variable, body, table):
                row = _find_ends(body, low, {**binding, variable: name}, table)
                for c in range(count, 0, -1):
                    exactly[c] = exactly[c] & ~row | exactly[c - 1] & row
                exactly[0] &= ~row
            return exactly[count]
    raise ValueError(f"not made of rows: {type(formula).__name__}")


def _candidates(variable: str, body: Formula, table: _Table) -> Iterable[str]:
    """Return the objects that can make ``body`` true as ``variable``: all objects, or the objects
    in actions."""
    names = table.steps[0].names
    if not needs_action(body, variable, table.actions):
        return names
    return [name for name in names if name in table.acted]


def needs_action(formula: Formula, variable: str, actions: Collection[str]) -> bool:
    """Return whether ``formula`` can only be true if an action on ``variable`` was done."""
    match formula:
        case Atom(predicate, args):
            return predicate in actions and variable in args
        case And(parts) | Then(parts):
            return any(needs_action(part, variable, actions) for part in parts)
        case Or(parts):
            return all(needs_action(part, variable, actions) for part in parts)
        case Exists(inner, body):
            return inner != variable and needs_action(body, variable, actions)
        case _:
            return False
