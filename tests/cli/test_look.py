"""What there is: ``homebody list`` and ``homebody show``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from command import Homebody
from homebody import suites as registry
from homebody.core import CORRECTED, Suite
from homebody.suites import get_suite, list_suites, loadable_suites
from homebody.suites.embodiedeval.tasks import encode_tasks
from plugins import install
from thorough import part_of

SUITE = "eai.virtualhome.action_sequencing"
OURS = [suite for suite in loadable_suites() if suite.name.startswith(("eai.", "partnr."))]

needs_eai = pytest.mark.usefixtures("eai_data")
needs_behavior = pytest.mark.usefixtures("behavior_data")


def paragraphs(text: str) -> dict[str, list[str]]:
    """Name of a suite -> the lines below it, put together where they were broken."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith(" "):
            found[line] = []
        elif line.startswith(8 * " "):
            found[[*found][-1]][-1] += " " + line.strip()
        else:
            found[[*found][-1]].append(line.strip())
    return found


def test_list_says_of_each_suite_what_it_is(homebody: Homebody) -> None:
    result = homebody("list")
    assert (result.code, result.err) == (0, "")
    told = paragraphs(result.out)
    assert set(told) == set(list_suites())
    for suite in OURS:
        title, how, *others = told[suite.name]
        assert title == suite.title
        players = "" if suite.playing is None else f" by {' and '.join(suite.playing.roles)}"
        kind = "one question per task" if suite.playing is None else "played"
        agents = [*suite.agents, *([] if suite.playing is None else ["person"])]
        assert how == f"{kind}{players}; agents: {', '.join(agents)}"
        options = {line.split(" ")[0]: line.partition(": ")[2] for line in others}
        bounds = {pair.split("=")[0] for pair in options.get("bounds", "").split(", ")} - {""}
        assert bounds == set(suite.scoring.bounds)
        settings = {pair.split("=")[0] for pair in options.get("settings", "").split(", ")} - {""}
        assert settings == set(suite.settings)
        for name, values in suite.settings.items():
            shown = options["settings"].replace(" | ", "|")
            assert f"{name}={'|'.join(values) or name.upper()}" in shown
        models = options.get("models", "").split(", ")
        assert models == (list(suite.models) if len(suite.models) > 1 else [""])


def test_lines_fit_the_terminal(homebody: Homebody) -> None:
    lines = homebody("list").out.splitlines()
    assert max(map(len, lines)) <= 80


@pytest.mark.slow
def test_list_prints_json(homebody: Homebody) -> None:
    records = json.loads(homebody("list", "--format", "json").out)
    assert [record["name"] for record in records] == list(list_suites())
    fields = {"name", "title", "roles", "agents", "models", "protocols", "bounds", "settings"}
    suite = get_suite("house.bring")
    (record,) = (each for each in records if each["name"] == suite.name)
    assert record.keys() == fields | {"prompt_version"}
    assert (record["roles"], record["prompt_version"]) == (
        list(suite.playing.roles if suite.playing is not None else ()),
        suite.prompt_version,
    )
    tasks = json.loads(homebody("list", suite.name, "--format", "json").out)
    assert tasks[0].keys() == {"id", "description"}
    (shown,) = homebody("show", suite.name, tasks[0]["id"], "-f", "json").out.splitlines()
    assert json.loads(shown).keys() == {"identifier", "role", "system", "prompt", "tools"}
    refused = homebody("list", "--format", "xml")
    assert (refused.code, "choose one of: text, json" in refused.err) == (2, True)


