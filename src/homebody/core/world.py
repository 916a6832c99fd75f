"""Worlds and traces: what happens when actions are carried out.

World : State x Action -> Outcome
Trace = s0 a1 s1 ... an sn
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from homebody.core.action import Action, ActionSchema, Diagnosis, ErrorType, Failure, Past
from homebody.core.formula import Binding, Formula, Structure, substitute
from homebody.core.state import State


class History(list[State]):
    """The states of one run in one world, oldest first, for whoever tries many actions in turn:
    what a step asks of earlier states is remembered here, and asked of new ones only."""

    def __init__(self) -> None:
        super().__init__()
        self.cache: dict[tuple[object, ...], tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of trying one action: the state after it, and the failure, if it failed."""

    state: State
    failure: Failure | None = None


class World(Protocol):
    """A transition model. Stateless: the state goes in and comes out."""

    @property
    def agent(self) -> str:
        """Name of the acting object."""
        ...

    @property
    def schemas(self) -> Mapping[str, ActionSchema]:
        """Action name -> schema."""
        ...

    def view(self, state: State) -> Structure:
        """The state with the world's derived predicates, to evaluate formulas against."""
        ...

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action.

        Args:
            state: The state now.
            action: A known action with existing objects and the right number of them.
            history: The states before ``state``, oldest first; tells a missing step from a
                wrong order. A :class:`History` makes that cheap in long runs.

        Raises:
            ValueError: the action is not known, or has a wrong number of objects.
        """
        ...


class SymbolicWorld(World, Protocol):
    """A world that does what its schemas say: what :func:`attempt` has to be told of it."""

    def conditions(self, state: State) -> Structure:
        """The state as the conditions of actions read it."""
        ...

    def diagnose(
        self, schema: ActionSchema, binding: Binding, now: Structure, past: Iterable[Structure]
    ) -> Diagnosis | None:
        """Why an action cannot be executed; :func:`homebody.core.action.diagnose` if nothing is
        peculiar."""
        ...

    def explain(
        self, action: Action, error: ErrorType, unmet: tuple[Formula, ...], now: Structure
    ) -> str:
        """A sentence on that, of the ground formulas at fault."""
        ...

    def after(self, state: State, schema: ActionSchema, binding: Binding, now: Structure) -> State:
        """The state after an action that can be executed."""
        ...


def bind(world: World, state: State, action: Action) -> tuple[ActionSchema, Binding]:
    """The schema of an action, and what its parameters stand for.

    Raises:
        ValueError: the action or an object is not known, or their number is wrong.
    """
    schema = world.schemas.get(action.name)
    if schema is None:
        raise ValueError(f"unknown action {action.name!r}")
    binding = schema.bind(world.agent, action)
    for name in action.args:
        if name not in state.objects:
            raise ValueError(f"unknown object {name!r}")
    return schema, binding


def attempt(
    world: SymbolicWorld, state: State, action: Action, history: Sequence[State] = ()
) -> Outcome:
    """Try one action, as its schema says; see :meth:`World.step`."""
    schema, binding = bind(world, state, action)
    now = world.conditions(state)
    past = Past(history, world.conditions, history.cache if isinstance(history, History) else None)
    diagnosis = world.diagnose(schema, binding, now, past)
    if diagnosis is None:
        return Outcome(world.after(state, schema, binding, now))
    error, formulas = diagnosis
    unmet = tuple(substitute(formula, binding) for formula in formulas)
    return Outcome(state, Failure(action, error, unmet, world.explain(action, error, unmet, now)))


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened: ``states[0]``, then ``actions[i]`` led to ``states[i + 1]``.

    Attributes:
        states: Length ``len(actions) + 1``.
        actions: The actions that were carried out.
        indices: For each carried-out action, its position in the plan.
        skipped: Additional steps: they change nothing, and the plan goes on after them.
        failure: What stopped the plan, or ``None`` if it ran to its end.
        failed_at: Position in the plan of the action that stopped it.
        labels: For each carried-out action, what explanations call it; empty if by its step.
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...] = ()
    indices: tuple[int, ...] = ()
    skipped: tuple[tuple[int, Failure], ...] = ()
    failure: Failure | None = None
    failed_at: int | None = None
    labels: tuple[str, ...] = ()

    @property
    def initial(self) -> State:
        """The state before the first action."""
        return self.states[0]

    @property
    def final(self) -> State:
        """The state after the last action."""
        return self.states[-1]


def execute(
    world: World, initial: State, plan: Iterable[Action], most_changes: int = sys.maxsize
) -> Trace:
    """Carry out a plan until it ends or an action fails.

    An additional step does not stop the plan (EAI paper, table 6: executable plans and plans
    stopped by the other errors add up to 100 % without it). What stops it, too, is to have put in
    or taken out more facts than ``most_changes``: thousands of steps with a hundred things in hand
    are no plan, and take minutes.
    """
    before, now = History(), initial
    actions: list[Action] = []
    indices: list[int] = []
    skipped: list[tuple[int, Failure]] = []
    failure: Failure | None = None
    changes = 0
    for index, action in enumerate(plan):
        if changes > most_changes:
            message = f"Not carried out: the plan has changed more than {most_changes:,} facts."
            failure = Failure(action, ErrorType.EXECUTION_FAILURE, (), message)
            break
        outcome = world.step(now, action, before)
        if outcome.failure is None:
            before.append(now)
            if outcome.state is not now:
                changes += sum(map(len, outcome.state.change_from))
            now = outcome.state
            actions.append(action)
            indices.append(index)
        elif outcome.failure.error is ErrorType.ADDITIONAL_STEP:
            skipped.append((index, outcome.failure))
        else:
            failure = outcome.failure
            break
    states = (*before, now)
    failed_at = None if failure is None else index
    return Trace(states, tuple(actions), tuple(indices), tuple(skipped), failure, failed_at)
