"""``homebody run`` with retries, failing actions and pipelines: rows, files, and mistakes."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from command import caller
from homebody import cli, evals
from homebody.core import CORRECTED
from homebody.evals import scores_from_log
from homebody.suites import get_suite
from model_server import completed, prompt_of, refused
from patience import PATIENCE, wait_until

from .test_model_runs import answer_like
from .test_replanning import IDLE, question

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytestmark = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
SUBGOALS = "eai.virtualhome.subgoal_decomposition"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def homebody_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Run:
    call = caller(capsys, monkeypatch, "run")
    return lambda *args: astuple(call(*args, "--log-dir", tmp_path / "logs"))


def rows(text: str) -> dict[str, dict[str, str]]:
    return {row["Model"]: row for row in csv.DictReader(io.StringIO(text))}


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_replanning_shows_both_rows_of_one_run(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    best = answer_like(PLANS, "oracle")
    prompts = {
        get_suite(PLANS).prompting.prompt(t).rstrip(): t
        for t in get_suite(PLANS).tasks.load(CORRECTED)[:4]
    }

    def answer(prompt: str) -> str:
        first, retry = question(prompt)
        task = prompts[first.rstrip()]
        return str(best(get_suite(PLANS).prompting.prompt(task))) if retry else IDLE

    server.answer = answer
    out = tmp_path / "out"
    options = [PLANS, "-m", server.model, "--limit", 4, "-f", "csv", "-o", out]
    code, text, err = homebody_run(*options, "--replan", 3)
    assert (code, err) == (0, "")
    found = rows(text)
    assert list(found) == [server.model, f"{server.model} (replanning)"]
    assert [row["Task SR"] for row in found.values()] == ["0.0", "100.0"]
    assert len(server.requests) == 8

    folder = server.model.replace("/", "_")
    before, after = (
        records(out / name / "samples.jsonl") for name in (folder, f"{folder}_replanning")
    )
    assert [r["success"] for r in before] == [False] * 4
    assert [r["success"] for r in after] == [True] * 4
    assert [len(r["attempts"]) for r in after] == [2] * 4
    assert all("attempts" not in r for r in before)
    outputs = json.loads((out / f"{folder}_outputs.json").read_text())
    assert {entry["llm_output"] for entry in outputs} == {IDLE}


def test_a_pipeline_is_shown_beside_the_modular_run_which_is_asked_once(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    server.answer = lambda prompt: IDLE
    options = [PLANS, "-m", server.model, "--limit", 3, "-f", "csv", "-o", tmp_path / "out"]
    assert homebody_run(*options)[0] == 0
    assert len(server.requests) == 3
    code, text, err = homebody_run(*options, "--pipeline")
    assert code == 0
    assert err.startswith(f"note: {server.model}: took the result of an earlier run, ")
    assert len(server.requests) == 3 + 6
    found = rows(text)
    assert list(found) == [server.model, f"{server.model} (pipeline)"]
    assert found[server.model]["Exec SR"] == "100.0"
    folder = server.model.replace("/", "_")
    (one, *_) = records(tmp_path / "out" / f"{folder}_pipeline" / "samples.jsonl")
    assert one["goal_interpretation"]["output"] == IDLE


def test_a_finished_run_of_a_model_is_taken_instead_of_asked(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    server.answer = lambda prompt: IDLE
    options = [PLANS, "-m", server.model, "--limit", 2, "-f", "csv", "--reuse"]
    assert homebody_run(*options)[0] == 0
    code, text, err = homebody_run(*options, "-o", tmp_path / "out")
    assert code == 0
    assert err.startswith(f"note: {server.model}: took the result of an earlier run, ")
    assert len(server.requests) == 2
    assert rows(text)[server.model]["Tasks"] == "2"
    assert len(list((tmp_path / "out").glob("*/run.json"))) == 1


def test_actions_that_fail_name_the_row(homebody_run: Run) -> None:
    options = [PLANS, "-a", "oracle", "--limit", 3, "-f", "csv", "--fail-probability", 1]
    found = rows(homebody_run(*options)[1])
    assert list(found) == ["oracle (p=1)"]
    assert found["oracle (p=1)"]["Exec SR"] == "0.0"
    assert list(rows(homebody_run(*options, "--replan", 1)[1])) == [
        "oracle (p=1)",
        "oracle (p=1 + replanning)",
    ]


@pytest.mark.slow
def test_the_first_of_two_rows_is_shown_when_the_second_fails(
    homebody_run: Run, server: ModelServer
) -> None:
    server.fail = [200, 200, 401]
    options = [PLANS, "-m", server.model, "--limit", 2, "-f", "csv", "--pipeline"]
    code, text, err = homebody_run(*options)
    assert code == 2
    assert list(rows(text)) == [server.model]
    assert "out of order" in err
    code, text, err = homebody_run(*options)
    assert code == 0
    assert "took the result of an earlier run" in err
    assert len(rows(text)) == 2


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["eai.virtualhome.goal_interpretation", "--replan", "3"], "does not support replanning"),
        (["eai.virtualhome.goal_interpretation", "--pipeline"], "does not start from goals"),
        ([PLANS, "--pipeline", "--replan", "3"], "cannot be replanned"),
        ([PLANS, "--fail-probability", "0.1", "-p", "published"], "only the corrected protocol"),
        ([PLANS, "--replan", "11"], "between 0 and 10"),
        ([PLANS, "--replan", "-1"], "--replan"),
        ([PLANS, "--fail-probability", "2"], "--fail-probability"),
        ([PLANS, "--fail-probability", "nan"], "--fail-probability"),
        ([PLANS, "--bound", "nodes=5"], "it has: none"),
        ([SUBGOALS, "--bound", "nodes=1.5"], "nodes must be a whole number, not 1.5"),
        ([SUBGOALS, "--bound", "nodes=0"], "nodes must be a positive number"),
        ([SUBGOALS, "--replan", "3"], f"as in {PLANS}"),
        ([SUBGOALS, "--fail-probability", "0.1"], f"use {PLANS}"),
        (["eai.virtualhome.transition_modeling", "--pipeline"], f"use {PLANS} or {SUBGOALS}"),
    ],
)
def test_a_mistake_is_told_before_any_work(
    options: list[str], part: str, homebody_run: Run, tmp_path: Path
) -> None:
    code, text, err = homebody_run(*options, "-a", "oracle")
    assert (code, text) == (2, "")
    assert part in err
    assert not (tmp_path / "logs").exists()


def test_only_the_tasks_that_are_named_are_asked(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    """In the suite's order and once each; ``--limit`` takes the first of them."""

    def asked(*options: object) -> list[str]:
        code, _, err = homebody_run(PLANS, *options, "--out", tmp_path / "out")
        assert (code, err) == (0, "")
        (folder,) = (path for path in (tmp_path / "out").iterdir() if path.is_dir())
        identifiers = [record["identifier"] for record in records(folder / "samples.jsonl")]
        shutil.rmtree(tmp_path / "out")
        return identifiers

    named = ["--task", "850_1", "--task", "27", "--task", "850_1"]
    for who in (["-a", "oracle"], ["-m", server.model]):
        assert asked(*who, *named) == ["27_2", "850_1"]
        assert asked(*who, *named, "--limit", 1) == ["27_2"]
        assert asked(*who, "--limit", 1) == ["27_2"]
    assert len(server.requests) == 4


