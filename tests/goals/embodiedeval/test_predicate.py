"""How predicates are written, as the published task files do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import HomebodyError
from homebody.goals.embodiedeval import Predicate, read_predicate


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("agent_at 12", "agent_at", ("12",)),
        ("agent_at 12 doorway", "agent_at", ("12",)),
        ('choose answer "Yes, in the fridge."', "choose", ("Yes, in the fridge.",)),
        ("choose in the fridge", "choose", ("in the fridge",)),
        ("special_action_success pick up the mug", "special_action_success", ("pick up the mug",)),
        ("not_at 3 4", "not_at", ("3", "4")),
        ("is lamp_0 powered_on yes", "is", ("lamp_0", "powered_on", "yes")),
    ],
)
def test_predicates_are_read(text: str, name: str, arguments: tuple[str, ...]) -> None:
    assert read_predicate(text) == Predicate(name, arguments)


@pytest.mark.parametrize(
    "text",
    ["", "agent_at", "near 1", "closer 1 2 3", "fly 1", "choose", "is a open maybe", "x" * 2000],
)
def test_what_is_no_predicate_is_refused(text: str) -> None:
    with pytest.raises(HomebodyError):
        read_predicate(text)


def test_again_is_read_and_written() -> None:
    predicate = read_predicate("again is stove_0 open no")
    assert predicate == Predicate("is", ("stove_0", "open", "no"), again=True)
    assert str(predicate) == "again is stove_0 open no"


@pytest.mark.parametrize("text", ["again", "again ", "again again grab a"])
def test_again_needs_a_predicate(text: str) -> None:
    with pytest.raises(HomebodyError):
        read_predicate(text)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        predicate = read_predicate(text)
    except HomebodyError:
        return
    assert read_predicate(str(predicate)) == predicate
