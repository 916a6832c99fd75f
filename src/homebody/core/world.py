"""Worlds and traces: what happens when actions are carried out.

World : State x Action -> Outcome
Trace = s0 a1 s1 ... an sn
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from homebody.core.action import Action, ActionSchema, ErrorType, Failure
from homebody.core.formula import Structure
from homebody.core.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of trying one action: the state after it, and the failure if it had none."""

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
                wrong order.

        Raises:
            ValueError: the action is not known, or has a wrong number of objects.
        """
        ...


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
    """

    states: tuple[State, ...]
    actions: tuple[Action, ...] = ()
    indices: tuple[int, ...] = ()
    skipped: tuple[tuple[int, Failure], ...] = ()
    failure: Failure | None = None
    failed_at: int | None = None

    @property
    def initial(self) -> State:
        return self.states[0]

    @property
    def final(self) -> State:
        return self.states[-1]


def execute(world: World, initial: State, plan: Iterable[Action]) -> Trace:
    """Carry out a plan until it ends or an action fails.

    An additional step does not stop the plan (EAI paper, table 6: executable plans and plans
    stopped by the other errors add up to 100 % without it).
    """
    states = [initial]
    actions: list[Action] = []
    indices: list[int] = []
    skipped: list[tuple[int, Failure]] = []
    for index, action in enumerate(plan):
        outcome = world.step(states[-1], action, states[:-1])
        if outcome.failure is None:
            states.append(outcome.state)
            actions.append(action)
            indices.append(index)
        elif outcome.failure.error is ErrorType.ADDITIONAL_STEP:
            skipped.append((index, outcome.failure))
        else:
            return Trace(
                tuple(states),
                tuple(actions),
                tuple(indices),
                tuple(skipped),
                outcome.failure,
                index,
            )
    return Trace(tuple(states), tuple(actions), tuple(indices), tuple(skipped))
