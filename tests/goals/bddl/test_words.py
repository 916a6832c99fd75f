"""BDDL conditions in English."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import pytest

from homebody.core.formula import Atom
from homebody.core.state import State
from homebody.core.world import Trace
from homebody.goals.bddl import (
    BDDLGoal,
    Universe,
    parse_condition,
    parse_problem,
    phrase,
    sentence,
    universe,
)

PROBLEM = parse_problem("""
(define (problem packing_0) (:domain igibson)
  (:objects apple.n.01_1 apple.n.01_2 apple.n.01_3 - apple.n.01
            hot_pot.n.01_1 hot_pot.n.01_2 - hot_pot.n.01 lamp.n.02_1 - lamp.n.02)
  (:init)
  (:goal (and
    (forpairs (?apple.n.01 - apple.n.01) (?hot_pot.n.01 - hot_pot.n.01)
        (inside ?apple.n.01 ?hot_pot.n.01))
    (forall (?hot_pot.n.01 - hot_pot.n.01) (not (open ?hot_pot.n.01)))
    (toggled_on ?lamp.n.02_1))))
""")


@dataclass(frozen=True)
class Scene:
    """Facts about the objects of a universe, categories among them."""

    over: Universe
    true: frozenset[Atom]

    @property
    def names(self) -> Iterable[str]:
        return self.over.names

    def holds(self, predicate: str, args: tuple[str, ...]) -> bool:
        if len(args) == 1 and self.over.is_a(args[0], predicate):
            return True
        return Atom(predicate, args) in self.true

    def match(self, predicate: str, args: tuple[str | None, ...]) -> Iterable[tuple[str, ...]]:
        for row in product(self.names, repeat=len(args)):
            if self.holds(predicate, row) and all(
                a in (None, n) for a, n in zip(args, row, strict=True)
            ):
                yield row


def judge(*facts: str):  # type: ignore[no-untyped-def]
    true = frozenset(Atom(w[0], tuple(w[1:])) for w in (fact.split() for fact in facts))
    over = universe(PROBLEM)
    goal = BDDLGoal.of(PROBLEM, lambda state: Scene(over, true))
    return goal.judge(Trace((State({}, {}, {}),)))


def test_sentence() -> None:
    assert sentence(PROBLEM.conditions) == (
        "In pairs of an apple and a hot pot, as many as there can be, the apple is inside the hot"
        " pot; no hot pot is open; lamp 1 is switched on."
    )
    assert sentence([]) == "Nothing is asked for."


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
        ("(and)", "nothing is asked for"),
    ],
)
def test_words(text: str, words: str) -> None:
    assert phrase(parse_condition(text)) == words
