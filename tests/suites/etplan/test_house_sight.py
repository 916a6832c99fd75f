"""What the robot sees is worked out once, and is what a look anew tells."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.core.play.failures import drop_labels
from homebody.core.play.rounds import play
from homebody.suites import get_suite
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.scenes import home

pytest.importorskip("embreex")

from homebody.worlds.house.rendering import visibility


def test_a_session_played_again_takes_no_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is what is remembered otherwise than what is seen, after things were opened and moved."""
    suite = get_suite("etplan.manipulation")
    playing, task = suite.playing, suite.tasks.load(CORRECTED)[3]
    assert playing is not None
    anew, looks = visibility.looking(home(task.house)), []
    see = visibility.Looking.__call__

    def counted(self, state, agent):  # type: ignore[no-untyped-def]
        looks.append(frozenset(see(self, state, agent)))
        assert looks[-1] == frozenset(see(anew, state, agent))
        return looks[-1]

    monkeypatch.setattr(visibility.Looking, "__call__", counted)
    sight.cache_clear()
    session = playing.start(task, {}, 0, CORRECTED)
    players = playing.players(session, {"robot": "explorer"}, None)
    score = play(session, players).score()
    actions = {entry.call.partition("[")[0] for entry in session.transcript().entries}
    assert {"Navigate", "Pick", "Place"} <= actions
    assert len(set(looks)) > 3
    taken = len(looks)
    assert drop_labels(suite.score(task, session.transcript().encode(), CORRECTED)) == score
    assert len(looks) == taken
    sight.cache_clear()
