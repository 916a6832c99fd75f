"""Normal exits at signals, so that planners end and temporary folders are removed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Final

_AGAIN: Final = 0.05
"""Seconds until a signal is sent again whose exit was lost."""


def exit_at_signals(*names: str) -> None:
    """Exit with code 128 plus the signal's number at signals; does nothing outside the main thread.

    Python ignores an exit that is raised while an object is finalised. Then the signal is sent
    again.

    Args:
        names: Names of signals; unknown ones are ignored, since they depend on the system.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    for number in numbers:
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    report = sys.unraisablehook

    def repeat(lost: sys.UnraisableHookArgs) -> None:
        code = lost.exc_value.code if isinstance(lost.exc_value, SystemExit) else None
        if isinstance(code, int) and code - 128 in numbers:
            threading.Timer(_AGAIN, os.kill, (os.getpid(), code - 128)).start()
        else:
            report(lost)

    sys.unraisablehook = repeat
