"""What no household has together is no advice, and is said of goals that ask for it."""

import pytest

from goals.bddl.packing import PROBLEM, Scene
from homebody.core import Trace, Verdict
from homebody.core.formula import Atom, Literal, Not
from homebody.core.state import State
from homebody.goals.bddl import BDDLGoal, parse_condition, universe
from homebody.goals.bddl.incompatible import (
    CIRCLE,
    CONTRADICTION,
    ITSELF,
    NOTHING,
    ONE_PLACE,
    RING,
    find_impossibility,
)


def on(thing: str, place: str) -> Atom:
    return Atom("ontop", (thing, place))


@pytest.mark.parametrize(
    ("option", "clash", "why"),
    [
        ([on("a", "b"), Atom("nextto", ("a", "a"))], (Atom("nextto", ("a", "a")),), ITSELF),
        ([on("a", "b"), on("b", "c"), on("a", "c")], (on("a", "b"), on("a", "c")), ONE_PLACE),
        ([on("a", "b"), on("b", "a")], (on("a", "b"), on("b", "a")), CIRCLE),
        (
            [on("d", "a"), on("a", "b"), Atom("inside", ("b", "a"))],
            (on("a", "b"), Atom("inside", ("b", "a"))),
            CIRCLE,
        ),
        ([on("a", "b"), Not(on("a", "c")), on("b", "c")], (), ""),
        ([on("a", "c"), on("b", "c"), Atom("inside", ("a", "d"))], (), ""),
        ([on("a", "b"), on("a", "b"), Not(on("a", "a"))], (), ""),
    ],
)
def test_what_excludes_each_other(
    option: list[Literal], clash: tuple[Literal, ...], why: str
) -> None:
    assert find_impossibility(option, lambda atom: False) == (clash, why)


def test_rings_of_neighbours() -> None:
    ab, bc, ca, ba = (Atom("nextto", (first, second)) for first, second in ("ab", "bc", "ca", "ba"))
    assert find_impossibility([ab, bc, ba], lambda atom: False) == ((), "")
    assert find_impossibility([ab, bc, ca], lambda atom: False) == ((bc, ab, ca), RING)
    assert find_impossibility([ab, bc, ca], lambda atom: atom == ca) == ((ab, ca, bc), RING)
    assert find_impossibility([ab, bc, ca], lambda atom: atom.predicate == "nextto") == ((), "")
    assert find_impossibility([ab, bc, ca], lambda atom: atom == Atom("sliceable", ("b",))) == (
        (),
        "",
    )


def test_nothing_is_put_next_to_a_thing_and_under_it() -> None:
    """As the shoes of cleaning_sneakers, two next to a table and two under it."""
    beside, below = Atom("nextto", ("a", "b")), Atom("under", ("a", "b"))
    assert find_impossibility([beside, below], lambda atom: False) == ((beside, below), RING)
    assert find_impossibility([below, below], lambda atom: False) == ((), "")
    assert find_impossibility(
        [beside, below], lambda atom: atom.predicate in ("nextto", "under")
    ) == (
        (),
        "",
    )


def judge(*conditions: str, facts: tuple[Atom, ...] = ()) -> Verdict:
    over = universe(PROBLEM)
    scene = Scene(over, frozenset(facts))
    goal = BDDLGoal(tuple(map(parse_condition, conditions)), over, lambda state: scene)
    return goal.judge(Trace((State({}, {}, {}),)))


EVERY = "forall (?a - apple.n.01) (exists (?b - apple.n.01)"


@pytest.mark.parametrize(
    ("condition", "reasons"),
    [
        (f"({EVERY} (ontop ?a ?b)))", (ITSELF, CIRCLE)),
        ("(exists (?a - apple.n.01) (inside ?a ?a))", (ITSELF,)),
        ("(exists (?a - pear) (dusty ?a))", (NOTHING,)),
        ("(forn (4) (?a - apple.n.01) (dusty ?a))", (NOTHING,)),
        ("(fornpairs (3) (?a - apple.n.01) (?b - hot_pot.n.01) (inside ?a ?b))", (NOTHING,)),
        ("(and (dusty ?lamp.n.02_1) (not (dusty ?lamp.n.02_1)))", (CONTRADICTION,)),
        (
            "(forall (?b - hot_pot.n.01) (ontop ?lamp.n.02_1 ?b))",
            (ONE_PLACE,),
        ),
    ],
)
def test_a_condition_that_nothing_can_fulfil_is_said_to_be_so(
    condition: str, reasons: tuple[str, ...]
) -> None:
    verdict = judge(condition, "(dusty ?lamp.n.02_1)")
    assert f" (nothing can make this so, as {', and '.join(reasons)}); " in verdict.explanation
    assert "lacks" not in verdict.explanation  # the other condition says it
    alone = judge(condition)
    assert "The condition is unmet. Wanted: " in alone.explanation


def test_the_nearest_way_is_one_that_can_be_had() -> None:
    verdict = judge(f"({EVERY} (nextto ?a ?b)))")
    assert "apple 1 is next to apple 2; apple 2 is next to apple 1;" in verdict.explanation
    assert "cannot" not in verdict.explanation
    assert "nothing" not in verdict.explanation


def test_what_is_counted_apart_is_not_put_in_two_places() -> None:
    """As the bows of putting_up_Christmas_decorations_inside, on two pieces of furniture."""
    counted = [f"(forn ({n}) (?a - apple.n.01) (ontop ?a ?hot_pot.n.01_{n}))" for n in (1, 2)]
    text = judge(*counted).explanation.partition("lacks: ")[2]
    things = [place.split(" is ")[0] for place in text.split("; ")]
    assert sorted(things) == ["apple 1", "apple 2", "apple 3"]


def test_conditions_that_exclude_each_other() -> None:
    verdict = judge("(ontop ?lamp.n.02_1 ?hot_pot.n.01_1)", "(ontop ?lamp.n.02_1 ?hot_pot.n.01_2)")
    assert f"The conditions cannot hold all together, as {ONE_PLACE}." in verdict.explanation
    held = (Atom("ontop", ("lamp.n.02_1", "hot_pot.n.01_1")),)
    verdict = judge("(ontop ?lamp.n.02_1 ?hot_pot.n.01_1)", "(dusty ?lamp.n.02_1)", facts=held)
    assert verdict.explanation == "1 of 2 conditions is unmet. Wanted: lamp 1 is dusty."
    assert verdict.progress == 0.5
