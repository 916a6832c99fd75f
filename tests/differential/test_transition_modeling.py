"""The ``published`` protocol of transition modeling against eai-eval 1.0.5, output by output.

What it says of changed outputs is recorded (see :mod:`differential.recorded`). The planner that the
published evaluator would download and build is taken from the wheel that homebody uses.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import published
from differential.perturb_operators import BEHAVIOR, VIRTUALHOME, Writer
from differential.recorded import FULL, SAMPLES, SEED, Recording
from homebody.core import Protocol, Score, Suite
from homebody.data import behavior, eai
from homebody.planning.solver import fast_downward
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling import scoring as transition_modeling
from homebody.suites.eai.transition_modeling.agents import annotated_output
from homebody.suites.eai.transition_modeling.operators import TransitionTask
from homebody.suites.eai.transition_modeling.planning import Attempt

pytestmark = pytest.mark.usefixtures("eai_data")

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
    return tuple(suite_of(dataset).tasks.load(published_protocol(dataset)))


def planner() -> Path:
    """The folder of Fast Downward."""
    return Path(fast_downward.driver()).parent


@cache
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
    return [{"identifier": task.id, "llm_output": writer.output(task.to_define)} for task in drawn]


def verdict(record: dict[str, Any]) -> dict[str, Any]:
    """What is compared: a crash, an output that cannot be read, or the counters but zeros."""
    results = record["results"] or {}
    if record["crash"]:
        return {"crash": record["crash"]}
    if results["format_wrong_num"]:
        return {"format": True}
    return {
        "predicted": results["total_predict_action_num"],
        "hallucinated": results["hallucination_num"],
        "categories": {
            part: nonzero(results[f"{short}_predicate_type_res"]) for part, short in PARTS.items()
        },
        "operators": {
            part: nonzero(results[f"{short}_action_type"]) for part, short in PARTS.items()
        },
        "success": nonzero(results["success_by_task_type"]),
    }


def nonzero(counts: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    return {name: list(numbers) for name, numbers in counts.items() if any(numbers)}


def ask(dataset: str, planned: bool, given: Sequence[Output], workdir: Path) -> list[Any]:
    """What the published evaluator makes of each output; without a planner, all have a plan."""
    arguments: list[str | Path] = ["--dataset", dataset]
    arguments += ["--planner", planner()] if planned else []
    return published.drive(DRIVER, arguments, given, workdir)


MATCHING = {
    dataset: Recording(
        f"{dataset}_transition_modeling",
        published.REQUIREMENT,
        partial(outputs, dataset, 2 * SAMPLES),
        partial(ask, dataset, False),
        verdict,
        again=32,
        chunk=1000,
    )
    for dataset in DATASETS
}
PLANNING = {
    dataset: Recording(
        f"{dataset}_transition_modeling_planned",
        published.REQUIREMENT,
        partial(outputs, dataset, SAMPLES // 5),
        partial(ask, dataset, True),
        verdict,
        again=20,
        chunk=50,
    )
    for dataset in DATASETS
}


def score(dataset: str, output: Output) -> Score:
    tasks = {task.id: task for task in tasks_of(dataset)}
    rules = published_protocol(dataset)
    return transition_modeling.score(tasks[output["identifier"]], output["llm_output"], rules)


def differences(score: Score, theirs: dict[str, Any]) -> dict[str, Any]:
    """What our score and the published counters say differently: name -> (ours, theirs)."""
    record = score.record
    pairs: dict[str, tuple[Any, Any]] = {
        "crash": ("published_crash" in record, "crash" in theirs),
        "format": ("published_crash" not in record and not score.valid, "format" in theirs),
    }
    if not any(own or their for own, their in pairs.values()):
        pairs = {
            "predicted": (record["predicted"], theirs["predicted"]),
            "hallucinated": (record["hallucinations"], theirs["hallucinated"]),
            "success": (
                {category: [int(record["success"]), 1] for category in record["categories"]},
                theirs["success"],
            ),
        }
        for part in PARTS:
            operators = {name: parts[part] for name, parts in record["operators"].items()}
            pairs[f"{part} of operators"] = (nonzero(operators), theirs["operators"][part])
            counts = nonzero(record["counts"][part])
            pairs[f"{part} of categories"] = (counts, theirs["categories"][part])
    return {name: (own, their) for name, (own, their) in pairs.items() if own != their}


def compare(dataset: str, recording: Recording) -> Counter[str]:
    """Assert equal verdicts; count what was seen."""
    given = recording.inputs()
    seen: Counter[str] = Counter()
    differing = []
    for output, theirs in zip(given, recording.verdicts(), strict=True):
        judged = score(dataset, output)
        wrong = differences(judged, theirs)
        if wrong:
            differing.append((output, wrong))
        if "published_crash" in judged.record:
            seen["crashed"] += 1
        elif not judged.valid:
            seen["unreadable"] += 1
        else:
            seen["solved" if judged.record["success"] else "unsolved"] += 1
    print(dict(seen))
    assert not differing, f"{len(differing)} of {len(given)} differ, first: {differing[:3]}"
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("dataset", DATASETS)
def test_matching(monkeypatch: pytest.MonkeyPatch, dataset: str) -> None:
    """Every counter, without a planner on either side."""
    monkeypatch.setattr(transition_modeling, "attempt", lambda *_: Attempt(True, "not asked"))
    seen = compare(dataset, MATCHING[dataset])
    assert seen["unreadable"] > SAMPLES // 50
    assert seen["crashed"] > 0
    assert seen["solved"] > SAMPLES


@pytest.mark.differential
@pytest.mark.parametrize("dataset", DATASETS)
def test_planning(dataset: str) -> None:
    """And whether there is a plan, as Fast Downward says."""
    seen = compare(dataset, PLANNING[dataset])
    assert min(seen["solved"], seen["unsolved"]) > SAMPLES // 25


def summary(dataset: str, given: Sequence[Output], workdir: Path) -> Any:
    """What the published command writes; for BEHAVIOR what it calls, without iGibson, which only
    the other abilities need."""
    if dataset == "virtualhome":
        return published.run_command_line("transition_modeling", given, workdir)[0]
    responses = workdir / "behavior" / "transition_modeling"
    responses.mkdir(parents=True)
    (responses / "model_outputs.json").write_text(json.dumps(given))
    call = (
        "import sys; from virtualhome_eval.agent_eval import agent_evaluation as evaluate;"
        " evaluate(mode='evaluate_results', eval_type='transition_modeling',"
        " output_dir=sys.argv[1], dataset='behavior', llm_response_path=sys.argv[1])"
    )
    command = [str(published.python()), "-c", call, str(workdir)]
    done = subprocess.run(command, cwd=workdir, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    results = workdir / "behavior" / "evaluate_results" / "transition_modeling" / "model"
    return json.loads((results / "summary.json").read_text())


@pytest.mark.differential
@pytest.mark.parametrize("dataset", DATASETS)
def test_summary_of_the_untouched_command(tmp_path: Path, dataset: str) -> None:
    """summary.json, whose categories are in the order of a set."""
    published.install_planner(planner())
    # a task each: two answers for one write their domains to the same file, at the same time
    answers = {output["identifier"]: output for output in outputs(dataset, 100 if FULL else 30)}
    for task in tasks_of(dataset)[:: 9 if dataset == "virtualhome" else 1 if FULL else 3]:
        answers.setdefault(task.id, {"identifier": task.id, "llm_output": annotated_output(task)})
    scores = {identifier: score(dataset, output) for identifier, output in answers.items()}
    kept = [name for name, score in scores.items() if "published_crash" not in score.record]
    theirs = summary(dataset, [answers[name] for name in kept], tmp_path)
    assert suite_of(dataset).summarise([scores[name] for name in kept]) == theirs


@pytest.mark.differential
@pytest.mark.parametrize("dataset", DATASETS)
def test_prompts(dataset: str) -> None:
    """Equal to the official ones, in their order."""
    package = published.package()
    folder = package / "evaluation" / "transition_modeling" / "prompts"
    if dataset == "behavior":
        folder = package.parent / "behavior_eval" / "evaluation" / "transition_modeling"
        folder = folder / "resources" / "prompts"
    official = json.loads((folder / "helm_prompts.json").read_text())
    ours = [(task.id, suite_of(dataset).prompting.prompt(task)) for task in tasks_of(dataset)]
    if dataset == "virtualhome":
        assert [(row["identifier"], row["llm_prompt"]) for row in official] == ours
    assert {row["identifier"]: row["llm_prompt"] for row in official} == dict(ours)
