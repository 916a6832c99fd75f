"""Tasks in rooms of homes: what pictures show is what is scored."""

from __future__ import annotations

import time

import numpy as np
import pytest

from homebody.core import CORRECTED, HomebodyError, execute
from homebody.suites.eai.house.action_sequencing import SUITE as SEQUENCING
from homebody.suites.eai.house.goal_interpretation import SUITE as INTERPRETATION
from homebody.suites.eai.house.rooms import SEEN, SIDE, images, pictures, pixels, shown_of, state_of
from homebody.suites.eai.house.rooms import home as home_of
from homebody.suites.eai.house.scene_graph import SUITE as GRAPH
from homebody.suites.eai.house.tasks import (
    HOMES,
    Asked,
    build,
    decode,
    encode,
    load_rooms,
    load_tasks,
    set_to,
    shown,
)

RANDOM = np.random.default_rng(0)


def test_some_dozens_of_tasks_over_all_homes_load_quickly() -> None:
    began = time.process_time()
    tasks = [build(task.line) for task in load_tasks()]
    assert time.process_time() - began < 5.0
    assert len(tasks) >= 50
    assert {task.line.room.house for task in tasks} == set(HOMES)
    assert {task.line.kind for task in tasks} == {"clear", "swap", "if"}
    assert len({task.id for task in tasks}) == len(tasks)
    assert len(load_rooms()) >= 25


def test_every_plan_meets_its_goal_and_nothing_does_not() -> None:
    for task in load_tasks():
        world = task.task.world
        trace = execute(world, task.task.initial, task.task.reference)
        assert trace.failure is None
        assert not trace.skipped
        assert task.task.goal.judge(trace).success, task.id
        assert not task.task.goal.judge(execute(world, task.task.initial, ())).success, task.id


def test_what_is_not_asked_for_may_not_come_along() -> None:
    task = next(task for task in load_tasks() if task.line.untouched and task.line.kind == "clear")
    plan = SEQUENCING.answer("oracle", task)
    assert SEQUENCING.score(task, plan).metrics["success"] == 1.0
    target, other = task.line.goals[0][2], task.line.untouched[0]
    more = plan[:-1] + (
        f', {{"action": "RIGHT_GRASP", "object": "{other}"}},'
        f' {{"action": "RIGHT_PLACE_ONTOP", "object": "{target}"}}]'
    )
    score = SEQUENCING.score(task, more)
    assert score.metrics["executable"] == 1.0
    assert score.metrics["success"] == 0.0


def test_where_a_thing_goes_hangs_on_the_state_alone() -> None:
    conditional = [task for task in load_tasks() if task.line.kind == "if"]
    first = [
        "put it on" not in task.task.instruction.split(task.line.goals[0][2][:-2])[0]
        for task in conditional
        if "_" not in task.line.goals[0][2][:-2]
    ]
    assert 0.2 < sum(first) / len(first) < 0.8  # always taking one branch is no answer


@pytest.mark.parametrize("suite", [INTERPRETATION, SEQUENCING, GRAPH])
def test_oracles_are_right_and_others_are_not(suite: object) -> None:
    for each in (INTERPRETATION, SEQUENCING, GRAPH):
        if each is not suite:
            continue
        tasks = each.tasks.load(CORRECTED)
        key = "success" if each is SEQUENCING else "f1"
        means = {
            agent: np.mean([each.score(t, each.answer(agent, t)).metrics[key] for t in tasks])
            for agent in each.agents
        }
        assert means["oracle"] == 1.0
        assert means["random"] < 0.25
        assert means["empty"] == 0.0


def test_settings_say_what_is_given() -> None:
    task = load_tasks()[0]
    for suite in (INTERPRETATION, SEQUENCING):
        prompting = suite.prompting
        assert prompting is not None
        fact = f'["{task.line.room.facts[-1][0]}", "{task.line.room.facts[-1][1]}"'
        told = {}
        for given in ("pictures", "graph", "both"):
            suite.check_settings({"given": given})
            asked = set_to(task, {"given": given})
            told[given] = fact in prompting.prompt(asked), bool(shown(asked))
        assert told == {"pictures": (False, True), "graph": (True, False), "both": (True, True)}
        with pytest.raises(HomebodyError, match="given cannot be 'smells'"):
            suite.check_settings({"given": "smells"})
    with pytest.raises(HomebodyError, match="no settings"):
        GRAPH.check_settings({"given": "graph"})


@pytest.mark.parametrize("at", [0, 20, 40])
def test_objects_and_facts_are_those_of_the_pictures(at: int) -> None:
    room = load_tasks()[at].line.room
    drawn = pictures(room.house, room.changes, room.cameras)
    assert all(image.rgb.shape == (SIDE, SIDE, 3) for image in images(room))
    state = state_of(home_of(room.house), room.changes)
    objects, facts = shown_of(state, room.name, pixels(drawn))
    assert (objects, facts) == (room.objects, room.facts)
    most = pixels(drawn)
    wanted = {name for goal in load_tasks()[at].line.goals for name in goal[-2:]}
    for name in wanted & {each.name for each in objects}:
        assert most[name] >= SEEN or name.startswith("floor_")


def test_files_of_tasks_are_read_with_care() -> None:
    lines: list[Asked] = [task.line for task in load_tasks()[:3]]
    assert decode(encode(lines)) == tuple(lines)
    for bad in (b"{}", b"[" * 5_000, encode(lines)[:200], b"\xff"):
        with pytest.raises(HomebodyError, match="line 1 is no task"):
            decode(bad)
