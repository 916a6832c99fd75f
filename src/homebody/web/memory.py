"""Returns free memory to the operating system."""

from __future__ import annotations

import ctypes
import sys


def release_memory() -> None:
    """Let glibc return its free pages; does nothing on other systems.

    By itself, glibc keeps free pages below pages in use. They can be half as large as the used
    memory. The call takes a few milliseconds and does not hold Python's lock.
    """
    if sys.platform != "linux":
        return
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):  # musl has none
        library.malloc_trim(ctypes.c_size_t(0))
