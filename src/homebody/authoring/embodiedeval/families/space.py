"""Spatial QA: positions, distances, sizes and directions, also from a person's view.

Answers are computed from the house. Drafts list the objects that must have been seen. No wrong
answer is nearly right.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import is_like_room
from homebody.authoring.embodiedeval.draft import Draft, evenly, family, one_of
from homebody.authoring.embodiedeval.make import counting
from homebody.authoring.embodiedeval.survey import WELL, Survey
from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, Point, Room
from homebody.worlds.house.model.outlines import crossed_part, flat, grown_by, parts_of
from homebody.worlds.house.simulation.relations import gap
from homebody.worlds.house.simulation.walking.doors import open_to

STEP: Final = 1.6
"""Ratio between one answer and the next in questions about a size that can be seen in one room. An
estimate that is wrong by a quarter is still nearest to the right answer."""
ACROSS: Final = 2.0
"""The same for comparisons of two rooms: the errors of two estimates add up, to some 40 %."""
CLEARLY: Final = 1.3
"""Minimum ratio between the distances of the second nearest object and the nearest."""
PLAUSIBLE: Final = {
    "m": (0.2, 25.0),
    "square metres": (1.5, 400.0),
    "cm": (4.0, 640.0),
    "times": (1 / 12, 12.0),
}
"""Unit -> the smallest and largest size that nobody excludes without looking."""
SECTORS: Final = (
    "straight ahead",
    "ahead on the left",
    "on the left",
    "behind on the left",
    "straight behind",
    "behind on the right",
    "on the right",
    "ahead on the right",
)
"""Names of the eight directions, counter-clockwise in steps of 45 degrees."""
ANYWHERE: Final = (
    "storage_room",
    "restroom",
    "staff_room",
    "private_office",
    "reception",
    "meeting_room",
    "break_room",
    "library",
    "pantry",
    "changing_room",
)
"""Kinds of rooms that could be in any building other than a home."""
SECTOR: Final = 15.0
"""Maximum deviation in degrees from the middle of a direction."""
LOW: Final = 0.2
"""Height in metres. Furniture that begins above it does not stand on the floor; furniture that ends
below it is flat."""
MOST: Final = 8
"""Maximum number of drafts of a family in a room."""


def sector(here: Point, toward: Point, other: Point) -> str | None:
    """Return the direction of a target for somebody at one point who looks toward another point;
    None if it is between two named directions."""
    ahead = math.atan2(toward[1] - here[1], toward[0] - here[0])
    way = math.atan2(other[1] - here[1], other[0] - here[0])
    turn = math.degrees(way - ahead) % 360.0
    nearest = round(turn / 45.0) % 8
    off = abs((turn - 45.0 * nearest + 180.0) % 360.0 - 180.0)
    return SECTORS[nearest] if off <= SECTOR else None


def sizes_around(
    value: float, rng: np.random.Generator, unit: str, step: float = STEP
) -> tuple[str, list[str]]:
    """Return the right size and seven wrong ones, as text. They are sorted, and each is ``step``
    times as large as the previous one. The rank of the right size is random, but no size is absurd
    if that is possible. Sizes have two significant digits."""
    sequences = [[value * step ** (number - rank) for number in range(8)] for rank in range(8)]
    low, high = PLAUSIBLE[unit]
    excess = [max(low / sizes[0], sizes[-1] / high, 1.0) for sizes in sequences]
    least = min(excess)
    rank = int(rng.choice([at for at, much in enumerate(excess) if much == least]))
    sizes = [float(f"{size:.1e}") for size in sequences[rank]]
    texts = [f"{size:.{max(0, 1 - math.floor(math.log10(size)))}f} {unit}" for size in sizes]
    return texts[rank], [text for text in texts if text != texts[rank]]


def middle(survey: Survey, name: str) -> Point:
    """Return the middle of something on the plan."""
    x, y, _ = survey.state.box(name).centre
    return x, y


def _named_furniture(survey: Survey, room: str) -> list[tuple[Furniture, str]]:
    """Return the furniture on the floor of a room that is clearly visible and has a description,
    the largest first."""
    pieces = [
        (piece, called)
        for piece in survey.furniture
        if piece.room == room
        and piece.box.low[2] < LOW < piece.box.high[2]
        and survey.is_seen(piece.name, 3 * WELL)
        and (called := survey.description_of(piece.name)) is not None
    ]
    return sorted(pieces, key=lambda each: (-survey.largest[each[0].name], each[0].name))


def _pairs(
    survey: Survey, rng: np.random.Generator
) -> Iterator[tuple[tuple[Furniture, str], tuple[Furniture, str]]]:
    """Yield some pairs of pieces of each room."""
    for room in survey.house.rooms:
        pieces = _named_furniture(survey, room.name)
        pairs = [(a, b) for at, a in enumerate(pieces) for b in pieces[at + 1 :]]
        yield from shuffle(rng, pairs)[:MOST]


@family("spatial_qa")
def distance(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the distance between two pieces."""
    for (one, first), (other, second) in _pairs(survey, rng):
        metres = gap(one.box, other.box)
        if not 0.8 <= metres <= 12.0:
            continue
        right, wrong = sizes_around(metres, rng, "m")
        yield Draft(
            one_of(
                rng,
                f"How wide is the gap between {first} and {second}?",
                f"Estimate how far apart {first} and {second} are, from edge to edge.",
            ),
            right,
            tuple(wrong),
            looks=(one.name, other.name),
            capabilities=("spatial",),
        )


