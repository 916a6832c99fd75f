"""Families of navigation: drafts are well formed and can be done, and not by doing nothing."""

from __future__ import annotations

import numpy as np
import pytest

from authoring.embodiedeval.families.tried import flat, made
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.routes import gates, rooms_of_points
from homebody.authoring.embodiedeval.make import make_task
from homebody.core import CORRECTED
from homebody.suites.embodiedeval.session import start
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
    rooms = rooms_of_points(survey)
    for room, gate in gates(survey).items():
        for point, own in enumerate(rooms):
            if own != room:
                near = [other for other in survey.graph.neighbours(point) if rooms[other] == room]
                assert set(near) <= {gate}


def test_directions_lead_to_where_they_say() -> None:
    survey, rng = home(), np.random.default_rng(2)
    for draft in FAMILIES["navigation"]["step_by_step"](survey, rng):
        task = make_task(survey, "navigation", "step_by_step", draft, "t", rng)
        assert task is not None
        said = draft.instruction.lower().count("turn")
        turns = [step for step in task.plan if step.startswith("turn")]
        assert 1 <= said <= len(turns)
