"""Reading released tasks, and judging by each of their criteria."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from homebody.core import Action, HomebodyError, Object, State, Trace
from homebody.goals.etplan import CLOSE, ROBOT, Condition, Criterion, EtplanGoal, add_stages
from homebody.suites.etplan.released import FILES, class_of, read_released, read_step
from suites.etplan.released_files import line, published, write


def test_tasks_are_read(tmp_path: Path) -> None:
    tasks = read_released(write(tmp_path, temporal=[line(), line(task="Go.", env_id=7)]))
    assert Counter(task.row for task in tasks) == Counter(FILES.values()) + Counter(["temporal"])
    last = tasks[-1]
    assert (last.id, last.text, last.scene) == ("temporal:2", "Go.", 7)
    assert str(last.criterion) == "(CLOSE, robot, apple)"
    assert last.plan == (Action("Navigate", ("kitchen_1",)), Action("Navigate", ("apple_2",)))


@pytest.mark.parametrize(
    ("step", "action"),
    [
        ("<char0> [walk] <kitchen> (205)", Action("Navigate", ("kitchen_205",))),
        ("<char0> [open] <fridge> (1)", Action("Open", ("fridge_1",))),
        ("<char0> [close] <fridge> (1)", Action("Close", ("fridge_1",))),
        ("<char0> [grab] <apple> (2)", Action("Pick", ("apple_2",))),
        ("<char0> [put] <apple> (2) <bed> (3)", Action("Place", ("apple_2", "on", "bed_3"))),
        ("<char0> [putin] <apple> (2) <box> (3)", Action("Place", ("apple_2", "within", "box_3"))),
    ],
)
def test_steps_are_actions(step: str, action: Action) -> None:
    assert read_step(step) == action
    assert class_of(action.args[0]) in step


@pytest.mark.parametrize(
    "step",
    ["", "walk", "<char0> [walk]", "<char0> [fly] <kitchen> (205)", "<char1> [walk] <kitchen> (2)",
     "<char0> [walk] <kitchen> (2) <bed> (3)", "<char0> [put] <apple> (2)",
     "<char0> [walk] <kitchen> (x)", "<char0> [walk] <kitchen> (2) ", "<char0> [walk] <\x1b> (2)"],
)  # fmt: skip
def test_what_is_no_step(step: str) -> None:
    with pytest.raises(HomebodyError, match="is not a step of a plan"):
        read_step(step)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("{", "line 2"),
        ("[" * 200, "nested"),
        (line(env_id="0"), "env_id"),
        (line(more=1), "more"),
        (line(criterion="(CLOSE, robot)"), "cannot be read"),
        (line(ground_truth_plan=[]), "1 to 200 steps"),
        (line(ground_truth_plan=["<char0> [walk] <kitchen> (1)"] * 201), "1 to 200 steps"),
        (line(plan="fly kitchen 1"), "not a step"),
    ],
)
def test_what_is_no_task(tmp_path: Path, wrong: Any, why: str) -> None:
    write(tmp_path, several=[line(), wrong])
    with pytest.raises(HomebodyError, match=why) as error:
        read_released(tmp_path)
    assert "navi_and_mani_multi_one_arm.json, line 2" in str(error.value)


def test_a_folder_without_the_files(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"navigation_tasks\.json: cannot be read"):
        read_released(tmp_path)


# --- The published files ----------------------------------------------------------------------


def test_all_released_tasks_are_read() -> None:
    tasks = read_released(published())
    assert len(tasks) == 2_023
    assert list(Counter(task.row for task in tasks).values()) == [714, 557, 186, 199, 136, 146, 85]
    assert sum(len(task.plan) for task in tasks) == 10_035


def facts(conditions: tuple[Condition, ...]) -> list[tuple[str, ...]]:
    """What makes conditions true: of the second thing of a class where it is related to itself."""
    return [
        (c.relation, f"{c.first}_1", f"{c.second}_{1 + (c.first == c.second)}") for c in conditions
    ]


def trace(criterion: Criterion, without: Condition | None = None) -> Trace:
    """A state for each stage, in which its conditions hold, but for one."""
    names = dict.fromkeys(chain([ROBOT], criterion.classes))
    objects = [Object(f"{name}_{number}", name) for name in names for number in (1, 2)]
    stages = [tuple(c for c in stage if c != without) for stage in criterion.stages]
    return Trace(tuple(State.from_facts(objects, facts(stage)) for stage in stages))


def test_every_released_criterion_is_judged() -> None:
    """As table 5 reads it, it holds where its stages do, in their order, and not where one of its
    conditions is missing, or one thing stands for another."""
    for criterion in {task.criterion for task in read_released(published())}:
        read = add_stages(criterion)
        assert set(read.conditions) == set(criterion.conditions)
        goal = EtplanGoal(read)
        run = trace(read)
        assert goal.judge(run).success, criterion
        if len(read.stages) > 1:
            assert not goal.judge(Trace(run.states[::-1])).success, criterion
        for condition in read.conditions:
            verdict = goal.judge(trace(read, without=condition))
            assert not verdict.success, (criterion, condition)
            assert 0 <= verdict.progress < 1
            assert verdict.explanation


def test_of_what_is_moved_the_place_to_find_it_comes_first() -> None:
    """Of all 199 tasks; what they are put at is judged at the end."""
    for task in read_released(published()):
        if task.row == "manipulation-relation":
            near, _, put, found, place = task.criterion.conditions
            assert add_stages(task.criterion).stages[0] == (near, found)
            assert {put, place} <= set(add_stages(task.criterion).stages[1])
            assert CLOSE not in (put.relation, found.relation, place.relation)
