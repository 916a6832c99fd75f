"""A session that is stopped where time has passed without a step of the clock: found by random
play of val and test, where a replay had one finished action less and others were ready."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core import CORRECTED, WAIT, Action, Session
from homebody.core.play.replay import replay
from homebody.core.play.transcript import decode
from homebody.suites import get_suite
from homebody.suites.partnr.settings import Settings
from suites.partnr.test_session import PartnrSession, mixed


def seen(session: Session) -> list[object]:
    """How it stands, and what everybody knows."""
    return [
        session.now,
        session.ready(),
        [session.busy(role) for role in session.roles],
        session.score(CORRECTED).record,
        [(one.text, one.news, list(one.history)) for one in map(session.observe, session.roles)],
    ]


def test_who_stops_waiting_when_another_arrives_does_so_in_a_replay() -> None:
    session = PartnrSession(mixed(Settings(observability="full")))
    room = session.simulation.state.house.rooms[-1].name
    session.act("robot", WAIT)
    assert session.act("human", Action("Explore", (room,))) is None
    while session.busy("human") is not None:
        session.advance()
    assert session.busy("robot") == WAIT
    session.advance()
    assert session.busy("robot") is None
    assert session.now.pauses == 1
    again = PartnrSession(mixed(Settings(observability="full")))
    assert seen(replay(again, session.entries, session.now)) == seen(session)
    session.act("human", WAIT)
    assert session.entries[-1].pauses == 1
    again = PartnrSession(mixed(Settings(observability="full")))
    entries = decode(session.transcript().encode()).entries
    assert seen(replay(again, entries, session.now)) == seen(session)


@pytest.mark.sampled
@pytest.mark.parametrize("given", [{"skills": "failing"}, {"actions": "low_level"}, {}], ids=str)
def test_random_sessions_are_played_again_to_where_time_stood_still(given: dict[str, str]) -> None:
    """As found: ``partnr.test``, ``skills=failing``, and ``partnr.val``, ``actions=low_level``."""
    playing = get_suite("partnr.val").playing
    assert playing is not None
    tasks = get_suite("partnr.val").tasks.load(CORRECTED)
    task = tasks[len(tasks) // 2]
    found = 0
    for seed in range(100):
        session, rng = playing.start(task, given, 0, CORRECTED), np.random.default_rng(seed)
        for _ in range(25):
            ready = session.ready()
            if ready and rng.random() < 0.7:
                role = ready[int(rng.integers(len(ready)))]
                options = session.observe(role).options
                wait = rng.random() < 0.5
                session.act(role, WAIT if wait else options[int(rng.integers(len(options)))])
            else:
                session.advance()
            if session.now.pauses:
                found += 1
                again = playing.start(task, given, 0, CORRECTED)
                entries = decode(session.transcript().encode()).entries
                assert seen(replay(again, entries, session.now)) == seen(session)
        if found >= 6:
            return
    raise AssertionError("time never stood still")
