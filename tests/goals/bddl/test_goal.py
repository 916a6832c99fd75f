"""The goal of a task."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goals.bddl.packing import PROBLEM, Scene, judge
from homebody.core import Fact, Object, State, Trace
from homebody.goals.bddl import (
    BDDLGoal,
    empty_categories,
    evaluate,
    parse_condition,
    universe,
)


def test_success() -> None:
    verdict = judge(
        "inside apple.n.01_3 hot_pot.n.01_1",
        "inside apple.n.01_1 hot_pot.n.01_2",
        "toggled_on lamp.n.02_1",
    )
    assert verdict.success
    assert verdict.progress == 1
    assert [(part.kind, part.satisfied) for part in verdict.parts] == [
        ("relation", True),
        ("state", True),
        ("state", True),
    ]


def test_progress_is_the_best_option() -> None:
    verdict = judge("inside apple.n.01_3 hot_pot.n.01_1", "open hot_pot.n.01_2")
    assert not verdict.success
    assert verdict.progress == 2 / 5  # apple 3 inside, pot 1 not open
    assert "2 pairs" not in verdict.explanation
    assert "3 of 3 conditions are unmet" in verdict.explanation
    assert "inside hot pot 2" in verdict.explanation
    assert "lamp 1 is switched on" in verdict.explanation
    assert "hot pot 2 is not open" in verdict.explanation


OBJECTS = [Object(name, kind) for name, kind in PROBLEM.objects.items()]
FACTS: list[Fact] = [
    *(
        ("inside", apple.name, pot.name)
        for apple in OBJECTS
        for pot in OBJECTS
        if apple.category == "apple.n.01" and pot.category == "hot_pot.n.01"
    ),
    ("open", "hot_pot.n.01_1"),
    ("open", "hot_pot.n.01_2"),
    ("toggled_on", "lamp.n.02_1"),
]


@pytest.mark.slow
@given(st.lists(st.sets(st.sampled_from(FACTS)), max_size=8))
def test_progress_that_is_remembered_is_that_of_the_verdict(scenes: list[set[Fact]]) -> None:
    goal = BDDLGoal.of(PROBLEM, lambda state: state)
    for facts in [*scenes, *scenes]:
        trace = Trace((State.from_facts(OBJECTS, facts),))
        assert goal.progress(trace) == goal.judge(trace).progress


def test_categories_without_objects() -> None:
    condition = parse_condition("(forall (?x - pear) (exists (?y - apple.n.01) (r ?x ?y)))")
    assert empty_categories(condition, universe(PROBLEM)) == ("pear",)
    assert evaluate(condition, Scene(universe(PROBLEM), frozenset()), universe(PROBLEM))
