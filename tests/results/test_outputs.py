"""Files in the published formats: found, read (whatever is in them), scored and written."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, HomebodyError, Protocol, SampleError, Score, Suite
from homebody.results import outputs
from homebody.results.outputs import (
    Output,
    find_outputs,
    read_outputs,
    safe_name,
    score_outputs,
    write_outputs,
    write_results,
)
from homebody.results.rows import failed_note
from homebody.suites import get_suite

NAME = "toy.world.quiz"
ACTION_SEQUENCING = "eai.virtualhome.action_sequencing"
GOAL_INTERPRETATION = "eai.virtualhome.goal_interpretation"


def file_with(folder: Path, text: str | bytes, name: str = "m_outputs.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def entry(identifier: Any = "t1", llm_output: Any = "yes") -> dict[str, Any]:
    return {"identifier": identifier, "llm_output": llm_output}


def read_entries(folder: Path, *entries: Any) -> list[Output | SampleError]:
    return read_outputs(file_with(folder, json.dumps(list(entries))))


# --- Finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "model"),
    [("gpt-4o_outputs.json", "gpt-4o"), ("answers.json", "answers"), ("answers", "answers")],
)
def test_one_file_is_one_model(file: str, model: str, tmp_path: Path) -> None:
    path = file_with(tmp_path, "[]", file)
    assert find_outputs(path, NAME) == {model: path}


@pytest.mark.parametrize("where", [".", "world/quiz"])
def test_a_folder_holds_a_file_per_model(where: str, tmp_path: Path) -> None:
    b = file_with(tmp_path / where, "[]", "b_outputs.json")
    a = file_with(tmp_path / where, "[]", "a_outputs.json")
    file_with(tmp_path / where, "[]", "notes.json")
    found = find_outputs(tmp_path, NAME)
    assert found == {"a": a, "b": b}
    assert list(found) == ["a", "b"]


@pytest.mark.parametrize(
    ("files", "models"),
    [
        (["m_outputs.json", "m.json_outputs.json"], ["m.json", "m"]),
        (
            ["a_outputs.json", "m_outputs.json", "m.json_outputs.json"],
            ["a", "m.json", "m"],
        ),
        (
            ["m.json_outputs.json", "m_outputs.json", "m_outputs.json.json_outputs.json"],
            ["m.json", "m", "m_outputs_json"],
        ),
        (
            ["a_outputs.json", "a_.json_outputs.json", "a.json_outputs.json", "a__outputs.json"],
            None,
        ),
    ],
)
def test_names_that_would_be_the_same_are_told_apart(
    files: list[str], models: list[str] | None, tmp_path: Path
) -> None:
    """By names of folders that are none of a file beside them."""
    paths = {file_with(tmp_path, "[]", file) for file in files}
    found = find_outputs(tmp_path, NAME)
    assert list(found) == (models or list(found))
    assert set(found.values()) == paths
    assert not any(name.endswith("_outputs.json") for name in found)


def test_files_of_other_suites_are_not_taken(tmp_path: Path) -> None:
    file_with(tmp_path / "world" / "other_quiz", "[]")
    with pytest.raises(HomebodyError, match=r"holds no \*_outputs\.json file") as caught:
        find_outputs(tmp_path, NAME)
    assert "<model>_outputs.json" in caught.value.hint


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"there is no file or folder .*nowhere"):
        find_outputs(tmp_path / "nowhere", NAME)


@pytest.mark.parametrize("name", ["._m_outputs.json", ".._outputs.json", "_outputs.json"])
def test_hidden_and_nameless_files_are_no_model(name: str, tmp_path: Path) -> None:
    """Archives made on macOS hold ``._*`` files; a model ``..`` would write outside of --out."""
    model = file_with(tmp_path, "[]", "m_outputs.json")
    file_with(tmp_path, "[]", name)
    assert find_outputs(tmp_path, NAME) == {"m": model}


# --- Reading --------------------------------------------------------------------------------------


def test_outputs_are_read_in_order_and_repeats_are_kept(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry("t2", "no"), entry("t1"), entry("t2", "yes")) == [
        Output("t2", "no"),
        Output("t1", "yes"),
        Output("t2", "yes"),
    ]


@pytest.mark.parametrize("keys", [{"prompt": "Say yes."}, {"ability": None, "gold": [1]}])
def test_other_keys_are_passed_over(keys: dict[str, Any], tmp_path: Path) -> None:
    assert read_entries(tmp_path, {**entry(), **keys}) == [Output("t1", "yes")]


@pytest.mark.parametrize("value", [{"WALK": ["table", 9]}, ["yes"], [], True, 1.5])
def test_an_output_that_is_no_text_becomes_text(value: Any, tmp_path: Path) -> None:
    (output,) = read_entries(tmp_path, entry(llm_output=value))
    assert isinstance(output, Output)
    assert json.loads(output.text) == value


def test_no_output_is_an_empty_text(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry(llm_output=None)) == [Output("t1", "")]


def test_a_number_as_identifier_becomes_text(tmp_path: Path) -> None:
    assert read_entries(tmp_path, entry(27)) == [Output("27", "yes")]


def test_an_empty_list_is_no_output(tmp_path: Path) -> None:
    assert read_entries(tmp_path) == []


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[", '[{"identifier": "t1"}', b"\xff\xfe\x00", b"\x00" * 100]
)
def test_what_is_not_json(text: str | bytes, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"m_outputs\.json is not JSON"):
        read_outputs(file_with(tmp_path, text))


@pytest.mark.parametrize("text", ["{}", "null", '"text"', "1", '{"identifier": "t1"}'])
def test_json_that_is_no_list(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="holds no list") as caught:
        read_outputs(file_with(tmp_path, text))
    assert '"llm_output"' in caught.value.hint


@pytest.mark.parametrize(
    "broken", [None, 1, "t1", [], {}, {"identifier": "t1"}, {"llm_output": "yes"}]
)
def test_an_entry_that_is_no_output_is_named(broken: Any, tmp_path: Path) -> None:
    """It costs itself; the others are read."""
    first, second, third = read_entries(tmp_path, entry(), entry(), broken)
    assert first == second == Output("t1", "yes")
    assert isinstance(third, SampleError)
    assert third.kind == "agent_error"
    assert re.fullmatch("no (identifier|llm_output): entry 2 of the file", third.reason)
    with pytest.raises(HomebodyError, match="entry 0 is not an output") as caught:
        read_entries(tmp_path, broken, broken)
    assert '"llm_output"' in caught.value.hint


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "m_outputs.json").mkdir()
    with pytest.raises(HomebodyError, match="cannot read"):
        read_outputs(tmp_path / "m_outputs.json")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "MAX_BYTES", 1 << 20)
    with pytest.raises(HomebodyError, match="is larger than 1 MiB"):
        read_outputs(file_with(tmp_path, b" " * ((1 << 20) + 1)))


def test_what_other_programs_write_as_json(tmp_path: Path) -> None:
    """Python's json module writes these, and the published evaluators read them."""
    text = json.dumps([entry("t1", "\ud800"), entry("t2", float("nan")), entry("t3", 10**400)])
    assert [output.identifier for output in read_outputs(file_with(tmp_path, text))] == [
        "t1",
        "t2",
        "t3",
    ]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    text = json.dumps([entry()]).encode("utf-8-sig")
    assert read_outputs(file_with(tmp_path, text)) == [Output("t1", "yes")]


