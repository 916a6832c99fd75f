"""The release checklist (.ci/release.py): each check can fail."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from places import ROOT


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # where dataclasses look for it
    spec.loader.exec_module(module)
    return module


checklist = load(ROOT / ".ci/release.py")
readme = load(ROOT / "hatch_build.py")
FILES = ("pyproject.toml", "CHANGELOG.md", "CITATION.cff", "README.md")
VERSION = "src/homebody/_version.py"


@pytest.fixture
def release(tmp_path: Path) -> Any:
    """A checkout with the files that most checks read."""
    root = tmp_path / "checkout"
    (root / "src/homebody").mkdir(parents=True)
    for name in (*FILES, VERSION):
        shutil.copy(ROOT / name, root / name)
    return checklist.Release(root, tmp_path)


def edit(release: Any, path: str, old: str, new: str) -> None:
    text = release.read(path)
    assert old in text
    (release.root / path).write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "path", "old", "new", "problem"),
    [
        ("versions", "CITATION.cff", "version: 0", "version: 9", "CITATION.cff do not say"),
        ("versions", "CHANGELOG.md", "## 0", "## 9", "CHANGELOG.md do not say"),
        ("versions", VERSION, '"0', '"9', "CHANGELOG.md, CITATION.cff, README.md do not say"),
        ("hints", "README.md", "homebody[models]", "homebody[model]", "README.md names model"),
    ],
)
def test_a_check_fails_after_a_change(
    release: Any, name: str, path: str, old: str, new: str, problem: str
) -> None:
    check: Callable[[Any], None] = getattr(checklist, f"check_{name}")
    check(release)
    edit(release, path, old, new)
    with pytest.raises(checklist.Problem, match=problem):
        check(release)


def test_the_changelog_needs_a_date(release: Any) -> None:
    (release.root / "CHANGELOG.md").write_text(f"## {release.version} (unreleased)\n")
    with pytest.raises(checklist.Problem, match="YYYY-MM-DD"):
        checklist.check_changelog(release)
    edit(release, "CHANGELOG.md", "(unreleased)", "(2026-12-01)")
    checklist.check_changelog(release)


def test_the_address_is_needed_and_repeated_in_the_citation(release: Any) -> None:
    project = re.sub(r"(?m)^urls = .*\n", "", release.read("pyproject.toml"))
    citation = re.sub(r"(?m)^repository-code: .*\n", "", release.read("CITATION.cff"))
    (release.root / "pyproject.toml").write_text(project, encoding="utf-8")
    (release.root / "CITATION.cff").write_text(citation, encoding="utf-8")
    with pytest.raises(checklist.Problem, match="set it: urls"):
        checklist.check_address(release)
    del release.project
    edit(release, "pyproject.toml", "[project]\n", '[project]\nurls = { Source = "https://a.b" }\n')
    with pytest.raises(checklist.Problem, match="repository-code: https"):
        checklist.check_address(release)
    edit(release, "CITATION.cff", "license:", "repository-code: https://a.b\nlicense:")
    checklist.check_address(release)


def test_the_commit_needs_a_tag_and_no_changes(release: Any) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
        subprocess.run(["git", *identity, *words], cwd=release.root, check=True, stdout=-3)

    git("init", "-q")
    with pytest.raises(checklist.Problem, match="README"):
        checklist.check_clean(release)
    git("add", ".")
    git("commit", "-q", "-m", "Begin")
    checklist.check_clean(release)
    with pytest.raises(checklist.Problem, match="git tag -a v"):
        checklist.check_tag(release)
    git("tag", "-a", f"v{release.version}", "-m", "it")
    checklist.check_tag(release)


def test_a_wheel_that_lacks_a_licence_or_differs_fails(
    release: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = f"homebody-{release.version}.dist-info"
    tracked = ["src/homebody/a.py", "src/homebody/b/three.LICENSE"]
    content = {
        f"{info}/entry_points.txt": "".join(
            f"{name} = x\n" for name in release.project["entry-points"]["homebody.suites"]
        ),
        "homebody/py.typed": "",
        **{path.removeprefix("src/"): "" for path in tracked},
        f"{info}/licenses/LICENSE": "",
        f"{info}/licenses/src/homebody/b/three.LICENSE": "",
    }

    def wheel(name: str, without: str = "") -> Path:
        path = release.scratch / name
        with zipfile.ZipFile(path, "w") as archive:
            for each, text in content.items():
                if each != without:
                    archive.writestr(zipfile.ZipInfo(each), text)
        return path

    monkeypatch.setattr(release, "run", lambda *command: "\n".join(tracked))
    release.wheel, release.wheel_from_sdist = wheel("a"), wheel("b")
    checklist.check_content(release)
    checklist.check_reproducible(release)
    for lost in (f"{info}/licenses/src/homebody/b/three.LICENSE", "homebody/py.typed"):
        release.wheel = wheel("c", lost)
        with pytest.raises(checklist.Problem, match=lost):
            checklist.check_content(release)
        with pytest.raises(checklist.Problem, match="from the sdist"):
            checklist.check_reproducible(release)


def test_the_readme_leads_to_the_source_once_that_is_known(release: Any) -> None:
    text = release.read("README.md")
    linked = readme.make_absolute(text, "https://a.b/c/", "v1")
    assert "![A replay" in linked
    assert "(https://a.b/c/raw/v1/docs/images/" in linked
    assert "(https://a.b/c/blob/v1/docs/trust/attacks.md)" in linked
    assert linked.count("](") == text.count("](")
    assert not re.search(r"\]\((?!https?:|#)", linked)

    def use(description: str) -> None:
        head = f"Metadata-Version: 2.4\nName: homebody\nVersion: {release.version}\n"
        kind = "Description-Content-Type: text/markdown\n\n"
        release.metadata = (head + kind + description).encode()

    pytest.importorskip("readme_renderer")
    release.project["urls"] = {"Source": "https://a.b/c"}
    use(linked)
    checklist.check_metadata(release)
    use(text)
    with pytest.raises(checklist.Problem, match="lead nowhere"):
        checklist.check_metadata(release)
    use("# no table")
    with pytest.raises(checklist.Problem, match="does not render"):
        checklist.check_metadata(release)


def test_the_bom_has_what_is_bundled_and_installed(
    release: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = f"{checklist.THREE}/README.md"
    (release.root / place).parent.mkdir(parents=True)
    shutil.copy(ROOT / place, release.root / place)
    release.wheel = ROOT / "LICENSE"
    pins = ["numpy==1.0 ; python_full_version < '3.12'", "numpy==2.0", "rich==3.0"]
    monkeypatch.setattr(checklist, "resolve", lambda *_: pins)
    bom = checklist.make_bom(release)
    links = [each["purl"] for each in bom["components"]]
    assert links[0].startswith("pkg:npm/three@0.")
    assert links[1:] == ["pkg:pypi/numpy@1.0", "pkg:pypi/numpy@2.0", "pkg:pypi/rich@3.0"]


def test_the_end_says_if_a_check_failed(capsys: pytest.CaptureFixture[str], release: Any) -> None:
    assert checklist.holds(checklist.check_versions, release)
    edit(release, "CITATION.cff", "version: 0", "version: 9")
    assert not checklist.holds(checklist.check_versions, release)
    first, second, reason = capsys.readouterr().out.splitlines()
    assert first.startswith("ok      Version")
    assert second.startswith("FAILED  Version")
    assert "CITATION.cff" in reason
