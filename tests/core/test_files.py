"""Files that appear as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.core.files import mend, replace_whole


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
