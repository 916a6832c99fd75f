"""Any session of any suite can be cloned and pickled, and goes on exactly as it would have."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED, Session
from homebody.core.play.replay import replay
from homebody.suites import get_suite
from suites.played import PLAYED

pytestmark = pytest.mark.usefixtures("eai_data")

COPIES = {
    "clone": lambda session: session.clone(),
    "pickle": lambda session: pickle.loads(pickle.dumps(session)),
}


@cache
def task(name: str) -> Any:
    tasks = get_suite(name).tasks.load(CORRECTED)
    return tasks[len(tasks) // 3]


def start(name: str) -> Session:
    playing = get_suite(name).playing
    assert playing is not None
    return playing.start(task(name), {}, 0, CORRECTED)


def some(session: Session, rng: np.random.Generator, steps: int) -> Session:
    """Mostly what looks possible, at random."""
    for _ in range(steps):
        ready = session.ready()
        if ready and rng.random() < 0.6:
            role = ready[int(rng.integers(len(ready)))]
            options = session.observe(role).options
            session.act(role, options[int(rng.integers(len(options) - 1))])
        else:
            session.advance()
    return session


def seen(session: Session) -> list[object]:
    """How it stands, and what everybody knows."""
    return [
        session.now,
        session.ending,
        session.ready(),
        session.progress(),
        session.transcript().encode(),
        dict(session.score(CORRECTED).record),
        [(one.text, one.news, list(one.options)) for one in map(session.observe, session.roles)],
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize("name", PLAYED)
def test_a_copy_goes_on_as_the_first_would(name: str, copied: Callable[[Session], Session]) -> None:
    session = some(start(name), np.random.default_rng(1), 25)
    copy = copied(session)
    before = seen(session)
    assert seen(copy) == before
    some(copy, np.random.default_rng(2), 12)
    assert seen(session) == before  # it has a state of its own
    some(session, np.random.default_rng(2), 12)
    assert seen(session) == seen(copy)
    again = replay(start(name), copy.transcript().entries, copy.now)
    assert seen(again) == seen(copy)
