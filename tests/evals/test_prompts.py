"""What models are asked first, of all tasks of a suite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from thorough import THOROUGH

if TYPE_CHECKING:
    from model_server import ModelServer

from homebody.core import CORRECTED, HomebodyError
from homebody.evals import run
from homebody.evals.options import Options
from homebody.evals.prompts import check_prompts, first_questions, prompt_lines, write_prompts
from homebody.evals.samples import Setup
from homebody.suites import get_suite, list_suites

PLANS = "eai.virtualhome.action_sequencing"


def records(suite: str, limit: int | None = None, **settings: str) -> list[dict[str, Any]]:
    setup = Setup(get_suite(suite), options=Options(settings=settings))
    return list(map(json.loads, prompt_lines(setup, setup.task_ids[:limit])))


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("name", [name for name in list_suites() if "1k" not in name])
def test_there_is_a_line_for_each_task(name: str) -> None:
    suite = get_suite(name)
    tasks = suite.tasks.load(CORRECTED)
    most = None if THOROUGH else 10
    found = records(name, most if suite.playing is None else 2)
    names = [suite.tasks.identify(task) for task in tasks]
    assert [record["identifier"] for record in found] == names[: len(found)]
    for record, task in zip(found, tasks, strict=False):
        if suite.prompting is None:
            assert {"role", "tools"} <= record.keys()
            assert record["prompt"]
        else:
            asked = {"system": suite.prompting.system(), "prompt": suite.prompting.prompt(task)}
            assert record == {"identifier": record["identifier"], **asked}


@pytest.mark.usefixtures("eai_data")
def test_it_is_what_a_model_is_sent(server: ModelServer, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
    run(PLANS, model=server.model, limit=3, log_dir=tmp_path)
    assert sorted(server.prompts) == sorted(record["prompt"] for record in records(PLANS, 3))


def test_all_who_are_asked_at_the_same_time_are_there() -> None:
    (both,) = records("partnr.val", 1)
    (human,) = both["others"]
    assert (both["role"], human["role"]) == ("robot", "human")
    assert both["system"].startswith("You are the robot")
    assert human["system"].startswith("You are the human")
    (alone,) = records("partnr.val", 1, human="expert")
    assert alone == {key: value for key, value in both.items() if key != "others"}
    (nobody,) = records("partnr.val", 1, human="expert", robot="expert")
    assert nobody == {"identifier": both["identifier"], "system": "", "prompt": ""}


def test_a_file_of_prompts_is_written_whole(tmp_path: Path) -> None:
    setup, path, told = Setup(get_suite("partnr.val")), tmp_path / "new" / "prompts.jsonl", []
    write_prompts(path, setup, setup.task_ids[:2], lambda *done: told.append(done))
    assert path.read_text().splitlines() == list(prompt_lines(setup, setup.task_ids[:2]))
    assert told == [("prompts", 1, 2), ("prompts", 2, 2)]
    write_prompts(path, setup, setup.task_ids[:1], lambda *done: None)
    assert len(path.read_text().splitlines()) == 1
    assert [file.name for file in path.parent.iterdir()] == ["prompts.jsonl"]


@pytest.mark.parametrize(
    "text", [b"precious\n", b"[1]\n", b'{"identifier": "27_2", "epoch": 1}\n', b"[" * 10_000]
)
def test_what_is_no_file_of_prompts_is_not_overwritten(text: bytes, tmp_path: Path) -> None:
    path = tmp_path / "prompts.jsonl"
    path.write_bytes(text)
    setup = Setup(get_suite("partnr.val"))
    with pytest.raises(HomebodyError, match="exists and is not a file of prompts"):
        write_prompts(path, setup, setup.task_ids[:1], lambda *done: None)
    assert path.read_bytes() == text
    with pytest.raises(HomebodyError, match="is a folder"):
        check_prompts(tmp_path)


def test_of_one_task_there_are_the_questions() -> None:
    setup = Setup(get_suite("partnr.val"))
    assert [question.role for question in first_questions(setup, setup.task_ids[0])] == [
        "robot",
        "human",
    ]
