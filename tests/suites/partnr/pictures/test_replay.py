"""Films of runs: time is stopped for pictures, and nothing else happens because of it."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import pytest

from homebody.core import HomebodyError
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.pictures.replay import MAX_FRAMES, VIEW, Moment, frames, moments
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.tasks import PartnrTask, load
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

EVERY = 15


@cache
def played() -> tuple[PartnrTask, PartnrSession]:
    task = next(task for task in load("val") if len(task.episode.evaluation.propositions) > 2)
    return task, play_expert(task)


@cache
def film() -> list[Moment]:
    task, session = played()
    return moments(task, session.transcript().encode(), EVERY)


def test_there_is_a_moment_every_so_many_steps_up_to_the_end() -> None:
    _, session = played()
    clocks = [moment.clock for moment in film()]
    assert clocks[0] == 0
    assert clocks[-1] == session.clock
    assert {after - before for before, after in pairwise(clocks[:-1])} == {EVERY}


def test_what_happens_is_what_happened() -> None:
    _, session = played()
    last = film()[-1].state
    assert last.places == session.simulation.state.places
    assert last.states == session.simulation.state.states
    poses = {name: body.pose for name, body in session.simulation.state.bodies.items()}
    assert film()[-1].poses == poses


def test_agents_walk_and_do_not_jump() -> None:
    fastest = 2.0 * EVERY / STEPS_PER_SECOND  # metres between two moments
    moved = 0.0
    for before, after in pairwise(film()):
        for role, pose in before.poses.items():
            way = math.dist(pose.position[:2], after.poses[role].position[:2])
            assert way < fastest
            moved += way
    assert moved > 5.0
    assert len({id(moment.state) for moment in film()}) < len(film()) / 2  # one for many


def test_it_is_told_what_agents_do() -> None:
    _, session = played()
    told = {text for moment in film() for text in moment.told.values()}
    done = {entry.call for entry in session.entries if entry.call.startswith("Rearrange")}
    assert any(call in text for call in done for text in told)


@pytest.mark.slow
def test_all_pictures_have_one_size_that_videos_can_have() -> None:
    task, _ = played()
    told: list[tuple[str, int, int]] = []
    drawn = list(frames(task, film()[:: len(film()) // 2], lambda *at: told.append(at)))
    assert len({picture.shape for picture in drawn}) == 1
    height, width, _ = drawn[0].shape
    assert (height % 2, width % 2) == (0, 0)
    assert height > 2 * VIEW
    assert (drawn[0] != drawn[-1]).any()
    assert told[-1] == ("drawing", len(drawn), len(drawn))
    assert MAX_FRAMES > 1_000


@pytest.mark.parametrize("text", ["", "{}", "[" * 10_000, "Pick[cup_0]"])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(HomebodyError):
        moments(played()[0], text, EVERY)
    with pytest.raises(HomebodyError, match="nothing"):
        next(frames(played()[0], []))
