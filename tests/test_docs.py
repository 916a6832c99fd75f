"""The documentation's Python runs, and prints what it says."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import io
import json
import pkgutil
import re
import runpy
import shlex
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click
import pytest

import homebody
from agent_scores import cross_play, row_of, scores_of
from homebody import suites
from homebody.authoring.embodiedeval.families import FAMILIES
from homebody.authoring.etplan.make import generate
from homebody.authoring.new_suite import TEMPLATE
from homebody.cli import app
from homebody.core import CORRECTED, PUBLISHED, Score
from homebody.results import reference
from homebody.results.rows import make_row
from homebody.results.store import COLUMNS
from homebody.results.table import Format, cells, render
from homebody.suites.eai.virtualhome.tasks import load_task
from homebody.suites.embodiedeval import tasks as embodied_tasks
from homebody.suites.embodiedeval.interactions import interactions
from homebody.suites.embodiedeval.protocol import QUIRKS as EMBODIED_QUIRKS
from homebody.suites.etplan.rows import ROWS
from homebody.suites.partnr.partners import PARTNERS, Traits
from homebody.suites.partnr.protocol import QUIRKS
from homebody.suites.partnr.settings import CHOICES
from homebody.worlds.virtualhome.scene_graph import SceneGraph
from places import DOCS, ROOT

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OUTPUT = re.compile(r"\A\s*\n((?:    .*(?:\n|\Z)|\n)+)")


@pytest.mark.usefixtures("eai_data")
def test_the_python_of_the_first_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # it writes logs
    (block,) = BLOCK.findall((ROOT / "README.md").read_text())
    exec(compile(block, "README.md", "exec"), {})  # noqa: S102 (our own)
    assert "goal conditions are unmet" in capsys.readouterr().out


@pytest.mark.usefixtures("eai_data")
def test_the_tutorial_prints_what_it_says() -> None:
    prints_what_it_says("concepts/tasks-and-goals.md")


@pytest.mark.usefixtures("behavior_data")
def test_the_page_on_interactive_tasks_prints_what_it_says() -> None:
    prints_what_it_says("benchmarks/eai-interactive.md")


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_complaints_about_alfworld_prints_what_it_says() -> None:
    prints_what_it_says("trust/complaints/alfworld.md", least=1)


def test_the_tests_that_pages_name_exist() -> None:
    named = {
        path
        for page in DOCS.rglob("*.md")
        for path in re.findall(r"`(tests/[\w/]+(?:\.py|/))`", page.read_text())
    }
    assert len(named) > 5
    assert {path for path in named if not (ROOT / path).exists()} == set()


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_results_prints_what_it_says() -> None:
    pytest.importorskip("statsmodels")
    prints_what_it_says("guides/compare-runs.md", least=1)


def test_the_page_on_formats_has_the_columns_right() -> None:
    rows = re.findall(
        r"^\| (`.*) \| (\w+) \| .* \|$", (DOCS / "reference/formats.md").read_text(), re.MULTILINE
    )
    told = {name: kind for names, kind in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == COLUMNS


@pytest.mark.usefixtures("behavior_data")
def test_the_page_on_behavior_prints_what_it_says() -> None:
    prints_what_it_says("benchmarks/eai-behavior.md", least=1)


def test_the_page_on_eai_with_pictures_prints_what_it_says() -> None:
    prints_what_it_says("benchmarks/eai-pictures.md")


def test_the_page_on_partnr_prints_what_it_says() -> None:
    prints_what_it_says("benchmarks/partnr.md")


def test_the_page_on_environments_prints_what_it_says() -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("pettingzoo")
    prints_what_it_says("guides/train.md")


def test_the_page_on_coming_from_alfworld_prints_what_it_says() -> None:
    pytest.importorskip("gymnasium")
    prints_what_it_says("guides/migrate/alfworld.md", least=1)


def test_the_page_on_coming_from_embodiedeval_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # it writes logs
    prints_what_it_says("guides/migrate/embodiedeval.md", least=1)


@pytest.fixture
def no_suites_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page registers goes with it."""
    monkeypatch.setattr(suites, "_REGISTERED", {})
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("eai_data", "no_suites_of_pages")
def test_the_page_on_python_prints_what_it_says() -> None:
    prints_what_it_says("reference/python.md")


