"""The random agent: any of the actions that look possible to it, now and then ``Done``.

It knows no more than its world graph: rooms and furniture, and the objects that it has seen or, in
a fully observed episode, all of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.expert import Policy, play
from homebody.suites.partnr.running import DONE, Run, write_transcript
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

    def act(run: Run, agent: str) -> Action:
        if rng.random() < STOPS:
            return Action(DONE)
        options = actions(run, agent)
        kinds = sorted({one.name for one in options})
        kind = kinds[int(rng.integers(len(kinds)))]
        some = [one for one in options if one.name == kind]
        return some[int(rng.integers(len(some)))]

    return act


def actions(run: Run, agent: str) -> list[Action]:
    """All actions that look possible to an agent, in a fixed order: what they are done to is
    known to it and of the right kind. Whether it is within reach is not looked at."""
    simulation = run.simulation
    graph, skills = simulation.graphs[agent], simulation.agents[agent].skills
    house = simulation.state.house
    held = next(iter(simulation.state.held(agent).values()), "")
    objects = list(graph.of_kind("object"))
    pieces = list(graph.of_kind("furniture"))
    found = [Action("Wait")]
    found += [Action("Explore", (room.name,)) for room in house.rooms]
    found += [Action("Navigate", (one.name,)) for one in (*pieces, *objects) if one.name != held]
    for skill, (state, before) in STATES.items():
        if skill not in skills or (skill == "Pour" and not held):
            continue
        found += [
            Action(skill, (one.name,))
            for one in (*pieces, *objects)
            if one.states.get(state, not before) is before
        ]
    carried = [held] if held else [one.name for one in objects if one.relation != "held"]
    if not held:
        found += [Action("Pick", (name,)) for name in carried]
    places = _places(graph, (*pieces, *objects), run)
    for name in carried:
        for relation, target in places:
            if target != name:
                found.append(Action("Rearrange", (name, relation, target)))
                if held:
                    found.append(Action("Place", (name, relation, target)))
    return found


def _places(graph: WorldGraph, nodes: tuple[Node, ...], run: Run) -> list[tuple[str, str]]:
    """Where things can be put: relation and target, each once."""
    house = run.simulation.state.house
    found = []
    for node in nodes:
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        kinds = dict.fromkeys(one.kind for one in whole.receptacles) if whole is not None else {}
        found += [
            (kind, node.name) for kind in kinds if kind == "on" or node.states.get("open", True)
        ]
    return found + [("on", room.floor_name) for room in house.rooms]


def play_random(task: PartnrTask, rng: np.random.Generator) -> Run:
    """A run in which everybody acts at random."""
    run = Run(task)
    return play(run, dict.fromkeys(run.agents, random_policy(rng)))


def random_output(task: PartnrTask, rng: np.random.Generator) -> str:
    """The transcript of a random run."""
    return write_transcript(play_random(task, rng))
