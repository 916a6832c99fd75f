"""The interface between a session and its task and world; all sessions of a task share a scene.

A scene stores only caches. Every query gets a state as an argument.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from homebody.core import Action, Fact, Protocol, State, Tool
from homebody.core.formula import Structure
from homebody.core.world import SymbolicWorld
from homebody.suites.eai.plan_results import AnnotatedTask
from homebody.suites.eai.world import EaiWorld


@dataclass(frozen=True, slots=True)
class GoalProgress:
    """The progress toward a goal at a step.

    Attributes:
        progress: In [0, 1].
        step: Number of actions executed.
        truths: Truth of the facts that the goal depends on, as bits, if a scene stores them.
    """

    progress: float
    step: int
    truths: int = 0


class Scene(typing.Protocol):
    """A playable task and its world: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def annotated_task(self) -> AnnotatedTask:
        """The task with its annotations."""
        ...

    @property
    def world(self) -> SymbolicWorld:
        """The transition model, with the quirks of a protocol."""
        ...

    @property
    def eai(self) -> EaiWorld[Any]:
        """The world as the other abilities see it: judges traces and writes plans."""
        ...

    @property
    def instruction(self) -> str:
        """The task in words, and the goal, condition by condition."""
        ...

    @property
    def task_objects(self) -> frozenset[str]:
        """The objects that an agent with full observability knows, including supports and
        containers."""
        ...

    @property
    def goal_objects(self) -> frozenset[str]:
        """The objects that the instruction names."""
        ...

    @property
    def rooms(self) -> tuple[str, ...]:
        """The rooms, which every agent knows."""
        ...

    @property
    def arguments(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Action -> its description, and names for its objects."""
        ...

    def __hash__(self) -> int:
        """Return a hash of the scene's identity, for caches."""
        ...

    # -- visibility -------------------------------------------------------------------------------

    def room(self, state: State, name: str) -> str | None:
        """Return the room of an object or of the agent."""
        ...

    def visible_objects(
        self, state: State, room: str | None, names: Iterable[str]
    ) -> frozenset[str]:
        """Return which of these objects an agent in a room sees.

        They are in the room and not inside something closed, or the agent carries them. Rooms are
        visible from everywhere.
        """
        ...

    def moved_objects(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """Return the objects whose visibility may depend on the changed facts; ``state`` is the new
        state."""
        ...

    def search(self, state: State, name: str) -> Action | None:
        """Return the next action to see an object; None if it is visible already, or if no action
        helps."""
        ...

    # -- words ------------------------------------------------------------------------------------

    def is_there(self, state: State, name: str) -> bool:
        """Return whether an object exists now. Halves exist after cutting, the whole before."""
        ...

    def is_part_of_house(self, name: str) -> bool:
        """Return whether an object is a wall or the like, which is not worth mentioning."""
        ...

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """Return the support or container of an object, such as ``("on", "table.1")``. Rooms do not
        count."""
        ...

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """Describe the states of an object, and its relations to other objects. Its place is
        omitted."""
        ...

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """Describe the agent: its location, near objects and held objects."""
        ...

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """Describe the effects of an action in words."""
        ...

    # -- the goal ---------------------------------------------------------------------------------

    def goal_progress(
        self, last: GoalProgress | None, states: Sequence[State], actions: Sequence[Action]
    ) -> GoalProgress:
        """Return the progress after some actions, given the changes since ``last``."""
        ...


def scene_for_protocol(protocol: Protocol, scene: Scene) -> Scene:
    """Return the task in the world of a protocol. If it has this world already, return it
    unchanged."""
    task, world = scene.annotated_task, scene.eai
    if world.is_loaded_for(task, protocol):
        return scene
    return replace(scene, annotated_task=world.load_task(task.id, protocol))


def make_tools(scene: Scene) -> tuple[Tool, ...]:
    """Make one tool for each action of the world, with ``Done`` last."""
    given = scene.arguments
    made = [Tool.of(name, given[name][0], *given[name][1]) for name in scene.world.schemas]
    return (*made, Tool.of("Done", "say that you are finished"))
