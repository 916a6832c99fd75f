"""Attribute QA: properties of objects, their uses, places and numbers.

A question never contains its answer: a question about a colour names the object by its place. A
question is only about a property that varies, so the answer cannot be known without looking.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import (
    FACES,
    FRAMED,
    VISIBLE_MATERIALS,
    confusable,
    is_like_activity,
    is_look_alike,
    is_same_use,
    like_material,
    like_shape,
)
from homebody.authoring.embodiedeval.draft import Draft, evenly, family, one_of
from homebody.authoring.embodiedeval.make import counting
from homebody.authoring.embodiedeval.survey import WELL, Survey
from homebody.core.ground.seeds import choose, shuffle
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, Thing
from homebody.worlds.house.model.told_apart import everyday_colour, main_colour, visible_clothes

MATERIALS = frozenset(
    {"cardboard", "ceramic", "cork", "fabric", "glass", "leather", "metal", "plastic", "rubber"}
    | {"stone", "wicker", "wood", "paper", "wax"}
)


ALONE: Final = 0.05
"""Probability of a counting question whose answer is one. Without this limit, most answers would be
"one"."""
MOST_COUNTED: Final = 12
"""Largest answer of a counting question."""
PALE: Final = 0.15
"""Probability of a question about pale walls. Most walls are pale, so their colour is easy to
guess."""
OF_FOOD: Final = "cooking with"
"""The use of food that must be cooked first. It is excluded, as a roast is also eaten."""


def apart(colour: str) -> list[str]:
    """Return the colours that nobody mistakes for a given one."""
    tones = catalogue().colours.items()
    words = {everyday_colour(tone) for name, tone in tones if "skin" not in name}
    return sorted(words - confusable(colour) - {"clear", "copper-coloured", "rust-coloured"})


def by_place(survey: Survey, own: Furniture | Thing) -> str | None:
    """Return a description by category and place, without appearance."""
    return survey.description_of(own.name, looks=False)


def subjects(survey: Survey) -> Sequence[Furniture | Thing]:
    """Return the objects and furniture for questions: clearly visible, and nobody sits on them."""
    seen: list[Furniture | Thing] = [*survey.things, *survey.furniture]
    taken = {person.on for person in survey.house.people}
    return [
        each
        for each in seen
        if survey.is_seen(each.name, 2 * WELL) and each.style and each.name not in taken
    ]


@family("attribute_qa")
def colour(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the colour of an object whose kind comes in several colours."""
    for own in subjects(survey):
        kind, called = survey.kind(own.name), by_place(survey, own)
        tones = next(iter(kind.style.values()), ())
        right = main_colour(own)
        if called is None or len({everyday_colour(tone) for tone in tones}) < 3:
            continue
        if own.category in FRAMED | FACES:
            continue
        if right in ("", "clear", "copper-coloured", "rust-coloured"):
            continue
        be = survey.be(own.category)
        yield Draft(
            one_of(
                rng,
                f"What colour {be} {called}?",
                f"Tell me the colour of {called}.",
                f"I cannot remember what colour {called} {be}. Please look.",
            ),
            right,
            tuple(apart(right)),
            looks=(own.name,),
            capabilities=("visual",),
        )


