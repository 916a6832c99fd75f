"""homebody against eai-eval 1.0.5 on BEHAVIOR, on the same outputs, in one run: time and memory.

    python benchmarks/eai_behavior.py [PART ...] [--runs 3] [--quick]

For each module two files of outputs, one for every task: what the oracle writes, and seeded
mistakes in it (those of the differential tests). Both programs score them as whole processes, start
to exit, on one core (transition modeling, of which eai-eval starts 32 processes, on all); "beyond
start-up" is the process time from when the tasks are loaded. There is no iGibson: the functions of
eai-eval run with the stand-ins of the differential tests, which have neither scenes to load nor
physics, so that it does less than it used to. It is installed in an environment of its own on first
use.

``options`` lists all goal options of all tasks; ``planning`` solves the official PDDL problems with
the ground-truth operators, on one core. ``--quick`` is a smoke run on every 20th task.
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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from differential import (
    behavior_scenes,
    perturb_behavior,
    perturb_behavior_goals,
    perturb_behavior_subgoals,
    published,
)
from differential.perturb_operators import BEHAVIOR, Writer
from differential.test_behavior_subgoals import subgoal_tasks
from differential.test_behavior_world import case_of, plan_task
from homebody.core import Suite
from homebody.data import behavior
from homebody.goals.bddl import count_options, options
from homebody.planning.pddl import parse_problem
from homebody.planning.solver import fast_downward
from homebody.planning.solver.solve import Limits, solve
from homebody.suites import get_suite
from homebody.suites.eai.behavior.tasks import load_tasks
from homebody.suites.eai.behavior.transition_modeling import load_transition_tasks

SEED = 0
CRASHES = "published_crash"
TRIES = 20
SECONDS = 30.0
"""A problem's share of planning."""

DRIVERS = Path(published.__file__).parent
SUMMARY_JOBS = {"action_sequencing": "action_sequencing", "subgoal_decomposition": "subgoals"}
PUBLISHED_COMMAND = (
    "import sys; from virtualhome_eval.agent_eval import agent_evaluation as evaluate;"
    " evaluate(mode='evaluate_results', eval_type='transition_modeling',"
    " output_dir=sys.argv[2], dataset='behavior', llm_response_path=sys.argv[1])"
)

Write = Callable[[int], str]
"""Number of a task -> an output with mistakes, another one at each call."""


# -- outputs ------------------------------------------------------------------------------------


def mistaken_plans(generator: np.random.Generator) -> Write:
    tasks = [plan_task(case_of(task)) for task in load_tasks()]
    return lambda at: perturb_behavior.text_of(
        perturb_behavior.variants(tasks[at], generator, 1)[0]
    )


def mistaken_goals(generator: np.random.Generator) -> Write:
    goals = behavior.load("goals")
    tasks = [
        perturb_behavior_goals.Task(
            raw["id"], goals[raw["id"]], [row["bddl"] for row in raw["objects"]]
        )
        for raw in behavior.load("tasks")
    ]
    return lambda at: perturb_behavior_goals.perturbed(generator, tasks[at])["llm_output"]


def mistaken_subgoals(generator: np.random.Generator) -> Write:
    tasks = subgoal_tasks()
    return lambda at: perturb_behavior_subgoals.outputs(generator, [tasks[at]], 1)[0]["llm_output"]


def mistaken_operators(generator: np.random.Generator) -> Write:
    writer = Writer(generator, behavior.load("pddl")["operators"], BEHAVIOR)
    tasks = load_transition_tasks(suite_of("transition_modeling").scoring.protocols["published"])
    return lambda at: writer.output(tasks[at].to_define)


MODULES: dict[str, Callable[[np.random.Generator], Write]] = {
    "action_sequencing": mistaken_plans,
    "subgoal_decomposition": mistaken_subgoals,
    "goal_interpretation": mistaken_goals,
    "transition_modeling": mistaken_operators,
}


def suite_of(module: str) -> Suite[Any]:
    return get_suite(f"eai.behavior.{module}")


def outputs(module: str, kind: str, step: int) -> dict[str, str]:
    """Task -> output: the oracle's or, for ``mistakes``, a changed one. The published evaluator
    ends with an exception at none of them: of the changed ones others are tried; where the oracle
    has it end (once, a transfer in action sequencing), the task is left out."""
    suite = suite_of(module)
    rules = suite.scoring.protocols["published"]
    generator = np.random.default_rng(SEED)
    oracle, write = suite.text_agents["oracle"].answer, MODULES[module](generator)
    found = {}
    for at, task in list(enumerate(suite.tasks.load(rules)))[::step]:
        for _ in range(TRIES):
            text = oracle(task, generator) if kind == "oracle" else write(at)
            if CRASHES not in suite.score(task, text, rules).record:
                found[suite.tasks.identify(task)] = text
                break
    return found


