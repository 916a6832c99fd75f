"""The random agent: any of the actions that look possible to it, now and then ``Done``.

It knows no more than its world graph: rooms and furniture, and the objects that it has seen or, in
a fully observed episode, all of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.planners.action_space import ActionSpace
from homebody.suites.partnr.planners.calls import CALLS, TOOLS
from homebody.suites.partnr.policies import Policy, play_policies
from homebody.suites.partnr.session import DONE, PartnrSession, write_transcript
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.knowledge import Node, WorldGraph

STOPS: Final = 0.02
"""Probability that it says ``Done``."""
STATES: Final = {
    "Clean": ("clean", False),
    "Fill": ("filled", False),
    "Pour": ("filled", False),
    "PowerOn": ("powered_on", False),
    "PowerOff": ("powered_on", True),
    "Open": ("open", False),
    "Close": ("open", True),
}
"""Skill -> the state that what it is done to has before."""


def random_policy(rng: np.random.Generator) -> Policy:
    """A policy that draws from a generator."""

    def act(session: PartnrSession, agent: str) -> Action:
        if rng.random() < STOPS:
            return DONE
        options = actions(session, agent)
        kinds = sorted({action.name for action in options})
        kind = kinds[int(rng.integers(len(kinds)))]
        of_kind = [action for action in options if action.name == kind]
        return of_kind[int(rng.integers(len(of_kind)))]

    return act


def actions(session: PartnrSession, agent: str) -> list[Action]:
    """All actions that look possible to an agent, in a fixed order: what they are done to is
    known to it and of the right kind. Whether it is within reach is not looked at."""
    simulation = session.simulation
    graph, skills = simulation.graphs[agent], simulation.agents[agent].skills
    house = simulation.state.house
    held = next(iter(simulation.state.held(agent).values()), "")
    objects = list(graph.of_kind("object"))
    pieces = list(graph.of_kind("furniture"))
    actions = [Action("Wait")]
    actions += [Action("Explore", (room.name,)) for room in house.rooms]
    actions += [
        Action("Navigate", (node.name,)) for node in (*pieces, *objects) if node.name != held
    ]
    for skill, (state, before) in STATES.items():
        if skill not in skills or (skill == "Pour" and not held):
            continue
        actions += [
            Action(skill, (node.name,))
            for node in (*pieces, *objects)
            if node.states.get(state, not before) is before
        ]
    carried = [held] if held else [node.name for node in objects if node.relation != "held"]
    if not held:
        actions += [Action("Pick", (name,)) for name in carried]
    places = _places(graph, (*pieces, *objects), session)
    for name in carried:
        for relation, target in places:
            if target != name:
                actions.append(Action("Rearrange", (name, relation, target)))
                if held:
                    actions.append(Action("Place", (name, relation, target)))
    return actions


def _places(
    graph: WorldGraph, nodes: tuple[Node, ...], session: PartnrSession
) -> list[tuple[str, str]]:
    """Where things can be put: relation and target, each once."""
    house = session.simulation.state.house
    places = []
    for node in nodes:
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        kinds = (
            dict.fromkeys(receptacle.kind for receptacle in whole.receptacles)
            if whole is not None
            else {}
        )
        places += [
            (kind, node.name) for kind in kinds if kind == "on" or node.states.get("open", True)
        ]
    return places + [("on", room.floor_name) for room in house.rooms]


def random_call(space: ActionSpace, rng: np.random.Generator) -> Action:
    """A valid call, drawn at random; never Done or a perception tool."""
    name = str(
        rng.choice([name for name in space.possible() if name != "Done" and name not in TOOLS])
    )
    args: list[str] = []
    for _, kind in CALLS[name]:
        if kind == "beside" and rng.random() < 0.5:
            continue
        names = space.names(kind)
        drawn = names[int(rng.integers(len(names)))]
        args += ["next_to", drawn] if kind == "beside" else [drawn]
    return Action(name, tuple(args))


def play_random(task: PartnrTask, rng: np.random.Generator) -> PartnrSession:
    """A run in which everybody acts at random."""
    session = PartnrSession(task)
    return play_policies(session, dict.fromkeys(session.agents, random_policy(rng)))


def random_output(task: PartnrTask, rng: np.random.Generator) -> str:
    """The transcript of a random run."""
    return write_transcript(play_random(task, rng))
