"""The ``published`` protocol against eai-eval 1.0.5 itself, output by output.

What it says of changed outputs is recorded (see :mod:`differential.recorded`).

The published evaluator reads action goals in the order of a Python set of strings, and picks one
of several objects of a class likewise, so that its verdict changes with the hash seed. The
driver pins both to the order that homebody has (see ``_driver.py``); nothing else is changed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest

from differential import perturb, published
from differential.recorded import FULL, SAMPLES, SEED, Recording
from homebody.core import PUBLISHED
from homebody.data import eai
from homebody.suites import get_suite
from homebody.suites.eai.published import PUBLISHED_DEPTH
from homebody.suites.eai.virtualhome.goals import MAX_ENTRY_LEVELS
from homebody.suites.eai.virtualhome.plans import render
from homebody.suites.eai.virtualhome.prompts import (
    action_sequencing_prompt,
    goal_interpretation_prompt,
)
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask, load_tasks

pytestmark = pytest.mark.usefixtures("eai_data")


def name_and_id(thing: str) -> tuple[str, str]:
    name, _, number = thing.rpartition(".")
    return name, number


def thing(task: VirtualHomeTask, name: str) -> perturb.Thing:
    return perturb.Thing(*name_and_id(name), task.task.initial.objects[name].properties)


def plan_tasks() -> list[perturb.PlanTask]:
    return [
        perturb.PlanTask(
            task.id,
            [
                (action.name, [word for name in action.args for word in name_and_id(name)])
                for action in task.task.reference
            ],
            tuple(thing(task, name) for name in task.relevant),
        )
        for task in load_tasks(PUBLISHED)
    ]


def goal_tasks() -> list[perturb.GoalTask]:
    goals = {raw["id"]: raw["goal"] for raw in eai.load()["tasks"]}
    found = []
    for task in load_tasks(PUBLISHED):
        names = {int(number): name for name, number in map(name_and_id, task.task.initial.objects)}
        relevant = tuple(name_and_id(name)[0] for name in task.relevant)
        gold = perturb.gold_goals(goals[task.id], names)
        found.append(perturb.GoalTask(task.id, gold, relevant))
    return found


def our_plan_counts(record: dict[str, Any]) -> dict[str, Any]:
    """A record of ours in the terms of the published counters."""
    error, counts = record["error_type"], record["counts"]
    met = record["goals_met"]
    return {
        "parsing": counts["grammar_errors"] if error == "parsing" else 0,
        "hallucination": int(error in ("action_hallucination", "object_hallucination")),
        "parameter": int(error == "argument_number"),
        "executable": int(record["executable"]),
        "correct": int(record["success"]),
        "wrong_order": int(error == "wrong_order"),
        "missing_step": int(error == "missing_step"),
        "affordance": int(error == "affordance_error"),
        "additional_step": counts["additional_steps"],
        **{f"matched_{n}": met[k][0] for k, n in KINDS.items()},
        **{f"{n}_goals": met[k][1] for k, n in KINDS.items()},
    }


KINDS = {"state": "node", "relation": "edge", "action": "action"}


def our_goal_counts(record: dict[str, Any]) -> dict[str, Any]:
    return {
        **{
            f"{name}_{what}": count
            for kind, name in KINDS.items()
            for what, count in zip(("TP", "FP", "FN"), record["counts"][kind], strict=True)
        },
        "format_wrong": record["format_errors"],
        "hallucination": record["hallucinations"],
    }


Output: TypeAlias = dict[str, str]


@cache
def plan_outputs() -> list[Output]:
    tasks = plan_tasks()
    scene = tuple(tasks[0].relevant)
    gold = [
        {"identifier": task.id, "llm_output": render(task.task.reference)}
        for task in load_tasks(PUBLISHED)
    ]
    return gold + perturb.plan_outputs(np.random.default_rng(SEED), tasks, scene, SAMPLES)


@cache
def goal_outputs() -> list[Output]:
    return perturb.goal_outputs(np.random.default_rng(SEED), goal_tasks(), SAMPLES)


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared: a crash, that the gold test drops the task, or the counts but zeros."""
    if record["crash"]:
        return {"crash": record["crash"]["type"]}
    if record.get("dropped"):
        return {"dropped": True}
    return {name: count for name, count in record["counts"].items() if count}


RECORDED = {
    "action_sequencing": Recording(
        "virtualhome_action_sequencing",
        published.REQUIREMENT,
        plan_outputs,
        partial(published.run_published, "action_sequencing"),
        verdict,
    ),
    "goal_interpretation": Recording(
        "virtualhome_goal_interpretation",
        published.REQUIREMENT,
        goal_outputs,
        partial(published.run_published, "goal_interpretation"),
        verdict,
    ),
}


def compare(module: str, outputs: Sequence[Output]) -> Counter[str]:
    """Assert equal verdicts wherever the published evaluator survives; count what was seen."""
    suite = get_suite(f"eai.virtualhome.{module}")
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    ours_of = our_plan_counts if module == "action_sequencing" else our_goal_counts
    seen: Counter[str] = Counter()
    differing: list[Any] = []
    for output, their in zip(outputs, RECORDED[module].verdicts(), strict=True):
        score = suite.score(tasks[output["identifier"]], output["llm_output"], PUBLISHED)
        crashed = "published_crash" in score.record
        if "crash" in their or crashed:
            seen["crashes"] += 1
            if ("crash" in their) != crashed:
                differing.append((output, their, score.record.get("published_crash")))
            continue
        if ("dropped" in their) != (not score.valid):
            differing.append((output, their, score.valid))
            continue
        if not score.valid:
            seen["dropped"] += 1
            continue
        ours = ours_of(score.record)
        wrong = {k: (ours[k], their.get(k, 0)) for k in ours if ours[k] != their.get(k, 0)}
        if wrong:
            differing.append((output, wrong))
        seen["compared"] += 1
        seen[f"error: {score.record.get('error_type')}"] += 1
        seen["success"] += bool(score.record.get("success"))
    print(module, dict(seen))
    assert not differing, f"{len(differing)} of {len(outputs)} differ, first: {differing[:3]}"
    return seen


