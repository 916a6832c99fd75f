"""Words and options that several families of interaction tasks use."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from homebody.authoring.embodiedeval.survey import Survey
from homebody.core.ground.seeds import shuffle
from homebody.suites.embodiedeval.interactions import interactions
from homebody.suites.embodiedeval.tasks import Option
from homebody.worlds.house.model.house import Furniture, Thing

MOST = 6
"""Maximum number of drafts of a family in a scene."""
NO_PLACE = frozenset(
    {"stove", "toilet", "grill", "fireplace", "bidet", "urinal", "bathtub"}
    | {"dishwasher", "microwave", "sink", "trash_bin", "recycling_bin"}
)
"""Furniture on which people do not put objects that belong elsewhere, or rather put them into."""
DRAWERS = frozenset(
    {"checkout", "console_table", "counter", "desk", "dressing_table", "kitchen_island"}
    | {"teacher_desk", "tv_stand"}
)
"""Furniture with drawers that nobody calls open or closed."""
CLOSE = 4.0
"""Maximum metres from the first object to the start of tasks of many steps."""
MOST_STARTS = 12


def option(survey: Survey, verb: str, *names: str) -> Option:
    """Return an interaction with described objects. Raises KeyError if one has no description."""
    interaction = interactions()[verb]
    called = [
        source_description(survey, name)
        if f"holds {number}" in interaction.needs
        else survey.words[name]
        for number, name in enumerate(names)
    ]
    return Option(verb, interaction.words.format(*called), names)


def source_description(survey: Survey, name: str) -> str:
    """Return the description of an object that the task moves.

    It is "the cup from the table", because "the cup on the table" could be misread."""
    words, where = survey.words[name], survey.where(name)
    if where is None or not words.endswith(where):
        return words
    return f"{words.removesuffix(where)}from {where.partition(' ')[2]}"


def mix_options(
    rng: np.random.Generator, needed: Sequence[Option], others: Sequence[Option], count: int = 4
) -> tuple[Option, ...]:
    """Return the required options and some other options, each once, in random order."""
    texts = {each.text for each in needed}
    rest = {each.text: each for each in others if each.text not in texts}
    kept = shuffle(rng, rest.values())[:count]
    return tuple(shuffle(rng, {each.text: each for each in (*needed, *kept)}.values()))


def portable_things(survey: Survey, rng: np.random.Generator) -> list[Thing]:
    """Return portable objects that have a description and are not in closed furniture, in random
    order."""
    return shuffle(
        rng,
        (
            thing
            for thing in survey.things
            if "grabbable" in survey.kind(thing.name).affords and thing.name in survey.words
        ),
    )


def places(survey: Survey, rng: np.random.Generator, kind: str = "on") -> list[Furniture]:
    """Return described pieces on or in which objects can be put without opening them, in random
    order."""
    return shuffle(
        rng,
        (
            piece
            for piece in survey.furniture
            if any(space.kind == kind for space in piece.receptacles)
            and piece.name in survey.words
            and piece.category not in NO_PLACE
            and (kind == "on" or survey.state.states[piece.name].get("open") is not False)
        ),
    )


def affording(survey: Survey, rng: np.random.Generator, affordance: str) -> list[Furniture | Thing]:
    """Return described pieces and objects with an affordance, in random order, except desks and
    the like if they should open."""
    known: list[Furniture | Thing] = [*survey.furniture, *survey.things]
    return shuffle(
        rng,
        (
            each
            for each in known
            if affordance in survey.kind(each.name).affords
            and each.name in survey.words
            and not (affordance == "openable" and each.category in DRAWERS)
        ),
    )


def starts_outside(survey: Survey, rng: np.random.Generator, *rooms: str) -> tuple[int, ...]:
    """Return points outside rooms, as starts of tasks whose agent must enter them."""
    outside = (n for n, room in enumerate(survey.point_rooms) if room not in rooms)
    return tuple(shuffle(rng, outside))[:MOST_STARTS]


def starts_near(survey: Survey, rng: np.random.Generator, name: str) -> tuple[int, ...]:
    """Return points near an object, as starts of tasks of many steps."""
    x, y, _ = survey.state.box(name).centre
    points = enumerate(survey.graph.points)
    return tuple(
        shuffle(rng, [n for n, point in points if math.dist((x, y), point.position) < CLOSE])
    )[:MOST_STARTS]
