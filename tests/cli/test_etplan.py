"""`homebody etplan`, and `homebody run` with tasks of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from command import Homebody
from homebody.suites.etplan.tasks import EtplanTask, decode_tasks, encode_tasks, load
from homebody.suites.etplan.training import collect_samples
from suites.etplan.released_files import write
from worlds.virtualhome.scene_graphs import household, raw


@pytest.mark.slow
def test_tasks_in_a_scene_graph_are_made_and_run(homebody: Homebody, tmp_path: Path) -> None:
    graph, tasks = tmp_path / "graph.json", tmp_path / "tasks.jsonl"
    graph.write_bytes(household())
    made = homebody(
        "etplan", "generate", tasks, "--graph", graph, "--tasks", "3", "--engine", "serial"
    )
    assert made.code == 0, made.err
    assert "navigation: 3" in made.out
    some = decode_tasks(tasks.read_bytes())
    assert {task.house for task in some} == {some[0].house}
    out = tmp_path / "out"
    run = homebody(
        "run", "etplan", "--tasks", tasks, "--agent", "oracle", "--out", out,
        "--log-dir", tmp_path / "logs", "--format", "json",
    )  # fmt: skip
    assert run.code == 0, run.err
    rows = json.loads(run.out)["models"]
    assert {row["model"] for row in rows} >= {"navigation", "manipulation", "several_two_arms"}
    assert all(row["values"]["Success"] == 100.0 for row in rows), rows


def test_what_is_no_graph_is_a_sentence(homebody: Homebody, tmp_path: Path) -> None:
    graph = tmp_path / "graph.json"
    graph.write_text(json.dumps({"nodes": raw()["nodes"][3:], "edges": []}))
    made = homebody("etplan", "generate", tmp_path / "t.jsonl", "--graph", graph)
    assert made.code == 2
    assert "graph.json: this scene graph has no rooms" in " ".join(made.err.split())


def test_tasks_are_written_to_files_that_say_what_they_are(
    homebody: Homebody, tmp_path: Path
) -> None:
    made = homebody("etplan", "generate", tmp_path / "t.txt")
    assert made.code == 2
    assert "t.txt is not a .jsonl or .jsonl.gz file" in " ".join(made.err.split())


def test_own_tasks_are_of_suites_that_read_them(homebody: Homebody, tmp_path: Path) -> None:
    empty = tmp_path / "tasks.jsonl"
    empty.write_text("")
    for suite, said in (
        ("etplan", "has no tasks of etplan"),
        ("house.bring", "cannot read tasks from a file"),
    ):
        run = homebody("run", suite, "--tasks", empty, "--agent", "idle")
        assert run.code == 2
        assert said in run.err


def some_tasks(path: Path) -> tuple[EtplanTask, ...]:
    tasks = [*load("test")["navigation"][:3], load("test")["temporal"][1]]
    tasks = [msgspec.structs.replace(task, most_actions=0) for task in tasks]  # all are found
    path.write_bytes(encode_tasks(tasks, packed=False))
    return tuple(tasks)


def test_samples_are_questions_and_plans_of_one_split(homebody: Homebody, tmp_path: Path) -> None:
    tasks, out = tmp_path / "tasks.jsonl", tmp_path / "samples.jsonl"
    some = some_tasks(tasks)
    made = homebody("etplan", "samples", tasks, out, "--engine", "serial")
    assert made.code == 0, made.err
    assert "navigation: " in made.out
    assert "3 plans of 3 tasks" in made.out
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    plans = [each for task in some for each in collect_samples(task) if each.about == "plan"]
    assert len(plans) > 2
    assert [line["task"] for line in lines if line["about"] == "plan"] == [
        plan.task.id for plan in plans
    ]
    questions = sum(line["about"] != "plan" for line in lines)
    assert f"samples.jsonl: {questions} queries of test" in " ".join(made.out.split())
    assert all(len(line["messages"]) == 2 for line in lines)
    itself = homebody("etplan", "samples", tasks, tasks)
    assert itself.code == 2
    assert "give another file" in " ".join(itself.err.split())
    assert decode_tasks(tasks.read_bytes()) == some
    (tmp_path / "nothing").mkdir()
    none = homebody(
        "etplan", "samples", tasks, tmp_path / "no.jsonl", "--run", tmp_path / "nothing"
    )
    assert none.code == 2
    assert "no training data" in " ".join(none.err.split())
    assert not (tmp_path / "no.jsonl").exists()
    other = msgspec.structs.replace(some[0], id="other", house=0)
    tasks.write_bytes(encode_tasks((*some, other), packed=False))
    mixed = homebody("etplan", "samples", tasks, out)
    assert mixed.code == 2
    assert "no split, or to more than one" in mixed.err


def test_released_tasks_are_placed_in_a_graph(homebody: Homebody, tmp_path: Path) -> None:
    graph, tasks = tmp_path / "graph.json", tmp_path / "tasks.jsonl"
    graph.write_bytes(household())
    made = homebody("etplan", "released", write(tmp_path), tasks, "--graph", graph)
    assert made.code == 0, made.err
    assert "released tasks" in made.out
    assert decode_tasks(tasks.read_bytes())
    assert tasks.with_name("tasks.jsonl.reasons.txt").exists()
