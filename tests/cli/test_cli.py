"""The command line, but for ``homebody run``: what it prints, its exit codes, its errors."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

import click
import numpy as np
import pytest

from command import Homebody, Result
from homebody import __version__, cli, evals
from homebody.cli.app import app
from homebody.core import CORRECTED, HomebodyError, Protocol, Score
from homebody.suites import get_suite
from homebody.suites.eai.virtualhome import action_sequencing
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask

SUITE = "eai.virtualhome.action_sequencing"
BEHAVIOR = "eai.behavior.action_sequencing"
START = [sys.executable, "-c", "from homebody.cli import main; main()"]
TASKS = 12

needs_eai = pytest.mark.usefixtures("eai_data")
needs_behavior = pytest.mark.usefixtures("behavior_data")


def process_environment(**changes: str) -> dict[str, str]:
    """An environment as users have it: buffered output, an 80-column terminal, no proxies."""
    hidden = ("PYTHONUNBUFFERED", "FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in hidden and not name.lower().endswith("_proxy")
    }
    return {**kept, "COLUMNS": "80", **changes}


def without_pip_settings(environment: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in environment.items() if not name.startswith("PIP_")}
    return {**kept, "PIP_CONFIG_FILE": os.devnull}


def start(*args: str | Path, **environment: str) -> Result:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [*START, *map(str, args)],
        capture_output=True,
        text=True,
        env=process_environment(**environment),
    )
    return Result(done.returncode, done.stdout, done.stderr)


def assert_one_line(result: Result, *parts: str) -> None:
    """A user's mistake: exit code 2 and one line that says what is wrong and what to do."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("homebody: ")
    assert result.err.endswith("\n")
    assert len(result.err.splitlines()) == 1
    for part in parts:
        assert part in result.err


def write_outputs(path: Path, agent: str) -> Path:
    """What an agent that needs no model answers to the first tasks, in the published format."""
    suite = get_suite(SUITE)
    act, generator = suite.text_agents[agent].answer, np.random.default_rng(0)
    entries = [
        {"identifier": task.id, "llm_output": act(task, generator)}
        for task in suite.tasks.load(CORRECTED)[:TASKS]
    ]
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture
def outputs(eai_data: None, tmp_path: Path) -> Path:
    """A folder with the outputs of two models."""
    folder = tmp_path / "outputs"
    folder.mkdir()
    for agent in ("oracle", "empty"):
        write_outputs(folder / f"{agent}_outputs.json", agent)
    return folder


# --- Start ----------------------------------------------------------------------------------------


def test_the_command_is_installed() -> None:
    (script,) = entry_points(group="console_scripts", name="homebody")
    assert script.load() is cli.main


def test_help_fits_one_screen() -> None:
    result = start("--help")
    assert result.code == 0
    assert result.err == ""
    assert len(result.out.splitlines()) <= 32
    for command in ("list", "show", "run", "score", "data"):
        assert f" {command} " in result.out


