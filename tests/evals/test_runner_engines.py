"""Runs of agents on engines: the same bytes on each, one resumes what another began."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import homebody as hb
from evals.quizzes import quiz
from homebody import suites as registry
from homebody.core import HomebodyError, TextAgent
from homebody.evals import run
from homebody.suites import register_suite
from places import ROOT

ray = pytest.importorskip("ray", reason="needs: pip install 'homebody[scale]'")
pytestmark = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
NAME = "toy.engines"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A Ray that this process has joined, as the programs of its users do; its address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", str(ROOT / "tests"))
        for attempt in range(3):  # it gives up after 15 seconds, which a busy machine may take
            try:
                ray.init(
                    address="local",
                    num_cpus=2,
                    include_dashboard=False,
                    object_store_memory=128 * 1024**2,
                    log_to_driver=False,
                )
                break
            except Exception:
                ray.shutdown()
                if attempt == 2:
                    raise
        yield ray.get_runtime_context().gcs_address
        ray.shutdown()


def saved(folder: Path) -> dict[str, bytes]:
    """What is in a folder. Tables of samples name it, so that it has to have the same name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("suite", "agent", "options"),
    [(PLANS, "random", {"limit": 12, "epochs": 2, "retries": 1}), ("partnr.val", "idle", {})],
)
@pytest.mark.usefixtures("cluster")
def test_ray_gives_the_bytes_of_one_process(
    suite: str,
    agent: str,
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files, lines = [], []
    for engine in ("serial", "ray"):
        (tmp_path / engine).mkdir()
        monkeypatch.chdir(tmp_path / engine)
        hb.run(suite, agent, engine=engine, **{"limit": 3, **options}).save("out")
        files.append(saved(Path("out")))
        (journal,) = Path("logs").glob("*.jsonl")
        lines.append(sorted(journal.read_bytes().splitlines()))
    assert len(files[0]) >= 4
    assert files[0] == files[1]
    assert lines[0] == lines[1]


@pytest.mark.slow
@pytest.mark.usefixtures("cluster")
def test_a_run_is_resumed_on_another_engine_and_a_bad_sample_costs_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a suite that no other process knows by its name."""

    def parrot(task: str, generator: object) -> str:
        if task == "d":
            raise ZeroDivisionError("not d")
        return task

    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(replace(quiz(NAME, *"abcdefgh"), text_agents={"parrot": TextAgent(parrot)}))

    def interrupt(what: str, done: int, total: int) -> None:
        if done >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(NAME, agent="parrot", engine="ray", log_dir=tmp_path, progress=interrupt)
    half = run(NAME, agent="parrot", engine="serial", log_dir=tmp_path)
    whole = run(NAME, agent="parrot", engine="ray", log_dir=tmp_path / "anew")
    assert 2 <= half.resumed < 7
    for result in (half, whole):
        assert [score.record["said"] for score in result.scores] == list("abcefgh")
        assert [(e.identifier, e.kind, e.reason) for e in result.errors] == [
            ("d", "agent_error", "ZeroDivisionError: not d")
        ]


@pytest.mark.slow
def test_an_engine_is_for_agents(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="unknown engine: 'steam'"):
        run(PLANS, agent="oracle", engine="steam", limit=1, log_dir=tmp_path)
    with pytest.raises(HomebodyError, match="only agents run on an engine"):
        run(PLANS, model="mockllm/model", engine="ray", limit=1, log_dir=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("joins", [False, True])
def test_the_command_runs_on_ray(
    joins: bool, cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Ray of its own, and on the cluster that RAY_ADDRESS names."""
    code = "import sys; from homebody.cli import main; sys.argv[0] = 'homebody'; main()"
    words = [*(PLANS, "-a", "oracle", "--limit", "6"), *("--engine", "ray", "--out", "out")]
    subprocess.run(
        [sys.executable, "-c", code, "run", *words],
        cwd=tmp_path,
        env={**os.environ, **({"RAY_ADDRESS": cluster} if joins else {})},
        check=True,
    )
    there = saved(tmp_path / "out")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    hb.run(PLANS, "oracle", limit=6).save("out")
    assert there == saved(Path("out"))
