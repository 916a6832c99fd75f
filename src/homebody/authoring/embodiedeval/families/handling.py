"""Object interaction: take objects and put them elsewhere."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain, permutations

import numpy as np

from homebody.authoring.embodiedeval.alike import FACES, FRAMED, confusable, is_same_use
from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.families.options import (
    MOST,
    mix_options,
    option,
    places,
    portable_things,
    source_description,
    starts_near,
)
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core.ground.seeds import shuffle
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
            one_of(rng, f"Find and pick up {its}.", f"Please pick up {its} for me."),
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
        for piece in shuffle(rng, beside(survey, [thing], pieces)[:4])[:1]:
            elsewhere = beside(survey, [thing], pieces[:4])[:3]
            others = wrong_picks(survey, things, thing)[:2] + puts(survey, thing.name, elsewhere)
            yield _bring(
                survey,
                rng,
                ("put_on", thing, piece),
                others,
                "Take {its} and put it on {there}.",
                "Move {its} to {there}.",
                "I would like to have {its} on {there}.",
            )


def _bring(
    survey: Survey,
    rng: np.random.Generator,
    deed: tuple[str, Thing, Furniture],
    others: list[Option],
    *wordings: str,
) -> Draft:
    """Return the draft of bringing a thing to a piece, which is opened first if it is closed."""
    verb, thing, piece = deed
    pick, put = option(survey, "pick_up", thing.name), option(survey, verb, thing.name, piece.name)
    relation = "on" if verb == "put_on" else "inside"
    shut = relation == "inside" and survey.state.states[piece.name].get("open") is False
    opens = [option(survey, "open", piece.name)] if shut else []
    its, there = source_description(survey, thing.name), survey.words[piece.name]
    return Draft(
        one_of(rng, *wordings).format(its=its, there=there),
        does=tuple(dict.fromkeys(((*opens, pick, put), (pick, *opens, put)))),
        options=mix_options(rng, [pick, *opens, put], others),
        starts=starts_near(survey, rng, thing.name),
        predicates=(f"grab_once {thing.name}", f"{relation} {thing.name} {piece.name}"),
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
        for piece in shuffle(rng, beside(survey, [thing], pieces)[:4])[:1]:
            others = wrong_picks(survey, things, thing)[:2]
            others += puts(survey, thing.name, pieces[:3], "put_in")
            words = ("Put {its} into {there}.", "Into {there} with {its}, please.")
            yield _bring(survey, rng, ("put_in", thing, piece), others, *words)


@family("object_interaction")
def throw_away(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Throw an object away."""
    things = portable_things(survey, rng)
    bins = [each for each in survey.furniture if each.category in ("trash_bin", "recycling_bin")]
    bins = [each for each in bins if each.name in survey.words]
    for thing in things[: 2 * MOST]:
        for piece in beside(survey, [thing], bins)[:1]:
            others = wrong_picks(survey, things, thing)[:2]
            others += puts(survey, thing.name, places(survey, rng)[:2])
            yield _bring(
                survey,
                rng,
                ("throw_away", thing, piece),
                others,
                "Nobody needs {its} any more. Throw it into {there}.",
                "Throw {its} away: into {there}.",
            )


def _bring_all(
    survey: Survey,
    rng: np.random.Generator,
    moves: list[tuple[Thing, Furniture]],
    wrong: list[Option],
    capability: str,
    *wordings: str,
) -> Draft:
    """Return the draft of bringing things to pieces, in any order."""
    pairs = [
        (option(survey, "pick_up", one.name), option(survey, "put_on", one.name, piece.name))
        for one, piece in moves
    ]
    return Draft(
        one_of(rng, *wordings),
        does=tuple(tuple(chain(*order)) for order in permutations(pairs)),
        options=mix_options(rng, [*chain(*pairs)], wrong),
        starts=starts_near(survey, rng, moves[0][0].name),
        predicates=tuple(f"on {one.name} {piece.name}" for one, piece in moves),
        capabilities=(capability,),
    )


@family("object_interaction")
def gather(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Bring two objects to one place."""
    things, pieces = portable_things(survey, rng), places(survey, rng)
    for one, other in pairs_of(survey, things):
        for piece in beside(survey, [one, other], pieces)[:1]:
            its, others = (source_description(survey, each.name) for each in (one, other))
            there = survey.words[piece.name]
            yield _bring_all(
                survey,
                rng,
                [(one, piece), (other, piece)],
                picks(survey, things),
                "long_horizon",
                f"Put both {its} and {others} on {there}.",
                f"Bring {its} to {there}, and {others} as well.",
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
        wrong = [*puts(survey, one.name, [there]), *puts(survey, other.name, [here])]
        first, second = (source_description(survey, each.name) for each in (one, other))
        here_, there_ = survey.words[here.name], survey.words[there.name]
        yield _bring_all(
            survey,
            rng,
            [(one, here), (other, there)],
            wrong,
            "long_horizon",
            f"Put {first} on {here_} and {second} on {there_}.",
            f"I want {first} on {here_} and {second} on {there_}. Please see to it.",
        )


@family("object_interaction")
def swap(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Exchange the places of two objects."""
    bearing = {piece.name: piece for piece in places(survey, rng)}
    things = [t for t in portable_things(survey, rng) if survey.state.places[t.name][0] in bearing]
    for one, other in pairs_of(survey, things):
        here, there = (bearing[survey.state.places[each.name][0]] for each in (one, other))
        elsewhere = [piece for piece in bearing.values() if piece not in (here, there)][:1]
        first, second = survey.words[one.name], survey.words[other.name]
        yield _bring_all(
            survey,
            rng,
            [(one, there), (other, here)],
            [*puts(survey, one.name, elsewhere), *puts(survey, other.name, elsewhere)],
            "complex_instruction",
            f"Swap {first} and {second}: each goes on the furniture that the other is on now.",
            f"Let {first} and {second} change places.",
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
            if any(thing.category in FACES | FRAMED for thing in things):
                continue
            near = beside(survey, fit, pieces)
            if not near:
                return
            there = near[0]
            wrong = [*picks(survey, rest[:2]), *puts(survey, rest[0].name, [there])]
            here_, there_ = survey.words[here.name], survey.words[there.name]
            yield _bring_all(
                survey,
                rng,
                [(thing, there) for thing in fit],
                wrong,
                "visual" if len(fit) == 1 else "long_horizon",
                f"Move everything {colour} that lies on {here_} to {there_}.",
                f"Whatever is {colour} on {here_} should be on {there_}. Leave all else.",
            )


def _colours(thing: Thing) -> set[str]:
    """Return the possible names of an object's colour, without "light" and "dark"."""
    return {
        everyday_colour(tone).removeprefix("light ").removeprefix("dark ")
        for tone in thing.style.values()
    }
