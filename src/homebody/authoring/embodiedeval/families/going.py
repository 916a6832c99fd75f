"""Navigation: to an object, a person or a place that is described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import NO_FURNITURE, is_look_alike, is_same_use
from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.options import starts_outside
from homebody.authoring.embodiedeval.survey import Survey
from homebody.worlds.house.model.house import Furniture, Thing
from homebody.worlds.house.model.kinds import FurnitureKind

BY: Final = 0.3
"""Minimum difference in metres between the largest piece of furniture and the next, if sizes are
compared."""
NEEDS: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    (
        ("washbasin", "sink", "bathtub", "shower", "bidet", "bar_counter", "sink_cupboard"),
        ("My hands are dirty. Go where I can wash them.", "Lead me to where I can wash my hands."),
    ),
    (
        ("trash_bin", "recycling_bin"),
        ("I have some rubbish. Lead me to where it belongs.", "Go where litter is thrown away."),
    ),
    (
        ("fridge", "minibar", "display_fridge", "water_cooler", "vending_machine", "freezer"),
        ("I would like a cold drink. Go where I may find one.", "Go where drinks are kept cold."),
    ),
    (
        (
            "bed",
            "kids_bed",
            "bunk_bed",
            "hospital_bed",
            "gurney",
            "examination_table",
            "weight_bench",
            "bean_bag",
            "sofa",
            "loveseat",
            "recliner",
            "sun_lounger",
            "crib",
        ),
        ("I am tired. Go where I could lie down.", "Show me where somebody could take a nap."),
    ),
    (
        ("microwave", "stove", "toaster_oven", "air_fryer", "grill"),
        ("My lunch is cold. Lead me to where I can heat it.", "Go where a meal could be warmed."),
    ),
    (
        ("grandfather_clock", "wall_clock", "watch", "alarm_clock", "phone"),
        ("I wonder what time it is. Go where I can see it.", "Go where the time can be read."),
    ),
    (
        ("tv", "projector_screen", "monitor"),
        ("The match is about to begin. Go where I can watch it.", "Go where the news is shown."),
    ),
    (
        ("washing_machine", "dryer"),
        ("My shirt has a stain. Go to what cleans clothes.", "Go where laundry is done."),
    ),
    (
        ("mirror", "hand_mirror", "dressing_table", "medicine_cabinet", "bathroom_cabinet"),
        ("How does my hair look? Go where I can see.", "Go where one can look at oneself."),
    ),
    (
        ("whiteboard", "blackboard", "flip_chart"),
        (
            "I want to explain a drawing to everyone. Go where I can make it.",
            "Go where something can be written for all to see.",
        ),
    ),
    (
        ("copier", "printer"),
        ("I need this page twice. Go to what makes copies.", "Go where papers are copied."),
    ),
    (
        ("treadmill", "elliptical_trainer"),
        ("I want to go for a run without leaving. Go to what I need.", "Go where one can jog."),
    ),
    (
        ("checkout", "cash_register", "card_reader", "bar_counter", "reception_desk"),
        ("I have found all I want. Go where I can pay.", "Go where customers pay."),
    ),
    (
        ("calendar",),
        ("Which day of the month is it? Go where that can be seen.", "Go where dates are shown."),
    ),
    (
        ("toilet", "urinal"),
        ("I need to relieve myself. Lead the way.", "Nature calls. Go where I need to be."),
    ),
    (
        ("bookcase", "magazine_rack"),
        ("I would like to borrow a novel. Go where I should look.", "Go where books are kept."),
    ),
    (
        ("wardrobe", "coat_rack", "clothes_rack", "locker", "hanger"),
        ("I take off my coat. Go where I can hang it up.", "Go where a jacket can be hung."),
    ),
    (
        ("piano", "guitar", "violin", "drum"),
        (
            "I would love to hear a sonata. Go where it could be played.",
            "Go where somebody could make music.",
        ),
    ),
)
"""Interchangeable categories -> instructions that state a need. Each of the categories meets the
need."""


GENERAL: Final = (
    "keeping",
    "decorating",
    "giving light",
    "sitting",
    "putting",
    "showing",
    "hanging",
)
"""First words of uses that many kinds of objects share."""


def goals(survey: Survey) -> list[Furniture]:
    """Return the furniture that an agent can walk to: all furniture that does not hang from the
    ceiling."""
    return [piece for piece in survey.furniture if _mount(survey, piece) != "ceiling"]


def _mount(survey: Survey, piece: Furniture) -> str:
    kind = survey.kind(piece.name)
    return kind.mount if isinstance(kind, FurnitureKind) else ""


def near(
    text: str, name: str, capability: str = "base", goes: tuple[str, ...] | None = None
) -> Draft:
    """Return a draft whose goal is to be near something."""
    return Draft(
        text,
        goes=goes or (name,),
        predicates=(f"agent_near {name}",),
        capabilities=(capability,),
    )


@family("navigation")
def go_to(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to the only piece of furniture of its kind."""
    for piece in goals(survey):
        called = survey.description_of(piece.name)
        if called == f"the {survey.noun(piece.category)}":
            text = one_of(rng, f"Go to {called}.", f"Please walk over to {called}.")
            yield near(text, piece.name)


