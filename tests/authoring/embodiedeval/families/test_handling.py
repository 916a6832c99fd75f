"""Families of object interaction: drafts are well formed and can be done, and not by doing
nothing."""

from __future__ import annotations

import numpy as np
import pytest

from authoring.embodiedeval.families.tried import flat, made
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.conditions import _cases, _inside
from homebody.authoring.embodiedeval.families.options import DRAWERS
from homebody.core import CORRECTED
from homebody.suites.embodiedeval.session import start
from suites.embodiedeval.small_tasks import survey as home

RARE = {
    "gather",
    "sort_out",
    "unlock",
    "lights_out",
    "pour",
    "wipe",
    "tool_use",
    "swap",
    "if_it_is_on",
}
"""Families for which few houses have what they need."""


@pytest.mark.sampled
@pytest.mark.parametrize("family", list(FAMILIES["object_interaction"]))
def test_one_of_each_can_be_done_and_takes_steps(family: str) -> None:
    tasks = [t for each in (home, flat) if (t := made(each(), "object_interaction", family))]
    assert tasks or family in RARE, "neither scene has one"
    for task in tasks:
        session = start(task, {}, 0, CORRECTED)
        assert not session.score().metrics["success"]
        needed = [option.text for option in task.options if option.text in task.plan]
        assert needed
        assert len(task.options) > len(needed)
        assert not task.answers


def test_what_is_to_be_taken_hangs_on_what_is_inside() -> None:
    survey = home()
    full = {piece.name: bool(_inside(survey, piece)) for piece in _cases(survey, _rng())}
    for draft in FAMILIES["object_interaction"]["if_something_is_in_it"](survey, _rng()):
        opened = draft.does[0][0].objects[0]
        state = f"is {opened} open {'yes' if full[opened] else 'no'}"
        assert any(each.endswith(state) for each in draft.predicates)


@pytest.mark.parametrize("family", ["open", "close"])
def test_nobody_is_asked_to_open_a_table(family: str) -> None:
    drafts = list(FAMILIES["object_interaction"][family](home(), _rng()))
    assert drafts
    for draft in drafts:
        for option in draft.options:
            kinds = {name.rpartition("_")[0] for name in option.objects}
            assert option.verb not in ("open", "close") or kinds.isdisjoint(DRAWERS)


@pytest.mark.parametrize("family", ["put_on", "swap"])
def test_nothing_is_put_where_it_is(family: str) -> None:
    survey = home()
    for draft in FAMILIES["object_interaction"][family](survey, _rng()):
        for option in draft.options:
            if option.verb == "put_on":
                assert survey.state.places[option.objects[0]][0] != option.objects[1]


def test_two_slippers_are_not_called_it() -> None:
    for draft in FAMILIES["object_interaction"]["pick_up"](flat(), np.random.default_rng(0)):
        assert " it" not in draft.instruction


def test_what_is_inside_is_seen_once_it_is_open() -> None:
    survey = home()
    full = {piece.name: _inside(survey, piece) for piece in _cases(survey, _rng())}
    assert any(names and survey.shows_inside(piece, names) for piece, names in full.items())
    for draft in FAMILIES["object_interaction"]["if_something_is_in_it"](survey, _rng()):
        own = draft.does[0][0].objects[0]
        assert not full[own] or survey.shows_inside(own, full[own])


def _rng() -> np.random.Generator:
    return np.random.default_rng(0)
