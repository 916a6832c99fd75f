"""Free memory goes back to the system.

All of it does nothing elsewhere than on Linux with glibc.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Final

LARGE: Final = 1 << 16
"""Bytes of what is in pages of its own."""
_ARENA_MAX: Final = -8
_MMAP_THRESHOLD: Final = -3


def give_back() -> None:
    """Have the C library give back what is free. It keeps pages on which nothing is left until
    those after them are free, too: where some threads make what others throw away, and what is
    remembered lies between, that comes to half as much again as is used. It takes a few
    milliseconds, without Python's lock."""
    trim = _function("malloc_trim", ctypes.c_size_t)
    if trim is not None:
        trim(0)


def keep_little() -> None:
    """Have the C library keep less from now on: one heap for all threads, and what is large (what
    is sent to browsers) in pages of its own, which go back as soon as they are free."""
    set_option = _function("mallopt", ctypes.c_int, ctypes.c_int)
    if set_option is not None:
        set_option(_ARENA_MAX, 1)
        set_option(_MMAP_THRESHOLD, LARGE)


@cache
def _function(name: str, *arguments: Any) -> Callable[..., object] | None:
    """A function of glibc, by the types of its arguments; None elsewhere."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim") or not hasattr(library, name):  # musl has neither
        return None
    function = getattr(library, name)
    function.argtypes, function.restype = arguments, ctypes.c_int
    found: Callable[..., object] = function
    return found
