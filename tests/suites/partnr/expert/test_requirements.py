"""What is due when: orders, dependencies, and what must not come true yet."""

from __future__ import annotations

from homebody.goals.partnr import (
    Constraint,
    Dependency,
    DifferentArgConstraint,
    Evaluation,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.goals.partnr.constraints import Satisfaction
from homebody.suites.partnr.expert.jobs import can_satisfy
from homebody.suites.partnr.expert.requirements import (
    Requirements,
    has_breakable_order,
    postpone,
    proposition_status,
    reverse_order,
)
from suites.partnr.homes import of

TWO = of("is_on_top", ["cup_0"], ["bed_0"]), of("is_clean", ["plate_0"])
THREE = (*TWO, of("is_in_room", ["book_0"], ["kitchen_0"]))


def requirements(
    *constraints: Constraint, gates: tuple[Dependency, ...] = (), count: int = 3
) -> Requirements:
    return Requirements(Evaluation(THREE[:count], gates, constraints))


def records(
    *done: int, holding: tuple[int, ...] | None = None, count: int = 3
) -> list[Satisfaction]:
    """Propositions that were satisfied, one step after the other, and those that still hold."""
    holds = done if holding is None else holding
    return [
        Satisfaction(done.index(one) if one in done else None, holds=one in holds)
        for one in range(count)
    ]


def due(of_these: Requirements, known: list[Satisfaction]) -> tuple[int, ...]:
    return proposition_status(of_these, known, of_these.waits).due


def test_an_order_is_gone_through_step_by_step() -> None:
    chain = requirements(TemporalConstraint(((0, 1), (1, 2))))
    assert due(chain, records()) == (0,)
    assert due(chain, records(0)) == (1,)
    assert due(chain, records(0, 1)) == (2,)
    assert proposition_status(chain, records(), chain.waits).later == (1, 2)


def test_what_counts_only_after_something_waits_for_it() -> None:
    gated = requirements(gates=(Dependency((2,), (0, 1), "after_satisfied"),))
    assert due(gated, records()) == (0, 1)
    assert due(gated, records(0, 1)) == (2,)
    # it may come true before it counts
    assert proposition_status(gated, records(), gated.waits).later == ()


def test_what_counts_only_before_something_goes_first() -> None:
    gated = requirements(gates=(Dependency((2,), (0,), "before_satisfied"),))
    assert due(gated, records()) == (1, 2)


def test_what_counts_while_something_holds_is_done_with_it() -> None:
    gates = (Dependency((2,), (0,), "while_satisfied"),)
    both = requirements(TemporalConstraint(((1, 0),)), gates=gates)
    assert due(both, records()) == (1,)
    assert due(both, records(1)) == (0, 2)
    now = proposition_status(both, records(1, 0, holding=(1,)), both.waits)
    assert now.due == (2,)
    assert now.kept == (0,)  # it has to hold again, meanwhile


def test_what_must_have_ceased_is_undone() -> None:
    gated = requirements(gates=(Dependency((2,), (0,), "after_unsatisfied"),))
    assert proposition_status(gated, records(0), gated.waits).undone == (0,)
    assert proposition_status(gated, records(0, holding=()), gated.waits).undone == ()


def test_what_has_to_hold_at_the_end_is_kept() -> None:
    ends = requirements(TerminalSatisfactionConstraint((0,)))
    assert proposition_status(ends, records(0, 1, holding=()), ends.waits).kept == (0,)


def test_an_order_can_be_broken_unless_things_would_not_count() -> None:
    order = TemporalConstraint(((0, 1),))
    assert has_breakable_order(requirements(order).evaluation)
    assert reverse_order(requirements(order))[0] == {1}
    gated = requirements(order, gates=(Dependency((1,), (0,), "after_satisfied"),))
    assert not has_breakable_order(gated.evaluation)
    assert reverse_order(gated)[1] == {0}
    assert not has_breakable_order(requirements().evaluation)


def test_what_would_take_the_thing_of_another_waits() -> None:
    cups = ["cup_0", "cup_1"]
    pair = of("is_on_top", cups, ["bed_0"]), of("is_on_top", cups, ["bed_0", "sofa_0"])
    tie = DifferentArgConstraint((0, 1), ("object_handles",) * 2)
    tied = Requirements(Evaluation(pair, (), (tie,)))
    chosen = {
        0: (("is_on_top", ("cup_0", "bed_0")),),
        1: (("is_on_top", ("cup_1", "sofa_0")),),
    }
    assert postpone(tied, chosen, (0, 1), lambda one, atom: can_satisfy(tied, one, atom)) == (1,)
    assert postpone(tied, chosen, (0,), lambda one, atom: can_satisfy(tied, one, atom)) == (0,)
