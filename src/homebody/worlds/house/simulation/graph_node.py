"""What an agent knows of one thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import Vector


@never_changes
@dataclass(frozen=True, slots=True)
class Node:
    """Something in the graph.

    Attributes:
        name: As actions name it.
        kind: ``room``, ``furniture``, ``door``, ``object``, ``agent`` or ``person``.
        category: ``kitchen``, ``table``, ``cup``; of people their posture.
        position: Of the middle of its bottom; of rooms the middle of their floor.
        room: Name of the room that it is in, or an empty string if that is not known; of a door
            the one that it swings into.
        holder: What bears an object: furniture, another object, a floor or an agent; empty if
            that is not known any more.
        relation: ``on``, ``within``, ``held`` or an empty string.
        activity: Of people: what they do, words that follow "is".
        states: ``open``, ``clean`` ...: those that it has.
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
