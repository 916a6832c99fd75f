"""Plans without planning, on VirtualHome: what the prompt asks for, one goal after the other, and
what is done in most of the other tasks.

They show how far one comes with shortcuts (docs/benchmarks/baselines.md).
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
"""State of a thing -> the action that is named like it."""
_FOR_RELATION: Final = {"ONTOP": "PUTBACK", "INSIDE": "PUTIN"}
_FOR_AGENT: Final = {
    "INSIDE": "WALK",
    "NEXT_TO": "WALK",
    "ONTOP": "SIT",
    "FACING": "TURNTO",
    "HOLDS_RH": "GRAB",
    "HOLDS_LH": "GRAB",
}
"""Relation of the agent to a thing -> the same."""

Role: TypeAlias = tuple[str, int]
"""A thing by its class, and the how many-th of that class it is among those that a plan names."""
Shape: TypeAlias = tuple[tuple[str, tuple[Role, ...]], ...]
"""A plan with roles in place of things."""


def copied_plan(task: VirtualHomeTask) -> tuple[Action, ...]:
    """For each goal, in the order of the prompt, the action that is named like it, after a walk to
    what it is done on, as the prompt says to. Before something is put anywhere it is grabbed. The
    prompt says goals of classes: the first listed of the class is taken, and where the same is said
    again, the next. What an action of the goal is done on is not stated: the last things listed
    are taken."""
    agent = task.task.world.agent
    listed, roles = task.listed, _listed(task)
    said: Counter[tuple[str, tuple[str, ...]]] = Counter()
    plan: list[Action] = []

    def do(name: str, *things: str) -> None:
        if things and name != "WALK":
            plan.append(Action("WALK", things[-1:]))
        plan.append(Action(name, things))

    def shown(goal: str, *things: str) -> list[str]:
        kinds = tuple(map(class_of, things))
        first = [roles.get((kind, 0), thing) for kind, thing in zip(kinds, things, strict=True)]
        first[0] = roles.get((kinds[0], said[goal, kinds]), first[0])
        said[goal, kinds] += 1
        return first

    for state, thing in task.state_goals:
        if thing != agent and state in _FOR_STATE:
            do(_FOR_STATE[state], *shown(state, thing))
    for relation, thing, other in task.relation_goals:
        if thing == agent:
            if relation in _FOR_AGENT:
                do(_FOR_AGENT[relation], *shown(relation, other))
        elif relation in _FOR_RELATION:
            things = shown(relation, thing, other)
            do("GRAB", things[0])
            do(_FOR_RELATION[relation], *things)
    for goal in task.action_goals:
        name = goal.split("|")[0]
        name = ACTION_ALIASES.get(name, name)
        schema = task.task.world.schemas.get(name)
        if schema is not None and schema.arity <= len(listed):
            do(name, *listed[len(listed) - schema.arity :])
    return tuple(plan) or _walk(task)


def frequent_plan(task: VirtualHomeTask) -> tuple[Action, ...]:
    """The most frequent annotated plan of the other tasks that state the same goals, with things
    in place of their classes: this task's things in place of theirs. Plans that name classes which
    this task does not list come after the others. If no other task states these goals, the most
    frequent of all plans."""
    groups = _by_goals()
    others = [shape for name, shape in groups.get(_stated(task), ()) if name != task.id]
    if not others:
        others = [shape for group in groups.values() for name, shape in group if name != task.id]
    listed = _listed(task)
    plans = {shape: _filled(shape, listed) for shape in others}
    lost = {shape: len(shape) - len(plan) for shape, plan in plans.items() if plan}
    if not lost:
        return _walk(task)
    fewest = min(lost.values())
    return plans[most_frequent(shape for shape in others if lost.get(shape) == fewest)]


def _walk(task: VirtualHomeTask) -> tuple[Action, ...]:
    """A plan for those who have none: an output without an action is unreadable."""
    return tuple(Action("WALK", (name,)) for name in task.listed[:1])


@cache
def _by_goals() -> Mapping[object, Sequence[tuple[str, Shape]]]:
    """What tasks state as their goals -> those tasks, and the shapes of their annotated plans."""
    groups: defaultdict[object, list[tuple[str, Shape]]] = defaultdict(list)
    for task in load_tasks():
        groups[_stated(task)].append((task.id, _shape(task.task.reference)))
    return groups


def _stated(task: VirtualHomeTask) -> object:
    """The goals as the prompt states them: of classes."""
    return (
        frozenset((state, class_of(thing)) for state, thing in task.state_goals),
        frozenset((r, class_of(a), class_of(b)) for r, a, b in task.relation_goals),
        task.action_goals,
    )


def _shape(plan: Sequence[Action]) -> Shape:
    named = dict.fromkeys(thing for action in plan for thing in action.args)
    roles = {thing: role for role, thing in _roles(named).items()}
    return tuple((action.name, tuple(roles[t] for t in action.args)) for action in plan)


def _listed(task: VirtualHomeTask) -> dict[Role, str]:
    """The things that the prompt lists, by class and place in the list."""
    return _roles(task.relevant)


def _roles(things: Iterable[str]) -> dict[Role, str]:
    """Different things by their class, and how many of that come before."""
    roles: dict[Role, str] = {}
    seen: Counter[str] = Counter()
    for thing in things:
        roles[class_of(thing), seen[class_of(thing)]] = thing
        seen[class_of(thing)] += 1
    return roles


def _filled(shape: Shape, things: Mapping[Role, str]) -> tuple[Action, ...]:
    """The plan without the actions on what is not listed."""
    return tuple(
        Action(name, tuple(things[role] for role in roles))
        for name, roles in shape
        if all(role in things for role in roles)
    )
