"""Python's stack, of which tests take away."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FRAMES: Final = 500
"""How much of Python's stack, of which it has 1,000 frames, is enough for any text."""


@contextmanager
def frames_left(count: int) -> Iterator[None]:
    """What is called in the block can go so much deeper."""
    usual = sys.getrecursionlimit()
    frames, frame = 0, sys._getframe()
    while frame is not None:  # as inspect.stack, which looks through all modules for each of them
        frames, frame = frames + 1, frame.f_back
    sys.setrecursionlimit(frames + count)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
