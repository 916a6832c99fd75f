"""The command line: ``app`` has what commands share, each other module some commands."""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from typing import NoReturn

import typer

from homebody.cli import (
    analyse,
    check,
    compare,
    data,
    embodiedeval,
    etplan,
    house,
    house_exchange,
    house_pictures,
    look,
    partnr,
    play,
    report,
    results,
    run,
    score,
    serve,
    study,
    submit,
    view,
)
from homebody.cli.app import Interrupted, app
from homebody.cli.printing import escaping, remark, remark_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import shown
from homebody.core.ground.user_errors import MAX_MESSAGE

__all__ = [
    "analyse",
    "check",
    "compare",
    "data",
    "embodiedeval",
    "etplan",
    "house",
    "house_exchange",
    "house_pictures",
    "look",
    "main",
    "partnr",
    "play",
    "report",
    "results",
    "run",
    "score",
    "serve",
    "study",
    "submit",
    "view",
]


def main() -> None:
    """Run the command line: a user's mistake is one line and exit code 2, one of ours a traceback
    and exit code 1."""
    escaping()
    for name in ("SIGTERM", "SIGHUP"):  # so that planners are ended and folders removed
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    try:
        code = app(standalone_mode=False)  # an int where a command was ended early
        sys.stdout.flush()
    except Interrupted as error:
        _interrupted(str(error))
    except HomebodyError as error:
        _fail(str(error), error.hint)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt as error:
        _interrupted(str(error))
    except BrokenPipeError:  # the reader of a pipe has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.strerror}: {error.filename}" if error.filename else str(error), "")
    except Exception as error:
        if type(error).__module__.startswith(("click", "typer")) and hasattr(error, "exit_code"):
            message = error.format_message() if hasattr(error, "format_message") else str(error)
            if not message:  # the help was printed
                sys.exit(error.exit_code)
            context = getattr(error, "ctx", None)
            _fail(message, f"see: {context.command_path if context else 'homebody'} --help")
        remark_text(traceback.format_exc().rstrip())
        sys.exit(1)
    if code == 130:  # what Typer makes of Ctrl-C
        _interrupted()
    sys.exit(code if isinstance(code, int) else 0)


def _interrupted(message: str = "") -> NoReturn:
    remark(f"homebody: {message or 'interrupted'}")
    sys.exit(130)


def _fail(message: str, hint: str) -> None:
    remark(f"homebody: {shown(message, MAX_MESSAGE, lines=True)}" + (f" ({hint})" if hint else ""))
    sys.exit(2)
