"""The benchmark of a small real model counts what can be read."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import homebody as hb
from homebody.core import CORRECTED
from homebody.suites import get_suite

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def small_model() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "small_model", ROOT / "benchmarks" / "small_model.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["small_model"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize(
    "ability",
    ["goal_interpretation", "subgoal_decomposition", "action_sequencing", "transition_modeling"],
)
@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
def test_answers_of_a_kind_that_is_asked(
    small_model: Any, world: str, ability: str, tmp_path: Path
) -> None:
    suite = f"eai.{world}.{ability}"
    right = hb.run(suite, "oracle", limit=2, log_dir=tmp_path)
    assert all(small_model.is_read(score.record) for score in right)
    python = hb.run(suite, lambda prompt: "def f():\n    pass", limit=2, log_dir=tmp_path)
    assert not any(small_model.is_read(score.record) for score in python)


def test_answers_in_a_transcript(small_model: Any) -> None:
    suite = get_suite("partnr.val")
    assert suite.playing is not None
    task = suite.tasks.load(CORRECTED)[0]
    session = suite.playing.start(task, {"team": "single"}, 0, CORRECTED)
    session.note("human", "I would look for it.", 1, "human")
    session.act("human", hb.Action("Wait"), 1, "human")
    session.advance()
    session.act("human", hb.Action("Explore", ("kitchen_0",)), 2, "human")
    answers = small_model.calls(session.transcript().encode())
    assert [ok for _, ok in answers] == [False, True]
