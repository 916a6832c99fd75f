"""The knowledge of one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import Vector


@never_changes
@dataclass(frozen=True, slots=True)
class Node:
    """A node of the world graph.

    Attributes:
        name: Its name in actions.
        kind: ``room``, ``furniture``, ``door``, ``object``, ``agent`` or ``person``.
        category: ``kitchen``, ``table``, ``cup``; for people their posture.
        position: The middle of its bottom; for rooms the middle of their floor.
        room: Its room, or an empty string if it is unknown. For a door, the room into which it
            swings.
        holder: The bearer of an object: furniture, another object, a floor or an agent; empty if it
            is no longer known.
        relation: ``on``, ``within``, ``held`` or an empty string.
        activity: For people, words that follow "is".
        states: State -> value, such as ``open`` and ``clean``.
    """

    name: str
    kind: str
    category: str
    position: Vector
    room: str = ""
    holder: str = ""
    relation: str = ""
    states: Mapping[str, bool] = field(default_factory=dict)
    activity: str = ""