def imported_by(*command: str) -> set[str]:
    """The modules that a command has imported when it ends."""
    code = (
        f"import sys; from homebody.cli import main; sys.argv = ['homebody', *{command}]\n"
        "try: main()\n"
        "finally: print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    return set(done.stderr.split())


HEAVY = {"asyncio", "inspect_ai", "lark", "msgspec", "numpy", "orjson", "openai", "pyarrow", "rich"}
HEAVY |= {"homebody.core.suite", "homebody.suites", "zipfile"}


@pytest.mark.parametrize("command", ["--version", "--help", "run --help", "house --help"])
def test_help_imports_nothing_heavy(command: str) -> None:
    assert not imported_by(*command.split()) & HEAVY


def test_a_command_imports_no_other() -> None:
    imported = {name for name in imported_by("score", "--help") if "homebody.cli." in name}
    assert "homebody.cli.score" in imported
    assert not imported & {"homebody.cli.run", "homebody.cli.house", "homebody.cli.partnr"}


@pytest.mark.parametrize(
    "command", ["list", "show", "run", "score", "data", "data fetch", "data status", "data audit"]
)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_command_has_help(command: str, option: str, homebody: Homebody) -> None:
    result = homebody(*command.split(), option)
    assert (result.code, result.err) == (0, "")
    assert f"Usage: homebody {command} " in result.out


def commands(group: click.Group, names: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of a group's commands, at all levels."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*names, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*names, name))


def test_no_help_shows_markup(homebody: Homebody) -> None:
    for names in commands(app):
        assert "\\" not in homebody(*names, "--help").out, names
    lines = homebody("completion", "--help").out.splitlines()
    starts = [line.split(":")[0].strip() for line in lines if "homebody completion " in line]
    assert starts[1:] == ["bash, in ~/.bashrc", "zsh, in ~/.zshrc", "fish, once"]


def test_options_are_in_panels_with_familiar_types(homebody: Homebody) -> None:
    text = homebody("run", "--help").out
    panels = [line for line in text.splitlines() if line.endswith(":") and line[0] != " "]
    assert panels[1:] == ["What to run:", "Model:", "Prompt:", "Play:", "Output:", "Options:"]
    assert "RANGE" not in text
    for words in ("--epochs INTEGER", "--timeout SECONDS", "--set NAME=VALUE", "[0 to"):
        assert words in text


def complete(words: str, shell: str = "bash") -> list[str]:
    """The values that a shell offers for the last of some words."""
    environment = {"_HOMEBODY_COMPLETE": f"{shell}_complete", "COMP_WORDS": f"homebody {words}"}
    environment["COMP_CWORD"] = str(len(f"homebody {words}".split(" ")) - 1)
    done = subprocess.run(
        [sys.executable, "-m", "homebody"],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("run house.b", "house.bring"),
        ("run house.bring --agent ex", "expert"),
        ("run house.bring --protocol corr", "corrected"),
        ("run house.bring --driver re", "react"),
        ("list -f js", "json"),
        ("complet", "completion"),
    ],
)
def test_a_shell_completes_names(words: str, value: str) -> None:
    assert value in complete(words)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(shell: str, homebody: Homebody) -> None:
    done = homebody("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_HOMEBODY_COMPLETE={shell}_complete" in done.out
    assert homebody("completion", "csh").code == 2


def test_version(homebody: Homebody) -> None:
    assert homebody("--version") == Result(0, f"homebody {__version__}\n", "")


@pytest.mark.parametrize("command", ["", "data"])
def test_without_a_command_the_help_is_shown_and_nothing_else(
    command: str, homebody: Homebody
) -> None:
    result = homebody(*command.split())
    assert result.code == 2
    assert "Usage: homebody" in result.out + result.err
    assert "homebody:  (" not in result.err


# --- score ----------------------------------------------------------------------------------------


def test_score_prints_a_table(outputs: Path, homebody: Homebody) -> None:
    result = homebody("score", SUITE, outputs)
    assert result.code == 0
    assert result.err.splitlines() == [
        f"note: {model} has outputs for {TASKS} of 342 tasks" for model in ("empty", "oracle")
    ]
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0][-2:] == ["corrected", "protocol"]
    assert ["empty", "oracle"] in lines
    assert ["Tasks", str(TASKS), str(TASKS)] in lines
    assert ["Task", "SR", "0.0", "100.0"] in lines
    assert ["Parsing", "100.0", "0.0"] in lines


def test_score_of_one_file_is_of_one_model(outputs: Path, homebody: Homebody) -> None:
    result = homebody("score", SUITE, outputs / "oracle_outputs.json", "--format", "json")
    (model,) = json.loads(result.out)["models"]
    assert model["model"] == "oracle"


def test_score_as_json(outputs: Path, homebody: Homebody) -> None:
    document = json.loads(homebody("score", SUITE, outputs, "-f", "json").out)
    assert (document["suite"], document["protocol"]) == (SUITE, "corrected")
    assert [model["model"] for model in document["models"]] == ["empty", "oracle"]
    assert [model["values"]["Task SR"] for model in document["models"]] == [0.0, 100.0]


def test_score_as_csv(outputs: Path, homebody: Homebody) -> None:
    lines = list(csv.DictReader(io.StringIO(homebody("score", SUITE, outputs, "-f", "csv").out)))
    assert [(line["Model"], line["Task SR"]) for line in lines] == [
        ("empty", "0.0"),
        ("oracle", "100.0"),
    ]


def test_score_as_markdown(outputs: Path, homebody: Homebody) -> None:
    lines = homebody("score", SUITE, outputs, "-f", "markdown").out.splitlines()
    assert lines[0].startswith("| Model | Tasks | Task SR |")
    assert len({line.count("|") for line in lines}) == 1
    assert lines[3].startswith(f"| oracle | {TASKS} | 100.0 |")


def test_score_by_the_published_protocol(outputs: Path, homebody: Homebody) -> None:
    """There, a plan equal to the ground truth is executable and reaches nothing."""
    result = homebody("score", SUITE, outputs, "--protocol", "published", "-f", "json")
    document = json.loads(result.out)
    assert document["protocol"] == "published"
    oracle = document["models"][1]["values"]
    assert oracle["Task SR"] < 100.0
    assert oracle["Exec SR"] > oracle["Task SR"]


@needs_eai
def test_strict_is_a_protocol(homebody: Homebody, tmp_path: Path) -> None:
    """Short for --protocol strict, in what is printed, kept and said of mistakes."""
    file = write_outputs(tmp_path / "oracle_outputs.json", "oracle")
    entries = json.loads(file.read_text())
    entries[0]["llm_output"] = f"Here you are: {entries[0]['llm_output']}"
    file.write_text(json.dumps(entries))

    def values(*options: str) -> tuple[str, float, float]:
        document = json.loads(homebody("score", SUITE, file, "-f", "json", *options).out)
        numbers = document["models"][0]["values"]
        return document["protocol"], numbers["Parsing"], numbers["Off format"]

    share = pytest.approx(100 / TASKS, abs=1e-3)
    assert values() == ("corrected", 0, share)
    strict = ("strict", share, 0)
    assert values("--strict") == values("-p", "strict") == values("--strict", "-p", "strict")
    assert values("--strict") == strict
    out = tmp_path / "out"
    assert homebody("score", SUITE, file, "--strict", "--out", out).code == 0
    assert json.loads((out / "oracle" / "run.json").read_text())["protocol"] == "strict"
    records = [json.loads(line) for line in (out / "oracle" / "samples.jsonl").open()]
    assert records[0]["protocol"] == "strict"
    assert "Words around the answer in line 1: 'Here you are:'" in records[0]["explanation"]
    assert "strict" in homebody("results", out).out
    assert_one_line(homebody("score", SUITE, file, "--out", out), "protocol")  # is of another
    assert_one_line(homebody("score", SUITE, file, "--strict", "-p", "published"), "--strict means")
    assert_one_line(homebody("run", "house.bring", "-a", "random", "--strict"), "no protocol")


def test_score_writes_results_per_model(outputs: Path, homebody: Homebody, tmp_path: Path) -> None:
    out = tmp_path / "results"
    assert homebody("score", SUITE, outputs, "--out", out).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["empty", "oracle"]
    summary = json.loads((out / "oracle" / "summary.json").read_text())
    assert summary["goal_evaluation"]["task_success_rate"] == 100.0
    lines = (out / "empty" / "samples.jsonl").read_text().splitlines()
    assert len(lines) == TASKS
    assert json.loads(lines[0])["error_type"] == "parsing"


def test_one_bad_output_costs_one_output(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One whose scoring raises, one of no task, and an entry that is none."""

    def raising(task: VirtualHomeTask, output: str, protocol: Protocol) -> Score:
        if output == "raise":
            raise RecursionError("too deep")
        return action_sequencing.SUITE.scoring.score(task, output, protocol)

    scoring = replace(action_sequencing.SUITE.scoring, score=raising, score_within=None)
    monkeypatch.setattr(
        "homebody.suites.get_suite", lambda name: replace(action_sequencing.SUITE, scoring=scoring)
    )
    outputs = {"27_2": "", "850_1": "raise", "x" * 1_000_000: ""}
    entries = [{"identifier": name, "llm_output": text} for name, text in outputs.items()]
    path = tmp_path / "m_outputs.json"
    path.write_text(json.dumps([*entries, {"identifier": "417_1"}]))
    result = homebody("score", SUITE, path, "-f", "json", "-o", tmp_path / "out")
    assert result.code == 1
    (model,) = json.loads(result.out)["models"]
    assert (model["tasks"], model["asked"]) == (1, 4)
    told = result.err.splitlines()
    assert told[0] == "note: m has outputs for 3 of 342 tasks"
    assert told[1].startswith("note: m: 3 samples failed and are excluded: ")
    assert len(told) == 2
    assert len(told[1]) < 300
    lines = [
        json.loads(line) for line in (tmp_path / "out/m/samples.jsonl").read_text().splitlines()
    ]
    assert [line["identifier"] for line in lines[:1]] == ["27_2"]
    errors = {line["identifier"][:9]: line["error"] for line in lines[1:]}
    assert {name: error["kind"] for name, error in errors.items()} == {
        "850_1": "internal_error",
        "x" * 9: "agent_error",
        "417_1": "agent_error",
    }
    assert errors["850_1"]["reason"] == "RecursionError: too deep"
    assert "in raising" in errors["850_1"]["traceback"]


def test_score_of_files_with_the_same_name(outputs: Path, homebody: Homebody) -> None:
    """Both are scored: one was dropped in silence."""
    (outputs / "empty_outputs.json").rename(outputs / "oracle.json_outputs.json")
    result = homebody("score", SUITE, outputs, "-f", "json")
    models = {m["model"]: m["values"]["Task SR"] for m in json.loads(result.out)["models"]}
    assert models == {"oracle.json": 0.0, "oracle": 100.0}


def test_results_go_beside_the_outputs_they_are_of(outputs: Path, homebody: Homebody) -> None:
    """Also those of files whose names are nearly the same."""
    (outputs / "empty_outputs.json").rename(outputs / "oracle.json_outputs.json")
    for _ in "12":
        assert homebody("score", SUITE, outputs, "--out", outputs).code == 0
    assert {path.parent.name for path in outputs.glob("*/run.json")} == {"oracle", "oracle.json"}


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (os.mkfifo, "it is not a file"),
        (Path.mkdir, "it is not a file"),
        (lambda path: path.write_text("[nothing"), "is not JSON"),
        (lambda path: path.write_text('[{"identifier": "x", "llm_output": ""}]'), "no such task"),
        (lambda path: path.symlink_to("nowhere"), "cannot read"),
        (lambda path: path.write_text("[]"), "has no outputs"),
    ],
)
@pytest.mark.parametrize("command", [("score", SUITE), ("analyse", "difficulty", SUITE)])
def test_one_bad_file_costs_one_file(
    command: tuple[str, ...],
    bad: Callable[[Path], object],
    why: str,
    outputs: Path,
    homebody: Homebody,
) -> None:
    bad(outputs / "bad_outputs.json")
    result = homebody(*command, outputs, "-f", "json")
    assert result.code == 1
    assert "oracle" in result.out
    assert "empty" in result.out
    (told,) = [line for line in result.err.splitlines() if why in line]
    assert told.startswith("note: ")
    for name in ("oracle", "empty"):
        (outputs / f"{name}_outputs.json").unlink()
    result = homebody(*command, outputs)
    assert (result.code, result.out) == (2, "")
    assert why in result.err
    assert len(result.err.splitlines()) == 1


def test_outputs_that_a_run_wrote_for_another_suite_are_refused(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = "eai.virtualhome.goal_interpretation"
    run = ("run", other, "-a", "oracle", "--limit", "2", "--workers", "1", "-o", "out")
    assert homebody(*run).code == 0
    assert homebody("score", other, "out").code == 0
    refused = homebody("score", SUITE, "out")
    assert (refused.code, refused.out) == (2, "")
    assert f"has outputs of {other}, not of {SUITE}, as out/oracle/run.json says" in refused.err


def test_score_is_the_same_every_time(outputs: Path, homebody: Homebody, tmp_path: Path) -> None:
    printed = [
        homebody("score", SUITE, outputs, "-f", "json", "-o", tmp_path / name).out
        for name in ("first", "second")
    ]
    assert printed[0] == printed[1]
    for name in ("summary.json", "samples.jsonl"):
        first, second = (
            (tmp_path / folder / "oracle" / name).read_bytes() for folder in ("first", "second")
        )
        assert first == second


# --- data -----------------------------------------------------------------------------------------


@needs_eai
def test_status_of_data_that_is_here(homebody: Homebody) -> None:
    result = homebody("data", "status")
    assert (result.code, result.err) == (0, "")
    assert "eai: ready, 342 VirtualHome tasks" in result.out


def test_status_of_data_that_is_not(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "nowhere"))
    result = homebody("data", "status")
    assert (result.code, result.err) == (0, "")
    assert str(tmp_path / "nowhere") in result.out
    assert "homebody data fetch eai" in result.out
    assert not (tmp_path / "nowhere").exists()


@needs_eai
def test_fetch_of_data_that_is_here_says_where(homebody: Homebody) -> None:
    result = homebody("data", "fetch", "eai")
    assert (result.code, result.err) == (0, "")
    assert (Path(result.out.strip()) / "manifest.json").is_file()


@pytest.mark.slow
@needs_eai
@needs_behavior
def test_audit_lists_broken_tasks_with_reasons(homebody: Homebody) -> None:
    result = homebody("data", "audit", "eai", "--format", "json")
    assert (result.code, result.err) == (0, "")
    findings = json.loads(result.out)
    for world, suite in (("virtualhome", SUITE), ("behavior", BEHAVIOR)):
        ids = {task.id for task in get_suite(suite).tasks.load(CORRECTED)}
        found = [finding for finding in findings if finding["world"] == world]
        assert found
        for finding in found:
            assert finding["task"] in ids
            assert finding["problem"] in {
                "no_goal",
                "not_executable",
                "goal_not_reached",
                "unknown_action",
                "goal_listed_twice",
                "same_goal_line",
                "same_prompt",
            }
            assert finding["reason"]


@pytest.mark.slow
@needs_behavior
def test_audit_says_what_becomes_of_every_ground_truth(homebody: Homebody) -> None:
    every = json.loads(homebody("data", "audit", "behavior", "--all", "-f", "json").out)
    broken = json.loads(homebody("data", "audit", "behavior", "-f", "json").out)
    assert sum(row["problem"] != "goal_listed_twice" for row in every) == 100
    assert [row for row in every if row["problem"] != "none"] == broken


@pytest.mark.slow
@needs_eai
@needs_behavior
def test_audit_agrees_in_every_format(homebody: Homebody) -> None:
    findings = json.loads(homebody("data", "audit", "eai", "-f", "json").out)
    table = homebody("data", "audit", "eai").out.splitlines()
    assert table[-1] == f"{len(findings)} in total"
    assert table[0].split() == list(findings[0])
    assert len(table) == len(findings) + 2
    lines = csv.DictReader(io.StringIO(homebody("data", "audit", "eai", "-f", "csv").out))
    assert list(lines) == findings
    assert len(homebody("data", "audit", "eai", "-f", "markdown").out.splitlines()) == (
        len(findings) + 2
    )


# --- Several models -------------------------------------------------------------------------------


@needs_eai
def test_what_is_finished_is_shown_when_a_later_model_fails(
    homebody: Homebody, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def run(suite: str, agent: str, **options: object) -> evals.RunResult:
        if agent == "random":
            raise HomebodyError("out of order")
        chosen = get_suite(suite)
        task = chosen.tasks.load(CORRECTED)[0]
        score = chosen.score(task, chosen.answer(agent, task), CORRECTED)
        return evals.RunResult((score,), tmp_path, "success")

    monkeypatch.setattr(evals, "run", run)
    result = homebody("run", SUITE, "--agent", "oracle", "--agent", "random")
    assert result.code == 2
    assert "oracle" in result.out
    assert result.err.splitlines() == [
        "note: finished: oracle; omit these to run only the others",
        "homebody: out of order",
    ]


# --- Mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        ("nonsense", ["nonsense", "homebody --help"]),
        ("--nonsense", ["--nonsense"]),
        ("list nonsense", ["'nonsense'", SUITE]),
        ("show", ["SUITE"]),
        (f"show {SUITE}", ["show takes a task or --all"]),
        ("show nonsense 27_2", ["'nonsense'", SUITE]),
        ("score", ["SUITE"]),
        (f"score {SUITE}", ["PATH"]),
        ("score nonsense .", ["'nonsense'", SUITE]),
        (f"score {SUITE} nowhere", ["nowhere"]),
        (f"score {SUITE} . --protocol severe", ["'severe'", "corrected, published, strict"]),
        (f"score {SUITE} . --format xml", ["'xml'", "table, json, csv, markdown"]),
        (f"score {SUITE} . --nonsense", ["--nonsense"]),
        (f"score {SUITE} . extra", ["extra"]),
        (f"run {SUITE}", ["--model", "--agent"]),
        (f"run {SUITE} --agent oracle --limit many", ["--limit"]),
        (f"run {SUITE} --agent oracle --limit 0", ["--limit"]),
        ("data nonsense", ["nonsense"]),
        ("data fetch", ["Missing argument"]),
        ("data fetch nonsense", ["'nonsense'", "eai"]),
        ("data audit nonsense", ["'nonsense'", "eai"]),
        ("data audit eai --format xml", ["'xml'", "markdown"]),
    ],
)
def test_a_mistake_is_one_line(args: str, parts: list[str], homebody: Homebody) -> None:
    assert_one_line(homebody(*args.split()), *parts)


@needs_eai
@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (f"show {SUITE} 0_0", ["'0_0'", f"homebody list {SUITE}"]),
        (
            f"run {SUITE} --agent nonsense",
            ["'nonsense'", "oracle, random, copycat, frequent, empty"],
        ),
        (f"score {SUITE} .", ["_outputs.json"]),
    ],
)
def test_a_mistake_that_takes_the_data_to_see_is_one_line(
    args: str, parts: list[str], homebody: Homebody
) -> None:
    assert_one_line(homebody(*args.split()), *parts)


@needs_eai
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("{", "not JSON"),
        ("{}", "is not a list"),
        ("[1]", "entry 0"),
        ('[{"identifier": "a\\nb", "llm_output": ""}]', "has no such task"),
        ("[]", "has no outputs"),
        (f'[{{"identifier": "{"a" * 1_000_000}", "llm_output": ""}}]', "has no such task"),
    ],
)
def test_a_broken_file_is_one_line(
    text: str, part: str, homebody: Homebody, tmp_path: Path
) -> None:
    path = tmp_path / "m_outputs.json"
    path.write_text(text)
    assert_one_line(homebody("score", SUITE, path), part)


def test_results_that_cannot_be_written_are_one_line(outputs: Path, homebody: Homebody) -> None:
    in_the_way = outputs / "oracle_outputs.json"
    assert_one_line(homebody("score", SUITE, outputs, "--out", in_the_way), "cannot write")


def test_a_wheel_that_is_another_file_is_one_line(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "cache"))
    (tmp_path / "other.whl").write_bytes(b"")
    result = homebody("data", "fetch", "eai", "--wheel", tmp_path / "other.whl")
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert_one_line(result, "other.whl", empty, "fe09f2a84cfb2451")


@needs_eai
def test_outputs_in_place_of_their_path_are_one_line(homebody: Homebody) -> None:
    assert_one_line(homebody("score", SUITE, json.dumps(["an output"] * 1000)))


def test_a_mistake_in_a_process_of_its_own() -> None:
    assert_one_line(start("list", "nonsense"), "'nonsense'", SUITE)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "command",
    [
        f"show {SUITE} 27_2",
        f"score {SUITE} .",
        "data audit eai",
        pytest.param(f"list {SUITE}", marks=pytest.mark.slow),
        pytest.param("data fetch eai", marks=pytest.mark.slow),
    ],
)
def test_no_network_and_no_data_is_one_line(command: str, tmp_path: Path) -> None:
    (tmp_path / "m_outputs.json").write_text("[]")
    done = subprocess.run(
        [*START, *command.split()],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=without_pip_settings(process_environment())
        | {
            "HOMEBODY_DATA": str(tmp_path / "cache"),
            "PIP_INDEX_URL": "http://127.0.0.1:9/",
            "PIP_NO_INDEX": "1",
        },
    )
    result = Result(done.returncode, done.stdout, done.stderr)
    assert_one_line(result, "could not download eai-eval==1.0.5", "homebody data fetch eai")


# --- Ends that the user brings about --------------------------------------------------------------


@pytest.mark.sampled
@needs_eai
@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
@pytest.mark.parametrize(
    "command", ["--version", "--help", "list", f"list {SUITE}", "data audit eai -f csv"]
)
def test_a_pipe_that_nobody_reads_is_no_error(command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*START, *command.split()],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            env=process_environment(),
        )
    finally:
        os.close(writer)
    assert done.stderr == ""
    assert done.returncode in (0, 1)


@needs_eai
@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_the_first_line_of_a_long_list_can_be_taken() -> None:
    with subprocess.Popen(
        [*START, "list", SUITE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=process_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("27_2 ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode in (0, 1)


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_interrupting_a_fetch_leaves_nothing_behind(tmp_path: Path) -> None:
    """Ctrl-C while pip waits for a server that does not answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        environment = without_pip_settings(process_environment()) | {
            "HOMEBODY_DATA": str(tmp_path),
            "PIP_INDEX_URL": f"http://127.0.0.1:{server.getsockname()[1]}/",
        }
        with subprocess.Popen(
            [*START, "data", "fetch", "eai"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        ) as process:
            connection, _ = server.accept()
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            out, err = process.communicate()
            connection.close()
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert err.endswith("homebody: interrupted\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("eai_data")
def test_run_of_two_agents_prints_a_table_and_keeps_everything(
    homebody: Homebody, tmp_path: Path
) -> None:
    """The README's command on a few tasks."""
    agents = ("--agent", "oracle", "--agent", "random")
    folders = ("--out", tmp_path / "out", "--log-dir", tmp_path / "logs")
    result = homebody("run", SUITE, *agents, "--limit", "6", *folders, "--format", "json")
    assert result.code == 0
    models = {model["model"]: model for model in json.loads(result.out)["models"]}
    assert models["oracle"]["values"]["Task SR"] == 100.0
    assert models["random"]["values"]["Task SR"] == 0.0
    assert len(list((tmp_path / "logs").glob("*.jsonl"))) == 2
    again = homebody("score", SUITE, tmp_path / "out", "--format", "json")
    scored = {model["model"]: model for model in json.loads(again.out)["models"]}
    assert scored == models


def test_every_data_set_has_a_status(
    homebody: Homebody, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path))
    lines = homebody("data", "status").out.splitlines()
    assert [line.partition(":")[0] for line in lines[1:]] == ["eai", "behavior", "behavior1k"]
    assert all("not stored" in line for line in lines[1:])
    status = json.loads(homebody("data", "status", "--format", "json").out)
    assert status["directory"] == str(tmp_path)
    assert status["datasets"][0] == {
        "name": "eai",
        "state": "missing",
        "count": None,
        "contents": "VirtualHome tasks",
        "bytes": 0,
        "source": None,
    }
    assert homebody("data", "fetch", "behaviour").code == 2
    assert homebody("data", "audit", "behavior1k").code == 2


# --- Looking closer -------------------------------------------------------------------------------


@needs_eai
def test_categories_are_the_official_ones(homebody: Homebody) -> None:
    rows = json.loads(homebody("analyse", "categories", "-f", "json").out)
    assert {row["category"]: row["ours"] for row in rows} == {
        row["category"]: row["official"] for row in rows
    }
    assert sum(int(row["ours"]) for row in rows) == 2 * 296


@pytest.mark.slow
@needs_eai
def test_operators_are_audited(homebody: Homebody) -> None:
    findings = json.loads(homebody("data", "audit", "eai", "--operators", "-f", "json").out)
    assert len(findings) == 54
    assert sum("has no plug" in finding["reason"] for finding in findings) == 53


@needs_eai
def test_sensitivity_of_a_file_of_outputs(homebody: Homebody, tmp_path: Path) -> None:
    suite = "eai.virtualhome.transition_modeling"
    homebody("run", suite, "-a", "oracle", "--limit", "5", "--out", tmp_path, "--log-dir", tmp_path)
    rows = json.loads(homebody("analyse", "sensitivity", tmp_path, "-f", "json").out)
    assert {row["operator"] for row in rows} >= {"walk_towards", "switch_on"}
    assert all(row["model"] == "oracle" for row in rows)


@pytest.mark.slow
@needs_eai
def test_difficulty_of_a_file_of_outputs(homebody: Homebody, tmp_path: Path) -> None:
    suite = "eai.virtualhome.subgoal_decomposition"
    options = ("--limit", 60, "--out", tmp_path, "--log-dir", tmp_path)
    assert homebody("run", suite, "-a", "oracle", *options).code == 0
    outputs = tmp_path / "oracle_outputs.json"
    found = homebody("analyse", "difficulty", suite, outputs, "--plot", tmp_path / "figure.svg")
    assert found.code == 0
    assert "Plan length" in found.out or "plan length" in found.out
    assert (tmp_path / "figure.svg").read_text().startswith("<?xml")
    wrong = homebody("analyse", "difficulty", suite, outputs, "--plot", tmp_path / "figure.xls")
    assert wrong.code == 2
    assert "homebody:" in wrong.err


@needs_eai
def test_a_figure_that_cannot_be_drawn_is_said_before_anything_is_scored(
    homebody: Homebody, outputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")

    def refused(option: str, figure: str) -> str:
        with monkeypatch.context() as patch:
            patch.setattr("homebody.results.scoring.score_outputs", None)
            found = homebody("analyse", "difficulty", SUITE, outputs, option, tmp_path / figure)
        assert_one_line(found)
        return found.err

    for option in ("--plot", "--plot-actions"):
        assert "is not a figure format" in refused(option, "figure.gif")
        assert "cannot write" in refused(option, "file/figure.svg")
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "matplotlib", None)
            assert "need matplotlib" in refused(option, "figure.svg")
    assert sorted(path.name for path in tmp_path.glob("fig*")) == []
    found = homebody("analyse", "difficulty", "eai.virtualhome.transition_modeling", outputs)
    assert_one_line(found, "does not state", SUITE)


@needs_eai
def test_bounds_of_the_work_are_options(homebody: Homebody, tmp_path: Path) -> None:
    suite = "eai.virtualhome.subgoal_decomposition"
    homebody("run", suite, "-a", "oracle", "--limit", "3", "--out", tmp_path, "--log-dir", tmp_path)
    outputs = tmp_path / "oracle_outputs.json"
    assert json.loads(outputs.read_text())[0]["identifier"].startswith("scene_1_")

    def rate(*options: str) -> float:
        text = homebody("score", suite, outputs, "-f", "json", *options).out
        return float(json.loads(text)["models"][0]["values"]["Task SR"])

    assert rate() == 100.0
    assert rate("--bound", "nodes=1") == 0.0
    for bad in ("nodes", "nodes=-1", "nodes=nan", "nodes=inf", "nodes=20.5", "minutes=3"):
        assert homebody("score", suite, outputs, "--bound", bad).code == 2
        assert homebody("analyse", "difficulty", suite, outputs, "--bound", bad).code == 2

    def mean(*options: str) -> float:
        text = homebody("analyse", "difficulty", suite, outputs, "-f", "json", *options).out
        return float(json.loads(text)[0]["mean"])

    assert mean() == 1.0
    assert mean("--bound", "nodes=1") == 0.0


# --- Ended from outside ---------------------------------------------------------------------------


def test_a_terminated_command_cleans_up_behind_itself(tmp_path: Path) -> None:
    """SIGTERM ends it as an exit does: what it started and its folders go with it."""
    script = (
        "import sys, tempfile, time\n"
        "from typing import Annotated\n"
        "from homebody.cli.app import app\n"
        "from homebody.cli.command import Argument\n"
        "from homebody.cli import main\n"
        "@app.command()\n"
        "def wait(folder: Annotated[str, Argument()]):\n"
        "    with tempfile.TemporaryDirectory(dir=folder):\n"
        "        print('waiting', flush=True)\n"
        "        time.sleep(600)\n"
        "sys.argv[1:] = ['wait', sys.argv[1]]\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script + "main()", str(tmp_path)],
        stdout=subprocess.PIPE,
        env=process_environment(),
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"waiting\n"
    assert list(tmp_path.iterdir())
    process.terminate()
    assert process.wait(300) == 128 + 15
    assert list(tmp_path.iterdir()) == []


def test_a_command_terminated_while_an_object_is_finalised_ends_without_a_word(
    tmp_path: Path,
) -> None:
    script = (
        "import os, signal, time\n"
        "from homebody.cli.app import app\n"
        "from homebody.cli import main\n"
        "class Finalised:\n"
        "    def __del__(self):\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        time.sleep(0.01)\n"
        "@app.command()\n"
        "def wait():\n"
        "    Finalised()\n"
        "    time.sleep(600)\n"
        "import sys; sys.argv[1:] = ['wait']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        env=process_environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (128 + 15, "")


def test_an_unwritable_folder_of_results_is_said_before_anything_is_asked(
    homebody: Homebody, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    suite = "eai.virtualhome.action_sequencing"
    found = homebody("run", suite, "-a", "oracle", "--out", tmp_path / "file" / "x")
    assert found.code == 2
    assert "cannot write to" in found.err


def test_show_prints_what_each_player_is_first_asked(homebody: Homebody) -> None:
    name = get_suite("partnr.val").tasks.load(CORRECTED)[0].id
    shown = homebody("show", "partnr.val", name)
    assert shown.code == 0, shown.err
    assert [line for line in shown.out.splitlines() if line.startswith("[")] == [
        "[robot]",
        "[human]",
    ]
    assert "Explore[room]" in shown.out
    assert homebody("show", "partnr.val", name, "--set", "team=centralised").out.startswith(
        "[team]"
    )
    wrong = homebody("show", "partnr.val", name, "--set", "team=trio")
    assert wrong.code == 2
    assert "team cannot be 'trio'" in wrong.err


@pytest.mark.slow
def test_a_group_of_suites_is_run_and_told_in_one_table(tmp_path: Path) -> None:
    logs = ("--log-dir", str(tmp_path / "logs"), "--out", str(tmp_path / "out"))
    result = start("run", "house", "--agent", "idle", "--limit", "2", "--format", "csv", *logs)
    assert result.code == 0
    lines = result.out.splitlines()
    assert [line.split(",")[0] for line in lines[1:]] == ["bring", "companion"]
    assert {"bring", "companion"} <= {path.name for path in (tmp_path / "out").iterdir()}
