"""Worlds in which actions fail by chance (EAI paper, appendix H.4).

An action that can be carried out has no effect with some probability. That is an execution
failure, and like any failure but an additional step it ends the plan there: the plan was not
executable this time. (So it is in the paper's experiment, where 5 % a step cost 40 % of the
plans.) Actions that cannot be carried out anyway fail for their own reason, and a step that is
not needed changes nothing and cannot fail. Plans are not resumed: each attempt is a plan from
the initial state.
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
"""Keeps these draws apart from those of agents with the same seed."""


@dataclass(frozen=True)
class Stochastic:
    """A world whose actions have no effect with probability ``chance``.

    Stateless like any world: the draw of a step depends on ``seed`` and on how many steps went
    before, and on nothing else.

    Attributes:
        world: Says what can be done and what it does.
        chance: In [0, 1].
        seed: Non-negative integers that name this one execution.
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
        """Action name -> schema: what actions do when they do not fail."""
        return self.world.schemas

    def view(self, state: State) -> Structure:
        """What goals are judged by, as in the world itself."""
        return self.world.view(state)

    def step(self, state: State, action: Action, history: Sequence[State] = ()) -> Outcome:
        """Try one action; see :meth:`homebody.core.world.World.step`."""
        outcome = self.world.step(state, action, history)
        if outcome.failure is not None or not self._fails(len(history)):
            return outcome
        message = "The action had no effect."
        return Outcome(state, Failure(action, ErrorType.EXECUTION_FAILURE, (), message))

    def _fails(self, step: int) -> bool:
        import numpy as np  # takes longer than all of a suite

        entropy = np.random.SeedSequence([_STREAM, *self.seed, step + 1])
        return bool(np.random.default_rng(entropy).random() < self.chance)


def quirks_of(world: World) -> frozenset[str]:
    """The quirks that a world of EAI keeps, also where its actions fail by chance."""
    kept: frozenset[str]
    kept = getattr(world.world if isinstance(world, Stochastic) else world, "quirks", frozenset())
    return kept


def unreliable(task: T, chance: float, seed: int, epoch: int, attempt: int = 0) -> T:
    """A task in a world where actions fail with probability ``chance``; the task itself if 0.

    Args:
        task: Any task.
        chance: In [0, 1].
        seed: The run's.
        epoch: From 1.
        attempt: From 0; each attempt starts over, with chances of its own.
    """
    if not chance:
        return task
    own = (seed, epoch, attempt, *task.id.encode())
    return replace(task, task=replace(task.task, world=Stochastic(task.task.world, chance, own)))
