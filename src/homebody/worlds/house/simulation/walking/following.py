"""Following somebody: repeated walks to their destination until they stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from homebody.worlds.house.model.house import Box, Point
from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.current_action import STEP_ASIDE, Activity
from homebody.worlds.house.simulation.skills import WALKING
from homebody.worlds.house.simulation.walking.destinations import way_to_box
from homebody.worlds.house.simulation.walking.detours import Detours, Standing
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.paths import Path
from homebody.worlds.house.simulation.walking.walls import room_at

_BACK = 1.5
"""Metres to keep away from somebody who is about to open a door: there must be room for it."""


def is_going(activities: Mapping[str, Activity], agent: str) -> bool:
    """Return whether an agent is on its way, waiting and opening doors included."""
    activity = activities.get(agent)
    return activity is not None and activity.action.name in WALKING


def has_to_continue(
    context: SkillContext, activities: Mapping[str, Activity], agent: str, target: str
) -> bool:
    """Return whether a follower must walk again: the other is walking or in another room."""
    house = context.state.house
    return is_going(activities, target) or room_at(house, context.position_of(agent)) != room_at(
        house, context.position_of(target)
    )


def way_beside(
    context: SkillContext,
    activities: Mapping[str, Activity],
    ways: Navigation | Detours,
    agent: str,
    target: str,
    others: Sequence[Standing],
) -> tuple[Path, Point]:
    """Return the way to another agent's present or future place, and that place. Raises Refused."""
    if target not in context.state.bodies or target == agent:
        there = ", ".join(name for name in context.state.bodies if name != agent) or "none"
        raise Refused(
            f"{target} is not an agent that you can follow; there are these agents: {there}"
        )
    if agent in _leaders(activities, target):
        raise Refused(f"{target} follows you already")
    activity = activities.get(target)
    walk = activity.walk if activity is not None else None
    x, y = walk.path.points[-1] if walk is not None else context.position_of(target)
    part = activity.parts[0].name if activity is not None and activity.parts else ""
    if part == "Open":
        return Path((context.position_of(agent),), 0.0), (x, y)
    radius, height = context.agents[target].radius, context.agents[target].size[2]
    goal = Box((x - radius, y - radius, 0.0), (x + radius, y + radius, height))
    path = way_to_box(context, ways, agent, target, goal, others)
    if part == "Approach":  # to a shut door, or to wait near a target
        path = path.until(max(0.0, path.length - _BACK))
    return path, (x, y)


def _leaders(activities: Mapping[str, Activity], agent: str) -> list[str]:
    """Return the chain of followed agents: the agent that somebody follows, the agent that this one
    follows, and so on."""
    leaders: list[str] = []
    while (activity := activities.get(agent)) is not None:
        action = activity.action
        if action is STEP_ASIDE or action.name != "Follow" or action.args[0] in leaders:
            break
        agent = action.args[0]
        leaders.append(agent)
    return leaders