def test_the_page_on_constraints_and_endings_prints_what_it_says() -> None:
    prints_what_it_says("concepts/constraints-and-endings.md")


def test_the_page_on_sessions_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # it writes logs
    prints_what_it_says("concepts/sessions.md")


def test_the_page_on_sessions_names_the_whole_contract() -> None:
    page = (DOCS / "concepts/sessions.md").read_text()
    members = [*vars(homebody.Session), *vars(homebody.Observation)]
    plumbing = {"view", "moment"}  # fields that players do not read
    missing = {
        name
        for name in members
        if not name.startswith("_") and not re.search(rf"`{name}\b", page) and name not in plumbing
    }
    assert not missing


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_planners_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # it writes logs
    prints_what_it_says("guides/my-planner.md")


def test_the_page_on_formats_prints_what_it_says() -> None:
    prints_what_it_says("reference/formats.md", least=1)


@pytest.mark.usefixtures("no_suites_of_pages")
def test_the_page_on_failure_labels_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # it writes logs
    prints_what_it_says("reference/failure-labels.md", least=1)


@pytest.mark.usefixtures("no_suites_of_pages")
def test_the_page_on_suites_of_ones_own_prints_what_it_says() -> None:
    prints_what_it_says("guides/my-own-suite.md", least=1)


def test_included_files_are_written_as_their_extension_reads_them() -> None:
    lines = [
        line
        for page in DOCS.rglob("*.md")
        for line in page.read_text().splitlines()
        if line.lstrip().startswith("--8")
    ]
    assert lines
    assert [line for line in lines if not re.match(r'\s*--8<-- "', line)] == []


def test_the_page_on_python_has_all_names() -> None:
    rows = re.findall(
        r"^\| (`.*) \| .* \|$", (DOCS / "reference/python.md").read_text(), re.MULTILINE
    )
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(homebody.__all__)


def test_the_page_on_suites_of_ones_own_has_the_example_right() -> None:
    text = (DOCS / "guides/my-own-suite.md").read_text()
    lines = str(len((TEMPLATE / "suite.txt").read_text().splitlines()))
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", DOCS / "guides/my-own-suite.md"):
        assert re.findall(r"\b(\d+)\s+lines\b", page.read_text()) == [lines], page
    (points,) = re.findall(r"^```toml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert points in (TEMPLATE / "pyproject.txt").read_text()
    (methods,) = re.findall(r"^```py\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert " ".join(methods.split()) in " ".join((TEMPLATE / "suite.txt").read_text().split())


def baselines() -> dict[str, list[list[str]]]:
    """Suite -> the rows of the table: the number, what each agent reaches, and the models."""
    rows: dict[str, list[list[str]]] = {}
    row = re.compile(r"^\| `([\w.]+)` \| ((?:[^|]* \| ){4}[^|]*) \|$", re.MULTILINE)
    for name, numbers in row.findall((DOCS / "benchmarks/baselines.md").read_text()):
        rows.setdefault(name, []).append([cell.strip() for cell in numbers.split("|")])
    return rows


SLOW = re.compile("subgoal|1k|interactive|partnr")
"""Suites whose agents take longer than seconds: they belong to the long comparisons."""


@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name, marks=pytest.mark.differential if SLOW.search(name) else pytest.mark.slow
        )
        for name in baselines()
    ],
)
def test_the_page_on_baselines_has_the_numbers_right(name: str) -> None:
    suite = suites.get_suite(name)
    suite.tasks.prepare(None)
    for column, *reached, models in baselines()[name]:
        for agent, cell in zip(("random", "copycat", "frequent"), reached, strict=True):
            assert (cell == "-") == (agent not in suite.agents)
            protocols = ("corrected", "published")[: 0 if cell == "-" else len(cell.split("/"))]
            rows = [row_of(name, agent, protocol) for protocol in protocols]
            assert [f"{row.values[column]:.1f}" for row in rows] == re.findall(r"[\d.]+", cell)
        if models != "-":
            figures = [row[column].value for row in reference.figures(name).values()]
            assert f"{max(figures):.1f}, {median(figures):.1f}" == models