@family("spatial_qa")
def nearest(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what is nearest to a piece."""
    yield from _by_distance(survey, rng, farthest=False)


@family("spatial_qa")
def farthest(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what is farthest from a piece, in its room."""
    yield from _by_distance(survey, rng, farthest=True)


def _by_distance(survey: Survey, rng: np.random.Generator, *, farthest: bool) -> Iterator[Draft]:
    for room in survey.house.rooms:
        pieces = _named_furniture(survey, room.name)
        for own, called in shuffle(rng, pieces)[:MOST]:
            others = [each for each in pieces if each[0].name != own.name]
            others.sort(key=lambda each: gap(own.box, each[0].box), reverse=farthest)
            if len(others) < 8:
                continue
            first, second = (gap(own.box, each[0].box) for each in others[:2])
            if max(first, second) < CLEARLY * min(first, second) + 0.3:
                continue
            word = "farthest from" if farthest else "nearest to"
            yield Draft(
                one_of(
                    rng,
                    f"Which of these is {word} {called}?",
                    f"Of these pieces, which one stands {word} {called}?",
                ),
                others[0][1],
                tuple(name for _, name in others[1:]),
                looks=(own.name, others[0][0].name),
                capabilities=("spatial",),
            )


@family("spatial_qa")
def direction(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the direction of a third object, seen from one object while facing another."""
    for room in survey.house.rooms:
        pieces = _named_furniture(survey, room.name)[:8]
        for at in shuffle(rng, range(len(pieces) ** 3))[: 6 * MOST]:
            a, b, c = (pieces[at // len(pieces) ** k % len(pieces)] for k in range(3))
            if len({a[0].name, b[0].name, c[0].name}) < 3:
                continue
            points = [middle(survey, each[0].name) for each in (a, b, c)]
            right = sector(*points)
            if right is None or min(math.dist(points[0], each) for each in points[1:]) < 1.0:
                continue
            yield Draft(
                one_of(
                    rng,
                    f"Imagine you stand at {a[1]} and look at {b[1]}. Where is {c[1]}?",
                    f"You are at {a[1]} and face {b[1]}. In which direction is {c[1]}?",
                ),
                right,
                tuple(each for each in SECTORS if each != right),
                looks=(a[0].name, b[0].name, c[0].name),
                capabilities=("spatial",),
            )


@family("spatial_qa")
def between(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what a straight line from one piece to another crosses."""
    for (one, first), (other, second) in _pairs(survey, rng):
        named = [each for each in _named_furniture(survey, one.room) if each[0] not in (one, other)]
        ends = middle(survey, one.name), middle(survey, other.name)
        crossed = [each for each in named if crosses(*ends, each[0])]
        if len(crossed) != 1 or len(named) < 8:
            continue
        unnamed = [p for p in survey.house.furniture if p.room == one.room and crosses(*ends, p)]
        floor = [piece for piece in unnamed if piece not in (one, other) and piece.box.low[2] < 1.0]
        if len(floor) > 1:
            continue
        yield Draft(
            f"If you drew a straight line on the floor from the middle of {first} to the middle of"
            f" {second}, what would it run into?",
            crossed[0][1],
            tuple(name for piece, name in named if piece is not crossed[0][0]),
            looks=(one.name, other.name, crossed[0][0].name),
            capabilities=("spatial",),
        )


def crosses(start: Point, end: Point, piece: Furniture, margin: float = 0.1) -> bool:
    """Return whether a line on the plan runs through a piece, and not only along its edge."""
    rect = grown_by(flat(piece.box), -margin)
    first, last = crossed_part(start, end, rect, at_edge=False) or (1.0, 0.0)
    return first < last and rect[0] < rect[2] and rect[1] < rect[3]


def floor_area(room: Room) -> float:
    """Return the square metres of a room's floor."""
    return sum((right - left) * (top - low) for left, low, right, top in parts_of(room))


@family("spatial_qa")
def area(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the size of a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        pieces = _named_furniture(survey, room.name)
        if called is None or len(pieces) < 3:
            continue
        right, wrong = sizes_around(floor_area(room), rng, "square metres")
        yield Draft(
            one_of(
                rng,
                f"About how large is the floor of {called}?",
                f"Estimate the floor area of {called}, furniture included.",
            ),
            right,
            tuple(wrong),
            looks=tuple(piece.name for piece, _ in pieces[:3]),
            capabilities=("spatial",),
        )


@family("spatial_qa")
def next_room(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the room behind the only door or doorway of another."""
    rooms = {room.name: survey.room_description(room.name) for room in survey.house.rooms}
    for room, called in rooms.items():
        beside = {*open_to(survey.house, room)}
        beside |= {
            name for door in survey.house.door.values() if room in door.rooms for name in door.rooms
        } - {room}
        if called is None or len(beside) != 1 or len(rooms) < 4:
            continue
        (only,) = beside
        seen = [piece.name for piece, _ in _named_furniture(survey, room)[:1]]
        seen += [piece.name for piece, _ in _named_furniture(survey, only)[:1]]
        right = rooms[only]
        if right is None or len(seen) < 2:
            continue
        yield Draft(
            one_of(
                rng,
                f"Which room does one come into from {called}?",
                f"{called.capitalize()} has a way out to one room only. Which?",
            ),
            right,
            tuple(
                word
                for kind, word in other_rooms(survey, (room, only)).items()
                if not is_like_room(kind, survey.house.room[only].kind)
            ),
            looks=tuple(seen),
            capabilities=("spatial",),
        )


def other_rooms(survey: Survey, names: Sequence[str]) -> dict[str, str]:
    """Return kind of room -> description: first the rooms of the scene, then rooms that scenes of
    its kind can have. The kinds of the named rooms are excluded."""
    scene = catalogue().scenes[survey.scene.kind]
    own = [scene, *scene.types.values()]
    known = [kind for each in own for kind in (*each.first, *each.then, each.corridor)]
    anywhere = () if survey.scene.kind == "home" else ANYWHERE
    left_out = {survey.house.room[name].kind for name in names}
    kinds = (*(room.kind for room in survey.house.rooms), *known, *anywhere)
    return {
        kind: f"the {survey.noun(kind)}" for kind in dict.fromkeys(kinds) if kind not in left_out
    }


@family("spatial_qa")
def ways_out(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the number of doors and open doorways of a room."""
    drafts = []
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        pieces = _named_furniture(survey, room.name)
        ways = [one for one in survey.house.openings if one.is_passage and room.name in one.rooms]
        if called is None or len(pieces) < 3 or not ways:
            continue
        wordings = (
            f"How many doors and open doorways lead from {called} into other rooms?",
            f"Count the ways from {called} into other rooms, with or without a door.",
        )
        looks = [piece.name for piece, _ in pieces[:4]]
        drafts.append(counting(rng, len(ways), wordings, looks, capabilities=("spatial",)))
    yield from evenly(rng, drafts)


@family("spatial_qa")
def persons_side(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the direction of something as somebody else sees it."""
    for person in survey.people:
        who = survey.description_of(person.name)
        if who is None or person.posture == "lying":
            continue
        here = middle(survey, person.name)
        turn = math.radians(person.pose.yaw)
        ahead = here[0] - math.sin(turn), here[1] + math.cos(turn)
        for piece, called in _named_furniture(survey, person.room):
            there = middle(survey, piece.name)
            right = sector(here, ahead, there)
            if right is None or piece.name == person.on or math.dist(here, there) < 1.0:
                continue
            yield Draft(
                one_of(
                    rng,
                    f"As {who} sees it, where is {called}?",
                    f"Put yourself in the place of {who}, facing the way they do. Where is"
                    f" {called}?",
                ),
                right,
                tuple(each for each in SECTORS if each != right),
                looks=(person.name, piece.name),
                capabilities=("spatial",),
            )
