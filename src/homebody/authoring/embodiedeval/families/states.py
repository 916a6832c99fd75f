"""Attribute QA: states of objects, and comparisons of objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import FACES, FRAMED, confusable, is_look_alike
from homebody.authoring.embodiedeval.draft import Draft, evenly, family, one_of
from homebody.authoring.embodiedeval.families.attributes import by_place
from homebody.authoring.embodiedeval.families.options import DRAWERS
from homebody.authoring.embodiedeval.make import counting
from homebody.authoring.embodiedeval.survey import Survey, usual_furniture
from homebody.core.ground.seeds import shuffle
from homebody.suites.embodiedeval.tasks import StateChange
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, Thing
from homebody.worlds.house.model.told_apart import main_colour

MOST: Final = 4
"""Maximum number of drafts of a family in a scene."""
MOST_CHANGES: Final = 30
UNCLEAR: Final = frozenset(
    {"wall clock", "candle", "lantern", "thermostat", "router", "watch"}
    | {"trash bin", "recycling bin", "toilet"}
    | {"grandfather clock", "alarm clock", "fridge", "freezer", "chest freezer", "display fridge"}
    | {"minibar", "ice machine", "water cooler", "vending machine", "bedside monitor"}
    | {"server rack", "smart speaker", "aquarium", "shower"}
)
"""Nouns of devices that are always on or look so, and nouns of furniture with an inconspicuous lid
or a door."""
CLOSELY: Final = 0.4
"""Minimum pixels of an object in a view that shows its state. The unit is the object's number of
pixels in the view that shows it largest."""
MORE: Final = 2
"""Minimum difference between the numbers of the most frequent kind and the next."""


def _in_state(
    survey: Survey, rng: np.random.Generator, affordance: str, state: str
) -> Iterator[tuple[Furniture | Thing, str, tuple[StateChange, ...], tuple[str, ...]]]:
    """Yield objects for tasks in which exactly one object is in a visible state.

    The items are the object, its noun, the changes that put it into the state, and the nouns of
    other objects that could be in the state but are not."""
    known: list[Furniture | Thing] = [*survey.furniture]
    known += [] if affordance == "openable" else survey.things  # jars and books are hardly open
    able = [each for each in survey.wholes if affordance in survey.kind(each.name).affords]
    were = [each.name for each in able if survey.state.is_in_state(each.name, state)]
    nouns = {survey.noun(category) for category in _usual(survey, affordance)} - UNCLEAR
    if len(were) > MOST_CHANGES:
        return
    off = tuple(StateChange(name, state, False) for name in were)
    shown = [each for each in known if each in able and "door" not in each.category]
    shown = [each for each in shown if affordance != "openable" or each.category not in DRAWERS]
    found = 0
    for own in shuffle(rng, shown):
        noun = survey.noun(own.category)
        if len([each for each in able if survey.noun(each.category) == noun]) > 1:
            continue
        if noun in UNCLEAR:
            continue
        if not survey.shows(own.name, state):
            continue
        changes = (*(each for each in off if each.name != own.name),)
        if own.name not in were:
            changes = (*changes, StateChange(own.name, state, True))
        yield (
            own,
            noun,
            changes,
            tuple(sorted(other for other in nouns if not is_look_alike(noun, other))),
        )
        found += 1
        if found == MOST:
            return


def _usual(survey: Survey, affordance: str) -> Iterator[str]:
    """Yield categories with an affordance that could be in the rooms of a scene."""
    known = catalogue()
    rooms = {room.kind for room in survey.house.rooms}
    for name, kind in known.things.items():
        if (
            affordance in kind.affords
            and affordance != "openable"
            and rooms.intersection(kind.rooms)
        ):
            yield name
    scene = known.scenes[survey.scene.kind]
    for room in dict.fromkeys((*rooms, *scene.first, *scene.then)):
        for name in usual_furniture(room):
            is_drawer = affordance == "openable" and name in DRAWERS
            if affordance in known.furniture[name].affords and not is_drawer:
                yield name


@family("attribute_qa")
def stands_open(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what has been left open."""
    for own, noun, changes, wrong in _in_state(survey, rng, "openable", "open"):
        yield Draft(
            one_of(
                rng,
                "Apart from doors, one thing here has been left open. What is it?",
                "Something other than a door stands open. Which of these?",
                "Somebody forgot to shut one of these. Which one stands open?",
            ),
            noun,
            wrong,
            looks=(own.name,),
            states=changes,
            closely=CLOSELY,
            capabilities=("visual",),
        )


