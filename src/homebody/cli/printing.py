"""The only door to the terminal: what commands print is made safe to show here.

Nothing else in the package prints, but for tables (``results/terminal.py``), whose cells are made
safe there; a test sees to it.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from io import StringIO, TextIOWrapper

from homebody.core.ground.escaping import escape

MAX_REMARK = 4_200
"""Characters of one remark."""


def escaping() -> None:
    """From now on, what the encoding of the terminal lacks is printed as escapes, and what goes to
    an output that was closed before is lost."""
    if sys.stdout is None:
        sys.stdout = StringIO()
    if sys.stderr is None:
        sys.stderr = StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(*lines: object) -> None:
    """Print each on a line of its own, whatever is in it."""
    for line in lines:
        print(escape(line))


def say_text(text: str) -> None:
    """Print a text of several lines, such as a prompt. Names in it may break lines, too: tables and
    lists are better printed line by line."""
    print(escape(text, lines=True))


def remark(text: str) -> None:
    """Print one line on standard error: where a progress bar is shown, above it. Where it cannot be
    written, as nobody reads it or the disk is full, the work goes on."""
    with suppress(OSError):
        print(escape(" ".join(text.split()), MAX_REMARK), file=sys.stderr)


def note(text: str) -> None:
    """Say something that is worth knowing beside the result, as :func:`remark` does."""
    remark(f"note: {text}")


def remark_text(text: str) -> None:
    """Print a text of several lines on standard error, such as a traceback."""
    with suppress(OSError):
        print(escape(text, lines=True), file=sys.stderr)


def is_conversation() -> bool:
    """Whether somebody can type, and read on standard error what they are asked."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))
