"""Goals in BDDL are judged by their options: pairs are one to one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from homebody.core import Object, State, Trace
from homebody.goals.bddl import BDDLGoal, best_option, evaluate, ground, options, parse_problem

TEXT = """
(define (problem pairs)
    (:domain igibson)
    (:objects a_1 a_2 a_3 - a  b_1 b_2 b_3 - b)
    (:init)
    (:goal (and ({quantifier} (?a - a) (?b - b) (nextto ?a ?b)))))
"""
A, B = ("a_1", "a_2", "a_3"), ("b_1", "b_2", "b_3")


def state(grid: list[list[bool]]) -> State:
    facts = [
        ("nextto", A[row], B[column])
        for row, cells in enumerate(grid)
        for column, cell in enumerate(cells)
        if cell
    ]
    return State.from_facts([Object(name, name[0]) for name in (*A, *B)], facts)


def goal(quantifier: str) -> BDDLGoal:
    return BDDLGoal.of(parse_problem(TEXT.format(quantifier=quantifier)), lambda one: one)


def test_a_shared_partner_is_no_pair() -> None:
    shared = state([[True, True, True], [True, False, False], [True, False, False]])
    pairs = goal("forpairs")
    assert evaluate(pairs.conditions[0], shared, pairs.over)  # as bddl has it
    assert not evaluate(pairs.conditions[0], shared, pairs.over, paired=True)
    verdict = pairs.judge(Trace((shared,)))
    assert not verdict.success
    assert verdict.progress == 2 / 3
    assert goal("fornpairs (2)").judge(Trace((shared,))).success


@given(
    st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=3, max_size=3),
    st.sampled_from(["forpairs", "fornpairs (1)", "fornpairs (2)", "fornpairs (3)"]),
)
def test_a_goal_is_reached_if_and_only_if_an_option_is_fulfilled(
    grid: list[list[bool]], quantifier: str
) -> None:
    now, asked = state(grid), goal(quantifier)
    tree = ground(asked.conditions[0], asked.over)
    some = any(
        all(now.holds(one.predicate, one.args) for one in option)  # type: ignore[union-attr]
        for option in options(tree)
    )
    verdict = asked.judge(Trace((now,)))
    assert verdict.success == some == (verdict.progress == 1)
    best = best_option(tree, lambda atom: now.holds(atom.predicate, atom.args))
    assert (best.share == 1) == some
