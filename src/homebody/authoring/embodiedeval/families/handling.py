"""Object interaction: take objects and put them elsewhere."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from homebody.authoring.embodiedeval.alike import confusable, is_same_use
from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.options import (
    MOST,
    mix_options,
    option,
    places,
    portable_things,
    shuffle,
    source_description,
    starts_near,
)
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import Option
from homebody.worlds.house.model.house import Furniture, Thing
from homebody.worlds.house.model.told_apart import everyday_colour


def picks(survey: Survey, things: list[Thing]) -> list[Option]:
    """Return the options to take each of some objects."""
    return [option(survey, "pick_up", thing.name) for thing in things]


def puts(survey: Survey, thing: str, pieces: list[Furniture], verb: str = "put_on") -> list[Option]:
    """Return the options to put an object onto each of some pieces of furniture."""
    return [option(survey, verb, thing, piece.name) for piece in pieces]


def wrong_picks(survey: Survey, things: list[Thing], thing: Thing) -> list[Option]:
    """Return the options to take other objects, objects of the same kind first."""
    others = [each for each in things if each is not thing]
    return picks(survey, sorted(others, key=lambda each: each.category != thing.category)[:3])


@family("object_interaction")
def pick_up(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take an object that is described."""
    things = portable_things(survey, rng)
    for thing in things[: 2 * MOST]:
        pick, its = option(survey, "pick_up", thing.name), survey.words[thing.name]
        yield Draft(
            one_of(rng, f"Find {its} and pick it up.", f"I need {its}. Please take it."),
            does=((pick,),),
            options=mix_options(rng, [pick], wrong_picks(survey, things, thing)),
            predicates=(f"grab {thing.name}",),
        )


