"""Questions about states: what is asked for is the only one, and pictures show it."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.authoring.embodiedeval.draft import FAMILIES, Draft
from homebody.worlds.house.model.kinds import STATE_OF
from suites.embodiedeval.small_tasks import survey

ASKED = {"stands_open": "openable", "left_on": "powerable"}


def drafts(name: str) -> list[Draft]:
    return list(FAMILIES["attribute_qa"][name](survey(), np.random.default_rng(0)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_one_thing_alone_is_in_the_state_that_is_asked_for(name: str) -> None:
    made = drafts(name)
    assert made
    for draft in made:
        begun = survey().initial_state(draft.states)
        asked = STATE_OF[ASKED[name]]
        able = [each for each in survey().wholes if ASKED[name] in survey().kind(each.name).affords]
        so = [each.name for each in able if begun.is_in_state(each.name, asked)]
        assert so == list(draft.looks)
        assert survey().noun(so[0].rpartition("_")[0]) == draft.right


@pytest.mark.slow
def test_nobody_asks_which_desk_is_open_or_which_fridge_is_on() -> None:
    for name, never in (
        ("stands_open", "console table"),
        ("stands_open", "shower"),
        ("left_on", "fridge"),
    ):
        for draft in drafts(name):
            assert never not in (draft.right, *draft.wrong)


def test_a_state_that_is_not_drawn_is_not_shown() -> None:
    fridge = next(each.name for each in survey().furniture if each.category == "fridge")
    assert survey().shows(fridge, "open")
    assert not survey().shows(fridge, "clean")


@pytest.mark.parametrize("name", ["same_colour", "windows"])
def test_there_are_drafts(name: str) -> None:
    assert drafts(name)
