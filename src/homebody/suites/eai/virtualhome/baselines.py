"""Baselines that make a VirtualHome plan by simple rules (docs/benchmarks/baselines.md).

They show how high a score is without planning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from homebody.core import Action
from homebody.suites.eai.agents import most_frequent
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_ALIASES,
    VirtualHomeTask,
    class_of,
    load_tasks,
)

_FOR_STATE: Final = {
    "CLEAN": "WASH",
    "CLOSED": "CLOSE",
    "OFF": "SWITCHOFF",
    "ON": "SWITCHON",
    "OPEN": "OPEN",
    "PLUGGED_IN": "PLUGIN",
    "PLUGGED_OUT": "PLUGOUT",
}
"""State of an object -> the action with the corresponding name."""
_FOR_RELATION: Final = {"ONTOP": "PUTBACK", "INSIDE": "PUTIN"}
_FOR_AGENT: Final = {
    "INSIDE": "WALK",
    "NEXT_TO": "WALK",
    "ONTOP": "SIT",
    "FACING": "TURNTO",
    "HOLDS_RH": "GRAB",
    "HOLDS_LH": "GRAB",
}
"""Relation of the agent to an object -> the action with the corresponding name."""

Role: TypeAlias = tuple[str, int]
"""The class of an object, and its index among the objects of that class, from 0."""
Shape: TypeAlias = tuple[tuple[str, tuple[Role, ...]], ...]
"""A plan with roles in place of objects."""


def copied_plan(task: VirtualHomeTask) -> tuple[Action, ...]:
    """For each goal, in the order of the prompt, do the action with the name of the goal.

    Each action follows a walk to its object, as the prompt says, and placing follows grabbing. A
    goal of the prompt refers to the first listed object of its class. If the goal is repeated, it
    refers to the next one. Action goals do not name objects: the last listed objects are taken.
    """
    agent = task.task.world.agent
    listed, roles = task.listed_objects, _listed_objects(task)
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    plan: list[Action] = []

    def do(name: str, *things: str) -> None:
        if things and name != "WALK":
            plan.append(Action("WALK", things[-1:]))
        plan.append(Action(name, things))

    def listed_things(goal: str, *things: str) -> list[str]:
        kinds = tuple(map(class_of, things))
        first = [roles.get((kind, 0), thing) for kind, thing in zip(kinds, things, strict=True)]
        first[0] = roles.get((kinds[0], counts[goal, kinds]), first[0])
        counts[goal, kinds] += 1
        return first

    for state, thing in task.state_goals:
        if thing != agent and state in _FOR_STATE:
            do(_FOR_STATE[state], *listed_things(state, thing))
    for relation, thing, other in task.relation_goals:
        if thing == agent:
            if relation in _FOR_AGENT:
                do(_FOR_AGENT[relation], *listed_things(relation, other))
        elif relation in _FOR_RELATION:
            things = listed_things(relation, thing, other)
            do("GRAB", things[0])
            do(_FOR_RELATION[relation], *things)
    for goal in task.action_goals:
        name = goal.split("|")[0]
        name = ACTION_ALIASES.get(name, name)
        schema = task.task.world.schemas.get(name)
        if schema is not None and schema.arity <= len(listed):
            do(name, *listed[len(listed) - schema.arity :])
    return tuple(plan) or _walk_plan(task)


def frequent_plan(task: VirtualHomeTask) -> tuple[Action, ...]:
    """Return the most frequent annotated plan of other tasks with the same goals.

    Objects of this task replace objects of the same class. Plans with classes that this task does
    not list are less preferred. If no other task has these goals, the most frequent of all plans is
    used.
    """
    groups = _shapes_by_goals()
    others = [shape for name, shape in groups.get(_stated_goals(task), ()) if name != task.id]
    if not others:
        others = [shape for group in groups.values() for name, shape in group if name != task.id]
    listed = _listed_objects(task)
    plans = {shape: _fill_shape(shape, listed) for shape in others}
    lost = {shape: len(shape) - len(plan) for shape, plan in plans.items() if plan}
    if not lost:
        return _walk_plan(task)
    fewest = min(lost.values())
    return plans[most_frequent(shape for shape in others if lost.get(shape) == fewest)]


def _walk_plan(task: VirtualHomeTask) -> tuple[Action, ...]:
    """Return a plan with one WALK action, for agents that found no plan. An empty plan would be
    unreadable."""
    return tuple(Action("WALK", (name,)) for name in task.listed_objects[:1])


@cache
def _shapes_by_goals() -> Mapping[object, Sequence[tuple[str, Shape]]]:
    """Map stated goals to the tasks with these goals, and the shapes of their annotated plans."""
    groups: defaultdict[object, list[tuple[str, Shape]]] = defaultdict(list)
    for task in load_tasks():
        groups[_stated_goals(task)].append((task.id, _shape(task.task.reference)))
    return groups


def _stated_goals(task: VirtualHomeTask) -> object:
    """Return the goals as the prompt states them: over classes."""
    return (
        frozenset((state, class_of(thing)) for state, thing in task.state_goals),
        frozenset((r, class_of(a), class_of(b)) for r, a, b in task.relation_goals),
        task.action_goals,
    )


def _shape(plan: Sequence[Action]) -> Shape:
    named = dict.fromkeys(thing for action in plan for thing in action.args)
    roles = {thing: role for role, thing in _roles(named).items()}
    return tuple((action.name, tuple(roles[t] for t in action.args)) for action in plan)


def _listed_objects(task: VirtualHomeTask) -> dict[Role, str]:
    """Return the objects that the prompt lists, by class and place in the list."""
    return _roles(task.relevant)


def _roles(things: Iterable[str]) -> dict[Role, str]:
    """Return (class, index within the class) -> object."""
    roles: dict[Role, str] = {}
    seen: Counter[str] = Counter()
    for thing in things:
        roles[class_of(thing), seen[class_of(thing)]] = thing
        seen[class_of(thing)] += 1
    return roles


def _fill_shape(shape: Shape, things: Mapping[Role, str]) -> tuple[Action, ...]:
    """Return the plan with this shape, without actions on objects that are not listed."""
    return tuple(
        Action(name, tuple(things[role] for role in roles))
        for name, roles in shape
        if all(role in things for role in roles)
    )
