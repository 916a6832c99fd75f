"""The suite in docs/example_suite, a package of its own, is listed, run and scored like ours.

It is installed as users would, into a folder of its own; nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from model_server import ModelServer, server
from places import DOCS

pytest.importorskip("hatchling", reason="needs: pip install hatchling")

NAME = "pantry.put_away"
EXAMPLE = DOCS / "example_suite"
__all__ = ["server"]
Command = Callable[..., str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package is installed in, from a folder that is not ours."""
    folder = tmp_path_factory.mktemp("pantry")
    shutil.copytree(EXAMPLE, folder / "source")
    quiet = ("-q", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    command = ["install", *quiet, "--target", folder / "site", folder / "source"]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    return folder / "site"


def environment(site: Path, **others: str) -> dict[str, str]:
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "100", **others}


@pytest.fixture
def homebody(site: Path, tmp_path: Path) -> Command:
    """``homebody("list")``: what the command prints, in a process of its own."""

    def call(*args: str, **others: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "homebody", *args],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment(site, **others),
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_it_is_short() -> None:
    assert len((EXAMPLE / "pantry.py").read_text().splitlines()) < 100


def test_it_is_listed_with_its_tasks(homebody: Command) -> None:
    lines = homebody("list").splitlines()
    at = lines.index(NAME)
    assert lines[at + 1 : at + 3] == [
        "    Put the shopping away (an example, 20 tasks)",
        "    played by agent; agents: tidy, random, person",
    ]
    assert "partnr.val" in lines
    tasks = homebody("list", NAME).splitlines()
    assert len(tasks) == 20
    assert tasks[0].split("  ")[0] == "shop-0"


def test_it_is_shown(homebody: Command) -> None:
    shown = homebody("show", NAME, "shop-0")
    assert shown.startswith("[agent]\n")
    assert "Put[item, place]: Put it into an open place." in shown
    assert "fridge (closed)" in shown


def test_agents_run_on_it_and_are_scored(homebody: Command, tmp_path: Path) -> None:
    table = homebody("run", NAME, "--agent", "tidy", "--agent", "random", "--out", "out")
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines() if line.strip()}
    assert rows["tidy"] == ["20", "100.0", "100.0"]
    assert rows["random"][0] == "20"
    records = (tmp_path / "out" / "random" / "samples.jsonl").read_text().splitlines()
    assert len(records) == 20
    assert all(json.loads(record)["explanation"] for record in records)
    again = json.loads(homebody("score", NAME, "out", "--format", "json"))
    assert again["suite"] == NAME
    tidy = next(model for model in again["models"] if model["model"] == "tidy")
    assert tidy["values"] == {"Success": 100.0, "Progress": 100.0}


@pytest.mark.slow
def test_a_model_runs_on_it(homebody: Command, server: ModelServer, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
    steps = ["Open[fridge]", "Take[milk]", "Put[milk, fridge]", "Done[]"]

    def converse(messages: list[tuple[str, str]]) -> str:
        turn = sum(role == "assistant" for role, _ in messages)
        return f"Thought: the next one.\nAction: {steps[min(turn, len(steps) - 1)]}"

    server.converse = converse
    args = ("run", NAME, "--model", server.model, "--limit", "1", "--out", "out")
    table = homebody(*args, **server.environment)
    assert NAME in table
    (record,) = next((tmp_path / "out").glob("*/samples.jsonl")).read_text().splitlines()
    assert json.loads(record)["progress"] == 0.5
    assert len(server.requests) == len(steps)


def test_a_function_runs_on_it(site: Path, tmp_path: Path) -> None:
    code = f"""
import homebody as hb
def first(observation):
    return 0
results = hb.run({NAME!r}, first, limit=4)
print(len(results), results.suite.name)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment(site),
        check=True,
    )
    assert done.stdout.split() == ["4", NAME]


def test_it_passes_every_check(homebody: Command) -> None:
    assert " 0 failed," in homebody("check", NAME)
