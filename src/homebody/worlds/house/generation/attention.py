"""Chooses targets for the gaze and the pointing of people in a furnished house, and objects for
their hands."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from homebody.worlds.house.generation.looks import sample_size, sample_style
from homebody.worlds.house.generation.small_objects import sample_states
from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Box, House, Person, Pose, Room, Thing, box_at, turn
from homebody.worlds.house.model.people import HAND, held_pose
from homebody.worlds.house.model.receptacles import thing_receptacles

_AHEAD = 0.5
"""Cosine of the largest angle by which a sitting person can turn to look at something."""


def hand_out(rng: np.random.Generator, entries: Catalogue, house: House) -> tuple[Thing, ...]:
    """Return the objects of a house, and the objects in people's hands, as far as there is
    space."""
    things = list(house.things)
    counts = Counter(thing.category for thing in things)
    wanted = {activity.phrase: activity.holds for activity in entries.people.activities.values()}
    boxes = [box_at(thing.pose, thing.size) for thing in things]
    for person in house.people:
        category = wanted.get(person.activity, "")
        if not category:
            continue
        kind = entries.things[category]
        width, depth, height = sample_size(rng, kind)
        size = width / 1000, depth / 1000, height / 1000
        style, material = sample_style(rng, kind)
        pose = held_pose(person, size)
        box = box_at(pose, size)
        if any(_touch(box, other) for other in boxes) or not _is_in(house.room[person.room], box):
            continue
        things.append(
            Thing(
                f"{category}_{counts[category]}",
                category,
                size,
                pose,
                (person.name, HAND),
                style,
                sample_states(rng, kind.likely),
                thing_receptacles(kind, size),
                material,
            )
        )
        boxes.append(box)
        counts[category] += 1
    return tuple(things)


def look_around(rng: np.random.Generator, entries: Catalogue, house: House) -> tuple[Person, ...]:
    """Return the people after they have turned to their targets; they prefer to look at objects
    rather than furniture."""
    sights = {kind.phrase: kind.looks_at for kind in entries.people.activities.values()}
    turned = []
    for person in house.people:
        if person.posture == "pointing":
            person = _point(rng, house, person)
        for thing in house.things:
            seen = thing.place[0] == person.looks_at and is_ahead(person, thing.pose.position[:2])
            if seen and thing.category in sights.get(person.activity, ()):
                person = replace(person, looks_at=thing.name)
        turned.append(person)
    return tuple(turned)


def _point(rng: np.random.Generator, house: House, person: Person) -> Person:
    """Return a person who points at the target of the gaze: a visible object, or else furniture."""
    if person.looks_at:
        return replace(person, pointing_at=person.looks_at)
    pieces = {piece.name: piece for piece in house.furniture if piece.room == person.room}
    visible = {
        (piece.name, receptacle.name)
        for piece in pieces.values()
        for receptacle in piece.receptacles
        if receptacle.kind == "on"
    }
    options: Mapping[str, Pose] = {
        thing.name: thing.pose for thing in house.things if thing.place in visible
    } or {
        piece.name: piece.pose
        for piece in pieces.values()
        if piece.category not in ("ceiling_lamp", "rug")
    }
    if not options:
        return replace(person, posture="standing", activity="waiting")
    name = list(options)[int(rng.integers(len(options)))]
    person = replace(person, pointing_at=name, looks_at=name)
    return turn_to(person, options[name].position)


def is_ahead(person: Person, spot: Sequence[float]) -> bool:
    """Return whether a person sees a place without turning the body."""
    cos, sin = turn(person.pose)
    x, y, _ = person.pose.position
    across, along = spot[0] - x, spot[1] - y
    ahead = round(-sin * across + cos * along, 6)
    return ahead > 0 and ahead * ahead >= round(_AHEAD**2 * squared_distance(spot, (x, y)), 6)


def turn_to(person: Person, spot: Sequence[float]) -> Person:
    """Return a person turned to a place, to whole degrees."""
    x, y, _ = person.pose.position
    degrees = round(math.degrees(math.atan2(x - spot[0], spot[1] - y)), 9)
    yaw = float(round(degrees) % 360)
    return replace(person, pose=Pose(person.pose.position, yaw))


def _is_in(room: Room, box: Box) -> bool:
    xs, ys = zip(*room.outline, strict=True)
    (x0, y0, _), (x1, y1, _) = box.low, box.high
    return bool(min(xs) <= x0 and x1 <= max(xs) and min(ys) <= y0 and y1 <= max(ys))


def _touch(box: Box, other: Box) -> bool:
    return all(box.low[i] < other.high[i] and other.low[i] < box.high[i] for i in range(3))


def squared_distance(point: Sequence[float], other: Sequence[float]) -> float:
    """Return the square of the distance on the plan, to the millimetre."""
    return round((point[0] - other[0]) ** 2 + (point[1] - other[1]) ** 2, 6)