def test_a_long_name_of_a_model_fits_that_of_a_file(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    models = [option for end in "12" for option in ("-m", server.model + "ü" * 300 + end)]
    code, _, err = homebody_run(PLANS, *models, "--limit", 1, "-o", tmp_path / "out")
    assert (code, err) == (0, "")
    assert len(list((tmp_path / "out").glob("*_outputs.json"))) == 2
    assert len(list((tmp_path / "out").glob("*/run.json"))) == 2


def test_models_that_would_share_a_folder_are_refused_before_they_are_asked(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    alike = server.model.replace("/", "_")
    for second in (["-m", f"{server.model}/"], ["-a", "oracle", "-m", f"{server.model}?"]):
        words = [PLANS, "-m", server.model + "_", *second, "--limit", 1]
        code, out, err = homebody_run(*words, "-o", tmp_path / "out")
        assert (code, out) == (2, "")
        assert f"would share the folder {alike}_" in err
        assert err.count("\n") == 1
        assert not (tmp_path / "out").exists()
    assert not server.requests
    words = [PLANS, "-a", "oracle", "-a", "oracle", "--limit", 1]  # the same, twice
    assert homebody_run(*words, "-o", tmp_path / "out")[0] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--max-tokens", 5), "options of models"),
        (("--model-arg", "a=b"), "options of models"),
        (("--max-context", 5), "options of models"),
        (("--driver", "tools"), "a driver"),
    ],
)
def test_agents_alone_refuse_options_of_models(
    words: tuple[object, ...], why: str, homebody_run: Run
) -> None:
    suite = "eai.virtualhome.interactive"
    code, out, err = homebody_run(suite, "-a", "oracle", "--limit", 1, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"homebody: {why} cannot be combined with an agent (omit --")
    assert str(words[0]) in err


