"""Commands, called in the tests' own process."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Homebody, caller


@pytest.fixture
def homebody(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Homebody:
    """``homebody("list", ...)``: run a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return caller(capsys, monkeypatch)


@pytest.fixture
def partnr(homebody: Homebody) -> Homebody:
    """``partnr("stats", ...)``: the same with a command of ``homebody partnr``."""
    return lambda *args: homebody("partnr", *args)
