"""`homebody view`: runs as a folder; served: tests/web/test_viewing.py."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Homebody
from homebody.core import Suite
from own_suites import in_place
from toy_runs import NAME, chores, keep


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    suite = chores()
    with in_place([suite]):
        yield suite


def test_a_folder_for_any_web_host(homebody: Homebody, toy: Suite[str]) -> None:
    keep(Path("out"), toy, "one", ["yes", "half"])
    told = homebody("view", "out", "--static", "site", "--published")
    assert told.code == 0, told.err
    assert "site: 1 runs, 2 samples" in told.err
    runs = json.loads(Path("site/data/runs.json").read_text())
    assert runs["live"] is False
    assert len(runs["tables"]) > 10
    sample = json.loads(Path(f"site/data/sample/{NAME}.one/1.json").read_text())
    assert sample["verdict"] == "partial"
    assert homebody("view", "out", "--static", "site").code == 0, "its own page is replaced"
    Path("mine").mkdir()
    Path("mine/index.html").write_text("my page")
    refused = homebody("view", "out", "--static", "mine")
    assert refused.code == 2
    assert "another page" in refused.err
