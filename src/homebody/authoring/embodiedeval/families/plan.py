"""Spatial QA about rooms: sizes, connections, ways through them, and views from a door.

A room counts as seen when furniture at both of its ends was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import is_like_room
from homebody.authoring.embodiedeval.bearings import (
    centre_on_plan,
    distance_between,
    turn_between,
    yaw_to,
)
from homebody.authoring.embodiedeval.draft import Draft, evenly, family, one_of
from homebody.authoring.embodiedeval.families.sides import (
    can_be_answer,
    nouns,
    standing_furniture,
)
from homebody.authoring.embodiedeval.families.space import (
    ACROSS,
    floor_area,
    other_rooms,
    sizes_around,
)
from homebody.authoring.embodiedeval.make import ANSWERS
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.model.house import Box, Opening, Point, Room
from homebody.worlds.house.model.outlines import parts_of

SIDES: Final = {
    "sharply to the left": (52.0, 88.0),
    "ahead to the left": (12.0, 38.0),
    "ahead to the right": (-38.0, -12.0),
    "sharply to the right": (-88.0, -52.0),
}
"""Side as seen from the door -> minimum and maximum angle in degrees to the left."""
REACHES: Final = {"less than 2.5 metres away": (0.0, 2.1), "more than 2.5 metres away": (2.9, 99.0)}
"""Distance from the door in words -> range in metres in which the words are clearly right."""
AT_WALL: Final = 0.3
"""Maximum metres from a wall to something that stands at it."""
FROM_DOOR: Final = tuple(f"{side} and {reach}" for side in SIDES for reach in REACHES)


def ends(survey: Survey, room: str) -> tuple[str, ...]:
    """Return the two pieces of furniture of a room that are farthest apart; empty if it has fewer
    than two."""
    boxes = {
        piece.name: centre_on_plan(piece.box) for piece in survey.furniture if piece.room == room
    }
    return max(
        combinations(boxes, 2),
        key=lambda pair: distance_between(boxes[pair[0]], boxes[pair[1]]),
        default=(),
    )


def rooms(survey: Survey) -> dict[str, str]:
    """Return the rooms for questions, with their descriptions."""
    return {
        room.name: called
        for room in survey.house.rooms
        if (called := survey.room_description(room.name)) and ends(survey, room.name)
    }


def adjacent_rooms(survey: Survey) -> dict[str, list[str]]:
    """Return room -> the rooms behind its doors and doorways."""
    beside: dict[str, list[str]] = {room.name: [] for room in survey.house.rooms}
    for opening in survey.house.openings:
        if opening.is_passage and len(opening.rooms) == 2:
            one, other = opening.rooms
            beside[one].append(other)
            beside[other].append(one)
    return {room: list(dict.fromkeys(found)) for room, found in beside.items()}


def way(beside: Mapping[str, Sequence[str]], start: str, end: str) -> list[str] | None:
    """Return the rooms between two rooms, on the only way that passes no room twice; None if there
    is no way or more than one."""
    found: list[list[str]] = []
    stack = [[start]]
    while stack and len(found) < 2:
        path = stack.pop()
        if path[-1] == end:
            found.append(path[1:-1])
            continue
        stack.extend([*path, room] for room in beside[path[-1]] if room not in path)
    return found[0] if len(found) == 1 else None


@family("spatial_qa")
def larger_room(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the ratio of the sizes of two rooms."""
    known = rooms(survey)
    size = {name: floor_area(survey.house.room[name]) for name in known}
    drafts = []
    for one, other in permutations(known, 2):
        if not 1.2 < max(size[one], size[other]) / min(size[one], size[other]) < 8:
            continue
        right, wrong = sizes_around(size[one] / size[other], rng, "times", ACROSS)
        drafts.append(
            Draft(
                one_of(
                    rng,
                    f"How many times as large as the floor of {known[other]} is that of"
                    f" {known[one]}?",
                    f"The floor of {known[one]} measures how many times that of {known[other]}?"
                    " It may be less than one.",
                ),
                right,
                tuple(wrong),
                looks=(*ends(survey, one), *ends(survey, other)),
                capabilities=("spatial", "long_horizon"),
            )
        )
    yield from evenly(rng, drafts)


