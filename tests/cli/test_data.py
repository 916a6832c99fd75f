"""`homebody data audit etplan`; what needs official data is in test_cli.py."""

from __future__ import annotations

import json
from pathlib import Path

from command import Homebody
from suites.etplan.released_files import line, write


def test_released_tasks_are_audited(homebody: Homebody, tmp_path: Path) -> None:
    folder = str(write(tmp_path, navigation=[line(), line("Bring me the apple.")]))
    result = homebody("data", "audit", "etplan", "--folder", folder, "--format", "json")
    assert {"task": "navigation:2", "problem": "text_asks_for_more",
            "reason": "bring: 'Bring me the apple.'"} in json.loads(result.out)  # fmt: skip
    result = homebody("data", "audit", "etplan", "--folder", folder, "--counts", "-f", "json")
    numbers = {row["problem"]: row["navigation"] for row in json.loads(result.out)}
    assert numbers["text_asks_for_more"] == 1
    assert numbers["left_open"] == 0


def test_the_folder_of_released_tasks_is_asked_for(homebody: Homebody, tmp_path: Path) -> None:
    assert "--folder DIR" in homebody("data", "audit", "etplan").err
    assert "navigation_tasks.json" in homebody(
        "data", "audit", "etplan", "--folder", str(tmp_path)
    ).err  # fmt: skip
