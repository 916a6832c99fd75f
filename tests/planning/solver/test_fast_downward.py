"""Fast Downward's own process on systems other than Linux."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from homebody.planning.solver.fast_downward import _kill, _make_limits


@pytest.mark.parametrize(
    ("platform", "limits"),
    [
        ("linux", ["--overall-time-limit", "4s", "--overall-memory-limit", "9M"]),
        ("darwin", ["--overall-time-limit", "4s"]),
        ("win32", []),
    ],
)
def test_it_is_given_the_limits_that_it_knows(
    monkeypatch: pytest.MonkeyPatch, platform: str, limits: list[str]
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert _make_limits(2.5, 9) == limits


def test_on_windows_its_processes_are_killed_as_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr("os.killpg", None)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: commands.append(command))
    process: Any = SimpleNamespace(pid=12345)
    _kill(process)
    assert commands == [["taskkill", "/F", "/T", "/PID", "12345"]]
