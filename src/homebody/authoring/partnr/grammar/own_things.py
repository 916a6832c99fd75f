"""Adapts a meaning to the objects that a house already has.

Some of these become alternatives: if the instruction allows any cup, it also allows the cups of the
house. Other objects stay because the instruction excludes them: "the cup on the counter" excludes
cups in the cabinet. Objects that could be confused with the intended objects are removed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.episode_scene import Stage
from homebody.authoring.partnr.grammar.meaning import Meaning, Put, Spot, Step, Things, evaluate
from homebody.authoring.partnr.household import furniture_of_task, holder
from homebody.worlds.house.model.house import Thing

MOST_OTHERS = 6
"""Maximum number of the house's own objects that become alternatives. The other objects are
removed."""


def add_own_things(stage: Stage, meaning: Meaning) -> tuple[Meaning, frozenset[str]]:
    """Return a meaning in a lived-in house, and the names of the house's own objects that stay.
    Raises EvaluationError if the meaning breaks a rule."""
    taken = {placed.name for placed in stage.placed}
    holders = {placed.furniture for placed in stage.placed}
    empty = furniture_of_task(stage.house, evaluate(meaning), holders)
    there = [
        thing
        for thing in stage.lived_in.things
        if thing.name not in taken and holder(stage.lived_in, thing.name) not in empty
    ]
    steps = meaning.steps
    descriptions = _descriptions(steps)
    more: dict[tuple[str, ...], tuple[str, ...]] = {}
    staying: set[str] = set()
    for things in descriptions:
        if not things.all and things.names not in more:
            others = _other_matches(stage, things, steps, descriptions, there)
            more[things.names] = others
            staying.update(others)
    boxes = {category for step in steps for category in _boxes(step)}
    for thing in there:
        apart = thing.category not in boxes
        if apart and not any(_can_be(stage, thing, things) for things in descriptions):
            staying.add(thing.name)
    named = {
        things: _widen(stage, things, more.get(things.names, ()), there, staying)
        for things in descriptions
    }
    groups = tuple(
        tuple(_replace_things(step, named) for step in group) for group in meaning.groups
    )
    return replace(meaning, groups=groups), frozenset(staying)


def _descriptions(steps: Iterable[Step]) -> list[Things]:
    """Return the distinct descriptions of objects."""
    descriptions = [things for step in steps for things in step.things if not things.furniture]
    descriptions += [
        step.beside for step in steps if isinstance(step, Put) and step.beside is not None
    ]
    return list(dict.fromkeys(descriptions))


def _boxes(step: Step) -> frozenset[str]:
    """Return categories of objects that could be confused with the container of a step."""
    if not isinstance(step, Put) or step.spot.kind != "container":
        return frozenset()
    return lexicon().alike(step.spot.word) | {step.spot.word}


def _other_matches(
    stage: Stage, things: Things, steps: list[Step], descriptions: list[Things], there: list[Thing]
) -> tuple[str, ...]:
    """Return the house's own objects that become further alternatives, if the step allows any of
    several objects."""
    spots: list[Spot] = []
    for step in steps:
        if any(other.names == things.names for other in step.things):
            if not isinstance(step, Put):
                return ()  # the states of others are unknown
            spots.append(step.spot)
    if things.where is not None or things.state:
        return ()
    off = stage.places_to_avoid(spots)
    categories = lexicon().categories(things.word) - {things.but}
    others = [
        thing.name
        for thing in there
        if thing.category in categories
        and not _is_in(stage, thing, off)
        and not any(
            _can_be(stage, thing, other) for other in descriptions if other.names != things.names
        )
    ]
    return tuple(stage.shuffle(others)[:MOST_OTHERS])


def _related(stage: Stage, things: Things) -> frozenset[str]:
    """Return the categories of objects that could be confused with the described objects."""
    names = lexicon()
    related = names.categories(things.word) | names.near.get(things.word, frozenset())
    return related.union(*(names.alike(stage.thing(name).category) for name in things.names))


def _can_be(stage: Stage, thing: Thing, things: Things) -> bool:
    """Return whether an object could be confused with one of the described objects."""
    if thing.category not in _related(stage, things):
        return False
    if things.state == "dirty" and thing.states.get("clean", False):
        return False
    return things.where is None or _is_in(stage, thing, things.where.names)


def _is_in(stage: Stage, thing: Thing, places: Iterable[str]) -> bool:
    """Return whether an object is in one of some rooms, or on or in one of some pieces or
    floors."""
    at = holder(stage.lived_in, thing.name)
    piece = stage.house.piece.get(at)
    room = piece.room if piece else stage.house.floors[at].name
    return not {at, room}.isdisjoint(places)


def _widen(
    stage: Stage, things: Things, more: tuple[str, ...], there: list[Thing], staying: set[str]
) -> Things:
    """Return a description with additional matches. ``telling`` is set if the description excludes
    an object that stays."""
    related = _related(stage, things)
    telling = things.telling or (
        (things.where is not None or bool(things.state))
        and any(thing.name in staying and thing.category in related for thing in there)
    )
    return replace(things, names=(*things.names, *more), telling=telling)


def _replace_things(step: Step, named: dict[Things, Things]) -> Step:
    things = tuple(named.get(described, described) for described in step.things)
    if isinstance(step, Put) and step.beside is not None:
        return replace(step, things=things, beside=named[step.beside])
    return replace(step, things=things)
