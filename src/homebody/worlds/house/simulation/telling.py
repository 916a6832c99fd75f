"""What agents are told of what was done: results, doors opened on the way, and who saw that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import Changes, SkillContext, Switch
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.relations import room_of

FOUND_NAMED: Final = 40
"""How many new things are named at most to one who has looked around."""
_FOUND: Final = ("object", "furniture")


def key_used(context: SkillContext, changes: Changes) -> str:
    """The key with which something is unlocked by changes; empty if nothing is."""
    house = context.state.house
    for change in changes:
        if isinstance(change, Switch) and change.state == "locked" and not change.value:
            lock = house.piece.get(change.name) or house.door.get(change.name)
            return lock.key if lock is not None else ""
    return ""


def with_doors(message: str, opened: Sequence[tuple[str, str]]) -> str:
    """A message and what was opened on the way.

    Args:
        opened: Doors, each with the key that unlocked it, if it was locked.
    """
    unlocked = [
        f"you unlocked {door} with {key} and opened it on the way" for door, key in opened if key
    ]
    *most, last = [door for door, key in opened if not key] or [""]
    doors = f"{', '.join(most)} and {last}" if most else last
    return "; ".join((message, *unlocked, *([f"you opened {doors} on the way"] if last else ())))


def with_found(message: str, graph: WorldGraph, known: int) -> str:
    """A message and what an agent has found; of one who knows everything the message alone.

    Args:
        known: How many nodes its graph had before.
    """
    if not graph.partial:
        return message
    found = [node.name for node in islice(graph.nodes.values(), known, None) if node.kind in _FOUND]
    more = len(found) - FOUND_NAMED
    named = [*found[:FOUND_NAMED], f"{more} more"] if more > 0 else found
    if not named:
        return f"{message} and found nothing new"
    *most, last = named
    return (
        f"{message} and found {', '.join(most)} and {last}"
        if most
        else f"{message} and found {last}"
    )


def who_sees(state: HouseState, graphs: Mapping[str, WorldGraph], door: str) -> frozenset[str]:
    """Who sees a door being opened: those in the rooms that it joins, and those who know
    everything.

    Args:
        graphs: What agents know.
    """
    rooms = state.house.door[door].rooms
    return frozenset(
        agent
        for agent, graph in graphs.items()
        if not graph.partial or room_of(state, agent) in rooms
    )
