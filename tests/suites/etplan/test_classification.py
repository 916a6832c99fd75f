"""The five classes of a task."""

from __future__ import annotations

import pytest

from homebody.suites.etplan.classification import classify
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.tasks import load


@pytest.mark.parametrize("name", ROWS)
def test_classes_follow_from_row_and_criterion(name: str) -> None:
    row = ROWS[name]
    for task in load("test")[row.tasks][::40]:
        classes = classify(row, task)
        assert len(classes) == 5
        assert classes["action sequence length"].endswith(f"({len(task.plan)} actions)")
        assert (classes["spatial relation"] != "none") == row.relation
        assert (classes["occlusion"] != "none") == bool(row.occlusion)
        assert ("layout" in classes["prior knowledge"]) == row.layout
        assert (classes["temporal constraint"] != "none") == (row.kind == "temporal")
