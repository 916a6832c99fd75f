"""What there is: suites, their tasks, and what is asked."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homebody.cli.app import DriverName, Settings, SuiteName, app, pairs_of, prepared
from homebody.cli.printing import say, say_text
from homebody.core import CORRECTED, HomebodyError

if TYPE_CHECKING:
    from homebody.core import Playing, Suite
    from homebody.evals.options import Options

_INDENT = "    "


@app.command("list")
def list_command(
    suite: Annotated[
        str | None, typer.Argument(help="A suite, to list its tasks", metavar="[SUITE]")
    ] = None,
) -> None:
    """List suites and their agents, or the tasks of a suite."""
    from homebody.suites import get_suite, suites

    if suite is not None:
        _list_tasks(prepared(suite))
        return
    for name in suites():
        say(name)
        try:
            _tell_of(get_suite(name))
        except HomebodyError as error:  # of this suite: the others are as good as before
            say(f"{_INDENT}{error}")


def _tell_of(suite: Suite[Any]) -> None:
    playing = suite.playing
    how = "asked" if playing is None else f"played by {' and '.join(playing.roles)}"
    lines = [suite.title, f"{how}; agents: {', '.join(suite.agents) or 'none'}"]
    if suite.scoring.bounds:
        bounds = (f"{name}={value:g}" for name, value in suite.scoring.bounds.items())
        lines.append(f"bounds (--bound): {', '.join(bounds)}")
    if suite.settings:
        settings = (
            f"{name}={'|'.join(values) or name.upper()}" for name, values in suite.settings.items()
        )
        lines.append(f"settings (--set): {', '.join(settings)}")
    if len(suite.models) > 1:
        lines.append(f"models (--role): {', '.join(suite.models)}")
    width = shutil.get_terminal_size().columns
    for line in lines:
        say(
            *textwrap.wrap(
                line,
                max(width, 40),
                initial_indent=_INDENT,
                subsequent_indent=2 * _INDENT,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


def _list_tasks(suite: Suite[Any]) -> None:
    tasks = suite.tasks.load(CORRECTED)
    names = [suite.tasks.identify(task) for task in tasks]
    width = max(map(len, names), default=0)
    for name, task in zip(names, tasks, strict=True):
        say(f"{name:<{width}}  {suite.tasks.describe(task)}")


@app.command()
def show(
    suite: SuiteName,
    task: Annotated[str, typer.Argument(help="A task's id, or how no other task's begins")],
    setting: Settings = None,
    driver: DriverName = None,
) -> None:
    """Print the prompt of a task, as a model gets it; if it is played, what each is first asked."""
    from homebody.evals.options import Options

    chosen = prepared(suite)
    shown = chosen.task(task)
    options = Options(settings=pairs_of(setting, "--set team=single"), driver=driver or "")
    options.check(chosen, CORRECTED)
    if chosen.prompting is not None:
        say_text(chosen.prompting.text(shown))
    if chosen.playing is not None:
        _show_beginning(chosen.playing, shown, chosen.tasks.identify(shown), options)


def _show_beginning(playing: Playing[Any], task: Any, name: str, options: Options) -> None:
    """What each model is first asked, and the tools that it is given."""
    from contextlib import closing

    from homebody.core.seeds import attempt_generator, session_seed
    from homebody.evals.samples import driver_of

    chosen = playing.unusual(options.settings)
    session = playing.start(task, chosen, session_seed(0, 1), CORRECTED)
    players = playing.players(session, chosen, attempt_generator(0, name, 1))
    with closing(driver_of(playing, options.driver)(session, players)) as dialogue:
        for question in next(dialogue, ()):
            tools = (
                f"{t.name}: {t.description} {json.dumps(t.parameters)}" for t in question.tools
            )
            texts = [message.text for message in question.messages]
            say_text("\n\n".join([f"[{question.role}]", *texts, "\n".join(tools)]))
