"""Packages as data: downloaded with pip and never run, checked, read within bounds, stored."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from homebody.core import HomebodyError
from homebody.data import downloads
from homebody.data.downloads import Package

METADATA = "Metadata-Version: 2.1\nName: booby\nVersion: 1.0\n"


def silent(what: str, done: int, total: int) -> None:
    pass


def tar(path: Path, members: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def package(path: Path, kind: Any = "sdist", **changed: str) -> Package:
    digest = changed.get("sha256", hashlib.sha256(path.read_bytes()).hexdigest())
    return Package("booby", "1.0", digest, kind, 0.1, "--file")


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the only place where the user's pip looks."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def trapped(links: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A source distribution whose setup.py leaves a mark where it is run, and that mark."""
    mark = tmp_path / "executed"
    setup = f"open({str(mark)!r}, 'w').close()\nfrom setuptools import setup\nsetup(name='booby')\n"
    path = tar(
        links / "booby-1.0.tar.gz",
        {"booby-1.0/setup.py": setup.encode(), "booby-1.0/PKG-INFO": METADATA.encode()},
    )
    return path, mark


def test_a_source_distribution_is_downloaded_and_nothing_in_it_runs(
    trapped: tuple[Path, Path], tmp_path: Path
) -> None:
    path, mark = trapped
    found = downloads.obtain(package(path), None, tmp_path, silent)
    assert found.read_bytes() == path.read_bytes()
    assert not mark.exists()


def test_a_user_s_own_python_path_is_kept(
    trapped: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, mark = trapped
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mine"))
    seen: list[str] = []
    run = subprocess.run

    def spy(command: Any, **options: Any) -> Any:
        seen.append(options["env"]["PYTHONPATH"])
        return run(command, **options)

    monkeypatch.setattr(subprocess, "run", spy)
    downloads.download(package(path), tmp_path, silent)
    first, second = seen[0].split(os.pathsep)
    assert (Path(first) / "setuptools" / "build_meta.py").is_file()
    assert second == str(tmp_path / "mine")
    assert not mark.exists()


def test_another_file_of_that_name_is_not_even_unpacked(
    trapped: tuple[Path, Path], tmp_path: Path
) -> None:
    path, mark = trapped
    with pytest.raises(HomebodyError, match=r"could not download booby==1\.0 with pip"):
        downloads.download(package(path, sha256="0" * 64), tmp_path, silent)
    assert not mark.exists()


def test_a_wheel_is_downloaded(links: Path, tmp_path: Path) -> None:
    path = links / "booby-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("booby-1.0.dist-info/METADATA", METADATA)
        archive.writestr("booby-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("booby-1.0.dist-info/RECORD", "")
    found = downloads.obtain(package(path, "wheel"), None, tmp_path, silent)
    assert found.read_bytes() == path.read_bytes()


def test_what_cannot_be_had_is_said_with_what_to_do(links: Path, tmp_path: Path) -> None:
    wanted = Package("booby", "1.0", "0" * 64, "sdist", 0.1, "--file")
    with pytest.raises(HomebodyError, match="No matching distribution") as caught:
        downloads.download(wanted, tmp_path, silent)
    assert "--file FILE" in caught.value.hint


def answer(monkeypatch: pytest.MonkeyPatch, outcome: Any) -> None:
    def run(command: Any, **options: Any) -> Any:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    monkeypatch.setattr(subprocess, "run", run)


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (subprocess.CompletedProcess([], 1, "", "/x: No module named pip"), "No module named pip"),
        (subprocess.TimeoutExpired([], 600), "no answer within 600 seconds"),
        (subprocess.CompletedProcess([], 1, "", "something odd"), "something odd"),
        (subprocess.CompletedProcess([], 0, "", ""), "pip saved no file"),
    ],
)
def test_pip_s_failures(
    outcome: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, outcome)
    wanted = Package("booby", "1.0", "0" * 64, "sdist", 0.1, "--file")
    with pytest.raises(HomebodyError, match=message):
        downloads.download(wanted, tmp_path, silent)


def test_a_given_file_is_checked_and_nothing_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, AssertionError("pip was started"))
    path = tar(tmp_path / "given.tar.gz", {"booby-1.0/a": b"1"})
    assert downloads.obtain(package(path), path, tmp_path, silent) == path
    with pytest.raises(HomebodyError, match=r"given\.tar\.gz is not the official booby==1\.0"):
        downloads.obtain(package(path, sha256="0" * 64), path, tmp_path, silent)
    with pytest.raises(HomebodyError, match="cannot read"):
        downloads.obtain(package(path), tmp_path / "absent", tmp_path, silent)


def test_only_what_is_wanted_is_read(tmp_path: Path) -> None:
    path = tar(tmp_path / "a.tar.gz", {"top/x/1": b"one", "top/x/2": b"two", "top/y": b"three"})
    files = downloads.read_sdist(path, lambda name: name.startswith("x/"))
    assert files == {"x/1": b"one", "x/2": b"two"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            info = tarfile.TarInfo(f"top/{kind.decode()}")
            info.type, info.linkname = kind, str(tmp_path / "secret")
            archive.addfile(info)
    assert downloads.read_sdist(path, lambda name: True) == {}


def test_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tar(tmp_path / "a.tar.gz", {"top/1": b"x" * 60, "top/2": b"x" * 60})
    monkeypatch.setattr(downloads, "MAX_MEMBER", 59)
    with pytest.raises(HomebodyError, match="1 is larger than it should be"):
        downloads.read_sdist(path, lambda name: True)
    assert downloads.read_sdist(path, lambda name: False) == {}
    monkeypatch.setattr(downloads, "MAX_UNPACKED", 119)
    with pytest.raises(HomebodyError, match="unpacks to more than it should"):
        downloads.read_sdist(path, lambda name: False)


@pytest.mark.parametrize(
    "damage", [lambda data: b"no archive", lambda data: data[: len(data) // 2]]
)
def test_a_damaged_archive_is_said_to_be_one(damage: Any, tmp_path: Path) -> None:
    path = tar(tmp_path / "a.tar.gz", {"top/1": os.urandom(4000)})
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(HomebodyError, match=r"cannot read a\.tar\.gz"):
        downloads.read_sdist(path, lambda name: True)