def test_agents_pass_over_what_the_environment_says_of_models(
    homebody_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MAX_TOKENS", "5")
    monkeypatch.setenv("INSPECT_EVAL_MODEL_ARGS", "a=b")
    assert homebody_run(PLANS, "-a", "oracle", "--limit", 1)[0] == 0


def test_a_model_beside_an_agent_has_its_options(homebody_run: Run, server: ModelServer) -> None:
    words = ["-a", "oracle", "-m", server.model, "--max-tokens", 5, "--limit", 1]
    assert homebody_run(PLANS, *words)[0] == 0
    assert server.requests[0]["max_tokens"] == 5


def test_named_tasks_are_part_of_what_makes_a_run(server: ModelServer, tmp_path: Path) -> None:
    def asked(*tasks: str) -> int:
        before = len(server.requests)
        evals.run(PLANS, model=server.model, tasks=tasks, log_dir=tmp_path, reuse=True)
        return len(server.requests) - before

    assert asked("27_2", "850_1") == 2
    assert asked("850_1", "27_2") == 0
    assert asked("850_1") == 1


def test_a_task_that_there_is_not_is_said_before_anything_is_asked(
    homebody_run: Run, server: ModelServer
) -> None:
    named = ["--task", "850_1", "--task", "27-2"]
    code, out, err = homebody_run(PLANS, "-m", server.model, *named)
    assert (code, out) == (2, "")
    assert "has no task '27-2'; similar: 27_2" in err
    assert not server.requests


def test_it_is_said_that_a_task_is_in_no_number(homebody_run: Run) -> None:
    code, out, err = homebody_run(PLANS, "-a", "oracle", "--limit", 20, "-f", "csv")
    assert code == 0
    assert rows(out)["oracle"]["Tasks"] == "19"
    assert err == ("note: the corrected protocol excludes 1 of 20 tasks (no goal): 339_1\n")
    _, out, err = homebody_run(PLANS, "-a", "oracle", "--task", "339_1", "-f", "csv")
    assert rows(out)["oracle"]["Tasks"] == "0"
    assert err.startswith(
        "note: there are no metrics: the corrected protocol excludes 1 of 1 task "
    )
    _, _, err = homebody_run(PLANS, "-a", "oracle", "--limit", 20, "-p", "published")
    assert "(annotated plan fails the goal check): 27_2" in err
    _, _, err = homebody_run(PLANS, "-a", "oracle", "-a", "empty", "--limit", 20, "--reference")
    assert err.count("excludes") == 1


@pytest.mark.slow
def test_inspect_takes_tasks_and_options_too(tmp_path: Path) -> None:
    from inspect_ai.log import list_eval_logs

    name = "homebody/eai_virtualhome_action_sequencing"
    command = [sys.executable, "-m", "inspect_ai", "eval", name, "--model", "none"]
    command += ["-T", "agent=oracle", "-T", "fail_probability=0.3", "-T", "retries=2"]
    command += ["-T", "tasks=['850_1', '27_2', '746_1']", "--limit", "2"]
    command += ["--display", "plain", "--log-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (log,) = list_eval_logs(str(tmp_path))
    scores = scores_from_log(log.name)
    assert [s.identifier for s in scores] == ["27_2", "850_1"]
    assert all(len(s.record["attempts"]) >= 1 for s in scores)


def test_bounds_are_part_of_what_makes_a_run(homebody_run: Run, tmp_path: Path) -> None:
    """Rows say so, and neither run goes on with what the other has done."""
    folders = ["--out", tmp_path / "out", "--limit", 3, "-f", "csv"]
    code, text, _ = homebody_run(SUBGOALS, "-a", "oracle", "--bound", "nodes=1", *folders)
    assert code == 0
    assert rows(text)["oracle (nodes=1)"]["Task SR"] == "0.0"
    assert all(r["search_limit"] for r in records(tmp_path / "out/oracle_nodes=1/samples.jsonl"))
    for same in ([], ["--bound", "nodes=10000"]):  # the second is what it is anyway
        code, text, _ = homebody_run(SUBGOALS, "-a", "oracle", *folders, *same)
        assert rows(text)["oracle"]["Task SR"] == "100.0"


@pytest.mark.slow
def test_inspect_takes_bounds_too(tmp_path: Path) -> None:
    from inspect_ai.log import list_eval_logs

    name = "homebody/eai_virtualhome_subgoal_decomposition"
    command = [sys.executable, "-m", "inspect_ai", "eval", name, "--model", "none"]
    command += ["-T", "agent=oracle", "-T", "bounds={nodes: 1}", "--limit", "2"]
    command += ["--display", "plain", "--log-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (log,) = list_eval_logs(str(tmp_path))
    assert [s.record["search_limit"] for s in scores_from_log(log.name)] == [True, True]


SLOW_PLANNER = """
import sys
from homebody.cli import main
from homebody.planning.solver import fast_downward, solve
planner = sys.argv.pop(1)
fast_downward.driver = lambda: planner  # gets every problem, and thinks for long
solve.solve_here = lambda domain, problem, limits: solve.Result("unknown", (), "search", "")
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_a_planner_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    scratch, started = tmp_path / "scratch", tmp_path / "started"
    scratch.mkdir()
    planner = tmp_path / "planner.py"
    planner.write_text(
        "import os, time\n"
        f"open({str(started)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        f"time.sleep({2 * PATIENCE})\n"
    )
    options = ["run", "eai.virtualhome.transition_modeling", "-a", "oracle", "--limit", "3"]
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_PLANNER, planner, *options, "--log-dir", tmp_path / "logs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    ) as process:
        wait_until(lambda: started.exists() and started.read_text().endswith("\n"), process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert err == "homebody: interrupted; run the same command to resume\n"
    assert list(scratch.iterdir()) == []
    wait_until(lambda: _has_ended(int(started.read_text())))  # the one that was started, of three


def _has_ended(pid: int) -> bool:
    """Whether there is no such process any more; who adopts it may take a moment to notice."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the size of files")
@pytest.mark.parametrize("size", [pytest.param(150, marks=pytest.mark.slow), 40_000])
def test_a_full_disk_is_one_line_and_the_same_command_goes_on(
    size: int, server: ModelServer, tmp_path: Path
) -> None:
    import resource

    words = ["run", PLANS, "-m", server.model, "-f", "csv"]

    def ended(limit: int, most: int | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "homebody",
                *words,
                "--limit",
                str(limit),
                "--out",
                f"out{limit}",
            ],
            cwd=tmp_path,
            preexec_fn=most
            and (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))),
            capture_output=True,
            text=True,
            check=False,
        )

    assert ended(1).returncode == 0
    full = ended(2, size)
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.startswith("homebody: ")
    assert "cannot write" in full.stderr
    assert full.stderr.count("\n") == 1
    assert not [path for path in (tmp_path / "out2").rglob("*") if path.is_file()]
    again = ended(2)
    assert (again.returncode, again.stderr) == (0, "")
    assert rows(again.stdout)[server.model]["Tasks"] == "2"


