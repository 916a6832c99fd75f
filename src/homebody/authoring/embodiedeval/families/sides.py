"""Spatial QA about the objects in front of and beside other objects and people.

The answers are kinds of furniture, preferably from the same room. Otherwise a model could exclude
answers without looking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import NO_FURNITURE, is_look_alike
from homebody.authoring.embodiedeval.bearings import ahead, centre_on_plan, left_of, only_in
from homebody.authoring.embodiedeval.draft import Draft, evenly, family, one_of
from homebody.authoring.embodiedeval.families.space import ACROSS, sizes_around
from homebody.authoring.embodiedeval.make import ANSWERS
from homebody.authoring.embodiedeval.survey import Survey, usual_furniture
from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Box, Furniture

DIFFERENCE: Final = 0.25
"""Minimum difference between two heights, as a share of the larger one. People estimate the height
of furniture with an error of some 5 %, so they know such a difference to about a third."""
FLAT: Final = 0.06
"""Furniture up to this height in metres does not count, such as rugs and mats."""
FRONTED: Final = frozenset(
    {"armchair", "bathtub", "bed", "bookcase", "bunk_bed", "cabinet", "copier", "desk"}
    | {
        "dishwasher",
        "dresser",
        "dryer",
        "filing_cabinet",
        "fireplace",
        "freezer",
        "fridge",
        "loveseat",
        "piano",
    }
    | {"recliner", "sofa", "stove", "teacher_desk", "toilet", "tv_stand", "vending_machine"}
    | {"wardrobe", "washing_machine", "hospital_bed", "display_fridge", "reception_desk", "lectern"}
)
"""Furniture whose front is obvious."""
EXPECTED: Final = frozenset({"coffee_table", "nightstand", "chair", "office_chair", "bath_mat"})
"""Furniture whose place is easy to guess, because it usually stands next to other furniture."""


def standing_furniture(survey: Survey, room: str) -> dict[str, Box]:
    """Return all furniture that stands on the floor of a room, visible or not."""
    return {
        piece.name: piece.box
        for piece in survey.house.furniture
        if piece.room == room and piece.box.low[2] < 0.5 and piece.box.size[2] > FLAT
    }


def nouns(
    survey: Survey, rng: np.random.Generator, right: str, room: str, barred: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the other possible answers as words: furniture of the same room first, then furniture
    that such rooms have, then furniture of other rooms.

    Nouns similar to the right one are omitted (chair, armchair), and the kinds of ``barred``
    pieces.
    """
    out = {_answer(survey, name) for name in barred}
    pieces = [
        piece
        for piece in survey.furniture
        if piece.box.low[2] < 0.5
        and piece.box.size[2] > FLAT
        and piece.name not in barred
        and piece.category not in NO_FURNITURE
    ]
    here = [_answer(survey, piece.name) for piece in pieces if piece.room == room]
    there = sorted({_answer(survey, piece.name) for piece in pieces})
    known = catalogue().furniture
    usual = sorted(
        {
            survey.noun(kind)
            for kind in usual_furniture(survey.house.room[room].kind)
            if known[kind].mount == "floor" and kind not in NO_FURNITURE
        }
    )
    drawn = [*shuffle(rng, usual), *shuffle(rng, there)]
    words = [
        word
        for word in dict.fromkeys((*sorted(set(here)), *drawn))
        if word not in out
        and not set(_last(word)) & set(_last(right))
        and not is_look_alike(word, right)
    ]
    return tuple(words[: max(len(set(here)), ANSWERS + 1)])


def _last(word: str) -> tuple[str, str]:
    """Return the part of a noun that similar nouns share ("chair" of "armchair")."""
    base = word.rsplit(" ", 1)[-1]
    return base, base[-5:]


def _answer(survey: Survey, name: str) -> str:
    return survey.noun(survey.house.piece[name].category)


def can_be_answer(survey: Survey, name: str) -> bool:
    """Return whether a piece of furniture can be the answer: everybody calls it furniture, and it
    is visible and hard to guess."""
    return survey.is_seen(name) and survey.house.piece[name].category not in EXPECTED | NO_FURNITURE


def _pieces_with_front(survey: Survey) -> Iterator[tuple[Furniture, str]]:
    """Yield furniture with an obvious front, and its description."""
    for piece in survey.furniture:
        called = survey.description_of(piece.name)
        if called and piece.category in FRONTED:
            yield piece, called