# -- measuring ----------------------------------------------------------------------------------


LAUNCHER = """
import json, os, sys, time
out, err = (os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) for name in sys.argv[1:3])
to = [(os.POSIX_SPAWN_DUP2, out, 1), (os.POSIX_SPAWN_DUP2, err, 2)]
start = time.perf_counter()
pid = os.posix_spawn(sys.argv[3], sys.argv[3:], os.environ, file_actions=to)
_, status, usage = os.wait4(pid, 0)
cpu = usage.ru_utime + usage.ru_stime
print(json.dumps([status, time.perf_counter() - start, cpu, usage.ru_maxrss / 1024]))
"""
"""A new process counts the memory of the one that starts it as its own: that has to be small."""


def measure(command: Sequence[str], runs: int) -> tuple[float, float, float, str]:
    """Median wall and CPU seconds (of children too), the largest resident set in MB, and what is
    printed, of a whole process."""
    walls, cpus, peak, printed = [], [], 0.0, ""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        for _ in range(runs):
            launch = [sys.executable, "-IS", "-c", LAUNCHER, str(out), str(err), *command]
            done = subprocess.run(launch, capture_output=True, text=True, check=True)
            status, wall, cpu, memory = json.loads(done.stdout)
            if status != 0:
                raise SystemExit(f"{' '.join(command)} failed:\n{err.read_text()[-1000:]}")
            walls.append(wall)
            cpus.append(cpu)
            peak, printed = max(peak, memory), out.read_text()
    return statistics.median(walls), statistics.median(cpus), peak, printed


def row(name: str, wall: float, cpu: float, peak: float, more: str = "") -> None:
    print(f"{name:50}{wall:9.2f}{cpu:9.2f}{peak:9.0f}  {more}", flush=True)


def ours(module: str, responses: Path, out: Path, protocol: str) -> list[str]:
    homebody = str(Path(sys.executable).parent / "homebody")
    command = [homebody, "score", f"eai.behavior.{module}", str(responses)]
    return [*command, "--protocol", protocol, "--out", str(out)]


def theirs(
    module: str, texts: dict[str, str], responses: Path, folder: Path, python: Path
) -> tuple[list[str], Callable[[], Any]]:
    """The command that has the published functions evaluate a file of outputs, and how to get at
    the summary that they make."""
    target = folder / "theirs.json"
    if module == "goal_interpretation":
        driver, source = DRIVERS / "_driver_behavior_goals.py", responses / "model_outputs.json"
        command = [str(python), str(driver), "file", "--input", str(source)]
        return [*command, "--output", str(target)], lambda: json.loads(target.read_text())
    if module == "transition_modeling":
        root = responses.parent.parent
        made = folder / "behavior/evaluate_results" / module / "model/summary.json"
        command = [str(python), "-c", PUBLISHED_COMMAND, str(root), str(folder)]
        return command, lambda: json.loads(made.read_text())
    job = {"kind": "summary", "module": SUMMARY_JOBS[module], "scene": next(iter(texts))}
    scenes = [case_of(task).described for task in load_tasks() if task.id in texts]
    (folder / "scenes.json").write_text(json.dumps(scenes))
    (folder / "jobs.jsonl").write_text(json.dumps({**job, "outputs": texts}) + "\n")
    command = [str(python), str(behavior_scenes.DRIVER)]
    for option, file in (("scenes", "scenes.json"), ("input", "jobs.jsonl")):
        command += [f"--{option}", str(folder / file)]
    return [*command, "--output", str(target)], lambda: json.loads(target.read_text())["summary"]


