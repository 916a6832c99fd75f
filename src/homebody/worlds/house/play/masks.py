"""The mask of the actions that look possible to an agent, updated incrementally.

Reachable objects come from the agent's position: the furniture and objects that are initially in
reach from there (cached by position), their open contents, and objects that were moved there since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import (
    Box,
    Furniture,
    House,
    Point,
    Pose,
    Thing,
    box_at,
)
from homebody.worlds.house.play.possible import SWITCHES, Uses, believed_box, uses_of
from homebody.worlds.house.play.symbols import (
    SKILLS,
    Bools,
)
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.doors import shut_leaves
from homebody.worlds.house.simulation.walking.navigation import is_in_reach
from homebody.worlds.house.simulation.walking.walls import first_memory

_WAIT, _NAVIGATE, _EXPLORE, _PICK, _PLACE_ON, _PLACE_WITHIN, _OPEN, _CLOSE = range(8)
_CLEAN, _FILL, _POUR, _POWER_ON, _POWER_OFF = range(8, len(SKILLS))
_ROW: Final = {name: row for row, name in enumerate(SKILLS)}
_PLACING: Final = {"on": "PlaceOn", "within": "PlaceWithin"}
"""Relation -> the skill that places objects in it."""
_PLACES: Final = 5_000
"""Maximum number of places whose surroundings are cached."""


class PossibleActions:
    """The actions that make sense to one agent.

    Args:
        simulation: The simulation, which is only read.
        agent: The agent.
        slots: Name -> its row.
        total: The number of rows.
    """

    def __init__(
        self, simulation: Simulation, agent: str, slots: Mapping[str, int], total: int
    ) -> None:
        house, able = simulation.state.house, simulation.agents[agent]
        self._simulation = simulation
        self._graph = simulation.graphs[agent]
        self._agent = agent
        self._able = able
        self._slots = slots
        self._total = total
        self._possible = np.zeros((len(SKILLS), total), np.bool_)
        self._walked_to = np.zeros(total, np.bool_)
        self._explored = np.zeros(total, np.bool_)
        self._explored[[slots[room.name] for room in house.rooms]] = True
        self._boxes: dict[str, Box] = {}
        self._moved: set[str] = set()
        self._facts = _facts(house)
        self._could: dict[str, list[int]] = {}
        self._contents: dict[str, dict[str, None]] = {}
        self._holder: dict[str, str] = {}
        self._unable = {
            row
            for name, row in _ROW.items()
            if ("Place" if name in _PLACING.values() else name) not in able.skills
        }
        self._versions = 0, 0  # of the graph and of the state
        self._pose: Pose | None = None
        self._held: tuple[str, ...] = ()

    def now(self) -> Bools:
        """Return the current mask, (skills, slots); only read it, and only until something happens.

        Masked actions would be refused, or are pointless (going to a held object). Other actions
        may also be refused: a place may be full, another agent may be in the way, or a belief may
        be wrong.
        """
        self._follow()
        return self._possible

    # -- following --------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Apply the changes."""
        state, graph = self._simulation.state, self._graph
        held = tuple(state.held_by(self._agent).values())
        pose = state.bodies[self._agent].pose
        versions = graph.version, state.journal.version
        if versions == self._versions and pose is self._pose and held == self._held:
            return
        known, true = self._versions
        for name in graph.changed_since(known):
            self._write(graph.nodes[name])
        for name in state.journal.since(true):  # beliefs may have become true or false
            if name in state.poses and name in graph.nodes:
                self._put(graph.nodes[name])
        self._versions, self._held, self._pose = versions, held, pose
        self._choose()

    def _write(self, node: Node) -> None:
        """Record the uses of a node and its bearer."""
        name, facts = node.name, self._facts.get(node.name)
        self._walked_to[self._slots[name]] = name != self._agent
        uses = uses_of(self._simulation.state.house, node)
        if facts is None or uses is None:
            return
        self._could[name] = _rows(uses, node, facts, self._agent)
        if facts.is_object:
            self._walked_to[self._slots[name]] = bool(node.holder)  # else its place is unknown
            self._put(node)
            before = self._holder.get(name)
            if before != node.holder:
                if before is not None:
                    del self._contents[before][name]
                self._contents.setdefault(node.holder, {})[name] = None
                self._holder[name] = node.holder

    def _put(self, node: Node) -> None:
        """Record the box of an object at its believed place."""
        state, name = self._simulation.state, node.name
        pose, facts = state.poses[name], self._facts[name]
        is_there = pose is facts.pose and pose.position == node.position
        box = facts.box if is_there else believed_box(state, node)
        self._boxes[name] = box
        if box is facts.box:
            self._moved.discard(name)
        else:
            self._moved.add(name)

    # -- what makes sense -------------------------------------------------------------------------

    def _choose(self) -> None:
        """Compute the mask."""
        possible, held, slots, nodes = self._possible, self._held, self._slots, self._graph.nodes
        full = [
            name
            for name in held
            if name in nodes
            and _can(nodes[name].category, "pourable")
            and nodes[name].states.get("filled")
        ]
        assert self._pose is not None
        around = _surroundings(
            self._simulation.state.house, self._pose.position[:2], self._able.reach
        )
        never = self._unable.copy()
        if len(held) >= len(self._able.hands):
            never.add(_PICK)
        if not held:
            never |= {_PLACE_ON, _PLACE_WITHIN}
        if not any(
            name in nodes and _can(nodes[name].category, "faucet") for name in around.pieces
        ):
            never.add(_FILL)
        if not full:
            never.add(_POUR)
        possible.fill(False)
        for name in self._touchable(around):
            row = slots[name]
            for skill in self._could[name]:
                if skill not in never:
                    possible[skill, row] = True
            key = self._facts[name].key
            if key and possible[_OPEN, row] and nodes[name].states.get("locked"):
                possible[_OPEN, row] = key in held
        possible[_NAVIGATE] = self._walked_to
        for name in self._borne_by(self._agent):
            possible[_NAVIGATE, slots[name]] = False
        possible[_EXPLORE] = self._explored
        if held:
            possible[_PLACE_ON, slots[nodes[self._agent].room]] = True
            for name in (held[0], *self._borne_by(held[0])):
                possible[_PLACE_ON : _PLACE_WITHIN + 1, slots[name]] = False
        if len(full) == 1:
            possible[_POUR, slots[full[0]]] = False
        possible[_WAIT, 0] = True
        if self._unable:
            possible[list(self._unable)] = False

    def _borne_by(self, holder: str) -> list[str]:
        """Return all objects believed on, in or held by something, at any depth."""
        names = list(self._contents.get(holder, ()))
        for name in names:
            names += [inner for inner in self._contents.get(name, ()) if inner not in names]
        return names

    def _touchable(self, around: _Surroundings) -> Iterable[str]:
        """Return the objects that are believed to be in reach, not behind a closed door or lid, and
        not held by others."""
        state, nodes = self._simulation.state, self._graph.nodes
        near = set(around.pieces)
        self._add_open(near, [self._agent, *around.pieces])
        assert self._pose is not None
        house, here, reach = state.house, self._pose.position[:2], self._able.reach
        moved, boxes = self._moved, self._boxes
        at_hand = [name for name in around.things if name in boxes and name not in moved]
        at_hand += [name for name in moved if is_in_reach(house, here, boxes[name], reach)]
        for name in at_hand:  # in reach although its bearer may not be
            if name not in near and self._is_free(name):
                near.add(name)
                self._add_open(near, [name])
        return [name for name in near if name not in state.poses or nodes[name].holder]

    def _add_open(self, near: set[str], holders: list[str]) -> None:
        """Add the contents of some objects at any depth, except the contents of closed objects."""
        nodes, contents = self._graph.nodes, self._contents
        for holder in holders:  # which grows meanwhile
            if not (names := contents.get(holder)):
                continue
            shut = holder in nodes and nodes[holder].states.get("open") is False
            for name in names:
                if name not in near and not (shut and nodes[name].relation == "within"):
                    near.add(name)
                    holders.append(name)

    def _is_free(self, name: str) -> bool:
        """Return whether an object is believed to be outside closed containers and not held by
        another agent."""
        nodes, at = self._graph.nodes, name
        for _ in range(len(nodes)):  # old and new beliefs may form a circle
            holder = self._holder.get(at)
            if holder is None:
                return True
            if self._simulation.state.can_hold(holder):
                return holder == self._agent
            outer = nodes.get(holder)
            if outer is None:
                return True
            if nodes[at].relation == "within" and outer.states.get("open") is False:
                return False
            at = holder
        return True


