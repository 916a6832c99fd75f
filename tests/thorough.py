"""How much is tried: part of it by default, all of it with ``HOMEBODY_THOROUGH=1``.

For tests that try many cases of one kind, each of which takes long.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")
THOROUGH = os.environ.get("HOMEBODY_THOROUGH") == "1"
SHARE = 3
"""One of so many is tried by default."""


def examples(most: int, **more: Any) -> settings:
    """Settings of a test of random examples: so many at most if all is tried."""
    return settings(max_examples=most if THOROUGH else max(2, most // SHARE), **more)


def part_of(cases: Sequence[T], share: int = SHARE) -> Sequence[T]:
    """Cases from all over a sequence; all of them if all is tried."""
    return cases if THOROUGH else cases[::share]
