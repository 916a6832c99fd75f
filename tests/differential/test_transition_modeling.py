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
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from differential import published
from differential.perturb_operators import Writer
from homebody.core import Score
from homebody.data import eai
from homebody.data.cache import cache_dir
from homebody.planning import fast_downward
from homebody.suites import get_suite
from homebody.suites.eai import transition_modeling
from homebody.suites.eai.operator_agents import annotated
from homebody.suites.eai.operator_planning import Attempt
from homebody.suites.eai.operators import CATEGORIES, TOOLS, load_transition_tasks, prompt
from homebody.suites.eai.virtualhome.protocol import PUBLISHED

pytestmark = [pytest.mark.differential, pytest.mark.usefixtures("eai_data")]

SAMPLES = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SAMPLES", "1500"))
SEED = int(os.environ.get("HOMEBODY_DIFFERENTIAL_SEED", "1"))
WORKERS = os.cpu_count() or 2
DRIVER = Path(__file__).with_name("_driver_transition.py")
PARTS = {"precondition": "precond", "effect": "effect"}

Output = dict[str, str]


@pytest.fixture(scope="session")
def python() -> Path:
    return published.venv_python(cache_dir() / "differential")


@pytest.fixture(scope="session")
def planner() -> Path:
    """The folder of Fast Downward."""
    return Path(fast_downward.driver()).parent


def outputs(count: int) -> list[Output]:
    """Perturbed ground truth of tasks drawn at random."""
    generator = np.random.default_rng(SEED)
    tasks = load_transition_tasks()
    writer = Writer(generator, eai.load()["pddl"]["operators"])
    drawn = [tasks[int(at)] for at in generator.integers(0, len(tasks), size=count)]
    return [{"identifier": one.id, "llm_output": writer.output(one.asked)} for one in drawn]


def run(
    python: Path, given: Sequence[Output], workdir: Path, planner: Path | None = None
) -> list[dict[str, Any]]:
    """What the published evaluator makes of each output; without a planner, all have a plan."""
    processes = []
    shares = [given[start::WORKERS] for start in range(WORKERS)]
    for number, share in enumerate(shares):
        source, target = workdir / f"in{number}.jsonl", workdir / f"out{number}.jsonl"
        source.write_text("".join(json.dumps(one) + "\n" for one in share))
        command = [str(python), str(DRIVER), "--input", str(source), "--output", str(target)]
        if planner is not None:
            command += ["--planner", str(planner)]
        with open(workdir / f"log{number}.txt", "w") as log:
            processes.append((subprocess.Popen(command, stdout=log, stderr=log), target))
    records: list[dict[str, Any]] = [{} for _ in given]
    for number, (process, target) in enumerate(processes):
        assert process.wait() == 0, (workdir / f"log{number}.txt").read_text()[-2000:]
        records[number::WORKERS] = [json.loads(line) for line in target.read_text().splitlines()]
    return records


def score(one: Output) -> Score:
    tasks = {task.id: task for task in load_transition_tasks()}
    return transition_modeling.score(tasks[one["identifier"]], one["llm_output"], PUBLISHED)


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
        for category in (*CATEGORIES, TOOLS):
            theirs = results[f"{short}_predicate_type_res"][category]
            pairs[f"{part} {category}"] = (record["counts"][part][category], theirs)
        for name, counts in results[f"{short}_action_type"].items():
            own = record["operators"].get(name, {}).get(part, [0, 0, 0])
            pairs[f"{part} {name}"] = (own, counts)
    for category in record["categories"]:
        theirs = results["success_by_task_type"][category]
        pairs[f"success {category}"] = ([int(record["success"]), 1], theirs)
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def compare(given: Sequence[Output], theirs: Sequence[dict[str, Any]]) -> Counter[str]:
    seen: Counter[str] = Counter()
    differing = []
    for one, their in zip(given, theirs, strict=True):
        found = score(one)
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


def test_matching(python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every counter, without a planner on either side."""
    given = outputs(2 * SAMPLES)
    theirs = run(python, given, tmp_path)
    monkeypatch.setattr(transition_modeling, "attempt", lambda *_: Attempt(True, "not asked"))
    seen = compare(given, theirs)
    assert seen["unreadable"] > SAMPLES // 50
    assert seen["crashed"] > 0
    assert seen["solved"] > SAMPLES


def test_planning(python: Path, planner: Path, tmp_path: Path) -> None:
    """And whether there is a plan, as Fast Downward says."""
    given = outputs(SAMPLES // 5)
    seen = compare(given, run(python, given, tmp_path, planner))
    assert min(seen["solved"], seen["unsolved"]) > SAMPLES // 25


def test_summary_of_the_untouched_command(python: Path, planner: Path, tmp_path: Path) -> None:
    """summary.json, whose categories are in the order of a set."""
    published.install_planner(python, planner)
    # a task each: two answers for one write their domains to the same file, at the same time
    answers = {one["identifier"]: one for one in outputs(100)}
    for task in load_transition_tasks()[::9]:
        answers.setdefault(task.id, {"identifier": task.id, "llm_output": annotated(task)})
    given = [one for one in answers.values() if "published_crash" not in score(one).record]
    theirs, _ = published.run_command_line(python, "transition_modeling", given, tmp_path)
    suite = get_suite(transition_modeling.NAME)
    assert suite.summarise([score(one) for one in given]) == theirs


def test_prompts(python: Path) -> None:
    """Equal to the official ones, in their order."""
    folder = published.package(python) / "evaluation" / "transition_modeling" / "prompts"
    official = json.loads((folder / "helm_prompts.json").read_text())
    assert [(one["identifier"], one["llm_prompt"]) for one in official] == [
        (task.id, prompt(task)) for task in load_transition_tasks()
    ]
