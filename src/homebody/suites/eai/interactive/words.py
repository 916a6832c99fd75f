"""What a session says: its instruction, what an action has brought about, what is known.

What is known is told room by room; things that are in or on others follow those in brackets, and
things of a kind in the same state share a name: ``hanger.109/110/111``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from homebody.suites.eai.interactive.knowledge import Knowledge
from homebody.suites.eai.interactive.scene import Scene

MAX_CHANGES: Final = 8
"""Most changes that are told of one action."""
MAX_FIRST: Final = 120
"""Most things that are told when they are seen for the first time; all are in the description."""
_NAME: Final = re.compile(r"(.*?[._]?)(\d+)")


def class_of(name: str) -> str:
    """``"fridge."`` of ``"fridge.306"``: what names of things of a kind begin with."""
    match = _NAME.fullmatch(name)
    return match[1] if match else name


def instruction(goal: str, limit: int) -> str:
    """What an agent is told once."""
    return f"{goal}\n\nYou can try at most {limit} actions. Say Done when the goal is reached."


def done(changes: Sequence[str], first: Sequence[str]) -> str:
    """What an action has brought about, and what is seen for the first time."""
    told = [*changes[:MAX_CHANGES]]
    if len(changes) > MAX_CHANGES:
        told.append(f"and {len(changes) - MAX_CHANGES} more")
    text = f"Done: {'; '.join(told)}." if told else "Done."
    return f"{text} You see for the first time: {listed(first, MAX_FIRST)}." if first else text


def listed(names: Iterable[str], most: int | None = None) -> str:
    """Names, those of a kind together: ``cup.1/2, plate.3``; ``nothing`` if there are none."""
    names = list(names)
    kinds: dict[str, list[str]] = {}
    for name in names[:most]:
        kinds.setdefault(class_of(name), []).append(name)
    told = [_together(kind, of) for kind, of in kinds.items()]
    if most is not None and len(names) > most:
        told.append(f"and {len(names) - most} more")
    return ", ".join(told) or "nothing"


def _together(kind: str, names: Sequence[str]) -> str:
    return "/".join([names[0], *(name.removeprefix(kind) for name in names[1:])])


def mentioned(scene: Scene, knowledge: Knowledge) -> list[str]:
    """The known things that are worth mentioning, in a fixed order."""
    if knowledge.in_sight is None:
        return [name for name in knowledge.names if name in scene.told]
    return worth_mentioning(scene, knowledge.names)


def worth_mentioning(scene: Scene, names: Iterable[str]) -> list[str]:
    """The names, without walls and the like, unless the goal is about them."""
    goal = scene.goal_objects
    return [name for name in names if name in goal or not scene.is_part_of_house(name)]


def describe(scene: Scene, knowledge: Knowledge) -> str:
    """All that is known, room by room."""
    names = mentioned(scene, knowledge)
    things = [name for name in names if name != scene.world.agent and name not in scene.rooms]
    lines = [*scene.agent_lines(knowledge, names), f"Rooms: {', '.join(scene.rooms)}."]
    by_room: dict[str | None, list[str]] = {}
    for name in things:
        by_room.setdefault(scene.room(knowledge.seen_in(name), name), []).append(name)
    for room in (*scene.rooms, None):
        if room in by_room:
            heading = room or "Somewhere"
            if knowledge.in_sight is not None and room is not None and room != knowledge.room:
                heading += " (as you last saw it)"
            lines += ["", f"{heading}:", *_tree(scene, knowledge, by_room[room])]
    return "\n".join(lines)


def _tree(scene: Scene, knowledge: Knowledge, names: Sequence[str]) -> list[str]:
    """Lines on the things in a room."""
    inside: dict[str, dict[str, list[str]]] = {}
    top = []
    here = set(names)
    for name in names:
        place = scene.place(knowledge.seen_in(name), name)
        if place is None or place[1] not in here or name == place[1]:
            top.append(name)
        else:
            inside.setdefault(place[1], {}).setdefault(place[0], []).append(name)
    told: set[str] = set()

    def tell(siblings: Iterable[str]) -> list[str]:
        """Each thing with what is in and on it; those that read the same together."""
        same: dict[tuple[str, str], list[str]] = {}
        for name in siblings:
            if name in told:
                continue
            told.add(name)
            states = scene.adjectives(knowledge.seen_in(name), name)
            text = f" ({', '.join(states)})" if states else ""
            for relation, others in inside.get(name, {}).items():
                text += f" [{relation} it: {', '.join(tell(others))}]"
            same.setdefault((class_of(name), text), []).append(name)
        return [_together(kind, of) + text for (kind, text), of in same.items()]

    lines = tell(top)
    lines += tell(name for name in names if name not in told)  # in one another
    return [f"- {line}" for line in lines]
