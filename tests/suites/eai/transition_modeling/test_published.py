"""The published reading and matching of operators."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.suites.eai.transition_modeling import published
from homebody.suites.eai.transition_modeling.published import (
    Tree,
    UnreadableLogic,
    add_question_marks,
    compare,
    maximum_matching,
    parse,
    predicates,
)
from homebody.suites.eai.virtualhome.transition_modeling import reference

pytestmark = pytest.mark.usefixtures("eai_data")


def test_published_trees() -> None:
    assert parse("(and (a ?x) (not (b)) ())") == ("and", "a ?x", ("not", "b"), "()")
    for text in ("(not (a) (b))", "(a (and (b)))", "((a)", "(a))", ""):
        with pytest.raises(UnreadableLogic):
            parse(text)
    with pytest.raises(UnreadableLogic):
        parse("(not " * 500 + "(a)" + ")" * 500)
    assert list(predicates([parse("(when (a ?x) (forall (?o - object) (and (b ?o) ())))")])) == [
        "a",
        "b",
    ]


@given(st.lists(st.lists(st.integers(0, 5), unique=True).map(sorted), max_size=6))
def test_maximum_matching_is_one_and_the_largest(edges: list[list[int]]) -> None:
    found = maximum_matching(edges, 6)
    pairs = [(row, column) for row, column in enumerate(found) if column >= 0]
    assert all(column in edges[row] for row, column in pairs)
    assert len({column for _, column in pairs}) == len(pairs)

    def best(row: int, taken: frozenset[int]) -> int:
        if row == len(edges):
            return 0
        options = [1 + best(row + 1, taken | {c}) for c in edges[row] if c not in taken]
        return max([best(row + 1, taken), *options])

    assert len(pairs) == best(0, frozenset())


def test_published_planner_takes_any_word_for_a_quantified_variable() -> None:
    text = "(and (p box) (forall (box ?o - object) (when (q box ?o) (p box))))"
    marked = "(and (p box) (forall (?box ?o - object) (when (q ?box ?o) (p ?box))))"
    assert add_question_marks(text) == marked
    assert add_question_marks(marked) == marked
    assert add_question_marks("(forall (box) (p") == "(forall (box) (p"


def test_published_comparison_of_a_condition_with_itself() -> None:
    for text in reference().texts.values():
        for condition in (text.precondition, text.effect):
            found = compare(condition, condition)
            assert (list(found.wrong), list(found.missed)) == ([], [])


def test_leaves_are_not_compared_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shorter side is filled up, so that 5,000 parts were compared with 5,000."""
    calls = []
    match = published._Matcher.match

    def counted(self: published._Matcher, left: Tree, right: Tree) -> published.Comparison:
        calls.append(left)
        return match(self, left, right)

    monkeypatch.setattr(published._Matcher, "match", counted)
    many = f"(and {' '.join(f'(a ?x{at})' for at in range(5_000))})"
    found = compare(many, "(and (a ?x7) (a ?x8) (not (b ?x)))")
    assert set(found.matched) == {"a ?x7", "a ?x8"}
    assert len(calls) < 100


@pytest.mark.slow
def test_pairs_that_match_are_bounded() -> None:
    same = f"(and {'(a) ' * 499})"
    assert len(compare(same, same).matched) == 499 * 499
    with pytest.raises(UnreadableLogic, match="too many parts"):
        compare(f"(and {'(a) ' * 600})", f"(and {'(a) ' * 600})")
