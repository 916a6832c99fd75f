"""Tasks: what is to be done in one world.

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
    """One thing to do in one world.

    Attributes:
        id: Unique in its suite.
        name: Short name, shared by tasks of a kind ("Wash clothes").
        instruction: What a person would say.
        world: The transition model.
        initial: The state to start from.
        goal: Judges the trace.
        reference: The annotated plan, if there is one.
    """

    id: str
    name: str
    instruction: str
    world: World
    initial: State
    goal: Goal
    reference: tuple[Action, ...] = ()
