"""What an agent knows and could do as arrays, worked out from scratch, row by row: what
:mod:`homebody.worlds.house.play.table` and ``possible`` keep up to date."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Pose, box_at
from homebody.worlds.house.play.symbols import FEATURES, SKILLS, STATES, Bools, categories
from homebody.worlds.house.play.table import Table
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.navigation import is_in_reach


def table(simulation: Simulation, agent: str, slots: Mapping[str, int], total: int) -> Table:
    """What an agent knows, as arrays."""
    things = np.zeros((total, len(FEATURES)), np.float32)
    category, room, holder = (np.zeros(total, np.int32) for _ in range(3))
    graph, house, numbers = simulation.graphs[agent], simulation.state.house, categories()
    floors = {name: slots[room.name] for name, room in house.floors.items()}
    me = graph.nodes[agent]
    for name, node in graph.nodes.items():
        row = slots[name]
        x, y, z = node.position
        whole = house.piece.get(name) or house.thing.get(name)
        size = whole.size if whole is not None else (0.0, 0.0, 0.0)
        if name in house.door:
            size = simulation.state.box(name).size
        away = float(np.hypot(x - me.position[0], y - me.position[1]))
        signs = [1.0 if value else -1.0 for value in map(node.states.get, STATES)]
        states = [
            value if state in node.states else 0.0
            for state, value in zip(STATES, signs, strict=True)
        ]
        held = node.relation == "held"
        mine = held and node.holder == agent
        on, within = node.relation == "on", node.relation == "within"
        here = node.room == me.room
        things[row] = (1.0, x, y, z, away, *size, *states, mine, held, on, within, here)
        category[row] = numbers.get(node.category, 1)
        room[row] = slots[node.room] + 1 if node.room else 0
        at = slots.get(node.holder, floors.get(node.holder))
        holder[row] = 0 if at is None else at + 1
    return Table(things, category, room, holder)


def mask(simulation: Simulation, agent: str, slots: Mapping[str, int], total: int) -> Bools:
    """(skills, slots): what makes sense to try, as far as the agent knows.

    What is masked would be refused (or, going to what one holds, pointless). What is not may yet
    be: a place may be full, another agent in the way, the world other than the agent believes.
    """
    return _Chances(simulation, agent).mask(slots, total)


class _Chances:
    """What an agent could do now, from what it knows."""

    def __init__(self, simulation: Simulation, agent: str) -> None:
        self.house = simulation.state.house
        self.state = simulation.state
        self.agent = agent
        self.able = simulation.agents[agent]
        self.graph: WorldGraph = simulation.graphs[agent]
        x, y, _ = self.state.bodies[agent].pose.position
        self.here = x, y
        self.held = list(self.state.held_by(agent).values())
        self._near: dict[str, bool] = {}

    def mask(self, slots: Mapping[str, int], total: int) -> Bools:
        possible = np.zeros((len(SKILLS), total), np.bool_)
        faucet = any(
            self.can(node, "faucet") and self.near(node) for node in self.graph.of_kind("furniture")
        )
        here = self.graph.nodes[self.agent].room
        for name, node in self.graph.nodes.items():
            column = possible[:, slots[name]]
            if node.kind == "room":
                column[[_ROW["Navigate"], _ROW["Explore"]]] = True
                column[_ROW["PlaceOn"]] = bool(self.held) and name == here
            elif node.kind in ("furniture", "object", "door"):
                self.whole(node, column, faucet)
            elif name != self.agent:
                column[_ROW["Navigate"]] = True
        possible[_ROW["Wait"], 0] = True
        for skill, row in _ROW.items():
            if skill.replace("PlaceOn", "Place").replace("PlaceWithin", "Place") not in (
                self.able.skills
            ):
                possible[row] = False
        return possible

    def whole(self, node: Node, column: Bools, faucet: bool) -> None:
        """What can be done with a thing or a piece of furniture."""
        last, shut = self.around(node)
        if node.kind == "object" and not node.holder:
            return  # nobody knows where it is
        column[_ROW["Navigate"]] = last != self.agent
        if shut or (self.state.can_hold(last) and last != self.agent) or not self.near(node):
            return
        states = self.state.states[node.name]  # whether it has them; values are the graph's
        free = len(self.held) < len(self.able.hands)
        column[_ROW["Pick"]] = (
            node.kind == "object"
            and free
            and node.holder != self.agent
            and self.can(node, "grabbable")
        )
        if self.held and node.name != self.held[0] and not self.is_in(node, self.held[0]):
            whole = self.house.piece.get(node.name) or self.house.thing.get(node.name)
            for receptacle in whole.receptacles if whole is not None else ():
                if receptacle.kind == "on":
                    column[_ROW["PlaceOn"]] = True
                elif node.states.get("open") is not False:
                    column[_ROW["PlaceWithin"]] = True
        if "open" in states:
            piece = self.house.piece.get(node.name) or self.house.door.get(node.name)
            locked = bool(node.states.get("locked"))
            key = locked and piece is not None and piece.key in self.held
            column[_ROW["Open"]] = node.states.get("open") is not True and (not locked or key)
            column[_ROW["Close"]] = node.states.get("open") is not False
        if "clean" in states:
            column[_ROW["Clean"]] = node.states.get("clean") is not True
        if "filled" in states and node.states.get("filled") is not True:
            column[_ROW["Fill"]] = faucet
            column[_ROW["Pour"]] = any(
                held != node.name
                and self.can(self.graph.nodes[held], "pourable")
                and self.graph.nodes[held].states.get("filled")
                for held in self.held
                if held in self.graph.nodes
            )
        if "powered_on" in states:
            column[_ROW["PowerOn"]] = node.states.get("powered_on") is not True
            column[_ROW["PowerOff"]] = node.states.get("powered_on") is not False

    def can(self, node: Node, affordance: str) -> bool:
        own = catalogue().affordances.get(node.category)
        return (
            affordance in own
            if own is not None
            else affordance == "grabbable" and node.kind == "object"
        )

    def around(self, node: Node) -> tuple[str, bool]:
        """What bears a thing in the end, and whether something shut is around it."""
        shut = False
        at = node
        for _ in range(len(self.graph.nodes)):
            if at.kind != "object" or at.holder not in self.graph.nodes:
                return at.holder if at.kind == "object" else at.name, shut
            outer = self.graph.nodes[at.holder]
            shut = shut or (at.relation == "within" and outer.states.get("open") is False)
            at = outer
        return at.name, shut

    def is_in(self, node: Node, other: str) -> bool:
        """Whether a thing is believed in another."""
        at: Node | None = node
        for _ in range(len(self.graph.nodes)):
            if at is None or at.kind != "object":
                return False
            if at.holder == other:
                return True
            at = self.graph.nodes.get(at.holder)
        return False

    def near(self, node: Node) -> bool:
        """Whether a thing, or what is believed to bear it, is in reach."""
        near = self._near.get(node.name)
        if near is None:
            self._near[node.name] = False  # while it is looked at: beliefs may go in circles
            near = self._near[node.name] = self._is_near(node)
        return near

    def _is_near(self, node: Node) -> bool:
        if node.kind == "agent":
            return node.name == self.agent
        fixed = node.kind in ("furniture", "door", "person")
        if fixed or self.state.poses[node.name].position == node.position:
            box = self.state.box(node.name)
        else:
            box = box_at(Pose(node.position), self.house.thing[node.name].size)
        if is_in_reach(self.house, self.here, box, self.able.reach):
            return True
        outer = self.graph.nodes.get(node.holder)
        return outer is not None and outer.kind != "room" and self.near(outer)


_ROW = {name: number for number, name in enumerate(SKILLS)}
