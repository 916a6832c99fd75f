"""`homebody embodiedeval` from end to end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from command import Homebody
from homebody.suites.embodiedeval.tasks import encode_tasks
from suites.embodiedeval.small_tasks import task_of


@pytest.mark.slow
def test_pictures_are_drawn_into_a_folder(homebody: Homebody) -> None:
    task = task_of("navigation", "go_to")
    task = msgspec.structs.replace(task, plan=task.plan[:1])
    Path("own.jsonl").write_bytes(encode_tasks([task], packed=False))
    words = ("embodiedeval", "pictures", "set", "--tasks", "own.jsonl", "--views", "plan")
    for _ in range(2):  # the second time there is nothing left to do
        drawn = homebody(*words, "--engine", "serial")
        assert drawn.code == 0, drawn.err
        assert "tasks 1, shards 1, " in drawn.out
    refused = homebody(*words, "--task", "nobody")
    assert (refused.code, "unknown task: 'nobody'" in refused.err) == (2, True)


def test_only_the_tasks_of_a_family_are_run(homebody: Homebody) -> None:
    own = [task_of("navigation", "go_to"), task_of("object_interaction", "pick_up")]
    own = [msgspec.structs.replace(task, id=task.family) for task in own]
    Path("own.jsonl").write_bytes(encode_tasks(own, packed=False))
    words = ("run", "embodiedeval.test", "--tasks", "own.jsonl", "--set", "picture=none")
    ran = homebody(*words, "-a", "idle", "--family", "pick_up", "--out", "out")
    assert ran.code == 0, ran.err
    (outputs,) = Path("out").rglob("*_outputs.json")
    assert [each["identifier"] for each in msgspec.json.decode(outputs.read_bytes())] == ["pick_up"]
    refused = homebody(*words, "-a", "idle", "--category", "fly")
    assert (refused.code, "no category 'fly'" in refused.err) == (2, True)