@pytest.mark.parametrize("depth", [99, 100, 300, 1_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_deep_nesting_costs_nothing(depth: int, opening: str, closing: str, tmp_path: Path) -> None:
    """What is nested too deep to be read is the text that it is."""
    deep = opening * depth + '"]"' + closing * depth
    text = f'[{{"identifier": "t1", "llm_output": {deep}}}, {json.dumps(entry("t2", [1]))}]'
    for content in (text, text.encode("utf-16")):
        assert read_outputs(file_with(tmp_path, content)) == [
            Output("t1", deep),
            Output("t2", "[1]"),
        ]


@pytest.mark.parametrize("text", ["[" * 1_000, "[" * 1_000 + "]" * 1_000, '[{"a": ' * 1_000])
def test_what_is_nested_too_deep_elsewhere_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"is not JSON|is not an output"):
        read_outputs(file_with(tmp_path, text))


@pytest.mark.parametrize("digits", [19, 20, 400, 5_000, 100_000])
def test_a_number_of_any_length_costs_nothing(digits: int, tmp_path: Path) -> None:
    number = "9" * digits
    text = f'[{{"identifier": {number}, "llm_output": {number}}}, {json.dumps(entry())}]'
    first, second = read_outputs(file_with(tmp_path, text))
    assert second == Output("t1", "yes")
    assert isinstance(first, Output)
    assert first.text == first.identifier
    if digits > 310:  # more than a float has
        assert first.text == number


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries({}, optional={"identifier": json_values, "llm_output": json_values})


@given(content=st.binary() | st.lists(json_values | entries, max_size=4).map(json.dumps))
def test_any_file_is_read_or_refused(
    content: bytes | str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = file_with(tmp_path_factory.mktemp("any"), content)
    try:
        found = read_outputs(path)
    except HomebodyError:
        return
    assert all(isinstance(output.identifier, str) for output in found)
    assert all(isinstance(o, SampleError) or isinstance(o.text, str) for o in found)


def test_names_of_models_as_those_of_files() -> None:
    assert safe_name("openai/gpt-4o (p=0.1)") == "openai_gpt-4o_p=0.1_"
    assert safe_name("../..") == "_.."
    assert safe_name("...") == "model"
    assert safe_name("x" * 200) == "x" * 200
    for letter in ("x", "ü", "厨", "\udcff"):
        names = {safe_name(letter * 300 + end) for end in ("", "1", "2")}
        assert len(names) == 3
        assert all(len(name.encode()) <= 200 for name in names)


def test_written_outputs_are_read_back(tmp_path: Path) -> None:
    made = [Output("t1", 'a "plan"\n'), Output("t1", ""), Output("t2", "é\x00\u2028")]
    path = tmp_path / "new" / "m_outputs.json"
    write_outputs(path, made)
    assert read_outputs(path) == made
    assert set(json.loads(path.read_text("utf-8"))[0]) == {"identifier", "llm_output"}


# --- Scoring --------------------------------------------------------------------------------------


def test_outputs_are_scored_in_their_order(suite: Suite[str]) -> None:
    made = [Output("t2", "no"), Output("t1", "yes"), Output("t2", "yes")]
    scored = score_outputs(suite, made, CORRECTED)
    assert scored.outputs == ("no", "yes", "yes")
    assert not scored.errors
    assert [(score.identifier, score.metrics["right"]) for score in scored.scores] == [
        ("t2", 0.0),
        ("t1", 1.0),
        ("t2", 1.0),
    ]


def test_an_output_for_an_unknown_task(suite: Suite[str]) -> None:
    """It costs itself; if all are, they are another suite's."""
    unknown = Output("t9" * 1_000_000, "yes")
    scored = score_outputs(suite, [unknown, Output("t1", "yes")], CORRECTED)
    assert [score.identifier for score in scored.scores] == ["t1"]
    assert scored.outputs == ("yes",)
    (error,) = scored.errors
    assert (error.identifier, error.kind) == (unknown.identifier, "agent_error")
    assert error.reason == "toy.world.quiz has no such task"
    with pytest.raises(HomebodyError, match=r"toy\.world\.quiz has no such task: 't9") as caught:
        score_outputs(suite, [unknown], CORRECTED)
    assert len(str(caught.value)) < 200
    assert "homebody list toy.world.quiz" in caught.value.hint


def test_errors_are_told_by_kind(suite: Suite[str], tmp_path: Path) -> None:
    others = [entry(f"u{at}") for at in range(20)]
    bad = [{"identifier": f"u{at}"} for at in range(10)]
    scored = score_outputs(suite, read_entries(tmp_path, entry(), *others, *bad), CORRECTED)
    note = failed_note(scored.errors)
    assert ": toy.world.quiz has no such task (20), no llm_output (10);" in note


def test_of_no_outputs_there_is_no_score(suite: Suite[str]) -> None:
    with pytest.raises(HomebodyError, match="there are no outputs"):
        score_outputs(suite, [], CORRECTED)


@pytest.mark.parametrize("error", [RecursionError, HomebodyError, MemoryError, AssertionError])
def test_what_a_scorer_raises_costs_one_output(error: type[Exception], suite: Suite[str]) -> None:
    def score(task: str, output: str, protocol: Protocol) -> Score:
        if output == "raise":
            raise error("too much")
        return suite.scoring.score(task, output, protocol)

    raising = replace(suite, scoring=replace(suite.scoring, score=score))
    made = [Output("t1", "yes"), Output("t2", "raise"), Output("t3", "no")]
    scored = score_outputs(raising, made, CORRECTED)
    assert [score.identifier for score in scored.scores] == ["t1", "t3"]
    assert scored.outputs == ("yes", "no")
    (sample_error,) = scored.errors
    assert (sample_error.identifier, sample_error.kind) == ("t2", "internal_error")
    assert sample_error.reason.endswith(f"{error.__name__}: too much")
    assert "in score" in sample_error.traceback
    assert not score_outputs(raising, made[1:2], CORRECTED).scores


# --- Writing --------------------------------------------------------------------------------------


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
    assert lines_of(tmp_path / "new/m/samples.jsonl") == [
        {"identifier": "t1", "epoch": 1, "right": True, "slips": 0, "protocol": "corrected"},
        {"identifier": "t2", "epoch": 1, "right": False, "slips": 1, "protocol": "corrected"},
        {"identifier": "t1", "epoch": 2, "right": False, "slips": 0, "protocol": "corrected"},
    ]
    assert sorted(os.listdir(tmp_path / "new/m")) == ["run.json", "samples.jsonl", "summary.json"]


def test_outputs_of_the_same_task_are_its_epochs(suite: Suite[str]) -> None:
    broken = SampleError("t1", 1, "agent_error", "no llm_output")
    nobody = Output("nobody", "yes")
    made = [Output("t1", "yes"), broken, nobody, Output("t2", "no"), Output("t1", "no"), nobody]
    found = score_outputs(suite, made, CORRECTED)
    assert [(s.identifier, s.epoch) for s in found.scores] == [("t1", 1), ("t2", 1), ("t1", 3)]
    of_errors = [(error.identifier, error.epoch) for error in found.errors]
    assert of_errors == [("t1", 2), ("nobody", 1), ("nobody", 2)]


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


@pytest.mark.usefixtures("behavior_data")
def test_an_identifier_that_the_official_prompts_have_wrong_is_understood() -> None:
    suite = get_suite("eai.behavior.goal_interpretation")
    ((alias, name),) = suite.tasks.aliases.items()
    task = next(task for task in suite.tasks.load(CORRECTED) if task.id == name)
    text = suite.text_agents["oracle"].answer(task, np.random.default_rng(0))
    made = [Output(alias, text), Output(name, text)]
    found, plain = score_outputs(suite, made, CORRECTED).scores
    assert (found.epoch, plain.epoch) == (1, 2)
    assert replace(found, epoch=2) == plain
    assert found.metrics["f1"] == 1
