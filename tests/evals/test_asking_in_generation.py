"""`homebody partnr generate --model`, and of etplan: tasks by a scripted model on the real path."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from authoring.partnr.scribe import NOWHERE, Scribe
from command import caller
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.splits import scenes
from homebody.goals.partnr import read_episode
from homebody.suites.etplan.tasks import decode_tasks
from homebody.suites.partnr.episodes import files
from model_server import refused
from patience import PATIENCE, wait_until
from worlds.virtualhome.scene_graphs import household

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
Generate = Callable[..., tuple[int, str, str]]
CODE = "from homebody.cli import main; main()"


@pytest.fixture
def generate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Generate:
    call = caller(capsys, monkeypatch, "partnr", "generate")
    return lambda *args: astuple(call(*args))


@pytest.fixture
def scribe(server: ModelServer) -> Scribe:
    scribe = Scribe(scenes("val"))
    server.converse = scribe.converse
    return scribe


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four verified episodes, one of each type."""
    path = tmp_path_factory.mktemp("seeds") / "seeds.jsonl.gz"
    files.write_file(path, (make("train", 0, index)[0] for index in range(4)))
    return path


def drafts(folder: Path) -> list[dict[str, Any]]:
    _, *lines = (folder / "drafts.jsonl").read_text().splitlines()  # the first is the header
    return [json.loads(line) for line in lines]


@pytest.mark.slow
def test_episodes_come_out_and_rejections_are_counted(
    generate: Generate, server: ModelServer, scribe: Scribe, tmp_path: Path
) -> None:
    scribe.bad = {0: "I would rather not.", 2: json.dumps([NOWHERE])}
    scribe.wrong = 2
    command = (tmp_path / "out", "--split", "val", "--episodes", 8, "--model", server.model)
    code, out, err = generate(*command, "--concurrency", 3)
    assert code == 0, err
    episodes = list(files.read_file(tmp_path / "out" / "episodes.jsonl.gz"))
    assert len({one.id for one in episodes}) == len({one.instruction for one in episodes}) == 8
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["counts"]["episodes"] == 8
    assert report["counts"]["rejected"] == {
        "hallucination": 1,
        "incorrect object/furniture/room": 2,
        "unreadable": 1,
    }
    assert report["calls"] == len(server.requests) == sum(scribe.asked.values())
    assert report["plan"]["author"] == server.model
    assert report["reproducible"] is False
    assert "8 episodes of val" in out
    assert "unreadable" in out
    assert "66.7% of drafts accepted" in out
    assert f"{report['calls']} calls; a model's episodes are not reproducible" in out
    # an example is shown with the first step, and the house with what a model invents
    assert any(one["messages"][-2]["role"] == "assistant" for one in server.requests)
    # who asks again gets the same, and no model is asked
    before = len(server.requests)
    assert generate(*command)[1] == out
    assert len(server.requests) == before
    code, _, err = generate(tmp_path / "out", "--split", "val", "--episodes", 8)
    assert code == 2
    assert "was started with author" in err


@pytest.mark.slow
def test_seeds_are_adapted_by_the_model(
    generate: Generate, server: ModelServer, scribe: Scribe, seeds: Path, tmp_path: Path
) -> None:
    options = ("--split", "val", "--episodes", 4, "--model", server.model, "--concurrency", 1)
    code, out, err = generate(tmp_path / "out", *options, "--seeds", seeds)
    assert code == 0, err
    assert "4 episodes of val in 4 houses" in out
    shown = [str(one["messages"][-1]["content"]) for one in server.requests]
    asked = [text for text in shown if "This task is from another house" in text]
    assert len(asked) == scribe.asked["tasks"] == 4
    for one in files.read_file(seeds):  # each was shown once, without what it was made of
        assert sum(json.dumps(one.instruction)[1:-1] in text for text in asked) == 1
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert report["plan"]["author"].startswith(f"{server.model} with seeds ")


@pytest.mark.slow
def test_an_error_of_the_model_is_one_line_and_what_is_done_stays(
    generate: Generate, server: ModelServer, scribe: Scribe, seeds: Path, tmp_path: Path
) -> None:
    def converse(said: list[tuple[str, str]]) -> str:
        if scribe.asked["tasks"] == 4:
            server.fail = [401] * 100
        return scribe.converse(said)

    server.converse = converse
    options = ("--split", "val", "--episodes", 6, "--seeds", seeds, "--model", server.model)
    command = (tmp_path / "out", *options)
    code, out, err = generate(*command, "--concurrency", 1)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "out of order" in err
    done = list(files.read_file(tmp_path / "out" / "episodes.jsonl.gz"))
    assert 3 <= len(done) < 6
    server.fail, server.converse = [], scribe.converse
    code, out, err = generate(*command)
    assert code == 0, err
    episodes = {one.id: one for one in files.read_file(tmp_path / "out" / "episodes.jsonl.gz")}
    assert len(episodes) == 6
    assert all(episodes[one.id] == one for one in done)


