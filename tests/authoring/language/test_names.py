"""What things are called."""

from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from homebody.authoring.language.classes import members
from homebody.authoring.language.names import Noun, article, join_words, lexicon
from homebody.worlds.house.model.catalogue import catalogue


def test_words_are_of_the_catalogue() -> None:
    known = catalogue()
    every = lexicon()
    for covered in (*every.classes.values(), *every.near.values()):
        assert covered <= set(known.things)
    for pieces in every.covers.values():
        assert set(pieces) <= set(known.furniture)
    assert every.wider.keys() <= known.furniture.keys()
    for category, others in every.confusable.items():
        assert {category, *others} <= set(known.things)
    words = {*every.classes, *(word for group in every.synonyms.values() for word in group)}
    categories = {*known.things, *known.furniture, *known.rooms}
    assert every.nouns.keys() <= categories | words
    assert every.synonyms.keys() <= known.furniture.keys()
    assert every.few <= known.things.keys()


NAMES = tomllib.loads(
    (resources.files("homebody.authoring.language") / "names.toml").read_text("utf-8")
)
OTHERS = {
    "toiletry": "conditioner body_wash hair_dryer",
    "dish": "beer_mug champagne_glass paper_plate",
    "decoration": "snow_globe wreath",
    "clothing": "hoodie jacket coat",
    "toy": "rattle stuffed_elephant puzzle_cube",
    "tool": "mallet chisel shovel",
}
"""Word for a class -> members that were once forgotten."""


@pytest.mark.parametrize("word", sorted(NAMES["classes"]))
def test_no_member_of_a_class_is_forgotten(word: str) -> None:
    every, name = lexicon(), NAMES["classes"][word]["class"]
    assert every.classes[word] <= set(members(name)) <= every.classes[word] | every.near[word]
    assert not every.classes[word] & every.near[word]
    assert set(OTHERS.get(word, "").split()) <= set(members(name))


@pytest.mark.parametrize(
    ("word", "noun"),
    [
        ("cup", Noun("cup", "cups")),
        ("knife", Noun("knife", "knives")),
        ("toothbrush", Noun("toothbrush", "toothbrushes")),
        ("bread", Noun("bread", "")),
        ("trousers", Noun("trousers", "", is_plural=True)),
        ("jam_jar", Noun("jar of jam", "jars of jam")),
        ("key", Noun("key", "keys")),
        ("pantry_shelf", Noun("pantry shelf", "pantry shelves")),
        ("candy_bag", Noun("bag of candy", "bags of candy")),
    ],
)
def test_nouns(word: str, noun: Noun) -> None:
    assert lexicon().noun(word) == noun


def test_articles_and_lists() -> None:
    said = [article(one) for one in ("apple", "umbrella", "cup", "egg", "utensil", "orange")]
    assert said == ["an", "an", "a", "an", "a", "an"]
    assert join_words([]) == ""
    assert join_words(["a"]) == "a"
    assert join_words(["a", "b", "c"]) == "a, b and c"


def test_plurals() -> None:
    words = ("knife", "glass", "coffee table", "shelf", "battery", "key", "trousers", "tomato")
    many = ("knives", "glasses", "coffee tables", "shelves", "batteries", "keys", "trousers")
    assert tuple(map(lexicon().plural, words)) == (*many, "tomatoes")