def _rows(uses: Uses, node: Node, facts: _Facts, agent: str) -> list[int]:
    """Return the rows of skills that suit an object or piece in reach, whatever the agent holds. A
    state that the agent does not know may have any value."""
    names = [
        skill
        for skill, (state, value) in SWITCHES.items()
        if state in uses.states and node.states.get(state, value) is value
    ]
    names += [_PLACING[relation] for relation in uses.takes]
    if facts.is_object and node.holder != agent and _can(node.category, "grabbable", True):
        names.append("Pick")
    if node.states.get("locked") and not facts.key and "Open" in names:
        names.remove("Open")
    return [_ROW[name] for name in names]


@dataclass(frozen=True, slots=True)
class _Facts:
    """The constant facts of an object, a piece of furniture or a door.

    Attributes:
        is_object: True for objects.
        pose: Initial pose.
        box: Initial box.
        key: The object that unlocks it, or an empty string.
    """

    is_object: bool
    pose: Pose
    box: Box
    key: str


def _facts(house: House) -> Mapping[str, _Facts]:
    """Return the facts of all objects, pieces and doors of a house, cached with it."""
    facts: dict[str, _Facts] | None = first_memory(house).get("facts")
    if facts is None:
        wholes: list[Furniture | Thing] = [*house.furniture, *house.things]
        facts = {
            whole.name: _Facts(
                whole.name in house.thing,
                whole.pose,
                box_at(whole.pose, whole.size),
                getattr(whole, "key", ""),
            )
            for whole in wholes
        }
        for name, door in house.door.items():
            box = shut_leaves(house)[name]
            facts[name] = _Facts(False, Pose((*box.centre[:2], box.low[2])), box, door.key)
        first_memory(house)["facts"] = facts
    return facts


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """The surroundings of a place, within reach of an agent there.

    Attributes:
        pieces: Furniture and doors in reach.
        things: Objects whose initial places are in reach, shut in or not.
    """

    pieces: tuple[str, ...]
    things: tuple[str, ...]


