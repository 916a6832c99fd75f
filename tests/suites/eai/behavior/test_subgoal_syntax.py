"""The language of subgoals: any words are a formula or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.suites.eai.behavior.subgoal_syntax import Category, SubgoalError, parse

pytestmark = pytest.mark.usefixtures("behavior_data")


WORDS = (
    *("open", "inside", "not", "and", "or", "then", "implies", "forall", "exists", "forn"),
    *("forpairs", "(", ")", ",", ".", "=", "2", "x", "jar_n_01", "jar.0", "(x)", "(jar.0, x)"),
)


@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_any_words_are_a_formula_or_not(text: str) -> None:
    found: object
    try:
        found = parse(text, {"jar_n_01": Category("jar.n.01", 2)})
    except SubgoalError as error:
        found = str(error)
    assert found
