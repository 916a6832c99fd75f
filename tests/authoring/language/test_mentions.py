"""Nouns are found in texts."""

from __future__ import annotations

import pytest

from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, mentions, vocabulary
from homebody.worlds.house.model.catalogue import catalogue


def test_nouns_and_what_is_said_with_them() -> None:
    found = mentions("Take two of the three spoons from the kitchen table to the TV stand.")
    said = [(one.text, one.determiner, one.number, one.preposition) for one in found]
    assert said == [
        ("spoons", "the", 2, ""),
        ("kitchen", "the", None, "from"),
        ("table", "the", None, "from"),
        ("TV stand", "the", None, "to"),
    ]
    assert found[0].categories(OBJECT) == {"spoon", "wooden_spoon"}
    assert found[0].plural
    assert found[1].modifier
    assert "kitchen" in found[1].categories(ROOM)
    assert {"table", "coffee_table"} <= found[2].categories(FURNITURE)


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("Can you iron the shirt?", ["shirt"]),
        ("Take the iron and a can of soda.", ["iron", "can of soda"]),
        ("Watch the watch.", ["watch"]),
        ("Bring the glasses, the wine glasses and a glass.", ["glasses", "wine glasses", "glass"]),
        ("Put the toys in the kids' room.", ["toys", "kids' room"]),
    ],
)
def test_words_that_are_no_nouns(text: str, nouns: list[str]) -> None:
    assert [one.text for one in mentions(text)] == nouns


def test_nouns_mean_what_the_catalogue_has() -> None:
    known = catalogue()
    categories = {OBJECT: known.things, FURNITURE: known.furniture, ROOM: known.rooms}
    for words, sense in vocabulary().items():
        assert 0 < len(words) <= 4
        for kind, category in (*sense.exact, *sense.wider):
            assert category in categories[kind], words
