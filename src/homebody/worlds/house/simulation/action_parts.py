"""The parts of actions, and the knowledge that an agent needs to begin one.

Explore goes from stop to stop; Rearrange is two walks, Pick and Place; other actions have one part.
An agent cannot name objects that it has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from homebody.core.action import Action
from homebody.worlds.house.model.agents import AIMED, ARMS
from homebody.worlds.house.simulation.conditions import NONE, Refused, SkillContext
from homebody.worlds.house.simulation.finding import surroundings
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.skills import FORMS, check_form, check_rearrange
from homebody.worlds.house.simulation.walking.blocked_doors import explain
from homebody.worlds.house.simulation.walking.destinations import stops_in
from homebody.worlds.house.simulation.walking.navigation import Navigation
from homebody.worlds.house.simulation.walking.small_steps import resolve_aimed


def check(context: SkillContext, graph: WorldGraph, agent: str, action: Action) -> None:
    """Raise Refused if an agent could never do an action here.

    Args:
        graph: The agent's knowledge.
    """
    name, skills = action.name, context.agents[agent].skills
    if name not in FORMS:
        raise Refused(f"there is no skill {name}; there are {_list_skills(skills)}")
    if name not in skills:
        others = ". Another agent may be able to" if len(context.agents) > 1 else ""
        raise Refused(f"you cannot do {name}; you can do {_list_skills(skills)}{others}")
    check_form(action)
    if "" in _named_objects(action):
        raise Refused(f"an argument of {name} is empty; name what you mean")
    if graph.partial and name != "Explore":  # all rooms are known
        for named in _named_objects(action):
            # the same feedback for unseen and nonexistent things, so that it reveals nothing
            if not graph.knows(named):
                raise Refused(
                    f"{named} is not known to you; explore rooms to find it: Explore[room]"
                )


def parts_of(
    context: SkillContext,
    graph: WorldGraph,
    navigation: Callable[[str], Navigation],
    agent: str,
    action: Action,
) -> list[Action]:
    """Return the parts of an action in order.

    Raises Refused. A Rearrange is refused at once if, according to the agent's beliefs, it would be
    refused at the target.

    Args:
        graph: The agent's knowledge.
        navigation: Agent -> free space for it.
    """
    if action.name in AIMED:
        return [resolve_aimed(context, graph, agent, action)]
    if action.name == "Explore":
        room = action.args[0]
        try:
            stops = stops_in(context, navigation(agent), agent, room)
        except Refused:
            explain(context, graph, agent, room)
            raise
        return [Action("Explore", (room, repr(x), repr(y))) for x, y in stops]
    if action.name != "Rearrange":
        return [action]
    name, relation, target, *beside = action.args
    check_rearrange(surroundings(context, graph), agent, *action.args)
    to_it = [Action("Navigate", (name,)), Action("Pick", (name,))]
    return [
        *(to_it if context.state.places[name][0] != agent else ()),
        Action("Navigate", (target,)),
        Action("Place", (name, relation, target, *beside)),
    ]


def _list_skills(skills: Collection[str]) -> str:
    """List skills by the names under which they are offered."""
    return ", ".join(skill for skill in FORMS if skill in skills and skill not in ARMS)


def _named_objects(action: Action) -> Sequence[str]:
    """Return the arguments of an action that name something in the house."""
    if action.name in ("Ask", "Request"):  # the topic may be anything
        return action.args[:1]
    if action.name == "Say":  # a listener need not be seen
        return ()
    if action.name not in ("Place", "Rearrange"):
        return action.args
    name, _, target, *beside = action.args
    return [name, target, *(reference for reference in beside[1:] if reference not in NONE)]
