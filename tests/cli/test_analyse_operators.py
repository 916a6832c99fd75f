"""What the command line says of transition modeling: sensitivity, categories, a missing planner."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path

import pytest

from command import caller
from homebody.core import CORRECTED
from homebody.planning.solver import fast_downward
from homebody.suites.eai.behavior.transition_modeling import NAME, SUITE
from homebody.suites.eai.virtualhome.transition_modeling import SUITE as VIRTUALHOME
from suites.eai.behavior.operator_answers import DOORS, answer, task

pytestmark = pytest.mark.usefixtures("behavior_data")


Homebody = Callable[..., tuple[int, str, str]]


@pytest.fixture
def homebody(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Homebody:
    call = caller(capsys, monkeypatch)
    return lambda *args: astuple(call(*args))


def test_sensitivity_of_a_file_of_outputs(homebody: Homebody, tmp_path: Path) -> None:
    file = tmp_path / "me_outputs.json"
    good = {"identifier": DOORS, "llm_output": answer(task(DOORS))}
    file.write_text(json.dumps([{**good, "llm_output": "no"}, good]))
    command = ("analyse", "sensitivity", file, "--suite", NAME)
    code, out, err = homebody(*command, "-f", "json")
    assert code == 0
    assert json.loads(out) == [
        {
            "model": "me",
            "operator": name,
            "tasks": 1,
            "overall": 100.0,
            "object states": None,
            "spatial relations": 100.0,
            "non-spatial relations": 100.0,
        }
        for name in sorted(task(DOORS).to_define)
    ]
    assert "note: me has outputs for 1 of 100 tasks" in err
    assert "note: me has 1 duplicate outputs; the last one for each task counts" in err
    code, out, _ = homebody(*command)
    words = out.splitlines()[1].split()
    assert (code, words[0], words[2:]) == (0, "me", ["1", "100.0", "-", "100.0", "100.0"])
    file.write_text("[]")
    code, out, err = homebody(*command)
    assert (code, out) == (2, "")
    assert "has no outputs" in err
    assert homebody("analyse", "sensitivity", file, "--suite", "eai")[0] == 2


def test_categories_of_both_data_sets(homebody: Homebody, eai_data: None) -> None:
    code, out, err = homebody("analyse", "categories", "--dataset", "behavior", "-f", "json")
    assert (code, [row["paper"] for row in json.loads(out)]) == (0, [45, 94, 61])
    assert "94 of 100 tasks" in err
    code, out, err = homebody("analyse", "categories", "-f", "json")
    assert (code, len(json.loads(out)), err) == (0, 5, "")
    assert homebody("analyse", "categories", "--dataset", "home")[0] == 2


def test_only_scoring_needs_a_planner(
    homebody: Homebody, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, eai_data: None
) -> None:
    fast_downward.driver.cache_clear()
    monkeypatch.setattr(fast_downward, "find_spec", lambda name: None)
    (tmp_path / "me_outputs.json").write_text("[]")
    try:
        for suite in (SUITE, VIRTUALHOME):
            identifier = suite.tasks.load(CORRECTED)[0].id
            code, out, _ = homebody("list", suite.name)
            assert (code, identifier in out) == (0, True)
            code, out, _ = homebody("show", suite.name, identifier)
            assert (code, "Problem file" in out) == (0, True)
            for command in (
                ("score", suite.name, tmp_path),
                ("run", suite.name, "-a", "empty", "--log-dir", tmp_path / "logs"),
                ("analyse", "sensitivity", tmp_path, "--suite", suite.name),
            ):
                code, out, err = homebody(*command)
                assert (code, out) == (2, "")
                assert "Fast Downward is not installed" in err
    finally:
        fast_downward.driver.cache_clear()
    assert not (tmp_path / "logs").exists()
