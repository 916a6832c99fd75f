"""Feedback on actions: results, doors opened on the way, and their witnesses."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import Changes, SkillContext, Switch
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.relations import room_of

FOUND_NAMED: Final = 40
"""Maximum number of new objects named after a look around."""
_FOUND: Final = ("object", "furniture")
_CALL: Final = re.compile(r"[:;] ([A-Z][A-Za-z]*)(\[[^\[\]]*\])(?: first)?")
"""An action that the reason for a refusal suggests, such as ``: Navigate[cup_0]``."""


def key_used(context: SkillContext, changes: Changes) -> str:
    """Return the key of the door or furniture that changes unlock; an empty string if none."""
    house = context.state.house
    for change in changes:
        if isinstance(change, Switch) and change.state == "locked" and not change.value:
            lock = house.piece.get(change.name) or house.door.get(change.name)
            return lock.key if lock is not None else ""
    return ""


def suggest_own_skills(message: str, skills: Collection[str]) -> str:
    """Remove the actions that a reason for a refusal suggests if the agent lacks their skill.
    Agents that cannot explore rooms should go there instead."""

    def suggest(call: re.Match[str]) -> str:
        if call[1] in skills:
            return call[0]
        goes = call[1] == "Explore" and "Navigate" in skills
        return f": Navigate{call[2]}" if goes else ""

    return _CALL.sub(suggest, message)


def with_doors(message: str, opened: Sequence[tuple[str, str]]) -> str:
    """Add the doors opened on the way to a message.

    Args:
        opened: Doors, each with the key that unlocked it or an empty string.
    """
    unlocked = [
        f"you unlocked {door} with {key} and opened it on the way" for door, key in opened if key
    ]
    *most, last = [door for door, key in opened if not key] or [""]
    doors = f"{', '.join(most)} and {last}" if most else last
    return "; ".join((message, *unlocked, *([f"you opened {doors} on the way"] if last else ())))


def with_discoveries(message: str, graph: WorldGraph, known: int, room: str) -> str:
    """Add what an agent found in a room, and on the way there, to a message.

    With full knowledge the message stays the same.

    Args:
        known: The number of nodes in its graph before.
    """
    if not graph.partial:
        return message
    found = [node for node in islice(graph.nodes.values(), known, None) if node.kind in _FOUND]
    here = _list_names([node.name for node in found if node.room == room])
    others = _list_names([node.name for node in found if node.room != room])
    on_the_way = f"; on the way you saw {others}" if others else ""
    return f"{message} and found {here or 'nothing new'}{on_the_way}"


def _list_names(names: Sequence[str]) -> str:
    """Join at most :data:`FOUND_NAMED` names; an empty string for no names."""
    more = len(names) - FOUND_NAMED
    *most, last = [*names[:FOUND_NAMED], f"{more} more"] if more > 0 else names or [""]
    return f"{', '.join(most)} and {last}" if most else last


def who_sees(state: HouseState, graphs: Mapping[str, WorldGraph], door: str) -> frozenset[str]:
    """Return the agents that see a door open: the agents in its rooms, and agents with full
    knowledge.

    Args:
        graphs: Knowledge of agents.
    """
    rooms = state.house.door[door].rooms
    return frozenset(
        agent
        for agent, graph in graphs.items()
        if not graph.partial or room_of(state, agent) in rooms
    )
