"""The tasks that come with homebody: as many as the paper's, each solved by its shortest run."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest

from homebody.authoring.embodiedeval.generate import COUNTS, candidates, scenes
from homebody.core import CORRECTED, HomebodyError, Policy, Score
from homebody.core.play.rounds import play
from homebody.core.play.turn_session import TurnSession
from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.game import EmbodiedGame
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.metrics import count, rates
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.suite import TEST
from homebody.suites.embodiedeval.tasks import (
    CAPABILITIES,
    EmbodiedTask,
    decode_tasks,
    encode_tasks,
    load,
)
from thorough import part_of


def played(task: EmbodiedTask, agent: str) -> TurnSession:
    session = start(task, {}, 0, CORRECTED)
    generator = np.random.default_rng(0)
    policy: Policy = getattr(agents, agent)(session, generator)
    play(session, {AGENT: policy})
    return session


def in_one_scene() -> list[EmbodiedTask]:
    """The tasks of the scene that has most."""
    scene, _ = Counter(task.scene for task in load("test")).most_common(1)[0]
    return [task for task in load("test") if task.scene == scene]


def check(task: EmbodiedTask) -> None:
    solved = played(task, "oracle").score().record
    assert solved["success"], task.id
    assert (solved["spl"], solved["gcs"]) == (1.0, 1.0)
    assert not played(task, "idle").score().record["success"], task.id


def test_there_are_as_many_as_in_the_paper() -> None:
    tasks = load("test")
    assert Counter(task.category for task in tasks) == COUNTS
    assert len({task.scene.seed for task in tasks}) >= 125
    assert len({task.family for task in tasks}) >= 60
    assert {each for task in tasks for each in task.capabilities} == set(CAPABILITIES)
    assert len({task.instruction for task in tasks}) > 0.9 * len(tasks)
    assert len({task.category for task in tasks[:20]}) == 5
    assert decode_tasks(encode_tasks(tasks, packed=False)) == tasks


def test_questions_have_eight_answers_of_which_one_is_right() -> None:
    for task in load("test"):
        right = [each for each in task.predicates if each.startswith("choose ")]
        assert len(task.answers) == 8 * len(right)
        if right:
            assert right[0].removeprefix("choose ") in {each.text for each in task.answers}


def test_no_place_in_the_list_is_right_too_often() -> None:
    places = Counter(
        [each.text for each in task.answers].index(task.predicates[-1].removeprefix("choose "))
        for task in load("test")
        if task.answers and not all(each.text.isdigit() for each in task.answers)
    )
    assert max(places.values()) < 0.25 * places.total()


def test_tasks_are_solved_by_their_plans_and_not_by_doing_nothing() -> None:
    for task in in_one_scene():
        check(task)


@pytest.mark.slow
def test_tasks_of_all_scenes_are_solved_by_their_plans_and_not_by_doing_nothing() -> None:
    for task in part_of(sorted(load("test"), key=lambda task: task.scene.seed), 12):
        check(task)


@pytest.mark.slow
def test_a_scene_has_the_same_tasks_again() -> None:
    own = {task.id: task for task in in_one_scene()}
    scene = next(iter(own.values())).scene
    number = scenes("test", 144).index(scene)
    made = {each.task.id: each.task for each in candidates(0, (number, scene))}
    assert own.keys() <= made.keys()
    for name, task in own.items():
        assert msgspec.structs.replace(task, options=()) == msgspec.structs.replace(
            made[name], options=()
        )


def test_tasks_are_selected_by_category_capability_and_family() -> None:
    tasks = {task.id: task for task in load("test")}
    chosen = TEST.select({"category": ["navigation", "spatial_qa"], "capability": ["long_horizon"]})
    assert chosen == [
        name
        for name, task in tasks.items()
        if task.category in ("navigation", "spatial_qa") and "long_horizon" in task.capabilities
    ]
    families = TEST.select({"family": ["go_to"]})
    assert {tasks[name].family for name in families} == {"go_to"}
    assert TEST.select({"family": ["go_to"]}, families[:1]) == families[:1]
    with pytest.raises(HomebodyError, match="has no family"):
        TEST.select({"family": ["fly"]})
    with pytest.raises(HomebodyError, match="in all of these groups"):
        TEST.select({"category": ["navigation"], "family": ["pick_up"]})


def test_success_is_given_by_the_length_of_the_shortest_run() -> None:
    record = {
        "category": "navigation", "capabilities": ["base"], "success": 1.0, "gcs": 1.0, "spl": 1.0,
        "steps": 9, "interactions": 0, "interactions_done": 0, "errors": [], "steps_used_up": False,
    }  # fmt: skip
    lost = {"success": 0.0, "gcs": 0.0, "spl": 0.0}
    sums = (
        count(Score("t", {}, {**record, "shortest": 5}))
        + count(Score("t", {}, {**record, "shortest": 6}))
        + count(Score("t", {}, {**record, **lost, "shortest": 10}))
    )
    by_length = rates(sums)["by_length"]
    assert {name: each["success"] for name, each in by_length.items()} == {
        "1-5": 1.0, "6-10": 0.5, "11-15": 0.0, "16-24": 0.0,
    }  # fmt: skip


@pytest.mark.slow
def test_nothing_is_met_at_the_start_which_rarely_faces_no_way_on() -> None:
    blind = 0
    for task in sorted(load("test"), key=lambda task: task.scene.seed):
        game = EmbodiedGame(task)
        assert not any(game.judge.met), task.id
        blind += game.graph.forward(game.view) is None
    assert blind <= 0.1 * len(load("test"))