def test_nothing_stays_where_nothing_was_done(
    generate: Generate, server: ModelServer, seeds: Path, tmp_path: Path
) -> None:
    server.fail = [401] * 100
    out = tmp_path / "out"
    code, _, err = generate(out, "--episodes", 2, "--seeds", seeds, "--model", server.model)
    assert code == 2
    assert "out of order" in err
    assert [one.name for one in out.iterdir() if not one.name.startswith(".")] == []


def test_what_a_provider_says_of_a_conversation_too_long_is_no_draft(
    generate: Generate, server: ModelServer, scribe: Scribe, seeds: Path, tmp_path: Path
) -> None:
    server.respond = lambda body: refused(400, "too many tokens", "context_length_exceeded")
    out = tmp_path / "out"
    options = ("--split", "val", "--episodes", 2, "--seeds", seeds, "--model", server.model)
    code, _, err = generate(out, *options)
    assert code == 2
    assert "the model could not be queried: context too long: " in err
    server.respond = lambda body: None
    assert generate(out, *options)[0] == 0
    assert all("tokens" not in draft.get("why", "") for draft in drafts(out))


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(
    "how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
@pytest.mark.slow
def test_what_was_verified_survives_a_kill(
    how: signal.Signals,
    generate: Generate,
    server: ModelServer,
    scribe: Scribe,
    seeds: Path,
    tmp_path: Path,
) -> None:
    hold = threading.Event()

    def converse(said: list[tuple[str, str]]) -> str:
        if scribe.asked["tasks"] >= 4 and said[0][1].startswith("You invent"):
            hold.wait(PATIENCE)  # so that some are under way when it ends
        return scribe.converse(said)

    server.converse = converse
    out = tmp_path / "out"
    options = ["--split", "val", "--episodes", "6", "--seeds", str(seeds)]
    options += ["--model", server.model, "--concurrency", "2"]
    with subprocess.Popen(
        [
            sys.executable,
            "-c",
            CODE,
            "partnr",
            "generate",
            str(out),
            *options,
            "--concurrency",
            "2",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        path = out / "drafts.jsonl"
        wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 4, process)
        process.send_signal(how)
        _, err = process.communicate(timeout=PATIENCE / 2)  # not waiting for answers under way
    hold.set()
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert err == "homebody: interrupted; run the same command to resume\n"
        assert len(list(files.read_file(out / "episodes.jsonl.gz"))) == len(drafts(out))
    before = path.read_bytes()
    before = before[: before.rfind(b"\n") + 1]
    with path.open("ab") as file:
        file.write(b'{"scene": 18, "kind": "spat')  # as a kill may leave
    server.converse = scribe.converse
    code, _, err = generate(out, *options)
    assert code == 0, err
    assert path.read_bytes().startswith(before)
    episodes = [read_episode(one["episode"]) for one in drafts(out) if "episode" in one]
    assert len({one.id for one in episodes}) == 6
    written = list(files.read_file(out / "episodes.jsonl.gz"))
    assert sorted(written, key=lambda one: one.id) == sorted(episodes, key=lambda one: one.id)


@pytest.mark.slow
def test_tasks_of_etplan_are_reviewed_by_the_model(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    server: ModelServer,
    tmp_path: Path,
) -> None:
    graph, out = tmp_path / "graph.json", tmp_path / "tasks.jsonl"
    graph.write_bytes(household())
    homebody = caller(capsys, monkeypatch, "etplan", "generate", str(out), "--graph", str(graph))
    command = ("--tasks", "2", "--engine", "serial", "--model", server.model)
    unread: dict[str, int] = {}  # the one prompt whose answer is of no use -> its drafts
    one_at_a_time = threading.Lock()  # several are asked at once, and some of a failed command late

    def answer(prompt: str) -> str:
        drafts = re.findall(r"^(\d+)\. (.*)$", prompt, re.MULTILINE)
        opinions = [
            {"task": int(number), "reasonable": "apple" not in text, "words": f"Now: {text}"}
            for number, text in drafts
        ]
        with one_at_a_time:
            if not unread:
                unread[prompt] = len(drafts)
        return "As you wish." if prompt in unread else json.dumps(opinions)

    server.fail = [401] * 99
    failed = homebody(*command)
    assert (failed.code, len(failed.err.splitlines())) == (2, 1), failed.err
    assert "out of order" in failed.err
    assert not out.exists()
    server.requests.clear()
    server.fail, server.answer = [], answer
    made = homebody(*command)
    assert made.code == 0, made.err
    [number] = unread.values()
    assert f"{number} drafts in the built-in author's words, because the model's" in made.out
    assert "drafts rejected by the model" in made.out
    tasks = decode_tasks(out.read_bytes())
    assert any(task.instruction.startswith("Now: ") for task in tasks)
    before, asked = out.read_bytes(), len(server.requests)
    server.fail = [401] * 9
    assert homebody(*command).code == 0, "its answers are known"
    assert (out.read_bytes(), len(server.requests)) == (before, asked)
