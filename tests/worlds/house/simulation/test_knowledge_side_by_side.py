"""What is kept up to date, and the same worked out anew at each look: the same to the last bit."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.action import Action
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN, ROBOT
from homebody.worlds.house.model.house import House, box_at
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation import senses
from homebody.worlds.house.simulation.believed_state import imagine_state
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import (
    PerceptionErrors,
    WorldGraph,
    sees_room,
)
from homebody.worlds.house.simulation.relations import gap, is_shut_in, room_of
from homebody.worlds.house.simulation.rooms import room_now
from homebody.worlds.house.simulation.simulation import Simulation
from thorough import examples
from worlds.house.handmade import two_rooms

AGENTS = {
    "robot": ROBOT,
    "human": replace(HUMAN, hands=("right", "left")),
    "child": replace(HUMAN, size=(0.4, 0.4, 1.2), view=120.0),
}
SKILLS = ("Navigate", "Pick", "Open", "Close", "Explore", "Fill", "PowerOn", "Wait")
HOUSES: dict[str, House] = {}


def house(name: str) -> House:
    if name not in HOUSES:
        HOUSES[name] = two_rooms() if name == "by hand" else generate(int(name), rooms=4)
    return HOUSES[name]


class Anew:
    """An agent's knowledge, for which each look is at everything."""

    def __init__(
        self,
        state: HouseState,
        graph: WorldGraph,
        errors: PerceptionErrors | None,
        rng: np.random.Generator | None,
    ) -> None:
        self.state, self.agent, self.errors, self.rng = state, graph.agent, errors, rng
        self.nodes: dict[str, Node] = {}
        self.mistaken: dict[str, str] = {}
        self.misplaced: dict[str, tuple[Any, str]] = {}
        self.ahead = graph._is_ahead
        for room in state.house.rooms:
            self.nodes[room.name] = graph[room.name]
        for piece in state.house.furniture:
            node = truth(state, piece.name)
            self.nodes[piece.name] = replace(node, states={}) if graph.partial else node
        for name in state.house.door:
            node = truth(state, name)
            self.nodes[name] = replace(node, states={}) if graph.partial else node
        everything = *(person.name for person in state.house.people), *state.poses, *state.bodies
        for name in (graph.agent,) if graph.partial else everything:
            self.learn(name)

    def learn(self, name: str, looking: bool = False) -> None:
        node = truth(self.state, name)
        if node.kind == "object" and self.errors is not None:
            if looking:
                node = self.mistake(node, self.errors)
            else:
                self.mistaken[name] = node.category
                self.misplaced[name] = node.position, node.room
        self.nodes[name] = node

    def chance(self, probability: float) -> bool:
        assert self.rng is not None
        return bool(self.rng.random() < probability)

    def mistake(self, node: Node, errors: PerceptionErrors) -> Node:
        assert self.rng is not None
        of = self.state.house
        if node.name not in self.mistaken:
            category = node.category
            if self.chance(errors.misclassified):
                others = sorted({thing.category for thing in of.things} - {category})
                category = others[int(self.rng.integers(len(others)))]
            self.mistaken[node.name] = category
        before = self.misplaced.get(node.name)
        if before is None or before[0] != node.position:
            room = node.room
            if self.chance(errors.wrong_room):
                rooms = [other.name for other in of.rooms if other.name != room]
                room = rooms[int(self.rng.integers(len(rooms)))]
            before = self.misplaced[node.name] = node.position, room
        return replace(node, category=self.mistaken[node.name], room=before[1])

    def see(self, names: Iterable[str]) -> None:
        state = self.state
        seen = set(names) - set(state.house.room) - set(state.house.floors)
        for name in sorted(seen):
            missable = name in state.poses and self.errors is not None and self.errors.missed
            if not (missable and self.chance(self.errors.missed if self.errors else 0.0)):
                self.learn(name, looking=True)
        self.learn(self.agent)
        for name in state.held_by(self.agent).values():
            self.learn(name)
        here = state.box(self.agent)
        for node in list(self.nodes.values()):
            if node.kind != "object" or node.name in seen or not node.holder:
                continue
            if node.holder == state.places[node.name][0] or not self.ahead(node.position):
                continue
            x, y, _ = node.position
            if node.holder == self.agent:
                gone = True
            elif node.holder in state.house.floors:
                point = replace(here, low=(x, y, 0.0), high=(x, y, 0.0))
                gone = gap(here, point) <= 1.0
            elif node.holder in state.bodies:
                gone = node.holder in seen
            else:
                shut = state.states.get(node.holder, {}).get("open") is False
                beside = gap(here, state.box(node.holder)) <= 1.0
                inside = shut and node.relation == "within"
                gone = node.holder in seen and beside and not inside
            if gone:
                self.nodes[node.name] = replace(node, room="", holder="", relation="")
        for other in state.bodies.keys() & self.nodes.keys() - seen:
            node = self.nodes[other]
            left = node.position != truth(state, other).position
            if left and node.room == room_of(state, self.agent) and self.ahead(node.position):
                self.nodes[other] = replace(node, room="")
                with_it = {other}
                for _ in self.nodes:
                    with_it |= {n.name for n in self.nodes.values() if n.holder in with_it}
                for name in with_it:
                    self.nodes[name] = replace(self.nodes[name], room="")

    def look_into(self, name: str) -> None:
        of, state = self.state.house, self.state
        whole = of.piece.get(name) or of.thing.get(name)
        for space in whole.receptacles if whole is not None else ():
            for inner in state.objects_at((name, space.name)):
                missable = self.errors is not None and self.errors.missed
                if not (missable and self.chance(self.errors.missed if self.errors else 0.0)):
                    self.learn(inner, looking=True)
                if state.states[inner].get("open") is not False:
                    self.look_into(inner)


