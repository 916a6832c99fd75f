"""Task files and runs as the published code has them, scored by our metrics."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, HomebodyError, SampleError, Score
from homebody.suites.embodiedeval.published_tasks import PublishedTask, category_of, read_json
from homebody.suites.embodiedeval.recorded import RecordedStep, score_runs

TASK: dict[str, Any] = {
    "task_text": "What is on the table?",
    "scene_path": "scenes/flat.glb",
    "agent_position": [0, 0.1, 2],
    "agent_rotation": {"x": 0, "y": 90, "z": 0},
    "options": [
        {"option_type": "Answer", "option_text": 'answer "a cup"'},
        {"option_type": "Answer", "option_text": "a pan"},
        {"option_type": "Grab", "option_text": "grab the cup", "object_id": 7},
    ],
    "predicates": [
        {"predicate_type": "agent_pass", "object_id": 3},
        {"predicate_type": "choose", "right_answer_content": "a cup"},
        {"predicate_type": "grab_once", "object_id": 7},
    ],
    "humans": [{"asset": "amy", "human_position": [1, 0, 1], "human_rotation": [0, 0, 0]}],
    "something_else": 1,
}


def record(folder: Path, number: int, *steps: dict[str, Any], kind: str = "AttrQA") -> None:
    episode = folder / f"traj{number:04d}"
    episode.mkdir(parents=True)
    setting = {"scene": {"task_instance": TASK}, "task_id": f"{kind}/{number}.json"}
    (episode / "task.json").write_text(json.dumps(setting))
    for step in steps:
        (episode / f"{step['step']:04d}a.json").write_text(json.dumps(step))


def step(number: int, done: int, met: list[int], **more: Any) -> dict[str, Any]:
    own = {"step": number, "action_choice": 1, "done_after_action": done, "predicates_done": met}
    return {**own, **more}


def scored(folder: Path, *, published: bool = False, people: Path | None = None) -> list[Any]:
    return list(score_runs(folder, PUBLISHED if published else CORRECTED, people))


def test_a_task_is_read_in_our_terms(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    path.write_text(json.dumps(TASK))
    task = read_json(path, PublishedTask)
    assert task.answers == ("a cup", "a pan")
    assert [str(each.choice) for each in task.predicates if each.choice] == ["choose a cup"]
    assert category_of("SocialInteraction") == "social_interaction"
    assert category_of("elsewhere") is None


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("predicates", [], "length >= 1"),
        ("predicates", [{"predicate_type": "flies"}], "unknown predicate: 'flies'"),
        ("predicates", [{"predicate_type": "choose"}], "no right_answer_content"),
        (
            "predicates",
            [{"predicate_type": "choose", "right_answer_content": "a pot"}],
            "'a pot' is not an option",
        ),
        ("agent_position", [1, 2], "length >= 3"),
        ("agent_position", {"x": 1}, "missing required field `y`"),
        ("options", None, "Expected `array`"),
    ],
)
def test_a_task_that_is_wrong_says_where(
    tmp_path: Path, field: str, value: object, problem: str
) -> None:
    path = tmp_path / "1.json"
    path.write_text(json.dumps({**TASK, field: value}))
    with pytest.raises(HomebodyError, match=problem):
        read_json(path, PublishedTask)


def test_steps_are_in_the_order_of_their_numbers_and_conditions_are_kept(tmp_path: Path) -> None:
    record(tmp_path, 1, step(1, -1, [1, -1]), step(0, 0, [1, 0, 1], feedback="failed: too far"))
    (own,) = scored(tmp_path)
    assert own.record["success"] is False
    assert own.record["gcs"] == pytest.approx(2 / 3)  # grab_once was met before the answer
    assert (own.record["interactions"], own.record["interactions_done"]) == (1, 0)
    (theirs,) = scored(tmp_path, published=True)
    assert theirs.record["interactions_done"] == 1
    assert theirs.record["spl"] == 0.0


def test_spl_is_measured_against_people(tmp_path: Path) -> None:
    record(tmp_path / "model", 1, *(step(n, n // 3, [1, 1, 1]) for n in range(4)))
    record(tmp_path / "model", 2, step(0, 1, [1, 1, 1]))
    record(tmp_path / "people", 1, step(0, 0, [0, 0, 0]), step(1, 1, [1, 1, 1]))
    first, second = scored(tmp_path / "model", people=tmp_path / "people")
    assert first.record["spl"] == 0.5
    assert math.isnan(second.record["spl"])


def test_an_error_of_the_provider_is_no_failure(tmp_path: Path) -> None:
    record(tmp_path, 1, step(0, 0, [0, 0, 0]), step(1, 0, [0, 0, 0], action_error="api_crash"))
    record(tmp_path, 2, step(0, 0, [0, 0, 0]), step(1, 0, [0, 0, 0], action_choice=-2))
    crashed, unread = scored(tmp_path)
    assert isinstance(crashed, SampleError)
    assert isinstance(unread, Score)
    assert unread.record["errors"] == ["option out of range"]
    assert all(isinstance(each, Score) for each in scored(tmp_path, published=True))


def test_one_bad_episode_costs_one(tmp_path: Path) -> None:
    record(tmp_path, 1, step(0, 1, [1, 1, 1]))
    record(tmp_path, 2)
    record(tmp_path, 3, step(0, 1, [1, 1, 1]), kind="elsewhere")
    (tmp_path / "traj0004").mkdir()
    kinds = [type(each).__name__ for each in scored(tmp_path)]
    assert kinds == ["Score", "SampleError", "SampleError", "SampleError"]
    with pytest.raises(HomebodyError, match="no recorded runs"):
        scored(tmp_path / "traj0001")


@given(content=st.binary(max_size=200) | st.sampled_from([b"[" * 100_000, b'{"step": 1e999}']))
def test_what_is_no_step_costs_one_episode(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    record(folder, 1)
    (folder / "traj0001" / "0000a.json").write_bytes(content)
    (own,) = scored(folder)
    assert isinstance(own, SampleError)


def test_errors_are_told_apart() -> None:
    assert RecordedStep(0, None).error == "api error"
    assert RecordedStep(0, -1).error == "no option match"
    assert RecordedStep(0, 3).error == ""


def test_a_first_reply_that_could_not_be_read_has_no_conditions(tmp_path: Path) -> None:
    """The published code writes those of the run before."""
    record(tmp_path, 1, step(0, 0, [1, 1, 0], action_choice=-2, action_error="option out of range"))
    assert scored(tmp_path)[0].record["gcs"] == 0.0
    assert scored(tmp_path, published=True)[0].record["gcs"] == pytest.approx(2 / 3)


def test_episodes_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10000, 2, 9999):
        record(tmp_path, number, step(0, 1, [1, 1, 1]))
    assert [each.identifier for each in scored(tmp_path)] == ["traj0002", "traj9999", "traj10000"]


def test_a_folder_of_people_that_is_not_there_is_said(tmp_path: Path) -> None:
    record(tmp_path, 1, step(0, 1, [1, 1, 1]))
    with pytest.raises(HomebodyError, match="people is not a folder"):
        scored(tmp_path, people=tmp_path / "people")


@pytest.mark.parametrize(
    "wrong", [{"predicates_done": [7]}, {"action_error": "\x1b[2J"}, {"done_after_action": 2}]
)
def test_what_the_published_code_never_writes_is_refused(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    record(tmp_path, 1, {**step(0, 0, [0, 0, 0]), **wrong})
    (own,) = scored(tmp_path)
    assert isinstance(own, SampleError)
    assert next(iter(wrong)) in own.reason


def test_what_is_no_file_is_named_and_never_waited_for(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match=r"nothing\.json"):
        read_json(tmp_path / "nothing.json", PublishedTask)
    (tmp_path / "1.json").write_bytes(b"\x1f\x8b")
    with pytest.raises(HomebodyError, match=r"1\.json is damaged"):
        read_json(tmp_path / "1.json", PublishedTask)
    record(tmp_path, 1)
    os.mkfifo(tmp_path / "traj0001" / "0000a.json")
    (own,) = scored(tmp_path)
    assert "0000a.json" in own.reason
