"""Print to the terminal, with control characters escaped.

Only this module and ``results/terminal.py`` (tables) print; a test checks that.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from io import StringIO, TextIOWrapper

from homebody.core.ground.escaping import escape

MAX_REMARK = 4_200
"""Maximum number of characters of a remark."""


def escape_output() -> None:
    """Print characters that the terminal's encoding lacks as escapes, and discard text for closed
    outputs."""
    if sys.stdout is None:
        sys.stdout = StringIO()
    if sys.stderr is None:
        sys.stderr = StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(*lines: object) -> None:
    """Print each value on one line, whatever it contains."""
    for line in lines:
        print(escape(line))


def say_text(text: str) -> None:
    """Print a string of several lines, such as a prompt.

    Names in it may break lines too, so print tables and lists line by line.
    """
    print(escape(text, lines=True))


def remark(text: str) -> None:
    """Print one line on standard error, above a progress bar if there is one.

    A line that cannot be written (closed pipe, full disk) is dropped.
    """
    with suppress(OSError):
        print(escape(" ".join(text.split()), MAX_REMARK), file=sys.stderr)


def note(text: str) -> None:
    """Print a remark that begins with ``note:``."""
    remark(f"note: {text}")


def remark_text(text: str) -> None:
    """Print a string of several lines on standard error, such as a traceback."""
    with suppress(OSError):
        print(escape(text, lines=True), file=sys.stderr)


def is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def is_conversation() -> bool:
    """Return whether a person can type and can read standard error."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
