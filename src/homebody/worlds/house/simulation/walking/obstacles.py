"""Obstacles to walking: walls, furniture, people, leaves of doors."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from homebody.worlds.house.model.house import Box, House, box_at
from homebody.worlds.house.simulation.walking.doors import open_leaves, shut_leaves
from homebody.worlds.house.simulation.walking.walls import Floats, house_walls, memory

WALKED_UNDER = 0.8
"""Height in metres from which objects are not obstacles."""
STEPPED_OVER = 0.05
"""Height in metres up to which objects are not obstacles (rugs)."""


def obstacles(house: House, barred: frozenset[str]) -> tuple[Floats, Floats]:
    """Return the low and the high corners of obstacles, each (n, 2).

    Args:
        barred: Doors that are permanently shut.
    """
    boxes = [
        piece.box
        for piece in house.furniture
        if piece.box.low[2] < WALKED_UNDER and piece.box.high[2] > STEPPED_OVER
    ]
    boxes += [person_box(house, person.name) for person in house.people if not person.on]
    boxes += open_leaves(house).values()
    boxes += [shut_leaves(house)[name] for name in sorted(barred)]
    walls_low, walls_high = house_walls(house)
    low = np.array([box.low[:2] for box in boxes]).reshape(-1, 2)
    high = np.array([box.high[:2] for box in boxes]).reshape(-1, 2)
    return np.concatenate([walls_low, low]), np.concatenate([walls_high, high])


def person_box(house: House, name: str) -> Box:
    """Return the box of a person of the scene. Raises KeyError."""
    return _person_boxes(house)[name]


def is_person(house: House, name: str) -> bool:
    """Return whether a person of the scene has this name."""
    return name in _person_boxes(house)


def _person_boxes(house: House) -> Mapping[str, Box]:
    boxes: dict[str, Box] | None = memory(house).get("people")
    if boxes is None:
        boxes = {person.name: box_at(person.pose, person.size) for person in house.people}
        memory(house)["people"] = boxes
    return boxes
