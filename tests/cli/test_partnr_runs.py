"""``homebody partnr replay|traces|finetune``: from episodes to films, prompts and samples."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from command import Homebody
from homebody.results.outputs import Output, write_outputs
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.prompting import traces
from homebody.suites.partnr.prompting.traces import example_for, read_traces
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.suite import make_suite
from homebody.suites.partnr.tasks import load, read_tasks


@pytest.fixture
def train(tmp_path: Path) -> Path:
    """Three episodes in a file of their own."""
    path = tmp_path / "train.jsonl"
    files.write_file(path, [one.episode for one in load("val")[:3]])
    return path


@pytest.fixture
def outputs(train: Path, tmp_path: Path) -> Path:
    """What the expert does in them."""
    path, suite = tmp_path / "expert_outputs.json", make_suite("val")
    runs = [Output(task.id, suite.answer("expert", task)) for task in read_tasks(train)]
    write_outputs(path, runs)
    return path


def test_episodes_of_a_file_are_played(
    homebody: Homebody, train: Path, outputs: Path, tmp_path: Path
) -> None:
    options = ("--tasks", train, "--agent", "expert", "--workers", "1", "-o", tmp_path / "out")
    run = homebody("run", "partnr.val", *options)
    assert run.code == 0, run.err
    assert (tmp_path / "out" / "expert_outputs.json").read_bytes() == outputs.read_bytes()
    train.write_bytes(2 * train.read_bytes())
    assert "two episodes have the id" in homebody("run", "partnr.val", *options).err


@pytest.mark.slow
def test_from_episodes_to_prompts_and_samples(
    partnr: Homebody, train: Path, outputs: Path, tmp_path: Path
) -> None:

    path = tmp_path / "traces.jsonl"
    made = partnr("traces", outputs, "-o", path, "--episodes", train, "--engine", "serial")
    assert made.code == 0, made.err
    assert "from 3 successful runs of 3" in made.out
    assert "note" not in made.err
    instructions = {one.instruction for one in files.read_file(train)}
    assert {one.instruction for one in read_traces(path)} == instructions
    episode = replace(
        next(iter(files.read_file(train))), instruction="Move the cups.", scene="another"
    )
    assert "Done[]" in example_for(str(path), episode, ("robot",))

    counts = {}
    for agent in ("robot", "human", "both"):
        path = tmp_path / f"{agent}.jsonl"
        options = ("-o", path, "--agent", agent, "--workers", "2")
        result = partnr("finetune", outputs, *options, "--episodes", train)
        assert result.code == 0, result.err
        chats = [json.loads(line)["messages"] for line in path.read_text().splitlines()]
        assert all(chat[-1]["content"].endswith("]") for chat in chats)
        counts[agent] = len(chats)
        if agent != "both":
            assert all(chat[0]["content"].startswith(f"You are the {agent}") for chat in chats)
    assert counts["both"] == counts["robot"] + counts["human"]


def test_outputs_of_the_suites_need_no_file(partnr: Homebody, tmp_path: Path) -> None:
    task = load("val")[0]
    text = make_suite("val").answer("expert", task)
    idle = PartnrSession(task).transcript().encode()
    write_outputs(tmp_path / "m_outputs.json", [Output(task.id, text), Output(task.id, idle)])
    path = tmp_path / "traces.jsonl"
    made = partnr("traces", tmp_path, "-o", path, "--engine", "serial")
    assert made.code == 0, made.err
    assert "from 1 successful runs of 2" in made.out
    assert "use episodes of train" in made.err


def test_a_bad_entry_costs_itself(
    partnr: Homebody, train: Path, outputs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "t.jsonl"
    good = json.loads(outputs.read_text())
    words = ("-o", path, "--episodes", train, "--engine", "serial")
    assert partnr("traces", outputs, *words).code == 0
    lines = path.read_text()
    bad = [{"identifier": good[0]["identifier"]}, 3, {"identifier": "nobody", "llm_output": ""}]
    outputs.write_text(json.dumps([bad[0], *good, *bad[1:]]))
    for command in ("traces", "finetune"):
        made = partnr(command, outputs, *words)
        assert made.code == 1
        assert "from 3 successful runs of 3" in made.out
        assert f"note: {outputs}: 3 samples failed" in made.err
        assert "no llm_output: entry 0 of the file" in made.err
        assert "not an episode of" in made.err
        if command == "traces":
            assert path.read_text() == lines


def test_no_more_traces_than_can_be_read(
    partnr: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = load("val")[0]
    text = make_suite("val").answer("expert", task)
    write_outputs(tmp_path / "m_outputs.json", [Output(task.id, text)] * 3)
    monkeypatch.setattr(traces, "MAX_TRACES", 2)
    made = partnr("traces", tmp_path, "-o", tmp_path / "t.jsonl", "--engine", "serial")
    assert made.code == 2
    assert "more than 2 traces" in made.err
    assert [path.name for path in tmp_path.iterdir()] == ["m_outputs.json"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("traces", "{missing}", "-o", "{lines}"), "file or folder not found"),
        (("traces", "{failed}", "-o", "{lines}", "--engine", "gpu"), "unknown engine: 'gpu'"),
        (("traces", "{outputs}", "-o", "{out}"), "name it *.jsonl"),
        (("traces", "{outputs}", "-o", "{lines}"), "not an episode of partnr.val or partnr.test"),
        (("traces", "{outputs}", "-o", "{lines}", "--episodes", "{file}"), "not an episode of"),
        (("traces", "{failed}", "-o", "{lines}", "--episodes", "{file}"), "none of the runs"),
        (("finetune", "{failed}", "-o", "{lines}", "--agent", "cat"), "unknown agent: 'cat'"),
    ],
)
def test_mistakes_are_one_line(
    partnr: Homebody, train: Path, tmp_path: Path, args: tuple[str, ...], message: str
) -> None:
    places = {
        "file": train,
        "missing": tmp_path / "missing",
        "out": tmp_path / "new_outputs.json",
        "lines": tmp_path / "new.jsonl",
        "outputs": tmp_path / "x_outputs.json",
        "failed": tmp_path / "y_outputs.json",
    }
    write_outputs(places["outputs"], [Output("nobody", "{}")])
    write_outputs(places["failed"], [Output(load("val")[0].id, "{}")])
    result = partnr(
        *(one.format(**places) for one in args),
        *(() if "--engine" in args else ("--engine", "serial")),
    )
    assert result.code == 2
    assert message in result.err
    assert result.err.count("\n") == 1
    assert not places["lines"].exists()
    assert not list(tmp_path.glob(".*"))  # no half


@pytest.mark.slow
def test_a_run_becomes_a_film_or_frames(
    partnr: Homebody, train: Path, outputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = tmp_path / "frames"
    first = next(files.read_file(train)).id
    given = ("replay", outputs, "--task", first, "--episodes", train, "--every", "60")
    made = partnr(*given, "-o", frames)
    assert made.code == 0, made.err
    assert f"s of {first}" in made.out
    drawn = sorted(path.name for path in frames.iterdir())
    assert drawn == [f"{number:04d}.png" for number in range(len(drawn))]
    assert len(drawn) > 1
    film = tmp_path / "run.gif"
    monkeypatch.setattr("homebody.suites.partnr.pictures.replay.MAX_FRAMES", 1)
    assert partnr(*given, "-o", film).code == 0
    with Image.open(film) as shown:
        assert shown.n_frames == 2  # one, and the end
        assert shown.size == Image.open(frames / "0000.png").size


def test_what_cannot_be_filmed_is_a_line(partnr: Homebody, train: Path, tmp_path: Path) -> None:
    first = next(files.read_file(train)).id
    outputs = tmp_path / "mine_outputs.json"
    write_outputs(outputs, [Output(first, "no transcript"), Output("val-0-0", "")])
    own = ("--episodes", train)
    for words, told in (
        ((outputs, "--task", first, "-o", "run.avi", *own), "unknown video format"),
        ((outputs, "--task", first, "-o", "run.gif", *own), "not a transcript"),
        ((outputs, "--task", first, "-o", "run.gif", "--epoch", 2, *own), "1 runs"),
        ((outputs, "--task", "val-0-0", "-o", "run.gif", *own), "episode 'val-0-0' is not in"),
        ((outputs, "--task", first, "-o", "run.gif", "--every", 0, *own), "--every is 0"),
        ((tmp_path / "none.json", "--task", first, "-o", "run.gif", *own), "none.json"),
    ):
        failed = partnr("replay", *words)
        assert (failed.code, len(failed.err.splitlines())) == (2, 1), failed.err
        assert told in failed.err
    assert not [*tmp_path.glob("run*")]


def test_what_talking_changes_is_printed(partnr: Homebody, tmp_path: Path) -> None:
    suite = make_suite("val")
    chosen = load("val")[100:102]
    for name, settings in (("silent", {}), ("radio", {"talk": "radio"})):
        runs = [Output(one.id, suite.answer("seeker", one, settings=settings)) for one in chosen]
        write_outputs(tmp_path / name / "seeker_outputs.json", runs)
    paths = tmp_path / "silent", tmp_path / "radio"
    found = partnr("talk", *paths, "--engine", "serial")
    assert found.code == 0, found.err
    rows = {line[:26].strip(): line[26:].split() for line in found.out.splitlines()[2:-1]}
    assert list(rows) == [
        "success, %",
        "steps, where both succeed",
        "conflicts",
        "rooms searched twice",
        "agreement, %",
        "messages",
    ]
    assert rows["success, %"][:3] == ["100.0", "100.0", "+0.0"]
    assert float(rows["messages"][0]) == 0 < float(rows["messages"][1])
    assert "are new" in found.out
    assert partnr("talk", paths[0], tmp_path / "none").code == 2
    write_outputs(tmp_path / "other" / "seeker_outputs.json", [Output("nothing", "{}")])
    assert "share no episode" in partnr("talk", paths[0], tmp_path / "other").err
