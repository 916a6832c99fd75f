"""homebody against eai-eval 1.0.5 on the same outputs, in one run: time and memory.

    python benchmarks/eai_virtualhome.py [MODULE ...] [--runs 3] [--quick]

Makes outputs for all tasks of each module (action_sequencing: ground truth with one seeded swap
of neighbours each; the others: ground truth), scores them with both programs as whole processes,
start to exit, and prints the ratio. Both have one core, but for transition modeling, where
eai-eval starts 32 processes and both have all. Installs eai-eval in an environment of its own
under the cache directory on first use. On subgoal_decomposition eai-eval takes a quarter of an
hour. ``--quick`` is a smoke run on every 20th task.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from differential import published
from homebody.planning.solver import fast_downward
from homebody.suites import get_suite
from homebody.suites.eai.transition_modeling.agents import annotated_output
from homebody.suites.eai.virtualhome.plans import render
from homebody.suites.eai.virtualhome.tasks import load_tasks
from homebody.suites.eai.virtualhome.transition_modeling import load_transition_tasks

SEED = 0
CRASHES = "published_crash"


def swapped_plans(step: int) -> list[dict[str, str]]:
    """Ground-truth plans, each with one random swap of neighbouring steps."""
    generator = np.random.default_rng(SEED)
    suite = get_suite("eai.virtualhome.action_sequencing")
    rules = suite.scoring.protocols["published"]
    outputs = []
    for task in load_tasks(rules)[::step]:
        plan = list(task.task.reference)
        if len(plan) > 1:
            at = int(generator.integers(len(plan) - 1))
            plan[at], plan[at + 1] = plan[at + 1], plan[at]
        text = render(plan)
        if CRASHES in suite.score(task, text, rules).record:
            text = render(task.task.reference)  # the peer would end with an exception
        outputs.append({"identifier": task.id, "llm_output": text})
    return outputs


def gold_goals(step: int) -> list[dict[str, str]]:
    suite = get_suite("eai.virtualhome.goal_interpretation")
    generator = np.random.default_rng(SEED)
    tasks = suite.tasks.load(suite.scoring.protocols["published"])[::step]
    return [
        {"identifier": task.id, "llm_output": suite.text_agents["oracle"].answer(task, generator)}
        for task in tasks
    ]


def subgoals(step: int) -> list[dict[str, str]]:
    suite = get_suite("eai.virtualhome.subgoal_decomposition")
    generator = np.random.default_rng(SEED)
    tasks = [
        task for task in suite.tasks.load(suite.scoring.protocols["published"]) if task.has_goal
    ]
    return [
        {
            "identifier": f"scene_1_{task.id}",
            "llm_output": suite.text_agents["oracle"].answer(task, generator),
        }
        for task in tasks[::step]
    ]


def operators(step: int) -> list[dict[str, str]]:
    return [
        {"identifier": task.id, "llm_output": annotated_output(task)}
        for task in load_transition_tasks()[::step]
    ]


MODULES: dict[str, Callable[[int], list[dict[str, str]]]] = {
    "action_sequencing": swapped_plans,
    "goal_interpretation": gold_goals,
    "subgoal_decomposition": subgoals,
    "transition_modeling": operators,
}


def measure(command: list[str], runs: int) -> tuple[float, float, float]:
    """Median wall and CPU seconds, and the largest resident set in MB, of a whole process."""
    walls, cpus, peak = [], [], 0.0
    for _ in range(runs):
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        _, status, usage = os.wait4(process.pid, 0)
        walls.append(time.perf_counter() - start)
        if status != 0:
            assert process.stderr is not None
            raise SystemExit(f"{' '.join(command)} failed:\n{process.stderr.read()[-1000:]}")
        cpus.append(usage.ru_utime + usage.ru_stime)
        peak = max(peak, usage.ru_maxrss / 1024)
    return statistics.median(walls), statistics.median(cpus), peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", choices=[*MODULES, []], metavar="MODULE")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    step = 20 if options.quick else 1
    python = published.python()
    homebody = str(Path(sys.executable).parent / "homebody")
    every = os.sched_getaffinity(0)
    published.install_planner(Path(fast_downward.driver()).parent)

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        print(f"{'':34}{'wall s':>10}{'CPU s':>10}{'peak MB':>10}")
        wall, cpu, peak = measure([homebody, "--help"], options.runs)
        print(f"{'homebody --help':34}{wall:10.2f}{cpu:10.2f}{peak:10.0f}")
        for module in options.modules or MODULES:
            outputs = MODULES[module](step)
            os.sched_setaffinity(0, every if module == "transition_modeling" else {min(every)})
            responses = folder / "virtualhome" / module
            responses.mkdir(parents=True)
            (responses / "model_outputs.json").write_text(json.dumps(outputs))
            ours = [homebody, "score", f"eai.virtualhome.{module}", str(folder)]
            ours += ["--protocol", "published", "--out", str(folder / "ours")]
            theirs = [str(python.parent / "eai-eval"), "--mode", "evaluate_results"]
            theirs += ["--dataset", "virtualhome", "--eval-type", module]
            theirs += ["--num-workers", "1"]
            theirs += ["--llm-response-path", str(folder), "--output-dir", str(folder / "theirs")]
            us, them = measure(ours, options.runs), measure(theirs, 1)
            for name, (wall, cpu, peak) in (("homebody", us), ("eai-eval", them)):
                print(f"{f'{module}, {name}':34}{wall:10.2f}{cpu:10.2f}{peak:10.0f}")
            print(f"{'  ratio':34}{them[0] / us[0]:9.0f}x{them[1] / us[1]:9.0f}x")
            mine = folder / "ours" / "model" / "summary.json"
            peer = folder / "theirs/virtualhome/evaluate_results" / module / "model/summary.json"
            ours_flat, theirs_flat = (flat(json.loads(f.read_text())) for f in (mine, peer))
            differ = {k: (v, theirs_flat[k]) for k, v in ours_flat.items() if v != theirs_flat[k]}
            print(f"  summaries: {f'differ in {differ}' if differ else 'equal'}")
            if differ:
                print("  (where the verdict depends on the hash seed:")
                print("  see docs/benchmarks/eai-protocols.md)")


def flat(summary: dict[str, Any], prefix: str = "") -> dict[str, float]:
    """Nested numbers by dotted name."""
    found: dict[str, float] = {}
    for key, value in summary.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value
    return found


if __name__ == "__main__":
    main()
