"""What scoring costs in two versions, in one run: milliseconds of the processor for an output.

    python benchmarks/scoring.py v1                       # that commit against the working tree
    python benchmarks/scoring.py v1 eai.behavior --runs 5 # only suites whose name begins so

The working tree's agents answer the tasks of each suite, and what the best of them answered is
scored with seeded mistakes too. Both versions score the same files in processes of their own, in
turn, several times, of which the least counts.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from same_results import REPOSITORY, Homebody, git, listed, with_mistakes

AUTHORS = ("oracle", "expert", "random")
"""Agents whose outputs are scored; the first of them that a suite has also makes mistakes."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="a commit")
    parser.add_argument("suites", nargs="*", default=["eai"], help="beginnings of names")
    parser.add_argument("--runs", type=int, default=3, help="of which the least counts")
    parser.add_argument("--limit", type=int, default=0, help="tasks of each suite; 0 for all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, tree = Path(scratch) / "outputs", Path(scratch) / "tree"
        folder.mkdir()
        git("worktree", "add", "--detach", "--force", str(tree), options.base)
        try:
            now = Homebody(REPOSITORY, folder)
            versions = [Homebody(tree, folder), now]
            known = listed(versions[0]("list"))
            print(f"{'ms an output':52}{'before':>9}{'now':>9}")
            for suite, agents in listed(now("list")).items():
                if suite in known and suite.startswith(tuple(options.suites)):
                    files = write_outputs(now, suite, agents, options.limit)
                    compare(versions, suite, files, options.runs)
        finally:
            git("worktree", "remove", "--force", str(tree))


def write_outputs(homebody: Homebody, suite: str, agents: list[str], limit: int) -> list[Path]:
    """Files of outputs of a suite, by those of its agents that count, and with mistakes."""
    authors = [name for name in AUTHORS if name in agents]
    chosen = [word for name in authors for word in ("--agent", name)]
    few = ["--limit", str(limit)] if limit else []
    homebody("run", suite, *chosen, *few, "--out", suite, "--log-dir", "logs")
    files = [homebody.folder / suite / f"{name}_outputs.json" for name in authors]
    outputs = json.loads(files[0].read_bytes())
    for output in outputs:
        output["llm_output"] = with_mistakes(
            output["llm_output"], random.Random(output["identifier"])
        )
    files.append(homebody.folder / suite / "mistakes_outputs.json")
    files[-1].write_text(json.dumps(outputs))
    return files


HERE = """
import json, sys, time
from homebody.suites import get_suite
start = time.process_time()
suite = get_suite(sys.argv[1])
tasks, scoring = getattr(suite, "tasks", suite), getattr(suite, "scoring", suite)  # of old versions
protocol = scoring.protocols["corrected"]
loaded = tasks.load(protocol)
costs = [time.process_time() - start]
for file in sys.argv[2:]:
    outputs = [output["llm_output"] for output in json.load(open(file))]
    start = time.process_time()
    for task, output in zip(loaded, outputs):
        scoring.score(task, output, protocol)
    costs.append(1000 * (time.process_time() - start) / len(outputs))
print(json.dumps(costs))
"""
"""What a version runs: seconds until tasks are loaded, milliseconds an output of each file."""


def compare(versions: list[Homebody], suite: str, files: list[Path], runs: int) -> None:
    """Print what loading costs, and scoring an output of each file, in both versions."""
    words = [sys.executable, "-c", HERE, suite, *map(str, files)]
    costs = []
    for _ in range(runs):  # in turn, so that both see the same load of the machine
        for version in versions:
            run = subprocess.run(words, env=version.environment, capture_output=True, check=True)
            costs.append(json.loads(run.stdout))
    for at, name in enumerate(["loading, s", *(file.name.split("_")[0] for file in files)]):
        before, now = (min(cost[at] for cost in costs[which::2]) for which in range(2))
        print(f"{suite:40}{name:12}{before:9.2f}{now:9.2f}{before / now:8.1f}x", flush=True)


if __name__ == "__main__":
    main()
