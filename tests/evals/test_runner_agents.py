"""Runs without a model: processes, journals, what goes wrong, functions as agents."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homebody import suites as registry
from homebody.core import CORRECTED, Action, HomebodyError, Observation, Suite
from homebody.core.ground.engines import can_fork
from homebody.core.suite import Experiments
from homebody.evals import agents, run, scores_from_log
from homebody.evals.run_journal import Journal, read_journal
from homebody.evals.samples import NO_ACTION
from homebody.suites import get_suite, register_suite
from patience import PATIENCE, wait_until

pytestmark = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
GOALS = "eai.virtualhome.goal_interpretation"
RUN = "import sys; from homebody.cli import main; sys.argv[0] = 'homebody'; main()"


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", RUN, "run", *map(str, words)]


def test_no_model_library_is_imported(tmp_path: Path) -> None:
    code = f"{RUN.removesuffix('main()')}\ntry: main()\nfinally: print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", GOALS, "-a", "oracle", "--limit", "3", "-f", "csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert "homebody" in imported
    assert not imported & {"inspect_ai", "openai", "anyio", "gymnasium", "matplotlib", "ray"}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "pool"])
def test_processes_do_what_one_does(method: str, tmp_path: Path) -> None:
    """Both ways of having processes write the same lines as none, whatever their order."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from homebody.evals import agents, run\n"
        f"agents.can_fork = lambda: {method == 'fork'}\n"
        "if __name__ == '__main__':\n"
        "    for workers in (1, 3):\n"
        f"        run({PLANS!r}, agent='random', limit=21, retries=1, epochs=2, workers=workers,\n"
        "            log_dir=f'{sys.argv[1]}/{workers}')\n"
    )
    if method == "fork" and sys.platform != "linux":
        pytest.skip("processes are copied on Linux")
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    one, three = (next((tmp_path / name).glob("*.jsonl")) for name in ("1", "3"))
    assert len(one.read_text().splitlines()) == 43
    assert sorted(one.read_text().splitlines()) == sorted(three.read_text().splitlines())
    assert scores_from_log(one) == scores_from_log(three)


