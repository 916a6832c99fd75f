"""``homebody new-suite``: a package is written, and what to do next is said."""

from __future__ import annotations

from pathlib import Path

from command import Homebody


def test_a_package_is_written_and_never_overwritten(homebody: Homebody) -> None:
    result = homebody("new-suite", "toy.chores")
    assert (result.code, result.err) == (0, "")
    first, *steps = result.out.splitlines()
    assert first == "toy_chores is a package with the suite toy.chores; next:"
    assert [step.split()[0] for step in steps] == ["pip", "homebody", "homebody"]
    assert Path("toy_chores/pyproject.toml").is_file()
    again = homebody("new-suite", "toy.chores")
    assert again.code == 2
    assert "exists already" in again.err
    assert homebody("new-suite", "../chores", "--out", "there").code == 2
    assert not Path("there").exists()
