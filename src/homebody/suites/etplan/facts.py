"""What can be asked of a task that is played, whatever world it is in."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from dataclasses import dataclass

from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.tasks import EtplanTask

Point3: typing.TypeAlias = tuple[float, float, float]
"""x, y and height in metres."""


class Facts(typing.Protocol):
    """How a world is now, in the terms of criteria."""

    @property
    def classes(self) -> frozenset[str]:
        """Those of all that is there."""
        ...

    def instances(self, category: str) -> Sequence[str]:
        """What a class can stand for: rooms of a kind, furniture or things of a category, and the
        robot by its name in the world."""
        ...

    def category(self, name: str) -> str:
        """The class of a room, piece or thing; the name itself of anything else."""
        ...

    def room(self, name: str) -> str:
        """The room that something is in; of a room itself."""
        ...

    def position(self, name: str) -> Point3:
        """Where the middle of something is; of a room on the floor."""
        ...

    def robot_position(self) -> Point3:
        """Where the robot is."""
        ...

    def around(self, name: str) -> Sequence[str]:
        """What is around a thing, from where somebody who knows where it is goes to see it: what
        bears it, outwards, then furniture of its room. Nothing is, if there is no such thing."""
        ...

    def holds(self, relation: str, first: str, second: str) -> bool:
        """Whether a relation of criteria holds between two things, rooms or the robot."""
        ...

    def is_portable(self, category: str) -> bool:
        """Whether a class is of things that can be taken, and so be shut in somewhere: no room, no
        furniture."""
        ...

    def can_bear(self, name: str, relation: str) -> bool:
        """Whether anything can be put ``on`` or ``within`` a thing."""
        ...


@dataclass(frozen=True, slots=True)
class TaskContext:
    """What policies that know the goal may ask of a task that is played.

    Attributes:
        row: Of which the task is played.
        task: What is to be done.
        knowledge: What the robot knows at first; one of :data:`.session.KNOWLEDGE`.
        facts: How everything is now.
    """

    row: Row
    task: EtplanTask
    knowledge: str
    facts: Facts
