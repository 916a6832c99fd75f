"""Files that appear as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homebody.core.errors import HomebodyError
from homebody.core.files import alone, mend, replace_whole


def test_a_file_is_replaced_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replace_whole(path) as half:
        half.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_file_stays_when_writing_ends_early(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def write() -> None:
        with replace_whole(path) as half:
            half.write_text("ne")
            raise error

    with pytest.raises(error):
        write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_there_may_be_nothing_to_mend(tmp_path: Path) -> None:
    mend(tmp_path / "none")
    assert not list(tmp_path.iterdir())


def test_one_is_alone(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    path = tmp_path / "lock"
    with alone(path, "one"):
        with pytest.raises(HomebodyError, match="two"), alone(path, "two"):
            raise AssertionError
        with alone(tmp_path / "other", "three"):
            pass
    with pytest.raises(ValueError, match="inside"), alone(path, "four"):
        raise ValueError("inside")
    with alone(path, "five"):
        pass
    with pytest.raises(HomebodyError, match="cannot write"), alone(tmp_path, "six"):
        raise AssertionError


@pytest.mark.skipif(not hasattr(os, "fork"), reason="POSIX processes")
def test_a_copied_process_does_not_keep_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    reading, writing = os.pipe()
    with alone(path, "one"):
        child = os.fork()
        if child == 0:  # pragma: no cover - in the child
            os.close(writing)
            os.read(reading, 1)
            os._exit(0)
    with alone(path, "two"):
        os.close(writing)
        os.waitpid(child, 0)
    os.close(reading)
