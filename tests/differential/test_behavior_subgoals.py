"""Subgoal decomposition on BEHAVIOR under ``published`` against eai-eval 1.0.5 itself.

What it says of the oracle's output for every task and of changed outputs is recorded (see
:mod:`differential.recorded`).

The published evaluator draws one part of an ``or``; the driver pins that to the first. It starts
from homebody's own initial states, as what iGibson would measure is not to be had.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import behavior_scenes, perturb_behavior_subgoals, published
from differential.recorded import SAMPLES, SEED, Recording
from differential.test_behavior_world import TOOL_ABILITIES, TOOLS, case_of
from homebody.core import PUBLISHED, ErrorType
from homebody.suites.eai.behavior import published_subgoals
from homebody.suites.eai.behavior import subgoal_decomposition as suite
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks
from homebody.suites.eai.plan_results import GrammarError
from homebody.suites.eai.subgoal_decomposition.published_formulas import Unevaluated

pytestmark = pytest.mark.usefixtures("behavior_data")

ERRORS = {
    ErrorType.ADDITIONAL_STEP: "ADDITIONAL_STEP",
    ErrorType.AFFORDANCE: "AFFORDANCE_ERROR",
    ErrorType.WRONG_ORDER: "WRONG_TEMPORAL_ORDER",
    ErrorType.MISSING_STEP: "MISSING_STEP",
}
UNREAD = {
    ErrorType.PARSING.value: "NotParseable",
    ErrorType.ACTION_HALLUCINATION.value: "Hallucination",
    ErrorType.OBJECT_HALLUCINATION.value: "Hallucination",
    ErrorType.ARGUMENT_NUMBER.value: "Hallucination",
}


def oracle_outputs() -> list[dict[str, str]]:
    generator = np.random.default_rng(SEED)
    return [
        {"identifier": task.id, "llm_output": suite.oracle(task, generator), "kind": "oracle"}
        for task in load_tasks(PUBLISHED)
    ]


def written(name: str) -> str:
    head, _, number = name.rpartition("_")
    return f"{head}.{number}"


def subgoal_tasks() -> list[perturb_behavior_subgoals.SubgoalTask]:
    """What to change: the oracle's subgoals without the halves, which cannot be named."""
    found = []
    for task, output in zip(load_tasks(PUBLISHED), oracle_outputs(), strict=True):
        subgoals = [s for s in json.loads(output["llm_output"])["output"] if "_part" not in s]
        tools = [
            written(thing.name)
            for thing in task.things
            if thing.abilities & TOOL_ABILITIES or any(text in thing.name for text in TOOLS)
        ]
        found.append(
            perturb_behavior_subgoals.SubgoalTask(
                task.id,
                tuple(subgoals),
                tuple(written(thing.name) for thing in task.things),
                tuple(tools),
                tuple(dict.fromkeys(thing.category.replace(".", "_") for thing in task.things)),
            )
        )
    return found


@cache
def outputs() -> list[dict[str, str]]:
    generator = np.random.default_rng(SEED)
    return oracle_outputs() + perturb_behavior_subgoals.outputs(generator, subgoal_tasks(), SAMPLES)


@cache
def scenes() -> dict[str, dict[str, Any]]:
    return {task.id: case_of(task).described for task in load_tasks()}


def published_inputs() -> list[behavior_scenes.Input]:
    return [
        behavior_scenes.input_of(
            scenes()[output["identifier"]], kind="subgoals", text=output["llm_output"]
        )
        for output in outputs()
    ]


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared: the category, the rates, the counts of goals, and each error's action."""
    if "hang" in record:
        return {"hang": True}
    assert all(len(types) == 1 for types, _, _ in record["errors"])
    errors = [
        [types[0], action] for types, _, action in record["errors"] if types != ["GOAL_FAILED"]
    ]
    return {
        "category": record["category"],
        "trajectory": record["trajectory"],
        "counts": record["counts"],
        "errors": errors,
    }


RECORDED = Recording(
    "behavior_subgoal_decomposition",
    published.REQUIREMENT,
    published_inputs,
    behavior_scenes.run_published,
    verdict,
)


def our_verdict(task: BehaviorTask, text: str) -> dict[str, Any]:
    """What homebody says, in the terms of the driver."""
    score = suite.score(task, text, PUBLISHED)
    record = score.record
    category = UNREAD.get(record["error_type"] or "")
    if category is None:
        ended = "Correct" if record["success"] else "GoalUnreachable"
        category = ended if record["executable"] else "Runtime"
    verdict: dict[str, Any] = {
        "category": category,
        "trajectory": suite.SUITE.summarise([score])["trajectory_evaluation"],
        "counts": None,
        "errors": [],
    }
    if category not in UNREAD.values():
        (state_met, states), (relation_met, relations) = (
            record["goals_met"][kind] for kind in ("state", "relation")
        )
        verdict["counts"] = [states - state_met, relations - relation_met, state_met, relation_met]
        verdict["errors"] = our_errors(task, text)
    return verdict


def our_errors(task: BehaviorTask, text: str) -> list[Any]:
    try:
        subgoals = published_subgoals.read(task, text)
        found = published_subgoals.refine(task, subgoals, PUBLISHED)
    except (GrammarError, Unevaluated):
        return []
    return [
        [ERRORS[error.error], {"action": error.action.name, "object": ", ".join(error.action.args)}]
        for _, error in found.errors
    ]


@pytest.mark.differential
def test_subgoals_are_judged_alike() -> None:
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    seen: Counter[str] = Counter()
    differing: list[Any] = []
    for output, theirs in zip(outputs(), RECORDED.verdicts(), strict=True):
        if "hang" in theirs:
            seen["hangs"] += 1
            continue
        ours = our_verdict(tasks[output["identifier"]], output["llm_output"])
        wrong = {key: (ours[key], value) for key, value in theirs.items() if ours[key] != value}
        if wrong:
            differing.append((output, wrong))
        seen["compared"] += 1
        seen[f"category: {theirs['category']}"] += 1
        for kind, _ in theirs["errors"]:
            seen[f"error: {kind}"] += 1
        seen["wrong numbers"] += bool(
            theirs["trajectory"]["grammar_error"]["predicate_argument_number"]
        )
    print("behavior subgoals", dict(seen))
    assert not differing, f"{len(differing)} of {len(outputs())} differ, first: {differing[:3]}"
    assert seen["hangs"] < len(outputs()) / 100
    if SAMPLES >= 500:
        for category in ("NotParseable", "Hallucination", "Runtime", "GoalUnreachable", "Correct"):
            assert seen[f"category: {category}"] > SAMPLES // 50
        for error in ERRORS.values():
            assert seen[f"error: {error}"] > SAMPLES // 100
        assert seen["wrong numbers"] > SAMPLES // 200


@pytest.mark.differential
def test_the_summary_is_the_published_one(tmp_path: Path) -> None:
    """Of one output a task, the rates that include what outputs that are not read have met."""
    generator = np.random.default_rng(SEED + 1)
    changed = perturb_behavior_subgoals.outputs(generator, subgoal_tasks(), 100)
    texts = {output["identifier"]: output["llm_output"] for output in changed}
    summary = behavior_scenes.published_summary("subgoals", scenes().values(), texts, tmp_path)
    scores = [suite.score(task, texts[task.id], PUBLISHED) for task in load_tasks(PUBLISHED)]
    assert suite.SUITE.summarise(scores) == summary
