"""Tests mirror the package, no two files import each other, a noun of core means one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import grimp

from quick import FILES

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "homebody"

ELSEWHERE = {
    "test_docs.py": "the pages in docs/",
    "test_english.py": "the words of pages, docstrings and help texts",
    "test_layout.py": "the layout of the package as a whole",
    "differential": "homebody beside the published evaluators",
    "suites/test_own_actions.py": "the texts of every suite that is played",
    "suites/etplan/test_same_facts.py": "the drivers and agents of ET-Plan-Bench",
    "suites/test_sessions.py": "every suite that is played, as sessions have to be",
    "suites/test_clones.py": "every suite that is played, cloned and pickled",
    "hostile": "everything that reads from outside, attacked",
    "suites/embodiedeval/test_people.py": "web: EmbodiedEval in a study, from its file to scores",
    "evals/test_pipelines.py": "homebody.evals as Inspect AI finds it: pipelines of abilities",
    "evals/test_run_command.py": "the command `run`, over homebody.evals",
    "worlds/house/test_page.py": "the pages on houses, whose code is run",
    "smoke": "the base install, on any system",
    "test_film.py": "the film in docs/images/film",
    "test_notebooks.py": "the notebooks in docs/notebooks",
    "test_release.py": "the release checklist",
    "test_small_model.py": "a benchmark",
    "test_site.py": "the scripts of the documentation site",
}
"""What no module of the package answers to, and what it is about."""

LEFT_OUT = {"worlds/house/browser", "worlds/house/io", "worlds/house/play", "suites/house"}
"""Packages without tests, and those whose tests all take long."""

WRITERS = {
    "core/ground/files.py": "the one place where files are written",
    "core/ground/journal.py": "the one place where lines are added to files",
    "data/downloads.py": "what pip is given, in a scratch folder",
    "data/store.py": "parts of a data set, in a folder that appears as a whole",
    "planning/solver/fast_downward.py": "what the planner is given, in a scratch folder",
    "suites/partnr/episodes/files.py": "lines, in a file that appears as a whole",
}
"""What opens files to write, and which."""
WRITING = {"write_text", "write_bytes", "to_csv"}


def subjects(path: Path) -> Iterator[Path]:
    """What a test file may be about: ``a/test_b_c.py`` about ``a/b_c`` or, in an aspect, ``a/b``;
    the module or the package."""
    words = path.stem.removeprefix("test_").split("_")
    for count in range(len(words), 0, -1):
        yield path.with_name("_".join(words[:count]))
    if path.parent.name == words[0]:  # tests of a package as a whole stand in its folder
        yield path.parent


def exists(module: Path) -> bool:
    return (PACKAGE / module).is_dir() or (PACKAGE / module).with_suffix(".py").is_file()


def test_tests_mirror_the_package() -> None:
    files = [path.relative_to(TESTS) for path in sorted(TESTS.rglob("test_*.py"))]
    excepted = {path for path in files if {str(path), path.parts[0]} & ELSEWHERE.keys()}
    strays = [str(path) for path in files if not any(map(exists, subjects(path)))]
    assert [path for path in strays if Path(path) not in excepted] == []
    needed = {name for path in strays for name in (path, Path(path).parts[0])}
    assert ELSEWHERE.keys() <= needed, "an exception that is no longer needed"


def test_no_two_files_import_each_other() -> None:
    """Not by way of others either, nor where a function is called, nor for type checkers."""
    graph = grimp.build_graph("homebody", exclude_type_checking_imports=False)
    imported = {module: graph.find_upstream_modules(module) for module in graph.modules}
    groups = {
        frozenset({module, *(other for other in imports if module in imported[other])})
        for module, imports in imported.items()
    }
    assert [sorted(group) for group in groups if len(group) > 1] == []


def test_a_noun_of_core_names_one_thing() -> None:
    """Trace, Goal, Outcome ... are core's; what else looks like one has a name of its own."""
    classes = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in re.findall(r"^ *class (\w+)[(:]", path.read_text(), re.MULTILINE):
            classes[name].append(str(path.relative_to(PACKAGE)))
    nouns = {name for name, files in classes.items() if any(f.startswith("core/") for f in files)}
    assert len(nouns) > 20
    assert {name: classes[name] for name in nouns if len(classes[name]) > 1} == {}


def writes(path: Path) -> Iterator[str]:
    """The calls in a module that write a file by its name."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        texts = [
            a.value
            for a in (*node.args, *(k.value for k in node.keywords))
            if isinstance(a, ast.Constant)
        ]
        modes = [text for text in texts if isinstance(text, str) and set(text) <= set("rwaxbt+")]
        if name in WRITING or (name == "open" and any(set(mode) & set("wax+") for mode in modes)):
            yield f"{path.relative_to(PACKAGE)}:{node.lineno} {name}"


def test_files_are_written_in_one_place() -> None:
    found = {
        path.relative_to(PACKAGE).as_posix(): list(writes(path)) for path in PACKAGE.rglob("*.py")
    }
    assert {name for name, calls in found.items() if calls} == set(WRITERS), found


def test_what_ci_selects_is_there() -> None:
    selected = re.search(r"SELECTION=\(([^)]*)\)", (TESTS.parent / ".ci" / "run").read_text())
    assert selected is not None
    assert all((TESTS.parent / path).exists() for path in selected[1].split())


def test_each_package_has_quick_tests() -> None:
    assert [name for name in FILES if not (TESTS / name).exists()] == []
    packages = [path for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()]
    for inner in ("suites", "worlds", "worlds/house"):
        packages += [path for path in (PACKAGE / inner).glob("[a-z]*") if path.is_dir()]
    names = {path.relative_to(PACKAGE).as_posix() for path in packages} - LEFT_OUT
    assert {name for name in names if not any(f.startswith(f"{name}/") for f in FILES)} == set()
