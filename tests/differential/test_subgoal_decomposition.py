"""Subgoal decomposition under ``published`` against eai-eval 1.0.5 itself, output by output.

What it says of the oracle's output for every task and of changed outputs is recorded (see
:mod:`differential.recorded`).

The published evaluator draws one part of an ``or``; :mod:`_driver_subgoals` pins that to the first.
It follows every way to refine the subgoals, however many there are: outputs for which homebody
stops at its bound, or the published evaluator took more than a minute, are counted and left out.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import perturb, perturb_subgoals, published
from differential.recorded import FULL, SAMPLES, SEED, Recording, digest
from homebody.core import PUBLISHED, Score, State
from homebody.suites.eai.plan_results import GrammarError
from homebody.suites.eai.subgoal_decomposition.published_formulas import Unevaluated
from homebody.suites.eai.subgoal_decomposition.refinement import LIMITS
from homebody.suites.eai.virtualhome import published_subgoals
from homebody.suites.eai.virtualhome import subgoal_decomposition as suite
from homebody.suites.eai.virtualhome.tasks import SCENE_NAMES, STATES, VirtualHomeTask, load_tasks

pytestmark = pytest.mark.usefixtures("eai_data")

UNTOUCHED = 40 if FULL else 8  # outputs for the untouched command, which takes 3 s each
DRIVER = Path(__file__).with_name("_driver_subgoals.py")

KINDS = {"state": "node", "relation": "edge", "action": "action"}
SCENE_PREDICATES = {*STATES, *perturb_subgoals.RELATIONS, "SITTING"}
GOAL_RATES = {"state": "state_goal", "relation": "relation_goal", "action": "action_goal"}


def oracle_outputs() -> list[dict[str, str]]:
    generator = np.random.default_rng(SEED)
    return [
        {"identifier": task.id, "llm_output": suite.oracle(task, generator), "kind": "oracle"}
        for task in load_tasks(PUBLISHED)
    ]


def subgoal_tasks() -> list[perturb_subgoals.SubgoalTask]:
    """What to perturb: the oracle's subgoals without what the published evaluator cannot read."""
    tasks = load_tasks(PUBLISHED)
    found = []
    for task, output in zip(tasks, oracle_outputs(), strict=True):
        told = (item for item in json.loads(output["llm_output"])["output"] if "not " not in item)
        subgoals = tuple(item.rpartition(" and ")[2] for item in told)
        scene = tuple(thing(task, name) for name in task.task.initial.objects)
        relevant = tuple(thing(task, name) for name in task.relevant)
        found.append(perturb_subgoals.SubgoalTask(task.id, subgoals, relevant, scene))
    return found


def thing(task: VirtualHomeTask, name: str) -> perturb.Thing:
    category, _, number = name.rpartition(".")
    return perturb.Thing(category, number, task.task.initial.objects[name].properties)


@cache
def outputs() -> list[dict[str, str]]:
    generator = np.random.default_rng(SEED)
    return oracle_outputs() + perturb_subgoals.outputs(generator, subgoal_tasks(), SAMPLES)


run_published = partial(published.drive, DRIVER, [])


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared, in the terms of :func:`our_verdict`, with digests of plans and of what runs
    changed. For one output, the published summary holds counts."""
    if record["too_long"]:
        return {"too_long": True}
    trajectory = record["summary"]["trajectory_evaluation"]
    goals = record["summary"]["goal_evaluation"]
    met = record["goals"]
    return {
        "category": record["category"],
        "replayed_otherwise": bool(record["replayed_otherwise"]),
        "ends": [[digest(plan), digest([added, gone])] for plan, added, gone in record["ends"]],
        "compared": {
            "executable": trajectory["execution_success_rate"],
            **trajectory["grammar_error"],
            **trajectory["runtime_error"],
            "success": goals["task_success_rate"],
            "goals": met
            and {
                kind: [met[f"{name}_success_num"], met[f"{name}_tot_num"]]
                for kind, name in KINDS.items()
            },
            **{rate: goals[rate] for rate in (*GOAL_RATES.values(), "overall_goal")},
            "plan": record["plan"] and digest(record["plan"]),
            "action": record["action"],
        },
    }


RECORDED = Recording(
    "virtualhome_subgoal_decomposition",
    published.REQUIREMENT,
    outputs,
    run_published,
    verdict,
    again=32,
    chunk=100,
)


def our_verdict(score: Score, theirs: dict[str, Any]) -> dict[str, Any]:
    """A score in the same terms; ``theirs`` is the published verdict, for what it does not tell."""
    summary = suite.SUITE.summarise([score])
    trajectory, goals = summary["trajectory_evaluation"], summary["goal_evaluation"]
    record = score.record
    read = theirs["plan"] is not None  # of an output that is not read, no plan or action is told
    return {
        "executable": trajectory["execution_success_rate"],
        **trajectory["grammar_error"],
        **trajectory["runtime_error"],
        "success": goals["task_success_rate"],
        "goals": None if theirs["goals"] is None else record["goals_met"],
        **{rate: goals[rate] for rate in (*GOAL_RATES.values(), "overall_goal")},
        "plan": (record["plan"] and digest(record["plan"])) if read else None,
        "action": as_line(record["error_action"]) if read and record["error_action"] else None,
    }


def our_ends(task: VirtualHomeTask, output: str) -> dict[str, str]:
    """Digests: plan of a run that was refined to its end -> facts it added, facts it deleted."""
    try:
        subgoals = published_subgoals.read(task, output)
        runs, _ = published_subgoals.refine(task, subgoals, LIMITS)
    except (GrammarError, Unevaluated):
        return {}
    start = scene_facts(task.task.initial)
    ends: dict[str, str] = {}
    for run in runs:
        if run.finished:
            end = scene_facts(run.states[-1])
            plan = digest([as_line(str(action)) for action in run.actions])
            ends.setdefault(plan, digest([sorted(end - start), sorted(start - end)]))
    return ends


def scene_facts(state: State) -> set[tuple[Any, ...]]:
    """Facts as scene graphs have them."""
    return {
        (SCENE_NAMES.get(predicate, predicate), *(int(a.rpartition(".")[2]) for a in args))
        for predicate, *args in state.facts()
        if predicate in SCENE_PREDICATES
    }


def as_line(action: str) -> str:
    """``GRAB(soap.1000)`` as the simulator's scripts have it."""
    name, _, args = action.partition("(")
    things = [arg.rpartition(".") for arg in args.removesuffix(")").split(", ") if arg]
    return f"[{name}]" + "".join(f" <{category}> ({number})" for category, _, number in things)


