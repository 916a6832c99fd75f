"""Many jobs in one process and in several: what comes back, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from homebody.core import HomebodyError
from homebody.core.ground.engines import cores, named, serial
from patience import wait_until

SCRIPT = """
import os, sys, time
from pathlib import Path
from homebody.core import HomebodyError
from homebody.core.ground import engines

def work(job):
    if job == "mistake":
        raise HomebodyError("no such thing", "name another")
    if job == "crash":
        raise ZeroDivisionError("by zero")
    if job == "die":
        os._exit(7)
    if job == "wait":
        path = Path(os.environ["FOLDER"])
        try:
            (path / f"begun-{os.getpid()}").touch()
            time.sleep(600)
        finally:
            (path / f"ended-{os.getpid()}").touch()
    return job * 2

if __name__ == "__main__":
    engine = getattr(engines, sys.argv[1])
    jobs = eval(os.environ["JOBS"])
    try:
        print(sorted(engine(work, jobs, 2)))
    except HomebodyError as error:
        print("mistake:", error, error.hint)
    except RuntimeError as error:
        print("crash:", str(error).splitlines()[-1])
"""
ENGINES = ["serial", "pool", *(["forked"] if sys.platform == "linux" else [])]


def start(folder: Path, engine: str, jobs: object) -> subprocess.Popen[str]:
    script = folder / "script.py"
    script.write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, str(script), engine],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "JOBS": repr(jobs), "FOLDER": str(folder)},
    )


def printed(folder: Path, engine: str, jobs: object) -> str:
    process = start(folder, engine, jobs)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.strip()


@pytest.mark.parametrize("engine", ENGINES)
def test_every_job_is_done_once(engine: str, tmp_path: Path) -> None:
    assert printed(tmp_path, engine, list(range(20))) == str([2 * at for at in range(20)])
    assert printed(tmp_path, engine, []) == "[]"


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_what_goes_wrong_in_a_process_is_told(engine: str, tmp_path: Path) -> None:
    assert printed(tmp_path, engine, [1, "mistake"]) == "mistake: no such thing name another"
    assert printed(tmp_path, engine, ["crash", 2]) == "crash: ZeroDivisionError: by zero"
    assert "ended with code 7" in printed(tmp_path, engine, ["die"] * 3)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_processes_that_are_ended_clean_up(engine: str, tmp_path: Path) -> None:
    process = start(tmp_path, engine, ["wait", "wait"])
    wait_until(lambda: len(list(tmp_path.glob("begun-*"))) == 2, process)
    process.send_signal(signal.SIGINT)
    process.communicate()
    begun = {path.name.removeprefix("begun-") for path in tmp_path.glob("begun-*")}
    assert {path.name.removeprefix("ended-") for path in tmp_path.glob("ended-*")} == begun


def test_engines_have_names() -> None:
    assert named("serial") is serial
    with pytest.raises(HomebodyError, match="no engine 'gpu'"):
        named("gpu")


def test_there_is_a_core() -> None:
    assert cores() >= 1
