"""The targets that points of a navigation graph serve: usable furniture, people, the front door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.house import Furniture, House, Point
from homebody.worlds.house.simulation.walking.destinations import front_of
from homebody.worlds.house.simulation.walking.obstacles import person_box
from homebody.worlds.house.simulation.walking.walls import Bools, Floats, hits, reach_walls

REACH = 1.2
"""Maximum metres from a point to the box of a target."""
HUNG = 1.9
"""Height in metres from which furniture is out of reach."""
SAMPLES = 0.4
"""Metres between sampled places on a piece of furniture."""
_PLACE, _FRONT, _PERSON = 3, 20, 40  # weights, in spots of floor

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class Targets:
    """The targets in a room.

    Attributes:
        served: Mask of the targets that each spot serves, (spots, targets).
        weight: The weight of each target, (targets).
    """

    served: Bools
    weight: Ints


def find_targets(house: House, room: str, spots: Floats) -> Targets:
    """Return the targets in a room, and the mask of the spots that serve them."""
    served: list[Bools] = []
    weights: list[int] = []

    def add(low: Sequence[float], high: Sequence[float], weight: int, side: Bools | None) -> bool:
        touched = np.clip(spots, low, high)
        near = ((spots - touched) ** 2).sum(axis=1) <= REACH * REACH - 1e-6
        if side is not None:
            near &= side
        at = np.flatnonzero(near)
        near[at] = ~hits(spots[at], touched[at], *walls).any(axis=1)
        if near.any():
            served.append(near)
            weights.append(weight)
        return bool(near.any())

    walls = reach_walls(house)
    if len(spots):
        for piece in house.furniture:
            if piece.room == room and _is_used(piece):
                front, ahead = front_of(piece)
                add(front, front, _FRONT, _ahead_of(spots, front, ahead))
                for place in _places(piece):
                    add(place, place, _PLACE, None)
        for person in house.people:
            if person.room == room:
                box = person_box(house, person.name)
                x, y, _ = box.centre
                front, ahead = front_of(person)
                low, high = box.low[:2], box.high[:2]
                if not add(low, high, _PERSON, _ahead_of(spots, (x, y), ahead)):
                    add(low, high, _PERSON, None)
        for opening in house.openings:
            if opening.kind == "entrance" and room in opening.rooms:
                near = ((spots - opening.middle) ** 2).sum(axis=1) <= REACH * REACH
                if near.any():
                    served.append(near)
                    weights.append(_FRONT)
    if not served:
        return Targets(np.zeros((len(spots), 0), bool), np.zeros(0, np.int64))
    return Targets(np.stack(served, axis=1), np.array(weights, np.int64))


def _is_used(piece: Furniture) -> bool:
    return bool(piece.receptacles or piece.states) and piece.box.low[2] < HUNG


def _ahead_of(spots: Floats, front: Point, ahead: Point) -> Bools:
    """Return which spots are in front."""
    before: Bools = (spots[:, 0] - front[0]) * ahead[0] + (spots[:, 1] - front[1]) * ahead[1] > 0
    return before


def _places(piece: Furniture) -> list[Point]:
    """Return places all over a piece of furniture."""
    box = piece.box
    axes = []
    for low, high in zip(box.low[:2], box.high[:2], strict=True):
        inset = min(0.1, (high - low) / 2)
        count = max(1, round((high - low - 2 * inset) / SAMPLES))
        length = high - low - 2 * inset
        axes.append([low + inset + length * part / count for part in range(count + 1)])
    return [(x, y) for x in axes[0] for y in axes[1]]