@pytest.mark.differential
def test_nested_outputs(tmp_path: Path) -> None:
    """How deep the published parser reads: under Python 3.11, near to the recursion limit."""
    task = load_tasks(PUBLISHED)[0]
    inputs = []
    for opening, depth, closing in (
        *(("(", 110, ")"), ("(", 130, ")"), ("not ", 470, ""), ("not ", 500, "")),
        *(("not (", 90, ")"), ("not (", 105, ")"), ("forall x.(", 110, ")")),
        *(("forall x.(", 130, ")"), ("(ON(soap.1002) and ", 110, ")")),
        ("(ON(soap.1002) and ", 130, ")"),
    ):
        for call in ("FLY(soap.1002)", "ON(soap.1002)"):
            text = opening * depth + call + closing * depth
            inputs.append({"identifier": task.id, "llm_output": json.dumps({"output": [text]})})
    for output, record in zip(inputs, run_published(inputs, tmp_path), strict=True):
        theirs = verdict(record)["compared"]
        ours = our_verdict(suite.SUITE.score(task, output["llm_output"], PUBLISHED), theirs)
        wrong = {key: (ours[key], theirs[key]) for key in ours if ours[key] != theirs[key]}
        assert not wrong, (output, wrong)


@pytest.mark.differential
def test_subgoal_decomposition() -> None:
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    seen: Counter[str] = Counter()
    differing: list[tuple[Any, ...]] = []
    for output, theirs in zip(outputs(), RECORDED.verdicts(), strict=True):
        task, text = tasks[output["identifier"]], output["llm_output"]
        score = suite.score(task, text, PUBLISHED)
        if score.record["search_limit"] or "too_long" in theirs:
            seen["left out: more ways than homebody's bound"] += score.record["search_limit"]
            seen["left out: more than a minute"] += "too_long" in theirs
            continue
        compared = theirs["compared"]
        ours = our_verdict(score, compared)
        wrong: dict[str, Any] = {k: (ours[k], v) for k, v in compared.items() if ours[k] != v}
        ends = our_ends(task, text) if theirs["ends"] else {}
        if any(ends.get(plan) != end for plan, end in theirs["ends"]):
            wrong["ends"] = (ends, theirs["ends"])
        seen["ends compared"] += len(theirs["ends"])
        if wrong:
            differing.append((output, wrong, score.record["explanation"]))
        seen["compared"] += 1
        seen[f"category: {theirs['category']}"] += 1
        seen[f"error: {score.record['error_type']}"] += 1
        seen["additional steps"] += bool(compared["additional_step"])
        seen["replayed otherwise"] += theirs["replayed_otherwise"]
    print("subgoal_decomposition", dict(seen))
    assert not differing, f"{len(differing)} of {len(outputs())} differ, first: {differing[:3]}"
    assert seen["compared"] > 0.98 * len(outputs())
    for category in ("NotParseable", "Hallucination", "Runtime", "GoalUnreachable", "Correct"):
        assert seen[f"category: {category}"] > SAMPLES // 50
    for error in (
        *("parsing", "action_hallucination", "object_hallucination", "argument_number"),
        *("affordance_error", "missing_step", "wrong_order"),
    ):
        assert seen[f"error: {error}"] > SAMPLES // 200
    assert seen["additional steps"] > SAMPLES // 100


@pytest.mark.differential
def test_summary_of_the_untouched_command(tmp_path: Path) -> None:
    """summary.json byte for byte, and each report that the driver sees, where nothing is drawn."""
    generator = np.random.default_rng(SEED + 1)
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    chosen: dict[str, dict[str, str]] = {}
    for output in perturb_subgoals.outputs(generator, subgoal_tasks(), 4 * UNTOUCHED):
        drawn = " or " in output["llm_output"] or ")or" in output["llm_output"]
        if len(chosen) < UNTOUCHED and not drawn:
            chosen.setdefault(output["identifier"], output)
    given = list(chosen.values())
    scores = [suite.score(tasks[o["identifier"]], o["llm_output"], PUBLISHED) for o in given]
    kept = [at for at, score in enumerate(scores) if not score.record["search_limit"]]
    named = [{**given[at], "identifier": f"scene_1_{given[at]['identifier']}"} for at in kept]
    theirs, reports = published.run_command_line("subgoal_decomposition", named, tmp_path)
    ours = suite.SUITE.summarise([scores[at] for at in kept])
    assert json.dumps(ours, indent=4) == json.dumps(theirs, indent=4)

    driven = run_published([given[at] for at in kept], tmp_path / "driven")
    assert reports is not None
    assert [record["report"] for record in driven] == [
        reports[output["identifier"]]["info"] for output in named
    ]
