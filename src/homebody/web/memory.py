"""Free memory goes back to the system."""

from __future__ import annotations

import ctypes
import sys


def release_memory() -> None:
    """Have glibc give back what is free; does nothing elsewhere. It keeps pages on which nothing is
    left until those after them are free, too: where some threads make what others throw away, and
    what is remembered lies between, that comes to half as much again as is used. It takes a few
    milliseconds, without Python's lock."""
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):  # musl has none
        library.malloc_trim(ctypes.c_size_t(0))
