"""Fast Downward in its own process, for problems that the search of :mod:`.solve` leaves open.

It comes with the wheel ``up-fast-downward`` (GPL; run as a program, never imported).

Source: Helmert, "The Fast Downward Planning System", JAIR 26 (2006).
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from homebody.core.ground.user_errors import HomebodyError
from homebody.planning.pddl import domain_text, parse_domain, parse_problem, problem_text
from homebody.planning.pddl.domain import Domain, Problem
from homebody.planning.solver.execution import Plan

Finding: TypeAlias = Literal["solved", "unsolvable", "malformed", "unknown"]

SEARCH = "let(hff, ff(), lazy_greedy([hff], preferred=[hff]))"
"""The fast search. Quantified conditions become axioms. With axioms, its estimate is not safe and
may exclude states that lead to the goal."""

PROOF = "astar(blind())"
"""The complete search: it ends with a plan or with a proof that no plan exists."""

NOT_FOUND = (11, 12)
"""Exit codes of a search that ended without a plan: with a claimed proof, and without a proof."""

MAX_OUTPUT = 100_000
"""Maximum number of characters of a run's output that are read."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of Fast Downward for a task; ``message`` is one line."""

    verdict: Finding
    plan: Plan = ()
    message: str = ""


def ask(
    domain: Domain,
    problem: Problem,
    *,
    seconds: float,
    memory_mb: int,
    stop: threading.Event | None = None,
) -> Answer:
    """Run Fast Downward with limits of wall time and memory, until ``stop`` is set.

    Raises:
        HomebodyError: it is not installed.
        ValueError: the task has names that cannot be written in PDDL.
    """
    driver()
    domain_pddl, problem_pddl = domain_text(domain), problem_text(problem)
    if parse_domain(domain_pddl) != domain or parse_problem(problem_pddl) != problem:
        raise ValueError("the task holds names that cannot be written in PDDL")
    return ask_text(
        domain_pddl, problem_pddl, seconds=seconds, memory_mb=memory_mb, proof=PROOF, stop=stop
    )


def ask_text(
    domain_pddl: str,
    problem_pddl: str,
    *,
    seconds: float,
    memory_mb: int,
    proof: str | None = None,
    stop: threading.Event | None = None,
) -> Answer:
    """Run Fast Downward on a task as text; it may have derived predicates.

    Args:
        domain_pddl: Trusted ASCII text.
        problem_pddl: Trusted ASCII text.
        seconds: Limit of wall time.
        memory_mb: Limit of memory, in MB.
        proof: The second search, which runs if the fast search ends without a plan and the task has
            axioms. Without it, the result for such a task is "unknown".
        stop: Event that ends the run.

    Raises:
        HomebodyError: it is not installed.
    """
    script = driver()
    end = time.monotonic() + seconds
    limits = _make_limits(seconds, memory_mb)
    with tempfile.TemporaryDirectory(prefix="homebody-") as name:
        folder = Path(name)
        (folder / "domain.pddl").write_text(domain_pddl, encoding="ascii")
        (folder / "problem.pddl").write_text(problem_pddl, encoding="ascii")
        files = ["--sas-file", "task.sas", "--plan-file", "plan", "domain.pddl", "problem.pddl"]
        code, output = _run([script, *limits, *files, "--search", SEARCH], folder, end, stop)
        if code in NOT_FOUND and b"begin_rule" in (folder / "task.sas").read_bytes():
            if proof is None:
                return Answer("unknown", (), "Fast Downward found no plan")
            files = ["--plan-file", "plan", "task.sas"]
            code, output = _run([script, *limits, *files, "--search", proof], folder, end, stop)
        return _answer(code, output, folder / "plan")


def _make_limits(seconds: float, memory_mb: int) -> list[str]:
    """Return the options with which the driver limits itself. These limits also apply if this
    process ends first.

    It refuses to limit memory on macOS, and anything on Windows.
    """
    limits: list[str] = []
    if sys.platform != "win32":
        limits += ["--overall-time-limit", f"{math.ceil(seconds) + 1}s"]
        if sys.platform != "darwin":
            limits += ["--overall-memory-limit", f"{memory_mb}M"]
    return limits


@cache
def driver() -> str:
    """Return the driver script of the wheel, without importing it.

    Raises:
        HomebodyError: it is not installed.
    """
    spec = find_spec("up_fast_downward")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        script = Path(place) / "downward" / "fast-downward.py"
        if script.is_file():
            return str(script)
    raise HomebodyError("Fast Downward is not installed", "run: pip install 'homebody[planning]'")


def _run(
    arguments: list[str], folder: Path, end: float, stop: threading.Event | None = None
) -> tuple[int | None, str]:
    """Run a Python script; return its exit code (None if out of time or stopped) and output."""
    with (folder / "output").open("w+b") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # its own group, so that it can be ended as a whole
        )
        try:
            code = _wait(process, end, stop)
        finally:  # also after an interrupt
            if process.returncode is None:
                _kill(process)
                process.wait()
        output.seek(0)
        return code, output.read(MAX_OUTPUT).decode("utf-8", "replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its child processes."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
    else:
        os.killpg(process.pid, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes], end: float, stop: threading.Event | None) -> int | None:
    while (left := end - time.monotonic()) > 0 and not (stop and stop.is_set()):
        try:
            return process.wait(min(left, 0.25))
        except subprocess.TimeoutExpired:
            continue
    return None


def _answer(code: int | None, output: str, plan: Path) -> Answer:
    """Interpret an exit code as Fast Downward documents it."""
    match code:
        case None | 21 | 23:
            return Answer("unknown", (), "Fast Downward ran out of time")
        case 0 | 1 | 2 | 3:
            return Answer("solved", _read_plan(plan))  # 1 to 3: then out of time or memory
        case 10 | 11:
            return Answer("unsolvable", (), "no plan exists")
        case 20 | 22 | 24:
            return Answer("unknown", (), "Fast Downward ran out of memory")
        case 30 | 31 if "AssertionError" in output:
            return Answer("unknown", (), "Fast Downward crashed on this task")
        case 30 | 31:
            return Answer("malformed", (), _complaint(output))
    return Answer("unknown", (), f"Fast Downward ended with code {code}")


def _complaint(output: str) -> str:
    """Return the lines of output that state what the translator refused."""
    lines = [line.strip(" \t->") for line in output.splitlines()]
    start = max((i for i, line in enumerate(lines) if line.startswith("Parsing")), default=-1) + 1
    complaint = "; ".join(line for line in lines[start : start + 3] if line)
    return f"Fast Downward cannot read the task: {complaint}"[:300]


def _read_plan(path: Path) -> Plan:
    steps = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("("):
            name, *args = line.strip("() \n").split()
            steps.append((name, tuple(args)))
    return tuple(steps)
