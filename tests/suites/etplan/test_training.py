"""Data for fine-tuning."""

from __future__ import annotations

import json

import pytest

from homebody.core import HomebodyError
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


def test_splits_do_not_mix() -> None:
    tasks = load("test")["navigation"]
    assert split_of(tasks) == "test"
    with pytest.raises(HomebodyError, match="no split, or to more than one"):
        split_of([])
