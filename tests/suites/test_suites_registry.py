"""Suites by name: those of packages, those of the process, and those that are broken."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import homebody.suites
from homebody.core import HomebodyError, Suite
from homebody.suites import (
    distribution_of,
    get_suite,
    list_members,
    list_suites,
    loadable_suites,
    register_suite,
)
from homebody.suites.etplan.rows import ROWS
from places import ROOT
from plugins import install

OURS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"][
    "homebody.suites"
]


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test installs or registers goes with it."""
    monkeypatch.setattr(homebody.suites, "_REGISTERED", {})
    yield
    homebody.suites.list_entry_points.cache_clear()


@pytest.fixture
def toy() -> Suite[str]:
    return replace(get_suite("partnr.val"), name="toy.quiz")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which packages can be installed."""
    monkeypatch.syspath_prepend(tmp_path)
    homebody.suites.list_entry_points.cache_clear()
    return tmp_path


def test_ours_are_those_of_the_project_file() -> None:
    assert set(OURS) <= set(list_suites())
    for name in OURS:
        assert get_suite(name).name == name


def test_listing_names_imports_no_suite() -> None:
    code = (
        "import sys, homebody.suites\n"
        "print(len(homebody.suites.list_suites()))\n"
        "print([name for name in sys.modules if name.startswith('homebody.suites.')])\n"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, imported = out.stdout.split("\n", 1)
    assert int(count) >= len(OURS)
    assert imported.strip() == "[]"


def test_what_is_installed_is_asked_where_there_is_no_checkout(
    monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    monkeypatch.setattr(homebody.suites, "_PYPROJECT", site / "none.toml")
    install(site, "homebody", {"partnr.val": "homebody.suites.partnr.val:SUITE"})
    assert "partnr.val" in list_suites()
    assert get_suite("partnr.val").name == "partnr.val"
    assert set(list_suites()) == {point.name for point in entry_points(group="homebody.suites")}


def test_in_a_checkout_metadata_of_an_older_installation_does_not_count(
    monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    monkeypatch.setattr(homebody.suites, "_PYPROJECT", ROOT / "pyproject.toml")
    install(site, "homebody", {"partnr.gone": "homebody.suites.partnr.gone:SUITE"})
    assert "partnr.gone" not in list_suites()
    assert set(OURS) <= set(list_suites())


def test_the_project_file_of_somebody_else_is_none(
    monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    (site / "pyproject.toml").write_text("[project]\nname = 'theirs'\n")
    monkeypatch.setattr(homebody.suites, "_PYPROJECT", site / "pyproject.toml")
    install(site, "homebody", {"partnr.val": "homebody.suites.partnr.val:SUITE"})
    assert "partnr.val" in list_suites()


SUITE = """
from dataclasses import replace
from homebody.suites import get_suite
SUITE = replace(get_suite("partnr.val"), name="toy.quiz")
"""


def test_a_suite_of_another_package_is_one_like_ours(site: Path) -> None:
    install(site, "toys", {"toy.quiz": "toyquiz:SUITE"}, toyquiz=SUITE)
    assert "toy.quiz" in list_suites()
    assert "toyquiz" not in sys.modules
    assert get_suite("toy.quiz").name == "toy.quiz"
    assert get_suite("toy.quiz") is get_suite("toy.quiz")
    assert distribution_of("toy.quiz") == "toys 1.0"
    assert distribution_of("partnr.val") is None


@pytest.mark.parametrize(
    ("value", "text", "reason"),
    [
        ("toybroken1:SUITE", "1 / 0", "ZeroDivisionError"),
        ("toybroken2:SUITE", "import sys; sys.exit(3)", "SystemExit"),
        ("toybroken3:SUITE", "x = 1", "AttributeError"),
        ("toybroken4:SUITE", "SUITE = 5", "no suite"),
        ("toybroken5:SUITE", SUITE.replace("toy.quiz", "toy.other"), "'toy.other'"),
        ("nowhere_at_all:SUITE", "", "ModuleNotFoundError"),
    ],
)
def test_a_broken_package_costs_nobody_else(site: Path, value: str, text: str, reason: str) -> None:
    install(site, "toys", {"toy.quiz": value}, **{value.partition(":")[0]: text})
    (site / "nowhere_at_all.py").unlink(missing_ok=True)
    assert "toy.quiz" in list_suites()
    with pytest.raises(HomebodyError, match="toys") as caught:
        get_suite("toy.quiz")
    assert reason in str(caught.value)
    loadable = [suite.name for suite in loadable_suites()]
    assert "toy.quiz" not in loadable
    assert set(OURS) <= set(loadable)


def test_a_name_that_two_packages_have_is_refused_and_says_whose(site: Path) -> None:
    install(site, "toys", {"partnr.val": "toyquiz:SUITE", "toy.quiz": "toyquiz:SUITE"})
    install(site, "games", {"toy_quiz": "toyquiz:SUITE"})
    with pytest.raises(HomebodyError, match=r"partnr\.val of toys and partnr\.val of homebody"):
        get_suite("partnr.val")
    with pytest.raises(HomebodyError, match=r"toy.quiz of \w+ and toy.quiz of \w+"):
        get_suite("toy.quiz")
    assert get_suite("partnr.test").name == "partnr.test"


def test_one_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(HomebodyError, match=r"unknown suite: 'toy\.quiz'") as caught:
        get_suite("toy.quiz")
    assert "partnr.val" in caught.value.hint


@pytest.mark.parametrize("name", ["eai.behavior1k.action_sequencin", "behavior1k"])
def test_one_that_is_not_there_is_told_the_nearest(name: str) -> None:
    with pytest.raises(HomebodyError) as caught:
        get_suite(name)
    assert caught.value.hint.startswith("did you mean: eai.behavior1k.action_sequencing")
    assert "partnr" not in caught.value.hint


def test_a_suite_of_the_process(toy: Suite[str]) -> None:
    register_suite(toy)
    assert "toy.quiz" in list_suites()
    assert get_suite("toy.quiz") is toy
    with pytest.raises(HomebodyError, match=r"this process has a suite named toy\.quiz"):
        register_suite(toy)
    again = replace(toy, title="Another")
    register_suite(again, replace=True)
    assert get_suite("toy.quiz") is again


@pytest.mark.parametrize("name", ["partnr.val", "partnr_val"])
def test_a_name_that_is_taken(toy: Suite[str], name: str) -> None:
    with pytest.raises(HomebodyError, match=r"homebody has a suite named partnr\.val"):
        register_suite(replace(toy, name=name))
    assert get_suite("partnr.val") is not toy
    assert "partnr_val" not in list_suites()


@pytest.mark.parametrize("name", ["", "Toy", "a b", "../up", "a..b", ".a", "ä", "a\n"])
def test_what_no_suite_can_be_called(toy: Suite[str], name: str) -> None:
    with pytest.raises(HomebodyError, match="cannot be called"):
        register_suite(replace(toy, name=name))


def test_a_group_is_what_names_begin_with() -> None:
    assert [suite.name for suite in list_members("etplan")] == [f"etplan.{name}" for name in ROWS]
    names = [suite.name for suite in list_members("eai.virtualhome")]
    assert names == sorted(names)
    assert list_members("etplan.navigation") == list_members("etp") == list_members("") == ()