@pytest.mark.differential
@pytest.mark.usefixtures("eai_data", "behavior_data")
def test_the_page_on_baselines_has_the_numbers_on_decomposing_right() -> None:
    decomposing = runpy.run_path(str(ROOT / "benchmarks/decomposing.py"))
    text = (DOCS / "benchmarks/baselines.md").read_text()
    quoted = re.findall(r"^\| (.*(?: \| (?:[\d.]+|-)){7}) \|$", text, re.MULTILINE)
    lines = []
    for world in decomposing["GOALS"]:
        loaded = suites.get_suite(f"eai.{world}.subgoal_decomposition").tasks.load(CORRECTED)
        tasks = {task.id: task for task in loaded}
        for name in decomposing["ANSWERS"]:
            score = partial(_score_of, decomposing["score"], world, name, tasks)
            scores = scores_of(f"decomposing.{world}.{name.replace(' ', '_')}", list(tasks), score)
            lines.append(re.split(r" {2,}", decomposing["line"](name, scores)))
    assert [row.split(" | ") for row in quoted] == lines


def _score_of(
    score: Callable[..., Score], world: str, name: str, tasks: Mapping[str, Any], identifier: str
) -> Score:
    return score(world, name, tasks[identifier])


@pytest.mark.usefixtures("eai_data")
def test_the_page_on_baselines_is_right_on_saying_goals_again() -> None:
    suite = suites.get_suite("eai.virtualhome.goal_interpretation")

    def overall(agent: str, protocol: str, times: int) -> str:
        rules = suite.protocol(protocol)
        scores = []
        for task in suite.tasks.load(rules):
            said = json.loads(suite.answer(agent, task))
            for goals in said.values():
                goals += [{**goal, "n": n} for n in range(1, times) for goal in goals]
            scores.append(suite.score(task, json.dumps(said), rules))
        return f"{make_row(agent, suite, scores).values['Overall F1']:.1f}"

    text = (DOCS / "benchmarks/baselines.md").read_text()
    number = r"(\d+\.\d)"
    sentence = rf"F1 of {number} % instead of {number}, and `frequent` of {number}\."
    (told,) = re.findall(sentence, " ".join(text.split()))
    assert told == (
        overall("copycat", "published", 4),
        overall("copycat", "published", 1),
        overall("frequent", "published", 4),
    )
    assert overall("copycat", "corrected", 4) == overall("copycat", "corrected", 1)


def test_the_page_on_etplan_names_tasks_of_two_homes() -> None:
    ids = re.findall(r"--task (navigation-\d+)", (DOCS / "benchmarks/etplan.md").read_text())
    tasks = {task.id: task for task in suites.get_suite("etplan.navigation").tasks.load(CORRECTED)}
    assert len({tasks[each].house for each in ids}) == len(ids) == 2


@pytest.mark.differential
@pytest.mark.usefixtures("eai_data")
def test_the_page_on_etplan_has_the_numbers_in_a_scene_graph_right() -> None:
    task = load_task("27_2").task
    graph = SceneGraph(task.initial, task.world.agent)
    made = generate("test", 20, graphs=[graph], engine="serial")
    told = re.findall(
        r"^\| `(\w+)` \| (\d+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$",
        (DOCS / "benchmarks/etplan-tasks.md").read_text(),
        re.MULTILINE,
    )
    there = {each.row for each in made}
    assert [name for name, *_ in told] == [name for name in ROWS if ROWS[name].tasks in there]
    for name, *numbers in told:
        suite = suites.get_suite(f"etplan.{name}")
        own = [each for each in made if each.row == ROWS[name].tasks]
        oracle, explorer = (
            make_row(
                agent,
                suite,
                [suite.score(each, suite.answer(agent, each), CORRECTED) for each in own],
            ).values
            for agent in ("oracle", "explorer")
        )
        values = (oracle["Success"], explorer["Success"], explorer["LCS ratio"])
        assert [str(len(own)), *(f"{value:.1f}" for value in values)] == numbers, name