@family("navigation")
def go_to_person(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to somebody who is described."""
    for person in survey.people:
        called = survey.description_of(person.name)
        if called is not None:
            text = one_of(rng, f"Go and stand next to {called}.", f"Find {called} and go to them.")
            yield near(text, person.name, "visual")


@family("navigation")
def to_the_one_who(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to somebody who is described by activity."""
    doing = Counter(person.activity for person in survey.house.people)
    for person in survey.people:
        if person.name in survey.activities and doing[person.activity] == 1:
            text = one_of(
                rng,
                f"Somebody here is {person.activity}. Go to them.",
                f"Find the person who is {person.activity} and stop beside them.",
            )
            yield near(text, person.name, "visual")


@family("navigation")
def go_in_room(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to a piece of furniture in a given room; other rooms have the same kind."""
    for piece in goals(survey):
        room = survey.room_description(piece.room)
        alone = len(survey.all_of(piece.category, piece.room)) == 1
        alone &= survey.noun(piece.category) not in survey.drawn(piece.room)
        starts = starts_outside(survey, rng, piece.room)
        if room and alone and starts and len(survey.all_of(piece.category)) > 1:
            noun = survey.noun(piece.category)
            text = one_of(
                rng,
                f"Go to the {noun} in {room}.",
                f"There is more than one {noun} here. Go to the one that is in {room}.",
                f"Go into {room} and stop at the {noun} there.",
            )
            yield replace(near(text, piece.name, "spatial"), starts=starts)


@family("navigation")
def by_looks(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to one of several pieces of furniture of a kind, by colour or material."""
    for piece in goals(survey):
        called = survey.description_of(piece.name, place=False)
        noun = survey.noun(piece.category)
        if called is None or called == f"the {noun}":
            continue
        looks = called.removeprefix("the ").removesuffix(noun).strip()
        text = one_of(
            rng,
            f"Go to {called}.",
            f"Of the {survey.plural(piece.category)} here, find the {looks} one and go to it.",
        )
        yield near(text, piece.name, "visual")


@family("navigation")
def by_what_lies_there(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to a piece of furniture that is described by an object on it.

    Books are excluded, as one is a spine among many."""
    for thing in survey.things:
        holder, space = survey.state.places[thing.name]
        piece = survey.house.piece.get(holder)
        called = survey.description_of(thing.name, place=False)
        if piece is None or called is None or piece not in survey.furniture:
            continue
        if piece.category in NO_FURNITURE or is_look_alike("book", survey.noun(thing.category)):
            continue
        if any(each.name == space and each.kind == "on" for each in piece.receptacles):
            text = one_of(
                rng,
                f"Go to the piece of furniture that has {called} on it.",
                f"Look for {called} and go to the furniture that it is on.",
            )
            yield near(text, piece.name, "visual")


@family("navigation")
def by_function(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to the object for a certain use."""
    known: list[Furniture | Thing] = [*survey.house.furniture, *survey.house.things]
    purposes = Counter(survey.kind(each.name).function for each in known)
    devices = [each for each in survey.things if "powerable" in survey.kind(each.name).affords]
    shown: list[Furniture | Thing] = [*goals(survey), *devices]
    for each in shown:
        function = survey.kind(each.name).function
        if any(is_same_use(function, other) for other in purposes if other != function):
            continue
        if function and purposes[function] == 1 and not function.startswith(GENERAL):
            text = one_of(
                rng,
                f"Go to what is meant for {function}.",
                f"There is something here for {function}. Find it and go there.",
            )
            yield near(text, each.name, "common_sense")


@family("navigation")
def need(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to the only piece of furniture that meets a stated need."""
    for categories, wordings in NEEDS:
        fit = [name for category in categories for name in survey.all_of(category)]
        pieces = [piece for piece in survey.furniture if piece.name in fit]
        if len(fit) == 1 and pieces:
            yield near(one_of(rng, *wordings), fit[0], "common_sense")


@family("navigation")
def superlative(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to the tallest, lowest or widest piece of furniture on the floor of a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        pieces = [
            piece
            for piece in survey.house.furniture
            if piece.room == room.name and piece.pose.position[2] < BY and piece.size[2] > BY / 3
        ]
        shown = {piece.name for piece in survey.furniture}
        if called is None or len(pieces) < 3:
            continue
        for word, size in (("tallest", _height), ("lowest", _lowness), ("longest", _length)):
            ordered = sorted(pieces, key=size)
            best = ordered[-1]
            if best.category in NO_FURNITURE:
                continue
            if best.name in shown and size(best) - size(ordered[-2]) > BY:
                text = one_of(
                    rng,
                    f"Go to the {word} piece of furniture in {called}.",
                    f"Of all that stands on the floor of {called}, go to the {word} piece.",
                )
                yield near(text, best.name, "spatial")


def _height(piece: Furniture) -> float:
    return piece.size[2]


def _lowness(piece: Furniture) -> float:
    return -piece.size[2]


def _length(piece: Furniture) -> float:
    return max(piece.size[:2])


@family("navigation")
def next_to_two(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Stand near two pieces of furniture at once."""
    pieces = [(piece, survey.description_of(piece.name)) for piece in goals(survey)]
    for at, (one, its) in enumerate(pieces):
        for other, others in pieces[at + 1 :]:
            if its is None or others is None or one.room != other.room:
                continue
            both = survey.points_near(one.name) & survey.points_near(other.name)
            if len(both) == 1:
                text = one_of(
                    rng,
                    f"Stand where you are close to both {its} and {others}.",
                    f"Go to the place that is next to {its} and next to {others} at once.",
                )
                yield Draft(
                    text,
                    goes=(f"p{min(both)}",),
                    predicates=(f"agent_near {one.name}", f"agent_near {other.name}"),
                    capabilities=("spatial",),
                )
