"""What a run leaves: a summary as the published one, and a line per output, whatever is in it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homebody.core import CORRECTED, HomebodyError, Measure, Reporting, Suite
from homebody.results.outputs import Output
from homebody.results.scoring import score_outputs
from homebody.results.writing import write_results
from homebody.suites import get_suite

ACTION_SEQUENCING = "eai.virtualhome.action_sequencing"
GOAL_INTERPRETATION = "eai.virtualhome.goal_interpretation"


def lines_of(path: Path) -> list[dict[str, Any]]:
    text = path.read_bytes()
    assert text.endswith(b"\n")
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def test_results_are_a_summary_and_a_line_per_output(suite: Suite[str], tmp_path: Path) -> None:
    made = [Output("t1", "yes"), Output("t2", "no!"), Output("t1", "-")]
    scores = score_outputs(suite, made, CORRECTED).scores
    summary = write_results(tmp_path / "new" / "m", suite, scores, CORRECTED)
    assert summary == {"rates": {"right": 50.0, "wrong": 50.0}}
    assert json.loads((tmp_path / "new/m/summary.json").read_text()) == summary
    lines = lines_of(tmp_path / "new/m/samples.jsonl")
    assert [line.pop("metrics") for line in lines] == [{"right": x} for x in (1.0, 0.0, 0.0)]
    assert lines.pop() == {
        **{"identifier": "t1", "epoch": 2, "right": False, "slips": 0, "cluster": "t1"},
        **{"valid": False, "protocol": "corrected"},
    }
    assert lines == [
        {"identifier": name, "epoch": epoch, "right": right, "slips": slips, "cluster": name}
        | {"protocol": "corrected"}
        for name, epoch, right, slips in (
            ("t1", 1, True, 0),
            ("t2", 1, False, 1),
        )
    ]
    files = ["run.json", "samples.jsonl", "samples.parquet", "summary.json"]
    assert sorted(os.listdir(tmp_path / "new/m")) == files


def test_a_suite_without_a_summary_of_its_own_has_the_means(suite: Suite[str]) -> None:
    reporting = Reporting(means={"Right": "right"}, measures={"Slips": Measure("slips")})
    plain = replace(suite, reporting=reporting)
    made = [Output("t1", "yes"), Output("t2", "no!")]
    summary = plain.summarise(score_outputs(suite, made, CORRECTED).scores)
    assert summary == {"tasks": 2, "right": 0.5, "slips": 0.5}


def test_results_replace_older_ones(suite: Suite[str], tmp_path: Path) -> None:
    for made in ([Output("t1", "yes"), Output("t2", "yes")], [Output("t3", "yes")]):
        write_results(tmp_path, suite, score_outputs(suite, made, CORRECTED).scores, CORRECTED)
    assert [line["identifier"] for line in lines_of(tmp_path / "samples.jsonl")] == ["t3"]


def test_results_that_cannot_be_written(suite: Suite[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomebodyError, match="cannot write to"):
        write_results(tmp_path / "file" / "m", suite, [], CORRECTED)


PUBLISHED_KEYS = {
    ACTION_SEQUENCING: {
        ("goal_evaluation", "task_success_rate"),
        ("goal_evaluation", "state_goal"),
        ("goal_evaluation", "relation_goal"),
        ("goal_evaluation", "action_goal"),
        ("goal_evaluation", "total_goal"),
        ("trajectory_evaluation", "execution_success_rate"),
        ("trajectory_evaluation", "grammar_error", "parsing"),
        ("trajectory_evaluation", "grammar_error", "hallucination"),
        ("trajectory_evaluation", "grammar_error", "predicate_argument_number"),
        ("trajectory_evaluation", "runtime_error", "wrong_order"),
        ("trajectory_evaluation", "runtime_error", "missing_step"),
        ("trajectory_evaluation", "runtime_error", "affordance_error"),
        ("trajectory_evaluation", "runtime_error", "additional_step"),
    },
    GOAL_INTERPRETATION: {
        (f"{kind}_{metric}",)
        for kind in ("node", "edge", "action", "all")
        for metric in ("precision", "recall", "f1")
    },
}
"""The summary.json that eai-eval 1.0.5 writes."""


def key_paths(value: Any, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """The path of every number in nested dicts."""
    if not isinstance(value, dict):
        return {path}
    return {found for key, item in value.items() for found in key_paths(item, (*path, key))}


@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("name", [ACTION_SEQUENCING, GOAL_INTERPRETATION])
@pytest.mark.parametrize("rules", ["published", "corrected"])
def test_the_official_summary_has_the_published_keys(name: str, rules: str, tmp_path: Path) -> None:
    suite = get_suite(name)
    protocol = suite.protocol(rules)
    scores = score_outputs(suite, [Output("27_2", "")], protocol).scores
    write_results(tmp_path, suite, scores, protocol)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert key_paths(summary) == PUBLISHED_KEYS[name]


HOSTILE = [
    "",
    "{}",
    '{"WALK": ["table", 9]}',
    '{"W\ud800": ["x"]}',
    '{"W\\ud800": ["x"]}',
    '{"WALK": ["\\ud800", 1]}',
    '{"state goals": [{"name": "\\ud800", "state": "ON"}]}',
    '{"node goals": [{"name": "\\ud800", "state": "ON"}]}',
    "[" * 100_000,
    '{"WALK": [1' + "0" * 5000 + "]}",
]


@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("name", [ACTION_SEQUENCING, GOAL_INTERPRETATION])
@pytest.mark.parametrize("rules", ["published", "corrected"])
def test_whatever_a_model_writes_can_be_kept(
    name: str, rules: str, text: str, tmp_path: Path
) -> None:
    suite = get_suite(name)
    protocol = suite.protocol(rules)
    scores = score_outputs(suite, [Output("27_2", text)], protocol).scores
    write_results(tmp_path, suite, scores, protocol)
    (line,) = lines_of(tmp_path / "samples.jsonl")
    assert line["identifier"] == "27_2"


@pytest.mark.usefixtures("eai_data")
def test_a_line_says_what_went_wrong_and_where(tmp_path: Path) -> None:
    suite = get_suite(ACTION_SEQUENCING)
    plan = '{"FIND": ["soap", 1002], "OPEN": ["soap", 1002]}'
    scores = score_outputs(suite, [Output("27_2", plan)], CORRECTED).scores
    write_results(tmp_path, suite, scores, CORRECTED)
    (line,) = lines_of(tmp_path / "samples.jsonl")
    assert line["success"] is False
    assert line["executable"] is False
    assert line["error_type"] == "affordance_error"
    assert line["error_action"] == "OPEN(soap.1002)"
    assert line["error_step"] == 2
    assert line["goals_met"] == {"state": [2, 3], "relation": [0, 2], "action": [0, 0]}
    assert line["protocol"] == "corrected"
    assert "OPEN(soap.1002)" in line["explanation"]
