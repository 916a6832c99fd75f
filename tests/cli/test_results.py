"""`homebody results`: what results were made with, and whether they are whole."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import Homebody, caller

SUITE = "house.bring"


@pytest.fixture
def homebody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Homebody:
    monkeypatch.chdir(tmp_path)
    return caller(capsys, monkeypatch)


def run(homebody: Homebody, limit: int) -> None:
    words = ("--agent", "idle", "--limit", str(limit), "--workers", "1", "--out", "out")
    assert homebody("run", SUITE, *words).code == 0


def test_results_are_told_and_checked(homebody: Homebody) -> None:
    run(homebody, 2)
    for folder in ("out", "out/idle"):
        told = homebody("results", folder)
        assert (told.code, told.err) == (0, "")
        assert "out/idle: house.bring, corrected, 2 samples" in told.out
        assert "house generator 1" in told.out
        assert "agent idle, limit 2" in told.out


def test_results_of_two_runs_are_found(homebody: Homebody) -> None:
    run(homebody, 1)
    shutil.copy("out/idle/summary.json", "summary.json")
    shutil.copy("out/idle_outputs.json", "idle_outputs.json")
    run(homebody, 2)
    shutil.copy("summary.json", "out/idle/summary.json")
    Path("out/idle/samples.jsonl").write_text("")
    told = homebody("results", "out")
    assert told.code == 1
    assert "out/idle is out of step" in told.err
    assert "samples.jsonl" in told.err
    shutil.copy("idle_outputs.json", "out/idle_outputs.json")
    scored = homebody("score", SUITE, "out/idle_outputs.json")
    assert scored.code == 0
    assert "the results in out/idle are of other outputs than out/idle_outputs.json" in scored.err


def test_results_of_an_older_homebody(homebody: Homebody) -> None:
    run(homebody, 1)
    Path("out/idle/run.json").unlink()
    told = homebody("results", "out")
    assert told.code == 1
    assert "out/idle has no run.json" in told.err
    assert "homebody score" in told.err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_keeps_earlier_results(homebody: Homebody, tmp_path: Path) -> None:
    run(homebody, 1)
    before = {path: path.read_bytes() for path in Path("out").rglob("*.json*")}
    shutil.copy("out/idle_outputs.json", "idle_outputs.json")
    outputs = json.loads(Path("idle_outputs.json").read_bytes())
    Path("idle_outputs.json").write_text(json.dumps(outputs * 3))
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64));"
    code += "from homebody.cli import main; main()"
    full = subprocess.run(
        [sys.executable, "-c", code, "score", SUITE, "idle_outputs.json", "--out", "out"],
        capture_output=True,
        text=True,
    )
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1] == (
        "homebody: cannot write out/idle/samples.jsonl: File too large"
    )
    assert {path: path.read_bytes() for path in Path("out").rglob("*.json*")} == before
    assert not list(Path("out").rglob(".*"))
    assert homebody("score", SUITE, "idle_outputs.json", "--out", "out").code == 0


def test_folders_without_results(homebody: Homebody, tmp_path: Path) -> None:
    told = homebody("results", tmp_path)
    assert told.code == 2
    assert "has no results" in told.err
