"""What there is: suites, their tasks, and what is asked."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homebody.cli.app import Settings, SuiteName, app, pairs_of, prepared
from homebody.core import CORRECTED, HomebodyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from homebody.core import Playing, Suite

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
        print(name)
        try:
            _tell_of(get_suite(name))
        except HomebodyError as error:  # of this suite: the others are as good as before
            print(f"{_INDENT}{error}")


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
        print(
            textwrap.fill(
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
        print(f"{name:<{width}}  {suite.tasks.describe(task)}")


@app.command()
def show(
    suite: SuiteName,
    task: Annotated[str, typer.Argument(help="A task's id, or how no other task's begins")],
    setting: Settings = None,
) -> None:
    """Print the prompt of a task, as a model gets it; if it is played, what each is first asked."""
    chosen = prepared(suite)
    shown = chosen.task(task)
    settings = pairs_of(setting, "--set team=single")
    chosen.check_settings(settings)
    if chosen.prompting is not None:
        print(chosen.prompting.text(shown))
    if chosen.playing is not None:
        _show_beginning(chosen.playing, shown, chosen.tasks.identify(shown), settings)


def _show_beginning(
    playing: Playing[Any], task: Any, name: str, settings: Mapping[str, str]
) -> None:
    """What each model is first asked."""
    from contextlib import closing

    from homebody.core.seeds import attempt_generator, session_seed
    from homebody.drivers import react

    session = playing.start(task, playing.unusual(settings), session_seed(0, 1), CORRECTED)
    players = playing.players(session, settings, attempt_generator(0, name, 1))
    driver = playing.driver or react
    with closing(driver(session, players)) as dialogue:
        for question in next(dialogue, ()):
            print(f"[{question.role}]", *(m.text for m in question.messages), sep="\n\n")
            print()