@pytest.mark.slow
def test_list_needs_no_data(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "homebody", "list"],
        capture_output=True,
        text=True,
        env={**os.environ, "HOMEBODY_DATA": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert set(paragraphs(done.stdout)) == set(list_suites())
    assert [path for path in tmp_path.iterdir() if path.is_dir()] == []


@pytest.fixture
def no_caches() -> Iterator[None]:
    registry.list_entry_points.cache_clear()
    yield
    registry.list_entry_points.cache_clear()


@pytest.mark.usefixtures("no_caches")
def test_a_broken_package_is_a_line(
    homebody: Homebody, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    install(tmp_path, "toys", {"toy.broken": "toylook:SUITE"}, toylook="raise OSError('go\\nne')")
    result = homebody("list")
    assert (result.code, result.err) == (0, "")
    (line,) = paragraphs(result.out)["toy.broken"]
    assert line == "the suite toy.broken of toys cannot be loaded: OSError: go ne"
    assert set(list_suites()) == set(paragraphs(result.out))
    refused = homebody("list", "toy.broken")
    assert refused.code == 2
    assert "OSError: go ne" in refused.err
    assert "import toylook" in refused.err


@pytest.mark.sampled
@needs_eai
@needs_behavior
@pytest.mark.parametrize("suite", part_of(OURS), ids=lambda suite: suite.name)
def test_list_of_a_suite_has_the_ids_that_show_takes(
    suite: Suite[object], homebody: Homebody
) -> None:
    result = homebody("list", suite.name)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    tasks = suite.tasks.load(CORRECTED)
    assert len(lines) == len(tasks)
    for line, task in zip(lines, tasks, strict=True):
        name, _, text = line.partition("  ")
        assert name == suite.tasks.identify(task)
        assert text.strip() == suite.tasks.describe(task).strip()
    assert homebody("show", suite.name, lines[0].partition(" ")[0]).code == 0


@needs_eai
def test_show_prints_the_prompt_of_a_task(homebody: Homebody) -> None:
    result = homebody("show", SUITE, "27_2")
    assert (result.code, result.err) == (0, "")
    suite = get_suite(SUITE)
    assert suite.prompting is not None
    assert result.out == suite.prompting.prompt(suite.task("27_2")) + "\n"


@needs_behavior
def test_show_takes_the_beginning_of_an_id_and_adds_the_system_prompt(
    homebody: Homebody,
) -> None:
    suite = get_suite("eai.behavior.goal_interpretation")
    assert suite.prompting is not None
    result = homebody("show", suite.name, "bottling_fruit")
    prompting, task = suite.prompting, suite.task("bottling_fruit")
    assert result.out == f"{prompting.system()}\n\n{prompting.prompt(task)}\n"


def test_show_of_what_is_played_has_the_first_question_of_each_model(
    homebody: Homebody,
) -> None:
    suite = get_suite("partnr.val")
    name = suite.tasks.identify(suite.tasks.load(CORRECTED)[0])
    shown = homebody("show", suite.name, name).out
    assert "[robot]\n\n" in shown
    assert "[human]\n\n" in shown
    instruction = suite.task(name).episode.instruction
    assert shown.count(f"Task: {instruction}") >= 2
    alone = homebody("show", suite.name, name, "--set", "human=expert").out
    assert "[robot]\n\n" in alone
    assert "[human]" not in alone


@pytest.mark.slow
def test_tasks_of_an_own_file_are_listed_and_shown(homebody: Homebody, tmp_path: Path) -> None:
    suite = get_suite("embodiedeval.test")
    own = tmp_path / "own.jsonl"
    first = suite.tasks.load(CORRECTED)[0]
    own.write_bytes(encode_tasks([msgspec.structs.replace(first, id="mine-1")], packed=False))
    given = ("--tasks", own)
    listed = homebody("list", suite.name, *given)
    assert (listed.code, len(listed.out.splitlines())) == (0, 1)
    assert listed.out.startswith("mine-1")
    asked = homebody("show", suite.name, "mine-1", *given).out
    assert first.instruction in asked
    assert "[picture: current view, 448 x 448]" in asked
    assert homebody("show", suite.name, "mine-1").code == 2
    assert "without a suite" in homebody("list", *given).err


def test_show_asks_as_a_driver_does(homebody: Homebody) -> None:
    suite = get_suite("partnr.val")
    name = suite.tasks.identify(suite.tasks.load(CORRECTED)[0])
    by_tools = homebody("show", suite.name, name, "--driver", "tools").out
    assert '"required": ["room"]' in by_tools
    by_number = homebody("show", suite.name, name, "--driver", "options").out
    assert "Explore[kitchen_0]" in by_number
    assert '"required"' not in by_number
    refused = homebody("show", suite.name, name, "--driver", "x")
    assert (refused.code, "unknown driver: 'x'" in refused.err) == (2, True)


@needs_eai
def test_who_is_not_played_is_asked_by_no_driver(homebody: Homebody) -> None:
    refused = homebody("show", SUITE, "27_2", "--driver", "react")
    assert (refused.code, "need no driver" in refused.err) == (2, True)


@needs_eai
def test_show_writes_the_prompts_of_all_tasks(homebody: Homebody, tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    done = homebody("show", SUITE, "--all", "-o", file)
    assert (done.code, done.out) == (0, "")
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(records) == 342
    assert records[0].keys() == {"identifier", "system", "prompt"}
    assert homebody("show", SUITE, records[0]["identifier"]).out == (f"{records[0]['prompt']}\n")
    printed = homebody("show", SUITE, "--all", "--limit", 2).out
    assert list(map(json.loads, printed.splitlines())) == records[:2]
    chosen = homebody("show", SUITE, "--all", "--task", "417_1").out
    assert json.loads(chosen)["identifier"] == "417_1"


def test_show_does_not_overwrite_what_holds_no_prompts(homebody: Homebody, tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("precious")
    refused = homebody("show", "partnr.val", "--all", "-o", file)
    assert (refused.code, refused.out, file.read_text()) == (2, "", "precious")
    assert "thesis.txt exists and is not a file of prompts" in refused.err


@pytest.mark.parametrize("words", [(), ("val-18-0", "--all"), ("val-18-0", "--limit", 1)])
def test_show_takes_a_task_or_all(homebody: Homebody, words: tuple[object, ...]) -> None:
    refused = homebody("show", "partnr.val", *words)
    assert (refused.code, refused.out) == (2, "")
    assert "--all" in refused.err


def test_a_task_that_there_is_not_is_one_line(homebody: Homebody) -> None:
    result = homebody("show", "partnr.val", "nothing")
    assert result.code == 2
    assert "partnr.val has no task 'nothing'" in result.err
    assert "homebody list partnr.val" in result.err


@needs_eai
def test_ids_like_a_wrong_one_are_named(homebody: Homebody) -> None:
    assert "'27-2'; similar: 27_2, " in homebody("show", SUITE, "27-2").err
    assert "'417'; it begins 417_1, 417_2 " in homebody("show", SUITE, "417").err
    assert len(homebody("show", SUITE, "x" * 100_000).err) < 300
