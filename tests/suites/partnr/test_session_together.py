"""Two bodies in the houses of episodes: never in one place, and each looks for itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest

from homebody.core import CORRECTED, Action, Event, Policy
from homebody.core.play.rounds import play
from homebody.suites.partnr.session import Limits, PartnrSession
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.suite import PLAYING, make_suite
from homebody.suites.partnr.tasks import PartnrTask
from homebody.worlds.house.simulation.relations import room_of
from thorough import part_of

TOUCHING = 1e-6
STEPS = 1_500
"""How long a short run is: 50 s."""


@cache
def tasks() -> Sequence[PartnrTask]:
    return make_suite("val").tasks.load(CORRECTED)


@cache
def houses() -> Sequence[PartnrTask]:
    """A task in each house."""
    return list({task.episode.scene: task for task in tasks()}.values())


def look_at_each_step(session: PartnrSession, look: Callable[[], None]) -> None:
    """Have the clock go on by single steps, however far it is told to, with a look at each."""
    simulation = session.simulation
    advance = simulation.advance

    def step_by_step(until: int | None = None) -> list[Event]:
        results: list[Event] = []
        while not results and simulation.next_event is not None:
            if until is not None and simulation.clock >= until:
                break
            results = advance(simulation.clock + 1)
            look()
        return results

    simulation.advance = step_by_step  # type: ignore[method-assign]
    look()


def stay_apart(session: PartnrSession) -> None:
    """Fail as soon as the bodies of two overlap."""
    simulation = session.simulation
    one, two = simulation.state.bodies.values()
    keeps = (one.size[0] + two.size[0]) / 2 - TOUCHING

    def look() -> None:
        (a, b, _), (c, d, _) = one.pose.position, two.pose.position
        assert abs(a - c) >= keeps or abs(b - d) >= keeps, f"{session.task.id}: {session.clock}"

    look_at_each_step(session, look)


def crowd(session: PartnrSession, rng: np.random.Generator) -> Policy:
    """A policy that always wants something in the same room as all others of its kind."""
    house = session.simulation.state.house
    room = house.rooms[session.task.seed % len(house.rooms)].name
    near = [piece.name for piece in house.furniture if piece.room == room]
    near += [door.name for door in house.door.values() if room in door.rooms]

    def act(session: PartnrSession, role: str) -> Action:
        skill = ("Navigate", "Navigate", "Explore", "Open", "Close", "Wait")[int(rng.integers(6))]
        if skill in ("Explore", "Wait"):
            return Action(skill, (room,) if skill == "Explore" else ())
        return Action(skill, (near[int(rng.integers(len(near)))],))

    return act


def run(seed: int) -> PartnrSession:
    """A short run of two who know the task, do anything that is possible, or crowd a room."""
    task = tasks()[seed * 7 % len(tasks())]
    rng = np.random.default_rng(seed)
    settings = Settings(
        observability=("full", "partial")[seed % 2],
        skills=("oracle", "failing", "learned")[seed // 2 % 3],
    )
    session = PartnrSession(PartnrTask(task.episode, settings, seed), limits=Limits(steps=STEPS))
    stay_apart(session)
    makers = (PLAYING.policies["expert"], PLAYING.policies["random"], crowd)
    play(session, {role: makers[int(rng.integers(3))](session, rng) for role in session.roles})
    return session


@pytest.mark.parametrize("seed", range(4))
def test_bodies_never_overlap(seed: int) -> None:
    for number in range(3):
        assert run(3 * seed + number).clock > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(100), 10))
def test_bodies_never_overlap_for_long(seed: int) -> None:
    for number in range(30):
        run(1_000 + 30 * seed + number)


@pytest.mark.sampled
@pytest.mark.parametrize("observability", ["partial", "full"])
@pytest.mark.parametrize("turned", [False, True])
def test_who_has_looked_around_in_a_room_is_there(observability: str, turned: bool) -> None:
    """Both explore all rooms of each house in the same order, and are in each other's way."""
    for task in part_of(houses()):
        session = PartnrSession(PartnrTask(task.episode, Settings(observability=observability)))
        simulation = session.simulation
        rooms = [room.name for room in simulation.state.house.rooms][:: -1 if turned else 1]
        left = {role: [Action("Explore", (room,)) for room in rooms] for role in session.roles}
        looked: dict[str, list[str]] = {role: [] for role in session.roles}
        while any(left.values()) or simulation.next_event is not None:
            for role in session.roles:
                if simulation.busy(role) is None and left[role]:
                    assert simulation.act(role, left[role].pop(0)) is None
            for event in simulation.advance():
                assert event.ok, event
                looked[event.role].append(room_of(simulation.state, event.role))
                assert event.action.args[0] == looked[event.role][-1], event
        assert all(seen == rooms for seen in looked.values())
