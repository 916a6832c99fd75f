"""Families of navigation: drafts are well formed and can be done, and not by doing nothing."""

from __future__ import annotations

import numpy as np
import pytest

from authoring.embodiedeval.families.tried import flat, made
from homebody.authoring.embodiedeval.alike import NO_FURNITURE, is_same_use
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.routes import gates
from homebody.authoring.embodiedeval.make import make_task
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core import CORRECTED
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.tasks import Scene
from suites.embodiedeval.small_tasks import survey as home


@pytest.mark.sampled
@pytest.mark.parametrize("family", list(FAMILIES["navigation"]))
def test_one_of_each_can_be_done_and_takes_steps(family: str) -> None:
    tasks = [task for each in (home, flat) if (task := made(each(), "navigation", family))]
    assert tasks or family in ("outlook", "doorway"), "neither scene has one"
    for task in tasks:
        session = start(task, {}, 0, CORRECTED)
        assert not session.score().metrics["success"]
        assert len(task.plan) >= 3


def test_who_enters_a_room_comes_to_its_gate() -> None:
    survey = home()
    rooms = survey.point_rooms
    for room, gate in gates(survey).items():
        for point, own in enumerate(rooms):
            if own != room:
                near = [other for other in survey.graph.neighbours(point) if rooms[other] == room]
                assert set(near) <= {gate}


@pytest.mark.parametrize("family", ["via", "two_rooms", "far_end", "go_in_room", "round_trip"])
def test_who_must_enter_a_room_starts_outside(family: str) -> None:
    survey = flat()
    drafts = list(FAMILIES["navigation"][family](survey, np.random.default_rng(0)))
    called = {survey.room_description(room.name): room.name for room in survey.house.rooms}
    assert drafts or family == "far_end"
    for draft in drafts:
        goal = draft.goes[0]
        entered = survey.point_rooms[int(goal[1:])] if goal[1:].isdigit() else ""
        own = {room for words, room in called.items() if words and words in draft.instruction}
        own = {entered} if entered else own
        assert draft.starts
        assert own.isdisjoint(survey.point_rooms[point] for point in draft.starts), draft


@pytest.mark.slow
def test_a_room_with_an_entrance_has_two_doors() -> None:
    survey = Survey(Scene("hotel", 30_103))
    assert survey.room_description("hotel_lobby_0") == "the hotel lobby"
    for draft in FAMILIES["navigation"]["far_end"](survey, np.random.default_rng(0)):
        assert "hotel lobby" not in draft.instruction


def test_no_book_leads_to_furniture() -> None:
    for survey in (home(), flat()):
        for draft in FAMILIES["navigation"]["by_what_lies_there"](survey, np.random.default_rng(0)):
            assert not any(word in draft.instruction for word in ("book", "album", "folder"))


def test_plants_and_bins_are_no_furniture() -> None:
    for survey in (home(), flat()):
        kinds = {piece.name: piece.category for piece in survey.house.furniture}
        assert NO_FURNITURE & {*kinds.values()}
        for category, family in (
            ("spatial_qa", "perspective"),
            ("spatial_qa", "facing"),
            ("spatial_qa", "order"),
            ("navigation", "superlative"),
            ("navigation", "by_what_lies_there"),
        ):
            for draft in FAMILIES[category][family](survey, np.random.default_rng(0)):
                meant = draft.goes[0] if draft.goes else draft.looks[-1]
                assert kinds[meant] not in NO_FURNITURE, draft
                assert not {"potted plant", "trash bin"} & {*draft.wrong}


def test_what_is_sought_by_its_use_is_the_only_one_for_it() -> None:
    for survey in (home(), flat()):
        uses = [survey.kind(each.name).function for each in survey.wholes]
        for draft in FAMILIES["navigation"]["by_function"](survey, np.random.default_rng(0)):
            own = survey.kind(draft.goes[0]).function
            assert sum(use == own or is_same_use(own, use) for use in uses) == 1, draft


def test_directions_lead_to_where_they_say() -> None:
    survey, rng = home(), np.random.default_rng(2)
    for draft in FAMILIES["navigation"]["step_by_step"](survey, rng):
        task = make_task(survey, "navigation", "step_by_step", draft, "t", rng)
        assert task is not None
        said = draft.instruction.lower().count("turn")
        turns = [step for step in task.plan if step.startswith("turn")]
        assert 1 <= said <= len(turns)
