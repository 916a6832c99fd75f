"""Many jobs in one process and in several: what comes back, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from homebody.core import HomebodyError
from homebody.core.ground import engines
from homebody.core.ground.engines import all_results, cores, finish, results
from patience import PATIENCE, wait_until

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
    if isinstance(job, str) and job.startswith("killed"):  # until it was tried three times
        tried = Path(os.environ["FOLDER"]) / job
        tried.write_text(tried.read_text() + "x" if tried.exists() else "x")
        if len(tried.read_text()) < 3:
            os.kill(os.getpid(), 9)
    if job == "wait":
        path = Path(os.environ["FOLDER"])
        try:
            (path / f"begun-{os.getpid()}").touch()
            time.sleep(600)
        finally:
            (path / f"ended-{os.getpid()}").touch()
    if job == "stay":  # an exit that is raised while an object is finalised is lost
        (Path(os.environ["FOLDER"]) / f"begun-{os.getpid()}").touch()
        while True:
            try:
                time.sleep(600)
            except SystemExit:
                pass
    return job * 2

if __name__ == "__main__":
    jobs = dict(enumerate(eval(os.environ["JOBS"])))
    try:
        options = {"engine": sys.argv[1], "workers": 2, "together": 1 + len(jobs) // 10}
        print([*engines.all_results(work, jobs, **options).values()])
    except HomebodyError as error:
        print("mistake:", error, error.hint)
    except RuntimeError as error:
        print("crash:", str(error).splitlines()[-1])
"""
ENGINES = ["serial", "pool", *(["fork"] if sys.platform == "linux" else [])]


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


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_what_goes_wrong_in_a_process_is_told(engine: str, tmp_path: Path) -> None:
    assert printed(tmp_path, engine, [1, "mistake"]) == "mistake: no such thing name another"
    assert printed(tmp_path, engine, ["crash", 2]) == "crash: ZeroDivisionError: by zero"
    assert "ended with code 7" in printed(tmp_path, engine, ["die"] * 3)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_a_job_whose_worker_is_killed_is_done_again(engine: str, tmp_path: Path) -> None:
    jobs = [1, "killed", 2, "killed too", 3]
    assert printed(tmp_path, engine, jobs) == str([job * 2 for job in jobs])


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_processes_that_are_ended_clean_up(engine: str, tmp_path: Path) -> None:
    process = start(tmp_path, engine, ["wait", "wait"])
    wait_until(lambda: len(list(tmp_path.glob("begun-*"))) == 2, process)
    process.send_signal(signal.SIGINT)
    process.communicate()
    begun = {path.name.removeprefix("begun-") for path in tmp_path.glob("begun-*")}
    assert {path.name.removeprefix("ended-") for path in tmp_path.glob("ended-*")} == begun


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_process_that_does_not_end_is_killed(tmp_path: Path) -> None:
    process = start(tmp_path, "pool", ["stay", "wait"])
    wait_until(lambda: len(list(tmp_path.glob("begun-*"))) == 2, process)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE / 10)


def double(job: int) -> int:
    if job < 0:
        raise HomebodyError("negative")
    return job * 2


JOBS = {name: number for number, name in enumerate("abcdefg")}


def test_what_is_kept_is_not_done_again() -> None:
    kept, told = {"a": 0, "d": 6}, []
    finish(
        *(double, {**JOBS, "a": -1}, kept, kept.update),
        engine="serial",
        progress=lambda what, done, total: told.append((what, done, total)),
        activity="doubling",
        size=abs,
    )
    assert kept == {name: 2 * number for name, number in JOBS.items()}
    assert told[0] == ("doubling", 4, 22)
    assert told[-1] == ("doubling", 22, 22)


def test_what_was_kept_before_a_mistake_stays() -> None:
    kept: dict[str, int] = {}
    with pytest.raises(HomebodyError, match="negative"):
        finish(double, {**JOBS, "e": -1}, (), kept.update, engine="serial", together=2)
    assert kept == {"a": 0, "b": 2, "c": 4, "d": 6}


def test_results_come_in_order_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(work: Any, jobs: Sequence[Any], workers: int | None) -> Any:
        yield from map(work, reversed(jobs))

    monkeypatch.setitem(engines.ENGINES, "serial", backwards)  # type: ignore[arg-type]
    doubled = {name: 2 * number for name, number in JOBS.items()}
    for in_order, together in ((True, 1), (True, 3), (False, 3)):
        options = {"together": together, "in_order": in_order}
        with results(double, JOBS, engine="serial", **options) as answers:
            found = [pair for some in answers for pair in some.items()]
        assert dict(found) == doubled
        assert (found == [*doubled.items()]) == in_order
    assert [*all_results(double, JOBS, engine="serial")] == [*JOBS]


@pytest.mark.parametrize(
    ("options", "says"),
    [({"engine": "gpu"}, "unknown engine: 'gpu'"), ({"workers": 0}, "1 to 1024 workers")],
)
def test_there_are_so_many_engines_and_workers(options: dict[str, Any], says: str) -> None:
    with pytest.raises(HomebodyError, match=says):
        all_results(double, JOBS, **options)


def test_fresh_processes_cannot_be_given_everything() -> None:
    with pytest.raises(HomebodyError, match="cannot import"):
        all_results(lambda job: job, JOBS, engine="pool")


def test_there_is_a_core() -> None:
    assert cores() >= 1