def _surroundings(house: House, here: Point, reach: float) -> _Surroundings:
    """Return the surroundings of a place, cached with the house."""
    known: dict[tuple[Point, float], _Surroundings]
    known = first_memory(house).setdefault("surroundings", {})
    around = known.get((here, reach))
    if around is None:
        if len(known) >= _PLACES:
            known.clear()
        facts = _facts(house)
        names = list(facts)
        reached = [
            name
            for name in (names[row] for row in _not_far(here, reach, _corners(house)))
            if is_in_reach(house, here, facts[name].box, reach)
        ]
        pieces = [name for name in reached if not facts[name].is_object]
        things = [name for name in reached if facts[name].is_object]
        around = known[here, reach] = _Surroundings(tuple(pieces), tuple(things))
    return around


def _corners(house: House) -> NDArray[np.float64]:
    """Return the initial boxes of all furniture and objects for :func:`_not_far`."""
    corners: NDArray[np.float64] | None = first_memory(house).get("corners")
    if corners is None:
        boxes = [(facts.box.low[:2], facts.box.high[:2]) for facts in _facts(house).values()]
        corners = np.array(boxes).reshape(-1, 2, 2).transpose(1, 2, 0)
        first_memory(house)["corners"] = corners
    return corners


def _not_far(here: Point, reach: float, corners: NDArray[np.float64]) -> list[int]:
    """Return the numbers of the boxes that may be in reach from a place.

    Args:
        corners: (low and high, x and y, n).
    """
    start = np.array(here)[:, None]
    way = np.minimum(np.maximum(start, corners[0]), corners[1])
    way -= start
    way *= way
    rows: list[int] = np.flatnonzero(way[0] + way[1] <= (reach + 1e-6) ** 2).tolist()
    return rows


def _can(category: str, affordance: str, unknown: bool = False) -> bool:
    """Return whether a category has an affordance; ``unknown`` if the catalogue lacks it."""
    own = catalogue().affordances.get(category)
    return affordance in own if own is not None else unknown
