"""Object interaction: open, switch, clean, fill and unlock objects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.handling import picks
from homebody.authoring.embodiedeval.families.options import (
    MOST,
    affording,
    mix_options,
    option,
    portable_things,
)
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.interactions import interactions
from homebody.suites.embodiedeval.tasks import Option, StateChange
from homebody.suites.embodiedeval.views import SEEN
from homebody.worlds.house.model.house import Furniture, Thing

SWITCHED: Final = frozenset(
    (
        *("washing_machine", "dryer", "hand_dryer", "stove", "dishwasher", "microwave", "radio"),
        *("fireplace", "copier", "treadmill", "aquarium", "jukebox", "tv", "floor_lamp", "kettle"),
        *("ceiling_lamp", "air_conditioner", "radiator", "table_lamp", "desk_lamp", "speaker"),
        *("electric_fan", "smart_speaker", "space_heater", "monitor", "laptop", "printer"),
        *("coffee_machine", "toaster", "blender", "projector", "lantern", "record_player"),
    )
)
"""Devices that people switch on and off."""
WIPED: Final = frozenset(
    (
        *("counter", "stove", "table", "restaurant_table", "meeting_table", "kids_table", "desk"),
        *("coffee_table", "side_table", "teacher_desk", "school_desk", "console_table", "mirror"),
        *("whiteboard", "blackboard", "washbasin", "kitchen_island", "bar_counter", "workbench"),
        *("reception_desk", "nightstand", "dressing_table"),
    )
)
"""Furniture that people wipe."""
_TOOL: Final = next(
    need.split()[1] for need in interactions()["wipe"].needs if need.startswith("holds-for")
)


def _at_first(survey: Survey, name: str, state: str, value: bool) -> tuple[StateChange, ...]:
    """Return the changes of the initial state that put an object into a state."""
    changes = [StateChange(name, state, value)]
    if state == "open" and survey.state.is_in_state(name, "locked"):
        changes.append(StateChange(name, "locked", False))
    return tuple(changes)


def _change_state(
    survey: Survey,
    rng: np.random.Generator,
    among: list[Furniture | Thing],
    verb: str,
    state: str,
    value: bool,
    *wordings: str,
) -> Iterator[Draft]:
    """Yield drafts with one interaction that changes a state of one object."""
    reverse = {"open": "close", "close": "open", "switch_on": "switch_off"}.get(verb, "switch_on")
    for each in among[:MOST]:
        do, its = option(survey, verb, each.name), survey.words[each.name]
        others = [option(survey, verb, other.name) for other in among if other is not each]
        others = [option(survey, reverse, each.name), *others[:3]]
        yield Draft(
            one_of(rng, *wordings).format(its),
            does=((do,),),
            options=mix_options(rng, [do], others),
            predicates=(f"is {each.name} {state} {'yes' if value else 'no'}",),
            states=_at_first(survey, each.name, state, not value),
        )


@family("object_interaction")
def open_(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Open something."""
    among = affording(survey, rng, "openable")
    yield from _change_state(
        survey, rng, among, "open", "open", True, "Open {}.", "Could you open {} for me?"
    )


