"""The ``published`` protocol of transition modeling against eai-eval 1.0.5, output by output.

Run with ``pytest -m differential``; ``HOMEBODY_DIFFERENTIAL_SAMPLES`` and
``HOMEBODY_DIFFERENTIAL_SEED`` as in :mod:`test_eai`. The planner that the published evaluator
would download and build is taken from the wheel that homebody uses.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import published
from differential.perturb_operators import BEHAVIOR, VIRTUALHOME, Writer
from homebody.core import Protocol, Score, Suite
from homebody.data import behavior, eai
from homebody.data.cache import cache_dir
from homebody.planning.solver import fast_downward
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling import scoring as transition_modeling
from homebody.suites.eai.transition_modeling.agents import annotated
from homebody.suites.eai.transition_modeling.operators import TransitionTask
from homebody.suites.eai.transition_modeling.planning import Attempt

pytestmark = [pytest.mark.differential, pytest.mark.usefixtures("eai_data")]

SAMPLES = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SAMPLES", "1500"))
SEED = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SEED", "1"))
WORKERS = os.cpu_count() or 2
DRIVER = Path(__file__).with_name("_driver_transition.py")
PARTS = {"precondition": "precond", "effect": "effect"}

DATASETS = ("virtualhome", "behavior")

Output = dict[str, str]


@cache
def suite_of(dataset: str) -> Suite[TransitionTask]:
    return get_suite(f"eai.{dataset}.transition_modeling")


def published_protocol(dataset: str) -> Protocol:
    return suite_of(dataset).protocol("published")


@cache
def tasks_of(dataset: str) -> tuple[TransitionTask, ...]:
    return tuple(suite_of(dataset).load(published_protocol(dataset)))


@pytest.fixture(scope="session")
def python() -> Path:
    return published.venv_python(cache_dir() / "differential")


@pytest.fixture(scope="session")
def planner() -> Path:
    """The folder of Fast Downward."""
    return Path(fast_downward.driver()).parent


def outputs(dataset: str, count: int) -> list[Output]:
    """Perturbed ground truth of tasks drawn at random."""
    generator = np.random.default_rng(SEED)
    tasks = tasks_of(dataset)
    if dataset == "virtualhome":
        writer = Writer(generator, eai.load()["pddl"]["operators"], VIRTUALHOME)
    else:
        # under the name of the prompt too, which the evaluator does not know
        official = behavior.load("pddl")["operators"]
        sliced = {**official["slice-carvingknife"], "action_name": "slice_carvingknife"}
        writer = Writer(generator, {**official, "slice_carvingknife": sliced}, BEHAVIOR)
    drawn = [tasks[int(at)] for at in generator.integers(0, len(tasks), size=count)]
    return [{"identifier": one.id, "llm_output": writer.output(one.asked)} for one in drawn]


def run(
    python: Path,
    dataset: str,
    given: Sequence[Output],
    workdir: Path,
    planner: Path | None = None,
) -> list[dict[str, Any]]:
    """What the published evaluator makes of each output; without a planner, all have a plan."""
    processes = []
    shares = [given[start::WORKERS] for start in range(WORKERS)]
    for number, share in enumerate(shares):
        source, target = workdir / f"in{number}.jsonl", workdir / f"out{number}.jsonl"
        source.write_text("".join(json.dumps(one) + "\n" for one in share))
        command = [str(python), str(DRIVER), "--dataset", dataset]
        command += ["--input", str(source), "--output", str(target)]
        if planner is not None:
            command += ["--planner", str(planner)]
        with open(workdir / f"log{number}.txt", "w") as log:
            processes.append((subprocess.Popen(command, stdout=log, stderr=log), target))
    records: list[dict[str, Any]] = [{} for _ in given]
    for number, (process, target) in enumerate(processes):
        assert process.wait() == 0, (workdir / f"log{number}.txt").read_text()[-2000:]
        records[number::WORKERS] = [json.loads(line) for line in target.read_text().splitlines()]
    return records


def score(dataset: str, one: Output) -> Score:
    tasks = {task.id: task for task in tasks_of(dataset)}
    rules = published_protocol(dataset)
    return transition_modeling.score(tasks[one["identifier"]], one["llm_output"], rules)


def differences(found: Score, their: dict[str, Any]) -> dict[str, Any]:
    """What our score and the published counters say differently: name -> (ours, theirs)."""
    record, results = found.record, their["results"] or {}
    if their["crash"] or "published_crash" in record:
        ours, theirs = "published_crash" in record, bool(their["crash"])
        return {} if ours == theirs else {"crash": (record.get("published_crash"), their["crash"])}
    if results["format_wrong_num"] or not found.valid:
        ours, theirs = not found.valid, bool(results["format_wrong_num"])
        return {} if ours == theirs else {"format": (ours, theirs)}
    pairs: dict[str, tuple[Any, Any]] = {
        "predicted": (record["predicted"], results["total_predict_action_num"]),
        "hallucinated": (record["hallucinations"], results["hallucination_num"]),
    }
    for part, short in PARTS.items():
        for category, theirs in results[f"{short}_predicate_type_res"].items():
            own = record["counts"][part].get(category, [0, 0, 0])
            pairs[f"{part} {category}"] = (own, theirs)
        for name, counts in results[f"{short}_action_type"].items():
            own = record["operators"].get(name, {}).get(part, [0, 0, 0])
            pairs[f"{part} {name}"] = (own, counts)
    for category in record["categories"]:
        theirs = results["success_by_task_type"][category]
        pairs[f"success {category}"] = ([int(record["success"]), 1], theirs)
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def compare(
    dataset: str, given: Sequence[Output], theirs: Sequence[dict[str, Any]]
) -> Counter[str]:
    seen: Counter[str] = Counter()
    differing = []
    for one, their in zip(given, theirs, strict=True):
        found = score(dataset, one)
        wrong = differences(found, their)
        if wrong:
            differing.append((one, wrong))
        if "published_crash" in found.record:
            seen["crashed"] += 1
        elif not found.valid:
            seen["unreadable"] += 1
        else:
            seen["solved" if found.record["success"] else "unsolved"] += 1
    print(dict(seen))
    assert not differing, f"{len(differing)} of {len(given)} differ, first: {differing[:3]}"
    return seen


@pytest.mark.parametrize("dataset", DATASETS)
def test_matching(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dataset: str
) -> None:
    """Every counter, without a planner on either side."""
    given = outputs(dataset, 2 * SAMPLES)
    theirs = run(python, dataset, given, tmp_path)
    monkeypatch.setattr(transition_modeling, "attempt", lambda *_: Attempt(True, "not asked"))
    seen = compare(dataset, given, theirs)
    assert seen["unreadable"] > SAMPLES // 50
    assert seen["crashed"] > 0
    assert seen["solved"] > SAMPLES


@pytest.mark.parametrize("dataset", DATASETS)
def test_planning(python: Path, planner: Path, tmp_path: Path, dataset: str) -> None:
    """And whether there is a plan, as Fast Downward says."""
    given = outputs(dataset, SAMPLES // 5)
    seen = compare(dataset, given, run(python, dataset, given, tmp_path, planner))
    assert min(seen["solved"], seen["unsolved"]) > SAMPLES // 25


def summary(python: Path, dataset: str, given: Sequence[Output], workdir: Path) -> Any:
    """What the published command writes; for BEHAVIOR what it calls, without iGibson, which only
    the other abilities need."""
    if dataset == "virtualhome":
        return published.run_command_line(python, "transition_modeling", given, workdir)[0]
    responses = workdir / "behavior" / "transition_modeling"
    responses.mkdir(parents=True)
    (responses / "model_outputs.json").write_text(json.dumps(given))
    call = (
        "import sys; from virtualhome_eval.agent_eval import agent_evaluation as evaluate;"
        " evaluate(mode='evaluate_results', eval_type='transition_modeling',"
        " output_dir=sys.argv[1], dataset='behavior', llm_response_path=sys.argv[1])"
    )
    command = [str(python), "-c", call, str(workdir)]
    done = subprocess.run(command, cwd=workdir, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results = workdir / "behavior" / "evaluate_results" / "transition_modeling" / "model"
    return json.loads((results / "summary.json").read_text())


@pytest.mark.parametrize("dataset", DATASETS)
def test_summary_of_the_untouched_command(
    python: Path, planner: Path, tmp_path: Path, dataset: str
) -> None:
    """summary.json, whose categories are in the order of a set."""
    published.install_planner(python, planner)
    # a task each: two answers for one write their domains to the same file, at the same time
    answers = {one["identifier"]: one for one in outputs(dataset, 100)}
    for task in tasks_of(dataset)[:: 9 if dataset == "virtualhome" else 1]:
        answers.setdefault(task.id, {"identifier": task.id, "llm_output": annotated(task)})
    given = [one for one in answers.values() if "published_crash" not in score(dataset, one).record]
    theirs = summary(python, dataset, given, tmp_path)
    assert suite_of(dataset).summarise([score(dataset, one) for one in given]) == theirs


@pytest.mark.parametrize("dataset", DATASETS)
def test_prompts(python: Path, dataset: str) -> None:
    """Equal to the official ones, in their order."""
    package = published.package(python)
    folder = package / "evaluation" / "transition_modeling" / "prompts"
    if dataset == "behavior":
        folder = package.parent / "behavior_eval" / "evaluation" / "transition_modeling"
        folder = folder / "resources" / "prompts"
    official = json.loads((folder / "helm_prompts.json").read_text())
    ours = [(task.id, suite_of(dataset).prompt(task)) for task in tasks_of(dataset)]
    if dataset == "virtualhome":
        assert [(one["identifier"], one["llm_prompt"]) for one in official] == ours
    assert {one["identifier"]: one["llm_prompt"] for one in official} == dict(ours)
