"""Films of runs: time is stopped for pictures, and nothing else happens because of it."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise

import pytest

from homebody.core import HomebodyError
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.pictures.replay import MAX_FRAMES, VIEW, Moment, film_run, frames
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.tasks import PartnrTask, load
from homebody.worlds.house.play.filming import HouseFilm
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

EVERY = 15


@cache
def played() -> tuple[PartnrTask, PartnrSession]:
    task = next(task for task in load("val") if len(task.episode.evaluation.propositions) > 2)
    return task, play_expert(task)


@cache
def film() -> tuple[HouseFilm, list[Moment]]:
    task, session = played()
    return film_run(task, session.transcript().encode(), EVERY)


def test_there_is_a_moment_every_so_many_steps_up_to_the_end() -> None:
    _, session = played()
    clocks = [moment.clock for moment in film()[1]]
    assert clocks[0] == 0
    assert clocks[-1] == session.clock
    assert {after - before for before, after in pairwise(clocks[:-1])} == {EVERY}


def test_what_happens_is_what_happened() -> None:
    _, session = played()
    made, moments = film()
    (last,) = made.states([moments[-1].at])
    assert last.places == session.simulation.state.places
    assert last.states == session.simulation.state.states
    poses = {name: body.pose for name, body in session.simulation.state.bodies.items()}
    assert {name: body.pose for name, body in last.bodies.items()} == poses
    for name, pose in session.simulation.state.poses.items():
        assert math.dist(last.poses[name].position, pose.position) < 1e-6


def test_agents_walk_and_do_not_jump() -> None:
    fastest = 2.0 * EVERY / STEPS_PER_SECOND  # metres between two moments
    moved = 0.0
    made, moments = film()
    states = made.states(moment.at for moment in moments)
    places = [{role: body.pose.position[:2] for role, body in s.bodies.items()} for s in states]
    for before, after in pairwise(places):
        for role, place in before.items():
            way = math.dist(place, after[role])
            assert way < fastest
            moved += way
    assert moved > 5.0


def test_it_is_told_what_agents_do() -> None:
    _, session = played()
    told = {text for moment in film()[1] for text in moment.told.values()}
    done = {entry.call for entry in session.entries if entry.call.startswith("Rearrange")}
    assert any(call in text for call in done for text in told)


@pytest.mark.slow
def test_all_pictures_have_one_size_that_videos_can_have() -> None:
    task, _ = played()
    made, moments = film()
    told: list[tuple[str, int, int]] = []
    drawn = list(frames(task, made, moments[:: len(moments) // 2], lambda *at: told.append(at)))
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
        film_run(played()[0], text, EVERY)
    with pytest.raises(HomebodyError, match="nothing"):
        next(frames(played()[0], film()[0], []))
