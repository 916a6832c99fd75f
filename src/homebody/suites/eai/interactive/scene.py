"""What a session needs of a task and its world: made once, shared by all sessions of the task.

A scene holds nothing that changes but what it remembers of work done; whatever it is asked, it is
asked of a state.
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
class Standing:
    """How far a goal is met at a step.

    Attributes:
        progress: In [0, 1].
        step: How many actions had been carried out.
        truths: Which facts held that the goal depends on, as bits; where a scene keeps them.
    """

    progress: float
    step: int
    truths: int = 0


class Scene(typing.Protocol):
    """A task to be played, and its world: a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def annotated(self) -> AnnotatedTask:
        """The task with its annotations."""
        ...

    @property
    def world(self) -> SymbolicWorld:
        """The transition model, with the quirks of a protocol."""
        ...

    @property
    def eai(self) -> EaiWorld[Any]:
        """What the world is to the other abilities: how traces are judged and plans written."""
        ...

    @property
    def instruction(self) -> str:
        """What is to be done and, condition by condition, what has to be so in the end."""
        ...

    @property
    def told(self) -> frozenset[str]:
        """The objects that the task is about, with what they are in and on: what an agent is told
        of that knows everything."""
        ...

    @property
    def goal_objects(self) -> frozenset[str]:
        """The objects that the instruction names."""
        ...

    @property
    def rooms(self) -> tuple[str, ...]:
        """Where one can be; known to everybody."""
        ...

    @property
    def arguments(self) -> Mapping[str, tuple[str, tuple[str, ...]]]:
        """Action -> what it does, and what its objects are called."""
        ...

    def __hash__(self) -> int:
        """Of this very scene: what is remembered of it is looked up by it."""
        ...

    # -- what is seen -----------------------------------------------------------------------------

    def room(self, state: State, name: str) -> str | None:
        """The room that a thing, or the agent, is in."""
        ...

    def seen(self, state: State, room: str | None, names: Iterable[str]) -> frozenset[str]:
        """The things of these that an agent in a room sees: they are there too and not inside
        something closed, or the agent has them with it. Rooms are seen from everywhere."""
        ...

    def moved(self, state: State, facts: Iterable[Fact]) -> set[str]:
        """What may be seen, or not, because these facts have changed; ``state`` is the one
        after."""
        ...

    def search(self, state: State, name: str) -> Action | None:
        """What to do next to see a thing; None if it is seen, or nothing helps."""
        ...

    # -- words ------------------------------------------------------------------------------------

    def is_there(self, state: State, name: str) -> bool:
        """Whether a thing is anywhere: halves are not before something is cut, nor it after."""
        ...

    def is_part_of_house(self, name: str) -> bool:
        """Whether a thing is a wall or the like, which is not worth mentioning."""
        ...

    def place(self, state: State, name: str) -> tuple[str, str] | None:
        """``("on", "table.1")``: what a thing is on or in, rooms apart."""
        ...

    def adjectives(self, state: State, name: str) -> Sequence[str]:
        """The states of a thing in words, and its relations to others but to where it is."""
        ...

    def agent_lines(self, view: Structure, names: Sequence[str]) -> Sequence[str]:
        """How it is with the agent: where it is, what is near, what it holds."""
        ...

    def change(self, before: State, after: State, action: Action) -> Sequence[str]:
        """What an action has brought about, in words."""
        ...

    # -- the goal ---------------------------------------------------------------------------------

    def standing(
        self, last: Standing | None, states: Sequence[State], actions: Sequence[Action]
    ) -> Standing:
        """How far the goal is met after some actions; what it looks at is what changed since
        ``last``."""
        ...


def under(protocol: Protocol, scene: Scene) -> Scene:
    """The same task in the world of a protocol; itself if that is its own."""
    task, world = scene.annotated, scene.eai
    if world.is_loaded_for(task, protocol):
        return scene
    return replace(scene, annotated=world.load_task(task.id, protocol))


def tools(scene: Scene) -> tuple[Tool, ...]:
    """One tool for each action of the world, ``Done`` last."""
    given = scene.arguments
    made = [Tool.of(name, given[name][0], *given[name][1]) for name in scene.world.schemas]
    return (*made, Tool.of("Done", "say that you are finished"))
