"""`homebody report`: runs as pages, out of logs, journals and files of outputs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from command import Homebody
from homebody.suites import get_suite, in_place
from homebody.suites.embodiedeval.suite import TEST
from homebody.suites.embodiedeval.tasks import encode_tasks
from suites.embodiedeval.small_tasks import task_of

SUITE = "house.bring"


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """A file of a task, whose suite stands in the place of another."""
    path = tmp_path / "own.jsonl"
    path.write_bytes(encode_tasks([task_of("navigation", "go_to")], packed=False))
    with in_place([replace(TEST, name=SUITE)]):
        yield path


def test_runs_are_shown_from_journals_and_outputs(homebody: Homebody, own: Path) -> None:
    ran = homebody(
        *("run", SUITE, "-a", "oracle", "--tasks", own, "--workers", "1"),
        *("--out", "out", "--log-dir", "logs", "--set", "picture=224"),
    )
    assert ran.code == 0, ran.err
    (journal,) = Path("logs").rglob("*.jsonl")
    (outputs,) = Path("out").glob("*_outputs.json")
    for at, file in enumerate((journal, outputs)):
        told = homebody("report", SUITE, file, "--tasks", own, "-o", f"{at}/page.html")
        assert told.code == 0, told.err
        assert "page.html: 1 episode, " in told.err
    first, second = (Path(f"{at}/page.html").read_text() for at in (0, 1))
    assert first.count("data:image/jpeg") >= 2
    assert first.replace(journal.name, outputs.name) == second
    assert homebody("report", SUITE, journal, "--tasks", own, "--task", "x").code == 2


def test_suites_without_pictures_have_no_reports(homebody: Homebody) -> None:
    assert homebody("run", SUITE, "-a", "idle", "--limit", "1", "--out", "out").code == 0
    refused = homebody("report", SUITE, "out/idle_outputs.json")
    assert refused.code == 2
    assert f"there are no reports of runs of {SUITE}" in refused.err
    assert get_suite(SUITE).reporting.snapshot is None
    assert not Path("report.html").exists()
