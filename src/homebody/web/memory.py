"""Free memory goes back to the system."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache


def give_back() -> None:
    """Have the C library give back what is free. It keeps pages on which nothing is left until
    those after them are free, too: where some threads make what others throw away, and what is
    remembered lies between, that comes to half as much again as is used. It takes a few
    milliseconds, without Python's lock; elsewhere than on Linux with glibc it does nothing."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Callable[[int], object] | None:
    if sys.platform != "linux":
        return None
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # musl has none
        return None
    trim.argtypes, trim.restype = (ctypes.c_size_t,), ctypes.c_int
    found: Callable[[int], object] = trim
    return found
