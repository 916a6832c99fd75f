"""What is kept of the suites, so that listing them imports none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from homebody import suites as registry
from homebody.cli import listing
from homebody.cli.listing import describe_suites
from homebody.suites import get_suite, list_suites
from own_suites import in_place
from plugins import install

LISTED = "import sys, homebody.cli; sys.argv = ['homebody', 'list']\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where it is kept."""
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path / "data"))
    monkeypatch.syspath_prepend(tmp_path)
    registry.list_entry_points.cache_clear()
    yield tmp_path / "data"
    registry.list_entry_points.cache_clear()


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The suites that were loaded, in order."""
    names: list[str] = []

    def get(name: str) -> object:
        names.append(name)
        return get_suite(name)

    monkeypatch.setattr(listing, "get_suite", get)
    return names


def test_what_was_told_once_is_told_again_without_loading(folder: Path, loaded: list[str]) -> None:
    first = list(describe_suites())
    assert [name for name, _ in first] == list(list_suites())
    assert loaded == list(list_suites())
    assert list(describe_suites()) == first
    assert loaded == list(list_suites())
    assert len(list(folder.iterdir())) == 1


def test_a_process_that_lists_imports_no_suite(folder: Path) -> None:
    list(describe_suites())
    code = f"{LISTED}try: homebody.cli.main()\nfinally: print(*sys.modules, file=sys.stderr)"
    environment = {**os.environ, "HOMEBODY_DATA": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )
    imported = set(done.stderr.split())
    assert "homebody.cli.listing" in imported
    assert not imported & {"homebody.core.suite", "numpy", "lark", "msgspec", "rich"}
    assert not [name for name in imported if name.startswith(("homebody.suites.", "homebody.wo"))]


@pytest.mark.parametrize(
    "damage",
    [
        lambda kept: b"",
        lambda kept: kept[:100],
        lambda kept: b"\xff\xfe\x00",
        lambda kept: b"[" * 100_000,
        lambda kept: kept.replace(b'"suites"', b'"suite"'),
        lambda kept: kept.replace(b'"stamp": "', b'"stamp": "0'),
        lambda kept: b'{"stamp": 1, "suites": []}',
    ],
)
def test_what_cannot_be_read_is_told_anew(folder: Path, loaded: list[str], damage: object) -> None:
    first = list(describe_suites())
    (path,) = folder.iterdir()
    kept = path.read_bytes()
    path.write_bytes(damage(kept))  # type: ignore[operator]
    assert list(describe_suites()) == first
    assert loaded == 2 * list(list_suites())
    assert path.read_bytes() == kept


def test_lines_of_another_kind_are_told_anew(folder: Path, loaded: list[str]) -> None:
    first = list(describe_suites())
    (path,) = folder.iterdir()
    lines = path.read_text()
    path.write_text(lines.replace('"title": ', '"no title": ', 1))
    loaded.clear()
    assert list(describe_suites()) == first
    assert loaded == [first[0][0]]


def test_a_package_that_changes_is_told_anew(tmp_path: Path, loaded: list[str]) -> None:
    list(describe_suites())
    loaded.clear()
    install(tmp_path, "toys", {"toy.broken": "toylisted:SUITE"}, toylisted="raise OSError('gone')")
    registry.list_entry_points.cache_clear()
    told = dict(describe_suites())
    assert told["toy.broken"] == {
        "name": "toy.broken",
        "error": "the suite toy.broken of toys cannot be loaded: OSError: gone",
    }
    assert loaded == list(list_suites())
    loaded.clear()
    assert dict(describe_suites()) == told
    assert loaded == ["toy.broken"]  # whose error may have been mended
    (tmp_path / "toylisted.py").write_text("raise OSError('gone again')")
    loaded.clear()
    list(describe_suites())
    assert loaded == list(list_suites())


def test_suites_of_this_process_are_not_kept(loaded: list[str]) -> None:
    list(describe_suites())
    own = replace(get_suite("partnr.val"), title="Of my own")
    with in_place([own]):
        assert dict(describe_suites())["partnr.val"]["title"] == "Of my own"
    assert dict(describe_suites())["partnr.val"]["title"] == get_suite("partnr.val").title


def test_where_nothing_can_be_kept_all_is_told(folder: Path) -> None:
    folder.write_text("in the way")
    assert [name for name, _ in describe_suites()] == list(list_suites())
