"""Finding what is most alike, the same everywhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hash_seeds import printed
from homebody.core import HomebodyError
from homebody.suites.partnr.prompting.retrieval import (
    build_index,
    content_words,
    find_closest,
    hashing_embedder,
    words,
)

INSTRUCTIONS = (
    "Move the two plates from the dining table to the kitchen counter.",
    "Wash the cups in the sink, then put them into the cabinet.",
    "Bring all toys from the living room to the toy chest in the playroom.",
    "Turn on the lamp in the bedroom and put the book next to it.",
    "Fill the kettle and place it on the stove.",
)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("Please take the toys to the playroom.", 2),
        ("Could you wash my cup and put it in a cabinet?", 1),
        ("I'd like the plate on the counter of the kitchen", 0),
        ("fill a kettle with water", 4),
        ("put a book by the bedroom lamp", 3),
    ],
)
def test_the_closest_is_about_the_same_things(query: str, place: int) -> None:
    assert find_closest(query, build_index(INSTRUCTIONS))[0][0] == place
    assert find_closest(query, build_index(INSTRUCTIONS, hashing_embedder()))[0][0] == place


def test_each_text_is_closest_to_itself() -> None:
    of = build_index(INSTRUCTIONS)
    for place, text in enumerate(INSTRUCTIONS):
        best, *others = find_closest(text, of, len(INSTRUCTIONS))
        assert best == (place, pytest.approx(1.0, abs=1e-4))
        assert all(likeness < 0.6 for _, likeness in others)
        assert sorted(others, key=lambda one: -one[1]) == others


def test_of_equals_the_first() -> None:
    of = build_index(["a red cup", "a blue plate", "a red cup"])
    assert [place for place, _ in find_closest("red cup", of, 2)] == [0, 2]


@given(st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_vectors_are_of_length_one_or_nothing(texts: list[str]) -> None:
    rows = build_index(texts).vectors
    for row, text in zip(rows, texts, strict=True):
        length = float(np.linalg.norm(row))
        assert length == pytest.approx(1.0 if content_words(text) else 0.0, abs=1e-5) or (
            length == 0.0
        )


def test_rare_words_count_for_more() -> None:
    corpus = [f"put the cup on table number {n}" for n in range(30)] + ["feed the parrot a cup"]
    of = build_index(corpus)
    assert find_closest("a parrot and a cup", of)[0][0] == 30


def test_the_same_in_another_process() -> None:
    code = (
        "from homebody.suites.partnr.prompting.retrieval import *;"
        "import zlib; rows = hashing_embedder(['a cup'])(['my cup', 'ein Tee']);"
        "print(zlib.crc32(rows.tobytes()))"
    )
    assert printed(code)


def test_word_forms() -> None:
    assert words("Toys, dishes, boxes and GLASSES; knives") == [
        *("toy", "dish", "box", "and", "glass", "knife"),
    ]
    assert words("berries on shelves") == ["berry", "on", "shelf"]
    assert content_words("Put it on the shelf") == ["put", "shelf"]


def test_an_embedder_of_ones_own() -> None:
    def lengths(texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, float(len(text))] for text in texts])

    of = build_index(["a", "a" * 50, "a" * 2], lengths)
    assert find_closest("b" * 60, of)[0][0] == 1


@pytest.mark.parametrize(
    "rows", [np.zeros((1, 3)), np.full((2, 3), np.nan), np.zeros(2), np.zeros((2, 3, 4))]
)
def test_what_an_embedder_must_not_give(rows: np.ndarray) -> None:
    with pytest.raises(HomebodyError, match="one row of finite numbers"):
        build_index(["a", "b"], lambda texts: rows)


def test_nothing_to_find() -> None:
    assert find_closest("a cup", build_index([])) == []
    assert find_closest("", build_index(["a cup"])) == [(0, 0.0)]
