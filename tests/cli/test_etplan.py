"""`homebody etplan`, and `homebody run` with tasks of one's own."""

from __future__ import annotations

import json
from pathlib import Path

from command import Homebody
from homebody.suites.etplan.tasks import decode_lines
from worlds.virtualhome.scene_graphs import household, raw


def test_tasks_in_a_scene_graph_are_made_and_run(homebody: Homebody, tmp_path: Path) -> None:
    graph, tasks = tmp_path / "graph.json", tmp_path / "tasks.jsonl"
    graph.write_bytes(household())
    made = homebody(
        "etplan", "generate", tasks, "--graph", graph, "--tasks", "3", "--engine", "serial"
    )
    assert made.code == 0, made.err
    assert "navigation: 3" in made.out
    some = decode_lines(tasks.read_bytes())
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


def test_own_tasks_are_of_suites_that_read_them(homebody: Homebody, tmp_path: Path) -> None:
    empty = tmp_path / "tasks.jsonl"
    empty.write_text("")
    for suite, said in (
        ("etplan", "has no tasks of etplan"),
        ("house.bring", "only its own tasks"),
    ):
        run = homebody("run", suite, "--tasks", empty, "--agent", "idle")
        assert run.code == 2
        assert said in run.err
