"""Tasks by the names that Inspect keeps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from homebody.suites import get_suite


@cache
def tasks_by_id(suite: str, protocol: str) -> Mapping[str, Any]:
    """Task id -> task. Raises HomebodyError if there is no such suite or protocol, or no data."""
    loaded = get_suite(suite)
    return {
        loaded.tasks.identify(task): task for task in loaded.tasks.load(loaded.protocol(protocol))
    }
