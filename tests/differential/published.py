"""The published evaluators, in an environment of their own, on outputs of our choice.

``homebody`` must give what ``eai-eval`` gives. The published package cannot share an environment
with it and writes one summary for a whole file of outputs, so :func:`drive` has worker processes
(a driver such as :mod:`_driver`) evaluate output by output and returns one record for each.
:func:`run_command_line` is the check on that: the published command, untouched, on the same file.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from homebody.data.cache import cache_dir

REQUIREMENT = "eai-eval==1.0.5"
VENV_VARIABLE = "HOMEBODY_DIFFERENTIAL_VENV"
DRIVER = Path(__file__).with_name("_driver.py")
WORKERS = os.cpu_count() or 2


class PublishedError(RuntimeError):
    """The published evaluators cannot be installed or run."""


def venv_python(cache_dir: Path) -> Path:
    """The interpreter of an environment that has ``eai-eval``, made in ``cache_dir`` if need be.

    The environment variable ``HOMEBODY_DIFFERENTIAL_VENV`` names the interpreter of another one.
    """
    given = os.environ.get(VENV_VARIABLE)
    if given:
        python = Path(given)
        if not python.is_file():
            raise PublishedError(f"{VENV_VARIABLE} is {given}, which is not a file")
        _run([python, "-c", "import virtualhome_eval"], f"{VENV_VARIABLE} has no {REQUIREMENT}")
        return python

    folder = cache_dir / REQUIREMENT.replace("==", "-")
    python = folder / "bin" / "python"
    complete = folder / "complete"
    cache_dir.mkdir(parents=True, exist_ok=True)
    with open(cache_dir / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            _run([sys.executable, "-m", "venv", "--clear", folder], f"Cannot make {folder}")
            _run([python, "-m", "pip", "install", REQUIREMENT], f"Cannot install {REQUIREMENT}")
            _run([python, "-c", "import virtualhome_eval"], f"Cannot import {REQUIREMENT}")
            complete.touch()
    return python


def python() -> Path:
    """The interpreter of the environment in homebody's own cache."""
    return venv_python(cache_dir() / "differential")


def drive(
    driver: Path,
    arguments: Sequence[str | Path],
    inputs: Sequence[Any],
    workdir: Path,
    workers: int = WORKERS,
) -> list[Any]:
    """What a driver writes for each input, in order.

    Args:
        driver: A script for the environment of the published package. It reads inputs from the
            file that follows ``--input``, a JSON value a line, and writes records to the file that
            follows ``--output`` likewise.
        arguments: What else it is given.
        inputs: JSON values.
        workdir: Where the workers' files go.
        workers: How many processes share the inputs.

    Raises:
        PublishedError: a worker did not get to its end.
    """
    workdir = _folder(workdir)
    # Neighbours tend to take alike long, so deal them out rather than cut the list in pieces.
    shares = [inputs[start::workers] for start in range(workers)]
    processes = []
    for number, share in enumerate(shares):
        source, target = workdir / f"in{number}.jsonl", workdir / f"out{number}.jsonl"
        source.write_text("".join(json.dumps(item) + "\n" for item in share))
        target.unlink(missing_ok=True)
        command = [python(), driver, *arguments, "--input", source, "--output", target]
        processes.append((_start(command, workdir, workdir / f"log{number}.txt"), target))

    codes = [process.wait() for process, _ in processes]
    records: list[Any] = [None] * len(inputs)
    for number, (_, target) in enumerate(processes):
        done = _read_lines(target)
        if codes[number] != 0 or len(done) != len(shares[number]):
            log = (workdir / f"log{number}.txt").read_text()[-2000:]
            raise PublishedError(
                f"Worker {number} ended with {codes[number]} after {len(done)} "
                f"of {len(shares[number])} inputs:\n{log}"
            )
        records[number::workers] = done
    return records