def truth(state: HouseState, name: str) -> Node:
    of = state.house
    if name in state.bodies:
        return Node(name, "agent", "agent", state.bodies[name].pose.position, room_of(state, name))
    if name in of.piece:
        piece, states = of.piece[name], state.states[name]
        where = piece.pose.position
        return Node(name, "furniture", piece.category, where, piece.room, states=dict(states))
    if name in of.door:
        x, y, _ = state.box(name).centre
        room, states = of.door[name].swings_into, dict(state.states[name])
        return Node(name, "door", "door", (x, y, 0.0), room, states=states)
    if name not in state.poses:
        person = next(person for person in of.people if person.name == name)
        where = person.pose.position
        does = person.activity
        return Node(name, "person", person.posture, where, person.room, person.on, activity=does)
    holder, receptacle = state.places[name]
    relation = "held" if state.can_hold(holder) else "on"
    whole = of.piece.get(holder) or of.thing.get(holder)
    for space in whole.receptacles if whole is not None else ():
        relation = space.kind if space.name == receptacle else relation
    category, where, room = of.thing[name].category, state.poses[name].position, ""
    room = room_of(state, name)
    return Node(name, "object", category, where, room, holder, relation, dict(state.states[name]))


def in_sight(state: HouseState, agent: str) -> set[str]:
    """What :func:`sees_room` sees, by looking at each thing there is."""
    room, of = room_of(state, agent), state.house
    standing = {other.name for other in (*of.furniture, *of.people) if other.room == room}
    standing |= {name for name, door in of.door.items() if room in door.rooms}
    moving = {name for name in (*state.bodies, *state.poses) if room_of(state, name) == room}
    return standing | {name for name in moving if not is_shut_in(state, name)}


class Watched(WorldGraph):
    """A world graph beside which all is worked out anew."""

    def __init__(self, state: HouseState, agent: str, **options: Any) -> None:
        rng = copy.deepcopy(options.get("rng"))
        super().__init__(state, agent, **options)
        self.anew = Anew(state, self, options.get("errors"), rng)
        self.before: tuple[int, Mapping[str, Node]] = self.version, dict(self.nodes)
        self.check()

    def refresh(self, names: Iterable[str]) -> None:
        super().refresh(names := list(names))
        if hasattr(self, "anew"):
            state = self._state
            for name in names if self.partial else (*state.poses, *state.states, *state.bodies):
                self.anew.learn(name)
            self.check()

    def learn_from_action(self, action: Action) -> None:
        super().learn_from_action(action)
        for name in action.args:
            if name in self._state.states:
                self.anew.learn(name)
        if action.name == "Open":
            self.anew.look_into(action.args[0])

    def see(self, names: Iterable[str]) -> None:
        super().see(names := list(names))
        self.anew.see(names)
        self.check()

    def check(self) -> None:
        assert list(self.nodes.items()) == list(self.anew.nodes.items())
        version, before = self.before
        differ = {name for name, node in self.nodes.items() if before.get(name) != node}
        assert differ <= set(self.changed_since(version))
        self.before = self.version, dict(self.nodes)
        state = self._state
        assert set(sees_room(state, self.agent)) == in_sight(state, self.agent)
        assert all(room_now(state, name) == room_of(state, name) for name in state.poses)
        if self.partial:
            believed, (anew, _) = self.believed_state(), imagine_state(self, state)
            for part in ("poses", "places", "states", "bodies"):
                assert getattr(believed, part) == getattr(anew, part)
            for name, pose in believed.poses.items():
                assert believed.box(name) == box_at(pose, state.house.thing[name].size)
                assert name in believed.objects_at(believed.places[name])
            for name, body in believed.bodies.items():
                assert believed.box(name) == box_at(body.pose, body.size)


