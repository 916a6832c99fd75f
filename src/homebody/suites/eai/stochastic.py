"""Worlds in which actions fail by chance (EAI paper, appendix H.4).

An action that can be executed has no effect with a given probability. This is an execution failure
and, like any failure except an additional step, it ends the plan. (In the paper's experiment, 5 %
per step cost 40 % of the plans.) Actions that cannot be executed fail for their usual reason.
Additional steps do not fail. Plans are not resumed: each attempt starts from the initial state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from homebody.core import Action, ActionSchema, ErrorType, Failure, Outcome, State, World
from homebody.core.formula import Structure
from homebody.suites.eai.plan_results import AnnotatedTask

T = TypeVar("T", bound=AnnotatedTask)

_STREAM = 0x57A7
"""Keeps these random numbers independent of the random numbers of agents with the same seed."""


@dataclass(frozen=True)
class Stochastic:
    """A world whose actions have no effect with probability ``chance``.

    Like any world it has no state: the sample for a step depends only on ``seed`` and on the number
    of steps before it.

    Attributes:
        world: The world that defines the actions and their effects.
        chance: Probability of failure, in [0, 1].
        seed: Non-negative integers that identify this execution.
    """

    world: World
    chance: float
    seed: tuple[int, ...]

    @property
    def agent(self) -> str:
        """Name of the acting object."""
        return self.world.agent

    @property
    def schemas(self) -> Mapping[str, ActionSchema]:
        """Action name -> schema of the action when it does not fail."""
        return self.world.schemas

    def view(self, state: State) -> Structure:
        """Return the view in which goals are judged, as in the underlying world."""
        return self.world.view(state)

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action; see :meth:`homebody.core.world.World.step`."""
        outcome = self.world.step(state, action, history)
        if outcome.failure is not None or not self._has_no_effect(len(history)):
            return outcome
        message = "The action had no effect."
        return Outcome(state, Failure(action, ErrorType.EXECUTION_FAILURE, (), message))

    def _has_no_effect(self, step: int) -> bool:
        import numpy as np  # takes longer than all of a suite

        entropy = np.random.SeedSequence([_STREAM, *self.seed, step + 1])
        return bool(np.random.default_rng(entropy).random() < self.chance)


def quirks_of(world: World) -> frozenset[str]:
    """Return the quirks that an EAI world keeps, also if its actions fail by chance."""
    kept: frozenset[str]
    kept = getattr(world.world if isinstance(world, Stochastic) else world, "quirks", frozenset())
    return kept


def make_unreliable(task: T, chance: float, seed: int, epoch: int, attempt: int = 0) -> T:
    """Put a task into a world where actions fail with probability ``chance``; unchanged if it is 0.

    Args:
        task: Any task.
        chance: In [0, 1].
        seed: Seed of the run.
        epoch: From 1.
        attempt: The number of the attempt, from 0. Each attempt starts from the beginning, with its
            own random numbers.
    """
    if not chance:
        return task
    own = (seed, epoch, attempt, *task.id.encode())
    return replace(task, task=replace(task.task, world=Stochastic(task.task.world, chance, own)))
