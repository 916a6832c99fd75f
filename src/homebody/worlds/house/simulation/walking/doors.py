"""Doors as obstacles to walking, reaching and seeing.

A shut leaf stops all three. Agents never reach through a door, even an open one. An open leaf
blocks walking. Nobody stands in its place or swing even while the door is shut, so the places where
agents can stand never change.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import numpy as np

from homebody.worlds.house.model.doors import open_leaf, shut_leaf, swing
from homebody.worlds.house.model.house import NOISE, Box, House, Opening, Point
from homebody.worlds.house.model.outlines import crossed_part
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.walking.walls import Floats, house_walls, memory

STOP = 0.05
"""Distance in metres between a closed door and an agent that stops in front of it."""


def shut_leaves(house: House) -> Mapping[str, Box]:
    """Return the boxes of shut leaves by door; cached with the house."""
    return _boxes(house)[0]


def open_leaves(house: House) -> Mapping[str, Box]:
    """Return the boxes of open leaves by door; cached with the house."""
    return _boxes(house)[1]


def swings(house: House) -> Mapping[str, Box]:
    """Return the boxes that leaves sweep, including the openings, by door. They are cached with the
    house."""
    return _boxes(house)[2]


def doors_of(house: House, room: str) -> list[Opening]:
    """Return the doors of a room."""
    return [door for door in house.door.values() if room in door.rooms]


def open_to(house: House, room: str) -> tuple[str, ...]:
    """Return the rooms behind doorways without leaves, in the order of the house."""
    beyond = [
        opening.rooms[opening.rooms[0] == room]
        for opening in house.openings
        if opening.kind == "doorway" and room in opening.rooms
    ]
    return tuple(dict.fromkeys(beyond))


def shut_doors(state: HouseState) -> list[str]:
    """Return the doors that are shut now."""
    return [name for name in state.house.door if not state.states[name]["open"]]


def locked_doors(state: HouseState) -> frozenset[str]:
    """Return the doors that are locked now."""
    return frozenset(name for name in state.house.door if state.states[name]["locked"])


def opaque_walls(state: HouseState) -> tuple[Floats, Floats]:
    """Return walls and shut leaves, which block sight, like :func:`.walls.house_walls`."""
    low, high = house_walls(state.house)
    if names := shut_doors(state):
        leaves = [shut_leaves(state.house)[name] for name in names]
        low = np.concatenate([low, [leaf.low[:2] for leaf in leaves]])
        high = np.concatenate([high, [leaf.high[:2] for leaf in leaves]])
    return low, high


def first_in_the_way(
    house: House, doors: Collection[str], points: Sequence[Point], radius: float
) -> tuple[str, float] | None:
    """Return the first shut door that a walk runs into, and the metres after which to stop.

    Args:
        doors: The shut doors.
        points: The points of the walk.
        radius: Radius of the walking agent.
    """
    leaves = shut_leaves(house)
    gone = 0.0
    for (a, b), (c, d) in pairwise(points):
        length = math.sqrt((c - a) * (c - a) + (d - b) * (d - b))
        met = [
            (gone + share * length, name)
            for name in doors
            if (share := _enters((a, b), (c, d), leaves[name], radius)) is not None
        ]
        if met:
            far, name = min(met)
            return name, max(0.0, far - STOP)
        gone += length
    return None


def _enters(start: Point, end: Point, box: Box, margin: float) -> float | None:
    """Return the share of a line at which it enters a box grown by a margin, or None."""
    (x0, y0, _), (x1, y1, _) = box.low, box.high
    rect = (x0 - margin + NOISE, y0 - margin + NOISE, x1 + margin - NOISE, y1 + margin - NOISE)
    first, last = crossed_part(start, end, rect, at_edge=False) or (1.0, 0.0)
    return first if first < last else None


def _boxes(house: House) -> tuple[Mapping[str, Box], Mapping[str, Box], Mapping[str, Box]]:
    boxes = memory(house).get("doors")
    if boxes is None:
        boxes = memory(house)["doors"] = tuple(
            {name: box_of(house, door) for name, door in house.door.items()}
            for box_of in (shut_leaf, open_leaf, swing)
        )
    shut_ones, open_ones, swept = boxes
    return shut_ones, open_ones, swept
