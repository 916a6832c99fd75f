"""`homebody completion`: completion of commands, options and names in a shell."""

from __future__ import annotations

from typing import Annotated

from homebody.cli.app import app, complete_words
from homebody.cli.command import Argument
from homebody.cli.printing import say_text
from homebody.core import HomebodyError

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_HOMEBODY_COMPLETE"
"""Environment variable by which a shell asks for completions."""


@app.command()
def completion(
    shell: Annotated[
        str, Argument(help="bash, zsh or fish.", metavar="SHELL", complete=complete_words(*SHELLS))
    ],
) -> None:
    """Print the script for completion in a shell.

    \b
    bash, in ~/.bashrc:  eval "$(homebody completion bash)"
    zsh, in ~/.zshrc:    eval "$(homebody completion zsh)"
    fish, once:          homebody completion fish > ~/.config/fish/completions/homebody.fish
    """  # noqa: D301 (click reads a backspace: it keeps these lines apart)
    from click.shell_completion import get_completion_class

    if shell not in SHELLS:
        raise HomebodyError(
            f"completion does not support the shell {shell[:40]!r}",
            f"choose one of: {', '.join(SHELLS)}",
        )
    completer = get_completion_class(shell)
    assert completer is not None
    say_text(completer(app, {}, "homebody", VARIABLE).source())
