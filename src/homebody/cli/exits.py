"""Run the command line: turn errors into messages and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Final, NoReturn

import click

from homebody._version import __version__
from homebody.cli.app import Interrupted, app
from homebody.cli.printing import escape_output, remark, remark_text, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape
from homebody.core.ground.signals import exit_at_signals
from homebody.core.ground.user_errors import MAX_MESSAGE

BUG: Final = 1
"""The exit code after a traceback, or if nobody reads the output."""
MISTAKE: Final = 2
"""The exit code after a user's mistake. The message has one line."""
INTERRUPTED: Final = 130
"""The exit code after Ctrl-C. After another signal it is 128 plus the signal's number."""

click.version_option(__version__, message="%(prog)s %(version)s")(app)


def main() -> None:
    """Run the command line, and exit with 0 or one of the codes above."""
    escape_output()
    if instruction := os.environ.get("_HOMEBODY_COMPLETE"):
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(app, {}, "homebody", "_HOMEBODY_COMPLETE", instruction))
    exit_at_signals("SIGTERM", "SIGHUP")
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
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt as error:
        _exit_interrupted(str(error))
    except BrokenPipeError:  # the reader of the pipe has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BUG)
    except OSError as error:
        _fail(f"{error.strerror}: {error.filename}" if error.filename else str(error), "")
    except Exception:
        remark_text(traceback.format_exc().rstrip())
        sys.exit(BUG)


def _exit_interrupted(message: str = "") -> NoReturn:
    remark(f"homebody: {message or 'interrupted'}")
    sys.exit(INTERRUPTED)


def _fail(message: str, hint: str) -> None:
    remark(f"homebody: {escape(message, MAX_MESSAGE, lines=True)}" + (f" ({hint})" if hint else ""))
    sys.exit(MISTAKE)
