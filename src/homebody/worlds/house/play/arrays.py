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
from homebody.worlds.house.model.house import Box, Pose, box_at
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
from homebody.worlds.house.simulation.walls import hits, house_walls

Flags = NDArray[np.uint8]

_ROW: Final = {name: number for number, name in enumerate(SKILLS)}
_PLACING: Final = {"PlaceOn": "Place", "PlaceWithin": "Place"}
_DISTANCE: Final = FEATURES.index("distance")
_HERE: Final = FEATURES.index("here")
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
        self._simulation = simulation
        self._agent = agent
        self._slots = slots
        self._total = total
        self._table = Table(
            np.zeros((total, len(FEATURES)), np.float32),
            *(np.zeros(total, np.int32) for _ in range(3)),
        )
        self._possible = np.zeros((len(SKILLS), total), np.bool_)
        # one more row, of what nothing bears
        self._outer = np.full(total + 1, total, np.intp)
        self._own = np.zeros(total + 1, np.uint8)
        self._closed = np.zeros(total + 1, np.bool_)
        self._within = np.zeros(total + 1, np.bool_)
        self._touchable = np.zeros(total, np.bool_)
        self._could = np.zeros((len(SKILLS), total), np.bool_)
        self._where = np.zeros((2, total))
        self._low = np.full((2, total), _NOWHERE)
        self._high = np.full((2, total), _NOWHERE)
        self._locked: dict[int, str] = {}
        able = simulation.agents[agent]
        self._unable = [
            row for row, name in enumerate(SKILLS) if _PLACING.get(name, name) not in able.skills
        ]
        house = simulation.state.house
        self._floors = {name: slots[room.name] for name, room in house.floors.items()}
        self._faucets = [
            slots[piece.name] for piece in house.furniture if _can(piece.category, "faucet")
        ]
        self._known = self._true = 0  # versions of the graph and of the state
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
        state, graph = self._simulation.state, self._simulation.graphs[self._agent]
        held = tuple(state.held(self._agent).values())
        pose = state.bodies[self._agent].pose
        unchanged = held == self._held and pose is self._pose
        if unchanged and (self._known, self._true) == (graph.version, state.journal.version):
            return
        learnt = graph.changed_since(self._known)
        for name in learnt:
            self._write(graph.nodes[name])
        for name in state.journal.since(self._true):  # a thing that is where it is believed
            if name in state.poses and name in graph.nodes:
                self._put(graph.nodes[name])
        self._known, self._true = graph.version, state.journal.version
        self._held, self._pose = held, pose
        self._compare()
        self._choose(self._passed_on())

    def _write(self, node: Node) -> None:
        """Write the row of a node."""
        row, slots, house = self._slots[node.name], self._slots, self._simulation.state.house
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        x, y, z = node.position
        states = node.states
        held, mine = node.relation == "held", node.holder == self._agent
        self._table.things[row] = (
            *(1.0, x, y, z, 0.0),
            *(whole.size if whole is not None else (0.0, 0.0, 0.0)),
            *(0.0 if name not in states else 1.0 if states[name] else -1.0 for name in STATES),
            *(held and mine, held, node.relation == "on", node.relation == "within", 0.0),
        )
        self._table.category[row] = categories().get(node.category, 1)
        self._table.room[row] = slots[node.room] + 1 if node.room else 0
        at = slots.get(node.holder, self._floors.get(node.holder))
        self._table.holder[row] = 0 if at is None else at + 1
        self._where[:, row] = x, y
        self._closed[row] = states.get("open") is False
        self._could[:, row] = False
        self._own[row] = 0
        if node.kind == "room":
            self._could[[_ROW["Navigate"], _ROW["Explore"]], row] = True
        elif node.kind in ("furniture", "object"):
            self._put(node)
            self._write_thing(node, row)
        elif node.name == self._agent:
            self._own[row] = _MINE | _NEAR
        else:
            self._could[_ROW["Navigate"], row] = True
            self._own[row] = _OTHERS if node.kind == "agent" else 0

    def _write_thing(self, node: Node, row: int) -> None:
        """Write what could be done with a thing or piece that is in reach, whatever one holds."""
        graph, state = self._simulation.graphs[self._agent], self._simulation.state
        borne = node.kind == "object" and node.holder in graph.nodes
        self._outer[row] = self._slots[node.holder] if borne else self._total
        self._within[row] = borne and node.relation == "within"
        if node.kind == "object" and not borne and node.holder in state.bodies:
            self._own[row] = _OTHERS
        placed = node.kind == "furniture" or bool(node.holder)  # else nobody knows where it is
        self._touchable[row] = placed
        could = self._could[:, row]
        could[_ROW["Navigate"]] = placed
        could[_ROW["Pick"]] = (
            node.kind == "object"
            and node.holder != self._agent
            and _can(node.category, "grabbable", True)
        )
        piece = state.house.piece.get(node.name)
        whole = piece or state.house.thing[node.name]
        kinds = {receptacle.kind for receptacle in whole.receptacles}
        could[_ROW["PlaceOn"]] = "on" in kinds
        could[_ROW["PlaceWithin"]] = "within" in kinds and node.states.get("open") is not False
        self._locked.pop(row, None)
        for skill, name, before in _SWITCHES:
            if name in state.states[node.name]:  # the values are those that the agent knows
                could[_ROW[skill]] = node.states.get(name) is not (not before)
        if could[_ROW["Open"]] and node.states.get("locked"):
            could[_ROW["Open"]] = False
            if piece is not None and piece.key:
                self._locked[row] = piece.key

    def _put(self, node: Node) -> None:
        """Write the box of a thing where it is believed to be."""
        state, row = self._simulation.state, self._slots[node.name]
        if node.kind == "furniture" or state.poses[node.name].position == node.position:
            box: Box = state.box(node.name)
        else:
            box = box_at(Pose(node.position), state.house.thing[node.name].size)
        self._low[:, row] = box.low[:2]
        self._high[:, row] = box.high[:2]

    # -- what hangs on others ---------------------------------------------------------------------

    def _compare(self) -> None:
        """Write how far all is from the agent, and whether it is in its room."""
        table, me = self._table, self._slots[self._agent]
        known = table.things[:, 0] != 0.0
        x, y = self._where
        away = np.hypot(x - x[me], y - y[me])
        table.things[:, _DISTANCE] = away * known
        table.things[:, _HERE] = known & (table.room == table.room[me])

    def _passed_on(self) -> Flags:
        """What each thing has of its own and from what bears it."""
        flags, outer = self._own.copy(), self._outer
        flags[: self._total][self._in_reach()] |= _NEAR
        flags[self._within & self._closed[outer]] |= _SHUT
        if self._held:
            flags[self._slots[self._held[0]]] |= _IN_HAND
        while True:  # as often as things are in one another
            more = flags | flags[outer]
            if np.array_equal(more, flags):
                return flags[: self._total]
            flags = more

    def _in_reach(self) -> NDArray[np.intp]:
        """Rows of what itself is in reach."""
        simulation = self._simulation
        assert self._pose is not None
        here = np.array(self._pose.position[:2])[:, None]
        touched = np.minimum(np.maximum(here, self._low), self._high)
        across, along = here - touched
        away = np.sqrt(across * across + along * along)
        near = np.flatnonzero(away <= simulation.agents[self._agent].reach)
        ends = touched[:, near].T
        starts = np.broadcast_to(here.T, ends.shape)
        clear = ~hits(starts, ends, *house_walls(simulation.state.house)).any(axis=1)
        rows: NDArray[np.intp] = near[clear]
        return rows

    def _choose(self, flags: Flags) -> None:
        """Write what makes sense to try."""
        graph, able = self._simulation.graphs[self._agent], self._simulation.agents[self._agent]
        held, possible, could = self._held, self._possible, self._could
        within_reach = (flags & (_NEAR | _SHUT)) == _NEAR
        touched = self._touchable & within_reach & ((flags & _OTHERS) == 0)
        np.logical_and(could, touched, out=possible)
        possible[_ROW["Navigate"]] = could[_ROW["Navigate"]] & ((flags & _MINE) == 0)
        possible[_ROW["Explore"]] = could[_ROW["Explore"]]
        if len(held) >= len(able.hands):
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


_SWITCHES: Final = (
    ("Open", "open", False),
    ("Close", "open", True),
    ("Clean", "clean", False),
    ("Fill", "filled", False),
    ("PowerOn", "powered_on", False),
    ("PowerOff", "powered_on", True),
    ("Pour", "filled", False),
)
"""Skill, a state that a thing must have for it, and what that is before."""


def _can(category: str, affordance: str, unknown: bool = False) -> bool:
    """Whether things of a category afford something; ``unknown`` if it is none of the
    catalogue's."""
    own = catalogue().affordances.get(category)
    return affordance in own if own is not None else unknown
