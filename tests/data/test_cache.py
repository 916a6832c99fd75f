"""The cache: where it is, and folders that appear whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from homebody.core import HomebodyError
from homebody.data.cache import MANIFEST, cache_dir, read_manifest, staging

STAGE_AND_WAIT = f"""
import sys
from pathlib import Path
from homebody.data.cache import staging

with staging(Path(sys.argv[1])) as folder:
    (folder / "{MANIFEST}").write_text('{{"by": "' + sys.argv[2] + '"}}')
    print("half-way", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where a data set is to appear; nothing else is in its folder."""
    return tmp_path / "cache" / "set-1"


def stage_and_wait(target: Path, name: str) -> subprocess.Popen[str]:
    """Another process that is half-way through staging, until it reads a line."""
    process = subprocess.Popen(
        [sys.executable, "-c", STAGE_AND_WAIT, str(target), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "half-way\n"
    return process


def write(target: Path, name: str, text: str) -> None:
    with staging(target) as folder:
        (folder / name).write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- Where ----------------------------------------------------------------------------------------


def test_the_environment_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEBODY_DATA", str(tmp_path))
    assert cache_dir() == tmp_path


def test_the_environment_may_name_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOMEBODY_DATA", os.path.join("~", "homes"))
    assert cache_dir() == Path.home() / "homes"


@pytest.mark.parametrize("value", [None, ""])
def test_else_it_is_the_platforms_cache(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("HOMEBODY_DATA", raising=False)
    else:
        monkeypatch.setenv("HOMEBODY_DATA", value)
    assert cache_dir() == Path(platformdirs.user_cache_dir("homebody", appauthor=False))


# --- Manifests ------------------------------------------------------------------------------------


def test_manifest(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"schema": 1}')
    assert read_manifest(tmp_path) == {"schema": 1}


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "\x00"])
def test_a_broken_manifest_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(text)
    assert read_manifest(tmp_path) is None


def test_a_missing_manifest_is_none(tmp_path: Path) -> None:
    assert read_manifest(tmp_path) is None
    assert read_manifest(tmp_path / "nowhere") is None


# --- Staging --------------------------------------------------------------------------------------


def test_the_target_appears_only_at_the_end(target: Path) -> None:
    with staging(target) as folder:
        (folder / "a").write_text("1")
        assert not target.exists()
    assert names(target) == ["a"]
    assert names(target.parent) == [target.name]


def test_the_target_is_replaced_as_a_whole(target: Path) -> None:
    write(target, "old", "1")
    with staging(target) as folder:
        (folder / "new").write_text("2")
        assert names(target) == ["old"]
    assert names(target) == ["new"]
    assert names(target.parent) == [target.name]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_exception_leaves_everything_as_it_was(error: type[BaseException], target: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "new").write_text("2")
        raise error

    write(target, "old", "1")
    with pytest.raises(error), staging(target) as folder:
        fail(folder)
    assert names(target) == ["old"]
    assert names(target.parent) == [target.name]


def test_an_exception_leaves_no_target_where_there_was_none(target: Path) -> None:
    with pytest.raises(ValueError, match="no"), staging(target):
        raise ValueError("no")
    assert names(target.parent) == []


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_the_staged_folder_is_private_and_the_target_is_not(target: Path) -> None:
    with staging(target) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
    assert target.stat().st_mode & 0o777 == 0o755


# --- Other processes ------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="process ids are not looked up there")
def test_what_a_killed_process_left_is_removed_by_the_next(target: Path) -> None:
    write(target, "old", "1")
    process = stage_and_wait(target, "killed")
    process.kill()
    process.communicate()
    assert names(target) == ["old"]
    assert len(names(target.parent)) == 2, "the killed process had no chance to clean up"

    write(target, "new", "2")
    assert names(target) == ["new"]
    assert names(target.parent) == [target.name]


def test_what_a_living_process_stages_is_left_alone(target: Path) -> None:
    process = stage_and_wait(target, "slow")
    write(target, MANIFEST, '{"by": "quick"}')
    assert read_manifest(target) == {"by": "quick"}

    assert process.communicate("go on\n") == ("", "")
    assert process.returncode == 0
    assert read_manifest(target) == {"by": "slow"}
    assert names(target.parent) == [target.name]


@pytest.mark.parametrize("there_before", [False, True])
def test_processes_at_once_all_succeed(there_before: bool, target: Path) -> None:
    if there_before:
        write(target, MANIFEST, '{"by": "nobody"}')
    processes = [stage_and_wait(target, name) for name in ("first", "second")]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go on\n")
        process.stdin.flush()
    for process in processes:
        _, stderr = process.communicate()
        assert (process.returncode, stderr) == (0, "")
    assert read_manifest(target) in ({"by": "first"}, {"by": "second"})
    assert names(target.parent) == [target.name]


@pytest.mark.parametrize("when", [1, 2])
@pytest.mark.parametrize("does", ["puts its own there", "takes the old one away"])
def test_another_process_may_come_between_two_renames(
    does: str, when: int, target: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Just before a rename of ours, another process does one of its own."""
    write(target, MANIFEST, '{"by": "nobody"}')
    rename, renames = Path.rename, 0

    def watched(path: Path, to: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames == when and does == "puts its own there":
            write(target, MANIFEST, '{"by": "other"}')
        elif renames == when and target.exists():
            rename(target, tmp_path / "away")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", watched)
    write(target, MANIFEST, '{"by": "us"}')
    assert renames >= when
    assert read_manifest(target) in ({"by": "us"}, {"by": "other"})
    assert names(target.parent) == [target.name]


def test_only_leftovers_of_ours_are_removed(target: Path) -> None:
    target.parent.mkdir(parents=True)
    for name in ("other-set", ".fetch-notanumber-x", ".hidden"):
        (target.parent / name).mkdir()
    write(target, "a", "1")
    assert names(target.parent) == sorted(
        ["other-set", ".fetch-notanumber-x", ".hidden", target.name]
    )


# --- Places that cannot be written ----------------------------------------------------------------


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HomebodyError, match="cannot write to the data directory") as caught:
        write(tmp_path / "file" / "set-1", "a", "1")
    assert "HOMEBODY_DATA" in caught.value.hint


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_folder_that_is_not_ours_to_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(HomebodyError, match="cannot write to the data directory") as caught:
            write(tmp_path / "set-1", "a", "1")
    finally:
        tmp_path.chmod(0o755)
    assert "HOMEBODY_DATA" in caught.value.hint