def compare(module: str, runs: int, step: int, python: Path, scratch: Path) -> None:
    every = os.sched_getaffinity(0)
    if module == "goal_interpretation":
        step = 1  # the published functions want all tasks
    files = {kind: outputs(module, kind, step) for kind in ("oracle", "mistakes")}
    os.sched_setaffinity(0, every if module == "transition_modeling" else {min(every)})
    for kind, texts in files.items():
        folder = scratch / module / kind
        responses = folder / "behavior" / module
        responses.mkdir(parents=True)
        file = responses / "model_outputs.json"
        rows = [{"identifier": name, "llm_output": text} for name, text in texts.items()]
        file.write_text(json.dumps(rows))
        us = 0.0, 0.0
        for protocol in ("corrected", "published"):
            command = ours(module, responses, folder / protocol, protocol)
            wall, cpu, peak, _ = measure(command, runs)
            inside = [sys.executable, __file__, module, "--here", str(file), protocol]
            alone = statistics.median(float(measure(inside, 1)[3]) for _ in range(runs))
            more = f"{alone:.2f} s CPU beyond start-up"
            row(f"{module}, {len(texts)} {kind}, {protocol}", wall, cpu, peak, more)
            us = wall, cpu
        command, summary = theirs(module, texts, responses, folder, python)
        wall, cpu, peak, _ = measure(command, 1)
        ratios = f"{wall / us[0]:.1f}x wall, {cpu / us[1]:.1f}x CPU"
        row(f"{module}, {len(texts)} {kind}, eai-eval", wall, cpu, peak, ratios)
        mine, their = json.loads((folder / "published/model/summary.json").read_text()), summary()
        print(f"  summaries: {'equal' if mine == their else f'differ: {mine}, {their}'}")
    os.sched_setaffinity(0, every)


def score_here(module: str, file: Path, protocol: str) -> None:
    """Prints the process time, that of children too, from when all tasks are loaded."""
    suite = suite_of(module)
    rules = suite.scoring.protocols[protocol]
    tasks = {suite.tasks.identify(task): task for task in suite.tasks.load(rules)}
    start = sum(os.times()[:4])
    rows = json.loads(file.read_text())
    scores = [suite.score(tasks[one["identifier"]], one["llm_output"], rules) for one in rows]
    assert suite.summarise(scores)
    print(sum(os.times()[:4]) - start)


# -- goals and plans ----------------------------------------------------------------------------


def list_options(step: int) -> None:
    """All goal options of all tasks, one at a time."""
    found, literals, most = 0, 0, 0
    for task in load_tasks()[::step]:
        tree = task.task.goal.tree  # type: ignore[attr-defined]
        number = 0
        for option in options(tree):
            number += 1
            literals += len(option)
        assert number == count_options(tree), task.id
        found, most = found + number, max(most, number)
    print(f"{found:,} options with {literals:,} literals, at most {most:,} a task")


def solve_official(step: int) -> None:
    """The official problems with the ground-truth operators."""
    times, unsolved = [], []
    asked = 0
    for task in load_transition_tasks()[::step]:
        start = time.perf_counter()
        domain, problem = task.reference.domain, parse_problem(task.problem_text)
        result = solve(domain, problem, limits=Limits(seconds=SECONDS))
        seconds = time.perf_counter() - start
        asked += result.by == "fast_downward"
        if result.status == "solved" and seconds <= SECONDS:
            times.append(seconds)
        else:
            unsolved.append(f"{task.name} ({result.status}, {seconds:.1f} s)")
    print(
        f"{len(times)} of {len(times) + len(unsolved)} solved within {SECONDS:.0f} s, the median in"
        f" {statistics.median(times):.3f} s, the longest in {max(times):.1f} s; Fast Downward was"
        f" asked for {asked}; not solved: {', '.join(unsolved) or 'none'}"
    )


PARTS: dict[str, Callable[[int], None]] = {"options": list_options, "planning": solve_official}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [*MODULES, *PARTS]
    parser.add_argument("parts", nargs="*", choices=[*names, []], metavar="PART")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--here", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    step = 20 if given.quick else 1
    if given.here is not None:  # in the process that is measured
        (part,) = given.parts
        if part in PARTS:
            PARTS[part](step)
        else:
            score_here(part, Path(given.here[0]), given.here[1])
        return
    chosen = given.parts or names
    if set(chosen) & set(MODULES):
        python = published.python()
        published.install_planner(Path(fast_downward.driver()).parent)
    print(f"{'':50}{'wall s':>9}{'CPU s':>9}{'peak MB':>9}")
    with tempfile.TemporaryDirectory() as scratch:
        for part in chosen:
            if part in MODULES:
                compare(part, given.runs, step, python, Path(scratch))
                continue
            every = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {min(every)})
            command = [sys.executable, __file__, part, "--here"]
            command += ["--quick"] if given.quick else []
            wall, cpu, peak, printed = measure(command, 1)
            row(part, wall, cpu, peak)
            print(f"  {printed.strip()}")
            os.sched_setaffinity(0, every)


if __name__ == "__main__":
    main()
