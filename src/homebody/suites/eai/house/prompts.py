"""Prompts about a room, with its pictures or its scene graph or both."""

from __future__ import annotations

import json
from typing import Final

from homebody.suites.eai.house.rooms import Room
from homebody.suites.eai.house.tasks import HouseTask
from homebody.worlds.house.model.catalogue import catalogue

STATES: Final = {
    "open": "is open, also if only partly",
    "toggled_on": "is switched on",
}
RELATIONS: Final = {
    "ontop": "the first lies or stands on the second",
    "inside": "the first is in the second: a cupboard, a box, a bowl",
    "onfloor": "the first lies or stands on the floor, which is the second",
}
ACTIONS: Final = {
    "RIGHT_GRASP": "take it into the right hand, which has to be empty",
    "LEFT_GRASP": "take it into the left hand, which has to be empty",
    "RIGHT_PLACE_ONTOP": "put what is in the right hand on it",
    "LEFT_PLACE_ONTOP": "put what is in the left hand on it",
    "RIGHT_PLACE_INSIDE": "put what is in the right hand into it; it has to be open",
    "LEFT_PLACE_INSIDE": "put what is in the left hand into it; it has to be open",
    "OPEN": "open it, with an empty hand; it has to be switched off",
    "CLOSE": "close it, with an empty hand",
    "TOGGLE_ON": "switch it on, with an empty hand; it has to be closed",
    "TOGGLE_OFF": "switch it off, with an empty hand",
}
_GOAL_FORM: Final = (
    '{"node goals": [["toggled_on", "radio_3"], ["not", ["open", "oven_1"]]],'
    ' "edge goals": [["ontop", "jug_2", "bench_0"]]}'
)
_PLAN_FORM: Final = (
    '[{"action": "RIGHT_GRASP", "object": "jug_2"},'
    ' {"action": "RIGHT_PLACE_ONTOP", "object": "bench_0"}]'
)
_GRAPH_FORM: Final = (
    '{"nodes": ["bench_1", "jug_1", "jug_2", "radio_1"], "states": [["toggled_on", "radio_1"]],'
    ' "edges": [["ontop", "jug_1", "bench_1"], ["ontop", "jug_2", "bench_1"]]}'
)


def goal_interpretation_prompt(task: HouseTask) -> str:
    """Return the prompt for symbolic goals."""
    return "\n\n".join(
        (
            "A robot receives an instruction in a room. Write what must hold at the end as symbolic"
            " goals. What holds already and may stay so is not a goal.",
            _describe_room(task),
            f"States, of one object:\n{_bullet_list(STATES)}",
            f"Relations, of two objects:\n{_bullet_list(RELATIONS)}",
            "Answer with JSON and nothing else: states under node goals, relations under edge"
            f' goals, "not" around what must not hold. An example of another room:\n{_GOAL_FORM}',
            f"The instruction: {task.task.instruction}",
        )
    )


def action_sequencing_prompt(task: HouseTask) -> str:
    """Return the prompt for a plan."""
    return "\n\n".join(
        (
            "A robot with two hands receives an instruction in a room. Write its plan. It walks to"
            " objects by itself, and can do this with an object:\n" + _bullet_list(ACTIONS),
            _describe_room(task),
            "Do nothing unnecessary. Answer with a JSON list of steps and nothing else."
            f" An example of another room:\n{_PLAN_FORM}",
            f"The instruction: {task.task.instruction}",
        )
    )


def scene_graph_prompt(task: HouseTask) -> str:
    """Return the prompt for the scene graph of pictures."""
    known = catalogue()
    words = sorted({"floor", *known.furniture, *known.things})
    return "\n\n".join(
        (
            f"The pictures show one room from one place: its {_kind(task.line.room)}. Write down"
            " what they show of this room, as a scene graph. Omit other rooms, walls, doors,"
            " windows and people, whatever is smaller than some 14 by 14 pixels in all pictures,"
            " and whatever cannot be seen.",
            "Nodes are objects: a word of this list, and a number that distinguishes it from others"
            f" of the same word:\n{', '.join(words)}",
            f"States, of one node; omit states that do not hold:\n{_bullet_list(STATES)}",
            "Edges, of two nodes; furniture that stands on the floor needs none:\n"
            + _bullet_list(RELATIONS),
            "Answer with JSON and nothing else. An example of another room:\n" + _GRAPH_FORM,
        )
    )


def _kind(room: Room) -> str:
    return room.name.rstrip("0123456789_").replace("_", " ")


def _bullet_list(words: object) -> str:
    assert isinstance(words, dict)
    return "\n".join(f"- {word}: {meaning}" for word, meaning in words.items())


def _describe_room(task: HouseTask) -> str:
    """List the objects of a room, and its scene graph or a note on the pictures."""
    room = task.line.room
    parts = [f"The objects of the {_kind(room)}:\n{', '.join(each.name for each in room.objects)}"]
    if task.given != "graph":
        parts.append(
            "The pictures show the room as it is now, from one place, in different directions."
        )
    if task.given != "pictures":
        facts = "\n".join(json.dumps(list(fact)) for fact in room.stated_facts)
        parts.append(f"The facts of the room now:\n{facts or 'none'}")
    return "\n\n".join(parts)
