"""A house as arrays of fixed size: what an agent knows, and what it can try, for learning agents.

Each room, piece of furniture, object, person and agent of a house has a slot, in this order, each
sort from a fixed start, so that a slot number means the same sort in every house. Slots of what
the agent does not know are zero. An action is the number of a skill and that of a slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose, box_at
from homebody.worlds.house.simulation.knowledge import Node, WorldGraph
from homebody.worlds.house.simulation.navigation import in_reach
from homebody.worlds.house.simulation.simulation import Simulation

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

SKILLS = (
    *("Wait", "Navigate", "Explore", "Pick", "PlaceOn", "PlaceWithin", "Open", "Close"),
    *("Clean", "Fill", "Pour", "PowerOn", "PowerOff"),
)
"""Rows of the table of actions. PlaceOn and PlaceWithin place what the first full hand holds."""
STATES = ("open", "powered_on", "clean", "filled", "locked")
FEATURES = (
    *("known", "x", "y", "z", "distance", "width", "depth", "height"),
    *(*STATES, "mine", "held", "on", "within", "here"),
)
"""Columns of the table of slots. Places and sizes are in metres; a state is 1, -1 (not so) or 0
(it has none such, or that is not known)."""
_SORTS = ("room", "furniture", "object", "person", "agent")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many slots there are for each sort. Houses of up to 12 rooms fit into the default."""

    rooms: int = 12
    furniture: int = 160
    objects: int = 280
    people: int = 8
    agents: int = 4

    @property
    def total(self) -> int:
        """Slots of all sorts."""
        return sum(self._all())

    def _all(self) -> tuple[int, ...]:
        return self.rooms, self.furniture, self.objects, self.people, self.agents

    def slots(self, house: House, agents: Sequence[str]) -> dict[str, int]:
        """Name -> slot.

        Raises:
            HomebodyError: the house is too large for these sizes.
        """
        slots: dict[str, int] = {}
        first = 0
        groups: tuple[list[str], ...] = (
            [room.name for room in house.rooms],
            [piece.name for piece in house.furniture],
            [thing.name for thing in house.things],
            [person.name for person in house.people],
            list(agents),
        )
        for sort, size, names in zip(_SORTS, self._all(), groups, strict=True):
            if len(names) > size:
                raise HomebodyError(
                    f"the house has {len(names)} of sort {sort}, the observation {size} slots",
                    "make the environment with larger `sizes`",
                )
            slots |= {name: first + number for number, name in enumerate(names)}
            first += size
        return slots


@cache
def categories() -> Mapping[str, int]:
    """Category -> number, from 2; 0 is nothing, 1 a category that is not in the catalogue."""
    entries = catalogue()
    names = [*entries.rooms, *entries.furniture, *entries.things]
    names += ["standing", "sitting", "lying", "pointing", "agent"]
    return {name: number for number, name in enumerate(dict.fromkeys(names), start=2)}


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


def action_of(
    simulation: Simulation, agent: str, names: Mapping[int, str], skill: int, slot: int
) -> Action:
    """The action of a skill and a slot. An empty slot is named ``nothing``."""
    name, target = SKILLS[skill], names.get(slot, "nothing")
    if name == "Wait":
        return Action("Wait")
    if name not in ("PlaceOn", "PlaceWithin"):
        return Action(name, (target,))
    held = next(iter(simulation.state.held(agent).values()), "nothing")
    room = simulation.state.house.room.get(target)
    on = room.floor_name if room is not None else target
    return Action("Place", (held, "on" if name == "PlaceOn" else "within", on))


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
        self.held = list(self.state.held(agent).values())
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
            elif node.kind in ("furniture", "object"):
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
        if shut or (last in self.state.bodies and last != self.agent) or not self.near(node):
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
            whole = self.house.piece.get(node.name) or self.house.thing[node.name]
            for receptacle in whole.receptacles:
                if receptacle.kind == "on":
                    column[_ROW["PlaceOn"]] = True
                elif node.states.get("open") is not False:
                    column[_ROW["PlaceWithin"]] = True
        if "open" in states:
            piece = self.house.piece.get(node.name)
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
        if node.kind == "furniture" or self.state.poses[node.name].position == node.position:
            box = self.state.box(node.name)
        else:
            box = box_at(Pose(node.position), self.house.thing[node.name].size)
        if in_reach(self.house, self.here, box, self.able.reach):
            return True
        outer = self.graph.nodes.get(node.holder)
        return outer is not None and outer.kind != "room" and self.near(outer)


_ROW = {name: number for number, name in enumerate(SKILLS)}
