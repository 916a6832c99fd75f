"""BDDL conditions as LTL."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goals.bddl.packing import PROBLEM, Scene
from homebody.core.formula import Atom
from homebody.core.truth import evaluate as evaluate_formula
from homebody.goals.bddl import (
    Universe,
    evaluate,
    ltl_name,
    parse_condition,
    published_ltl,
    published_text,
    to_ltl,
    universe,
)
from homebody.goals.ltl import parse, to_text


def test_names() -> None:
    names = ["apple.n.01_12", "apple.n.01", "toggled_on", "inside", "t-shirt.n.01_1"]
    assert [ltl_name(n) for n in names] == [
        "apple_n_01.12",
        "apple_n_01",
        "toggledon",
        "inside",
        "t_shirt_n_01.1",
    ]


@pytest.mark.parametrize(
    ("text", "ours", "published"),
    [
        (
            "(exists (?x - lamp.n.02) (toggled_on ?x))",
            "exists x0. (lamp_n_02(x0) and toggledon(x0))",
            "exists x0. (not lamp_n_02(x0) or toggledon(x0))",
        ),
        (
            "(forn (2) (?x - apple.n.01) (inside ?x hot_pot.n.01_1))",
            "exists=2 x0. (apple_n_01(x0) and inside(x0, hot_pot_n_01.1))",
            "exists=2 x0. (not apple_n_01(x0) or inside(x0, hot_pot_n_01.1))",
        ),
        (
            "(forpairs (?x - lamp.n.02) (?y - hot_pot.n.01) (near ?x ?y))",
            "forall x0. (not lamp_n_02(x0) or exists x1. (hot_pot_n_01(x1) and near(x0, x1)))"
            " and not exists=0 x1. (hot_pot_n_01(x1) and exists x0. (lamp_n_02(x0) and"
            " near(x0, x1)))",
            "forall x0. (not lamp_n_02(x0) or exists=1 x1. (not hot_pot_n_01(x1) or near(x0, x1)))"
            " and forall x1. (not hot_pot_n_01(x1) or exists=1 x0. (not lamp_n_02(x0) or"
            " near(x0, x1)))",
        ),
        (
            "(imply (p lamp.n.02_1) (forall (?x - lamp.n.02) (exists (?x - apple.n.01) (p ?x))))",
            "p(lamp_n_02.1) implies"
            " forall x0. (not lamp_n_02(x0) or exists x1. (apple_n_01(x1) and p(x1)))",
            "p(lamp_n_02.1) implies"
            " forall x0. (not lamp_n_02(x0) or exists x1. (not apple_n_01(x1) or p(x1)))",
        ),
    ],
)
def test_ltl(text: str, ours: str, published: str) -> None:
    condition = parse_condition(text)
    assert to_text(to_ltl(condition, universe(PROBLEM))) == ours
    assert parse(ours) == to_ltl(condition, universe(PROBLEM))
    assert to_text(published_ltl(condition)) == published


def test_pairs_of_a_category_with_itself_have_no_ltl() -> None:
    pairs = parse_condition("(forpairs (?x - apple.n.01) (?y - apple.n.01) (r ?x ?y))")
    with pytest.raises(ValueError, match="itself"):
        to_ltl(pairs, universe(PROBLEM))


CONDITIONS = [
    "(forall (?x - a) (exists (?y - b) (and (r ?x ?y) (not (p ?y)))))",
    "(forn (2) (?x - a) (or (p ?x) (exists (?y - b) (r ?x ?y))))",
    "(forpairs (?x - a) (?y - b) (r ?x ?y))",
    "(forpairs (?y - b) (?x - a) (r ?x ?y))",
    "(fornpairs (2) (?x - a) (?y - b) (r ?x ?y))",
    "(fornpairs (0) (?x - a) (?y - b) (r ?x ?y))",
    "(not (forpairs (?x - a) (?y - b) (imply (p ?x) (r ?x ?y))))",
    "(exists (?x - a) (forall (?x - b) (p ?x)))",
]


@settings(max_examples=200)
@given(st.sampled_from(CONDITIONS), st.integers(1, 3), st.integers(1, 3), st.data())
def test_ltl_means_the_same(text: str, a: int, b: int, data: st.DataObject) -> None:
    objects = {f"{c}{i}": c for c, n in (("a", a), ("b", b)) for i in range(n)}
    over = Universe(tuple(objects), lambda name, category: objects[name] == category)
    facts = [Atom("p", (n,)) for n in objects] + [
        Atom("r", (m, n)) for m in objects for n in objects if m[0] == "a" and n[0] == "b"
    ]
    scene = Scene(over, frozenset(data.draw(st.sets(st.sampled_from(facts)))))
    condition = parse_condition(text)
    formula = to_ltl(condition, over, name=str)
    assert evaluate_formula(formula, scene) == evaluate(condition, scene, over)


def test_published_text() -> None:
    texts = [published_text(condition) for condition in PROBLEM.conditions]
    assert texts == [
        "forpairs(apple_n_01, hot_pot_n_01, inside(apple_n_01, hot_pot_n_01))",
        "forall(hot_pot_n_01, (not open(hot_pot_n_01)))",
        "toggledon(lamp_n_02.1)",
    ]
