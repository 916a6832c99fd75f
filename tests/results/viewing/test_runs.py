"""Runs are read from what was written, with what their logs add; nothing in a file is trusted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from homebody.core import HomebodyError, Message, SampleError, Suite
from homebody.core.score import Usage
from homebody.results.rows import make_row
from homebody.results.viewing.runs import Log, read_runs
from own_suites import in_place
from toy_runs import NAME, chores, keep


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    suite = chores()
    with in_place([suite]):
        yield suite


def test_a_run_is_what_was_written(toy: Suite[str], tmp_path: Path) -> None:
    error = SampleError("room-5", 1, "provider_error", "500: down")
    folder = keep(
        tmp_path, toy, "a/b", ["yes", "half", "no", "-"], errors=[error], usage=Usage(3, 4)
    )
    (run,), wrong = read_runs([folder])
    assert wrong == []
    assert (run.name, run.suite.name, run.protocol.name) == ("a/b", NAME, "corrected")
    assert run.id == f"{NAME}.a_b"
    assert run.outputs[("room-1", 1)] == "half"
    assert [score.valid for score in run.scores] == [True, True, True, False]
    assert run.scores[0].usage == Usage(3, 4)
    assert run.scores[0].cluster == "house 0"
    assert run.errors == (error,)
    assert len(run.records) == run.total
    again = [toy.score(f"room-{n}", text) for n, text in enumerate(["yes", "half", "no", "-"])]
    assert make_row("a", toy, run.scores).errors == make_row("a", toy, again).errors


def test_what_was_said_is_from_the_log_of_the_same_run(toy: Suite[str], tmp_path: Path) -> None:
    folder = keep(tmp_path, toy, "m", ["yes"])
    (plain,), _ = read_runs([folder])
    said = {("room-0", 1): (Message("user", "Sweep."), Message("assistant", "yes"))}
    same = {k: v for k, v in plain.made.items() if k not in ("homebody", "data")}
    log = Log(tmp_path / "x.eval", {**same, "version": "0.0.1"}, 1, (), {}, said)
    other = Log(tmp_path / "y.eval", {**same, "seed": 1}, 2, plain.records, {}, {})
    runs, wrong = read_runs([folder], [log, other])
    assert wrong == []
    assert len({run.id for run in runs}) == 2
    assert [dict(run.messages) for run in runs] == [said, {}]
    assert [len(run.records) < run.total for run in runs] == [False, True]


def test_outputs_are_matched_by_task_where_samples_have_no_score(
    toy: Suite[str], tmp_path: Path
) -> None:
    folder = keep(tmp_path, toy, "m", ["yes", "half"])
    lines = [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]
    lines[0]["epoch"] = 2  # its first try was never answered
    (folder / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (run,), _ = read_runs([folder])
    assert run.outputs[("room-0", 2)] == "yes"
    assert "do not belong together" in run.note


@pytest.mark.parametrize(
    "text",
    ["[]\n", '{"identifier": 3}\n', "{\n", '{"identifier": "a", "epoch": "b"}\n', "[" * 9999],
)
def test_what_is_damaged_costs_the_others_nothing(
    toy: Suite[str], tmp_path: Path, text: str
) -> None:
    good, bad = keep(tmp_path, toy, "good", ["yes"]), keep(tmp_path, toy, "bad", ["yes"])
    (bad / "samples.jsonl").write_text(text)
    runs, wrong = read_runs([good, bad])
    assert [run.name for run in runs] == ["good"]
    assert "damaged" in str(wrong[0])


def test_a_suite_that_is_not_here_is_told_of(toy: Suite[str], tmp_path: Path) -> None:
    folder = keep(tmp_path, toy, "m", ["yes"])
    with in_place([]):
        record = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps({**record, "suite": "no.such.suite"}))
        runs, wrong = read_runs([folder])
    assert runs == []
    assert isinstance(wrong[0], HomebodyError)
