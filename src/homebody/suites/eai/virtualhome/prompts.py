"""Official prompt templates, filled with a task.

The templates come from the official data; this module writes the descriptions of objects, states
and goals for their placeholders, in the official layout. The published code lists some sets in
arbitrary order; here the order is fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from homebody.core import State
from homebody.data import eai as data
from homebody.suites.eai.virtualhome.tasks import (
    SCENE_NAMES,
    STATES,
    VirtualHomeTask,
    class_of,
    id_of,
)

_RULE = "-----------------\n"


def action_sequencing_prompt(task: VirtualHomeTask) -> str:
    """Return the prompt for a plan (EAI paper, appendix I.3)."""
    return _fill(
        data.load()["prompts"]["action_sequencing"],
        {
            "<object_in_scene>": _objects(task),
            "<cur_change>": _changes(task),
            "<node_goals>": "".join(goal_line(g) + "\n" for g in task.state_goals) + _RULE,
            "<edge_goals>": "".join(goal_line(g) + "\n" for g in task.relation_goals) + _RULE,
            "<action_goals>": _action_goals(task.action_goals),
        },
    )


def goal_line(goal: Sequence[str]) -> str:
    """Return a goal as in the prompt of action sequencing: with classes, without ids."""
    name, first, *second = goal
    if not second:
        return f"{class_of(first)} is {name}"
    return f"{class_of(first)} is {SCENE_NAMES.get(name, name)} to {class_of(*second)}"


def subgoal_decomposition_prompt(task: VirtualHomeTask) -> str:
    """Return the prompt for subgoals (EAI paper, appendix I.2), after the system prompt."""
    state = task.task.initial
    objects = [f"| {o} | {task.kinds[o]} | {_properties(state, o)} |" for o in task.relevant]
    start = [f"{s}({o})" for o in task.changed for s in _states(state, o)]
    start += [f"{r}({a}, {b})" for r, a, b in task.ended if r not in ("NEXT_TO", "BETWEEN")]
    actions = [goal.upper().replace(" ", "").replace("|", " or ") for goal in task.action_goals]
    return _fill(
        data.load()["prompts"]["subgoal_decomposition"],
        {
            "<task_name>": task.title + "\n",  # the official prompts have this line end
            "<relevant_objects>": _lines(objects),
            "<initial_states>": _lines(start),
            "<final_states>": _lines(listed_goals(task)),
            "<final_actions>": _lines(actions),
            "<necessity>": "Yes" if actions else "No",
        },
    )


def listed_goals(task: VirtualHomeTask) -> list[str]:
    """Return the goal states as listed in the prompt of subgoal decomposition."""
    goals = [f"{s}({o})" for s, o in task.state_goals]
    return goals + [f"{r}({a}, {b})" for r, a, b in task.relation_goals if r != "BETWEEN"]


def subgoal_decomposition_system() -> str:
    """Return the system prompt of subgoal decomposition: its vocabulary, rules and examples."""
    return str(data.load()["prompts"]["subgoal_decomposition_system"])


def _lines(items: Sequence[str]) -> str:
    return "\n".join(items) if items else "None"


def goal_interpretation_prompt(task: VirtualHomeTask) -> str:
    """Return the prompt for symbolic goals (EAI paper, appendix I.1)."""
    stored = data.load()
    vocabulary = stored["vocabulary"]
    pairs = {k: sorted(v) for k, v in vocabulary["relation_object_pairs"].items()}
    return _fill(
        stored["prompts"]["goal_interpretation"],
        {
            "<object_in_scene>": _possible_states(task),
            "<relation_types>": str(vocabulary["relation_types"]),
            "<rel_obj_pairs>": str(pairs),
            "<action_space>": str(vocabulary["action_space"]),
            "<goal_str>": f"Goal name: {task.title}\nGoal description: {task.task.instruction}\n",
        },
    )


def _fill(template: str, places: Mapping[str, str]) -> str:
    for place, text in places.items():
        template = template.replace(place, text)
    return template


def _states(state: State, name: str) -> list[str]:
    return [s for s in STATES if state.holds(s, (name,))]


def _properties(state: State, name: str) -> list[str]:
    return sorted(state.objects[name].properties - {"ROOM"})


def _objects(task: VirtualHomeTask) -> str:
    lines = [
        f"{class_of(name)}, id: {id_of(name)}, properties: {_properties(task.task.initial, name)}\n"
        for name in task.relevant
    ]
    return "Objects in the scene:\n" + "".join(lines) + _RULE


def _changes(task: VirtualHomeTask) -> str:
    state = task.task.initial
    nodes = [
        f"{class_of(name)}, states: {_states(state, name)}, properties:{_properties(state, name)}\n"
        for name in task.changed
    ]
    edges = [
        f"{_tag(a)} is {'NEAR' if r == 'NEXT_TO' else SCENE_NAMES.get(r, r)} to {_tag(b)}\n"
        for r, a, b in task.ended
    ]
    return "Nodes:\n" + "".join(nodes) + "\nEdges:\n" + "".join(edges) + _RULE


def _tag(name: str) -> str:
    return f"<{class_of(name)}> ({id_of(name)})"


def _action_goals(goals: Iterable[str]) -> str:
    lines = [f"{goal.replace('|', ' or ')}\n{goal}\n" for goal in goals]
    if not lines:
        return "There is no action requirement.\n"
    return "The following action(s) should be included:\n" + "".join(lines) + _RULE


def _possible_states(task: VirtualHomeTask) -> str:
    agent = task.task.world.agent
    names = [*task.relevant, *(() if agent in task.relevant else (agent,))]
    return "".join(
        f"{class_of(name)}, initial states: {_states(task.task.initial, name)},"
        f" possible states: {possible_states(class_of(name))}\n"
        for name in names
    )


def possible_states(kind: str) -> list[str]:
    """Return the possible states of a class, as listed in the prompt of goal interpretation."""
    return [state.upper() for state in _object_states().get(kind, [])]


@cache
def _object_states() -> dict[str, Any]:
    listed: dict[str, Any] = dict(data.load()["vocabulary"]["object_states"])
    for name in list(listed):
        listed.setdefault(name.replace("_", ""), listed[name])
    return listed
