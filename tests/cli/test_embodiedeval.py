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
