"""Queries about a house with full knowledge: facts, free space, closed containers.

Nothing here changes anything. Distances are rough metres on the plan, for choosing what is near;
the simulation plans the walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from homebody.goals.partnr import Holds
from homebody.suites.partnr.episodes.predicates import STATES
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.judging.house_atoms import holds_put_down
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, Receptacle, Thing
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import (
    Move,
    Refused,
    SkillContext,
    bearer,
    would_be_next_to,
)
from homebody.worlds.house.simulation.placing import fit
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import place, spaces_for

SKILL_FOR: Final = {
    "is_clean": "Clean",
    "is_filled": "Fill",
    "is_empty": "Pour",
    "is_powered_on": "PowerOn",
    "is_powered_off": "PowerOff",
}
"""Predicate -> the skill that brings it about. No skill makes objects dirty."""
ELSEWHERE = 4.0
"""Metres added to distances between rooms."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The arguments of a placement.

    Attributes:
        relation: ``on`` or ``within``.
        target: Furniture, object or floor.
        beside: Object or furniture to be next to, or an empty string.
    """

    relation: str
    target: str
    beside: str = ""

    def arguments(self, name: str) -> tuple[str, ...]:
        """Return the arguments of Place or Rearrange."""
        if self.beside:
            return name, self.relation, self.target, "next_to", self.beside
        return name, self.relation, self.target


@dataclass(slots=True)
class HouseView:
    """A view of a simulation with full knowledge.

    Attributes:
        seed: Seed of the choice among equally good places.
        reserved: Furniture that certain objects need; other objects avoid it if they can.
    """

    simulation: Simulation
    seed: str = ""
    reserved: frozenset[str] = frozenset()
    scene: SkillContext = field(init=False)
    _holds: Holds = field(init=False)

    def __post_init__(self) -> None:
        self.scene = SkillContext(
            self.simulation.state, self.simulation.agents, catalogue().affordances
        )
        self._holds = holds_put_down(self.simulation.state)

    @property
    def state(self) -> HouseState:
        """The state of the house now."""
        return self.simulation.state

    # -- what is so -------------------------------------------------------------------------------

    def is_true(self, atom: Atom) -> bool:
        """Return whether an atom holds; False for unknown names."""
        return bool(self._holds(*atom))

    def is_movable(self, name: str) -> bool:
        """Return whether a name is an object that can be picked up."""
        return name in self.state.poses and self.scene.can(name, "grabbable")

    def room(self, name: str) -> str:
        """Return the room of a name: of an object (or its bearer), furniture or a floor; a room is
        its own room."""
        house = self.state.house
        if name in house.piece:
            return house.piece[name].room
        if name in house.floors:
            return house.floors[name].name
        return name if name in house.room else room_of(self.state, name)

    def bearer(self, name: str) -> str:
        """Return the furniture, floor or agent at the bottom of a chain of bearers."""
        return bearer(self.state, name)

    def bearing_role(self, name: str) -> str:
        """Return the agent that holds something, directly or in a container, or an empty string."""
        holder = bearer(self.state, name)
        return holder if holder in self.state.bodies else ""

    def held_object(self, role: str) -> str:
        """Return the object that an agent holds, or an empty string."""
        return next(iter(self.state.held_by(role).values()), "")

    def closed_around(self, name: str) -> str:
        """Return the outermost closed container around an object, or an empty string."""
        state, at, outermost = self.state, name, ""
        while at in state.places:
            at, receptacle = state.places[at]
            if state.states.get(at, {}).get("open") is False and any(
                space.name == receptacle for space in spaces(state, at, "within")
            ):
                outermost = at
        return outermost

    def closed_before(self, placement: Placement) -> str:
        """Return the container that must be opened before an object can be put somewhere, or an
        empty string."""
        around = self.closed_around(placement.target)
        if around or placement.relation == "on":
            return around
        closed = self.state.states.get(placement.target, {}).get("open") is False
        return placement.target if closed else ""

    def distance(self, name: str, other: str) -> float:
        """Return the metres between two objects, pieces, agents or rooms, more between rooms."""
        (a, b), (c, d) = self._middle(name), self._middle(other)
        far = abs(a - c) + abs(b - d)
        return far if self.room(name) == self.room(other) else far + ELSEWHERE

    def _middle(self, name: str) -> tuple[float, float]:
        house, state = self.state.house, self.state
        room = house.room.get(name) or house.floors.get(name)
        if room is not None:
            (a, b, _), (c, d, _) = _bounds(room.outline)
            return (a + c) / 2, (b + d) / 2
        if name in house.piece:
            return house.piece[name].pose.position[:2]
        if name in state.poses:
            return state.poses[name].position[:2]
        return state.bodies[name].pose.position[:2]

    # -- what can be ------------------------------------------------------------------------------

    def can_become_true(self, atom: Atom) -> bool:
        """Return whether an agent could make an atom true, regardless of free space."""
        predicate, names = atom
        state, house = self.state, self.state.house
        name = names[0]
        if predicate in STATES:
            which = STATES[predicate][0]
            skill = SKILL_FOR.get(predicate, "")
            able = any(skill in agent.skills for agent in self.simulation.agents.values())
            if not able or which not in state.states.get(name, {}):
                return False
            return predicate != "is_empty" or self.scene.can(name, "pourable")
        if predicate == "is_next_to":
            return any(self.is_movable(other) for other in names) and all(
                other in state.poses or other in house.piece for other in names
            )
        if not self.is_movable(name):
            return False
        if predicate == "is_on_floor":
            return True
        if predicate == "is_in_room":
            return names[1] in house.room
        return any(
            self.is_small_enough(name, relation, names[1]) for relation in self.relations(*atom)
        )

    def relations(self, predicate: str, names: Sequence[str]) -> tuple[str, ...]:
        """Return the relations of a placement that satisfies an atom, best first."""
        target = names[1]
        if target not in self.state.house.piece and target not in self.state.poses:
            return ()
        wanted = ("on", "within") if predicate == "is_on_top" else ("within", "on")
        usable = tuple(relation for relation in wanted if spaces(self.state, target, relation))
        return usable if predicate == "is_on_top" else usable[:1]

    def is_small_enough(self, name: str, relation: str, target: str) -> bool:
        """Return whether an object would fit into an empty target."""
        if target in self.state.house.floors:
            return True
        w, d, h = self.state.house.thing[name].size
        return name != target and any(
            h <= space.high[2] - space.low[2]
            and min(w, d) <= min(space.high[0] - space.low[0], space.high[1] - space.low[1]) + 1e-9
            and max(w, d) <= max(space.high[0] - space.low[0], space.high[1] - space.low[1]) + 1e-9
            for space in spaces(self.state, target, relation)
        )

    def crowding(self, relation: str, target: str) -> float:
        """Return roughly the share of a target's surface that is occupied."""
        area = sum(_area(space) for space in spaces(self.state, target, relation)) + 1e-6
        return 1.0 - self.vacant_area(relation, target) / area

    def vacant_area(self, relation: str, target: str) -> float:
        """Return roughly the free area of a target's surfaces in square metres."""
        return sum(
            _area(space) - self._taken_area(target, space)
            for space in spaces(self.state, target, relation)
        )

    def widest_vacant_area(self, relation: str, target: str) -> float:
        """Return the largest free area among a target's surfaces."""
        return max(
            (
                _area(space) - self._taken_area(target, space)
                for space in spaces(self.state, target, relation)
            ),
            default=0.0,
        )

    def _taken_area(self, target: str, space: Receptacle) -> float:
        taken = 0.0
        for name in self.state.objects_at((target, space.name)):
            w, d, _ = self.state.house.thing[name].size
            taken += w * d
        return taken

    def has_room_for(self, name: str, placement: Placement) -> bool:
        """Return whether there is room for an object; always True for floors."""
        state = self.state
        if placement.target in state.house.floors:
            return True
        try:
            names = spaces_for(self.scene, name, placement.relation, placement.target)
        except Refused:
            return False
        toward = state.box(placement.target).centre
        for space in names:
            at = placement.target, space
            if placement.beside in state.places and state.places[placement.beside] != at:
                continue
            pose = fit(state, name, at, toward, placement.beside)
            if pose is not None and would_be_next_to(state, name, pose, placement.beside):
                return True
        return False

    # -- what would be ----------------------------------------------------------------------------

    def simulate_placement(self, role: str, name: str, placement: Placement) -> Move | None:
        """Return the move of a held object from here; None if it would be refused."""
        try:
            (move,) = place(self.scene, role, *placement.arguments(name))
        except Refused:
            return None
        return move if isinstance(move, Move) else None

    def state_after(self, move: Move) -> HouseState:
        """Return the state after a move."""
        state = self.state.copy()
        state.move(move.name, move.place, move.pose)
        return state


def holds(state: HouseState, atom: Atom) -> bool:
    """Return whether an atom holds, as judged; False for unknown names."""
    return bool(holds_put_down(state)(*atom))


def spaces(state: HouseState, holder: str, kind: str) -> Sequence[Receptacle]:
    """Return the ``on`` or ``within`` receptacles of furniture or an object; none for a floor."""
    whole: Furniture | Thing | None = state.house.piece.get(holder) or state.house.thing.get(holder)
    if whole is None:
        return ()
    return [receptacle for receptacle in whole.receptacles if receptacle.kind == kind]


def _area(space: Receptacle) -> float:
    return (space.high[0] - space.low[0]) * (space.high[1] - space.low[1])


def _bounds(outline: Sequence[tuple[float, float]]) -> tuple[tuple[float, float, float], ...]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return (min(xs), min(ys), 0.0), (max(xs), max(ys), 0.0)