def test_samples_without_an_answer_are_told_and_end_with_1(
    homebody_run: Run, server: ModelServer, tmp_path: Path
) -> None:
    suite = get_suite(PLANS)
    assert suite.prompting is not None
    tasks = {suite.prompting.prompt(task): task.id for task in suite.tasks.load(CORRECTED)[:4]}
    _, second, third, _ = tasks
    too_long = refused(400, "maximum context length", "context_length_exceeded")
    cut = completed('{"WALK": ', "length")
    server.answer = answer_like(PLANS, "oracle")
    server.respond = lambda body: {second: too_long, third: cut}.get(prompt_of(body))
    options = [PLANS, "-m", server.model, "--limit", 4, "-f", "csv", "--out", tmp_path / "out"]
    code, text, err = homebody_run(*options)
    assert code == 1
    (row,) = rows(text).values()
    assert (row["Tasks"], row["Asked"], row["Truncated answers"]) == ("3", "4", "1")
    assert err.startswith(
        f"note: {server.model}: 1 of 4 samples failed and is excluded: context too long (1);"
        f" the first, {tasks[second]}: context too long: maximum context length (provider_error);"
    )
    *_, lost = records(tmp_path / "out" / server.model.replace("/", "_") / "samples.jsonl")
    assert lost["identifier"] == tasks[second]
    assert lost["error"]["kind"] == "provider_error"

    server.respond = lambda body: None
    before = len(server.requests)
    code, text, err = homebody_run(*options)
    assert (code, err) == (0, "")
    assert len(server.requests) == before + 1
    assert rows(text)[server.model]["Truncated answers"] == "1"