def run_published(
    module: str, outputs: Sequence[dict[str, Any]], workdir: Path, workers: int = WORKERS
) -> list[dict[str, Any]]:
    """One record per output, in order, as the published evaluator judges it alone.

    Args:
        module: ``action_sequencing`` or ``goal_interpretation`` of VirtualHome.
        outputs: Objects with ``identifier`` and ``llm_output``.
        workdir: Where the workers' files go.
        workers: How many processes share the outputs.
    """
    return drive(DRIVER, [module], outputs, workdir, workers)


def dump_tasks(module: str, workdir: Path) -> list[dict[str, Any]]:
    """Every task's vocabulary and prompt parts, and whether the gold test drops it."""
    workdir = _folder(workdir)
    target, log = workdir / "tasks.jsonl", workdir / "log.txt"
    command = [python(), DRIVER, module, "--dump-tasks", "--output", target]
    if _start(command, workdir, log).wait() != 0:
        raise PublishedError(f"Cannot describe the tasks:\n{log.read_text()[-2000:]}")
    return _read_lines(target)


def run_command_line(
    module: str, outputs: Sequence[dict[str, Any]], workdir: Path
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The untouched command's summary of all outputs, and its errors by task, if it lists them."""
    workdir = _folder(workdir)
    responses = _folder(workdir / "virtualhome" / module)
    (responses / "model_outputs.json").write_text(json.dumps(list(outputs)))
    command: list[str | Path] = [
        python().parent / "eai-eval",
        "--mode",
        "evaluate_results",
        "--dataset",
        "virtualhome",
    ]
    command += ["--eval-type", module, "--llm-response-path", workdir, "--output-dir", workdir]
    log = workdir / "log.txt"
    if _start(command, workdir, log).wait() != 0:
        raise PublishedError(f"The published command failed:\n{log.read_text()[-2000:]}")
    results = workdir / "virtualhome" / "evaluate_results" / module / "model"
    errors = results / "error_info.json"
    return (
        json.loads((results / "summary.json").read_text()),
        json.loads(errors.read_text()) if errors.exists() else None,
    )


def package() -> Path:
    """The folder of the published package."""
    command = [str(python()), "-c", "import virtualhome_eval; print(virtualhome_eval.__path__[0])"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Path(done.stdout.splitlines()[-1])


def install_planner(planner: Path) -> None:
    """Put Fast Downward where the command would else download and build it.

    Its 32 processes would share one folder, where each first deletes the plan that it finds and
    breaks down if another was quicker: now and then a problem that has a plan counts as unsolved.
    Here each gets a folder of its own.
    """
    folder = package() / "simulation" / "evolving_graph" / "pddlgym_planners" / "FD"
    folder.mkdir(exist_ok=True)
    script = folder / "fast-downward.py"
    script.write_text(
        "#!/bin/sh\n"
        "scratch=$(mktemp -d)\n"
        "trap 'rm -rf \"$scratch\"' EXIT\n"
        'cd "$scratch"\n'
        f'{sys.executable} {planner / "fast-downward.py"} "$@"\n'
    )
    script.chmod(0o755)


def _folder(path: Path) -> Path:
    """The folder, made and absolute: processes run elsewhere."""
    path.mkdir(parents=True, exist_ok=True)
    return path.absolute()


def _start(command: Sequence[str | Path], workdir: Path, log: Path) -> subprocess.Popen[bytes]:
    """Starts a command with a fixed hash seed; what it prints goes to ``log``."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    with open(log, "wb") as file:
        return subprocess.Popen(
            [str(part) for part in command],
            cwd=workdir,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def _run(command: Sequence[str | Path], problem: str) -> None:
    """Runs a command to its end; a failure is ``problem`` with what the command printed."""
    parts = [str(part) for part in command]
    done = subprocess.run(parts, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        printed = (done.stdout + done.stderr).strip()[-2000:]
        raise PublishedError(
            f"{problem} ({' '.join(parts)} ended with {done.returncode}):\n{printed}"
        )


def _read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
