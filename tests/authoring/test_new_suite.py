"""A new suite is a package of its own that is installed, listed, checked, run and scored like ours.

It is installed as users would, into a folder of its own; nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from homebody.authoring.new_suite import FILES, TEMPLATE, module_of, write_suite
from homebody.core import HomebodyError
from model_server import ModelServer, server

NAME = "pantry.wash_up"
MODULE = "pantry_wash_up"
__all__ = ["server"]
Command = Callable[..., str]


def test_every_file_of_the_template_is_written_under_the_new_name(tmp_path: Path) -> None:
    package = write_suite(NAME, tmp_path / "new")
    assert package == tmp_path / "new" / MODULE
    files = [path for path in package.rglob("*") if path.is_file()]
    assert {path.name for path in TEMPLATE.iterdir()} == set(FILES)
    assert len(files) == len(FILES)
    for file in files:
        assert "kitchen" not in file.read_text()
    with pytest.raises(HomebodyError, match="exists already"):
        write_suite(NAME, tmp_path / "new")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Kitchen",
        "../up",
        "a/b",
        "a..b",
        ".a",
        "a.",
        "1st",
        "a-b",
        "a b",
        "x" * 51,
        "k\u00fcche",
    ],
)
def test_a_name_is_plain(name: str, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="cannot be called"):
        write_suite(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["partnr.val", "json", "homebody", "class", "partnr_val"])
def test_a_name_is_not_taken(name: str) -> None:
    with pytest.raises(HomebodyError, match="exists already"):
        module_of(name)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package is installed in, from a folder that is not ours."""
    pytest.importorskip("hatchling", reason="needs: pip install hatchling")
    folder = tmp_path_factory.mktemp("new")
    source = write_suite(NAME, folder / "source")
    quiet = ("-q", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    command = ["install", *quiet, "--target", folder / "site", source]
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


@pytest.mark.slow
def test_it_is_listed_with_its_tasks(homebody: Command) -> None:
    lines = homebody("list").splitlines()
    at = lines.index(NAME)
    assert lines[at + 1 : at + 3] == [
        "    Wash up together",
        "    played by washer and dryer; agents: oracle, random, idle, person",
    ]
    assert "partnr.val" in lines
    tasks = homebody("list", NAME).splitlines()
    assert len(tasks) == 6
    assert tasks[0].split() == ["tea", "cup,", "saucer"]


@pytest.mark.slow
def test_it_is_shown(homebody: Command) -> None:
    shown = homebody("show", NAME, "tea")
    assert shown.startswith("[washer]\n")
    assert "Wash[dish]: Wash a dirty dish, which takes 3 seconds." in shown
    assert "the cup is dirty" in shown


@pytest.mark.slow
def test_agents_run_on_it_and_are_scored(homebody: Command, tmp_path: Path) -> None:
    table = homebody("run", NAME, "--agent", "oracle", "--agent", "random", "--out", "out")
    rows = {line.split()[0]: line.split()[1:] for line in table.splitlines() if line.strip()}
    assert rows["oracle"] == ["6", "100.0", "100.0", "0"]
    assert rows["random"][0] == "6"
    records = (tmp_path / "out" / "random" / "samples.jsonl").read_text().splitlines()
    assert len(records) == 6
    assert all(json.loads(record)["explanation"] for record in records)
    again = json.loads(homebody("score", NAME, "out", "--format", "json"))
    assert again["suite"] == NAME
    oracle = next(model for model in again["models"] if model["model"] == "oracle")
    labels = {header: 0 for header in oracle["values"] if header.startswith("Failed: ")}
    assert labels
    assert oracle["values"] == {"Success": 100.0, "Progress": 100.0, **labels}


@pytest.mark.slow
def test_a_model_runs_on_it(homebody: Command, server: ModelServer, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")

    def converse(messages: list[tuple[str, str]]) -> str:
        turn = sum(role == "assistant" for role, _ in messages)
        return f"Thought: the next one.\nAction: {['Wash[cup]', 'Done[]'][min(turn, 1)]}"

    server.converse = converse
    args = ("run", NAME, "--model", server.model, "--limit", "1", "--out", "out")
    table = homebody(*args, **server.environment)
    assert NAME in table
    (record,) = next((tmp_path / "out").glob("*/samples.jsonl")).read_text().splitlines()
    assert json.loads(record)["progress"] == 0.25


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


@pytest.mark.slow
def test_it_passes_every_check(homebody: Command) -> None:
    assert " 0 failed," in homebody("check", NAME)
