"""What is shown of a session in a house: the plan, and what each role sees."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.replay import replay
from homebody.core.play.transcript import decode
from homebody.suites import get_suite
from homebody.worlds.house.play import looking
from homebody.worlds.house.play.looking import PLAN, VIEW, look


def apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """How far pictures are from each other, on average."""
    return float(np.abs(one.astype(float) - other).mean())


@pytest.mark.slow
def test_the_plan_and_what_is_seen_change_and_nothing_else_does() -> None:
    pytest.importorskip("embreex")
    suite = get_suite("house.bring")
    task = suite.tasks.load(CORRECTED)[0]
    assert suite.playing is not None
    entries = decode(suite.answer("expert", task)).entries
    session = suite.playing.start(task, {}, 0, CORRECTED)
    before = look(session)
    assert list(before.pictures) == ["what agent sees"]
    assert before.plan is not None
    plan, seen = before.plan(), before.pictures["what agent sees"]()
    assert plan.shape[0] <= PLAN[0]
    assert plan.shape[1] <= PLAN[1]
    assert seen.shape == (VIEW, VIEW, 3)
    again = look(session).plan
    assert again is not None
    assert apart(plan, again()) < 2  # light settles
    replay(session, entries)
    after = look(session)
    assert apart(seen, after.pictures["what agent sees"]()) > 10
    alone = replay(suite.playing.start(task, {}, 0, CORRECTED), entries)
    assert alone.score().record == session.score().record


@pytest.mark.slow
def test_sessions_in_a_house_share_what_draws_it() -> None:
    pytest.importorskip("embreex")
    suite = get_suite("house.bring")
    assert suite.playing is not None
    looking._renderers.clear()
    tasks = suite.tasks.load(CORRECTED)
    pictures = []
    for number in (0, 0, -1, 1, 0):
        session = suite.playing.start(tasks[number], {}, 0, CORRECTED)
        pictures.append(look(session).pictures["what agent sees"]())
        assert len(looking._renderers) <= looking.KEPT
    assert np.array_equal(pictures[0], pictures[1])
    assert np.array_equal(pictures[0], pictures[4])
    assert apart(pictures[0], pictures[2]) > 10


def test_who_cannot_draw_is_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise HomebodyError("casting rays needs embreex")

    monkeypatch.setattr("homebody.worlds.house.rendering.rays.require_rays", missing)
    suite = get_suite("house.bring")
    assert suite.playing is not None
    session = suite.playing.start(suite.tasks.load(CORRECTED)[0], {}, 0, CORRECTED)
    assert look(session).pictures == {}
    assert look(object()).pictures == {}
