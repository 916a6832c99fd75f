"""The tasks that come with homebody, and files of tasks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from homebody.authoring.etplan.make import FARTHER
from homebody.core import CORRECTED, HomebodyError
from homebody.core.play.rounds import play
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import SPLITS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import decode_tasks, encode_tasks, load, read_tasks


def test_each_row_has_two_hundred_tasks_in_the_homes_of_its_split() -> None:
    tasks = load("test")
    assert set(tasks) == {row.tasks for row in ROWS.values()}
    for row, those in tasks.items():
        assert len(those) == len({task.id for task in those}) == 200, row
        assert {task.house for task in those} <= set(SPLITS["test"])
        assert all(task.row == row and task.reference for task in those)


def test_splits_share_no_home() -> None:
    seeds = [seed for split in SPLITS.values() for seed in split]
    assert len(seeds) == len(set(seeds))
    assert [len(split) for split in SPLITS.values()] == [34, 5, 60]


def test_occluded_tasks_have_an_open_twin() -> None:
    tasks = load("test")
    for kind in ("navigation", "navigation_relation", "manipulation", "manipulation_relation"):
        twins = {task.id: task for task in tasks[kind]}
        assert not any(task.hidden for task in tasks[kind])
        for task in tasks[f"{kind}_size"]:
            assert task.hidden, task.id
            assert (task.house, task.start) == (twins[task.twin].house, twins[task.twin].start)
        for task in tasks[f"{kind}_distance"]:
            twin = twins[task.twin]
            assert (task.house, task.instruction) == (twin.house, twin.instruction)
            assert task.away >= twin.away + FARTHER - 0.01, task.id


def test_tasks_of_a_row_differ_and_are_in_many_homes() -> None:
    for row, tasks in load("test").items():
        assert len({(task.house, task.criterion) for task in tasks}) == 200, row
        assert len({task.house for task in tasks}) >= 30, row


def test_instructions_are_english() -> None:
    for tasks in load("test").values():
        for task in tasks:
            text = task.instruction
            assert not re.search(r"\bi\b", text), text
            assert not re.search(r"\bone of the (?:[\w']+ ){1,2}that is\b", text), text
            assert not re.search(r"\bto something to\b", text), text
            assert text.lstrip('"')[0].isupper(), text
            assert text[-1] in '.?!"', text


def test_tasks_are_written_and_read_again() -> None:
    some = load("test")["temporal"][:5]
    assert decode_tasks(encode_tasks(some, packed=False)) == some


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("row", "flying"), ("criterion", "(NEAR, robot, cup)"), ("criterion", "x" * 3000),
        ("plan", []), ("plan", ["go home"]), ("plan", ["Navigate[]"]), ("start", [0, 0]),
        ("house", -1), ("volume", float("1e300")), ("extra", 1), ("instruction", ""),
    ],
)  # fmt: skip
def test_what_is_no_task_is_refused_with_its_line(field: str, value: object) -> None:
    line = json.loads(encode_tasks(load("test")["temporal"][:1], packed=False))
    text = encode_tasks(load("test")["navigation"][:1], packed=False)
    with pytest.raises(HomebodyError, match="line 2 is not a task"):
        decode_tasks(text + json.dumps(line | {field: value}).encode())


def hostile(line: bytes) -> dict[str, bytes]:
    """Lines that are no task, by what is wrong."""
    return {
        "bytes that are no UTF-8": line.replace(b'"row":"', b'"row":"\xff'),
        "half a surrogate pair": line.replace(b'"id":"', b'"id":"\xed\xa0\x80'),
        "deep nesting": b"[" * 100_000,
        "a deep start": line.replace(b'"start":', b'"start":' + b"[" * 100_000),
        "a deep scene graph": b'{"nodes"' + b"[" * 100_000,
        "a scene graph of nothing": b'{"nodes":[],"edges":[]}',
        "a huge number": line.replace(b'"house":', b'"house":' + b"9" * 400),
        "half a line": line[: len(line) // 2],
        "a room that is a book": line.replace(b'"start":', b'"start":"' + b"a" * 99 + b'","x":'),
        "a home that is a path": line.replace(b'"house":', b'"house":"../../etc","x":'),
        "a compressed line": encode_tasks(load("test")["navigation"][:1], packed=True),
    }


@pytest.mark.parametrize("wrong", hostile(b""))
def test_hostile_lines_are_refused_in_a_sentence(wrong: str) -> None:
    line = encode_tasks(load("test")["navigation"][:1], packed=False)
    with pytest.raises(HomebodyError, match=r"line [1-9][0-9]* is not a task") as told:
        decode_tasks(line + hostile(line)[wrong])
    assert len(str(told.value)) < 500


@pytest.mark.parametrize("at", [[0.0, 0.0, 0.0], [1e308, -1e308, 0.0], [3.2, 3.2, 1e308]])
def test_who_would_start_in_a_wall_is_told_of_which_task(at: list[float]) -> None:
    line = json.loads(encode_tasks(load("test")["navigation"][:1], packed=False)) | {"start": at}
    (task,) = decode_tasks(json.dumps(line).encode())
    with pytest.raises(HomebodyError, match="the task navigation-0 cannot begin"):
        start(ROWS["navigation"], task, {}, 0, CORRECTED)


@pytest.mark.parametrize("name", ["unicorn_0", "robot", "../x", "1"])
def test_plans_with_what_is_not_there_can_be_followed_in_vain(name: str) -> None:
    task = msgspec.structs.replace(load("test")["navigation"][0], plan=(f"Navigate[{name}]",))
    session = start(ROWS["navigation"], task, {}, 0, CORRECTED)
    play(session, {ROBOT: oracle(session, np.random.default_rng(0))})
    assert session.score().metrics["success"] == 0.0


def test_a_file_that_was_made_again_is_read_again(tmp_path: Path) -> None:
    row, path = ROWS["temporal"], tmp_path / "tasks.jsonl"
    for count in (2, 5):
        path.write_bytes(encode_tasks(load("test")["temporal"][:count], packed=False))
        assert len(read_tasks(row, path)) == count


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "two tasks with the id"),
        ({"id": "mine", "criterion": "(CLOSE, robot, unicorn)"}, "mine names 'unicorn'"),
    ],
)
def test_a_file_of_ones_own_names_each_once_and_what_there_is(
    tmp_path: Path, given: dict[str, str], why: str
) -> None:
    task = load("test")["navigation"][0]
    path = tmp_path / "own.jsonl"
    path.write_bytes(encode_tasks([task, msgspec.structs.replace(task, **given)], packed=False))
    with pytest.raises(HomebodyError, match=why):
        read_tasks(ROWS["navigation"], path)