def anything(rng: np.random.Generator, simulation: Simulation, agent: str) -> Action:
    """Something that an agent might try, mostly with what it knows."""
    graph, state = simulation.graphs[agent], simulation.state

    def one_of(*names: str) -> str:
        return names[int(rng.integers(len(names)))] if names else "nothing"

    objects = [node.name for node in graph.of_kind("object")]
    held = list(state.held_by(agent).values())
    if rng.random() < (0.5 if held else 0.2) and objects:
        name = one_of(*(held or objects))
        target = one_of(*graph.nodes, *state.house.floors)
        skill = one_of("Rearrange", "Rearrange", "Place")
        return Action(skill, (name, one_of("on", "within"), target))
    skill = one_of(*SKILLS)
    if skill == "Wait":
        return Action("Wait")
    if skill == "Explore":
        return Action("Explore", (one_of(*state.house.room),))
    pieces = [node.name for node in graph.of_kind("furniture") if node.room == graph[agent].room]
    pieces += state.house.door
    return Action(skill, (one_of(*objects, *pieces, *state.bodies),))


def play(simulation: Simulation, rng: np.random.Generator, events: int) -> Iterator[int]:
    for event in range(events):
        for agent in simulation.agents:
            if simulation.busy(agent) is None:
                simulation.act(agent, anything(rng, simulation, agent))
        stop = simulation.clock + int(rng.integers(1, 90)) if rng.random() < 0.3 else None
        simulation.advance(stop)
        yield event


def hearsay(rng: np.random.Generator, simulation: Simulation) -> Node:
    """What an agent might be told by another, or take a thing to be in by mistake."""
    graphs, of = list(simulation.graphs.values()), simulation.state.house
    nodes = list(graphs[int(rng.integers(len(graphs)))].nodes.values())
    node = nodes[int(rng.integers(len(nodes)))]
    if node.kind == "object" and rng.random() < 0.8:
        holder = of.things[int(rng.integers(len(of.things)))].name
        return replace(node, holder=holder, relation="within")
    return node


@pytest.mark.slow
@examples(20)
@given(
    st.sampled_from(["by hand", "5", "6"]),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from([None, None, PerceptionErrors(0.2, 0.2, 0.2)]),
    st.integers(0, 2**31),
)
def test_knowledge_beliefs_and_rooms_are_those_worked_out_anew(
    scene: str, count: int, partial: bool, errors: PerceptionErrors | None, seed: int
) -> None:
    agents = dict(list(AGENTS.items())[:count])
    with patch.object(senses, "WorldGraph", Watched):
        simulation = Simulation(
            house(scene),
            agents,
            seed=seed,
            sees=sees_room if partial else None,
            errors=errors if partial else None,
            failures={"Pick": 0.1, "Navigate": 0.1},
        )
        rng = np.random.default_rng(seed)
        for _ in play(simulation, rng, 40):
            for graph in simulation.graphs.values():
                if partial and rng.random() < 0.1:
                    node = hearsay(rng, simulation)
                    graph.believe(node)
                    graph.anew.nodes[node.name] = node  # type: ignore[attr-defined]


@pytest.mark.slow
@examples(5)
@given(st.integers(0, 2**31))
def test_so_is_what_is_seen_by_rays(seed: int) -> None:
    pytest.importorskip("embreex")
    from homebody.worlds.house.rendering.visibility import looking

    with patch.object(senses, "WorldGraph", Watched):
        sees = looking(house("5"), view=100.0 if seed % 2 else 360.0)
        simulation = Simulation(house("5"), AGENTS, seed=seed, sees=sees)
        for _ in play(simulation, np.random.default_rng(seed), 25):
            pass


@examples(15)
@given(st.sampled_from(["by hand", "5", "6"]), st.integers(0, 2**31))
def test_looks_that_are_passed_by_would_have_taught_nothing(scene: str, seed: int) -> None:
    def knowledge() -> object:
        simulation = Simulation(house(scene), {"human": AGENTS["human"]}, seed=seed, sees=sees_room)
        rng = np.random.default_rng(seed)
        graph, state = simulation.graphs["human"], simulation.state
        told = []
        for _ in range(40):
            before = graph.version, state.journal.version
            while simulation.act("human", anything(rng, simulation, "human")) is not None:
                pass
            events = simulation.advance()
            told.append((events, graph.changed_since(before[0]), state.journal.since(before[1])))
            told[-1] += (set(graph.learnt), list(graph.nodes.items()), dict(state.poses))
            if rng.random() < 0.2:
                graph.learnt.clear()
        return told, simulation.moved

    with patch.object(senses.Senses, "passes_by", lambda *_: False):
        looked = knowledge()
    assert knowledge() == looked
