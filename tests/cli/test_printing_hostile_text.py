"""Text from outside in every command that prints some: names of files, models and suites, ids,
prompts, errors. None of it steers the terminal, and an error is one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command import Homebody, Result
from homebody import suites as registry
from homebody.core import Prompting, Reporting, Score, Scoring, Suite, Tasks, TextAgent
from homebody.core.protocol import CORRECTED, Protocol
from homebody.suites import register_suite
from homebody.suites.partnr.episodes import files
from plugins import install

BAD = os.fsdecode(b"\x1b]0;pwn\x07\n\xe2\x80\xae<script>=c|`[red]\xc2\x9b\xff")
"""A name that sets a terminal's title, breaks a line, turns the text, is markup of three kinds, is
a formula, begins another sequence, and is not UTF-8."""
SHOWN = r"\u202e<script>=c|`[red]\x9b\udcff"
"""Its second half, as it is shown."""
BOUND = BAD.replace("=", "")
TOY = "toy.hostile"
PLANS = "eai.virtualhome.action_sequencing"
FORMATS = ("table", "json", "csv", "markdown")


def assert_steers_nothing(result: Result) -> None:
    for text in (result.out, result.err):
        assert not {c for c in text if not c.isprintable()} - set("\n\t"), ascii(text)


def assert_one_line(result: Result) -> None:
    assert_steers_nothing(result)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("homebody: ")
    assert result.err.count("\n") == 1
    assert len(result.err) < 5_000


# --- A suite of another package -------------------------------------------------------------------


def score(task: str, output: str, protocol: Protocol) -> Score:
    if "raise" in output:
        raise ValueError(f"{BAD}{output}")
    record = {"identifier": task, "explanation": BAD, BAD: 1}
    return Score(task, {"success": 1.0}, record, valid=not task.startswith("out"))


def answer(task: str, generator: np.random.Generator) -> str:
    if "failing" in task:
        raise RuntimeError(BAD * 1_000)
    return BAD


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    ids = (f"1{BAD}", f"2{BAD}failing", f"out{BAD}")
    suite: Suite[str] = Suite(
        name=TOY,
        title=BAD,
        tasks=Tasks(load=lambda protocol: ids, identify=str, describe=lambda task: f"{BAD}{task}"),
        scoring=Scoring(
            protocols={"corrected": CORRECTED, BAD: Protocol(BAD)},
            score=score,
            bounds={BOUND: 3},
            score_within=lambda bounds: score,
        ),
        reporting=Reporting(means={f"Mean {BAD}": "success"}, tallies={f"Tally {BAD}": BAD}),
        prompting=Prompting(prompt=lambda task: f"two\n\tlines {task}", system=lambda: BAD),
        text_agents={BAD: TextAgent(answer)},
    )
    register_suite(suite)
    yield suite
    registry._REGISTERED.pop(TOY)


def test_a_suites_words(homebody: Homebody, toy: Suite[str]) -> None:
    listed = homebody("list")
    assert_steers_nothing(listed)
    assert SHOWN in listed.out
    tasks = homebody("list", TOY)
    assert_steers_nothing(tasks)
    assert len(tasks.out.splitlines()) == 3
    prompt = homebody("show", TOY, toy.tasks.load(CORRECTED)[0])
    assert_steers_nothing(prompt)
    assert "two\n\tlines 1" in prompt.out


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("protocol", ["corrected", BAD], ids=["usual", "bad"])
def test_a_run_of_it(
    form: str, protocol: str, homebody: Homebody, toy: Suite[str], tmp_path: Path
) -> None:
    """An agent fails on one task, another is left out; both are told."""
    how = ["-a", BAD, "-p", protocol, "-f", form, "--bound", f"{BOUND}=2", "--workers", "1"]
    result = homebody("run", TOY, *how, "-o", f"out{BAD}", "--log-dir", f"logs{BAD}")
    assert_steers_nothing(result)
    assert result.code == 1, result.err
    assert result.err.count("note: ") == result.err.count("\n") == 2
    assert len(result.err) < 5_000
    (outputs,) = (tmp_path / f"out{BAD}").glob("*_outputs.json")
    for command in (["score", TOY, outputs, "-f", form], ["results", f"out{BAD}"]):
        again = homebody(*command)
        assert_steers_nothing(again)
        assert again.out


def test_packages_that_cannot_be_loaded(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    points = {"toy.escape\x1b[31m": "toyhostile:SUITE", "toy.raises": "toyhostile:SUITE"}
    install(tmp_path, "toys", points, toyhostile=f"raise OSError({BAD!a})")
    registry.list_entry_points.cache_clear()
    try:
        assert_steers_nothing(homebody("list"))
        assert_one_line(homebody("list", "toy.raises"))
    finally:
        registry.list_entry_points.cache_clear()


# --- What is given on the command line ------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize(
    "command",
    [
        [BAD],
        [f"--{BAD}"],
        ["list", BAD],
        ["show", BAD, "1"],
        ["show", "partnr.val", BAD],
        ["show", "partnr.val", "val-18-0", "--set", BAD],
        ["show", "partnr.val", "val-18-0", "--set", f"{BAD}=1"],
        ["show", "partnr.val", "val-18-0", "--set", f"human={BAD}"],
        ["show", "partnr.val", "val-18-0", "--driver", BAD],
        ["run", BAD, "-a", "expert"],
        ["run", "partnr.val", "-a", BAD],
        ["run", "partnr.val", "-m", BAD],
        ["run", "partnr.val", "-m", f"mockllm/{BAD}", "--role", f"human={BAD}"],
        ["run", "partnr.val", "-m", f"mockllm/{BAD}", "--role", f"{BAD}=mockllm/x"],
        ["run", "partnr.val", "-m", f"mockllm/{BAD}", "--role", BAD],
        ["run", "partnr.val", "-m", f"mockllm/{BAD}", "--driver", BAD],
        ["run", "partnr.val", "-a", "expert", "-p", BAD],
        ["run", "partnr.val", "-a", "expert", "-f", BAD],
        ["run", "partnr.val", "-a", "expert", "--task", BAD],
        ["run", "partnr.val", "-a", "expert", "--bound", BAD],
        ["run", "partnr.val", "-a", "expert", "--bound", "\x1b[31m=2"],
        ["run", "partnr.val", "-a", "expert", "--limit", BAD],
        ["run", "partnr.val", "-a", "expert", "--log-dir", "file\x1b[31m\n"],
        ["run", "partnr.val", "-a", "expert", "-o", "file\x1b[31m\n"],
        ["score", BAD, "file\x1b[31m\n"],
        ["score", "partnr.val", BAD],
        ["score", "partnr.val", "file\x1b[31m\n"],
        ["score", "partnr.val", "other\x1b[31m_outputs.json"],
        ["results", BAD],
        ["data", BAD],
        ["data", "fetch", BAD],
        ["data", "fetch", "eai", "--wheel", "file\x1b[31m\n", "--force"],
        ["data", "fetch", "eai", "--wheel", BAD, "--force"],
        ["data", "summary", BAD],
        ["data", "audit", BAD],
        ["analyse", "difficulty", "eai.virtualhome.action_sequencing", BAD],
        ["analyse", "sensitivity", BAD],
        ["analyse", "sensitivity", BAD, "--suite", BAD],
        ["analyse", "categories", "--dataset", BAD],
        ["house", "new", "a.json", "--kind", BAD],
        ["house", "new", "a.json", "--rooms", BAD],
        ["house", "new", f"none{BAD}/a.json"],
        ["house", "show", BAD],
        ["house", "show", "file\x1b[31m\n"],
        ["house", "show", "0", "--room", BAD],
        ["house", "render", "0", "--room", BAD],
        ["house", "render", "0", "--at", BAD],
        ["house", "render", "0", "--at", "1,1", "--size", BAD],
        ["house", "render", "0", "--mesh", BAD],
        ["house", "render", "0", "--mesh", f"{BAD}=a.glb"],
        ["house", "render", "0", "--mesh", f"chair={BAD}.glb"],
        ["house", "export", "0", "-o", f"none{BAD}/a.glb"],
        ["partnr", "show", "partnr.val", BAD],
        ["partnr", "show", BAD, "1"],
        ["partnr", "stats", "file\x1b[31m\n"],
        ["partnr", "check", BAD],
        ["partnr", "check", "partnr.val", "--engine", BAD],
        ["partnr", "draw", "partnr.val", "val-18-0", "-o", BAD],
        ["run", "partnr.val", "-o", "a", "-a", BAD],
        ["run", "partnr.val", "--tasks", "file\x1b[31m\n", "-a", "idle"],
        ["partnr", "traces", "other\x1b[31m_outputs.json", "-o", "a.jsonl"],
        ["partnr", "traces", BAD, "-o", BAD],
        ["partnr", "finetune", BAD, "-o", "a.jsonl", "--agent", BAD],
        ["partnr", "generate", f"out{BAD}", "--split", BAD],
        ["partnr", "generate", f"out{BAD}", "--seeds", BAD],
        ["partnr", "generate", f"out{BAD}", "--seeds", "file\x1b[31m\n"],
        ["partnr", "generate", "file\x1b[31m\n"],
    ],
    ids=lambda command: ascii(" ".join(command).replace(BAD, "BAD"))[1:-1],
)
def test_a_mistake_is_one_line(command: list[str], homebody: Homebody, tmp_path: Path) -> None:
    (tmp_path / "file\x1b[31m\n").write_bytes(b"\x1b[31m no JSON \xff")
    other = [{"identifier": BAD * 10_000, "llm_output": BAD}]
    (tmp_path / "other\x1b[31m_outputs.json").write_text(json.dumps(other))
    assert_one_line(homebody(*command))


# --- Files ----------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize(
    "command", [["score", PLANS], ["score", PLANS, "--reference"], ["analyse", "difficulty", PLANS]]
)
def test_names_of_files_of_outputs(
    form: str, command: list[str], homebody: Homebody, tmp_path: Path
) -> None:
    for name in (BAD, "=1+1", "_x", "[red]"):
        outputs = [{"identifier": "27_2", "llm_output": BAD}]
        (tmp_path / f"{name}_outputs.json").write_text(json.dumps(outputs))
    more = ["-o", f"out{BAD}"] if command[0] == "score" else ["--plot", f"a{BAD}.png"]
    result = homebody(*command, tmp_path, "-f", form, *more)
    assert_steers_nothing(result)
    assert result.code == 0, result.err
    assert not any(line.startswith("=") for line in result.out.splitlines()) or form == "table"
    if form == "json":
        document = json.loads(result.out)
        models = document["models"] if command[0] == "score" else document
        assert BAD in {each["model"] for each in models}


def test_an_episode(homebody: Homebody, tmp_path: Path) -> None:
    one = next(iter(files.read_file(files.find_own_file("partnr.val"))))
    nasty = BAD.encode("utf-8", "replace").decode()  # files of episodes are UTF-8
    wrong = replace(one, id=nasty, instruction=f"{nasty}\n{one.instruction}", scene=nasty)
    files.write_file(tmp_path / "a.jsonl", [replace(wrong, scene=one.scene), wrong])
    for command in (["show", "a.jsonl", nasty], ["stats", "a.jsonl", "-f", "json"]):
        assert_steers_nothing(homebody("partnr", *command))
    checked = homebody("partnr", "check", "a.jsonl", "--engine", "serial")
    assert_steers_nothing(checked)
    assert checked.code == 1
    assert_steers_nothing(homebody("run", "partnr.val", "--tasks", "a.jsonl", "-a", "idle"))
    drawn = homebody("partnr", "draw", "a.jsonl", nasty)
    assert_steers_nothing(drawn)
    assert drawn.code == 0, drawn.err


@pytest.mark.slow
def test_a_house(homebody: Homebody) -> None:
    name = f"{BAD}.json"
    for command in (
        ["new", name],
        ["show", name],
        ["render", name, "-o", f"{BAD}.png"],
        ["export", name, "-o", f"{BAD}.glb"],
    ):
        result = homebody("house", *command)
        assert_steers_nothing(result)
        assert result.code == 0, result.err


# --- Errors of ours -------------------------------------------------------------------------------

RAISES = """
import sys
from homebody import cli
from homebody.cli import data
def fail(*args, **options): raise ValueError(BAD)
data.read_format = fail
sys.argv = ["homebody", "data", "audit", "eai"]
cli.main()
"""


def test_a_traceback() -> None:
    code = RAISES.replace("BAD", ascii(BAD))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.returncode == 1
    text = done.stderr.decode()
    assert_steers_nothing(Result(1, done.stdout.decode(), text))
    assert text.startswith("Traceback (most recent call last):\n")
    assert "in fail" in text
    assert SHOWN in text.splitlines()[-1]