@family("attribute_qa")
def material(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the material of an object whose kind comes in several materials."""
    for own in subjects(survey):
        several = MATERIALS.intersection(survey.kind(own.name).materials)
        called = by_place(survey, own)
        if called is None or len(several) < 2 or own.material not in VISIBLE_MATERIALS:
            continue
        if "lamp" in own.category or own.category in FRAMED | FACES:  # light or a picture hides it
            continue
        be = survey.be(own.category)
        yield Draft(
            one_of(rng, f"What {be} {called} made of?", f"Which material {be} {called} made of?"),
            own.material,
            tuple(sorted(MATERIALS - like_material(own.material))),
            looks=(own.name,),
            capabilities=("visual",),
        )


def _alone(survey: Survey) -> Iterator[tuple[Thing, str]]:
    """Yield objects that lie alone on a piece of furniture, and the furniture's description."""
    for piece in survey.furniture:
        on = [
            name
            for space in piece.receptacles
            if space.kind == "on"
            for name in survey.state.objects_at((piece.name, space.name))
        ]
        called = survey.description_of(piece.name)
        if len(on) == 1 and called is not None and survey.is_seen(on[0], 2 * WELL):
            yield survey.house.thing[on[0]], called


def _plausible(survey: Survey, thing: Thing) -> list[str]:
    """Return categories of objects that could be in the same place."""
    there = survey.state.places[thing.name][0]
    holder = survey.house.piece[there].category
    kinds = catalogue().things
    could = [name for name, kind in kinds.items() if holder in kind.places]
    shown = survey.kind(there).shows
    return [name for name in could if name != thing.category and name not in shown]


@family("attribute_qa")
def category(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the object that lies alone on something."""
    for thing, place in _alone(survey):
        noun = survey.noun(thing.category)
        wrong = [survey.noun(kind) for kind in _plausible(survey, thing)]
        yield Draft(
            one_of(rng, f"What is on {place}?", f"Look at {place}: what has been left on it?"),
            noun,
            tuple(word for word in wrong if not is_look_alike(noun, word)),
            looks=(thing.name,),
        )


@family("attribute_qa")
def shape(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the shape of the object that lies alone on something."""
    forms = sorted({kind.form for kind in catalogue().things.values()} - {"irregular", "curved"})
    for thing, place in _alone(survey):
        form = survey.kind(thing.name).form
        if form not in forms:
            continue
        yield Draft(
            one_of(
                rng,
                f"What shape is the thing on {place}?",
                f"Something lies on {place}. Which word describes its shape best?",
            ),
            form,
            tuple(other for other in forms if other not in like_shape(form)),
            looks=(thing.name,),
            capabilities=("visual",),
        )


@family("attribute_qa")
def use(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the use of the object that lies alone on something."""
    kinds = catalogue().things
    for thing, place in _alone(survey):
        function = kinds[thing.category].function
        others = {kinds[name].function for name in _plausible(survey, thing)}
        if not _is_short(function) or function == OF_FOOD:
            continue
        yield Draft(
            one_of(
                rng,
                f"What is the thing on {place} used for?",
                f"What could one do with what lies on {place}?",
            ),
            function,
            tuple(
                sorted(
                    each for each in others if _is_short(each) and not is_same_use(function, each)
                )
            ),
            looks=(thing.name,),
            capabilities=("common_sense",),
        )


def _is_short(function: str) -> bool:
    """Return whether an object has exactly one known use."""
    return bool(function) and "," not in function


@family("attribute_qa")
def place(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the place of something."""
    holders = {thing.name: survey.state.places[thing.name][0] for thing in survey.things}
    spots = {
        where: holders[thing.name]
        for thing in survey.things
        if (where := survey.where(thing.name)) is not None and where[:2] in ("on", "in")
    }
    for thing in survey.things:
        where, alike = survey.where(thing.name), survey.all_of(thing.category)
        noun = survey.noun(thing.category)
        if where is None or len(alike) != 1 or where not in spots or noun in survey.drawn():
            continue
        holder = holders[thing.name]
        looks = (thing.name, holder) if survey.is_seen(holder) else (thing.name,)
        them = "them" if survey.be(thing.category) == "are" else "it"
        yield Draft(
            one_of(
                rng,
                f"Where {survey.be(thing.category)} the {noun}?",
                f"I am looking for the {noun}. Where did I leave {them}?",
                f"Find out where somebody has put the {noun}.",
            ),
            where,
            # "on" could be said for "in"
            tuple(other for other, another in spots.items() if another != holder),
            looks=looks,
        )


def _nouns_in(survey: Survey, room: str) -> set[str]:
    """Return the nouns of everything in a room, visible or not, and of what meshes show there."""
    own = {survey.noun(each.category) for each in survey.wholes if survey.room(each.name) == room}
    return own | survey.drawn(room)


def _missing(survey: Survey, kind: str, here: Collection[str]) -> list[str]:
    """Return nouns of objects that could be in a room of a kind, if neither they nor similar
    objects are there."""
    kinds = catalogue().things
    could = {survey.noun(name) for name, each in kinds.items() if kind in each.rooms}
    return sorted(one for one in could if not any(is_look_alike(one, other) for other in here))


@family("attribute_qa")
def present(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the one of several objects that is in a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        here = _nouns_in(survey, room.name)
        kinds = catalogue().things
        missing = _missing(survey, room.kind, here)
        seen = [thing for thing in survey.things if survey.room(thing.name) == room.name]
        for thing in shuffle(rng, seen)[:2]:
            if called is None or room.kind not in kinds[thing.category].rooms:
                continue
            yield Draft(
                one_of(
                    rng,
                    f"Which of these things is in {called}?",
                    f"Go through {called}: only one of these is there. Which?",
                ),
                survey.noun(thing.category),
                tuple(missing),
                looks=(thing.name,),
            )


@family("attribute_qa")
def absent(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the one of several objects that is not in a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        here = _nouns_in(survey, room.name)
        seen = [thing for thing in survey.things if survey.room(thing.name) == room.name]
        first = {survey.noun(thing.category): thing.name for thing in reversed(seen)}
        could = _missing(survey, room.kind, here)
        chosen: list[str] = []
        for noun in shuffle(rng, first):
            if len(chosen) < 7 and not any(is_look_alike(noun, other) for other in chosen):
                chosen.append(noun)
        if called is None or len(chosen) < 7 or not could:
            continue
        yield Draft(
            one_of(
                rng,
                f"Which of these things is not in {called}?",
                f"One of these is missing in {called}. Which one?",
            ),
            choose(rng, could),
            tuple(chosen),
            looks=tuple(first[noun] for noun in chosen),
            capabilities=("long_horizon",),
        )


@family("attribute_qa")
def quantity(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the number of objects of a kind in a room."""
    drafts = []
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        here = _nouns_in(survey, room.name)
        kinds = {each.category for each in survey.furniture}
        kinds |= {each.category for each in survey.things}
        for kind in sorted(kinds):
            names = survey.all_of(kind, room.name)
            others = (here - {survey.noun(kind)}) | survey.drawn(room.name)
            if any(is_look_alike(survey.noun(kind), noun) for noun in others):
                continue
            if len(names) == 1 and rng.random() > ALONE:
                continue
            if called and 1 <= len(names) <= MOST_COUNTED and survey.are_seen(names):
                plural = survey.plural(kind)
                ways = (
                    f"How many {plural} are there in {called}?",
                    f"Count the {plural} in {called}.",
                )
                drafts.append(counting(rng, len(names), ways, names))
    yield from evenly(rng, drafts)


@family("attribute_qa")
def clothes(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the colour of a garment that somebody wears."""
    for person in survey.people:
        alike = [one for one in survey.house.people if one.activity == person.activity]
        if person.name not in survey.activities or len(alike) > 1:
            continue
        for worn, tone in visible_clothes(person).items():
            right, garment = everyday_colour(tone), worn.replace("_", " ")
            if worn in ("skin", "hair", "shoes", "glasses", "sunglasses", "beard"):
                continue
            yield Draft(
                one_of(
                    rng,
                    f"Somebody is {person.activity}. Name the colour of their {garment}.",
                    f"What is the colour of the {garment} that the person wears who is"
                    f" {person.activity}?",
                ),
                right,
                tuple(apart(right)),
                looks=(person.name,),
                closely=0.3,
                capabilities=("visual",),
            )


@family("attribute_qa")
def activity(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for somebody's activity."""
    known = sorted({each.phrase for each in catalogue().people.activities.values() if each.phrase})
    for person in survey.people:
        called = survey.appearance_of(person.name)
        if called is None or person.name not in survey.activities:
            continue
        yield Draft(
            one_of(rng, f"What is {called} doing?", f"Find {called}. What are they doing?"),
            person.activity,
            tuple(each for each in known if not is_like_activity(person.activity, each)),
            looks=(person.name,),
        )


@family("attribute_qa")
def walls(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the colour of the walls of a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        right = everyday_colour(room.walls)
        pieces = [piece.name for piece in survey.furniture if piece.room == room.name]
        if called is None or room.covering != "paint" or not pieces:
            continue
        if right in confusable("white") and rng.random() > PALE:
            continue
        yield Draft(
            one_of(
                rng,
                f"What colour are the walls of {called}?",
                f"In which colour has {called} been painted?",
            ),
            right,
            tuple(apart(right)),
            looks=(pieces[0],),
            capabilities=("visual",),
        )