@family("spatial_qa")
def facing(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what is straight in front of a piece of furniture or a person."""
    drafts = []
    fronts = [
        (piece.name, piece.room, piece.pose, called) for piece, called in _pieces_with_front(survey)
    ]
    for person in survey.people:
        called = survey.description_of(person.name)
        if called and person.posture != "lying":
            fronts.append((person.name, person.room, person.pose, called))
    for name, room, pose, called in fronts:
        own = survey.state.box(name)
        boxes = {
            other: box
            for other, box in standing_furniture(survey, room).items()
            if other != name and box.size[2] > 0.3 and not box.meets(own)
        }
        met = ahead(centre_on_plan(own), pose.yaw, boxes, 6.0)
        if met is None or not can_be_answer(survey, met):
            continue
        right = _answer(survey, met)
        drafts.append(
            Draft(
                one_of(
                    rng,
                    f"What is straight in front of {called}?",
                    f"{called.capitalize()} faces a piece of furniture. Which kind is it?",
                    f"Going straight on in the direction that {called} faces, what do you come to"
                    " first?",
                ),
                right,
                nouns(survey, rng, right, room, (name,) if name in survey.house.piece else ()),
                looks=(name, met),
                capabilities=("spatial",),
            )
        )
    yield from evenly(rng, drafts)


@family("spatial_qa")
def left_of_(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the furniture next to a piece, to the left or right for a person who faces it."""
    drafts = []
    for piece, called in _pieces_with_front(survey):
        boxes: Mapping[str, Box] = standing_furniture(survey, piece.room)
        others = {name: box for name, box in boxes.items() if name != piece.name}
        # as seen from its back, what was left is right
        for side, yaw in (("left", piece.pose.yaw), ("right", piece.pose.yaw + 180.0)):
            name = left_of(piece.box, yaw, others)
            if name is None or not can_be_answer(survey, name):
                continue
            right = _answer(survey, name)
            drafts.append(
                Draft(
                    one_of(
                        rng,
                        f"You stand in front of {called} and look at it. What is next to it on the"
                        f" {side}?",
                        f"For somebody who looks at the front of {called}: what stands directly to"
                        f" the {side} of it?",
                    ),
                    right,
                    nouns(survey, rng, right, piece.room, (piece.name,)),
                    looks=(piece.name, name),
                    capabilities=("spatial",),
                )
            )
    yield from evenly(rng, drafts)


@family("spatial_qa")
def perspective(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what is on somebody's left or right."""
    drafts = []
    for person in survey.people:
        called = survey.description_of(person.name)
        boxes = {
            n: box for n, box in standing_furniture(survey, person.room).items() if n != person.on
        }
        if called is None or person.posture == "lying":
            continue
        here = centre_on_plan(survey.state.box(person.name))
        for side, low, high in (("left", 60.0, 120.0), ("right", -120.0, -60.0)):
            name = only_in(here, person.pose.yaw, low, high, boxes, 3.0)
            if name is None or not can_be_answer(survey, name):
                continue
            right = _answer(survey, name)
            drafts.append(
                Draft(
                    one_of(
                        rng,
                        f"Put yourself in the place of {called}, looking the same way. Which piece"
                        f" of furniture is nearest on the {side}?",
                        f"As seen by {called}: what is the nearest furniture on the {side} hand?",
                    ),
                    right,
                    nouns(survey, rng, right, person.room),
                    looks=(person.name, name),
                    capabilities=("spatial",),
                )
            )
    yield from evenly(rng, drafts)


@family("spatial_qa")
def taller(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask how much taller one of two pieces of a kind in two rooms is."""
    known = {piece.name: survey.description_of(piece.name) for piece in survey.furniture}
    named = [piece for piece in survey.furniture if known[piece.name]]
    for one, other in permutations(named, 2):
        more = one.size[2] - other.size[2]
        if one.category != other.category or one.room == other.room:
            continue
        if more < max(0.1, DIFFERENCE * one.size[2]):
            continue
        if max(one.box.low[2], other.box.low[2]) > 0.3:
            continue
        right, wrong = sizes_around(100 * more, rng, "cm", ACROSS)
        yield Draft(
            one_of(
                rng,
                f"By how many centimetres is {known[one.name]} taller than {known[other.name]}?",
                f"{str(known[one.name]).capitalize()} is taller than {known[other.name]}: how many"
                " centimetres is the difference?",
            ),
            right,
            tuple(wrong),
            looks=(one.name, other.name),
            capabilities=("spatial",),
        )
