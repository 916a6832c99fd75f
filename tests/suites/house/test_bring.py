"""Every task can be done, by one who knows the house; nothing is done by doing nothing."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.suites.house.bring import PLAYING, ROLE, SUITE, TASKS, expert, start
from leaks import guess_wanted, read_names
from thorough import part_of
from worlds.house.small_steps import Lost, bring


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["partial", "full"])
def test_the_expert_does_every_task(observability: str) -> None:
    for task in TASKS:
        session = start(task, {"observability": observability}, 0, CORRECTED)
        play(session, {ROLE: expert(session, np.random.default_rng(0))})
        assert session.ending == GOAL_MET, (task, session.simulation.log[-1])


@pytest.mark.slow
def test_the_expert_goes_on_when_skills_fail() -> None:
    scores = [
        SUITE.score(task, SUITE.answer("expert", task, settings={"skills": "failing"}, seed=1))
        for task in TASKS[::10]
    ]
    assert all(score.metrics["success"] == 1.0 for score in scores)
    assert any(score.record["refused"] for score in scores)


@pytest.mark.slow
def test_one_script_does_most_tasks() -> None:
    outputs = {task: SUITE.answer("copycat", task) for task in TASKS}
    assert outputs[TASKS[0]] == SUITE.answer("copycat", TASKS[0], seed=0, epoch=1)
    scores = [SUITE.score(task, output) for task, output in outputs.items()]
    assert sum(score.metrics["success"] for score in scores) == 70


def test_doing_nothing_does_nothing() -> None:
    score = SUITE.score(TASKS[0], SUITE.answer("idle", TASKS[0]))
    assert score.metrics == {"success": 0.0, "progress": 0.0}
    assert "Still to be done: put" in score.record["explanation"]
    assert SUITE.score(TASKS[0], "hm").record["problem"]


def test_tasks_are_fixed() -> None:
    assert len({task.id for task in TASKS}) == len(SUITE.tasks.load(CORRECTED)) == 100
    assert SUITE.tasks.describe(TASKS[0]) == "Put plate_0 in counter_1."
    poses = {
        str(PLAYING.start(TASKS[0], {}, seed, CORRECTED).simulation.state.bodies[ROLE].pose)  # type: ignore[attr-defined]
        for seed in range(3)
    }
    assert len(poses) == 1


@pytest.mark.slow
def test_small_steps_do_it_too() -> None:
    """By turns, steps and what is in the middle of the picture; the transcript plays again."""
    done = 0
    tasks = part_of(TASKS[:60:4])
    for task in tasks:
        session = start(task, {"actions": "low_level"}, 0, CORRECTED)
        (wanted,) = session.task.placements
        try:
            for action in bring(
                session.simulation, ROLE, wanted.name, wanted.relation, wanted.target
            ):
                if not session.ready():
                    raise Lost("it takes too long")
                assert session.act(ROLE, action) is None, (task, action)
                session.advance()
        except Lost:
            continue
        assert session.ending == GOAL_MET, (task, session.simulation.log[-1])
        again = SUITE.score(task, session.transcript().encode())
        assert again.metrics["success"] == 1.0
        done += 1
    assert done > len(tasks) // 2


def test_who_acts_by_skills_needs_them() -> None:
    with pytest.raises(HomebodyError, match="only uses skills"):
        SUITE.answer("expert", TASKS[0], settings={"actions": "low_level"})
    score = SUITE.score(
        TASKS[0], SUITE.answer("random", TASKS[0], settings={"actions": "low_level"})
    )
    assert score.record["refused"] < 250


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["full", "partial"])
def test_no_position_or_number_shows_what_is_wanted(observability: str) -> None:
    lists = []
    for task in TASKS:
        session = start(task, {"observability": observability}, 0, CORRECTED)
        told = session.observe(ROLE).view.describe(ROLE)
        wanted = {placement.name for placement in session.task.placements}
        lists.append((read_names(told, session.simulation.state.house.thing), wanted))
    rules = guess_wanted(lists)
    assert {rule: score for rule, score in rules.items() if score[2] > 3.5} == {}