def test_what_is_tried_again_is_told_in_the_terminal(
    homebody_run: Run, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    server.answer = answer_like(PLANS, "oracle")
    server.fail = [500] * 3
    code, _, err = homebody_run(PLANS, "-m", server.model, "--limit", 1)
    assert code == 0
    name = f"{server.service}/test-model"
    assert err.startswith(f"note: {name}: HTTP 500; try 2 of 8 in 0 s; given up in about ")


def test_options_of_requests_reach_the_model(
    server: ModelServer, homebody_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MAX_TOKENS", "55")
    monkeypatch.setenv("INSPECT_EVAL_TEMPERATURE", "0.5")
    options = [
        "--limit",
        1,
        "--timeout",
        90,
        "--max-retries",
        0,
        "--model-arg",
        "emulate-tools=false",
    ]
    code, _, error = homebody_run(PLANS, "--model", server.model, *options)
    assert (code, error) == (0, "")
    (body,) = server.requests
    assert (body["max_tokens"], body["temperature"]) == (55, 0.5)
    homebody_run(PLANS, "--model", server.model, *options, "--max-tokens", 66)
    assert server.requests[1]["max_tokens"] == 66


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model-arg", "stream"], "'stream' is not NAME=VALUE"),
        (["--model-arg", "api_key=5"], "api_key would be written to the log of the run"),
        (["--model-arg", "nonsense=5"], "cannot use the model"),
        (["--model-base-url", "nowhere"], "'nowhere' is not the address of a server"),
        (["--max-tokens", 10**12], "max_tokens must be at most 1,000,000,000"),
        (["--timeout", 10**12], "timeout must be at most"),
        (["--max-context", 9_000], "no conversation is shortened"),
    ],
)
def test_options_of_requests_that_cannot_be_are_one_line(
    server: ModelServer, homebody_run: Run, options: list[object], message: str
) -> None:
    code, _, error = homebody_run(PLANS, "--model", server.model, "--limit", 1, *options)
    assert code == 2
    assert message in error
    assert error.count("\n") <= 2
    assert not server.requests


def test_inspects_variables_name_the_model_and_the_logs(
    homebody_run: Run, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MODEL", server.model)
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "elsewhere"))
    server.answer = answer_like(PLANS, "oracle")
    options = [PLANS, "--limit", 1, "-f", "csv"]
    assert list(rows(homebody_run(*options)[1])) == [server.model]
    assert list(rows(homebody_run(*options, "-a", "oracle")[1])) == ["oracle"]
    assert len(server.requests) == 1
    assert not (tmp_path / "elsewhere").exists()  # the option says otherwise

    def without_option(where: str) -> int:
        monkeypatch.setenv("INSPECT_LOG_DIR", where)
        monkeypatch.setattr(sys, "argv", ["homebody", "run", *map(str, options)])
        try:
            cli.main()
        except SystemExit as end:
            return int(end.code or 0)
        return 0

    assert without_option(str(tmp_path / "elsewhere")) == 0
    assert len(list((tmp_path / "elsewhere").glob("*.eval"))) == 1
    assert without_option("s3://bucket/logs") == 2
    assert not Path("s3:").exists()