@family("spatial_qa")
def path(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the rooms on the way from one to another."""
    known, beside, drafts = rooms(survey), adjacent_rooms(survey), []
    for start, end in permutations(known, 2):
        between = way(beside, start, end)
        if not between or len(between) > 3 or not all(name in known for name in between):
            continue
        right = " then ".join(known[name] for name in between)
        others = other_rooms(survey, (start, end))
        # as long as the right one, so that none differs in kind
        own = [survey.house.room[name].kind for name in between]
        sequences = [
            " then ".join(others[kind] for kind in kinds)
            for kinds in permutations(others, len(between))
            if not all(map(is_like_room, kinds, own))
        ]
        drawn = shuffle(rng, sequences)
        via = known[between[0]]
        near = [text for text in drawn if via in text][: ANSWERS // 2]
        far = [text for text in drawn if text not in near]
        drafts.append(
            Draft(
                one_of(
                    rng,
                    f"Which rooms does one pass through on the way from {known[start]} to"
                    f" {known[end]}?",
                    f"Somebody goes from {known[start]} to {known[end]}. What do they go through"
                    " on the way?",
                ),
                right,
                tuple([*near, *far][: ANSWERS - 1]),
                looks=(ends(survey, start)[0], ends(survey, end)[0]),
                capabilities=("spatial", "long_horizon"),
            )
        )
    yield from evenly(rng, drafts)


def _inward(survey: Survey, opening: Opening, room: str) -> tuple[Point, float] | None:
    """Return the middle of a doorway, and the direction of somebody who comes in straight."""
    (x0, y0), (x1, y1) = opening.start, opening.end
    middle = opening.middle
    for yaw in (0.0, 180.0) if abs(x1 - x0) > abs(y1 - y0) else (90.0, 270.0):
        x = middle[0] - 0.3 * round(float(np.sin(np.radians(yaw))))
        y = middle[1] + 0.3 * round(float(np.cos(np.radians(yaw))))
        if any(
            left < x < right and low < y < top
            for left, low, right, top in parts_of(survey.house.room[room])
        ):
            return middle, yaw
    return None


@family("spatial_qa")
def entering(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask on which side something is from the door of a room, and whether near or far."""
    named, drafts = rooms(survey), []
    for opening in survey.house.openings:
        if not opening.is_passage or not all(room in named for room in opening.rooms):
            continue
        if sum(set(each.rooms) == set(opening.rooms) for each in survey.house.openings) > 1:
            continue
        for start, room in permutations(opening.rooms, 2):
            inward = _inward(survey, opening, room)
            if inward is None:
                continue
            middle, yaw = inward
            for name, box in standing_furniture(survey, room).items():
                called, right = survey.description_of(name), from_door(middle, yaw, box)
                if right is None or called is None or not survey.is_seen(name):
                    continue
                drafts.append(
                    Draft(
                        one_of(
                            rng,
                            f"Coming into {named[room]} from {named[start]} and looking straight"
                            f" ahead in the doorway: where is {called}?",
                            f"You step from {named[start]} into {named[room]}. Still in the doorway"
                            f" and looking straight on: where do you find {called}?",
                        ),
                        right,
                        tuple(text for text in FROM_DOOR if text != right),
                        looks=(name,),
                        capabilities=("spatial",),
                    )
                )
    yield from evenly(rng, drafts)


def from_door(middle: Point, yaw: float, box: Box) -> str | None:
    """Return the :data:`FROM_DOOR` entry of a box as seen from a doorway; None if it is unclear."""
    angle, metres = (
        turn_between(yaw, yaw_to(middle, centre_on_plan(box))),
        distance_between(middle, centre_on_plan(box)),
    )
    for side, (low, high) in SIDES.items():
        for reach, (near, far) in REACHES.items():
            if low <= angle <= high and near <= metres <= far:
                return f"{side} and {reach}"
    return None


def along_walls(room: Room, boxes: Mapping[str, Box]) -> list[str]:
    """Return the names at the walls of a rectangular room, clockwise as seen from above, from its
    north-western corner; empty if the room is not a rectangle."""
    if len(room.outline) != 4:
        return []
    left, right = min(x for x, _ in room.outline), max(x for x, _ in room.outline)
    low, top = min(y for _, y in room.outline), max(y for _, y in room.outline)
    found = []
    for name, box in boxes.items():
        x, y = centre_on_plan(box)
        gaps = top - box.high[1], right - box.high[0], box.low[1] - low, box.low[0] - left
        near = [wall for wall in range(4) if gaps[wall] < AT_WALL]
        if near:
            # in a corner it belongs to the next wall clockwise
            wall = 0 if near == [0, 3] else near[-1]
            found.append((wall, (x, -y, -x, y)[wall], name))
    return [name for _, _, name in sorted(found)]


@family("spatial_qa")
def order(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what comes next along the walls of a room."""
    drafts = []
    for room, called in rooms(survey).items():
        round_ = along_walls(survey.house.room[room], standing_furniture(survey, room))
        if len(round_) < 4:
            continue
        for way, names in (("clockwise", round_), ("anticlockwise", round_[::-1])):
            for name, after in zip(names, [*names[1:], names[0]], strict=True):
                first = survey.description_of(name)
                right = survey.noun(survey.house.piece[after].category)
                wrong = nouns(survey, rng, right, room, (name,))
                if first is None or not can_be_answer(survey, after) or not survey.is_seen(name):
                    continue
                drafts.append(
                    Draft(
                        one_of(
                            rng,
                            f"Go round {called} along its walls, {way} as seen from above. Which"
                            f" piece of furniture at the walls comes next after {first}?",
                            f"On a plan of {called} I go {way} along the walls. I have come to"
                            f" {first}: what stands next at the walls?",
                        ),
                        right,
                        wrong,
                        looks=(name, after),
                        capabilities=("spatial", "complex_instruction"),
                    )
                )
    yield from evenly(rng, drafts)
