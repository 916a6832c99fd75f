"""homebody beside the published code of EmbodiedEval: what its metrics say of recorded runs.

It takes that code: the environment variable ``HOMEBODY_EMBODIEDEVAL_CHECKOUT`` names its folder.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from homebody.core import CORRECTED, PUBLISHED, Protocol, Score
from homebody.suites.embodiedeval.metrics import count, rates
from homebody.suites.embodiedeval.protocol import NO_SPL, QUIRKS
from homebody.suites.embodiedeval.recorded import score_runs
from suites.embodiedeval.test_recorded import record, step

pytestmark = pytest.mark.differential

VARIABLE = "HOMEBODY_EMBODIEDEVAL_CHECKOUT"
EPISODES = 40
UNREAD = {-1: "no option match", -2: "option out of range"}


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, Path], Any]:
    """Its metrics of a folder of results and one of people's runs, in a folder with its index."""
    if VARIABLE not in os.environ:
        pytest.skip(f"no published code of EmbodiedEval: {VARIABLE} names no folder")
    files = ModuleType("legent")
    files.load_json = lambda path: json.loads(Path(path).read_text())  # type: ignore[attr-defined]
    files.store_json = lambda said, path: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "legent", files)
    index = [{"index": n, "task_file": f"AttrQA/{n}.json"} for n in range(EPISODES)]
    (tmp_path / "data" / "tasks").mkdir(parents=True)
    (tmp_path / "data" / "tasks" / "tasks.json").write_text(json.dumps(index))
    monkeypatch.chdir(tmp_path)
    code = runpy.run_path(str(Path(os.environ[VARIABLE]) / "metrics.py"))
    return lambda results, people: code["compute_metrics_for_all_types"](
        str(results), "", str(people)
    )[0]


@pytest.mark.parametrize("seed", range(60))
def test_the_metrics_of_recorded_runs_are_the_published_ones(
    published: Callable[[Path, Path], Any], tmp_path: Path, seed: int
) -> None:
    runs(tmp_path / "model", Random(seed))
    theirs = published(tmp_path / "model", tmp_path / "nobody")
    assert ours(tmp_path / "model", PUBLISHED) == told(theirs)


@pytest.mark.parametrize("seed", range(10))
def test_spl_is_the_published_one_where_everybody_has_a_persons_run(
    published: Callable[[Path, Path], Any], tmp_path: Path, seed: int
) -> None:
    """It reads people's runs from ``traj.json`` alone."""
    runs(tmp_path / "model", Random(seed))
    runs(tmp_path / "people", Random(-seed - 1))
    for folder in (tmp_path / "people").iterdir():
        steps = [json.loads(path.read_text()) for path in folder.glob("*a.json")]
        (folder / "traj.json").write_text(json.dumps(steps))
    theirs = published(tmp_path / "model", tmp_path / "people")
    rules = Protocol("published but SPL", QUIRKS.keys() - {NO_SPL})
    assert ours(tmp_path / "model", rules, tmp_path / "people") == told(theirs)


def runs(folder: Path, random: Random) -> None:
    """Runs as its ``run_eval.py`` writes them."""
    for number in range(EPISODES):
        record(folder, number, *episode(random))


def episode(random: Random) -> list[dict[str, Any]]:
    length, steps, met = random.randint(1, 24), [], [0, 0, 0]
    for at in range(length):
        last = at == length - 1
        how = random.choice(("goes on", "right", "wrong", "unread")) if last else "goes on"
        said = random.choice(("success", "failed", "failed: too far", "success: done"))
        met = [max(met[0], random.randint(0, 1)), 0, random.randint(0, 1)]
        if how == "right":
            steps.append(step(at, 1, [1, 1, 1], feedback=said))
        elif how == "wrong":
            steps.append(step(at, -1, [met[0], -1], feedback=said))
        elif how == "unread":
            choice, before = random.choice((-1, -2)), steps[-1] if steps else {}
            flags, feedback = before.get("predicates_done", met), before.get("feedback")
            more = {"action_choice": choice, "action_error": UNREAD[choice], "feedback": feedback}
            steps.append(step(at, 0, flags, **more))
        else:
            steps.append(step(at, 0, met, feedback=said))
    return random.sample(steps, len(steps))


def ours(folder: Path, protocol: Protocol, people: Path | None = None) -> dict[str, Any]:
    sums = None
    for each in score_runs(folder, protocol, people):
        assert isinstance(each, Score)
        sums = count(each) if sums is None else sums + count(each)
    assert sums is not None
    said = rates(sums, exact=True)
    counts = {kind: said["errors"].get(kind, 0) for kind in UNREAD.values()}
    names = ("success", "gcs", "spl", "steps_used_up", "interactions_done")
    percent = {name: pytest.approx(said[name], abs=0.006) for name in names}
    return {**percent, "steps": pytest.approx(said["mean_steps"], abs=0.006), **counts}


def told(theirs: dict[str, Any]) -> dict[str, Any]:
    """The published names in ours; its average length is a hundred times too long."""
    return {
        "success": theirs["accuracy"],
        "gcs": theirs["avg_goal_condition_success"],
        "spl": theirs["average_spl"],
        "steps_used_up": theirs["max_step_exceed_rate"],
        "interactions_done": theirs["interaction_accuracy"],
        "steps": theirs["average_trajectory_length"] / 100,
        "no option match": round(theirs["no_option_match_rate"] * EPISODES / 100),
        "option out of range": round(theirs["option_out_of_range_rate"] * EPISODES / 100),
    }


def test_corrected_does_not_hang_on_the_order_of_files(tmp_path: Path) -> None:
    runs(tmp_path / "a", Random(1))
    for folder in (tmp_path / "a").iterdir():
        steps = sorted(folder.glob("*a.json"))
        said = [json.loads(path.read_text()) for path in steps]
        (folder / "traj.json").write_text(json.dumps(said[::-1]))
    backwards = [each.metrics["gcs"] for each in score_runs(tmp_path / "a", CORRECTED)]  # type: ignore[union-attr]
    for path in (tmp_path / "a").glob("*/traj.json"):
        path.unlink()
    assert backwards == [each.metrics["gcs"] for each in score_runs(tmp_path / "a", CORRECTED)]  # type: ignore[union-attr]
