"""What a session says: its instruction, what an action has brought about, what is known.

What is known is told room by room; what is in or on a thing follows it in brackets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from homebody.core import State
from homebody.suites.eai.interactive.knowledge import Knowledge
from homebody.suites.eai.interactive.scene import Scene

MAX_CHANGES: Final = 8
"""Most changes that are told of one action."""


def instruction(goal: str, limit: int) -> str:
    """What an agent is told once."""
    return f"{goal}\n\nYou can try at most {limit} actions. Say Done when the goal is reached."


def done(changes: Sequence[str]) -> str:
    """What an action has brought about."""
    told = [*changes[:MAX_CHANGES]]
    if len(changes) > MAX_CHANGES:
        told.append(f"and {len(changes) - MAX_CHANGES} more")
    return f"{'; '.join(told)}." if told else "It is done."


def name_list(names: Iterable[str], most: int | None = None) -> str:
    """Names with commas between; ``nothing`` if there are none."""
    names = list(names)
    told = names[:most]
    if len(told) < len(names):
        told.append(f"and {len(names) - len(told)} more")
    return ", ".join(told) or "nothing"


def mentioned(scene: Scene, knowledge: Knowledge) -> list[str]:
    """The known things that are worth mentioning, in a fixed order."""
    state = knowledge.state
    names = [name for name in knowledge.names if scene.is_there(state, name)]
    if knowledge.in_sight is None:
        return [name for name in names if name in scene.told]
    return worth_mentioning(scene, names)


def worth_mentioning(scene: Scene, names: Iterable[str]) -> list[str]:
    """The names, without walls and the like, unless the goal is about them."""
    goal = scene.goal_objects
    return [name for name in names if name in goal or not scene.is_part_of_house(name)]


def describe(scene: Scene, knowledge: Knowledge) -> str:
    """All that is known, room by room."""
    names = mentioned(scene, knowledge)
    rooms = f"Rooms: {', '.join(scene.rooms)}."
    return "\n".join(
        [*scene.agent_lines(knowledge, names), rooms, *_rooms(scene, knowledge, names)]
    )


def seen(scene: Scene, knowledge: Knowledge, names: Sequence[str]) -> str:
    """What is seen for the first time; empty if nothing is."""
    names = worth_mentioning(scene, names)
    return "\n".join(
        ["You see for the first time:", *_rooms(scene, knowledge, names)] if names else []
    )


def _rooms(scene: Scene, knowledge: Knowledge, names: Sequence[str]) -> list[str]:
    """Lines on things, room by room."""
    state = knowledge.state
    by_room: dict[str | None, list[str]] = {}
    for name in names:
        if name != scene.world.agent and name not in scene.rooms:
            by_room.setdefault(scene.room(state, name), []).append(name)
    lines = []
    for room in (*scene.rooms, None):
        if room in by_room:
            heading = room or "Somewhere"
            if knowledge.in_sight is not None and room is not None and room != knowledge.room:
                heading += " (as you last saw it)"
            lines += ["", f"{heading}:", *_tree(scene, state, by_room[room])]
    return lines


def _tree(scene: Scene, state: State, names: Sequence[str]) -> list[str]:
    """Lines on the things in a room."""
    inside: dict[str, dict[str, list[str]]] = {}
    top = []
    here = set(names)
    for name in names:
        place = scene.place(state, name)
        if place is None or place[1] not in here:
            top.append(name)
        else:
            inside.setdefault(place[1], {}).setdefault(place[0], []).append(name)
    told: set[str] = set()

    def tell(siblings: Iterable[str]) -> list[str]:
        """Each thing, with what is in and on it."""
        lines = []
        for name in siblings:
            if name not in told:
                told.add(name)
                states = scene.adjectives(state, name)
                text = f"{name} ({', '.join(states)})" if states else name
                for relation, others in inside.get(name, {}).items():
                    text += f" [{relation} it: {', '.join(tell(others))}]"
                lines.append(text)
        return lines

    holders = tell(name for name in top if name in inside)
    alone = tell(name for name in names if name in top or name not in told)
    return [f"- {text}" for text in (*holders, ", ".join(alone)) if text]
