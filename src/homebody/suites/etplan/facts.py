"""The facts about a session that goals and policies query, in any world."""

from __future__ import annotations

import typing
from collections.abc import Collection, Iterable, Sequence
from typing import Final

Point3: typing.TypeAlias = tuple[float, float, float]
"""x, y and height in metres."""
SMALL: Final = 0.15
"""Square metres of floor below which furniture is no landmark."""
LOW: Final = 0.3
"""Height in metres above which furniture stands on something or hangs. Furniture that is lower
than this, such as a rug, is no landmark."""


class Facts(typing.Protocol):
    """The current state of a world, in the vocabulary of criteria."""

    @property
    def classes(self) -> frozenset[str]:
        """The classes of all rooms, furniture and objects."""
        ...

    def instances(self, category: str) -> Sequence[str]:
        """Return the rooms, furniture or objects of a class; for the robot, its name."""
        ...

    def category(self, name: str) -> str:
        """Return the class of a room, piece or object. For any other name, return the name."""
        ...

    def room(self, name: str) -> str:
        """Return the room of an object, piece or robot. A room is its own room."""
        ...

    def position(self, name: str) -> Point3:
        """Return the centre of an object or piece. The centre of a room is on its floor."""
        ...

    def robot_position(self) -> Point3:
        """Return the robot's position."""
        ...

    def around(self, name: str) -> Sequence[str]:
        """Return the surroundings of an object: its bearers from the inside out, then the furniture
        of its room.

        An agent that knows its place goes there to see it. Empty for unknown names."""
        ...

    def is_closed(self, name: str) -> bool:
        """Return whether something can be opened and is closed."""
        ...

    def shut_around(self, name: str) -> Sequence[str]:
        """Return the closed containers around an object, from the inside out."""
        ...

    def holds(self, relation: str, first: str, second: str) -> bool:
        """Return whether a relation of criteria holds between two objects, rooms or the robot."""
        ...

    def stated_relations(
        self, name: str, known: Collection[str] | None = None
    ) -> Iterable[tuple[str, str]]:
        """Return the relations of an object that observations state, each with the other object.

        They are exactly those that :meth:`holds` judges: ``ON`` or ``INSIDE`` its holder,
        ``INSIDE`` its room, ``CLOSE`` to landmarks, and ``FACING`` something. ``known`` restricts
        landmarks and faced objects; None means all."""
        ...

    def is_landmark(self, name: str) -> bool:
        """Return whether other objects can be ``CLOSE`` to an object: it is furniture that is not
        small."""
        ...

    def is_portable(self, category: str) -> bool:
        """Return whether objects of a class can be taken. Such objects can be in containers."""
        ...

    def can_bear(self, name: str, relation: str) -> bool:
        """Return whether anything can be put ``on`` or ``within`` an object."""
        ...
