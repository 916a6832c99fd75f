"""Tasks in rooms of homes: what pictures show is what is scored."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED, Action, HomebodyError, Suite, execute
from homebody.core.ground.json_lines import encode_lines
from homebody.suites.eai.behavior.plans import render
from homebody.suites.eai.house.action_sequencing import SUITE as SEQUENCING
from homebody.suites.eai.house.goal_interpretation import SUITE as INTERPRETATION
from homebody.suites.eai.house.rooms import (
    SEEN,
    SIDE,
    images,
    make_state,
    pictures,
    pixels,
    visible_contents,
)
from homebody.suites.eai.house.rooms import home as home_of
from homebody.suites.eai.house.scene_graph import SUITE as GRAPH
from homebody.suites.eai.house.tasks import (
    HOMES,
    HouseTask,
    TaskLine,
    build,
    decode,
    load_rooms,
    load_tasks,
    shown_images,
    with_settings,
)
from places import DOCS


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


def blind(task: HouseTask) -> str:
    """What somebody answers who reads only words: what is named first is right, all is closed and
    off, and all that can be moved was meant."""
    goals, words = task.line.goals, task.task.instruction
    if task.line.kind == "swap":
        name = "OPEN" if "closed" in words else "TOGGLE_ON"
        return render([Action(name, goal[-1:]) for goal in goals])
    place = goals[0][2]
    first = f"on the {place[:-2].replace('_', ' ')};" in words
    things = task.line.untouched if task.line.kind == "clear" else ()
    moved = [name for *_, name, _ in goals] if first or things else []
    steps = [
        Action(name, (of,))
        for thing in (*moved, *things)
        for name, of in (("RIGHT_GRASP", thing), ("RIGHT_PLACE_ONTOP", place))
    ]
    return render(steps or [Action("RIGHT_GRASP", goals[0][1:2])])


def test_words_alone_are_not_enough() -> None:
    right = [SEQUENCING.score(task, blind(task)).metrics["success"] for task in load_tasks()]
    page = " ".join((DOCS / "benchmarks/eai-pictures.md").read_text().split())
    assert f"gets {sum(right):.0f} of {len(right)} plans" in page
    assert sum(right) / len(right) < 0.3


@pytest.mark.parametrize("suite", [INTERPRETATION, SEQUENCING, GRAPH], ids=lambda suite: suite.name)
def test_oracles_are_right_and_others_are_not(suite: Suite[Any]) -> None:
    tasks = suite.tasks.load(CORRECTED)
    key = "success" if suite is SEQUENCING else "f1"
    means = {
        agent: np.mean([suite.score(t, suite.answer(agent, t)).metrics[key] for t in tasks])
        for agent in suite.agents
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
            asked = with_settings(task, {"given": given})
            told[given] = fact in prompting.prompt(asked), bool(shown_images(asked))
        assert told == {"pictures": (False, True), "graph": (True, False), "both": (True, True)}
        with pytest.raises(HomebodyError, match="given cannot be 'smells'"):
            suite.check_settings({"given": "smells"})
    with pytest.raises(HomebodyError, match="no settings"):
        GRAPH.check_settings({"given": "graph"})


@pytest.mark.sampled
@pytest.mark.parametrize("at", [0, 20, 40])
def test_objects_and_facts_are_those_of_the_pictures(at: int) -> None:
    room = load_tasks()[at].line.room
    drawn = pictures(room.house, room.changes, room.cameras)
    assert all(image.rgb.shape == (SIDE, SIDE, 3) for image in images(room))
    state = make_state(home_of(room.house), room.changes)
    objects, facts = visible_contents(state, room.name, pixels(drawn))
    assert (objects, facts) == (room.objects, room.facts)
    most = pixels(drawn)
    wanted = {name for goal in load_tasks()[at].line.goals for name in goal[-2:]}
    for name in wanted & {each.name for each in objects}:
        assert most[name] >= SEEN or name.startswith("floor_")


def test_files_of_tasks_are_read_with_care() -> None:
    lines: list[TaskLine] = [task.line for task in load_tasks()[:3]]
    assert decode(encode_lines(lines)) == tuple(lines)
    for bad in (b"{}", b"[" * 5_000, encode_lines(lines)[:200], b"\xff"):
        with pytest.raises(HomebodyError, match="line 1 is not a task"):
            decode(bad)
