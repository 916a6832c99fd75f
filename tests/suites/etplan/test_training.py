"""Data for fine-tuning."""

from __future__ import annotations

import json
import re

import pytest

from homebody.core import HomebodyError
from homebody.suites.etplan.frequencies import room_rank
from homebody.suites.etplan.tasks import load
from homebody.suites.etplan.training import collect_samples, split_of, statistics


def test_a_run_is_its_questions_and_its_plan() -> None:
    task = load("test")["manipulation"][3]
    made = collect_samples(task)
    assert [sample.about for sample in made][:2] == ["kind", "jobs"]
    assert made[-1].about == "plan"
    assert "Pick[" in made[-1].answer
    user, assistant = json.loads(made[0].line())["messages"]
    assert task.instruction in user["content"]
    assert assistant == {"role": "assistant", "content": '["manipulation"]'}
    assert statistics(made)["manipulation"]["plan"] == 1


def test_what_is_taught_can_be_known() -> None:
    plans = 0
    for task in [*load("test")["navigation"][:60:6], *load("test")["manipulation"][:60:12]]:
        made = collect_samples(task)
        for sample in made:
            if sample.about == "rooms":
                assert sample.answer == expected_rooms(sample.question)
            if sample.about == "plan":
                plans += 1
                named = re.findall(r"\b[a-z_]+_[0-9]+\b", sample.answer)
                assert named
                assert set(named) <= set(re.findall(r"\b[a-z_]+_[0-9]+\b", sample.question))
    assert plans


def expected_rooms(question: str) -> str:
    """The rooms of a question, by how often they have the object in the homes for training."""
    wanted = re.findall('"([a-z ]+)"', question)[0].replace(" ", "_")
    rooms = re.findall(r"\b[a-z_]+_[0-9]+\b", question)
    return json.dumps(room_rank(wanted, {name: name.rpartition("_")[0] for name in rooms}))


def test_splits_do_not_mix() -> None:
    tasks = load("test")["navigation"]
    assert split_of(tasks) == "test"
    with pytest.raises(HomebodyError, match="no split, or to more than one"):
        split_of([])