@pytest.mark.sampled
@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize("how", ["kill", "interrupt"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_stopped_run_goes_on(how: str, workers: int, tmp_path: Path) -> None:
    """What was done before it was stopped is not done again; workers end with their parent."""
    code = (
        "import sys, time, os; from pathlib import Path; from homebody.evals import agents\n"
        "judged, gate = agents.judge, sys.argv.pop(1)\n"
        "def slow(setup, identifier, epoch, answer):\n"
        "    with open(gate, 'a') as file: file.write(f'{os.getpid()}\\n')\n"
        # not open(gate).read(): an interrupt while an object is finalised is lost
        "    while len(Path(gate).read_text().splitlines()) > 20: time.sleep(0.01)\n"
        "    return judged(setup, identifier, epoch, answer)\n"
        f"agents.judge = slow\n{RUN}"
    )
    gate, logs = tmp_path / "gate", tmp_path / "logs"
    words = ["run", GOALS, "-a", "oracle", "--limit", "40", "--log-dir", logs, "-f", "csv"]
    words += ["--workers", workers]
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(gate), *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: gate.exists() and len(gate.read_text().splitlines()) > 20, process)
    process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert out == ""
    if how == "interrupt":
        assert process.returncode == 130
        assert err == "homebody: interrupted; run the same command to resume\n"
    for pid in set(gate.read_text().split()):
        wait_until(lambda pid=int(pid): not _runs(pid))
    (path,) = logs.glob("*.jsonl")
    before = read_journal(path).scored
    assert 0 < len(before) < 40
    with path.open("ab") as file:
        file.write(b'{"id": "half a li')
    result = run(GOALS, agent="oracle", limit=40, log_dir=logs)
    assert result.resumed == len(before)
    assert result.scores == run(GOALS, agent="oracle", limit=40, log_dir=tmp_path).scores
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + 40
    assert run(GOALS, agent="oracle", limit=40, log_dir=logs, reuse=True).reused
    afresh = run(GOALS, agent="oracle", limit=40, log_dir=logs)
    assert (afresh.resumed, afresh.scores) == (0, result.scores)


def _runs(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def raising(*args: object) -> Any:
    raise ZeroDivisionError("ours")


def scoring_raises(suite: Suite[Any]) -> Suite[Any]:
    return replace(suite, scoring=replace(suite.scoring, score=raising))


def feeding_raises(suite: Suite[Any]) -> Suite[Any]:
    assert suite.experiments.pipeline is not None
    pipeline = replace(suite.experiments.pipeline, feed=raising)
    return replace(suite, experiments=Experiments(pipeline=pipeline))


def starting_raises(suite: Suite[Any]) -> Suite[Any]:
    assert suite.playing is not None
    return replace(suite, playing=replace(suite.playing, start=raising))


@pytest.mark.parametrize(
    ("name", "broken", "options"),
    [
        (PLANS, scoring_raises, {}),
        (PLANS, scoring_raises, {"retries": 1}),
        (PLANS, feeding_raises, {"pipeline": True}),
        ("eai.virtualhome.interactive", starting_raises, {}),
    ],
)
def test_who_raised_is_told(
    name: str,
    broken: Callable[[Suite[Any]], Suite[Any]],
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(replace(broken(get_suite(name)), name="raising.tasks"))

    def told(suite: str, agent: Callable[[Any], Any]) -> list[tuple[str, str, bool]]:
        result = run(suite, agent=agent, limit=1, log_dir=tmp_path, **options)
        return [(each.kind, each.reason, "raising" in each.traceback) for each in result.errors]

    assert told("raising.tasks", lambda asked: "{}") == [
        ("internal_error", "ZeroDivisionError: ours", True)
    ]
    assert told(name, raising) == [("agent_error", "ZeroDivisionError: ours", True)]


def test_one_bad_task_costs_one_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from homebody import cli

    suite = get_suite(GOALS)
    bad = suite.tasks.load(CORRECTED)[2].id
    judged = agents.judge

    def failing(setup: Any, identifier: str, epoch: int, answer: Any) -> Any:
        if identifier == bad:
            raise ZeroDivisionError("not today")
        return judged(setup, identifier, epoch, answer)

    monkeypatch.setattr(agents, "judge", failing)
    out, logs = tmp_path / "out", tmp_path / "logs"
    words = ["run", GOALS, "-a", "oracle", "--limit", "6", "-f", "csv", "--out", str(out)]
    words += ["--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["homebody", *words, "--log-dir", str(logs)])
    with pytest.raises(SystemExit) as end:
        cli.main()
    shown = capsys.readouterr()
    assert end.value.code == 1
    assert "oracle" in shown.out
    assert "oracle: 1 of 6 samples failed and is excluded: ZeroDivisionError (1)" in shown.err
    assert f"the first, {bad}: ZeroDivisionError: not today (internal_error)" in shown.err
    assert "ZeroDivisionError: not today" in shown.err
    *_, last = records = (out / "oracle" / "samples.jsonl").read_text().splitlines()
    assert len(records) == 6
    lost = json.loads(last)
    assert (lost["identifier"], lost["error"]["kind"]) == (bad, "internal_error")
    assert lost["error"]["reason"] == "ZeroDivisionError: not today"
    assert len(json.loads((out / "oracle_outputs.json").read_text())) == 5
    (path,) = logs.glob("*.jsonl")
    (error,) = read_journal(path).errors.values()
    assert "in failing" in error.traceback

    monkeypatch.setattr(agents, "judge", judged)
    cli.main()  # tries again, that task alone
    assert len((out / "oracle" / "samples.jsonl").read_text().splitlines()) == 6
    assert len(path.read_text().splitlines()) == 1 + 6 + 1


def test_what_is_no_journal_is_begun_anew(tmp_path: Path) -> None:
    first = run(GOALS, agent="oracle", limit=2, log_dir=tmp_path)
    for content in (b"", b"garbage\n", b'{"format": "homebody-run"}\n', b"[" * 100_000 + b"\n"):
        first.log_path.write_bytes(content)
        with pytest.raises(HomebodyError, match="a journal"):
            scores_from_log(first.log_path)
        again = run(GOALS, agent="oracle", limit=2, log_dir=tmp_path)
        assert (again.resumed, again.scores) == (0, first.scores)


def test_processes_are_copied_only_while_there_is_one_thread() -> None:
    hold = threading.Event()
    thread = threading.Thread(target=hold.wait)
    thread.start()
    try:
        assert not can_fork()
    finally:
        hold.set()
        thread.join()


# -- functions ------------------------------------------------------------------------------------


def test_a_function_answers_questions(tmp_path: Path) -> None:
    suite = get_suite(PLANS)
    assert suite.prompting is not None
    tasks = suite.tasks.load(CORRECTED)[:4]
    answers = {suite.prompting.prompt(task): suite.answer("oracle", task) for task in tasks}
    asked: list[str] = []

    def scripted(prompt: str) -> str:
        asked.append(prompt)
        return answers[prompt]

    result = run(PLANS, agent=scripted, limit=4, log_dir=tmp_path)
    assert [score.metrics["success"] for score in result.scores] == [1.0] * 4
    assert asked == list(answers)
    assert result.resumed == 0
    run(PLANS, agent=scripted, limit=4, log_dir=tmp_path)
    assert len(asked) == 8  # another function may have this name

    told: list[str] = []

    def wrong(prompt: str) -> str:
        told.append(prompt)
        return "{}"

    result = run(PLANS, agent=wrong, limit=1, retries=2, log_dir=tmp_path)
    assert len(told) == 3
    assert "This is retry 2." in told[2]
    assert len(result.first_scores) == 1


def test_a_function_that_fails_costs_its_tasks(tmp_path: Path) -> None:
    def broken(prompt: str) -> Any:
        return None

    result = run(PLANS, agent=broken, limit=2, log_dir=tmp_path)
    assert result.scores == ()
    assert [e.reason for e in result.errors] == [
        "TypeError: an agent must return a string, not NoneType"
    ] * 2


PARTNR = "partnr.val"


def done(observation: Observation) -> Action:
    return Action("Done")


def as_text(observation: Observation) -> str:
    return f"I know of {len(observation.options)} things to do. Done[]"


def by_number(observation: Observation) -> int:
    return len(observation.options) - 1


@pytest.mark.parametrize("agent", [done, as_text, by_number])
def test_a_function_plays(agent: Any, tmp_path: Path) -> None:
    result = run(PARTNR, agent=agent, limit=2, log_dir=tmp_path)
    idle = run(PARTNR, agent="idle", limit=2, log_dir=tmp_path)
    assert result.errors == ()
    assert result.scores == idle.scores
    assert result.outputs == idle.outputs


def test_a_function_plays_beside_a_policy(tmp_path: Path) -> None:
    settings = {"human": "expert"}
    result = run(PARTNR, agent=done, limit=2, settings=settings, log_dir=tmp_path)
    assert [score.metrics["success"] for score in result.scores] == [1.0, 1.0]
    named = run(PARTNR, agent="idle", limit=2, settings=settings, log_dir=tmp_path)
    assert named.scores == result.scores


def test_what_is_said_wrongly_is_an_error_of_the_task(tmp_path: Path) -> None:
    result = run(PARTNR, agent=lambda observation: None, limit=1, log_dir=tmp_path)
    (error,) = result.errors
    assert error.reason == f"TypeError: {NO_ACTION.format('NoneType')}"


def test_workers_get_several_samples_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int, int]] = []
    monkeypatch.setattr(
        agents,
        "finish",
        lambda *_, engine, workers, together, **__: asked.append((engine, workers, together)),
    )
    monkeypatch.setattr(agents, "can_fork", lambda: True)
    for count, workers in ((342, 2), (1000, 2), (5, 8), (1, 8), (7, 1)):
        begun = Journal({"epochs": 1}, tuple(map(str, range(count))))
        agents.run_samples(
            agents.Setup(get_suite(PLANS), agent="oracle"), begun, print, workers=workers
        )
    assert asked == [
        *[("fork", 2, 16), ("fork", 2, 16), ("fork", 2, 1)],
        *[("serial", 1, 1), ("serial", 1, 1)],
    ]
