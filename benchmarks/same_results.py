"""Do two versions of homebody give the same results, byte for byte?

    python benchmarks/same_results.py main~20            # that commit against the working tree
    python benchmarks/same_results.py v1 v2 --quick      # two commits, first tasks only

Every suite runs with each of its agents, then under each protocol what the agents answered is
scored again, as it is and with seeded mistakes; action sequencing is also replanned, with actions
that fail. Then homes are made, drawn and written, PARTNR's episodes are generated and drawn, and
prompts, audits and analyses are printed. Each version is driven through its command line alone,
in the interpreter that runs this script (which needs the ``dev`` extra), and what it wrote is
kept by commit, so that a base runs once. Exit status 1 if anything differs.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
PROTOCOLS = ("corrected", "published")
MISTAKES = 3  # files of outputs with mistakes, per suite and agent
REPLANNED = ("eai.behavior.action_sequencing", "eai.virtualhome.action_sequencing")
PIPELINES = ("action_sequencing", "subgoal_decomposition")
PLAYED_TASKS = {"partnr.test": "test-19-0", "partnr.val": "val-18-0"}  # which list does not name
TIMED = {"episodes/report.json", "texts/partnr-generate.txt"}  # they say how long it took
RECORDS = "run.json"  # what results were made with: the version, and digests of what is compared
# PARTNR's transcripts had a format of their own once, and its messages the same words but these;
# mistakes are put into texts of the first name, which every version reads
RENAMED = {
    "this is no partnr-run transcript": "this is no homebody-transcript",
    "partnr-run": "homebody-transcript",
    "[clock, agent, call, cycle, planner]": "[clock, role, call, cycle, planner]",
}
TEXTS = {
    "audit-eai": ("data", "audit", "eai"),
    "audit-operators": ("data", "audit", "eai", "--operators"),
    "audit-behavior": ("data", "audit", "behavior", "--all"),
    "list-behavior": ("list", "behavior"),
    "categories-virtualhome": ("analyse", "categories", "--dataset", "virtualhome"),
    "categories-behavior": ("analyse", "categories", "--dataset", "behavior"),
    "partnr-generate": ("partnr", "generate", "episodes", "--episodes", "60", "--workers", "1"),
    "partnr-stats": ("partnr", "stats", "episodes/episodes.jsonl.gz"),
    "partnr-check": ("partnr", "check", "episodes/episodes.jsonl.gz"),
    "partnr-draw": ("partnr", "draw", "partnr.val", "val-18-0", "-o", "task.svg"),
    "house-new": ("house", "new", "flat.json", "--seed", "1", "--rooms", "6"),
    "house-office": ("house", "new", "office.json", "--seed", "2", "--kind", "office"),
    "house-show": ("house", "show", "flat.json"),
    "house-plan": ("house", "render", "flat.json", "-o", "plan.png"),
    "house-kitchen": ("house", "render", "flat.json", "--room", "kitchen_0", "-o", "kitchen.png"),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", help="a commit")
    parser.add_argument("other", nargs="?", help="another; the working tree if left out")
    parser.add_argument("--quick", action="store_true", help="first 20 tasks, fewer mistakes")
    parser.add_argument("--only", default="", help="suites whose name begins so, nothing else")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "same-results")
    options = parser.parse_args()
    folders = [produce(which, options) for which in (options.base, options.other)]
    base, other = (files_in(folder, options.only) for folder in folders)
    different = compare(base, other)
    for path, how in different.items():
        print(f"{how}: {path}")
    print(f"{len(different)} of {len(base)} files differ", *map(str, folders), sep="\n")
    return bool(different)


def produce(revision: str | None, options: argparse.Namespace) -> Path:
    """The folder of everything that a version writes, made if it is not there already."""
    scope = f"{'quick' if options.quick else 'full'}-{options.only or 'all'}"
    if revision is None:
        return run_all(REPOSITORY, options.keep / f"working-tree-{os.getpid()}-{scope}", options)
    commit = git("rev-parse", "--verify", f"{revision}^{{commit}}").strip()
    target = options.keep / f"{commit[:12]}-{scope}"
    everything = options.keep / f"{commit[:12]}-{scope.split('-')[0]}-all"
    for kept in (target, everything):
        if kept.is_dir():
            return kept
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch) / "tree"
        git("worktree", "add", "--detach", "--force", str(tree), commit)
        try:
            return run_all(tree, target, options)
        finally:
            git("worktree", "remove", "--force", str(tree))


def git(*words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(REPOSITORY), *words], check=True, text=True, stdout=subprocess.PIPE
    ).stdout


def run_all(tree: Path, target: Path, options: argparse.Namespace) -> Path:
    partial = target.with_name(f"{target.name}-partial-{os.getpid()}")
    partial.mkdir(parents=True)
    homebody = Homebody(tree, partial)
    agents = listed(homebody("list"))
    # the data is fetched once, not by several jobs at the same time
    for name in ("eai", "behavior", "behavior1k"):
        homebody("data", "fetch", name)
    jobs = [
        (run_suite, homebody, suite, names, protocol, options.quick)
        for suite, names in agents.items()
        if suite.startswith(options.only)
        for protocol in PROTOCOLS
    ]
    jobs.sort(key=lambda job: not job[2].startswith("partnr"))  # the longest first
    if not options.only:
        jobs.insert(2, (print_texts, homebody))
    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(lambda job: job[0](*job[1:]), jobs):
            pass
    shutil.rmtree(partial / "logs", ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    partial.rename(target)
    return target


class Homebody:
    """``homebody`` of one version: called with words, gives what it printed."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": str(tree / "src"),
            "PYTHONHASHSEED": "0",
            "COLUMNS": "200",
            "INSPECT_LOG_LEVEL": "error",
        }

    def __call__(self, *words: str) -> str:
        start = time.monotonic()
        run = subprocess.run(
            [sys.executable, "-m", "homebody", *words],
            cwd=self.folder,
            env=self.environment,
            text=True,
            capture_output=True,
        )
        print(f"{time.monotonic() - start:6.1f} s  homebody {' '.join(words)}", file=sys.stderr)
        if run.returncode:
            print(run.stderr[-2000:], file=sys.stderr)
        return run.stdout + (f"\nexit status {run.returncode}\n" if run.returncode else "")


