"""Options are the actions that can be carried out, as far as is known."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import DONE, Action
from homebody.core.play.replay import replay
from homebody.suites.eai.interactive import session_text as words
from homebody.suites.eai.interactive.session import start
from suites.eai.interactive.played import ROOM, WORLDS, play_any, tasks

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 15))
def test_options_are_what_the_world_does(
    world: str, data: st.DataObject, seed: int, steps: int
) -> None:
    """Where everything is known: of all actions on two different things that are told of."""
    session = play_any(start(data.draw(tasks(world)), {}, 0), seed, steps)
    scene = session.scene
    things = [
        n
        for n in words.mentioned_names(scene, session.knowledge("agent"))
        if n != scene.world.agent
    ]
    things = things[:12]  # pairs of many are too many to try
    offered = [a for a in session.options("agent") if set(a.args) <= set(things) and a != DONE]
    possible = [
        Action(name, args)
        for name, schema in scene.world.schemas.items()
        for args in product(things, repeat=schema.arity)
        if len(set(args)) == len(args)
        if scene.world.step(session.state, Action(name, args), session.history).failure is None
    ]
    assert offered == possible


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 15))
def test_options_are_about_what_is_known(
    world: str, data: st.DataObject, seed: int, steps: int
) -> None:
    session = play_any(start(data.draw(tasks(world)), ROOM, 0), seed, steps)
    *options, last = session.options("agent")
    known = session.knowledge("agent")
    assert last == DONE
    assert all(name in known for action in options for name in action.args)
    assert len(options) == len(set(options))


@pytest.mark.parametrize("world", WORLDS)
@settings(max_examples=10)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 15))
def test_options_are_looked_for_again_when_something_was_done(
    world: str, data: st.DataObject, seed: int, steps: int
) -> None:
    """And not before: they are those of a session in which nobody has asked for them."""
    task = data.draw(tasks(world))
    session = play_any(start(task, ROOM, 0), seed, steps)
    if session.ending is None:
        before = session.options("agent")
        session.act("agent", Action("FLY"))
        assert session.options("agent") is before
    again = replay(start(task, ROOM, 0), session.entries)
    assert again.options("agent") == session.options("agent")
