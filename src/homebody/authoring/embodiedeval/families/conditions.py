"""Object interaction: the right action depends on what the agent finds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.handling import beside, picks
from homebody.authoring.embodiedeval.families.options import (
    MOST,
    affording,
    mix_options,
    option,
    places,
    portable_things,
    starts_near,
)
from homebody.authoring.embodiedeval.families.switching import SWITCHED
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import StateChange
from homebody.worlds.house.model.house import Furniture, Thing


def _cases(survey: Survey, rng: np.random.Generator) -> list[Furniture]:
    """Return closed furniture that can contain objects."""
    return [
        survey.house.piece[each.name]
        for each in affording(survey, rng, "openable")
        if each.name in survey.house.piece
        and not survey.state.is_in_state(each.name, "open")
        and not survey.state.is_in_state(each.name, "locked")
        and any(space.kind == "within" for space in each.receptacles)
    ]


def _inside(survey: Survey, piece: Furniture) -> list[str]:
    return [
        name
        for space in piece.receptacles
        if space.kind == "within"
        for name in survey.state.objects_at((piece.name, space.name))
    ]


@family("object_interaction")
def if_something_is_in_it(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Look into a piece of furniture: the object to take depends on whether it is empty."""
    things = portable_things(survey, rng)
    for piece, (one, other) in zip(
        _cases(survey, rng)[: 2 * MOST], pairwise(things[: 2 * MOST + 1]), strict=False
    ):
        opens, closes = (option(survey, verb, piece.name) for verb in ("open", "close"))
        full = bool(_inside(survey, piece))
        if full and not survey.shows_inside(piece.name, _inside(survey, piece)):
            continue
        first, second = survey.words[one.name], survey.words[other.name]
        there = survey.words[piece.name]
        take = option(survey, "pick_up", (one if full else other).name)
        does = (opens, take) if full else (opens, closes, take)
        both = picks(survey, [one, other])
        yield Draft(
            one_of(
                rng,
                f"Open {there}. If there is anything in it, leave it open and pick up {first}."
                f" If it is empty, close it and pick up {second}.",
                f"See what is in {there}: in case it is empty, close it again and take"
                f" {second}; otherwise leave it open and take {first}.",
            ),
            does=(does,),
            options=mix_options(rng, [opens, closes, *both], picks(survey, things), 2),
            starts=starts_near(survey, rng, piece.name),
            predicates=(
                f"special_action_success {opens.text}",
                f"is {piece.name} open yes" if full else f"again is {piece.name} open no",
                f"grab {(one if full else other).name}",
            ),
            capabilities=("complex_instruction",),
        )


