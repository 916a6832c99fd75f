"""Free memory goes back to the system."""

from __future__ import annotations

import ctypes
import re
import sys
from pathlib import Path

import pytest

from homebody.web.memory import release_memory

STATUS = Path("/proc/self/status")


def resident() -> int:
    """KB of memory of this process."""
    found = re.search(r"VmRSS:\s+(\d+)", STATUS.read_text())
    assert found is not None
    return int(found[1])


@pytest.mark.skipif(
    not STATUS.exists() or not hasattr(ctypes.CDLL(None), "malloc_trim"),
    reason="needs Linux with glibc",
)
def test_what_is_free_between_what_is_kept_goes_back_to_the_system() -> None:
    made = [bytearray(50_000) for _ in range(2_000)]  # 100 MB
    kept = made[1::20]
    del made
    before = resident()
    release_memory()
    assert resident() < before - 50_000
    assert len(kept) == 100


def test_where_nothing_gives_back_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", None)
    release_memory()
