"""An agent's knowledge of a house as arrays, updated incrementally.

Only changed rows are written again; distances are computed for all rows at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from homebody.worlds.house.play.symbols import (
    FEATURES,
    STATES,
    Floats,
    Ints,
    categories,
)
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.walking.doors import shut_leaves

_DISTANCE: Final = FEATURES.index("distance")
_HERE: Final = FEATURES.index("here")
_SIGN: Final = {True: 1.0, False: -1.0, None: 0.0}
_STATELESS: Final = (0.0,) * len(STATES)


@dataclass(frozen=True, slots=True)
class Table:
    """The knowledge of an agent: a row per slot.

    Attributes:
        things: (slots, features).
        category: (slots,), numbers of :func:`categories`.
        room: (slots,), slot of its room plus 1; 0 if unknown.
        holder: (slots,), slot of its bearer (for a floor, the room's) plus 1, or 0.
    """

    things: Floats
    category: Ints
    room: Ints
    holder: Ints


class KnownTable:
    """The table of one agent.

    Args:
        simulation: The simulation, which is only read.
        agent: The agent.
        slots: Name -> its row.
        total: The number of rows.
    """

    def __init__(
        self, simulation: Simulation, agent: str, slots: Mapping[str, int], total: int
    ) -> None:
        self._house = simulation.state.house
        self._graph = simulation.graphs[agent]
        self._agent = agent
        self._slots = slots
        self._floors = {name: slots[room.name] for name, room in self._house.floors.items()}
        self._table = Table(
            np.zeros((total, len(FEATURES)), np.float32),
            *(np.zeros(total, np.int32) for _ in range(3)),
        )
        self._x, self._y = np.zeros(total), np.zeros(total)
        self._known = np.zeros(total, np.bool_)
        self._rows = np.zeros(0, np.intp)  # rows of known things
        self._version = 0

    def now(self) -> Table:
        """Return the current table; only read it, and only until something happens."""
        graph = self._graph
        if graph.version != self._version:
            for name in graph.changed_since(self._version):
                self._write(graph.nodes[name])
            self._version = graph.version
            if len(self._rows) < len(graph.nodes):
                self._rows = np.flatnonzero(self._known)
            self._compare()
        return self._table

    def _write(self, node: Node) -> None:
        """Write the row of a node."""
        row, slots, house = self._slots[node.name], self._slots, self._house
        x, y, z = node.position
        whole = house.piece.get(node.name) or house.thing.get(node.name)
        size = whole.size if whole is not None else (0.0, 0.0, 0.0)
        if node.kind == "door":
            size = shut_leaves(house)[node.name].size
        table, relation, states = self._table, node.relation, node.states.get
        held = relation == "held"
        table.things[row] = (
            1.0, x, y, z, 0.0, *size,
            *([_SIGN[states(name)] for name in STATES] if node.states else _STATELESS),
            held and node.holder == self._agent, held, relation == "on", relation == "within", 0.0,
        )  # fmt: skip
        table.category[row] = categories().get(node.category, 1)
        table.room[row] = slots[node.room] + 1 if node.room else 0
        at = slots.get(node.holder, self._floors.get(node.holder))
        table.holder[row] = 0 if at is None else at + 1
        self._x[row], self._y[row], self._known[row] = x, y, True

    def _compare(self) -> None:
        """Write the distances from the agent, and which objects are in its room."""
        table, me, rows = self._table, self._slots[self._agent], self._rows
        x, y = self._x, self._y
        table.things[rows, _DISTANCE] = np.hypot(x[rows] - x[me], y[rows] - y[me])
        table.things[rows, _HERE] = table.room[rows] == table.room[me]
