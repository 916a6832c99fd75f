"""What things are called."""

from __future__ import annotations

import pytest

from homebody.authoring.words.names import Noun, article, listed, words


@pytest.mark.parametrize(
    ("word", "noun"),
    [
        ("cup", Noun("cup", "cups")),
        ("knife", Noun("knife", "knives")),
        ("toothbrush", Noun("toothbrush", "toothbrushes")),
        ("bread", Noun("bread", "")),
        ("trousers", Noun("trousers", "", plural=True)),
        ("jam_jar", Noun("jar of jam", "jars of jam")),
        ("key", Noun("key", "keys")),
        ("pantry_shelf", Noun("pantry shelf", "pantry shelves")),
        ("candy_bag", Noun("bag of candy", "bags of candy")),
    ],
)
def test_nouns(word: str, noun: Noun) -> None:
    assert words().noun(word) == noun


def test_articles_and_lists() -> None:
    said = [article(one) for one in ("apple", "umbrella", "cup", "egg", "utensil", "orange")]
    assert said == ["an", "an", "a", "an", "a", "an"]
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