def test_the_page_on_embodiedeval_has_all_categories_families_and_quirks() -> None:
    page = (DOCS / "benchmarks/embodiedeval.md").read_text()
    tasks = embodied_tasks.load("test")
    for category, title in embodied_tasks.CATEGORIES.items():
        count = sum(task.category == category for task in tasks)
        families = ", ".join(name.replace("_", " ") for name in sorted(FAMILIES[category]))
        assert f"| {title} | {count} | {families} | " in page
    for quirk, (theirs, ours) in EMBODIED_QUIRKS.items():
        assert f"| `{quirk}` | {theirs} | {ours} |" in page
    assert f"{len(interactions())} verbs" in " ".join(page.split())


def test_the_page_on_tasks_looked_at_names_tasks_that_there_are() -> None:
    page = (DOCS / "trust/task-reviews.md").read_text()
    told = set(re.findall(r"\b[a-z_]+-3\d{4}\b", page))
    assert len(told) == 100
    assert told <= {task.id for task in embodied_tasks.load("test")}


@pytest.mark.slow
def test_the_page_on_embodiedeval_has_the_numbers_of_agents() -> None:
    page = (DOCS / "benchmarks/embodiedeval.md").read_text()
    headers = ("Success", "GcS", "SPL", "Attr QA", "Spat QA", "Nav", "Object", "Social")
    for agent in ("oracle", "random", "text_only", "idle"):
        values = row_of("embodiedeval.test", agent).values
        told = " | ".join(f"{values[header]:.1f}" for header in headers)
        assert f"| `{agent}` | {told} |" in page


def test_the_table_of_all_benchmarks_repeats_the_numbers_of_the_baselines() -> None:
    row = re.compile(
        r"^\| `([\w.]+)` (?:\(expert\) )?\| (\w[^|]*) \| ([^|]*) \| (.*) \|$", re.MULTILINE
    )
    rows = row.findall((DOCS / "benchmarks/index.md").read_text())
    assert len(rows) == 8
    for name, column, _, rest in rows:
        cells = [cell.split(" / ")[0] for cell in rest.split(" | ")]
        same = [each for each in baselines().get(name, ()) if each[0] == column]
        assert all(cells == [cell.split(" / ")[0] for cell in each[1:4]] for each in same), name


@pytest.mark.differential
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("world", ["VirtualHome", "BEHAVIOR"])
def test_the_page_on_interactive_tasks_has_the_numbers_right(world: str) -> None:
    row = re.compile(rf"^\| {world}, (\w+) \| (\w+) \| (.*) \|$", re.MULTILINE)
    rows = row.findall((DOCS / "benchmarks/eai-interactive.md").read_text())
    assert len(rows) == 10
    for observability, agent, told in rows:
        name = f"eai.{world.lower()}.interactive"
        reached = row_of(name, agent, observability=observability).values
        shown = [f"{reached[column]:.1f}" for column in ("Task SR", "Partial", "SPL", "Actions")]
        assert [*shown, f"{reached['Refused']:.2f}"] == told.split(" | "), (observability, agent)


@pytest.mark.usefixtures("eai_data")
def test_the_table_of_the_first_run_is_what_is_printed() -> None:
    name = "eai.virtualhome.action_sequencing"
    page = (DOCS / "get-started/first-run.md").read_text()
    text = page.partition(f"    {name}, in %")[2].partition("\n\n- `oracle`")[0]
    head, *lines = re.findall(r"^     +(\S.*)$", text, re.MULTILINE)
    agents = head.split()
    rows = [row_of(name, agent) for agent in agents]
    headers, printed = cells(rows, suites.get_suite(name))
    assert agents == ["oracle", "random", "copycat", "frequent"]
    assert [re.split(r" {2,}", line) for line in lines[1:]] == [
        [header, *numbers] for header, *numbers in zip(headers, *printed, strict=True)
    ][1:]