def listed(text: str) -> dict[str, list[str]]:
    """``homebody list`` -> the names of each suite's agents."""
    agents: dict[str, list[str]] = {}
    suite = ""
    for line in text.splitlines():
        if not line.startswith(" "):
            suite = line.strip()
        elif "agents: " in line:
            names = line.partition("agents: ")[2].split(", ")
            agents[suite] = [name for name in names if name != "person"]
    return agents


def run_suite(
    homebody: Homebody, suite: str, agents: list[str], protocol: str, quick: bool
) -> None:
    folder = Path(suite) / protocol
    few = ["--limit", "20"] if quick else []
    common = ["--protocol", protocol, "--log-dir", f"logs/{suite}-{protocol}"]
    played = suite.startswith("partnr")
    if played and suite.endswith("test") and not quick:
        few = ["--limit", "200"]  # the same code as val, on other episodes
    chosen = [word for agent in agents for word in ("--agent", agent)]
    table = homebody("run", suite, *chosen, *few, *common, "--out", str(folder))
    write(homebody.folder / folder / "table.txt", table)
    if suite in REPLANNED:
        words = ["--agent", "oracle", "--replan", "2", "--fail-probability", "0.1", *few]
        homebody("run", suite, *words, *common, "--out", str(folder / "replanned"))
    if suite.endswith(PIPELINES) and "oracle" in agents and protocol == "corrected":
        words = ["--agent", "oracle", "--pipeline", *few]
        homebody("run", suite, *words, *common, "--out", str(folder / "pipeline"))
    mistaken = folder / "mistaken"
    (homebody.folder / mistaken).mkdir()
    for file in sorted((homebody.folder / folder).glob("*_outputs.json")):
        for number in range(1 if quick or played else MISTAKES):
            outputs = json.loads(file.read_bytes())[: 50 if played else None]
            for output in outputs:
                key = f"{output['identifier']} {number}"
                answer = output["llm_output"].replace("homebody-transcript", "partnr-run")
                output["llm_output"] = with_mistakes(answer, random.Random(key))
            name = file.name.removesuffix("_outputs.json")
            path = homebody.folder / mistaken / f"{name}-{number}_outputs.json"
            write(path, json.dumps(outputs))
    homebody("score", suite, str(mistaken), "--protocol", protocol, "--out", str(mistaken))


def with_mistakes(output: str, chance: random.Random) -> str:
    """An output with a few of its words left out, repeated, exchanged or cut in two."""
    words = re.findall(r"\w+|\s+|[^\w\s]", output)
    for _ in range(chance.choice((1, 1, 2, 4))):
        places = [i for i, word in enumerate(words) if word[0].isalnum()]
        if len(places) < 2:
            break
        first, second = chance.sample(places, 2)
        match chance.randrange(5):
            case 0:
                del words[first]
            case 1:
                words[first] = words[second]
            case 2:
                words[first], words[second] = words[second], words[first]
            case 3:
                words[first] = words[first][::-1] if chance.random() < 0.3 else words[first] * 2
            case _:
                span = words[min(first, second) : max(first, second)]
                words[first:first] = span[:40]
    return "".join(words)


def print_texts(homebody: Homebody) -> None:
    for name, words in TEXTS.items():
        write(homebody.folder / "texts" / f"{name}.txt", homebody(*words))
    for suite in listed(homebody("list")):
        tasks = homebody("list", suite)
        write(homebody.folder / "texts" / f"list-{suite}.txt", tasks)
        name = PLAYED_TASKS.get(suite) or re.findall(r"[\w-]+", tasks)[0]
        prompt = homebody("show", suite, name)
        write(homebody.folder / "texts" / f"show-{suite}.txt", prompt)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def files_in(folder: Path, only: str) -> dict[str, Path]:
    """The files that were asked for, by their path in the folder."""
    files = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    return {
        name: path
        for name, path in files.items()
        if name.startswith(only) and name not in TIMED and path.name != RECORDS
    }


def same(base: Path, other: Path) -> bool:
    """Whether two files are equal, but for what has another name now."""
    if filecmp.cmp(base, other, shallow=False):
        return True
    data = base.read_bytes()
    for before, now in RENAMED.items():
        data = data.replace(before.encode(), now.encode())
    return data == other.read_bytes()


def compare(base: dict[str, Path], other: dict[str, Path]) -> dict[str, str]:
    """Files that are missing, new or different, and how."""
    how = dict.fromkeys(base.keys() - other.keys(), "missing")
    how |= dict.fromkeys(other.keys() - base.keys(), "new")
    for name in base.keys() & other.keys():
        if not same(base[name], other[name]):
            how[name] = "different"
    return dict(sorted(how.items()))


if __name__ == "__main__":
    sys.exit(main())
