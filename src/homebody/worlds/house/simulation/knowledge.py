"""The world graph: what an agent knows of a house, its rooms, furniture, doors, objects and agents.

A full graph is the truth, kept up to date from the names of what changed. A partial one begins
with the layout (rooms, doors, furniture and where it stands, as PARTNR has it) and is filled from
what the agent sees and from its own successful actions; what others do out of its sight it learns
when it looks again. Perception errors make it miss, mistake or misplace objects, drawn from a
seeded generator.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from homebody.core.action import Action
from homebody.core.ground.sharing import copy_flat
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.bounds import Share
from homebody.worlds.house.model.change_log import Journal
from homebody.worlds.house.model.house import Box, House, Person, Pose, Vector, to_world
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.believed_state import Belief
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.relations import gap
from homebody.worlds.house.simulation.rooms import in_the_open, room_now
from homebody.worlds.house.simulation.true_nodes import first_nodes, true_node

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


@copy_flat("_nodes", "learnt", "_true", "_astray", "_mistaken", "_misplaced")
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
        layout: Whether furniture and where it stands is known before it is seen; rooms and doors
            always are.
        errors: Of perception, in a partial graph.
        rng: What errors are drawn from; needed if there are errors.

    Attributes:
        partial: Whether it is filled by looking.
        layout: Whether furniture was known before it was seen.
        nodes: By name: rooms, furniture, doors and people of the scene first, then objects and
            agents in the order in which they became known. Changed by the methods below only.
        learnt: Names of all that it learnt of, changed or not, since somebody emptied this.
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
            raise ValueError("perception errors need a generator to be drawn from")
        self.agent = agent
        self.partial = partial
        self.layout = layout or not partial
        self._nodes = dict(first_nodes(state, partial, layout))
        self.nodes: Mapping[str, Node] = self._nodes
        self.learnt = set(self._nodes)
        self._journal = Journal(self._nodes)
        self._state = state
        self._belief = Belief()
        self._true: set[str] = set()  # what is known as it is now
        self._astray: dict[str, None] = {}  # objects believed with another holder than theirs
        self._followed = state.journal.version
        self._errors = errors
        self._rng = rng
        self._mistaken: dict[str, str] = {}
        self._misplaced: dict[str, tuple[Vector, str]] = {}
        self.refresh((agent,) if partial else state.bodies)

    # -- asking -----------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Node:
        return self.nodes[name]

    @property
    def house(self) -> House:
        """The house that it is of."""
        return self._state.house

    @property
    def own_room(self) -> str:
        """The room that the agent is in now; empty in a doorway between two."""
        return room_now(self._state, self.agent)

    @property
    def held(self) -> Sequence[str]:
        """What the agent holds now."""
        return tuple(self._state.held(self.agent).values())

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

    def person(self, name: str) -> Person | None:
        """What a person of the scene looks like, one who has got up too; None of anybody else."""
        body = self._state.bodies.get(name)
        return self.house.person.get(name) if body is None else body.looks

    def believed(self) -> HouseState:
        """The state as the agent believes it to be: of objects only those that it knows, where it
        knows them to be; the state itself if the graph is no partial one. Kept up to date from one
        call to the next; not to be changed."""
        return self._belief.now(self, self._state) if self.partial else self._state

    # -- learning ---------------------------------------------------------------------------------

    def believe(self, node: Node) -> None:
        """Take something to be as a node says, whatever it was taken to be."""
        name = node.name
        self.learnt.add(name)
        self._true.discard(name)
        if self._nodes.get(name) != node:
            self._nodes[name] = node
            self._journal.note(name)
            self._compare(node)

    def refresh(self, names: Iterable[str]) -> None:
        """Learn the truth about things, pieces, agents or people."""
        for name in names:
            self._learn(name)

    def see(self, names: Iterable[str]) -> None:
        """Learn from a look: what was seen, and what is gone from where it was believed.

        Args:
            names: Objects, furniture, doors, people and agents in sight. Names of anything else are
                passed over.
        """
        self._follow()
        state, true = self._state, self._true
        seen = set(names)
        seen.difference_update(state.house.room, state.house.floors)
        # sorted: draws, and the order of nodes, must not depend on the order in which they come
        if self._errors is not None:
            for name in sorted(seen):
                if name not in state.poses or self._noticed():
                    self._learn(name, looking=True)
        else:
            for name in sorted(seen - true):
                self._learn(name, looking=True)
            self.learnt |= seen
        own = self.agent, *state.held(self.agent).values()
        for name in own:
            if name not in true:
                self._learn(name)
        self.learnt.update(own)
        if self._astray:
            self._miss(seen)
        self._miss_agents(seen)

    def hear(self, nodes: Iterable[Node]) -> None:
        """Believe what somebody said of some things; who knows all believes nobody."""
        for node in nodes:
            if self.partial and node.name != self.agent:
                self.believe(node)

    def is_no_news(self, names: Set[str]) -> bool:
        """Whether a look at all that lies open in a room would teach nothing, but for where the
        agent itself is; if so, that counts as learnt of. It cannot be said of one who errs, or
        believes things elsewhere than they are."""
        self._follow()
        if self._errors is not None or self._astray or not names <= self._true:
            return False
        self.learnt |= names
        return True

    def did(self, action: Action) -> None:
        """Learn from an own action that succeeded: all about what it named, and what is in what
        it opened, wherever one stands."""
        for name in action.args:
            if name in self._state.states:
                self._learn(name)
        if action.name == "Open":
            self._look_into(action.args[0])

    def _look_into(self, name: str) -> None:
        house = self._state.house
        whole = house.piece.get(name) or house.thing.get(name)
        for receptacle in whole.receptacles if whole is not None else ():
            for inner in self._state.on((name, receptacle.name)):
                if self._noticed():
                    self._learn(inner, looking=True)
                if self._state.states.get(inner, {}).get("open") is not False:
                    self._look_into(inner)

    # -- how --------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Note of what it knows what is so no more."""
        state = self._state
        changed = state.journal.since(self._followed)
        self._followed = state.journal.version
        for name in changed:
            self._true.discard(name)
            node = self._nodes.get(name)
            if node is not None:
                self._compare(node)

    def _compare(self, node: Node) -> None:
        """Note whether an object is believed with another holder than its own."""
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
        if self._errors is not None and node.kind == "object":
            if looking:
                self.believe(self._misperceived(node))
                return
            self._mistaken[name] = node.category  # what was in its hands it knows
            self._misplaced[name] = node.position, node.room
        self.believe(node)
        self._true.add(name)

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
        for node in [self._nodes[name] for name in self._astray if name not in seen]:
            if not self._ahead(node.position):
                continue
            if node.holder == self.agent:
                gone = True
            elif node.holder in state.house.floors:
                gone = _near(here, node.position)
            elif state.bears(node.holder):
                gone = node.holder in seen
            else:
                gone = (
                    node.holder in seen
                    and gap(here, state.box(node.holder)) <= LOOKED_INTO
                    and not (node.relation == "within" and _closed(state, node.holder))
                )
            if gone:
                self.believe(replace(node, room="", holder="", relation=""))

    def _miss_agents(self, seen: set[str]) -> None:
        """Forget where others are, with what they hold, who have left where they were believed,
        before the agent's eyes in the room that it is in."""
        state = self._state
        for name, body in state.bodies.items():
            node = self._nodes.get(name)
            if node is None or name in seen or node.position == body.pose.position:
                continue
            if node.room == room_now(state, self.agent) and self._ahead(node.position):
                self.believe(replace(node, room="", holder=""))
                self._lose_sight_of_all_on(name)

    def _lose_sight_of_all_on(self, holder: str) -> None:
        for node in self.on(holder):
            if node.room:  # so that circles end
                self.believe(replace(node, room=""))
                self._lose_sight_of_all_on(node.name)


def sees_room(state: HouseState, agent: str) -> set[str]:
    """A cheap stand-in for looking: all in the agent's room that is not in something closed,
    wherever in it the agent looks."""
    return in_the_open(state, room_now(state, agent))


def _near(here: Box, position: Vector) -> bool:
    x, y, _ = position
    return gap(here, Box((x, y, 0.0), (x, y, 0.0))) <= LOOKED_INTO


def _closed(state: HouseState, holder: str) -> bool:
    return state.states.get(holder, {}).get("open") is False
