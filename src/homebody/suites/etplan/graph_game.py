"""A VirtualHome scene graph as a game.

The robot sees its room, except the contents of closed containers, and remembers everything that it
saw. The actions have the names of the house world, and are executed as VirtualHome's actions:
``Navigate`` is WALK, ``Pick`` GRAB, ``Place`` PUTBACK and PUTIN. If a graph has no positions, walks
have no length, and objects in the same room are nearer than objects in another room."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from homebody.core import Action, HomebodyError, Tool
from homebody.core.action import ErrorType
from homebody.goals.etplan import ROBOT, Criterion, EtplanGoal
from homebody.suites.etplan.facts import LOW, SMALL, Point3
from homebody.suites.etplan.relation_text import describe_relations
from homebody.suites.etplan.trace import CriterionTrace
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.virtualhome import VirtualHome
from homebody.worlds.virtualhome.scene_graph import RELATIONS, SceneGraph
from homebody.worlds.virtualhome.sight import HOUSE, bearers, is_seen, is_shut

APART: Final = 100.0
"""Metres to the next room in a graph without positions."""
SKILLS: Final[Mapping[str, tuple[str, tuple[str, ...], str]]] = {
    "Navigate": ("WALK", ("target",), "Walk to a room, or up to something that you know of."),
    "Open": ("OPEN", ("target",), "Open something that you have walked to."),
    "Close": ("CLOSE", ("target",), "Close something that you have walked to."),
    "Pick": ("GRAB", ("object",), "Take something that you have walked to, with a free hand."),
    "Place": (
        "",
        ("object", "relation", "target"),
        "Put something that you hold on or within (the relation) what you have walked to.",
    ),
}
"""Action -> VirtualHome's action, its arguments and description."""
_DONE: Final = {
    "Navigate": "you are at {}",
    "Open": "{} is open",
    "Close": "{} is closed",
    "Pick": "you hold {}",
    "Place": "{} is {} {}",
}
_PLACES: Final = {"on": ("PUTBACK", "SURFACES"), "within": ("PUTIN", "CAN_OPEN")}
"""Relation of Place -> VirtualHome's action, and the property that it requires of the target."""
_USES: Final = ("SURFACES", "CONTAINERS", "SITTABLE", "LIEABLE")
"""The properties of furniture that other objects can be near."""


