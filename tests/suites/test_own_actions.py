"""No text that a role receives names an action that the role does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

from homebody.core import CORRECTED, Action, Session
from homebody.core.play.transcript import write_call
from homebody.suites import get_suite, list_suites
from homebody.worlds.house.play.session import HouseBase

CALL = re.compile(r"\b([A-Z][A-Za-z]*)\[")


def suites_with_sessions() -> list[str]:
    names = [name for name in list_suites() if not name.startswith(("toy", "own"))]
    return [name for name in names if get_suite(name).playing is not None]


def tries(session: Session, role: str, generator: np.random.Generator) -> Iterator[Action]:
    """Actions of each kind on unknown, far and other names, and some that look possible."""
    for tool in session.observe(role).tools:
        if tool.name != "Done":
            names = list(tool.parameters.get("required", ()))
            yield Action(tool.name, tuple("on" if n == "relation" else "moon_0" for n in names))
    for name in sorted({each.name for each in session.observe(role).options} - {"Done"}):
        for _ in range(4):
            options = [each for each in session.observe(role).options if each.name == name]
            if options:
                yield options[int(generator.integers(len(options)))]


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("name", suites_with_sessions())
def test_texts_name_only_the_actions_of_their_role(name: str) -> None:
    suite = get_suite(name)
    assert suite.playing is not None
    task = suite.tasks.load(CORRECTED)[0]
    session = suite.playing.start(task, {}, 0, CORRECTED)
    generator = np.random.default_rng(0)
    refused = 0
    for role in session.roles:
        own = {tool.name for tool in session.observe(role).tools}
        if isinstance(session, HouseBase):  # Grab and Put are other names of offered skills
            own |= session.simulation.agents[role].skills
        for action in tries(session.clone(), role, generator):
            while role not in session.ready() and session.ending is None:
                session.advance()
            if session.ending is not None:
                break
            event = session.act(role, action)
            while event is None and session.ending is None:
                events = session.advance()
                event = next((each for each in events if each.role == role), None)
            if event is None:
                break
            refused += not event.ok
            told = event.message.replace(write_call(action), "")
            for text in (told, session.observe(role).text):
                assert set(CALL.findall(text)) <= own, (action, text)
    assert refused
