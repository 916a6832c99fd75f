"""The world graph: an agent's knowledge of rooms, furniture, doors, objects and agents.

A full graph always has the true state. A partial graph begins with the layout (rooms, doors and
furniture, as in PARTNR) and grows with the agent's observations and its own successful actions.
Changes by others out of sight are noticed at the next look. Seeded perception errors make it miss,
mistake or misplace objects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from homebody.core.action import Action
from homebody.core.ground.sharing import copy_flat
from homebody.worlds.house.model.change_log import Journal
from homebody.worlds.house.model.house import Box, House, Person, Pose, Vector, to_world
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.believed_state import Belief
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.misperception import Misperception, PerceptionErrors
from homebody.worlds.house.simulation.relations import gap
from homebody.worlds.house.simulation.rooms import in_the_open, room_now
from homebody.worlds.house.simulation.true_nodes import first_nodes, true_node

LOOKED_INTO = 1.0
"""Maximum distance in metres from furniture at which an agent concludes that an object is absent if
it does not see it there."""


@copy_flat("_nodes", "learnt", "_true", "_astray")
class WorldGraph:
    """The knowledge of one agent.

    Derived data (tables, masks, texts) can update incrementally: keep ``version`` and pass it to
    ``changed_since`` to get the nodes that are new or changed. Nodes are never removed.

        names = graph.changed_since(seen)  # graph[name] is the current node
        seen = graph.version

    Args:
        state: The state, which is only read.
        agent: The agent.
        partial: True if the graph grows by looking; False if it always has the true state.
        layout: True if furniture is known before it is seen; rooms and doors always are.
        errors: Perception errors of a partial graph.
        rng: Source of errors; required with ``errors``.

    Attributes:
        partial: True if it grows by looking.
        layout: True if furniture was known before it was seen.
        nodes: Nodes by name: rooms, furniture, doors and people of the scene first, then objects
            and agents in the order of discovery. Only the methods below change them.
        learnt: Names of all perceived objects, changed or not, since the caller last cleared it.
    """

    def __init__(
        self,
        state: HouseState,
        agent: str,
        *,
        partial: bool = False,
        layout: bool = True,
        errors: PerceptionErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        if errors is not None and rng is None:
            raise ValueError("perception errors need a random generator `rng`")
        own = errors.of(agent) if errors is not None else None
        erring = Misperception(state, own, rng) if own is not None and rng is not None else None
        self.agent = agent
        self.partial = partial
        self.layout = layout or not partial
        self._nodes = dict(first_nodes(state, partial, layout))
        if erring is not None:
            pieces = [node for node in self._nodes.values() if node.kind == "furniture"]
            self._nodes |= {node.name: erring.furniture(node) for node in pieces}
        self.nodes: Mapping[str, Node] = self._nodes
        self.learnt = set(self._nodes)
        self._journal = Journal(self._nodes)
        self._state = state
        self._belief = Belief()
        self._true: set[str] = set()  # names of up-to-date nodes
        self._astray: dict[str, None] = {}  # objects believed with a wrong holder
        self._followed = state.journal.version
        self._erring = erring
        self.refresh((agent,) if partial else state.bodies)

    # -- asking -----------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    @property
    def house(self) -> House:
        """The house."""
        return self._state.house

    @property
    def own_room(self) -> str:
        """The agent's current room; empty in a doorway between two."""
        return room_now(self._state, self.agent)

    @property
    def held_objects(self) -> Sequence[str]:
        """The objects that the agent holds now."""
        return tuple(self._state.held_by(self.agent).values())

    @property
    def version(self) -> int:
        """A number that grows whenever a node is new or changed."""
        return self._journal.version

    def changed_since(self, version: int) -> list[str]:
        """Return the names of nodes new or changed since a version, each once, the latest first."""
        return self._journal.since(version)

    def knows(self, name: str) -> bool:
        """Return whether an object, room, floor or agent is known."""
        return name in self.nodes or name in self._state.house.floors

    def of_kind(self, kind: str, room: str | None = None) -> Iterator[Node]:
        """Yield the nodes of a kind, in one room or all."""
        for node in self.nodes.values():
            if node.kind == kind and (room is None or node.room == room):
                yield node

    def objects_on(self, holder: str) -> list[Node]:
        """Return the objects known to be on, in or held by something."""
        return [node for node in self.nodes.values() if node.holder == holder]

    def person(self, name: str) -> Person | None:
        """Return the appearance of a person of the scene, awake or not; None for others."""
        body = self._state.bodies.get(name)
        return self.house.person.get(name) if body is None else body.looks

    def believed_state(self) -> HouseState:
        """Return the believed state, which is read-only. For a full graph, it is the true state."""
        return self._belief.now(self, self._state) if self.partial else self._state

    # -- learning ---------------------------------------------------------------------------------

    def believe(self, node: Node) -> None:
        """Set the belief about an object to a node, replacing any earlier belief."""
        name = node.name
        self.learnt.add(name)
        self._true.discard(name)
        if self._nodes.get(name) != node:
            self._nodes[name] = node
            self._journal.note(name)
            self._compare(node)

    def refresh(self, names: Iterable[str]) -> None:
        """Learn the truth about objects, pieces, agents or people."""
        for name in names:
            self._learn(name)

    def see(self, names: Iterable[str]) -> None:
        """Learn from a look: the objects in sight, and objects that are missing at their believed
        places.

        Args:
            names: Objects, furniture, doors, people and agents in sight. Other names are ignored.
        """
        self._follow()
        state, true = self._state, self._true
        seen = set(names)
        seen.difference_update(state.house.room, state.house.floors)
        # sorted: random draws and the order of nodes must not depend on the order of the input
        if self._erring is not None:
            for name in sorted(seen):
                if name not in state.poses or self._notices(name):
                    self._learn(name, looking=True)
        else:
            for name in sorted(seen - true):
                self._learn(name, looking=True)
            self.learnt |= seen
        own = self.agent, *state.held_by(self.agent).values()
        for name in own:
            if name not in true:
                self._learn(name)
        self.learnt.update(own)
        if self._astray:
            self._miss(seen)
        self._miss_agents(seen)

    def hear(self, nodes: Iterable[Node]) -> None:
        """Believe reported nodes, unless the graph has the true state."""
        for node in nodes:
            if self.partial and node.name != self.agent:
                self.believe(node)

    def is_no_news(self, names: Set[str]) -> bool:
        """Return whether a look at all objects in the open in a room would change no other node.

        If True, the names are recorded as learnt. Errors and wrong beliefs make it False.
        """
        self._follow()
        if self._erring is not None or self._astray or not names <= self._true:
            return False
        self.learnt |= names
        return True

    def learn_from_action(self, action: Action) -> None:
        """Learn the truth about the objects in a successful action of the agent, and about the
        contents of opened objects."""
        for name in action.args:
            if name in self._state.states:
                self._learn(name)
        if action.name == "Open":
            self._look_into(action.args[0])

    def _look_into(self, name: str) -> None:
        house = self._state.house
        whole = house.piece.get(name) or house.thing.get(name)
        for receptacle in whole.receptacles if whole is not None else ():
            for inner in self._state.objects_at((name, receptacle.name)):
                if self._notices(inner):
                    self._learn(inner, looking=True)
                if self._state.states.get(inner, {}).get("open") is not False:
                    self._look_into(inner)

    # -- how --------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Mark known nodes that are out of date."""
        state = self._state
        changed = state.journal.since(self._followed)
        self._followed = state.journal.version
        for name in changed:
            self._true.discard(name)
            node = self._nodes.get(name)
            if node is not None:
                self._compare(node)

    def _compare(self, node: Node) -> None:
        """Record whether an object is believed with a wrong holder."""
        if node.kind != "object":
            return
        if node.holder and node.holder != self._state.places[node.name][0]:
            self._astray[node.name] = None
        else:
            self._astray.pop(node.name, None)

    def _learn(self, name: str, looking: bool = False) -> None:
        node = true_node(self._state, name)
        if node is None:
            return
        erring = self._erring
        if erring is not None and node.kind == "object" and looking:
            is_new = name not in self._nodes
            node = erring.object(node)
            self.believe(node)
            phantom = erring.phantom(node, self._nodes) if is_new else None
            if phantom is not None:
                self.believe(phantom)
            return
        if erring is not None and node.kind == "object":
            node = erring.handled(node)
        elif erring is not None and node.kind == "furniture":
            node = erring.furniture(node)
        self.believe(node)
        self._true.add(name)

    def _notices(self, name: str) -> bool:
        """Return whether a look notices an object."""
        erring = self._erring
        return erring is None or (erring.notices() and not erring.is_merged(name, self._nodes))

    def _is_ahead(self, position: Vector) -> bool:
        """Return whether a point is within the agent's horizontal field of view."""
        body = self._state.bodies[self.agent]
        if body.turning or body.view >= 360.0:
            return True
        x, y, _ = (a - b for a, b in zip(position, body.pose.position, strict=True))
        front = to_world(Pose((0.0, 0.0, 0.0), body.pose.yaw), (0.0, 1.0, 0.0))
        least = round(math.cos(math.radians(body.view / 2)), 9)
        return x * front[0] + y * front[1] >= math.sqrt(x * x + y * y) * least

    def _miss(self, seen: set[str]) -> None:
        """Forget the places of objects that are visibly gone, but not of objects that may be
        hidden. These objects were believed to be on open furniture that the agent stands at and
        sees, on the floor at its feet, or in the hands of a visible agent.
        """
        state = self._state
        here = state.box(self.agent)
        for node in [self._nodes[name] for name in self._astray if name not in seen]:
            if not self._is_ahead(node.position):
                continue
            if node.holder == self.agent:
                gone = True
            elif node.holder in state.house.floors:
                gone = _is_near(here, node.position)
            elif state.can_hold(node.holder):
                gone = node.holder in seen
            else:
                gone = (
                    node.holder in seen
                    and gap(here, state.box(node.holder)) <= LOOKED_INTO
                    and not (node.relation == "within" and _is_closed(state, node.holder))
                )
            if gone:
                self.believe(replace(node, room="", holder="", relation=""))

    def _miss_agents(self, seen: set[str]) -> None:
        """Forget the places of others who visibly left the agent's room, and of the objects that
        they hold."""
        state = self._state
        for name, body in state.bodies.items():
            node = self._nodes.get(name)
            if node is None or name in seen or node.position == body.pose.position:
                continue
            if node.room == room_now(state, self.agent) and self._is_ahead(node.position):
                self.believe(replace(node, room="", holder=""))
                self._lose_sight_of_all_on(name)

    def _lose_sight_of_all_on(self, holder: str) -> None:
        for node in self.objects_on(holder):
            if node.room:  # ends circles
                self.believe(replace(node, room=""))
                self._lose_sight_of_all_on(node.name)


def sees_room(state: HouseState, agent: str) -> set[str]:
    """Return all objects in the agent's room that are not in closed containers. This is a cheap
    substitute for looking."""
    return in_the_open(state, room_now(state, agent))


def _is_near(here: Box, position: Vector) -> bool:
    x, y, _ = position
    return gap(here, Box((x, y, 0.0), (x, y, 0.0))) <= LOOKED_INTO


def _is_closed(state: HouseState, holder: str) -> bool:
    return state.states.get(holder, {}).get("open") is False
