"""The command line, called in the tests' own process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from homebody import cli


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


Homebody = Callable[..., Result]


def caller(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *first: str
) -> Homebody:
    """``caller(...)("list", ...)``: run ``homebody FIRST... list ...`` on an 80-column terminal."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*args: str | Path) -> Result:
        monkeypatch.setattr(sys, "argv", ["homebody", *first, *map(str, args)])
        capsys.readouterr()
        code = 0
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
        return Result(code, *capsys.readouterr())

    return call
