"""Tasks of both worlds, and ways to play them, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from hypothesis import strategies as st

from homebody.core import CORRECTED, Action, Event, Protocol
from homebody.core.play.transcript import read_call
from homebody.suites import get_suite
from homebody.suites.eai.behavior.scene import BehaviorScene
from homebody.suites.eai.interactive.session import EaiSession, start
from homebody.suites.eai.virtualhome.scene import VirtualHomeScene

AnyScene = VirtualHomeScene | BehaviorScene
WORLDS = ("virtualhome", "behavior")
ROOM = {"observability": "room"}


@cache
def scenes(world: str, protocol: Protocol = CORRECTED) -> Sequence[AnyScene]:
    """All tasks of a world."""
    return get_suite(f"eai.{world}.interactive").tasks.load(protocol)


def tasks(world: str, protocol: Protocol = CORRECTED) -> st.SearchStrategy[AnyScene]:
    """Any task of a world; named by its place."""
    every = scenes(world, protocol)
    return st.integers(0, len(every) - 1).map(every.__getitem__)


def scene(world: str, identifier: str, protocol: Protocol = CORRECTED) -> AnyScene:
    """One task, by its id or name."""
    return next(
        found
        for found in scenes(world, protocol)
        if identifier in (found.annotated_task.id, found.annotated_task.task.name)
    )


def do(session: EaiSession, *calls: str) -> Event:
    """Do some actions; what came of the last."""
    for call in calls:
        action = read_call(call)
        assert action is not None, call
        event = session.act("agent", action)
    return event


def begin(world: str, identifier: str, *, room: bool = False) -> EaiSession:
    """A session of a task."""
    return start(scene(world, identifier), ROOM if room else {}, 0)


def any_action(session: EaiSession, rng: np.random.Generator) -> Action:
    """Something possible, the next step of the annotated plan, or any action on any things."""
    way = rng.random()
    plan = session.scene.annotated_task.task.reference
    if way < 0.5 and len(session.actions) < len(plan):
        return plan[len(session.actions)]
    if way < 0.75:
        options = session.options("agent")[:-1]
        return options[int(rng.integers(len(options)))]
    schemas = list(session.scene.world.schemas.values())
    schema = schemas[int(rng.integers(len(schemas)))]
    told = sorted(session.scene.task_objects)
    return Action(schema.name, tuple(told[i] for i in rng.integers(len(told), size=schema.arity)))


def play_any(session: EaiSession, seed: int, steps: int) -> EaiSession:
    """Play some steps of :func:`any_action`."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if session.ending is None:
            session.act("agent", any_action(session, rng))
    return session
