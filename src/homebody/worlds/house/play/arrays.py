"""What an agent knows and could do in a house as arrays, kept up to date with what changed.

Only the rows of what has changed are written again. What hangs on others is worked out for all rows
at once: what bears something in the end, whether it is shut in or in reach go down from holders to
what they hold. Where nothing changed nothing is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Point, Pose, Size, Thing, box_at
from homebody.worlds.house.play.symbols import (
    FEATURES,
    SKILLS,
    STATES,
    Bools,
    Floats,
    Ints,
    categories,
)
from homebody.worlds.house.simulation.knowledge import Node
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walls import (
    first_memory,
    hits,
    house_walls,
    memory,
)

Flags = NDArray[np.uint8]

_ROW: Final = {name: number for number, name in enumerate(SKILLS)}
_PLACING: Final = {"PlaceOn": "Place", "PlaceWithin": "Place"}
_DISTANCE: Final = FEATURES.index("distance")
_HERE: Final = FEATURES.index("here")
_PLACES: Final = 5_000
"""Places of which is remembered what is in reach, at most."""
_NOWHERE: Final = 1e9
"""Metres away: where what has no box is taken to be."""
_MINE, _OTHERS, _SHUT, _NEAR, _IN_HAND = (np.uint8(1 << bit) for bit in range(5))
"""What a thing has from what bears it: borne by the agent, by another one, in something shut, in
reach, in what the agent would place."""


@dataclass(frozen=True, slots=True)
class Table:
    """What an agent knows: a row for each slot.

    Attributes:
        things: (slots, features).
        category: (slots,): see :func:`categories`.
        room: (slots,): slot of its room, plus 1; 0 if that is not known.
        holder: (slots,): slot of what bears it (of a floor: the room's), plus 1, or 0.
    """

    things: Floats
    category: Ints
    room: Ints
    holder: Ints


class Arrays:
    """What one agent knows and could do.

    Args:
        simulation: Only read.
        agent: Who.
        slots: Name -> its row.
        total: How many rows there are.
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
        self._table = Table(
            np.zeros((total, len(FEATURES)), np.float32),
            *(np.zeros(total, np.int32) for _ in range(3)),
        )
        self._possible = np.zeros((len(SKILLS), total), np.bool_)
        self._could = np.zeros((len(SKILLS), total), np.bool_)
        self._known = np.zeros(total, np.bool_)
        self._touchable = np.zeros(total, np.bool_)
        self._where = np.zeros((2, total))
        self._boxes = np.full((2, 2, total), _NOWHERE)
        # one more row, of what nothing bears
        self._outer = np.full(total + 1, total, np.intp)
        self._depth = 0
        self._own = np.zeros(total + 1, np.uint8)
        for name in simulation.agents:
            self._own[slots[name]] = _MINE | _NEAR if name == agent else _OTHERS
        self._closed = np.zeros(total + 1, np.bool_)
        self._within = np.zeros(total + 1, np.bool_)
        self._locked: dict[int, str] = {}
        self._unable = [
            row for row, name in enumerate(SKILLS) if _PLACING.get(name, name) not in able.skills
        ]
        self._floors = {name: slots[room.name] for name, room in house.floors.items()}
        self._faucets = [
            slots[piece.name] for piece in house.furniture if _can(piece.category, "faucet")
        ]
        self._facts = _facts(house)
        self._first_piece = slots[house.furniture[0].name] if house.furniture else 0
        self._first_thing = slots[house.things[0].name] if house.things else 0
        self._versions = 0, 0  # of the graph and of the state
        self._pose: Pose | None = None
        self._held: tuple[str, ...] = ()

    def table(self) -> Table:
        """What the agent knows; only to be read, until something happens."""
        self._follow()
        return self._table

    def mask(self) -> Bools:
        """(skills, slots): what makes sense to try, as far as the agent knows; only to be read,
        until something happens.

        What is masked would be refused (or, going to what one holds, pointless). What is not may
        yet be: a place may be full, another agent in the way, the world other than the agent
        believes.
        """
        self._follow()
        return self._possible

    # -- following --------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Take over what changed."""
        state, graph = self._simulation.state, self._graph
        held = tuple(state.held(self._agent).values())
        pose = state.bodies[self._agent].pose
        versions = graph.version, state.journal.version
        if versions == self._versions and pose is self._pose and held == self._held:
            return
        known, true = self._versions
        learnt, outer = graph.changed_since(known), self._outer.copy()
        for name in learnt:
            self._write(graph.nodes[name])
        for name in state.journal.since(true):  # a thing may be where it is believed, or not
            if name in state.poses and name in graph.nodes:
                self._put(graph.nodes[name])
        if not np.array_equal(outer, self._outer):
            self._depth = _depth(self._outer)
        self._versions, self._held, self._pose = versions, held, pose
        self._compare()
        self._choose(self._passed_on())

    def _write(self, node: Node) -> None:
        """Write the row of a node."""
        row, slots, facts = self._slots[node.name], self._slots, self._facts.get(node.name)
        x, y, z = node.position
        table, states, relation = self._table, node.states, node.relation
        held = relation == "held"
        table.things[row] = (
            *(1.0, x, y, z, 0.0),
            *(facts.size if facts is not None else (0.0, 0.0, 0.0)),
            *[_SIGN[states.get(name)] for name in STATES],
            *(held and node.holder == self._agent, held),
            *(relation == "on", relation == "within", 0.0),
        )
        table.category[row] = categories().get(node.category, 1)
        table.room[row] = slots[node.room] + 1 if node.room else 0
        at = slots.get(node.holder, self._floors.get(node.holder))
        table.holder[row] = 0 if at is None else at + 1
        self._where[:, row] = x, y
        self._known[row] = True
        if facts is not None:
            self._put(node)
            self._could[:, row] = self._could_do(node, facts)
            self._outer[row] = slots.get(node.holder, self._total)
            self._within[row] = relation == "within"
            self._closed[row] = states.get("open") is False
        elif node.kind == "room":
            self._could[[_ROW["Navigate"], _ROW["Explore"]], row] = True
        else:
            self._could[_ROW["Navigate"], row] = True

    def _could_do(self, node: Node, facts: _Facts) -> list[bool]:
        """Which skills make sense with a thing or piece that is in reach, whatever one holds."""
        row, states, could = self._slots[node.name], node.states, [False] * len(SKILLS)
        placed = not facts.is_object or bool(node.holder)  # else nobody knows where it is
        self._touchable[row] = could[_ROW["Navigate"]] = placed
        could[_ROW["Pick"]] = (
            facts.is_object
            and node.holder != self._agent
            and _can(node.category, "grabbable", True)
        )
        could[_ROW["PlaceOn"]] = "on" in facts.receptacles
        could[_ROW["PlaceWithin"]] = (
            "within" in facts.receptacles and states.get("open") is not False
        )
        for skill, name, before in facts.switches:
            could[skill] = states.get(name) in (None, before)
        self._locked.pop(row, None)
        if could[_ROW["Open"]] and states.get("locked"):
            could[_ROW["Open"]] = False
            if facts.key:
                self._locked[row] = facts.key
        return could

    def _put(self, node: Node) -> None:
        """Write the box of a thing where it is believed to be."""
        state, name = self._simulation.state, node.name
        if name not in state.poses or state.poses[name].position == node.position:
            box = state.box(name)
        else:
            box = box_at(Pose(node.position), self._facts[name].size)
        (a, b, _), (c, d, _) = box.low, box.high
        self._boxes[:, :, self._slots[name]] = (a, b), (c, d)

    # -- what hangs on others ---------------------------------------------------------------------

    def _compare(self) -> None:
        """Write how far all is from the agent, and whether it is in its room."""
        table, me = self._table, self._slots[self._agent]
        x, y = self._where
        np.multiply(
            np.hypot(x - x[me], y - y[me]),
            self._known,
            out=table.things[:, _DISTANCE],
            casting="same_kind",
        )
        np.logical_and(self._known, table.room == table.room[me], out=table.things[:, _HERE])

    def _passed_on(self) -> Flags:
        """What each thing has of its own and from what bears it."""
        house, reach = self._simulation.state.house, self._able.reach
        assert self._pose is not None
        here = self._pose.position[:2]
        flags = self._own.copy()
        flags[self._within & self._closed[self._outer]] |= _SHUT
        if self._held:
            flags[self._slots[self._held[0]]] |= _IN_HAND
        around = _surroundings(house, here, reach)
        flags[self._first_piece + around.pieces] |= _NEAR
        self._hand_down(flags)
        # things may be in reach where what bears them is not
        things = slice(self._first_thing, self._first_thing + len(house.things))
        others = (flags[things] & _NEAR) == 0
        rows = _in_reach(here, reach, self._boxes[:, :, things], around.walls, others)
        if len(rows):
            flags[self._first_thing + rows] |= _NEAR
            self._hand_down(flags)
        return flags[: self._total]

    def _hand_down(self, flags: Flags) -> None:
        """Give what has something to all that it bears."""
        for _ in range(self._depth):
            flags |= flags[self._outer]

    def _choose(self, flags: Flags) -> None:
        """Write what makes sense to try."""
        graph, held = self._graph, self._held
        possible, could = self._possible, self._could
        within_reach = (flags & (_NEAR | _SHUT)) == _NEAR
        touched = self._touchable & within_reach & ((flags & _OTHERS) == 0)
        np.logical_and(could, touched, out=possible)
        possible[_ROW["Navigate"]] = could[_ROW["Navigate"]] & ((flags & _MINE) == 0)
        possible[_ROW["Explore"]] = could[_ROW["Explore"]]
        if len(held) >= len(self._able.hands):
            possible[_ROW["Pick"]] = False
        placing = possible[_ROW["PlaceOn"] : _ROW["PlaceWithin"] + 1]
        if held:
            placing &= (flags & _IN_HAND) == 0
            placing[0, self._slots[graph.nodes[self._agent].room]] = True
        else:
            placing[:] = False
        for row, key in self._locked.items():
            possible[_ROW["Open"], row] = touched[row] and key in held
        if not any(flags[row] & _NEAR for row in self._faucets):
            possible[_ROW["Fill"]] = False
        full = [
            self._slots[name]
            for name in held
            if name in graph.nodes
            and _can(graph.nodes[name].category, "pourable")
            and graph.nodes[name].states.get("filled")
        ]
        if not full:
            possible[_ROW["Pour"]] = False
        elif len(full) == 1:
            possible[_ROW["Pour"], full[0]] = False
        possible[_ROW["Wait"], 0] = True
        possible[self._unable] = False


_SIGN: Final = {True: 1.0, False: -1.0, None: 0.0}
_SWITCHES: Final = (
    (_ROW["Open"], "open", False),
    (_ROW["Close"], "open", True),
    (_ROW["Clean"], "clean", False),
    (_ROW["Fill"], "filled", False),
    (_ROW["PowerOn"], "powered_on", False),
    (_ROW["PowerOff"], "powered_on", True),
    (_ROW["Pour"], "filled", False),
)
"""Row of a skill, a state that a thing must have for it, and what that is before."""


@dataclass(frozen=True, slots=True)
class _Facts:
    """What never changes of a thing or a piece of furniture.

    Attributes:
        is_object: Whether it is no furniture.
        size: In metres.
        receptacles: Their kinds.
        switches: Those of :data:`_SWITCHES` whose state it has.
        key: What unlocks it, or an empty string.
    """

    is_object: bool
    size: Size
    receptacles: frozenset[str]
    switches: tuple[tuple[int, str, bool], ...]
    key: str


def _facts(house: House) -> Mapping[str, _Facts]:
    """The facts of all things and pieces of a house, remembered with it."""
    facts: dict[str, _Facts] | None = first_memory(house).get("facts")
    if facts is None:
        facts = first_memory(house)["facts"] = {}
        wholes: list[Furniture | Thing] = [*house.furniture, *house.things]
        for whole in wholes:
            facts[whole.name] = _Facts(
                whole.name in house.thing,
                whole.size,
                frozenset(receptacle.kind for receptacle in whole.receptacles),
                tuple(switch for switch in _SWITCHES if switch[1] in whole.states),
                getattr(whole, "key", ""),
            )
    return facts


def _depth(outer: NDArray[np.intp]) -> int:
    """How often things are in or on one another; of circles all, so that all is handed down."""
    nothing, at, depth = len(outer) - 1, outer, 0
    while depth < len(outer) and (at != nothing).any():
        at, depth = outer[at], depth + 1
    return depth


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What is around a place, within reach of who stands there: which pieces of furniture can be
    touched, and the walls (low and high, n, x and y)."""

    pieces: NDArray[np.intp]
    walls: NDArray[np.float64]


def _surroundings(house: House, here: Point, reach: float) -> _Surroundings:
    """The surroundings of a place, remembered with the house."""
    known: dict[tuple[Point, float], _Surroundings]
    known = memory(house).setdefault("surroundings", {})
    around = known.get((here, reach))
    if around is None:
        if len(known) >= _PLACES:
            known.clear()
        low, high = house_walls(house)
        near = (low <= np.array(here) + reach).all(axis=1)
        near &= (high >= np.array(here) - reach).all(axis=1)
        walls = np.stack([low[near], high[near]])
        around = _Surroundings(_in_reach(here, reach, _piece_boxes(house), walls), walls)
        known[here, reach] = around
    return around


def _piece_boxes(house: House) -> NDArray[np.float64]:
    boxes: NDArray[np.float64] | None = memory(house).get("piece boxes")
    if boxes is None:
        corners = [(piece.box.low[:2], piece.box.high[:2]) for piece in house.furniture]
        boxes = np.array(corners).reshape(-1, 2, 2).transpose(1, 2, 0)
        memory(house)["piece boxes"] = boxes
    return boxes


def _in_reach(
    here: Point,
    reach: float,
    boxes: NDArray[np.float64],
    walls: NDArray[np.float64],
    chosen: Bools | None = None,
) -> NDArray[np.intp]:
    """Which boxes are in reach from a place: :func:`.navigation.in_reach` of many at once.

    Args:
        boxes: (low and high, x and y, n).
        walls: Those around.
        chosen: Which boxes are looked at; all if left out.
    """
    start = np.array(here)[:, None]
    touched = np.minimum(np.maximum(start, boxes[0]), boxes[1])
    across, along = start - touched
    near = np.sqrt(across * across + along * along) <= reach
    rows = np.flatnonzero(near if chosen is None else near & chosen)
    if not len(rows) or not walls.shape[1]:
        return rows
    ends = touched[:, rows].T
    starts = np.broadcast_to(np.array(here), ends.shape)
    return rows[~hits(starts, ends, *walls).any(axis=1)]


def _can(category: str, affordance: str, unknown: bool = False) -> bool:
    """Whether things of a category afford something; ``unknown`` if it is none of the
    catalogue's."""
    own = catalogue().affordances.get(category)
    return affordance in own if own is not None else unknown
