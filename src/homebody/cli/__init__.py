"""The command line.

``app`` has the code that commands share, ``command`` builds commands from functions, and ``exits``
turns errors into messages and exit codes. The other modules define commands and are imported when
one of their commands is called.
"""

from __future__ import annotations

from homebody.cli.app import app
from homebody.cli.exits import main

__all__ = ["app", "main"]
