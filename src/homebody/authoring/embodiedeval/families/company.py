"""Social interaction: bring objects to people, find people, ask them, and understand gestures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from homebody.authoring.embodiedeval.alike import is_look_alike
from homebody.authoring.embodiedeval.draft import Draft, family, one_of
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core.ground.seeds import shuffle
from homebody.suites.embodiedeval.tasks import Option
from homebody.worlds.house.model.house import Person, Thing

MOST: Final = 6
"""Maximum number of drafts of a family in a scene."""


def _portable_things(survey: Survey, rng: np.random.Generator) -> list[tuple[Thing, str]]:
    """Return portable objects with their descriptions, in random order."""
    found = [
        (thing, called)
        for thing in survey.things
        if "grabbable" in survey.kind(thing.name).affords
        and (called := survey.description_of(thing.name)) is not None
    ]
    return shuffle(rng, found)


def _people(survey: Survey) -> list[tuple[Person, str]]:
    """Return the people who are awake, with their descriptions."""
    return [
        (person, called)
        for person in survey.people
        if person.posture != "lying" and (called := survey.description_of(person.name)) is not None
    ]


def _picks(things: Sequence[tuple[Thing, str]], count: int = 3) -> tuple[Option, ...]:
    return tuple(
        Option("pick_up", f"pick up {called}", (thing.name,)) for thing, called in things[:count]
    )


def _hand_over(thing: tuple[Thing, str], person: tuple[Person, str]) -> Option:
    return Option(
        "hand_over", f"hand {thing[1]} over to {person[1]}", (thing[0].name, person[0].name)
    )


@family("social_interaction")
def deliver(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Bring somebody an object."""
    people, things = _people(survey), _portable_things(survey, rng)
    for person in people[:2]:
        for at in range(min(len(things), MOST // 2)):
            thing, others = things[at], [*things[:at], *things[at + 1 :]]
            pick, give = _picks([thing])[0], _hand_over(thing, person)
            wrong = _hand_over(others[0], person) if others else give
            yield Draft(
                one_of(
                    rng,
                    f"Bring {thing[1]} to {person[1]}.",
                    f"{person[1].capitalize()} would like to have {thing[1]}. Fetch it and hand"
                    " it over.",
                    f"Could you get {thing[1]} and give it to {person[1]}?",
                ),
                does=((pick, give),),
                options=tuple(dict.fromkeys((pick, *_picks(others), give, wrong))),
                predicates=(f"grab_once {thing[0].name}", f"special_action_success {give.text}"),
                capabilities=("base",),
            )


@family("social_interaction")
def find_someone(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Find somebody by appearance and greet them."""
    people = _people(survey)
    for person, called in people:
        options = tuple(Option("greet", f"greet {other}", (one.name,)) for one, other in people)
        greet = next(option for option in options if option.objects == (person.name,))
        yield Draft(
            one_of(
                rng,
                f"Find {called} and say hello.",
                f"Go up to {called} and greet them for me.",
            ),
            does=((greet,),),
            options=(*options[:4], *([greet] if greet not in options[:4] else [])),
            predicates=(f"special_action_success {greet.text}",),
            capabilities=("visual",),
        )


@family("social_interaction")
def find_by_activity(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Shake hands with somebody who is described by activity."""
    doing = [person.activity for person in survey.house.people]
    for person, called in _people(survey):
        if person.name not in survey.activities or doing.count(person.activity) > 1:
            continue
        shake = Option("shake_hands", f"shake hands with {called}", (person.name,))
        wave = Option("wave", f"wave to {called}", (person.name,))
        yield Draft(
            one_of(
                rng,
                f"Introduce yourself to the person who is {person.activity}: shake hands.",
                f"Somebody here is {person.activity}. Find them and shake hands with them.",
            ),
            does=((shake,),),
            options=(wave, shake, *_picks(_portable_things(survey, rng), 2)),
            predicates=(f"special_action_success {shake.text}",),
            capabilities=("visual",),
        )


@family("social_interaction")
def wake(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Wake up somebody who is lying down."""
    for person in survey.people:
        room = survey.room_description(person.room)
        lying = [one for one in survey.people if one.posture == "lying" and one.room == person.room]
        if person.posture != "lying" or room is None or len(lying) > 1:
            continue
        who = "my friend" if person.gender == "female" else "my colleague"
        option = Option("wake_up", f"wake up {survey.description_of(person.name)}", (person.name,))
        if survey.description_of(person.name) is None:
            continue
        yield Draft(
            one_of(
                rng,
                f"Wake up the person who is lying down in {room}.",
                f"It is time to get up: go to {room} and wake {who}, who is lying there.",
            ),
            does=((option,),),
            options=(option, *_picks(_portable_things(survey, rng), 3)),
            predicates=(f"special_action_success {option.text}",),
        )


def _touching(survey: Survey, name: str) -> set[str]:
    """Return the nouns of what holds an object, and of what a piece holds."""
    places = survey.state.places
    near = {each for each, (holder, _) in places.items() if holder == name}
    near |= {places[name][0]} & survey.house.piece.keys() if name in places else set()
    known = {each.name: each.category for each in survey.wholes}
    return {survey.noun(known[each]) for each in near if each in known}


@family("social_interaction")
def pointed_at(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what somebody points at."""
    for person in survey.people:
        target = person.pointing_at
        if not target or not survey.is_seen(target):
            continue
        who = survey.description_of(person.name)
        own = survey.house.thing.get(target) or survey.house.piece.get(target)
        if who is None or own is None:
            continue
        right = survey.noun(own.category)
        nouns = {survey.noun(piece.category) for piece in survey.furniture}
        nouns |= {survey.noun(thing.category) for thing in survey.things}
        wrong = sorted(nouns - _touching(survey, target))
        yield Draft(
            one_of(
                rng,
                f"What is {who} pointing at?",
                f"{who.capitalize()} points at something. What is it?",
            ),
            right,
            tuple(noun for noun in wrong if not is_look_alike(noun, right)),
            looks=(person.name, target),
            capabilities=("spatial",),
        )


@family("social_interaction")
def looked_at(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask what somebody looks at."""
    for person in survey.people:
        target = person.looks_at
        own = survey.house.thing.get(target) or survey.house.piece.get(target)
        who = survey.description_of(person.name)
        if own is None or who is None or not survey.is_seen(target):
            continue
        if not survey.faces_target(person):
            continue
        right = survey.noun(own.category)
        near = [survey.noun(p.category) for p in survey.furniture if p.room == person.room]
        far = [survey.noun(piece.category) for piece in survey.furniture]
        out = _touching(survey, target)
        yield Draft(
            one_of(
                rng,
                f"What is {who} looking at?",
                f"Find out what {who} is looking at.",
            ),
            right,
            tuple(
                noun
                for noun in dict.fromkeys((*near, *far))
                if noun not in out and not is_look_alike(noun, right)
            ),
            looks=(person.name, target),
            capabilities=("spatial",),
        )


@family("social_interaction")
def ask_where(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Ask somebody which of several objects of a kind is wanted, then take it."""
    people, things = _people(survey), _portable_things(survey, rng)
    for person in people[:2]:
        for thing, called in things[:MOST]:
            where = survey.where(thing.name)
            alike = [one for one in things if one[0].category == thing.category]
            if where is None or len(alike) < 2 or survey.be(thing.category) == "are":
                continue
            noun = survey.noun(thing.category)
            looks = called.removeprefix("the ")
            ask = Option(
                "ask",
                f"ask {person[1]} which {noun} it is",
                (person[0].name,),
                f"it is the {looks} {where}" if where not in called else f"it is the {looks}",
            )
            picks = _picks([(thing, called), *[one for one in alike if one[0] is not thing]], 4)
            yield Draft(
                one_of(
                    rng,
                    f"I need one of the {survey.plural(thing.category)}. {person[1].capitalize()}"
                    " knows which: ask, and pick it up.",
                    f"Ask {person[1]} which {noun} is wanted, and pick that one up.",
                ),
                does=((ask, picks[0]),),
                options=(ask, *shuffle(rng, picks)),
                predicates=(f"special_action_success {ask.text}", f"grab {thing.name}"),
                capabilities=("complex_instruction",),
            )


@family("social_interaction")
def take_from(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take an object that somebody holds, or hand it to somebody else."""
    people = _people(survey)
    for person, called in people:
        for name in survey.state.objects_at((person.name, "hand")):
            noun = survey.noun(survey.house.thing[name].category)
            take = Option("take_from", f"take the {noun} from {called}", (name, person.name))
            others = [one for one in people if one[0].name != person.name]
            if not others:
                yield Draft(
                    f"{called.capitalize()} does not need the {noun} any more. Take it.",
                    does=((take,),),
                    options=(take, *_picks(_portable_things(survey, rng), 3)),
                    predicates=(f"grab {name}",),
                )
                continue
            other, his = others[0]
            give = Option("hand_over", f"hand the {noun} over to {his}", (name, other.name))
            yield Draft(
                f"Take the {noun} from {called} and hand it over to {his}.",
                does=((take, give),),
                options=(take, give, *_picks(_portable_things(survey, rng), 2)),
                predicates=(f"grab_once {name}", f"special_action_success {give.text}"),
                capabilities=("long_horizon",),
            )


@family("social_interaction")
def two_deliveries(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Show somebody an object, and bring it back to where it was."""
    people, things = _people(survey), _portable_things(survey, rng)
    for person in people[:2]:
        for thing, called in things[:MOST]:
            holder = survey.state.places[thing.name][0]
            place = survey.description_of(holder) if holder in survey.house.piece else None
            if place is None:
                continue
            pick = Option("pick_up", f"pick up {called}", (thing.name,))
            show = Option("show", f"show {called} to {person[1]}", (thing.name, person[0].name))
            back = Option("put_on", f"put {called} on {place}", (thing.name, holder))
            yield Draft(
                f"Show {called} to {person[1]} and put it back on {place} where it was.",
                does=((pick, show, back),),
                options=(pick, show, back, *_picks([t for t in things if t[0] is not thing], 2)),
                predicates=(
                    f"special_action_success {show.text}",
                    f"special_action_success {back.text}",
                    f"again on {thing.name} {holder}",
                ),
                capabilities=("long_horizon",),
            )