@family("object_interaction")
def close(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Close something."""
    among = [each for each in affording(survey, rng, "openable") if each.name in survey.house.piece]
    yield from _change_state(
        survey,
        rng,
        among,
        "close",
        "open",
        False,
        "Close {}.",
        "Somebody left {} open. Please shut it.",
    )


def _devices(survey: Survey, rng: np.random.Generator) -> list[Furniture | Thing]:
    return [each for each in affording(survey, rng, "powerable") if each.category in SWITCHED]


@family("object_interaction")
def switch_on(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Switch a lamp or a device on."""
    among = _devices(survey, rng)
    yield from _change_state(
        survey, rng, among, "switch_on", "powered_on", True, "Switch on {}.", "Please turn {} on."
    )


@family("object_interaction")
def switch_off(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Switch a lamp or a device off."""
    yield from _change_state(
        survey,
        rng,
        _devices(survey, rng),
        "switch_off",
        "powered_on",
        False,
        "Switch off {}.",
        "Nobody needs {} to be on. Turn it off.",
    )


@family("object_interaction")
def wash(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Wash a dirty object at a sink."""
    things = portable_things(survey, rng)
    affords = {each.name: survey.kind(each.name).affords for each in things}
    dirty = [
        each
        for each in things
        if "cleanable" in affords[each.name] and "powerable" not in affords[each.name]
    ]
    for thing in dirty[:MOST]:
        pick, clean = (option(survey, verb, thing.name) for verb in ("pick_up", "wash"))
        its = survey.words[thing.name]
        rest = [each for each in dirty if each is not thing][:2]
        others = [*picks(survey, rest), *(option(survey, "wash", each.name) for each in rest)]
        yield Draft(
            one_of(
                rng,
                f"Wash {its}.",
                f"Take {its} to where there is water and get the dirt off.",
            ),
            does=((pick, clean),),
            options=mix_options(rng, [pick, clean], others),
            predicates=(f"grab_once {thing.name}", f"is {thing.name} clean yes"),
            states=(StateChange(thing.name, "clean", False),),
        )


def _wipers(survey: Survey, things: list[Thing]) -> list[Thing]:
    """Return objects to wipe with."""
    words = [word.replace("_", " ") for word in _TOOL.split("|")]
    return [each for each in things if any(w in survey.kind(each.name).function for w in words)]


def _wipeable(survey: Survey, rng: np.random.Generator) -> list[Furniture | Thing]:
    return [each for each in affording(survey, rng, "cleanable") if each.category in WIPED]


@family("object_interaction")
def wipe(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Wipe furniture with a named object."""
    things, pieces = portable_things(survey, rng), _wipeable(survey, rng)
    for tool in _wipers(survey, things)[:2]:
        for piece in pieces[:MOST]:
            pick, do = option(survey, "pick_up", tool.name), option(survey, "wipe", piece.name)
            others = [option(survey, "wipe", other.name) for other in pieces[:3]]
            yield Draft(
                one_of(
                    rng,
                    f"Wipe {survey.words[piece.name]} with {survey.words[tool.name]}.",
                    f"Get {survey.words[tool.name]} and wipe {survey.words[piece.name]} clean.",
                ),
                does=((pick, do),),
                options=mix_options(rng, [pick, do], [*others, *picks(survey, things)[:2]]),
                predicates=(f"grab_once {tool.name}", f"is {piece.name} clean yes"),
                states=(StateChange(piece.name, "clean", False),),
            )


@family("object_interaction")
def tool_use(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Clean furniture with any suitable object."""
    things, pieces = portable_things(survey, rng), _wipeable(survey, rng)
    tools = _wipers(survey, things)
    rest = [thing for thing in things if thing not in tools][:3]
    for piece in pieces[: MOST if tools else 0]:
        do = option(survey, "wipe", piece.name)
        takes = picks(survey, tools[:2])
        yield Draft(
            one_of(
                rng,
                f"There is a stain on {survey.words[piece.name]}. Find something to remove it"
                " with, and do so.",
                f"Clean {survey.words[piece.name]}. You will need something for it.",
            ),
            does=tuple((take, do) for take in takes),
            options=mix_options(rng, [*takes, do], picks(survey, rest)),
            predicates=(f"is {piece.name} clean yes",),
            capabilities=("common_sense",),
            states=(StateChange(piece.name, "clean", False),),
        )


@family("object_interaction")
def fill(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Fill something with water."""
    things = portable_things(survey, rng)
    for thing in [each for each in things if _holds_water(survey, each)][:MOST]:
        pick, do = (option(survey, verb, thing.name) for verb in ("pick_up", "fill"))
        its = survey.words[thing.name]
        yield Draft(
            one_of(
                rng, f"Fill {its} with water.", f"I am thirsty: get some water into {its}."[:200]
            )
            if thing.category in ("cup", "mug", "glass", "water_bottle", "paper_cup")
            else one_of(rng, f"Fill {its} with water.", f"Take {its} and get some water into it."),
            does=((pick, do),),
            options=mix_options(rng, [pick, do], picks(survey, things)[:3]),
            predicates=(f"grab_once {thing.name}", f"is {thing.name} filled yes"),
            states=(StateChange(thing.name, "filled", False),),
        )


@family("object_interaction")
def pour(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Pour the water in one object into another."""
    things = portable_things(survey, rng)
    full = [each for each in things if _pours(survey, each)]
    vessels = [each for each in things if _holds_water(survey, each)]
    for source in full[:3]:
        for goal in vessels[:MOST]:
            if goal is source:
                continue
            pick, do = option(survey, "pick_up", source.name), option(survey, "pour", goal.name)
            its, there = survey.words[source.name], survey.words[goal.name]
            others = [option(survey, "pour", each.name) for each in vessels[:3] if each != source]
            yield Draft(
                one_of(
                    rng,
                    f"Pour the water in {its} into {there}.",
                    f"{its.capitalize()} is full of water. Pour the water into {there}.",
                ),
                does=((pick, do),),
                options=mix_options(rng, [pick, do], [*others, *picks(survey, things)[:2]]),
                predicates=(f"grab_once {source.name}", f"is {goal.name} filled yes"),
                states=(
                    StateChange(source.name, "filled", True),
                    StateChange(goal.name, "filled", False),
                ),
            )


def _holds_water(survey: Survey, thing: Thing) -> bool:
    """Return whether people fill an object with water: not a soap dispenser."""
    return "fillable" in survey.kind(thing.name).affords and thing.category != "soap_dispenser"


def _pours(survey: Survey, thing: Thing) -> bool:
    affords = survey.kind(thing.name).affords
    return _holds_water(survey, thing) and "pourable" in affords and "openable" not in affords


@family("object_interaction")
def unlock(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Find a key and open a locked piece with it."""
    keys = [
        thing
        for thing in survey.house.things
        if thing.category in ("key", "key_card")
        and thing.name in survey.words
        and survey.is_seen(thing.name, SEEN)
    ]
    pieces = [
        each for each in affording(survey, rng, "lockable") if each.name in survey.house.piece
    ]
    for key in keys[:2]:
        for piece in pieces[:MOST]:
            if "openable" not in survey.kind(piece.name).affords:
                continue
            does = (
                option(survey, "pick_up", key.name),
                option(survey, "unlock", key.name, piece.name),
                option(survey, "open", piece.name),
            )
            its, there = survey.words[key.name], survey.words[piece.name]
            others: list[Option] = picks(survey, portable_things(survey, rng))[:2]
            others += [option(survey, "open", other.name) for other in pieces if other != piece][:2]
            yield Draft(
                one_of(
                    rng,
                    f"{there.capitalize()} is locked. Find {its} and open it.",
                    f"Open {there} with {its}.",
                ),
                does=(does,),
                options=mix_options(rng, does, others),
                predicates=(f"is {piece.name} locked no", f"is {piece.name} open yes"),
                capabilities=("common_sense",),
                states=(
                    StateChange(piece.name, "open", False),
                    StateChange(piece.name, "locked", True),
                ),
            )


@family("object_interaction")
def sit_down(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take a named seat."""
    taken = {person.on for person in survey.house.people}
    seats = [
        each
        for each in affording(survey, rng, "sittable")
        if each.name not in taken and each.category != "toilet"
    ]
    for seat in seats[:MOST]:
        do, its = option(survey, "sit_down", seat.name), survey.words[seat.name]
        others = [option(survey, "sit_down", each.name) for each in seats]
        yield Draft(
            one_of(rng, f"Have a seat on {its}.", f"Sit down on {its}."),
            does=((do,),),
            options=mix_options(
                rng, [do], [*others[:3], *picks(survey, portable_things(survey, rng))[:2]]
            ),
            predicates=(f"special_action_success {do.text}",),
        )