@pytest.mark.usefixtures("eai_data")
def test_the_table_of_the_first_page_is_what_is_printed() -> None:
    suite = suites.get_suite("eai.virtualhome.action_sequencing")
    ours = [row_of(suite.name, agent, "published") for agent in ("copycat", "frequent")]
    printed = render(reference.among(ours, suite), suite, PUBLISHED, Format.MARKDOWN)
    shown = table_rows((ROOT / "README.md").read_text().partition("## The result")[2])
    assert len(shown) == 5
    whole = {row["Model"]: row for row in table_rows(printed)}
    for row in shown:
        assert row.items() <= whole[row["Model"]].items()


def table_rows(markdown: str) -> list[dict[str, str]]:
    """The rows of a text's first table, by header."""
    lines = re.findall(r"^\| (.*) \|$", markdown.partition("\n\n## ")[0], re.MULTILINE)
    head, _, *rows = ([cell.strip() for cell in line.split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_the_page_on_partnr_lists_the_quirks() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.*) \| (.*) \|$", (DOCS / "benchmarks/partnr.md").read_text(), re.M
    )
    assert {name: (one, other) for name, one, other in rows if name in QUIRKS} == dict(QUIRKS)


def test_the_page_on_partnr_lists_the_settings() -> None:
    text = (DOCS / "benchmarks/partnr-models.md").read_text()
    for name, values in CHOICES.items():
        (row,) = re.findall(rf"^\| [^|]*`{name}`.* \|$", text, re.M)
        assert all(f"`{value}`" in row for value in values), name


def test_the_page_on_partners_prints_what_it_says() -> None:
    prints_what_it_says("benchmarks/partnr-partners.md", least=1)


def test_the_page_on_partners_lists_their_traits() -> None:
    page = (DOCS / "benchmarks/partnr-partners.md").read_text()
    listed = dict(re.findall(r"^\| `(\w+)` \| (`.*`) \| [^|]+ \|$", page, re.M))
    assert listed == {
        name: ", ".join(
            f"`{trait}={value!r}`"
            for trait, value in asdict(traits).items()
            if value != getattr(Traits(), trait)
        )
        for name, traits in PARTNERS.items()
    }


@pytest.mark.differential
def test_the_page_on_partners_has_the_numbers_right() -> None:
    table = cross_play("partnr.val", ("expert", "copycat", "random"), 100)
    assert table in (DOCS / "benchmarks/partnr-partners.md").read_text()


def test_the_page_on_embodiedeval_lists_the_settings() -> None:
    from homebody.suites.embodiedeval.session import SETTINGS

    page = (DOCS / "benchmarks/embodiedeval-models.md").read_text()
    for name, values in SETTINGS.items():
        listed = ", ".join(f"`{value}`" for value in values) or "a folder"
        assert f"| `{name}` | {listed} |" in page


def test_the_files_and_names_that_the_architecture_names_exist() -> None:
    text = (DOCS / "project/architecture.md").read_text()
    named = re.findall(r"`([\w/]+\.(?:py|toml))(?:: (\w+))?`", text)
    assert len(named) > 25
    for path, name in named:
        file = ROOT / "src/homebody" / path
        files = [file] if "/" in path else [*ROOT.rglob(path)]
        assert files, path
        assert all(each.is_file() for each in files), path
        if name:
            defined = re.compile(rf"^(async def|def|class) {name}\b|^{name}\b.*=", re.MULTILINE)
            assert defined.search(file.read_text()), f"{path}: {name}"


def test_the_architecture_is_a_page() -> None:
    text = (DOCS / "project/architecture.md").read_text()
    assert len(text[: text.index("## Questions")].splitlines()) < 100


def test_the_modules_and_names_that_pages_name_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]
    dotted = {m for page in pages for m in re.findall(r"\bhomebody(?:\.\w+)+", page.read_text())}
    missing = {name for name in dotted - FORMATS if not is_defined(name)}
    assert not missing


