"""Goal interpretation on BEHAVIOR: ``published`` against eai-eval 1.0.5 itself.

Each output's whole summary is compared, number by number, and the summary of all tasks byte by
byte with the file that the untouched function writes.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import perturb_behavior_goals as perturb
from differential import published
from differential.recorded import SAMPLES, SEED, Recording
from homebody.core import PUBLISHED
from homebody.data import behavior
from homebody.suites.eai.behavior.goal_interpretation import SUITE

pytestmark = pytest.mark.usefixtures("behavior_data")

COUNT = 2 * SAMPLES
DRIVER = Path(__file__).with_name("_driver_behavior_goals.py")


@cache
def perturbed() -> list[dict[str, str]]:
    goals = behavior.load("goals")
    tasks = [
        perturb.Task(raw["id"], goals[raw["id"]], [row["bddl"] for row in raw["objects"]])
        for raw in behavior.load("tasks")
    ]
    return perturb.goal_outputs(np.random.default_rng(SEED), tasks, COUNT)


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """All of it: the summary of the output, or the crash."""
    return record


RECORDED = Recording(
    "behavior_goal_interpretation",
    published.REQUIREMENT,
    perturbed,
    partial(published.drive, DRIVER, ["outputs"]),
    verdict,
    chunk=3000,
)


def test_each_output() -> None:
    outputs = perturbed()
    tasks = {task.id: task for task in SUITE.tasks.load(PUBLISHED)}
    seen: Counter[str] = Counter()
    differing: list[Any] = []
    for output, their in zip(outputs, RECORDED.verdicts(), strict=True):
        score = SUITE.score(tasks[output["identifier"]], output["llm_output"], PUBLISHED)
        crashed = "published_crash" in score.record
        if crashed or "crash" in their:
            seen["crashes"] += 1
            if score.record.get("published_crash") != their.get("crash"):
                differing.append((output, their, score.record.get("published_crash")))
            continue
        ours = SUITE.summarise([score])
        if json.dumps(ours) != json.dumps(their["summary"]):
            differing.append((output, their["summary"], ours))
        if score.record["readable"] == their["unread"]:
            differing.append((output, their["unread"]))
        seen["unread"] += their["unread"]
        seen["compared"] += 1
        seen["all right"] += score.record["f1"] == 1
        for name in ("malformed", "unknown_predicate", "unknown_object"):
            seen[name] += score.record["grammar"][name] > 0
    print(dict(seen))
    assert not differing, f"{len(differing)} of {len(outputs)} differ, first: {differing[:2]}"
    assert seen["compared"] > COUNT * 3 // 4
    for name in ("crashes", "unread", "malformed", "unknown_predicate", "unknown_object"):
        assert seen[name] > COUNT // 100, name


def summary_of_file(file: Path, target: Path) -> str:
    command = [published.python(), DRIVER, "file", "--input", file, "--output", target]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return target.read_text()


@pytest.mark.differential
@pytest.mark.parametrize("what", ["oracle", "random", "empty", "perturbed"])
def test_summary_of_the_untouched_function(what: str, tmp_path: Path) -> None:
    tasks = {task.id: task for task in SUITE.tasks.load(PUBLISHED)}
    texts = {
        name: SUITE.text_agents["oracle" if what == "perturbed" else what].answer(
            task, np.random.default_rng(7)
        )
        for name, task in tasks.items()
    }
    if what == "perturbed":
        for output in perturbed():
            score = SUITE.score(tasks[output["identifier"]], output["llm_output"], PUBLISHED)
            if "published_crash" not in score.record:
                texts[output["identifier"]] = output["llm_output"]
    file = tmp_path / "outputs.json"
    file.write_text(
        json.dumps([{"identifier": name, "llm_output": text} for name, text in texts.items()])
    )
    theirs = summary_of_file(file, tmp_path / "summary.json")
    scores = [SUITE.score(tasks[name], text, PUBLISHED) for name, text in texts.items()]
    assert json.dumps(SUITE.summarise(scores), indent=4) == theirs
