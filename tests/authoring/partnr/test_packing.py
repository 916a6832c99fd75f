"""What follows by rule from propositions, their order, and constraints on arguments."""

from __future__ import annotations

from homebody.authoring.partnr.packing import complete
from homebody.goals.partnr import (
    Dependency,
    Proposition,
    SameArgConstraint,
    TerminalSatisfactionConstraint,
)


def test_earlier_steps_need_not_last() -> None:
    cup = ("cup_0",)
    first = Proposition("is_on_top", (cup, ("sofa_0",)))
    near = Proposition("is_next_to", (cup, ("bowl_0",)))
    last = Proposition("is_inside", (cup, ("fridge_0",)))
    dirty = Proposition("is_dirty", (cup,))
    made = complete(
        (first, near, dirty, last, Proposition("is_clean", (cup,))), [[0, 1, 2], [3, 4]]
    )
    assert made.dependencies == (
        Dependency((1,), (0,), "while_satisfied", "any"),
        Dependency((3,), (0, 1), "after_satisfied", "any"),
        Dependency((4,), (2,), "after_satisfied", "any"),
    )
    assert made.constraints[-1] == TerminalSatisfactionConstraint((3, 4))


def test_on_the_floor_of_the_room() -> None:
    room = Proposition("is_in_room", (("cup_0",), ("kitchen_0",)))
    floor = Proposition("is_on_floor", (("cup_0",),))
    made = complete((room, floor))
    assert made.dependencies == (Dependency((1,), (0,), "while_satisfied"),)


def test_constraints_on_arguments_without_a_choice_are_left_out() -> None:
    fixed = [Proposition("is_on_top", ((name,), ("sofa_0",))) for name in ("cup_0", "bowl_0")]
    same = SameArgConstraint((0, 1), ("receptacle_handles", "receptacle_handles"))
    assert complete(fixed, same_or_different=[same]).constraints == (
        TerminalSatisfactionConstraint((0, 1)),
    )
