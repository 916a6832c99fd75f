"""Options that are kept up to date are those listed from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import DONE, WAIT, Action
from homebody.core.play.options import by_kind
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.play.options import HouseOptions
from homebody.worlds.house.play.possible import SWITCHES
from homebody.worlds.house.play.session import HouseSession
from homebody.worlds.house.play.tasks import HouseTask
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation
from thorough import examples
from worlds.house.play.test_masks_and_table import AGENTS, homes, start


def plain_options(simulation: Simulation, role: str) -> list[Action]:
    """What looks possible, listed from scratch."""
    graph, skills = simulation.graphs[role], simulation.agents[role].skills
    house = simulation.state.house
    held = list(simulation.state.held_by(role).values())
    objects = list(graph.of_kind("object"))
    pieces = list(graph.of_kind("furniture"))
    doors = [
        node for node in graph.of_kind("door") if graph[role].room in house.door[node.name].rooms
    ]
    actions = [WAIT]
    actions += [Action("Explore", (room.name,)) for room in house.rooms]
    actions += [
        Action("Navigate", (node.name,))
        for node in (*pieces, *objects, *doors)
        if node.name not in held
    ]
    for skill, (state, before) in SWITCHES.items():
        if skill not in skills or (skill == "Pour" and not held):
            continue
        actions += [
            Action(skill, (node.name,))
            for node in (*pieces, *objects, *doors)
            if node.states.get(state, not before) is before
        ]
    free = [node.name for node in objects if node.relation != "held"]
    if len(held) < len(simulation.agents[role].hands):
        actions += [Action("Pick", (name,)) for name in free]
    carried = held or free
    places = _places(simulation, (*pieces, *objects))
    for name in carried:
        for relation, target in places:
            if target != name:
                actions.append(Action("Rearrange", (name, relation, target)))
                if held:
                    actions.append(Action("Place", (name, relation, target)))
    return [*actions, DONE]


def _places(simulation: Simulation, nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """Where things can be put: relation and target, each once."""
    house = simulation.state.house
    places = []
    for node in nodes:
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        kinds: dict[Any, None] = (
            dict.fromkeys(receptacle.kind for receptacle in whole.receptacles)
            if whole is not None
            else {}
        )
        places += [
            (kind, node.name) for kind in kinds if kind == "on" or node.states.get("open", True)
        ]
    return places + [("on", room.floor_name) for room in house.rooms]


@pytest.mark.slow
@examples(6)
@given(
    home=st.sampled_from(range(len(homes()))),
    way=st.sampled_from(["room", "all", "erring"]),
    seed=st.integers(0, 2**16),
    often=st.floats(0.1, 1.0),
)
def test_options_are_kept_up_to_date(home: int, way: str, seed: int, often: float) -> None:
    simulation = start(homes()[home], seed, way)
    rng = np.random.default_rng(seed)
    kept = {role: HouseOptions(simulation, role) for role in AGENTS}
    for _ in range(25):
        for role in AGENTS:
            if simulation.busy(role) is None:
                kinds = list(by_kind(plain_options(simulation, role)).values())[:-1]
                kind = kinds[int(rng.integers(len(kinds)))]
                simulation.act(role, kind[int(rng.integers(len(kind)))])
        simulation.advance()
        for role, options in kept.items():
            if rng.random() < often:
                now, plain = options.now(), plain_options(simulation, role)
                assert list(now) == plain
                assert [now[place] for place in (0, -1)] == [plain[place] for place in (0, -1)]
                assert by_kind(now) == by_kind(plain)


def test_an_action_is_made_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many options there are, and which are the first hundred, costs no action."""
    session = HouseSession(start(homes()[0], 1, "all"), HouseTask("nothing"))
    made = []

    def counted(name: str, args: tuple[str, ...]) -> Action:
        made.append(name)
        return Action(name, args)

    monkeypatch.setattr("homebody.core.play.options.Action", counted)
    options = session.observe("robot").options
    assert len(options) > 500
    assert len(options[:100]) == 100
    assert len(by_kind(options)["Rearrange"]) > 300
    assert made == []
    assert options[-1] == DONE
    assert made == ["Done"]


def test_who_cannot_explore_walks_to_rooms_and_is_offered_nothing_else() -> None:
    simulation = Simulation(homes()[0], {"robot": Agent(frozenset({"Navigate", "Pick"}))})
    options = HouseOptions(simulation, "robot").now()
    assert {action.name for action in options} == {"Navigate", "Pick", "Done"}
    rooms = [Action("Navigate", (room.name,)) for room in homes()[0].rooms]
    assert list(options)[: len(rooms)] == rooms
