"""Tasks of a symbolic world.

Task = World + instruction + Goal
"""

from __future__ import annotations

from dataclasses import dataclass

from homebody.core.action import Action
from homebody.core.goal import Goal
from homebody.core.state import State
from homebody.core.world import World


@dataclass(frozen=True, slots=True)
class Task:
    """A task in one world.

    Attributes:
        id: Unique in its suite.
        name: Short name, shared by similar tasks ("Wash clothes").
        instruction: The task in a person's words.
        world: The transition model.
        initial: The initial state.
        goal: The goal that judges the trace.
        reference: The annotated plan; may be empty.
    """

    id: str
    name: str
    instruction: str
    world: World
    initial: State
    goal: Goal
    reference: tuple[Action, ...] = ()