@family("attribute_qa")
def left_on(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what is switched on."""
    for own, noun, changes, wrong in _in_state(survey, rng, "powerable", "powered_on"):
        yield Draft(
            one_of(
                rng,
                "One of these has been left on. Which?",
                "Everything should be switched off, but one thing is on. What is it?",
            ),
            noun,
            wrong,
            looks=(own.name,),
            states=changes,
            closely=CLOSELY,
            capabilities=("visual",),
        )


@family("attribute_qa")
def most_of(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the most frequent of several kinds in a room."""
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        here = [each for each in survey.wholes if survey.room(each.name) == room.name]
        counts = Counter(survey.noun(each.category) for each in here)
        seen = {
            survey.noun(each.category)
            for each in here
            if survey.is_seen(each.name) and each.name not in survey.house.room
        }
        drawn = survey.drawn(room.name)
        seen = {noun for noun in seen if not any(is_look_alike(noun, one) for one in drawn)}
        ranked = [(noun, count) for noun, count in counts.most_common() if noun in seen]
        for at, (noun, count) in enumerate(ranked[:3]):
            below = [other for other, less in ranked[at + 1 :] if count - less >= MORE]
            if any(is_look_alike(noun, other) for other in counts if other != noun):
                continue
            names = [each.name for each in here if survey.noun(each.category) == noun]
            if called and count <= 8 and len(below) >= 7 and survey.are_seen(names):
                yield Draft(
                    one_of(
                        rng,
                        f"Of which of these are there the most in {called}?",
                        f"Count what is in {called}: which of these is there most of?",
                    ),
                    noun,
                    tuple(below),
                    looks=tuple(names),
                    capabilities=("complex_instruction",),
                )


def _is_plain(survey: Survey, own: Furniture | Thing) -> bool:
    """Return whether an object has a single colour, and other objects of its kind have other
    colours."""
    tones = list(survey.kind(own.name).style.values())
    is_whole = "lamp" not in own.category and own.category not in FACES | FRAMED
    return len(own.style) == 1 and len(tones[0]) >= 3 and is_whole


@family("attribute_qa")
def same_colour(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask which piece has the colour of another object."""
    known: list[Furniture | Thing] = [*survey.furniture, *survey.things]
    tones = {
        each.name: (main_colour(each), called)
        for each in known
        if (called := by_place(survey, each)) is not None and _is_plain(survey, each)
    }
    for name, (colour, called) in tones.items():
        alike = [other for other, (tone, _) in tones.items() if tone == colour and other != name]
        apart = [words for tone, words in tones.values() if tone not in confusable(colour)]
        if len(alike) != 1 or len(apart) < 7:
            continue
        yield Draft(
            one_of(
                rng,
                f"Which of these has the same colour as {called}?",
                f"Compare colours: what is the same colour as {called}?",
            ),
            tones[alike[0]][1],
            tuple(apart),
            looks=(name, alike[0]),
            capabilities=("visual",),
        )


@family("attribute_qa")
def people_there(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the number of people in the building."""
    people = survey.house.people
    if len(people) == 1 and rng.random() > 0.2:  # true of most buildings
        return
    if people and len(survey.people) == len(people):
        ways = (
            "How many people are in this building?",
            "Walk about and count the people here. How many are there?",
        )
        names = [person.name for person in people]
        yield counting(rng, len(people), ways, names, capabilities=("long_horizon",))


@family("attribute_qa")
def windows(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask for the number of windows of a room."""
    drafts = []
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        names = [
            each.name
            for each in survey.house.openings
            if each.kind == "window" and room.name in each.rooms
        ]
        if called is None or not names or not survey.are_seen(names):
            continue
        ways = f"How many windows does {called} have?", f"Count the windows of {called}."
        drafts.append(counting(rng, len(names), ways, names))
    yield from evenly(rng, drafts)
