"""Neither the order nor the numbers of objects show what a task needs, beyond its instruction."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from homebody.core import State
from homebody.suites.eai.interactive.session import start
from homebody.suites.eai.interactive.session_text import mentioned_names
from leaks import guess_wanted, split_name
from suites.eai.interactive.played import ROOM, WORLDS, AnyScene, scenes

EVERY = 5
NUMBERS = {"highest number", "lowest number"}
ADDED = 1000
"""First number of the objects that VirtualHome's tasks add to a scene."""


def shuffled(scene: AnyScene) -> AnyScene:
    """The same task, whose state lists its objects in another order."""
    task = scene.annotated_task.task
    objects = list(task.initial.objects.values())
    Random(0).shuffle(objects)
    rooms = [item for item in task.initial.objects.values() if item.name in scene.rooms]
    rest = [item for item in objects if item.name not in scene.rooms]
    initial = State.from_facts([*rooms, *rest], task.initial.facts())
    return replace(
        scene, annotated_task=replace(scene.annotated_task, task=replace(task, initial=initial))
    )


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("settings", [{}, ROOM], ids=["full", "room"])
def test_the_order_of_objects_depends_on_their_names(world: str, settings: dict[str, str]) -> None:
    for scene in scenes(world)[::EVERY]:
        one, other = start(scene, settings, 0), start(shuffled(scene), settings, 0)
        assert one.describe("agent") == other.describe("agent")
        assert [*one.options("agent")] == [*other.options("agent")]


@pytest.mark.parametrize("world", WORLDS)
def test_the_instruction_names_all_objects_of_the_goal(world: str) -> None:
    for scene in scenes(world):
        assert all(name in scene.instruction for name in scene.goal_objects)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("settings", [{}, ROOM], ids=["full", "room"])
def test_no_number_shows_what_is_needed(world: str, settings: dict[str, str]) -> None:
    lists = []
    for scene in scenes(world):
        needed = {name for step in scene.annotated_task.task.reference for name in step.args}
        names = mentioned_names(scene, start(scene, settings, 0).knowledge("agent"))
        lists.append(([name for name in names if name not in scene.goal_objects], needed))
    rules = guess_wanted(lists)
    assert rules.keys() >= NUMBERS
    assert {rule: rules[rule] for rule in NUMBERS if rules[rule][2] > 3.5} == {}


def test_how_often_what_a_task_of_virtualhome_adds_is_needed() -> None:
    """The published numbers show it; the page on these tasks says how far."""
    count = {True: [0, 0], False: [0, 0]}
    for scene in scenes("virtualhome"):
        needed = {name for step in scene.annotated_task.task.reference for name in step.args}
        for name in scene.task_objects - scene.goal_objects - {*scene.rooms}:
            tally = count[split_name(name)[1] >= ADDED]
            tally[0] += name in needed
            tally[1] += 1
    rates = {added: round(100 * found / total) for added, (found, total) in count.items()}
    assert rates == {True: 89, False: 20}
