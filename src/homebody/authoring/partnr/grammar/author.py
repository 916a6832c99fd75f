"""The built-in author: a grammar that writes episodes without a model.

It composes a meaning (:mod:`.meaning`) from a household situation, checks that each description
resolves as intended in this house, expresses it in words (:mod:`.language`), and derives the
evaluation function. It covers all four types of tasks of section 3 of the PARTNR paper, and their
mixtures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from homebody.authoring.language.names import THING, lexicon
from homebody.authoring.partnr.draft import Draft
from homebody.authoring.partnr.grammar.episode_scene import Stage, Stuck
from homebody.authoring.partnr.grammar.language import say
from homebody.authoring.partnr.grammar.meaning import (
    Meaning,
    Put,
    assign_propositions,
    evaluate,
    moved_again,
)
from homebody.authoring.partnr.grammar.own_things import add_own_things
from homebody.authoring.partnr.grammar.recipes import RECIPES, gather, unify_places
from homebody.authoring.partnr.grammar.themes import Theme, themes
from homebody.core import HomebodyError
from homebody.core.ground.seeds import choose
from homebody.goals.partnr import EvaluationError
from homebody.suites.partnr.episodes.kinds import KINDS
from homebody.worlds.house.model.house import House

TRIES = 400
"""Maximum number of attempts to compose a task for a house; most take two or three."""
PATIENCE = 12
"""Maximum number of attempts with one household situation before another is sampled."""
UNTIDY = 0.6
"""Probability that the first sentence mentions a mess, in tasks that tidy up."""
MAX_TASK_OBJECTS = 14
"""Maximum objects of a task."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A draft with its meaning and features.

    Attributes:
        kind: Its type, out of :data:`KINDS`; a mixture has the type of its recipe.
        theme: The household situation.
        phenomena: Counts of the linguistic phenomena of the paper's table 4:
            ``class_reference``, ``instance_reference``, ``co_reference``, ``passive``, ``active``,
            ``high_level_goal``, ``agentic_reference``.
        meaning: The meaning of the instruction.
    """

    draft: Draft
    kind: str
    theme: str
    phenomena: Mapping[str, int]
    meaning: Meaning


def author(house: House, rng: np.random.Generator, kinds: Sequence[str] = KINDS) -> Draft:
    """Return a draft of an episode in a house, of one of the kinds. Raises HomebodyError if no task
    was found for this house, or the kind is unknown."""
    return compose(house, rng, kinds).draft


def compose(house: House, rng: np.random.Generator, kinds: Sequence[str] = KINDS) -> Composition:
    """Return a draft like :func:`author`, with its meaning and features."""
    if not kinds or any(kind not in KINDS for kind in kinds):
        raise HomebodyError(f"each kind must be one of {', '.join(KINDS)}")
    kind = choose(rng, kinds)
    situations = list(themes().values())
    theme = situations[0]
    for number in range(TRIES):
        if number % PATIENCE == 0:  # otherwise situations that rarely fail would be more frequent
            theme = choose(rng, situations)
        try:
            return _compose(Stage(house, rng), theme, kind)
        except (Stuck, EvaluationError):
            continue
    raise HomebodyError(f"no task of the kind {kind} was found for house {house.seed}")


def _compose(stage: Stage, theme: Theme, kind: str) -> Composition:
    groups = RECIPES[kind](stage, theme)
    if len(stage.placed) > MAX_TASK_OBJECTS:
        raise Stuck
    unify_places(groups)
    gather(stage, groups)
    meaning = Meaning(tuple(tuple(step) for step in groups), stage.origins())
    _check(stage, meaning)
    meaning, staying = add_own_things(stage, meaning)
    evaluation = evaluate(meaning)
    if not 2 <= len(evaluation.propositions) <= 16:
        raise Stuck
    if theme.untidy and all(moving.tidies for moving in stage.moved) and stage.chance(UNTIDY):
        theme = replace(theme, openings=theme.untidy, goals=())
    back = any(isinstance(step, Put) and step.spot.kind == "back" for step in meaning.steps)
    tidies = all(moving.tidies for moving in stage.moved)
    if back or (moved_again(meaning.steps) and not tidies):  # "get ready" is not to put away
        theme = replace(theme, openings=(), goals=(), purposes=())
    wording = say(meaning, theme, stage.rng, Counter(room.kind for room in stage.house.rooms))
    draft = Draft(
        wording.text,
        stage.placements(),
        evaluation,
        {name: dict(states) for name, states in stage.furniture_states.items()},
        assign_propositions(meaning, wording.assigned),
        staying,
    )
    return Composition(draft, kind, theme.name, wording.counts, meaning)


# -- what is true of a meaning ---------------------------------------------------------------------


def _check(stage: Stage, meaning: Meaning) -> None:
    """Raise Stuck unless each description means exactly the intended objects, no object starts at a
    place where it would interfere, and no object is used twice in a group."""
    ends: dict[str, int] = {}
    for number, group in enumerate(meaning.groups):
        for step in group:
            for things in step.things:
                if not things.furniture and stage.resolve(things) != things.names:
                    raise Stuck
                near = lexicon().near.get(things.word, frozenset())
                if not things.furniture and any(it.category in near for it in stage.placed):
                    raise Stuck
                for name in things.names if isinstance(step, Put) else ():
                    if ends.get(name) == number:
                        raise Stuck
                    ends[name] = number
    for step in meaning.steps:
        if isinstance(step, Put) and step.spot.kind in ("furniture", "room", "floor"):
            off = stage.places_to_avoid([step.spot])
            for name in (name for things in step.things for name in things.names):
                piece = stage.house.piece.get(stage.thing(name).furniture)
                if stage.thing(name).furniture in off or (piece and piece.room in off):
                    raise Stuck
        beside = step.beside if isinstance(step, Put) else None
        if beside is not None and stage.resolve(beside) != beside.names:
            raise Stuck
    _check_cleared(meaning)
    _check_furniture(meaning)


def _check_furniture(meaning: Meaning) -> None:
    """Raise Stuck if two descriptions of furniture share some pieces but not all. After "the
    kitchen table", "the table" would mean the kitchen table."""
    targets: list[tuple[str, ...]] = []
    others: list[tuple[str, ...]] = []  # sources, and furniture of which one is cleaned
    for step in meaning.steps:
        swapped = isinstance(step, Put) and step.swap
        if isinstance(step, Put) and step.spot.kind == "furniture":
            targets.append(step.spot.names)
        for things in step.things:
            if things.furniture:
                (targets if things.all else others).append(things.names)
            elif things.where is not None and things.where.kind == "furniture" and not swapped:
                others.append(things.where.names)
    for names, more in combinations([*targets, *others], 2):
        if names != more and set(names) & set(more):
            raise Stuck
    if any(len(names) > 1 and names in targets for names in others):
        raise Stuck


def _check_cleared(meaning: Meaning) -> None:
    """Raise Stuck if something is brought to a piece before or while it is cleared."""
    puts = [
        (number, step)
        for number, group in enumerate(meaning.groups)
        for step in group
        if isinstance(step, Put)
    ]
    for number, step in puts:
        where = step.things[0].where
        if step.things[0].word == THING and where is not None:
            for other, brought in puts:
                if other <= number and set(brought.spot.names) & set(where.names):
                    raise Stuck
