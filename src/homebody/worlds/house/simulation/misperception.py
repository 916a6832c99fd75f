"""Errors of an agent's perception: what it misses, mistakes, misplaces, merges or only imagines.

The kinds are those of the scene graphs from pictures (ConceptGraphs) in appendix A.6.2 of the
PARTNR paper. The names of objects and furniture stay the true ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace

import numpy as np

from homebody.core.ground.seeds import choose
from homebody.core.ground.sharing import copy_flat
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.bounds import Name, Share
from homebody.worlds.house.model.house import Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.conditions import bearer
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.true_nodes import true_node

MERGING = 0.3
"""Maximum distance in metres of two objects that are taken for one."""


@dataclass(frozen=True, slots=True)
class PerceptionErrors:
    """Probabilities of errors about what is seen.

    Attributes:
        missed: Probability that a look does not notice an object.
        misclassified: Probability that an object is taken for another category, permanently.
        wrong_room: Probability that an object is believed in another room until it next moves.
        furniture_class: Probability that a piece of furniture is taken for another category,
            permanently.
        furniture_room: Probability that a piece, with the objects on it, is believed in another
            room, permanently.
        merged: Probability that a new object is taken for one that is known, of its category and
            within :data:`MERGING`. It is not noticed while both stay.
        phantom: Probability that a new object comes with a phantom: another object of the house,
            not seen yet, is believed at the same place until a close look.
        agents: The agents that err; all if empty.

    Raises:
        HomebodyError: A probability is not in [0, 1].
    """

    missed: Share = 0.0
    misclassified: Share = 0.0
    wrong_room: Share = 0.0
    furniture_class: Share = 0.0
    furniture_room: Share = 0.0
    merged: Share = 0.0
    phantom: Share = 0.0
    agents: tuple[Name, ...] = ()

    def __post_init__(self) -> None:
        for kind in (field.name for field in fields(self) if field.name != "agents"):
            probability = getattr(self, kind)
            if not 0.0 <= probability <= 1.0:
                raise HomebodyError(f"{kind} must be a probability, not {probability}")

    def of(self, agent: str) -> PerceptionErrors | None:
        """Return the errors of an agent; None if it does not err."""
        return self if not self.agents or agent in self.agents else None


@copy_flat("_mistaken", "_misplaced", "_merged")
class Misperception:
    """The perception of one agent that errs. Errors are drawn when something is first seen.

    Args:
        state: The state, which is only read.
        errors: The probabilities; an error without a probability is never drawn.
        rng: Source of errors.
    """

    def __init__(
        self, state: HouseState, errors: PerceptionErrors, rng: np.random.Generator
    ) -> None:
        self._state = state
        self._errors = errors
        self._rng = rng
        self._mistaken: dict[str, str] = {}
        self._misplaced: dict[str, tuple[Vector, str]] = {}
        self._merged: dict[str, tuple[Vector, str]] = {}

    def notices(self) -> bool:
        """Return whether a look notices an object."""
        return not self._errors.missed or bool(self._rng.random() >= self._errors.missed)

    def furniture(self, node: Node) -> Node:
        """Return furniture as the agent perceives it, always in the same way."""
        house, errors, name = self._state.house, self._errors, node.name
        if name not in self._mistaken and errors.furniture_class:
            kinds = sorted({piece.category for piece in house.furniture})
            self._mistaken[name] = self._other(errors.furniture_class, node.category, kinds)
        if name not in self._misplaced and errors.furniture_room:
            rooms = [room.name for room in house.rooms]
            room = self._other(errors.furniture_room, node.room, rooms)
            self._misplaced[name] = node.position, room
        category = self._mistaken.get(name, node.category)
        return replace(node, category=category, room=self._room_of_piece(name, node.room))

    def object(self, node: Node) -> Node:
        """Return an object as the agent perceives it; a wrong category stays."""
        house, errors, name = self._state.house, self._errors, node.name
        if name not in self._mistaken:
            kinds = sorted({thing.category for thing in house.things})
            self._mistaken[name] = self._other(errors.misclassified, node.category, kinds)
        believed = self._misplaced.get(name)
        if believed is None or believed[0] != node.position:
            rooms = [room.name for room in house.rooms]
            at = self._room_of_piece(bearer(self._state, name), node.room)
            room = self._other(errors.wrong_room, at, rooms)
            believed = self._misplaced[name] = node.position, room
        return replace(node, category=self._mistaken[name], room=believed[1])

    def handled(self, node: Node) -> Node:
        """Return an object that the agent has handled, and so knows, except for the room of its
        furniture."""
        self._mistaken[node.name] = node.category
        room = self._room_of_piece(bearer(self._state, node.name), node.room)
        self._misplaced[node.name] = node.position, room
        return node if room == node.room else replace(node, room=room)

    def is_merged(self, name: str, known: Mapping[str, Node]) -> bool:
        """Return whether a new object is taken for a known one."""
        if not self._errors.merged or name in known:
            return False
        state = self._state
        at, holder = state.poses[name].position, state.places[name][0]
        before = self._merged.get(name)
        if before is None or before[0] != at:
            near = [
                other
                for other in state.objects_at(state.places[name])
                if other in known
                and state.house.thing[other].category == state.house.thing[name].category
                and math.dist(at, state.poses[other].position) <= MERGING
            ]
            if not near:
                return False
            drawn = self._rng.random() < self._errors.merged
            before = self._merged[name] = at, near[0] if drawn else ""
        return bool(before[1]) and state.places[before[1]][0] == holder

    def phantom(self, node: Node, known: Mapping[str, Node]) -> Node | None:
        """Return the phantom that comes with a new object on furniture or a floor, if any."""
        state = self._state
        if (
            not self._errors.phantom
            or node.relation != "on"
            or not (node.holder in state.house.piece or node.holder in state.house.floors)
            or self._rng.random() >= self._errors.phantom
        ):
            return None
        unseen = sorted(name for name in state.poses if name not in known)
        if not unseen:
            return None
        phantom = true_node(state, choose(self._rng, unseen))
        assert phantom is not None
        if phantom.holder == node.holder:
            return None
        return replace(
            phantom, position=node.position, room=node.room, holder=node.holder, relation="on"
        )

    def _room_of_piece(self, name: str, room: str) -> str:
        """Return the believed room of furniture, or the given room of anything else."""
        known = self._misplaced.get(name)
        return room if known is None or name not in self._state.house.piece else known[1]

    def _other(self, chance: float, true: str, values: Iterable[str]) -> str:
        """Return another value with a probability, otherwise the true one."""
        if self._rng.random() >= chance:
            return true
        others = [value for value in values if value != true]
        return choose(self._rng, others) if others else true