@family("object_interaction")
def if_it_is_on(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Look whether a device is on: the object to take depends on it."""
    shows = {"tv", "monitor", "floor_lamp", "table_lamp", "desk_lamp", "stove", "fireplace"}
    things = portable_things(survey, rng)
    devices = [each for each in affording(survey, rng, "powerable") if each.category in shows]
    for device, (one, other) in zip(devices[:MOST], pairwise(things), strict=False):
        if not survey.shows(device.name, "powered_on"):
            continue
        on = bool(rng.integers(2))
        its = survey.words[device.name]
        first, second = survey.words[one.name], survey.words[other.name]
        off = option(survey, "switch_off", device.name)
        take = option(survey, "pick_up", (one if on else other).name)
        away = option(survey, "switch_on", device.name)
        does = ((off, take), (take, off)) if on else ((take,),)
        yield Draft(
            one_of(
                rng,
                f"If {its} is on, switch it off and pick up {first}. Otherwise pick up {second}.",
                f"Check {its}. Should it be off, take {second}; should it be on, turn it off and"
                f" take {first}.",
            ),
            does=does,
            options=mix_options(
                rng, [off, away, *picks(survey, [one, other])], picks(survey, things), 2
            ),
            starts=starts_near(survey, rng, device.name),
            predicates=(
                *([f"is {device.name} powered_on no"] if on else []),
                f"grab {(one if on else other).name}",
            ),
            capabilities=("complex_instruction",),
            states=(StateChange(device.name, "powered_on", on),),
        )


@family("object_interaction")
def take_out(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take something out of closed furniture."""
    tops = places(survey, rng)
    for piece in _cases(survey, rng):
        for name in _inside(survey, piece)[:2]:
            if name not in survey.words or "grabbable" not in survey.kind(name).affords:
                continue
            alike = survey.all_of(survey.house.thing[name].category)
            opens, pick = option(survey, "open", piece.name), option(survey, "pick_up", name)
            if len(alike) > 1:
                continue
            others = [option(survey, "open", each.name) for each in _cases(survey, rng)[:3]]
            its, there = survey.words[name], survey.words[piece.name]
            yield Draft(
                one_of(
                    rng,
                    f"Take {its} out of {there}.",
                    f"Somebody has shut away {its} in {there}. Get it out.",
                ),
                does=((opens, pick),),
                options=mix_options(
                    rng, [opens, pick], [*others, *picks(survey, portable_things(survey, rng))[:2]]
                ),
                starts=starts_near(survey, rng, piece.name),
                predicates=(f"grab {name}",),
            )
            for top in beside(survey, [survey.house.thing[name]], tops)[:1]:
                put = option(survey, "put_on", name, top.name)
                yield Draft(
                    f"Get {its} out of {there} and put it on {survey.words[top.name]}.",
                    does=((opens, pick, put),),
                    options=mix_options(rng, [opens, pick, put], others),
                    starts=starts_near(survey, rng, piece.name),
                    predicates=(f"grab_once {name}", f"on {name} {top.name}"),
                    capabilities=("long_horizon",),
                )


@family("object_interaction")
def put_back(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take something out of closed furniture, and close it again."""
    for piece in _cases(survey, rng)[: 2 * MOST]:
        for name in _inside(survey, piece)[:1]:
            if name not in survey.words or "grabbable" not in survey.kind(name).affords:
                continue
            opens, closes = (option(survey, verb, piece.name) for verb in ("open", "close"))
            pick = option(survey, "pick_up", name)
            its, there = survey.words[name].split(" in the ")[0], survey.words[piece.name]
            if sum(survey.words.get(n, "").startswith(its) for n in _inside(survey, piece)) > 1:
                continue
            yield Draft(
                one_of(
                    rng,
                    f"Get {its} from {there}, and close {there} again.",
                    f"Take {its}, which is in {there}. Do not leave {there} open.",
                ),
                does=((opens, pick, closes),),
                options=mix_options(
                    rng, [opens, pick, closes], picks(survey, portable_things(survey, rng))
                ),
                starts=starts_near(survey, rng, piece.name),
                predicates=(f"grab {name}", f"again is {piece.name} open no"),
                capabilities=("complex_instruction",),
            )


@family("object_interaction")
def lights_out(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Switch off all lamps of a room."""
    devices: list[Furniture | Thing] = [
        each for each in affording(survey, rng, "powerable") if each.category in SWITCHED
    ]
    for room in survey.house.rooms:
        called = survey.room_description(room.name)
        own = [each for each in devices if survey.room(each.name) == room.name]
        lamps = [each for each in own if "lamp" in each.category]
        every = [
            name
            for category in {each.category for each in lamps}
            for name in survey.all_of(category, room.name)
        ]
        if called is None or not 2 <= len(lamps) <= 3 or len(every) != len(lamps):
            continue
        offs = [option(survey, "switch_off", each.name) for each in lamps]
        rest = [option(survey, "switch_off", each.name) for each in devices if each not in lamps]
        yield Draft(
            one_of(
                rng,
                f"Switch off all the lamps in {called}.",
                f"It is bright enough: no lamp in {called} should be on.",
            ),
            does=tuple(permutations(offs)),
            options=mix_options(rng, offs, rest),
            predicates=tuple(f"is {each.name} powered_on no" for each in lamps),
            capabilities=("long_horizon",),
            states=tuple(StateChange(each.name, "powered_on", True) for each in lamps),
        )
