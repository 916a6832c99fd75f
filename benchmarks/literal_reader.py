"""A scripted planner for PARTNR that knows the goal but only its own world graph, as a model does.

It knows the evaluation function instead of understanding the instruction. It never sees the judge
or the true state: it takes objects and furniture by their perceived class and room, believes its
feedback, retries what failed, and is done when its graph shows the goal. Unlike a model it makes no
mistakes of language or bookkeeping."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from homebody.core import DONE, WAIT, Action
from homebody.goals.partnr import DifferentArgConstraint, Proposition, SameArgConstraint
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.house_view import HouseView
from homebody.suites.partnr.expert.requirements import Requirements
from homebody.suites.partnr.prompting.knowledge_text import has_faucet
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN
from homebody.worlds.house.simulation.graph_node import Node

MAX_CALLS = 50
"""Actions of an agent, as the planning cycles of the paper."""
TRIES = 2
"""Failures of an action after which it is given up."""
MAX_WAITS = 8
"""Consecutive waits after which the agent is done."""
BESIDE = 0.8
"""Distance in metres between positions at which objects look next to each other."""
SKILL = {"is_clean": "Clean", "is_filled": "Fill", "is_powered_on": "PowerOn"}
SKILL |= {"is_empty": "Pour", "is_powered_off": "PowerOff"}


class Reader:
    """The planner of one role.

    Args:
        session: The session; only the role's own knowledge and feedback is read.
        role: The role.
        tries: Failures of an action after which it is given up.
    """

    def __init__(self, session: PartnrSession, role: str, tries: int = TRIES) -> None:
        self.role = role
        self.tries = tries
        self.calls = 0
        self._session = session
        self._graph = session.simulation.graphs[role]
        self._house = session.simulation.state.house
        self._scene = HouseView(session.simulation).scene
        self._skills = session.simulation.agents[role].skills
        self._needs = Requirements(session.task.episode.evaluation)
        order = list(range(len(self._needs.evaluation.propositions)))
        if role == HUMAN:  # its own skills first, then from the end, where the robot comes last
            order.sort(key=lambda index: (self._of(index).predicate not in STATES, -index))
        self._order = order
        self._rooms = [room.name for room in self._house.rooms]
        self._explored: set[str] = set()
        self._opened: set[str] = set()
        self._target: dict[int, str] = {}
        self._beside: set[tuple[str, str]] = set()
        self._failed: dict[Action, int] = {}
        self._read = 0
        self._waits = 0

    def act(self) -> Action:
        """Return the next action; ``Done`` at the end or after :data:`MAX_CALLS`."""
        self._learn()
        if self.calls >= MAX_CALLS:
            return DONE
        self.calls += 1
        open_ = [index for index in self._order if not self._is_met(index)]
        done = set(self._order) - set(open_)
        due = [index for index in open_ if self._needs.waits.get(index, frozenset()) <= done]
        held = self._held()
        due.sort(key=lambda index: held not in self._of(index).lists[0])
        for index in due:
            action = self._step(index)
            if action is not None:
                self._waits = 0
                return action
        if held and (action := self._once(self._put_down(held))) is not None:
            return action
        others = [
            index for index in open_ if self._of(index).predicate in STATES or index not in due
        ]
        self._waits += 1
        return WAIT if others and self._waits <= MAX_WAITS else DONE

    # -- beliefs ----------------------------------------------------------------------------------

    def _learn(self) -> None:
        log = self._session.simulation.log
        for event in log[self._read :]:
            if event.role != self.role:
                continue
            name, args = event.action.name, event.action.args
            if not event.ok:
                self._failed[event.action] = self._failed.get(event.action, 0) + 1
            elif name == "Explore":
                self._explored.add(args[0])
            elif name == "Place" and len(args) == 5:
                self._beside.add((args[0], args[4]))
        self._read = len(log)

    def _of(self, index: int) -> Proposition:
        return self._needs.evaluation.propositions[index]

    def _node(self, name: str) -> Node | None:
        """Return what the agent believes of an object that it recognises by its class."""
        node = self._graph.nodes.get(name)
        thing = self._house.thing.get(name)
        return node if thing is None or (node and node.category == thing.category) else None

    def _held(self) -> str:
        return next(iter(self._graph.held_objects), "")

    def _is_met(self, index: int) -> bool:
        return sum(1 for _ in self._meeting(index)) >= self._count(index)

    def _count(self, index: int) -> int:
        of = self._of(index)
        return of.number if of.predicate != "is_clustered" else len(of.lists[0]) - 1

    def _meeting(self, index: int) -> Iterator[str]:
        """Yield the objects of a proposition that are as it wants them, by the agent's graph."""
        of = self._of(index)
        for name in of.lists[0]:
            node = self._node(name)
            if node is None:
                continue
            if of.predicate in STATES:
                state, value = STATES[of.predicate]
                met = node.states.get(state) == value
            elif of.predicate in ("is_on_top", "is_inside"):
                met = node.holder in self._targets(index)
            elif of.predicate == "is_in_room":
                met = node.room in of.lists[1] and node.relation != "held"
            elif of.predicate == "is_on_floor":
                met = node.holder in self._house.floors
            else:
                met = any(self._is_beside(name, other) for other in self._others(index, name))
            if met:
                yield name

    def _others(self, index: int, name: str) -> Sequence[str]:
        of = self._of(index)
        names = of.lists[1] if of.predicate == "is_next_to" else sum(of.lists, ())[:1]
        return [other for other in names if other != name]

    def _is_beside(self, name: str, other: str) -> bool:
        a, b = self._node(name), self._node(other)
        if a is None or b is None or a.relation == "held" or b.relation == "held":
            return False
        if other in self._house.piece:
            return (name, other) in self._beside
        return a.holder == b.holder and math.dist(a.position, b.position) <= BESIDE

    # -- places -----------------------------------------------------------------------------------

    def _targets(self, index: int) -> Sequence[str]:
        """Return the furniture that the agent takes for what is meant, the best first.

        That is furniture which looks like it (its class and room), or the class alone."""
        meant = self._of(index).lists[-1]
        pieces = [name for name in meant if name in self._house.piece]
        others = [name for name in meant if name not in self._house.piece]
        looks = {
            (self._house.piece[name].category, self._house.piece[name].room) for name in pieces
        }
        seen = list(self._graph.of_kind("furniture"))
        alike = [node.name for node in seen if (node.category, node.room) in looks]
        right = [name for name in pieces if name in alike]
        kinds = {category for category, _ in looks}
        return others + (right or alike or [n.name for n in seen if n.category in kinds][:1])

    def _choose_target(self, index: int) -> str:
        """Return the target of a proposition, as argument constraints allow."""
        if index in self._target:
            return self._target[index]
        targets = self._targets(index)
        for constraint in self._needs.argument_constraints:
            if index not in constraint.propositions:
                continue
            chosen = [
                self._target[other] for other in constraint.propositions if other in self._target
            ]
            if isinstance(constraint, SameArgConstraint):
                targets = [name for name in targets if name in chosen] or targets
            elif isinstance(constraint, DifferentArgConstraint):
                targets = [name for name in targets if name not in chosen] or targets
        if not targets:
            return ""
        self._target[index] = targets[0]
        return targets[0]

    # -- actions ----------------------------------------------------------------------------------

    def _once(self, action: Action | None) -> Action | None:
        """Return an action unless it has failed too often."""
        return None if action is None or self._failed.get(action, 0) >= self.tries else action

    def _step(self, index: int) -> Action | None:
        of = self._of(index)
        if of.predicate in STATES and SKILL.get(of.predicate) not in self._skills:
            return None
        met = set(self._meeting(index))
        left = [name for name in of.lists[0] if name not in met]
        if of.predicate == "is_clustered":
            left = [name for name in sum(of.lists, ()) if name not in met][1:]
        known = [
            name
            for name in left
            if (node := self._node(name)) is not None
            and (name in self._house.piece or node.holder)
            and not (node.relation == "held" and node.holder != self.role)
        ]
        for name in sorted(known, key=lambda name: name != self._held()):
            action = self._once(self._handle(index, name))
            if action is not None:
                return action
        return self._once(self._search()) if len(known) < self._count(index) - len(met) else None

    def _search(self) -> Action | None:
        """Return an action that looks for objects: in rooms, then in closed furniture."""
        for room in self._rooms:
            if room not in self._explored and self._once(Action("Explore", (room,))):
                return Action("Explore", (room,))
        for node in self._graph.of_kind("furniture"):
            if node.states.get("open") is False and node.name not in self._opened:
                if (action := self._once(self._at(node.name, "Open", node.name))) is not None:
                    return action
                self._opened.add(node.name)
        return None

    def _at(self, place: str, skill: str, *args: str) -> Action:
        """Return a skill at a place, or the walk to it."""
        near = place in self._house.room or self._scene.is_in_reach(self.role, place)
        return Action(skill, args) if near else Action("Navigate", (place,))

    def _handle(self, index: int, name: str) -> Action | None:
        of, held = self._of(index), self._held()
        node = self._node(name)
        assert node is not None
        if of.predicate in STATES:
            skill = SKILL[of.predicate]
            if skill not in ("Fill", "Pour") or name in self._house.piece:
                return self._at(name, skill, name)
            if held != name:
                return self._take(name)
            taps = [piece.name for piece in self._graph.of_kind("furniture") if has_faucet(piece)]
            return self._at(taps[0], skill, name if skill == "Fill" else taps[0]) if taps else None
        if held != name:
            return self._take(name)
        if of.predicate in ("is_on_top", "is_inside"):
            target = self._choose_target(index)
            relation = "within" if of.predicate == "is_inside" else "on"
            return self._place(name, relation, target) if target else None
        if of.predicate == "is_in_room":
            return self._place(name, "on", self._house.room[of.lists[1][0]].floor_name)
        if of.predicate == "is_on_floor":
            return self._put_down(name)
        for other in self._others(index, name):
            beside = self._node(other)
            if other in self._house.piece:
                floor = self._house.room[self._house.piece[other].room].floor_name
                return self._at(other, "Place", name, "on", floor, "next_to", other)
            if beside is not None and beside.holder and beside.relation != "held":
                at = (name, beside.relation, beside.holder, "next_to", other)
                return self._at(beside.holder, "Place", *at)
        return None

    def _take(self, name: str) -> Action | None:
        """Return an action toward holding an object."""
        held, node = self._held(), self._node(name)
        if held:
            return self._put_down(held)
        holder = self._graph.nodes.get(node.holder) if node is not None else None
        shut = holder is not None and holder.states.get("open") is False
        if holder is not None and shut and node is not None and node.relation == "within":
            return self._at(holder.name, "Open", holder.name)
        return self._at(name, "Pick", name)

    def _put_down(self, name: str) -> Action | None:
        room = self._graph.own_room
        if not room:
            return Action("Navigate", (self._rooms[0],))
        return Action("Place", (name, "on", self._house.room[room].floor_name))

    def _place(self, name: str, relation: str, target: str) -> Action | None:
        if target in self._house.floors:
            room = self._house.floors[target].name
            if self._graph.own_room != room:
                return Action("Navigate", (room,))
            return Action("Place", (name, relation, target))
        place = self._graph.nodes.get(target)
        if place is None:  # a container that it has not seen yet
            return self._search()
        if place.states.get("open") is False and relation == "within":
            return self._at(target, "Open", target)
        for index in self._order:
            of = self._of(index)
            if of.predicate == "is_next_to" and name in of.lists[0]:
                for other in of.lists[1]:
                    near = self._node(other)
                    if near is not None and near.holder == target and other != name:
                        at = (name, relation, target, "next_to", other)
                        if self._once(Action("Place", at)) is not None:
                            return self._at(target, "Place", *at)
        return self._at(target, "Place", name, relation, target)
