"""What is drafted, and how it is said."""

from __future__ import annotations

import re
from functools import lru_cache

import pytest

from homebody.authoring.etplan.drafts import Draft, draft, phrases
from homebody.authoring.etplan.graph_setting import kinds, noun
from homebody.authoring.etplan.house_setting import HouseSetting
from homebody.authoring.etplan.phrasing import phrase
from homebody.authoring.language.functions import SOMETHING, functions
from homebody.authoring.language.names import lexicon
from homebody.core.ground.seeds import generator
from homebody.goals.etplan import read_criterion
from homebody.suites.etplan.agents.questions import match_choices
from homebody.suites.etplan.rows import ROWS, Kind
from homebody.worlds.house.model.catalogue import catalogue

KINDS: tuple[Kind, ...] = ("navigation", "manipulation", "several", "temporal")


@lru_cache
def setting() -> HouseSetting:
    return HouseSetting(41)


@lru_cache
def drafts(row: str, count: int = 60) -> list[Draft]:
    rng = generator(f"drafts of {row}")
    made = (draft(setting(), ROWS[row], rng) for _ in range(count))
    return [each for each in made if each is not None]


def test_what_goes_into_a_container_suits_where_both_go() -> None:
    goes, fills, words = phrases()["goes"], phrases()["fills"], lexicon().classes
    made = drafts("temporal", 150)
    assert len({(each.things, each.target) for each in made}) > 20
    for each in made:
        *things, container = each.things
        for thing in things:
            classes = [word for word in fills[container] if thing in words[word]]
            assert any(each.target in goes[word][each.relation] for word in classes), each


@pytest.mark.sampled
@pytest.mark.parametrize("row", ["manipulation", "several", "temporal"])
def test_nothing_goes_where_nobody_names_it(row: str) -> None:
    unnamed = phrases()["unnamed"]
    assert drafts(row)
    assert not [d for d in drafts(row) if d.target in unnamed.get(d.relation, ())]


def test_phrases_are_about_what_the_catalogue_has() -> None:
    known, data = catalogue(), phrases()
    furniture = {name for each in data["unnamed"].values() for name in each}
    for word, where in data["goes"].items():
        if word == "outside":
            assert set(where) <= set(data["fills"])
            continue
        furniture |= {*where["ON"], *where["INSIDE"]}
    assert furniture <= set(known.furniture)
    for container, words in data["fills"].items():
        assert known.things[container].inside is not None or known.things[container].flat, container
        assert set(words) <= set(data["goes"]) & set(lexicon().classes)


def test_purposes_name_what_the_catalogue_has() -> None:
    known = {*catalogue().things, *catalogue().furniture}
    assert len(functions()) > 100
    for purpose, categories in functions().items():
        assert categories, purpose
        assert categories <= known, purpose
        assert lexicon().noun(purpose).singular.startswith(SOMETHING)


def test_a_purpose_describes_the_only_class_of_the_home_that_serves_it() -> None:
    there = setting().facts.classes
    words = {lexicon().noun(name).singular: members for name, members in functions().items()}
    found = 0
    for row in ("navigation", "manipulation", "several"):
        for number, made in enumerate(drafts(row)):
            text = phrase(setting(), ROWS[row].kind, made, generator(f"purpose {number}"))
            for word, members in words.items():
                if re.search(rf"{word}\b", text, re.IGNORECASE):
                    found += 1
                    assert len(members & there) == 1, text
                    assert members & set(made.things), text
    assert found > 5


def test_hints_are_about_rooms_that_homes_have() -> None:
    assert set(phrases()["hints"]) <= set(catalogue().rooms)
    fields = {"the": "the cup", "The": "The cup", "them": "it", "was": "was"}
    for hints in phrases()["hints"].values():
        for hint in hints:
            assert "{" not in hint.format(**fields)


@pytest.mark.parametrize("kind", KINDS)
def test_plurals_have_plural_verbs(kind: Kind) -> None:
    rng = generator("plurals")
    things = {"navigation": ("shorts",), "manipulation": ("shorts",)}
    names = things.get(kind, ("shorts", "basket"))
    where = {"navigation": ("", "")}.get(kind, ("bed", "ON"))
    stage = "(CLOSE, robot, shorts)" + ("(INSIDE, shorts, basket)" if kind == "temporal" else "")
    made = Draft(read_criterion(stage), names, *where)
    said = {phrase(setting(), kind, made, rng) for _ in range(200)}
    assert len(said) >= 30
    for sentence in said:
        assert not re.search(r"\ba shorts|\bshorts (is|goes|has|needs)\b|\bthem should", sentence)
        assert not re.search(r"\b(let's|we should|help me)\b", sentence, re.IGNORECASE)
        assert "{" not in sentence


@pytest.mark.sampled
@pytest.mark.parametrize("row", ["navigation_relation", "manipulation_relation", "several"])
def test_things_are_in_the_cupboard_of_a_counter(row: str) -> None:
    for made in drafts(row):
        text = phrase(setting(), ROWS[row].kind, made, generator("cupboard"))
        assert not re.search(r"\b(in|into) (a|the) counter\b(?! cupboard)", text), text


def test_classes_of_scene_graphs_are_said_in_words_that_name_them() -> None:
    said = {name: noun(name).singular for name in ("coffe_maker", "tvstand", "kitchentable")}
    assert said["coffe_maker"] == "coffee maker"
    assert said["tvstand"] == "TV stand"
    assert said["kitchentable"] == "kitchen table"
    for category in ("coffe_maker" if name == "coffemaker" else name for name in kinds()):
        if kinds()[category.replace("_", "")] != category:
            assert match_choices(noun(category).singular, [category, "couch"])[:1] == [category]
