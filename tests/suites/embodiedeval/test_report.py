"""What reports show of a run."""

from __future__ import annotations

import numpy as np

from homebody.core import CORRECTED
from homebody.core.play.rounds import play
from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.report import snapshot
from homebody.suites.embodiedeval.session import start
from suites.embodiedeval.small_tasks import task_of


def test_a_snapshot_has_pictures_options_and_predicates() -> None:
    task = task_of("navigation", "go_to")
    session = start(task, {"picture": "224"}, 0, CORRECTED)
    before = snapshot(session)
    (draw,) = before.pictures.values()
    assert draw().shape == (224, 224, 3)
    assert before.options["TurnLeft[]"] == "turn left"
    assert [text for text, _ in before.conditions] == list(task.predicates)
    assert not all(met for _, met in before.conditions)
    assert before.news == ""
    play(session, {AGENT: agents.oracle(session, np.random.default_rng(0))})
    after = snapshot(session)
    assert all(met for _, met in after.conditions)
    assert after.news == "success"
    assert after.options == {}


def test_who_was_shown_no_pictures_has_none_in_reports() -> None:
    session = start(task_of("navigation", "go_to"), {"picture": "none"}, 0, CORRECTED)
    assert snapshot(session).pictures == {}
