"""The goal of a task."""

from goals.bddl.packing import PROBLEM, Scene, judge
from homebody.goals.bddl import (
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
    assert "3 of 3 conditions do not hold" in verdict.explanation
    assert "inside hot pot 2" in verdict.explanation
    assert "lamp 1 is switched on" in verdict.explanation
    assert "hot pot 2 is not open" in verdict.explanation


def test_categories_without_objects() -> None:
    condition = parse_condition("(forall (?x - pear) (exists (?y - apple.n.01) (r ?x ?y)))")
    assert empty_categories(condition, universe(PROBLEM)) == ("pear",)
    assert evaluate(condition, Scene(universe(PROBLEM), frozenset()), universe(PROBLEM))
