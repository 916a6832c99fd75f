"""The tasks that come with homebody, and files of tasks."""

from __future__ import annotations

import json

import pytest

from homebody.core import HomebodyError
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.tasks import SPLITS, decode_lines, encode_lines, load


def test_each_row_has_two_hundred_tasks_in_the_homes_of_its_split() -> None:
    tasks = load("test")
    assert set(tasks) == {row.tasks for row in ROWS.values()}
    for row, those in tasks.items():
        assert len(those) == len({task.id for task in those}) == 200, row
        assert {task.house for task in those} <= set(SPLITS["test"])
        assert all(task.row == row and task.reference for task in those)


def test_splits_share_no_home() -> None:
    seeds = [seed for split in SPLITS.values() for seed in split]
    assert len(seeds) == len(set(seeds)) == 49
    assert [len(split) for split in SPLITS.values()] == [34, 5, 10]


def test_what_hides_things_is_their_size_or_how_far_they_are() -> None:
    tasks = load("test")
    for kind in ("navigation", "manipulation", "manipulation_relation"):
        plain = sorted(task.volume for task in tasks[kind])
        assert max(task.volume for task in tasks[f"{kind}_size"]) < plain[len(plain) // 2]
        away = sorted(task.away for task in tasks[kind])
        assert min(task.away for task in tasks[f"{kind}_distance"]) > away[len(away) // 2]


def test_tasks_are_written_and_read_again() -> None:
    some = load("test")["temporal"][:5]
    assert decode_lines(encode_lines(some, packed=False)) == some


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("row", "flying"), ("criterion", "(NEAR, robot, cup)"), ("criterion", "x" * 3000),
        ("plan", []), ("plan", ["go home"]), ("start", [0, 0]), ("house", -1),
        ("volume", float("1e300")), ("extra", 1), ("instruction", ""),
    ],
)  # fmt: skip
def test_what_is_no_task_is_refused_with_its_line(field: str, value: object) -> None:
    line = json.loads(encode_lines(load("test")["temporal"][:1], packed=False))
    text = encode_lines(load("test")["navigation"][:1], packed=False)
    with pytest.raises(HomebodyError, match="line 2 is no task"):
        decode_lines(text + json.dumps(line | {field: value}).encode())
