"""Doors that count as walls for an agent: it knows that they are shut, and cannot open them."""

from __future__ import annotations

from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.finding import believed_context
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.skills import lacking_key
from homebody.worlds.house.simulation.walking.destinations import way_to
from homebody.worlds.house.simulation.walking.doors import first_in_the_way
from homebody.worlds.house.simulation.walking.navigation import navigation

SHUT = "{0} is shut, and you cannot open it. Another agent may be able to"
"""Feedback on a shut door for an agent without the skill Open."""


def barred_doors(context: SkillContext, graph: WorldGraph, agent: str) -> frozenset[str]:
    """Return the doors that an agent knows to be shut and cannot open."""
    return frozenset(
        name
        for name in context.state.house.door
        if graph[name].states.get("open") is False and _bars(context, graph, agent, name)
    )


def explain(context: SkillContext, graph: WorldGraph, agent: str, target: str) -> None:
    """Raise Refused if a door keeps an agent from a target."""
    house, radius = context.state.house, context.agents[agent].radius
    barred = barred_doors(context, graph, agent)
    if not barred:
        return
    seen = believed_context(context, graph, target)
    path, _ = way_to(seen, navigation(house, radius), agent, target, ())
    met = first_in_the_way(house, barred, path.points, radius)
    if met is not None:
        raise Refused(_bars(context, graph, agent, met[0]))


def _bars(context: SkillContext, graph: WorldGraph, agent: str, door: str) -> str:
    """Return why an agent cannot open a door that it knows to be shut, or an empty string."""
    if "Open" not in context.agents[agent].skills:
        return SHUT.format(door)
    return lacking_key(context, agent, door) if graph[door].states["locked"] else ""
