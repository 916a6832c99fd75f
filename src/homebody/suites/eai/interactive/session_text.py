"""Texts of a session: its instruction, the effects of an action, the agent's knowledge.

Knowledge is listed room by room, with the contents of an object in brackets after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from homebody.core import State
from homebody.suites.eai.interactive.knowledge import Knowledge
from homebody.suites.eai.interactive.scene import Scene

MAX_CHANGES: Final = 8
"""Maximum number of changes reported for one action."""


def instruction(goal: str, limit: int) -> str:
    """Return the text that an agent receives at the start."""
    return f"{goal}\n\nYou can try at most {limit} actions. Say Done when the goal is reached."


def describe_changes(changes: Sequence[str]) -> str:
    """Describe the effects of an action."""
    listed = [*changes[:MAX_CHANGES]]
    if len(changes) > MAX_CHANGES:
        listed.append(f"and {len(changes) - MAX_CHANGES} more")
    return f"{'; '.join(listed)}." if listed else "It is done."


def name_list(names: Iterable[str], most: int | None = None) -> str:
    """Join names with commas; ``nothing`` without names."""
    names = list(names)
    listed = names[:most]
    if len(listed) < len(names):
        listed.append(f"and {len(names) - len(listed)} more")
    return ", ".join(listed) or "nothing"


def mentioned_names(scene: Scene, knowledge: Knowledge) -> list[str]:
    """Return the known objects that are worth mentioning, in a fixed order."""
    state = knowledge.state
    names = [name for name in knowledge.names if scene.is_there(state, name)]
    if knowledge.in_sight is None:
        return [name for name in names if name in scene.task_objects]
    return drop_house_parts(scene, names)


def drop_house_parts(scene: Scene, names: Iterable[str]) -> list[str]:
    """Remove walls and similar objects from names, unless the goal is about them."""
    goal = scene.goal_objects
    return [name for name in names if name in goal or not scene.is_part_of_house(name)]


def describe_scene(scene: Scene, knowledge: Knowledge) -> str:
    """Describe all known objects, room by room."""
    names = mentioned_names(scene, knowledge)
    rooms = f"Rooms: {', '.join(scene.rooms)}."
    return "\n".join(
        [*scene.agent_lines(knowledge, names), rooms, *_rooms(scene, knowledge, names)]
    )


def describe_first_seen(scene: Scene, knowledge: Knowledge, names: Sequence[str]) -> str:
    """Describe the objects seen for the first time; empty without any."""
    names = drop_house_parts(scene, names)
    return "\n".join(
        ["You see for the first time:", *_rooms(scene, knowledge, names)] if names else []
    )


def _rooms(scene: Scene, knowledge: Knowledge, names: Sequence[str]) -> list[str]:
    """Return lines on objects, room by room."""
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
    """Return lines on the objects in a room."""
    inside: dict[str, dict[str, list[str]]] = {}
    top = []
    here = set(names)
    for name in names:
        place = scene.place(state, name)
        if place is None or place[1] not in here:
            top.append(name)
        else:
            inside.setdefault(place[1], {}).setdefault(place[0], []).append(name)
    listed: set[str] = set()

    def render_items(siblings: Iterable[str]) -> list[str]:
        """Return each object with its contents, as text."""
        lines = []
        for name in siblings:
            if name not in listed:
                listed.add(name)
                states = scene.adjectives(state, name)
                text = f"{name} ({', '.join(states)})" if states else name
                for relation, others in inside.get(name, {}).items():
                    text += f" [{relation} it: {', '.join(render_items(others))}]"
                lines.append(text)
        return lines

    holders = render_items(name for name in top if name in inside)
    alone = render_items(name for name in names if name in top or name not in listed)
    return [f"- {text}" for text in (*holders, ", ".join(alone)) if text]
