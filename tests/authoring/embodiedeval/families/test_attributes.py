"""Questions about what is seen: one answer is right, and at least seven others are not."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from authoring.embodiedeval.families.tried import flat
from homebody.authoring.embodiedeval.alike import (
    _ACTIVITIES,
    FACES,
    FRAMED,
    is_like_activity,
    is_look_alike,
    like_shape,
)
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.attributes import (
    OF_FOOD,
    _missing,
    _nouns_in,
    apart,
)
from homebody.authoring.embodiedeval.survey import confusable
from homebody.authoring.language.names import lexicon
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.told_apart import main_colour
from suites.embodiedeval.small_tasks import survey, task_of

QUESTIONS = sorted(FAMILIES["attribute_qa"])


@pytest.mark.sampled
@pytest.mark.parametrize("name", QUESTIONS)
def test_one_answer_is_right_and_seven_are_wrong(name: str) -> None:
    for draft in FAMILIES["attribute_qa"][name](survey(), np.random.default_rng(0)):
        assert draft.right
        assert draft.right not in draft.wrong
        for text in (draft.right, *draft.wrong):
            assert text
            assert not set(",[]") & set(text), text
        assert all(survey().is_seen(each, 100) for each in draft.looks)


@pytest.mark.parametrize("name", ["colour", "material", "place", "quantity"])
def test_there_are_tasks(name: str) -> None:
    task = task_of("attribute_qa", name)
    assert len(task.answers) == 8
    assert task.plan[-1] == f'answer "{task.predicates[0].removeprefix("choose ")}"'


def test_colours_that_are_alike_are_no_choice() -> None:
    for word in ("white", "red", "dark blue", "golden"):
        assert len(confusable(word)) > 1
        assert confusable(word).isdisjoint(apart(word))
    assert len(apart("white")) >= 7


def test_a_colour_is_asked_without_being_said() -> None:
    for draft in FAMILIES["attribute_qa"]["colour"](survey(), np.random.default_rng(0)):
        assert f" {draft.right} " not in f" {draft.instruction} "


def test_on_something_and_in_it_are_never_both_on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = survey()
    holders = {thing.name: seen.state.places[thing.name][0] for thing in seen.things}
    alone = [t.name for t in seen.things if len(seen.all_of(t.category)) == 1]
    inside = next(n for n in alone if list(holders.values()).count(holders[n]) > 1)
    where = {name: f"on the {holder}" for name, holder in holders.items()}
    where[inside] = f"in the {holders[inside]}"
    monkeypatch.setattr(seen, "where", where.__getitem__)
    drafts = [
        draft
        for draft in FAMILIES["attribute_qa"]["place"](seen, np.random.default_rng(0))
        if draft.right == where[inside]
    ]
    assert drafts
    assert not any(f"on the {holders[inside]}" in draft.wrong for draft in drafts)


def test_a_colour_is_that_of_the_whole() -> None:
    for made in (survey(), flat()):
        for draft in FAMILIES["attribute_qa"]["colour"](made, np.random.default_rng(0)):
            own = draft.looks[0]
            assert made.kind(own).name not in FRAMED | FACES
            assert draft.right == main_colour(made.house.thing.get(own) or made.house.piece[own])


@pytest.mark.slow
def test_nothing_that_is_said_to_be_there_looks_like_the_rest() -> None:
    for made in (survey(), flat()):
        for draft in FAMILIES["attribute_qa"]["absent"](made, np.random.default_rng(0)):
            for one, other in combinations((draft.right, *draft.wrong), 2):
                assert not is_look_alike(one, other), draft.instruction


def test_nothing_is_described_by_a_word_for_something_similar() -> None:
    for made in (survey(), flat()):
        nouns = {each.name: made.noun(each.category) for each in made.wholes}
        for name, words in made.words.items():
            if name not in nouns or words != f"the {nouns[name]}":
                continue
            for other, noun in nouns.items():
                assert other == name or not is_look_alike(nouns[name], noun), (words, other)


def test_nothing_is_described_by_a_colour_that_little_of_it_has() -> None:
    for made in (survey(), flat()):
        for each in made.wholes:
            if each.category in FACES | FRAMED:
                noun, words = made.noun(each.category), made.description_of(each.name)
                assert words is None or words.startswith(f"the {noun}"), words


def test_a_pot_is_round_and_nearly_a_cylinder() -> None:
    assert {"cylindrical", "bowl-shaped"} <= like_shape("round")
    forms = {kind.form for kind in catalogue().things.values()} - {"irregular", "curved"}
    assert all(len(forms - like_shape(form)) >= 7 for form in forms)


def test_no_two_activities_that_look_the_same_are_offered() -> None:
    phrases = {each.phrase for each in catalogue().people.activities.values() if each.phrase}
    assert is_like_activity("looking at a painting", "looking at an exhibit")
    assert all(sum(not is_like_activity(each, other) for other in phrases) >= 7 for each in phrases)
    assert {each for group in _ACTIVITIES for each in group} <= phrases


def test_what_could_be_mistaken_in_a_picture_is_alike() -> None:
    for one, other in (
        ("teddy bear", "stuffed dog"),
        ("football", "volleyball"),
        ("fridge", "freezer"),
        ("armchair", "loveseat"),
        ("washing machine", "dryer"),
        ("bookcase", "shelf"),
        ("sink", "sink cupboard"),
    ):
        assert is_look_alike(one, other)
        assert is_look_alike(other, one)


def test_no_room_is_called_a_floor() -> None:
    rooms = [kind for kind in catalogue().rooms if kind.endswith("_floor")]
    assert rooms
    assert not any(lexicon().noun(kind).singular.endswith("floor") for kind in rooms)


@pytest.mark.slow
def test_nobody_is_asked_what_food_is_for_or_of_what_paintings_are_made() -> None:
    for made in (survey(), flat()):
        for draft in FAMILIES["attribute_qa"]["use"](made, np.random.default_rng(0)):
            assert draft.right != OF_FOOD
        for draft in FAMILIES["attribute_qa"]["material"](made, np.random.default_rng(0)):
            assert made.kind(draft.looks[0]).name not in FRAMED
    assert is_look_alike("cushion", "pillow")
    assert is_look_alike("pillow", "cushion")


@pytest.mark.slow
def test_no_question_is_about_what_only_meshes_show() -> None:
    for made in (survey(), flat()):
        assert made.drawn()
        for room in made.house.rooms:
            here, drawn = _nouns_in(made, room.name), made.drawn(room.name)
            assert drawn <= here
            assert drawn.isdisjoint(_missing(made, room.kind, here))
        for family, at in (("quantity", 0), ("most_of", 0), ("place", 0)):
            for draft in FAMILIES["attribute_qa"][family](made, np.random.default_rng(0)):
                own = draft.looks[at]
                noun = made.noun(made.kind(own).name)
                assert noun not in made.drawn(made.room(own)), draft.instruction


def test_one_pillow_is_not_the_pillow_of_a_house_with_beds() -> None:
    made = survey()
    nouns = made.drawn()
    for name in [*made.house.thing, *made.house.piece]:
        noun = made.noun(made.kind(name).name)
        if noun in nouns:
            assert made.description_of(name) != f"the {noun}"
