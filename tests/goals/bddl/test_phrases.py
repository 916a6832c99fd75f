"""BDDL conditions in English."""

import pytest

from goals.bddl.packing import PROBLEM
from homebody.goals.bddl import (
    parse_condition,
    phrase,
    sentence,
)


def test_sentence() -> None:
    assert sentence(PROBLEM.conditions) == (
        "In pairs of an apple and a hot pot, as many as there can be, the apple is inside the hot"
        " pot; no hot pot is open; lamp 1 is switched on."
    )
    assert sentence([]) == "Nothing is required."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(forall (?x - cup.n.01) (dusty ?x))", "every cup is dusty"),
        ("(exists (?x - cup.n.01) (not (dusty ?x)))", "some cup is not dusty"),
        (
            "(forall (?x - cup.n.01) (exists (?y - cup.n.01) (nextto ?x ?y)))",
            "for every cup, there is a cup such that the cup is next to the other cup",
        ),
        (
            "(forn (2) (?x - box.n.01) (and (open ?x) (not (contains ?x soup.n.01_1))))",
            "for exactly 2 boxes, the box is open and the box does not contain soup 1",
        ),
        (
            "(fornpairs (2) (?x - egg.n.02) (?y - cup.n.01) (inside ?x ?y))",
            "in pairs of an egg and a cup, at least 2 of them, the egg is inside the cup",
        ),
        (
            "(imply (open a.n.01_1) (not (or (p b_b) (p c))))",
            "if a 1 is open, then it is not so that either the b b is p, or the c is p",
        ),
        ("(and)", "nothing is required"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert phrase(parse_condition(text)) == words
