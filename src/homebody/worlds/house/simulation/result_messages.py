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


def with_discoveries(message: str, graph: WorldGraph, known: int, room: str) -> str:
    """A message and what an agent has found in a room, and seen on the way there; of one who knows
    everything the message alone.

    Args:
        known: How many nodes its graph had before.
    """
    if not graph.partial:
        return message
    found = [node for node in islice(graph.nodes.values(), known, None) if node.kind in _FOUND]
    here = _list_names([node.name for node in found if node.room == room])
    others = _list_names([node.name for node in found if node.room != room])
    on_the_way = f"; on the way you saw {others}" if others else ""
    return f"{message} and found {here or 'nothing new'}{on_the_way}"


def _list_names(names: Sequence[str]) -> str:
    """Names as a list in words, not all of very many; empty if there are none."""
    more = len(names) - FOUND_NAMED
    *most, last = [*names[:FOUND_NAMED], f"{more} more"] if more > 0 else names or [""]
    return f"{', '.join(most)} and {last}" if most else last


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
