"""Finds objects: the place where an agent goes for a target, and whether the target is there."""

from __future__ import annotations

from homebody.worlds.house.simulation.conditions import Refused, SkillContext, bearer
from homebody.worlds.house.simulation.knowledge import WorldGraph


def surroundings(context: SkillContext, graph: WorldGraph) -> SkillContext:
    """Return the context according to the beliefs of an agent."""
    return SkillContext(graph.believed_state(), context.agents, context.affords)


def believed_context(context: SkillContext, graph: WorldGraph, target: str) -> SkillContext:
    """Return the context for walking to a target; raise Refused if the agent lost sight of it."""
    state = context.state
    if not graph.partial or not (target in state.poses or target in state.bodies):
        return context  # the places of rooms and furniture are known
    context = surroundings(context, graph)
    at = bearer(context.state, target)
    if not at or (at in context.state.bodies and not graph[at].room):
        raise Refused(
            f"{target} is not where you saw it last; explore rooms to find it: Explore[room]"
        )
    return context


def check_found(context: SkillContext, graph: WorldGraph, agent: str, target: str) -> None:
    """Raise Refused if an arriving agent sees that its target is gone."""
    if target in context.state.bodies and not context.is_in_reach(agent, target, others=True):
        believed_context(context, graph, target)
        raise Refused(f"{target} has gone on; go after it: Navigate[{target}]")
    if graph.partial and target in context.state.poses:
        context = believed_context(context, graph, target)
        if not context.is_in_reach(agent, target, others=True):
            raise Refused(f"{target} has been moved; go after it: Navigate[{target}]")
