"""What ended a run, in one line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from homebody.core.score import MAX_REASON
from homebody.evals.checks import reason_of


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("the disk\n is full", "the disk is full"),
        ("x" * 1000 + " is wrong", "..." + "x" * (MAX_REASON - 9) + " is wrong"),
        (None, "the run ended with status error"),
    ],
)
def test_of_what_inspect_says_the_end_is_told(message: str | None, reason: str) -> None:
    error = None if message is None else SimpleNamespace(message=message)
    log: Any = SimpleNamespace(status="error", error=error)
    assert reason_of(log) == reason
