"""Nouns are replaced by others."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.authoring.language.exchange import replace_nouns


@settings(max_examples=60)
@given(st.text(max_size=100))
def test_words_stay_if_nothing_is_exchanged(text: str) -> None:
    assert replace_nouns(text, lambda _: None) == text


def test_wording() -> None:
    names = {"cups": "knife", "cup": "apple", "Forks": "potato"}
    text = "Forks go here. Take a cup, an old cup and both cups."
    said = replace_nouns(text, lambda one: names.get(one.text))
    assert said == "Potatoes go here. Take an apple, an old apple and both knives."