@family("object_interaction")
def fetch_by_use(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take the only object for a certain use."""
    things = portable_things(survey, rng)
    uses = Counter(survey.kind(each.name).function for each in survey.house.things)
    for thing in things[: 3 * MOST]:
        use = survey.kind(thing.name).function
        if (
            not use
            or uses[use] > 1
            or any(is_same_use(use, other) for other in uses if other != use)
        ):
            continue
        pick = option(survey, "pick_up", thing.name)
        yield Draft(
            one_of(
                rng,
                f"Pick up what is made for {use}.",
                f"I need something for {use}. Get it.",
            ),
            does=((pick,),),
            options=mix_options(rng, [pick], picks(survey, things)),
            predicates=(f"grab {thing.name}",),
            capabilities=("common_sense",),
        )


@family("object_interaction")
def put_on(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take an object and put it onto a piece."""
    things, pieces = portable_things(survey, rng), places(survey, rng)
    for thing in things[: 2 * MOST]:
        piece = next(iter(shuffle(rng, beside(survey, [thing], pieces)[:4])), None)
        if piece is None:
            continue
        pick, its, there = (
            option(survey, "pick_up", thing.name),
            source_description(survey, thing.name),
            survey.words[piece.name],
        )
        put = option(survey, "put_on", thing.name, piece.name)
        others = [*wrong_picks(survey, things, thing)[:2], *puts(survey, thing.name, pieces[:3])]
        yield Draft(
            one_of(
                rng,
                f"Take {its} and put it on {there}.",
                f"Move {its} to {there}.",
                f"I would like to have {its} on {there}.",
            ),
            does=((pick, put),),
            options=mix_options(rng, [pick, put], others),
            starts=starts_near(survey, rng, thing.name),
            predicates=(f"grab_once {thing.name}", f"on {thing.name} {piece.name}"),
        )


def beside(survey: Survey, things: list[Thing], pieces: list[Furniture]) -> list[Furniture]:
    """Return the furniture without any of some objects, sorted by distance from the first
    object."""
    x, y, _ = survey.state.box(things[0].name).centre
    holders = {survey.state.places[thing.name][0] for thing in things}
    return sorted(
        (piece for piece in pieces if piece.name not in holders),
        key=lambda piece: math.dist((x, y), piece.box.centre[:2]),
    )


def pairs_of(survey: Survey, things: list[Thing]) -> list[tuple[Thing, Thing]]:
    """Return pairs of an object and the nearest object in another place, each pair once."""
    found: dict[frozenset[str], tuple[Thing, Thing]] = {}
    for one in things[: 2 * MOST]:
        here, place = survey.state.box(one.name).centre, survey.state.places[one.name][0]
        others = [each for each in things if survey.state.places[each.name][0] != place]
        if others:
            far = {e.name: math.dist(here, survey.state.box(e.name).centre) for e in others}
            other = min(others, key=lambda each: far[each.name])
            found.setdefault(frozenset((one.name, other.name)), (one, other))
    return list(found.values())


@family("object_interaction")
def put_in(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Put an object into furniture, which must be opened first if it is closed."""
    things = portable_things(survey, rng)
    pieces = shuffle(
        rng,
        (
            piece
            for piece in survey.furniture
            if piece.name in survey.words
            and any(space.kind == "within" for space in piece.receptacles)
            and not survey.state.is_in_state(piece.name, "locked")
        ),
    )
    for thing in things[:MOST]:
        piece = next(iter(shuffle(rng, beside(survey, [thing], pieces)[:4])), None)
        if piece is None:
            continue
        pick = option(survey, "pick_up", thing.name)
        put = option(survey, "put_in", thing.name, piece.name)
        shut = survey.state.states[piece.name].get("open") is False
        opens = [option(survey, "open", piece.name)] if shut else []
        its, there = source_description(survey, thing.name), survey.words[piece.name]
        others = [
            *wrong_picks(survey, things, thing)[:2],
            *puts(survey, thing.name, pieces[:3], "put_in"),
        ]
        orders = [(*opens, pick, put), *([(pick, *opens, put)] if opens else [])]
        yield Draft(
            one_of(rng, f"Put {its} into {there}.", f"Into {there} with {its}, please."),
            does=tuple(orders),
            options=mix_options(rng, [pick, *opens, put], others),
            starts=starts_near(survey, rng, thing.name),
            predicates=(f"grab_once {thing.name}", f"inside {thing.name} {piece.name}"),
        )


@family("object_interaction")
def throw_away(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Throw an object away."""
    things = portable_things(survey, rng)
    bins = [each for each in survey.furniture if each.category in ("trash_bin", "recycling_bin")]
    bins = [each for each in bins if each.name in survey.words]
    for thing in things[: 2 * MOST]:
        piece = next(iter(beside(survey, [thing], bins)), None)
        if piece is None:
            continue
        pick, its = option(survey, "pick_up", thing.name), source_description(survey, thing.name)
        throw = option(survey, "throw_away", thing.name, piece.name)
        shut = survey.state.states[piece.name].get("open") is False
        opens = [option(survey, "open", piece.name)] if shut else []
        others = [
            *wrong_picks(survey, things, thing)[:2],
            *puts(survey, thing.name, places(survey, rng)[:2]),
        ]
        there = survey.words[piece.name]
        yield Draft(
            one_of(
                rng,
                f"Nobody needs {its} any more. Throw it into {there}.",
                f"Throw {its} away: into {there}.",
            ),
            does=((*opens, pick, throw), (pick, *opens, throw)),
            options=mix_options(rng, [pick, *opens, throw], others),
            starts=starts_near(survey, rng, thing.name),
            predicates=(f"grab_once {thing.name}", f"inside {thing.name} {piece.name}"),
        )


@family("object_interaction")
def gather(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Bring two objects to one place."""
    things, pieces = portable_things(survey, rng), places(survey, rng)
    for one, other in pairs_of(survey, things):
        piece = next(iter(beside(survey, [one, other], pieces)), None)
        if piece is None:
            continue
        pairs = [
            (
                option(survey, "pick_up", each.name),
                option(survey, "put_on", each.name, piece.name),
            )
            for each in (one, other)
        ]
        its, others = source_description(survey, one.name), source_description(survey, other.name)
        there = survey.words[piece.name]
        needed = [each for pair in pairs for each in pair]
        yield Draft(
            one_of(
                rng,
                f"Put both {its} and {others} on {there}.",
                f"Bring {its} to {there}, and {others} as well.",
            ),
            does=tuple((*first, *second) for first, second in permutations(pairs)),
            options=mix_options(rng, needed, picks(survey, things)),
            starts=starts_near(survey, rng, one.name),
            predicates=(f"on {one.name} {piece.name}", f"on {other.name} {piece.name}"),
            capabilities=("long_horizon",),
        )


@family("object_interaction")
def sort_out(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Bring two objects to two places."""
    things, pieces = portable_things(survey, rng), places(survey, rng)
    for one, other in pairs_of(survey, things):
        near = beside(survey, [one, other], pieces)[:2]
        if len(near) < 2:
            continue
        here, there = near
        wanted = [(one, here), (other, there)]
        pairs = [
            (option(survey, "pick_up", e.name), option(survey, "put_on", e.name, p.name))
            for e, p in wanted
        ]
        wrong = [*puts(survey, one.name, [there]), *puts(survey, other.name, [here])]
        first, second = source_description(survey, one.name), source_description(survey, other.name)
        yield Draft(
            one_of(
                rng,
                f"Put {first} on {survey.words[here.name]} and {second} on"
                f" {survey.words[there.name]}.",
                f"I want {first} on {survey.words[here.name]} and {second} on"
                f" {survey.words[there.name]}. Please see to it.",
            ),
            does=tuple((*a, *b) for a, b in permutations(pairs)),
            options=mix_options(rng, [e for pair in pairs for e in pair], wrong),
            starts=starts_near(survey, rng, one.name),
            predicates=tuple(f"on {e.name} {p.name}" for e, p in wanted),
            capabilities=("long_horizon",),
        )


@family("object_interaction")
def swap(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Exchange the places of two objects."""
    bearing = {piece.name: piece for piece in places(survey, rng)}
    things = [t for t in portable_things(survey, rng) if survey.state.places[t.name][0] in bearing]
    for one, other in pairs_of(survey, things):
        here, there = (bearing[survey.state.places[each.name][0]] for each in (one, other))
        pairs = [
            (option(survey, "pick_up", one.name), option(survey, "put_on", one.name, there.name)),
            (
                option(survey, "pick_up", other.name),
                option(survey, "put_on", other.name, here.name),
            ),
        ]
        first, second = survey.words[one.name], survey.words[other.name]
        stay = [option(survey, "put_on", one.name, here.name)]
        stay.append(option(survey, "put_on", other.name, there.name))
        yield Draft(
            one_of(
                rng,
                f"Swap {first} and {second}: each goes on the furniture that the other is on now.",
                f"Let {first} and {second} change places.",
            ),
            does=tuple((*a, *b) for a, b in permutations(pairs)),
            options=mix_options(rng, [e for pair in pairs for e in pair], stay),
            starts=starts_near(survey, rng, one.name),
            predicates=(f"on {one.name} {there.name}", f"on {other.name} {here.name}"),
            capabilities=("complex_instruction",),
        )


@family("object_interaction")
def tidy_by_colour(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Move all objects of a colour from one piece of furniture to another."""
    pieces = places(survey, rng)
    lying: dict[str, list[Thing]] = defaultdict(list)
    for thing in survey.house.things:
        lying[survey.state.places[thing.name][0]].append(thing)
    able = {thing.name for thing in portable_things(survey, rng)}
    for here in pieces:
        things = lying[here.name]
        colours = {thing.name: _colours(thing) for thing in things}
        for colour in shuffle(rng, sorted({one for own in colours.values() for one in own})):
            fit = [thing for thing in things if colour in colours[thing.name]]
            clear = all(colours[thing.name] == {colour} for thing in fit)
            rest = [thing for thing in things if thing not in fit and thing.name in able]
            doubtful = confusable(colour)
            if any(not doubtful.isdisjoint(colours[t.name]) for t in things if t not in fit):
                continue
            if len(fit) > 2 or not rest or not clear or not all(t.name in able for t in fit):
                continue
            near = beside(survey, fit, pieces)
            if not near:
                return
            there = near[0]
            pairs = [
                (option(survey, "pick_up", t.name), option(survey, "put_on", t.name, there.name))
                for t in fit
            ]
            wrong = [*picks(survey, rest[:2]), *puts(survey, rest[0].name, [there])]
            here_, there_ = survey.words[here.name], survey.words[there.name]
            yield Draft(
                one_of(
                    rng,
                    f"Move everything {colour} that lies on {here_} to {there_}.",
                    f"Whatever is {colour} on {here_} should be on {there_}. Leave all else.",
                ),
                does=tuple(tuple(e for p in order for e in p) for order in permutations(pairs)),
                options=mix_options(rng, [e for pair in pairs for e in pair], wrong),
                starts=starts_near(survey, rng, fit[0].name),
                predicates=tuple(f"on {thing.name} {there.name}" for thing in fit),
                capabilities=("visual",) if len(fit) == 1 else ("long_horizon",),
            )


def _colours(thing: Thing) -> set[str]:
    """Return the possible names of an object's colour, without "light" and "dark"."""
    return {
        everyday_colour(tone).removeprefix("light ").removeprefix("dark ")
        for tone in thing.style.values()
    }
