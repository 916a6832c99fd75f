"""`homebody results`: what results were made with, and whether they are whole."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command import Homebody
from homebody.worlds.house.model.recipe import GENERATOR

SUITE = "house.bring"


def words(limit: int, out: str = "out", agent: str = "idle") -> tuple[str, ...]:
    return ("run", SUITE, "-a", agent, "--limit", str(limit), "--workers", "1", "--out", out)


def run(homebody: Homebody, limit: int, out: str = "out") -> None:
    assert homebody(*words(limit, out)).code == 0


def tree(folder: str = "out") -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


def test_results_are_told_and_checked(homebody: Homebody) -> None:
    run(homebody, 2)
    for folder in ("out", "out/idle"):
        told = homebody("results", folder)
        assert (told.code, told.err) == (0, "")
        assert "out/idle: house.bring, corrected, 2 samples" in told.out
        assert f"house generator {GENERATOR}" in told.out
        assert "agent idle, limit 2" in told.out


def test_it_is_told_how_many_have_no_score(homebody: Homebody) -> None:
    run(homebody, 2)
    outputs = Path("out/idle_outputs.json")
    entries = json.loads(outputs.read_text())
    Path("m_outputs.json").write_text(json.dumps([*entries, {"identifier": "nobody"}]))
    assert homebody("score", SUITE, "m_outputs.json", "--out", "scored").code == 1
    assert "corrected, 3 samples, 1 of them unscored\n" in homebody("results", "scored").out
    assert "2 samples\n" in homebody("results", "out").out


def test_results_of_two_runs_are_found(homebody: Homebody) -> None:
    run(homebody, 1)
    shutil.copy("out/idle/summary.json", "summary.json")
    shutil.copy("out/idle_outputs.json", "idle_outputs.json")
    shutil.rmtree("out")
    run(homebody, 2)
    shutil.copy("summary.json", "out/idle/summary.json")
    Path("out/idle/samples.jsonl").write_text("")
    told = homebody("results", "out")
    assert told.code == 1
    assert "files in out/idle are not from the run" in told.err
    assert "samples.jsonl" in told.err
    shutil.copy("idle_outputs.json", "out/idle_outputs.json")
    scored = homebody("score", SUITE, "out/idle_outputs.json")
    assert scored.code == 0
    assert "the results in out/idle were not computed from out/idle_outputs.json" in scored.err


def test_results_of_an_older_homebody(homebody: Homebody) -> None:
    run(homebody, 1)
    Path("out/idle/run.json").unlink()
    told = homebody("results", "out")
    assert told.code == 1
    assert "out/idle has no run.json" in told.err
    assert "homebody score" in told.err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX limits")
def test_a_full_disk_keeps_earlier_results(homebody: Homebody, tmp_path: Path) -> None:
    run(homebody, 1, "asked")
    shutil.copy("asked/idle_outputs.json", "idle_outputs.json")
    assert homebody("score", SUITE, "idle_outputs.json", "--out", "out").code == 0
    before = tree()
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
    assert tree() == before
    assert homebody("score", SUITE, "idle_outputs.json", "--out", "out").code == 0


@pytest.mark.parametrize(
    ("other", "differs"),
    [
        (words(2), "limit 1 there, 2 here"),
        ((*words(1), "--task", "home-0-1"), "tasks none there, ['home-0-1'] here"),
        ((*words(1), "--epochs", "2"), "epochs 1 there, 2 here"),
        ((*words(1), "--seed", "2"), "seed 0 there, 2 here"),
        (("run", "partnr.val", *words(1)[2:]), "suite house.bring there, partnr.val here"),
        (("score", SUITE, "out/idle_outputs.json", "-o", "out"), "agent idle there, none here"),
    ],
)
def test_results_of_another_run_are_not_overwritten(
    other: tuple[str, ...], differs: str, homebody: Homebody
) -> None:
    """And nothing is asked."""
    run(homebody, 1)
    before, logs = tree(), tree("logs")
    refused = homebody(*other)
    assert (refused.code, refused.out) == (2, "")
    assert "out/idle has results of another run: " in refused.err
    assert differs in refused.err
    assert "another --out" in refused.err
    assert len(refused.err.splitlines()) <= 2
    assert (tree(), tree("logs")) == (before, logs)


def test_the_same_run_replaces_its_own_results(homebody: Homebody) -> None:
    """With other versions too; and where it was killed before it had written all."""
    run(homebody, 1)
    before = tree()
    record = json.loads(Path("out/idle/run.json").read_bytes())
    record["run"] |= {"version": "0.0", "data": {"houses": "0"}}
    Path("out/idle/run.json").write_text(json.dumps(record | {"homebody": "0.0"}))
    run(homebody, 1)
    assert tree() == before


@pytest.mark.parametrize("name", ["idle_outputs.json", "idle/samples.jsonl", "idle/summary.json"])
def test_a_run_that_was_killed_while_it_wrote_goes_on(
    name: str, homebody: Homebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    from homebody.results import outputs, writing

    def failing(path: Path, data: str | bytes) -> None:
        if path.as_posix().endswith(name):
            raise KeyboardInterrupt
        write(path, data)

    write = outputs.write_whole
    with monkeypatch.context() as patched:
        for module in (outputs, writing):
            patched.setattr(module, "write_whole", failing)
        assert homebody(*words(1)).code == 130
    assert homebody("results", "out").code != 0
    assert homebody(*words(2)).code == 2
    run(homebody, 1)
    assert homebody("results", "out").code == 0


@pytest.mark.parametrize("kept", ["idle_outputs.json", "idle/samples.jsonl", "idle/summary.json"])
def test_results_that_do_not_say_what_they_are_of_are_not_overwritten(
    kept: str, homebody: Homebody
) -> None:
    run(homebody, 1)
    for path in tree():
        if path != Path("out") / kept:
            path.unlink()
    before = tree()
    refused = homebody(*words(1))
    assert refused.code == 2
    assert f"out/{kept} would be overwritten" in refused.err
    assert tree() == before


def test_a_finished_run_can_be_taken_again(homebody: Homebody) -> None:
    run(homebody, 1)
    before, logs = tree(), tree("logs")
    shutil.rmtree("out")
    taken = homebody(*words(1), "--reuse")
    assert taken.code == 0
    assert taken.err.startswith("note: idle: took the result of an earlier run, logs/")
    assert (tree(), tree("logs")) == (before, logs)
    assert "before" not in homebody(*words(2, "more"), "--reuse").err  # there is none yet


def test_what_was_scored_can_be_scored_again(homebody: Homebody) -> None:
    """Of the same suite and protocol, also when the outputs were changed."""
    run(homebody, 2, "asked")
    shutil.copy("asked/idle_outputs.json", "m_outputs.json")
    score = ("score", SUITE, "m_outputs.json", "--out", "out")
    assert homebody(*score).code == 0
    Path("m_outputs.json").write_text(
        json.dumps(json.loads(Path("m_outputs.json").read_bytes())[:1])
    )
    assert homebody(*score).code == 0
    assert len(Path("out/m/samples.jsonl").read_text().splitlines()) == 1
    before = tree()
    refused = homebody("score", "partnr.val", "m_outputs.json", "--out", "out")
    assert refused.code == 2
    assert re.search(r"out/m has results of another run: suite house\.bring there", refused.err)
    assert tree() == before


def test_folders_without_results(homebody: Homebody, tmp_path: Path) -> None:
    told = homebody("results", tmp_path)
    assert told.code == 2
    assert "no results in" in told.err


def test_folders_of_several_suites(homebody: Homebody) -> None:
    run(homebody, 1, "results/plans")
    run(homebody, 2, "results/more")
    found = [line for line in homebody("results", "results").out.splitlines() if "samples" in line]
    assert [line.partition(":")[0] for line in found] == [
        "results/more/idle",
        "results/plans/idle",
    ]
    assert homebody("results", ".").code == 2  # no deeper: a home is not searched
