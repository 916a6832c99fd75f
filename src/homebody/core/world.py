"""Worlds and traces: the execution of actions.

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
    """The states of one run in one world, oldest first.

    It caches queries to earlier states, so that a run of many steps evaluates each only once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cache: dict[tuple[object, ...], tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one action: the state after it, and the failure, if it failed."""

    state: State
    failure: Failure | None = None


class World(Protocol):
    """A transition model. It stores no state: its methods take a state and return the next
    state."""

    @property
    def agent(self) -> str:
        """The name of the acting object."""
        ...

    @property
    def schemas(self) -> Mapping[str, ActionSchema]:
        """Name of an action -> its schema."""
        ...

    def view(self, state: State) -> Structure:
        """Return the state with the world's derived predicates, as a structure in which formulas
        are evaluated."""
        ...

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action.

        Args:
            state: The current state.
            action: A known action with the right number of existing objects.
            history: The states before ``state``, oldest first. They distinguish a missing step from
                a wrong order. In long runs, use a :class:`History`, which caches queries.

        Raises:
            ValueError: the action is unknown or has a wrong number of objects.
        """
        ...


class SymbolicWorld(World, Protocol):
    """A world that executes schemas: the operations that :func:`attempt` needs."""

    def conditions(self, state: State) -> Structure:
        """Return the state as the conditions of actions see it."""
        ...

    def diagnose(
        self, schema: ActionSchema, binding: Binding, now: Structure, past: Iterable[Structure]
    ) -> Diagnosis | None:
        """Return why an action cannot be executed, None if it can; usually
        :func:`homebody.core.action.diagnose`."""
        ...

    def explain(
        self, action: Action, error: ErrorType, unmet: tuple[Formula, ...], now: Structure
    ) -> str:
        """Return a sentence on that diagnosis, given the ground formulas at fault."""
        ...

    def after(self, state: State, schema: ActionSchema, binding: Binding, now: Structure) -> State:
        """Return the state after an action that can be executed."""
        ...


def bind(world: World, state: State, action: Action) -> tuple[ActionSchema, Binding]:
    """Return the schema of an action and the binding of its parameters.

    Raises:
        ValueError: the action or an object is unknown, or the number of objects is wrong.
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
    """Try one action according to its schema; see :meth:`World.step`."""
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
    """The execution of a plan: ``actions[i]`` leads from ``states[i]`` to ``states[i + 1]``.

    Attributes:
        states: Length ``len(actions) + 1``.
        actions: The actions that were carried out.
        indices: For each carried-out action, its position in the plan.
        skipped: Position and failure of additional steps, which change nothing and do not stop the
            plan.
        failure: The failure that stopped the plan; None if it ran to its end.
        failed_at: Position in the plan of the action that stopped it.
        labels: For each carried-out action, its name in explanations; empty to use its step.
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
    stopped by the other errors add up to 100 % without it). A plan that changes more than
    ``most_changes`` facts is stopped, because degenerate plans would take minutes.
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
