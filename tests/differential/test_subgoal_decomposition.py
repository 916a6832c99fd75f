"""Subgoal decomposition under ``published`` against eai-eval 1.0.5 itself, output by output.

Run with ``pytest -m differential``. ``HOMEBODY_DIFFERENTIAL_SAMPLES`` sets how many perturbed
outputs are compared (next to the oracle's for every task), ``HOMEBODY_DIFFERENTIAL_SEED`` which.

The published evaluator draws one part of an ``or``; :mod:`_driver_subgoals` pins that to the first.
It follows every way to refine the subgoals, however many there are: outputs for which homebody
stops at its bound, or the published evaluator takes more than a minute, are counted and left out.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import perturb, perturb_subgoals, published
from homebody.core import Score, State
from homebody.data.cache import cache_dir
from homebody.suites.eai.trajectory import GrammarError
from homebody.suites.eai.virtualhome import published_subgoals
from homebody.suites.eai.virtualhome import subgoal_decomposition as suite
from homebody.suites.eai.virtualhome.protocol import PUBLISHED
from homebody.suites.eai.virtualhome.refinement import LIMITS
from homebody.suites.eai.virtualhome.tasks import SCENE_NAMES, STATES, VirtualHomeTask, load_tasks

pytestmark = [pytest.mark.differential, pytest.mark.usefixtures("eai_data")]

SAMPLES = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SAMPLES", "1500"))
SEED = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SEED", "1"))
WORKERS = os.cpu_count() or 2
UNTOUCHED = 40  # outputs for the untouched command, which takes 3 s each
DRIVER = Path(__file__).with_name("_driver_subgoals.py")

KINDS = {"state": "node", "relation": "edge", "action": "action"}
SCENE_PREDICATES = {*STATES, *perturb_subgoals.RELATIONS, "SITTING"}
GOAL_RATES = {"state": "state_goal", "relation": "relation_goal", "action": "action_goal"}


@pytest.fixture(scope="module")
def python() -> Path:
    return published.venv_python(cache_dir() / "differential")


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


def run_published(
    python: Path, outputs: Sequence[dict[str, str]], workdir: Path
) -> list[dict[str, Any]]:
    """One record per output, in order, as the published evaluator judges it alone."""
    workdir.mkdir(parents=True, exist_ok=True)
    shares = [outputs[start::WORKERS] for start in range(WORKERS)]
    running = []
    for number, share in enumerate(shares):
        source, target = workdir / f"in{number}.jsonl", workdir / f"out{number}.jsonl"
        source.write_text("".join(json.dumps(output) + "\n" for output in share))
        log = open(workdir / f"log{number}.txt", "w")  # noqa: SIM115
        command = [str(python), str(DRIVER), "--input", str(source), "--output", str(target)]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        worker = subprocess.Popen(
            command, cwd=workdir, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        running.append((worker, target, log))
    records: list[dict[str, Any]] = [{} for _ in outputs]
    for number, (worker, target, log) in enumerate(running):
        code = worker.wait()
        log.close()
        done = [json.loads(line) for line in target.read_text().splitlines()]
        assert code == 0, Path(log.name).read_text()[-2000:]
        records[number::WORKERS] = done
    return records


def their_verdict(record: dict[str, Any]) -> dict[str, Any]:
    """A published record in the terms of ours. For one output, its summary holds counts."""
    trajectory = record["summary"]["trajectory_evaluation"]
    goals = record["summary"]["goal_evaluation"]
    told = record["goals"]
    return {
        "executable": trajectory["execution_success_rate"],
        **trajectory["grammar_error"],
        **trajectory["runtime_error"],
        "success": goals["task_success_rate"],
        "goals": None
        if told is None
        else {
            kind: [told[f"{name}_success_num"], told[f"{name}_tot_num"]]
            for kind, name in KINDS.items()
        },
        **{rate: goals[rate] for rate in (*GOAL_RATES.values(), "overall_goal")},
        "plan": record["plan"],
        "action": record["action"],
    }


def our_verdict(score: Score, asked: dict[str, Any]) -> dict[str, Any]:
    """A score in the same terms; ``asked`` is the published verdict, for what it does not tell."""
    summary = suite.SUITE.summarise([score])
    trajectory, goals = summary["trajectory_evaluation"], summary["goal_evaluation"]
    record = score.record
    read = asked["plan"] is not None  # of an output that is not read, no plan or action is told
    return {
        "executable": trajectory["execution_success_rate"],
        **trajectory["grammar_error"],
        **trajectory["runtime_error"],
        "success": goals["task_success_rate"],
        "goals": None if asked["goals"] is None else record["goals_met"],
        **{rate: goals[rate] for rate in (*GOAL_RATES.values(), "overall_goal")},
        "plan": record["plan"] if read else None,
        "action": as_line(record["error_action"]) if read and record["error_action"] else None,
    }


def our_ends(task: VirtualHomeTask, output: str) -> dict[tuple[str, ...], list[Any]]:
    """Plan of a run that was refined to its end -> the facts it added, the facts it deleted."""
    try:
        subgoals = published_subgoals.read(task, output)
        runs, _ = published_subgoals.refine(task, subgoals, LIMITS)
    except (GrammarError, published_subgoals.Unevaluated):
        return {}
    start = scene_facts(task.task.initial)
    ends: dict[tuple[str, ...], list[Any]] = {}
    for run in runs:
        if run.finished:
            end = scene_facts(run.states[-1])
            plan = tuple(as_line(str(action)) for action in run.actions)
            ends.setdefault(plan, [sorted(end - start), sorted(start - end)])
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


def compare(outputs: list[dict[str, str]], theirs: list[dict[str, Any]]) -> Counter[str]:
    """Assert equal verdicts; count what was seen."""
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    seen: Counter[str] = Counter()
    differing: list[tuple[Any, ...]] = []
    for output, their in zip(outputs, theirs, strict=True):
        score = suite.score(tasks[output["identifier"]], output["llm_output"], PUBLISHED)
        if score.record["search_limit"] or their["too_long"]:
            seen["left out: more ways than homebody's bound"] += score.record["search_limit"]
            seen["left out: more than a minute"] += their["too_long"]
            continue
        expected = their_verdict(their)
        ours = our_verdict(score, expected)
        wrong: dict[str, Any] = {k: (ours[k], v) for k, v in expected.items() if ours[k] != v}
        ends = our_ends(tasks[output["identifier"]], output["llm_output"]) if their["ends"] else {}
        for plan, added, deleted in their["ends"]:
            if json.loads(json.dumps(ends.get(tuple(plan)))) != [added, deleted]:
                wrong["end"] = (plan, ends.get(tuple(plan)), added, deleted)
            seen["ends compared"] += 1
        if wrong:
            differing.append((output, wrong, score.record["explanation"], their["detail"]))
        seen["compared"] += 1
        seen[f"category: {their['category']}"] += 1
        seen[f"error: {score.record['error_type']}"] += 1
        seen["additional steps"] += bool(expected["additional_step"])
        seen["replayed otherwise"] += bool(their["replayed_otherwise"])
    print("subgoal_decomposition", dict(seen))
    assert not differing, f"{len(differing)} of {len(outputs)} differ, first: {differing[:3]}"
    return seen


def test_subgoal_decomposition(python: Path, tmp_path: Path) -> None:
    generator = np.random.default_rng(SEED)
    outputs = oracle_outputs()
    outputs += perturb_subgoals.outputs(generator, subgoal_tasks(), SAMPLES)
    seen = compare(outputs, run_published(python, outputs, tmp_path))
    assert seen["compared"] > 0.98 * len(outputs)
    for category in ("NotParseable", "Hallucination", "Runtime", "GoalUnreachable", "Correct"):
        assert seen[f"category: {category}"] > SAMPLES // 50
    for error in (
        *("parsing", "action_hallucination", "object_hallucination", "argument_number"),
        *("affordance_error", "missing_step", "wrong_order"),
    ):
        assert seen[f"error: {error}"] > SAMPLES // 200
    assert seen["additional steps"] > SAMPLES // 100


def test_summary_of_the_untouched_command(python: Path, tmp_path: Path) -> None:
    """summary.json byte for byte, and each report that the driver sees, where nothing is drawn."""
    generator = np.random.default_rng(SEED + 1)
    tasks = {task.id: task for task in load_tasks(PUBLISHED)}
    outputs: dict[str, dict[str, str]] = {}
    for output in perturb_subgoals.outputs(generator, subgoal_tasks(), 4 * UNTOUCHED):
        drawn = " or " in output["llm_output"] or ")or" in output["llm_output"]
        if len(outputs) < UNTOUCHED and not drawn:
            outputs.setdefault(output["identifier"], output)
    given = list(outputs.values())
    scores = [suite.score(tasks[o["identifier"]], o["llm_output"], PUBLISHED) for o in given]
    kept = [at for at, score in enumerate(scores) if not score.record["search_limit"]]
    named = [{**given[at], "identifier": f"scene_1_{given[at]['identifier']}"} for at in kept]
    theirs, reports = published.run_command_line(python, "subgoal_decomposition", named, tmp_path)
    ours = suite.SUITE.summarise([scores[at] for at in kept])
    assert json.dumps(ours, indent=4) == json.dumps(theirs, indent=4)

    driven = run_published(python, [given[at] for at in kept], tmp_path / "driven")
    assert reports is not None
    assert [record["report"] for record in driven] == [
        reports[output["identifier"]]["info"] for output in named
    ]
