"""The language of subgoals: any words are a formula or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.formula import And, Atom, Exists
from homebody.suites.eai.behavior.subgoal_syntax import (
    MAX_ATOMS_OF_ALL,
    MAX_DEPTH,
    Category,
    Grounder,
    SubgoalError,
    parse,
)

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


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("(", ")"),
        ("not ", ""),
        ("open(jar.0) implies ", ""),
        ("(open(jar.0) and ", ")"),
        ("open(jar.0) implies (open(jar.0) or ", ")"),
        ("forall x. (", ")"),
        ("exists(jar_n_01, ", ")"),
    ],
)
def test_nesting_is_bounded(opening: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return opening * depth + "open(jar.0)" + closing * depth

    categories = {"jar_n_01": Category("jar.n.01", 2)}
    assert parse(nested(MAX_DEPTH // 2), categories)
    for depth in (MAX_DEPTH + 1, 300, 1_000, 5_000):
        with pytest.raises(SubgoalError, match=f"more than {MAX_DEPTH} levels deep"):
            parse(nested(depth), categories)


def test_what_is_looked_at_to_spell_quantifiers_out_is_bounded_for_all_formulas_together() -> None:
    things = {f"jar_{at}": "jar.n.01" for at in range(100)}
    grounder = Grounder(things)
    spelt_out = 0
    for at in range(200):
        both = And((Atom(f"open{at}", ("?x",)), Atom("inside", ("?x", "?y"))))
        formula = Exists("?x", Exists("?y", both))  # 20,000 atoms
        spelt_out += grounder.ground(formula) != formula
        assert grounder.ground(formula) is grounder.ground(formula)
    assert spelt_out == MAX_ATOMS_OF_ALL // 20_000
