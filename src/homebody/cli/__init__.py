"""The command line.

``app`` has what commands share and ``command`` builds them from functions. The other modules define
commands and are imported when one of their commands is called.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import traceback
from typing import NoReturn

import click

from homebody._version import __version__
from homebody.cli.app import Interrupted, app
from homebody.cli.printing import escape_output, remark, remark_text, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape
from homebody.core.ground.user_errors import MAX_MESSAGE

__all__ = ["main"]

click.version_option(__version__, message="%(prog)s %(version)s")(app)


def main() -> None:
    """Run the command line.

    A user's mistake is one line and exit code 2; a bug is a traceback and exit code 1.
    """
    escape_output()
    if instruction := os.environ.get("_HOMEBODY_COMPLETE"):
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(app, {}, "homebody", "_HOMEBODY_COMPLETE", instruction))
    for name in (
        "SIGTERM",
        "SIGHUP",
    ):  # exit normally, so that planners end and folders are removed
        if hasattr(signal, name) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    try:
        with app.make_context("homebody", sys.argv[1:]) as context:
            app.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        say_text(error.format_message())
        sys.exit(error.exit_code)
    except click.ClickException as error:
        of = getattr(error, "ctx", None)
        command = of.command_path if of else "homebody"
        _fail(error.format_message(), f"see: {command} --help")
    except Interrupted as error:
        _exit_interrupted(str(error))
    except HomebodyError as error:
        _fail(str(error), error.hint)
    except click.Abort:
        sys.exit(130)
    except KeyboardInterrupt as error:
        _exit_interrupted(str(error))
    except BrokenPipeError:  # the reader of the pipe has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        _fail(f"{error.strerror}: {error.filename}" if error.filename else str(error), "")
    except Exception:
        remark_text(traceback.format_exc().rstrip())
        sys.exit(1)


def _exit_interrupted(message: str = "") -> NoReturn:
    remark(f"homebody: {message or 'interrupted'}")
    sys.exit(130)


def _fail(message: str, hint: str) -> None:
    remark(f"homebody: {escape(message, MAX_MESSAGE, lines=True)}" + (f" ({hint})" if hint else ""))
    sys.exit(2)
