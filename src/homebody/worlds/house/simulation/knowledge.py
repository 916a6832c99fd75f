"""The world graph: what an agent knows of a house, its rooms, furniture, objects and agents.

A full graph is the truth, kept up to date from the names of what changed. A partial one begins
with the layout (rooms, furniture and where it stands, as PARTNR has it) and is filled from what
the agent sees and from its own successful actions; what others do out of its sight it learns
when it looks again. Perception errors make it miss, mistake or misplace objects, drawn from a
seeded generator.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from homebody.core.action import Action
from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.bounds import Share
from homebody.worlds.house.model.house import Box, Pose, Vector, to_world
from homebody.worlds.house.model.journal import Journal
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.relations import gap, is_shut_in, room_of

LOOKED_INTO = 1.0
"""Metres: furniture this near is seen so well that what is not seen on it is not there."""


@dataclass(frozen=True, slots=True)
class PerceptionErrors:
    """How often an agent errs about an object that it sees.

    Attributes:
        missed: Probability that a look does not notice it.
        misclassified: Probability that it is taken for another category, for good.
        wrong_room: Probability that it is believed in another room, until it is next moved.

    Raises:
        HomebodyError: one is not in [0, 1].
    """

    missed: Share = 0.0
    misclassified: Share = 0.0
    wrong_room: Share = 0.0

    def __post_init__(self) -> None:
        for kind in ("missed", "misclassified", "wrong_room"):
            probability = getattr(self, kind)
            if not 0.0 <= probability <= 1.0:
                raise HomebodyError(f"{kind} must be a probability, not {probability}")


@dataclass(frozen=True, slots=True)
class Node:
    """Something in the graph.

    Attributes:
        name: As actions name it.
        kind: ``room``, ``furniture``, ``object``, ``agent`` or ``person``.
        category: ``kitchen``, ``table``, ``cup``; of people their posture.
        position: Of the middle of its bottom; of rooms the middle of their floor.
        room: Name of the room that it is in, or an empty string if that is not known.
        holder: What bears an object: furniture, another object, a floor or an agent; empty if
            that is not known any more.
        relation: ``on``, ``within``, ``held`` or an empty string.
        states: ``open``, ``clean`` ...: those that it has.
    """

    name: str
    kind: str
    category: str
    position: Vector
    room: str = ""
    holder: str = ""
    relation: str = ""
    states: Mapping[str, bool] = field(default_factory=dict)


class WorldGraph:
    """What one agent knows.

    What is derived from it (tables, masks, texts) need not look at all nodes again: with
    ``version`` kept from the last time, ``changed_since(version)`` names those that are new or
    other than they were then. A node is never taken away.

        names = graph.changed_since(seen)  # of each, graph[name] is the node now
        seen = graph.version

    Args:
        state: The state; it is only read.
        agent: Whose graph it is.
        partial: Whether it is filled by looking; else it is the truth.
        errors: Of perception, in a partial graph.
        rng: What errors are drawn from; needed if there are errors.

    Attributes:
        nodes: By name: rooms, furniture and people of the scene first, then objects and agents in
            the order in which they became known. Changed by the methods below only.
        learnt: Names of all that it learnt of, changed or not, since somebody emptied this.
    """

    def __init__(
        self,
        state: HouseState,
        agent: str,
        *,
        partial: bool = False,
        errors: PerceptionErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        if errors is not None and rng is None:
            raise ValueError("perception errors need a generator to be drawn from")
        self.agent = agent
        self.partial = partial
        self.learnt: set[str] = set()
        self._nodes: dict[str, Node] = {}
        self.nodes: Mapping[str, Node] = self._nodes
        self._journal = Journal()
        self._state = state
        self._errors = errors
        self._rng = rng
        self._mistaken: dict[str, str] = {}
        self._misplaced: dict[str, tuple[Vector, str]] = {}
        for room in state.house.rooms:
            xs, ys = zip(*room.outline, strict=True)
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, 0.0
            self.believe(Node(room.name, "room", room.kind, middle, room.name))
        for piece in state.house.furniture:
            self._learn(piece.name)
        if partial:
            self._learn(agent)
        else:
            for person in state.house.people:
                self._learn(person.name)
            self.refresh((*state.poses, *state.bodies))

    # -- asking -----------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    @property
    def version(self) -> int:
        """Grows whenever a node is new or another than before."""
        return self._journal.version

    def changed_since(self, version: int) -> list[str]:
        """Names of the nodes that are new or others since a version, each once, the latest first;
        of all, since version 0."""
        return self._journal.since(version)

    def knows(self, name: str) -> bool:
        """Whether a thing, room, floor or agent is known."""
        return name in self.nodes or name in self._state.house.floors

    def of_kind(self, kind: str, room: str | None = None) -> Iterator[Node]:
        """The nodes of a kind, of one room or of all."""
        for node in self.nodes.values():
            if node.kind == kind and (room is None or node.room == room):
                yield node

    def on(self, holder: str) -> list[Node]:
        """Objects known to be on, in or held by something."""
        return [node for node in self.nodes.values() if node.holder == holder]

    def believed(self) -> HouseState:
        """The state as the agent believes it to be: of objects only those that it knows, where it
        knows them to be; the state itself if the graph is no partial one. Not to be changed."""
        if not self.partial:
            return self._state
        state, house = self._state, self._state.house
        places: dict[str, Place] = {}
        poses: dict[str, Pose] = {}
        states: dict[str, dict[str, bool]] = {}
        for node in self.nodes.values():
            if node.kind in ("furniture", "object"):
                states[node.name] = dict(node.states)
            if node.kind != "object":
                continue
            poses[node.name] = Pose(node.position, state.poses[node.name].yaw)
            whole = house.piece.get(node.holder) or house.thing.get(node.holder)
            spaces = whole.receptacles if whole is not None else ()
            space = next((space.name for space in spaces if space.kind == node.relation), "")
            if node.relation == "held":
                hands = state.held(node.holder)
                space = next((hand for hand, held in hands.items() if held == node.name), "")
            places[node.name] = node.holder, space
        for holder, _ in list(places.values()):  # who sees a thing sees what bears it
            while holder in state.places and holder not in places:
                places[holder], poses[holder] = state.places[holder], state.poses[holder]
                states[holder] = dict(state.states[holder])
                holder = places[holder][0]
        bodies = {
            name: body
            if name == self.agent or name not in self.nodes
            else replace(body, pose=Pose(self.nodes[name].position, body.pose.yaw))
            for name, body in state.bodies.items()
        }
        for name in list(places):  # old beliefs and new ones may go round in a circle
            seen, at = {name}, places[name][0]
            while at in places and at not in seen:
                seen.add(at)
                at = places[at][0]
            if at in seen:
                places[name] = "", ""
        return HouseState(house, bodies, poses, places, states)

    # -- learning ---------------------------------------------------------------------------------

    def believe(self, node: Node) -> None:
        """Take something to be as a node says, whatever it was taken to be."""
        self.learnt.add(node.name)
        if self._nodes.get(node.name) != node:
            self._nodes[node.name] = node
            self._journal.note(node.name)

    def refresh(self, names: Iterable[str]) -> None:
        """Learn the truth about things, pieces, agents or people."""
        for name in names:
            self._learn(name)

    def see(self, names: Iterable[str]) -> None:
        """Learn from a look: what was seen, and what is gone from where it was believed.

        Args:
            names: Objects, furniture, people and agents in sight. Names of anything else are
                passed over.
        """
        seen = set()
        for name in sorted(names):  # draws must not depend on the order in which they come
            if name in self._state.house.room or name in self._state.house.floors:
                continue
            seen.add(name)
            if name not in self._state.poses or self._noticed():
                self._learn(name, looking=True)
        self._learn(self.agent)
        for held in self._state.held(self.agent).values():
            self._learn(held)
        self._miss(seen)

    def did(self, action: Action) -> None:
        """Learn from an own action that succeeded: all about what it named."""
        for name in action.args:
            if name in self._state.states:
                self._learn(name)

    # -- how --------------------------------------------------------------------------------------

    def _learn(self, name: str, looking: bool = False) -> None:
        state = self._state
        if name in state.poses:
            node = self._object(name)
            if looking and self._errors is not None:
                node = self._misperceived(node)
            elif self._errors is not None:  # what was in its hands it knows
                self._mistaken[name] = node.category
                self._misplaced[name] = node.position, node.room
            self.believe(node)
        elif name in state.bodies:
            position = state.bodies[name].pose.position
            self.believe(Node(name, "agent", "agent", position, room_of(state, name)))
        elif name in state.house.piece:
            piece = state.house.piece[name]
            states = dict(state.states[name])
            before = self.nodes.get(name)
            if before is None and self.partial:
                states = {}  # the layout is known, not who left the fridge open
            where = piece.pose.position
            self.believe(Node(name, "furniture", piece.category, where, piece.room, states=states))
        else:
            for person in state.house.people:
                if person.name == name:
                    place = person.pose.position
                    self.believe(
                        Node(name, "person", person.posture, place, person.room, person.on)
                    )

    def _object(self, name: str) -> Node:
        state = self._state
        holder, receptacle = state.places[name]
        if holder in state.bodies:
            relation = "held"
        elif holder in state.house.floors:
            relation = "on"
        else:
            whole = state.house.piece.get(holder) or state.house.thing[holder]
            kinds = {receptacle.name: receptacle.kind for receptacle in whole.receptacles}
            relation = kinds.get(receptacle, "on")
        return Node(
            name,
            "object",
            state.house.thing[name].category,
            state.poses[name].position,
            room_of(state, name),
            holder,
            relation,
            dict(state.states[name]),
        )

    def _noticed(self) -> bool:
        if self._errors is None or self._rng is None or not self._errors.missed:
            return True
        return bool(self._rng.random() >= self._errors.missed)

    def _misperceived(self, node: Node) -> Node:
        """The node as the agent takes it to be. What it mistakes, it goes on mistaking."""
        assert self._errors is not None
        assert self._rng is not None
        house = self._state.house
        if node.name not in self._mistaken:
            category = node.category
            if self._rng.random() < self._errors.misclassified:
                others = sorted({thing.category for thing in house.things} - {category})
                if others:
                    category = others[int(self._rng.integers(len(others)))]
            self._mistaken[node.name] = category
        believed = self._misplaced.get(node.name)
        if believed is None or believed[0] != node.position:
            room = node.room
            if self._rng.random() < self._errors.wrong_room:
                rooms = [other.name for other in house.rooms if other.name != room]
                if rooms:
                    room = rooms[int(self._rng.integers(len(rooms)))]
            believed = self._misplaced[node.name] = node.position, room
        return replace(node, category=self._mistaken[node.name], room=believed[1])

    def _ahead(self, position: Vector) -> bool:
        """Whether a point is where the agent looks, far to its side or not."""
        body = self._state.bodies[self.agent]
        if body.turning or body.view >= 360.0:
            return True
        x, y, _ = (a - b for a, b in zip(position, body.pose.position, strict=True))
        front = to_world(Pose((0.0, 0.0, 0.0), body.pose.yaw), (0.0, 1.0, 0.0))
        least = round(math.cos(math.radians(body.view / 2)), 9)
        return x * front[0] + y * front[1] >= math.sqrt(x * x + y * y) * least

    def _miss(self, seen: set[str]) -> None:
        """Forget where objects are that are not where they were believed: on open furniture that
        the agent stands at and sees, on the floor at its feet, or in another's hands that it
        sees. What is there but hidden behind something else is believed on."""
        state = self._state
        here = state.box(self.agent)
        for node in list(self.nodes.values()):
            if node.kind != "object" or node.name in seen or not node.holder:
                continue
            if node.holder == state.places[node.name][0] or not self._ahead(node.position):
                continue
            if node.holder == self.agent:
                gone = True
            elif node.holder in state.house.floors:
                gone = _near(here, node.position)
            elif node.holder in state.bodies:
                gone = node.holder in seen
            else:
                gone = (
                    node.holder in seen
                    and gap(here, state.box(node.holder)) <= LOOKED_INTO
                    and not (node.relation == "within" and _closed(state, node.holder))
                )
            if gone:
                self.believe(replace(node, room="", holder="", relation=""))


def sees_room(state: HouseState, agent: str) -> list[str]:
    """A cheap stand-in for looking: all in the agent's room that is not in something closed,
    wherever in it the agent looks."""
    room = room_of(state, agent)
    house = state.house
    seen = [piece.name for piece in house.furniture if piece.room == room]
    seen += [person.name for person in house.people if person.room == room]
    seen += [other for other in state.bodies if room_of(state, other) == room]
    seen += [
        thing
        for thing in state.poses
        if room_of(state, thing) == room and not is_shut_in(state, thing)
    ]
    return seen


def _near(here: Box, position: Vector) -> bool:
    x, y, _ = position
    return gap(here, Box((x, y, 0.0), (x, y, 0.0))) <= LOOKED_INTO


def _closed(state: HouseState, holder: str) -> bool:
    return state.states.get(holder, {}).get("open") is False