class GraphGame:
    """A game (:class:`homebody.core.play.turn_session.Game`) with facts and the robot's knowledge.

    The facts are defined in :class:`.facts.Facts`.

    Args:
        graph: The graph with the robot at its start.
        criterion: The goal.
        knowledge: The robot's first knowledge; one of :data:`.session.KNOWLEDGE`.
        hands: Number of objects that it can carry.

    Attributes:
        log: Attempted actions with the reason for the refusal, which is empty for successful
            actions.
        metres: Length of its walks between positions on the floor; None without positions.
        seen: The trace, as far as the criterion depends on it.
    """

    def __init__(self, graph: SceneGraph, criterion: Criterion, knowledge: str, hands: int) -> None:
        self._graph = graph
        self._world = VirtualHome(graph.agent)
        self._hands = hands
        self._goal = EtplanGoal(criterion)
        self._view = self._world.view(graph.state)
        self._at = self._view.room(graph.agent) or graph.agent
        self._put: dict[str, str] = {}
        self._nodes: dict[str, Node] | None = None
        self._things = [name for name in graph.state.objects if self.category(name) not in HOUSE]
        self._known = {graph.agent, *graph.rooms}
        if knowledge != "visible":
            full = knowledge == "full"
            self._known |= {n for n in self._things if full or self._kind(n) != "object"}
        self._look()
        self.log: list[tuple[Action, str]] = []
        self.metres = 0.0 if graph.positions else None
        self.seen = CriterionTrace(criterion, self)

    # -- the game -----------------------------------------------------------------------------

    def do(self, action: Action) -> str:
        """Execute an action. Raises HomebodyError with the reason if it is impossible."""
        try:
            message = self._try(action)
        except HomebodyError as error:
            self.log.append((action, error.advice))
            raise
        self.log.append((action, ""))
        self._look()
        self.seen.add(action)
        return message

    def _try(self, action: Action) -> str:
        if action.name not in SKILLS:
            raise HomebodyError(
                f"unknown action: {action.name[:40]}", f"use one of: {', '.join(SKILLS)}"
            )
        name, arguments, _ = SKILLS[action.name]
        if len(action.args) != len(arguments):
            raise HomebodyError(f"{action.name} needs: {', '.join(arguments)}")
        names = action.args
        if action.name == "Place":
            relation = action.args[1]
            if relation not in _PLACES:
                raise HomebodyError(f"unknown relation: {relation[:40]!r}", "use on or within")
            names = (action.args[0], action.args[2])
        for each in names:
            if each not in self._known:
                raise HomebodyError(f"{each[:80]} is not known to you", "look for it in the rooms")
        if action.name == "Place":
            name, _ = _PLACES[relation]
            if not self.can_bear(names[1], relation):
                raise HomebodyError(f"nothing can be put {relation} {names[1]}")
        if action.name == "Pick" and len(self._view.held_objects(self._graph.agent)) >= self._hands:
            raise HomebodyError("your hands are full", "put down what you hold")
        before = self.robot_position()
        outcome = self._world.step(self._view.state, Action(name, names))
        failure = outcome.failure
        if failure is not None and not (
            action.name == "Navigate" and failure.error == ErrorType.ADDITIONAL_STEP
        ):
            agent = self._graph.agent
            text = failure.message.replace(f"{agent} is", "you are").replace(agent, "you")
            raise HomebodyError(text)
        self._view = self._world.view(outcome.state)
        if action.name == "Pick":  # so that positions have no cycles
            self._put.pop(names[0], None)
        if action.name == "Place":
            self._put[names[0]] = names[1]
        if action.name == "Navigate":
            self._at = names[0]
            if self.metres is not None:
                self.metres += math.dist(before[:2], self.robot_position()[:2])
        return _DONE[action.name].format(*action.args)

    def describe(self) -> str:
        """Describe the robot's place, its held objects, and everything that it knows, room by
        room."""
        nodes, agent = self.nodes, self._graph.agent
        held = ", ".join(self._view.held_objects(agent)) or "nothing"
        lines = [f"You are in {nodes[ROBOT].room}, at {self._at}, and hold {held}."]
        for room in self._graph.rooms:
            inside = [
                n for n in nodes.values() if n.room == room and n.kind not in ("room", "agent")
            ]
            listed = "; ".join(map(_describe_node, inside)) or "nothing that you know of"
            lines.append(f"{room}: {listed}.")
        known = [n.name for n in nodes.values() if n.kind in ("furniture", "object")]
        related = describe_relations(self, known)
        return "\n".join(filter(None, (*lines, related)))

    def options(self) -> Sequence[Action]:
        """Return walks to everything known, and actions on near objects."""
        agent, view = self._graph.agent, self._view
        held = view.held_objects(agent)
        known = [name for name in self.nodes if name != ROBOT]
        near = [n for n in known if view.is_near(agent, n) and n not in held]
        options = [Action("Navigate", (name,)) for name in known if name not in held]
        for name in near:
            if name in self._graph.opens:
                shut = view.state.holds("CLOSED", (name,))
                options.append(Action("Open" if shut else "Close", (name,)))
            if self._kind(name) == "object" and len(held) < self._hands:
                options.append(Action("Pick", (name,)))
            for relation in _PLACES:
                if self.can_bear(name, relation):
                    options += [Action("Place", (thing, relation, name)) for thing in held]
        return options

    def tools(self) -> Sequence[Tool]:
        """Return the five skills."""
        return [Tool.of(name, says, *arguments) for name, (_, arguments, says) in SKILLS.items()]

    def progress(self) -> float:
        """Return the progress of the criterion."""
        return self._goal.progress(self.seen.trace)

    # -- what it knows ------------------------------------------------------------------------

    @property
    def nodes(self) -> Mapping[str, Node]:
        """Everything that the robot knows, by name. The robot itself is ``robot``."""
        if self._nodes is None:
            found = [self._node(name) for name in self._things if name in self._known]
            self._nodes = {node.name: node for node in found}
        return self._nodes

    def knows(self, name: str) -> bool:
        """Return whether the robot knows something."""
        return name in self._known

    def _look(self) -> None:
        room, opens = self._view.room(self._graph.agent), self._graph.opens
        unknown = [name for name in self._things if name not in self._known]
        self._known.update(name for name in unknown if is_seen(self._view, opens, room, name))
        self._nodes = None

    def _node(self, name: str) -> Node:
        state, view, agent = self._view.state, self._view, self._graph.agent
        states = {"open": not state.holds("CLOSED", (name,))} if name in self._graph.opens else {}
        holder, relation = "", ""
        for predicate, word in (("ONTOP", "on"), ("INSIDE", "within")):
            for place in sorted(state.targets(predicate, name)):
                if not view.is_room(place) and self.category(place) not in HOUSE:
                    holder, relation = holder or place, relation or word
        if name in view.held_objects(agent):
            holder, relation = ROBOT, "held"
        return Node(
            ROBOT if name == agent else name,
            self._kind(name),
            self.category(name),
            self.position(name),
            self.room(name),
            holder,
            relation,
            states,
        )

    def _kind(self, name: str) -> str:
        state = self._view.state
        if state.holds("ROOM", (name,)):
            return "room"
        if name == self._graph.agent:
            return "agent"
        if self.category(name) == "door":
            return "door"
        can_be_taken = state.holds("GRABBABLE", (name,)) and not state.holds("SITTABLE", (name,))
        return "object" if can_be_taken else "furniture"

    # -- facts --------------------------------------------------------------------------------

    @property
    def classes(self) -> frozenset[str]:
        """The classes of all rooms, furniture and objects."""
        return frozenset(item.category for item in self._graph.state.objects.values())

    def instances(self, category: str) -> Sequence[str]:
        """Return the instances of a class."""
        if category == ROBOT:
            return [self._graph.agent]
        return [name for name in self._things if self.category(name) == category]

    def category(self, name: str) -> str:
        """Return the class of an object. For any other name, return the name."""
        item = self._graph.state.objects.get(name)
        return name if item is None else item.category

    def room(self, name: str) -> str:
        """Return the room of an object or the robot. A room is its own room."""
        return name if self._view.is_room(name) else self._view.room(name) or ""

    def is_portable(self, category: str) -> bool:
        """Return whether there are portable objects of a class."""
        return "object" in map(self._kind, self.instances(category))

    def can_bear(self, name: str, relation: str) -> bool:
        """Return whether anything can be put ``on`` or ``within`` an object."""
        return self._graph.state.holds(_PLACES[relation][1], (name,))

    def around(self, name: str) -> list[str]:
        """Return the bearers of an object from the inside out, then the furniture of its room."""
        state, room = self._view.state, self._view.room(name)
        borne = [place for _, place in bearers(state, name) if self.category(place) not in HOUSE]
        inside = [n for n in self._things if self._kind(n) == "furniture"]
        return list(dict.fromkeys([*borne, *(n for n in inside if self._view.room(n) == room)]))

    def is_closed(self, name: str) -> bool:
        """Return whether something can be opened and is closed."""
        return name in self._graph.opens and self._view.state.holds("CLOSED", (name,))

    def shut_around(self, name: str) -> list[str]:
        """Return the closed containers around an object, from the inside out."""
        state, opens = self._view.state, self._graph.opens
        around = bearers(state, name)
        return list(dict.fromkeys(each[1] for each in around if is_shut(state, opens, *each)))

    def holds(self, relation: str, first: str, second: str) -> bool:
        """Return whether a relation holds in the graph. A room is close to everybody in it."""
        view, agent = self._view, self._graph.agent
        rooms = [name for name in (first, second) if view.is_room(name)]
        if rooms:
            other = first if rooms[0] == second else second
            return relation in ("INSIDE", "CLOSE") and view.room(other) == rooms[0] != other
        if relation == "INSIDE":
            return ("INSIDE", second) in set(bearers(view.state, first))
        if relation == "CLOSE" and agent in (first, second):
            thing = first if second == agent else second
            opens, around = self._graph.opens, bearers(view.state, thing)
            shut = any(is_shut(view.state, opens, *each) for each in around)
            return view.is_near(agent, thing) and not shut
        if relation == "CLOSE":
            return self._is_beside(first, second) or self._is_beside(second, first)
        return second in view.state.targets(RELATIONS.get(relation, relation), first)

    def stated_relations(
        self, name: str, known: Collection[str] | None = None
    ) -> Iterator[tuple[str, str]]:
        """Yield the relations of an object that observations state, each with the other object: its
        supports and containers, its room, the landmarks that it is close to, and what it faces."""
        state = self._view.state
        for relation in ("ON", "INSIDE"):
            for other in sorted(state.targets(RELATIONS.get(relation, relation), name)):
                if not self._view.is_room(other) and self.category(other) not in HOUSE:
                    yield relation, other
        if room := self._view.room(name):
            yield "INSIDE", room
        for other in sorted(state.targets("NEXT_TO", name)):
            if (known is None or other in known) and self._is_beside(name, other):
                yield "CLOSE", other
        for other in sorted(state.targets("FACING", name)):
            if known is None or other in known:
                yield "FACING", other

    def is_landmark(self, name: str) -> bool:
        """Return whether a name is of furniture for things or people to be on or in, and not small
        if its size is known."""
        state = self._view.state
        usable = any(state.holds(use, (name,)) for use in _USES)
        width, depth, height = self._graph.sizes.get(name, (1.0, 1.0, 1.0))
        not_small = width * depth >= SMALL and height >= LOW
        is_furniture = self._kind(name) == "furniture" and self.category(name) not in HOUSE
        return usable and not_small and is_furniture

    def _is_beside(self, name: str, landmark: str) -> bool:
        """Return whether people would call an object near a landmark, rather than on or in
        something."""
        state = self._view.state
        around = set(bearers(state, name))
        return (
            landmark in state.targets("NEXT_TO", name)
            and self.category(name) != self.category(landmark)
            and self.is_landmark(landmark)
            and self._view.room(name) == self._view.room(landmark)
            and landmark not in {place for _, place in around}
            and around.isdisjoint(("INSIDE", each) for each in self._graph.opens)
            and name not in self._view.held_objects(self._graph.agent)
        )

    def robot_position(self) -> Point3:
        """Return the robot's position."""
        return self.position(self._at)

    def position(self, name: str) -> Point3:
        """Return the centre of an object in metres. A placed object has the centre of its
        target."""
        for moved in (name, *(place for _, place in bearers(self._view.state, name))):
            if moved == self._graph.agent or moved in self._view.held_objects(self._graph.agent):
                return self._fixed_position(self._at)
            if moved in self._put:
                return self.position(self._put[moved])
        return self._fixed_position(name)

    def _fixed_position(self, name: str) -> Point3:
        if name in self._graph.positions:
            return self._graph.positions[name]
        room = self._view.room(name)
        if room is not None and room in self._graph.positions:
            return self._graph.positions[room]
        return (0.0 if room is None else APART * self._graph.rooms.index(room), 0.0, 0.0)


def _describe_node(node: Node) -> str:
    """Describe an object: ``fridge.3 (closed)``, ``cup.5 on table.4``."""
    shut = {True: " (open)", False: " (closed)", None: ""}[node.states.get("open")]
    return f"{node.name}{shut}" + (f" {node.relation} {node.holder}" if node.holder else "")