def test_the_pages_that_the_code_names_exist() -> None:
    files = [
        path for folder in ("src", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")
    ]
    named = {
        page for path in files for page in re.findall(r"\bdocs/[\w/-]+\.md\b", path.read_text())
    }
    assert len(named) > 10
    assert {page for page in named if not (ROOT / page).is_file()} == set()


def test_the_links_of_pages_lead_to_files() -> None:
    generated = {f"reference/{name}.md" for name in ("cli", "api", "api-suites", "api-sessions")}
    generated |= {f"project/{name}.md" for name in ("changelog", "contribute")}
    generated |= {f"notebooks/{path.stem}.md" for path in DOCS.glob("notebooks/*.ipynb")}
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")):
        for link in re.findall(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)", page.read_text()):
            target = (page.parent / link).resolve()
            assert target.exists() or target.relative_to(DOCS).as_posix() in generated, (page, link)


def test_the_pages_that_code_names_exist() -> None:
    folders = (ROOT / "src", ROOT / "benchmarks", ROOT / "tests")
    files = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(p for f in folders for p in f.rglob("*.py")),
    ]
    pages = {m for file in files for m in re.findall(r"\bdocs/[\w/-]+\.md\b", file.read_text())}
    assert len(pages) > 20
    assert not {page for page in pages if not (ROOT / page).is_file()}


def test_the_commands_of_pages_have_these_options() -> None:
    pages = [ROOT / "README.md", *DOCS.rglob("*.md")]
    shown = {
        line
        for page in pages
        for line in re.findall(r"^ {4,}(homebody [^#\n]*)", page.read_text(), re.MULTILINE)
    }
    assert len(shown) > 100
    for line in shown:
        words = shlex.split(line.partition(" &")[0])[1:]
        command: click.Command = app
        context = click.Context(app, info_name="homebody", **app.context_settings)
        while isinstance(command, click.Group):
            inside = command.get_command(context, words[0])
            assert inside is not None, line
            command, context, words = inside, click.Context(inside, parent=context), words[1:]
        try:
            command.make_parser(context).parse_args([word for word in words if word != "..."])
        except click.UsageError as error:
            raise AssertionError(f"{line}: {error.format_message()}") from None


FORMATS = {"homebody.episode", "homebody.fish", "homebody.house"}
"""Names of files and formats that are no modules."""


def is_defined(name: str) -> bool:
    """Whether it is a module, or a name in a module."""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def prints_what_it_says(page: str, least: int = 3) -> None:
    text = (DOCS / page).read_text()
    names: dict[str, object] = {}
    shown = 0
    for block in BLOCK.finditer(text):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block[1], page, "exec"), names)  # noqa: S102 (our own)
        if printed.getvalue():
            expected = OUTPUT.match(text[block.end() :])
            assert expected is not None, block[1]
            lines = [line.removeprefix("    ") for line in expected[1].rstrip().splitlines()]
            assert printed.getvalue().rstrip().splitlines() == lines
            shown += 1
    assert shown >= least


def test_the_page_on_differential_tests_counts_the_recorded_inputs() -> None:
    page = (DOCS / "trust/differential-tests.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([\d,]+) \|$", page, re.MULTILINE))
    counts = {
        path.name.removesuffix(".json.gz"): len(
            json.loads(gzip.decompress(path.read_bytes()))["verdicts"]
        )
        for path in (ROOT / "tests/differential/recorded").glob("*.json.gz")
    }
    assert rows == {name: f"{count:,}" for name, count in counts.items()}
    assert f"{sum(counts.values()):,} different inputs" in page


def test_the_page_on_reliability_has_the_bounds_right() -> None:
    row = re.compile(r"^\| .* \| ([\d,]+) (\w+) \| `(.*)\.py: (\w+)` \|$", re.MULTILINE)
    bounds = row.findall((DOCS / "trust/attacks.md").read_text())
    assert len(bounds) > 15
    for number, unit, module, name in bounds:
        stated = int(number.replace(",", "")) * (1 << 20 if unit == "MiB" else 1)
        module = importlib.import_module(f"homebody.{module.replace('/', '.')}")
        assert stated == getattr(module, name), (module, name)
