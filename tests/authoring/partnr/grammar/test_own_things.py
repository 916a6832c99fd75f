"""What the author makes of things that are in a house anyway."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.authoring.language.names import THING, lexicon
from homebody.authoring.partnr.grammar.author import Composition, compose
from homebody.authoring.partnr.grammar.meaning import Put
from homebody.authoring.partnr.grammar.own_things import MOST_OTHERS
from homebody.authoring.partnr.household import holder
from homebody.authoring.partnr.situation import objects_of
from homebody.suites.partnr.episodes.scene import lived_in_scene, scene

SEEDS = range(2_100, 2_130)  # no more houses than are remembered


@pytest.fixture(scope="module")
def drafted() -> list[tuple[int, Composition]]:
    return [
        (seed, compose(scene(seed), np.random.default_rng([seed, number])))
        for seed in SEEDS
        for number in range(4)
    ]


def _named(composition: Composition) -> set[str]:
    assert composition.draft.evaluation is not None
    wanted = composition.draft.evaluation.propositions
    return {name for it in wanted for names in it.lists for name in names}


@pytest.mark.slow
def test_others_of_a_kind_stay_where_the_words_tell_them_apart(
    drafted: list[tuple[int, Composition]],
) -> None:
    told_apart = 0
    for seed, composition in drafted:
        staying, named = composition.draft.staying, _named(composition)
        assert staying is not None
        for step in (step for group in composition.meaning.groups for step in group):
            for things in step.things:
                if things.furniture:
                    continue
                members = lexicon().categories(things.word)
                others = [
                    thing
                    for thing in lived_in_scene(seed).things
                    if thing.name in staying - named and thing.category in members
                ]
                if others and things.word != THING:
                    told_apart += 1
                    assert things.telling
                    assert things.where is not None or things.state
                for other in others:
                    at = holder(lived_in_scene(seed), other.name)
                    piece = scene(seed).piece.get(at)
                    room = piece.room if piece else at.removeprefix("floor_")
                    if things.where is not None:
                        assert not {at, room} & set(things.where.names)
    assert told_apart >= 4


@pytest.mark.slow
def test_where_any_will_do_those_of_the_house_do(drafted: list[tuple[int, Composition]]) -> None:
    meant = 0
    for seed, composition in drafted:
        placed = {name for name, _ in objects_of(composition.draft.placements)}
        for step in (step for group in composition.meaning.groups for step in group):
            for things in step.things:
                more = set(things.names) - placed if not things.furniture else set()
                assert len(more) <= MOST_OTHERS
                assert (
                    more
                    <= (composition.draft.staying or frozenset())
                    & lived_in_scene(seed).thing.keys()
                )
                if more:
                    meant += 1
                    assert isinstance(step, Put)
                    assert not things.all
                    at = {holder(lived_in_scene(seed), name) for name in more}
                    assert not at & set(step.spot.names)
    assert meant >= 3


def test_names_do_not_tell_what_is_wanted(drafted: list[tuple[int, Composition]]) -> None:
    """Of several of a kind it is not always those with the lowest numbers."""
    firsts = [
        name.endswith("_0")
        for seed, composition in drafted
        for name, placed in objects_of(composition.draft.placements)
        if sum(it.category == placed.category for it in lived_in_scene(seed).things) >= 4
    ]
    assert len(firsts) >= 20
    assert sum(firsts) < 0.6 * len(firsts)