@pytest.mark.slow
def test_action_sequencing() -> None:
    seen = compare("action_sequencing", plan_outputs())
    for error in ("parsing", "object_hallucination", "argument_number"):
        assert seen[f"error: {error}"] > 0
    for error in ("affordance_error", "missing_step", "wrong_order"):
        assert seen[f"error: {error}"] > 0
    assert seen["success"] > SAMPLES // 50


def test_goal_interpretation() -> None:
    seen = compare("goal_interpretation", goal_outputs())
    assert seen["compared"] > SAMPLES * 3 // 4


@pytest.mark.differential
@pytest.mark.parametrize("module", ["action_sequencing", "goal_interpretation"])
def test_summary_of_the_untouched_command(module: str, tmp_path: Path) -> None:
    """summary.json, byte for byte, on tasks whose verdict does not hang on the hash seed."""
    suite = get_suite(f"eai.virtualhome.{module}")
    tasks = {
        task.id: task
        for task in load_tasks(PUBLISHED)
        if len(task.action_goals) < 2
        and len({name_and_id(name)[0] for name in task.relevant}) == len(task.relevant)
    }
    generator = np.random.default_rng(SEED)
    if module == "action_sequencing":
        pool = [task for task in plan_tasks() if task.identifier in tasks]
        outputs = perturb.plan_outputs(generator, pool, pool[0].relevant, 150 if FULL else 40)
    else:
        goals = [task for task in goal_tasks() if task.identifier in tasks]
        outputs = perturb.goal_outputs(generator, goals, 300)
    scores = [suite.score(tasks[o["identifier"]], o["llm_output"], PUBLISHED) for o in outputs]
    kept = [at for at, score in enumerate(scores) if "published_crash" not in score.record]
    theirs, _ = published.run_command_line(module, [outputs[at] for at in kept], tmp_path)
    ours = suite.summarise([scores[at] for at in kept])
    assert json.dumps(ours, indent=4) == json.dumps(theirs, indent=4)


@pytest.mark.differential
@pytest.mark.skipif(not FULL, reason="takes minutes; tests/prompt_versions.json pins our prompts")
def test_prompts_and_vocabulary(tmp_path: Path) -> None:
    """Every part of every prompt, line by line: the published order of lines is arbitrary."""
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    for theirs in published.dump_tasks("action_sequencing", tmp_path):
        task = tasks[theirs["identifier"]]
        assert theirs["relevant_names"] == sorted(
            "_".join(name_and_id(name)) for name in task.relevant
        )
        prompt = action_sequencing_prompt(task)
        for part in theirs["prompt"].values():
            assert_lines_in(part, prompt)
    for theirs in published.dump_tasks("goal_interpretation", tmp_path):
        prompt = goal_interpretation_prompt(tasks[theirs["identifier"]])
        for part in theirs["prompt"].values():
            assert_lines_in(part, prompt)


def assert_lines_in(part: str, prompt: str) -> None:
    """Each line is there; the published prompt of one task repeats a goal, ours does not."""
    missing = set(map(canonical, part.splitlines())) - set(map(canonical, prompt.splitlines()))
    assert not missing, missing


def canonical(line: str) -> str:
    """A line with its characters sorted: the words of its lists come out of sets."""
    return "".join(sorted(line.replace("'", "").replace(" ", "")))


@pytest.mark.differential
def test_nested_outputs(tmp_path: Path) -> None:
    """How deep the published evaluator reads, and where it ends instead: under Python 3.11."""
    suite = get_suite("eai.virtualhome.goal_interpretation")
    task = suite.tasks.load(PUBLISHED)[0]
    goals = json.loads(suite.answer("oracle", task))
    texts = []
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        for depth in (99, 100, 101, MAX_ENTRY_LEVELS, MAX_ENTRY_LEVELS + 1, 900, 3_000):
            deep = opening * depth + "1" + closing * depth
            texts.append(f'{{"node goals": [{deep}]}}')
            texts.append(f'{{"node goals": {{"a": {deep}}}}}')
        for depth in (100, 101, PUBLISHED_DEPTH, PUBLISHED_DEPTH + 1):
            deep = opening * (depth - 1) + closing * (depth - 1)
            texts.append(f'{json.dumps(goals)[:-1]}, "x": {deep.replace(":}", ": 1}")}}}')
    outputs = [{"identifier": task.id, "llm_output": text} for text in texts]
    theirs = published.run_published("goal_interpretation", outputs, tmp_path)
    crashes = 0
    for text, their in zip(texts, map(verdict, theirs), strict=True):
        record = suite.score(task, text, PUBLISHED).record
        crash = record.get("published_crash", "").partition(":")[0]
        crashes += bool(crash)
        if crash or "crash" in their:
            assert crash == their.get("crash"), text[:40]
        else:
            ours = our_goal_counts(record)
            assert {name: ours[name] for name in ours if ours[name]} == {
                name: count for name, count in their.items() if name in ours
            }, text[:40]
    assert crashes == 4
