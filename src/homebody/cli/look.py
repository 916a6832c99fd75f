"""What there is: suites, their tasks, and what is asked."""

from __future__ import annotations

import json
import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import (
    DriverName,
    OwnTasks,
    Settings,
    SuiteName,
    app,
    prepare_suite,
    progress,
    read_pairs,
)
from homebody.cli.command import Argument, Option
from homebody.cli.printing import say, say_text
from homebody.core import CORRECTED, HomebodyError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from homebody.core import Question, Suite
    from homebody.core.play.conversation import Message

_INDENT = "    "


@app.command("list")
def list_command(
    suite: Annotated[
        str | None, Argument(help="A suite, to list its tasks", metavar="[SUITE]")
    ] = None,
    tasks: OwnTasks = None,
) -> None:
    """List suites and their agents, or the tasks of a suite."""
    if suite is not None:
        from homebody.suites import get_suite

        _list_tasks(get_suite(suite).of_file(tasks) if tasks else prepare_suite(suite))
        return
    if tasks is not None:
        raise HomebodyError("--tasks goes with a suite", "homebody list SUITE --tasks FILE")
    from homebody.cli.listing import describe_suites

    for name, lines in describe_suites():
        say(name)
        _say_indented(lines)


def _say_indented(lines: Sequence[str]) -> None:
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
    task: Annotated[
        str | None,
        Argument(help="A task's id, or how no other task's begins", metavar="[TASK]"),
    ] = None,
    every: Annotated[bool, Option("--all", help="All tasks, as JSON lines")] = False,
    out: Annotated[
        Path | None, Option("--out", "-o", help="With --all: the .jsonl file to write")
    ] = None,
    limit: Annotated[int | None, Option(min=1, help="With --all: first tasks only")] = None,
    only: Annotated[
        list[str] | None,
        Option("--task", metavar="ID", help="With --all: only this task; repeatable"),
    ] = None,
    tasks: OwnTasks = None,
    setting: Settings = None,
    driver: DriverName = None,
) -> None:
    """Print what a model is asked of a task, or of all.

    If tasks are played, it is what is asked first.
    """
    from homebody.evals.options import Options
    from homebody.evals.prompts import check_prompts, first_questions, prompt_lines, write_prompts
    from homebody.evals.samples import Setup
    from homebody.suites import get_suite

    if every == (task is not None):
        raise HomebodyError("show takes a task or --all", f"see: homebody list {suite}")
    if task is not None and (out is not None or limit is not None or only):
        raise HomebodyError("--out, --limit and --task go with --all")
    if out is not None:
        check_prompts(out)
    chosen = get_suite(suite).of_file(tasks) if tasks else prepare_suite(suite)
    options = Options.of(
        settings=read_pairs(setting, "--set team=single"),
        driver=driver,
        tasks=only if task is None else [task],
    ).validate(chosen, CORRECTED)
    setup = Setup(chosen, options=options)
    if not every:
        for question in first_questions(setup, *setup.task_ids):
            _show_question(question)
        return
    names = setup.task_ids[:limit]
    if out is None:
        for line in prompt_lines(setup, names):
            say_text(line)
        return
    with progress() as report:
        write_prompts(out, setup, names, report)


def _show_question(question: Question) -> None:
    texts = [
        part for message in question.messages for part in (message.text, *_media_lines(message))
    ]
    tools = (f"{t.name}: {t.description} {json.dumps(t.parameters)}" for t in question.tools)
    played = [f"[{question.role}]", *texts, "\n".join(tools)]
    say_text("\n\n".join(played if question.role else texts))


def _media_lines(message: Message) -> Iterator[str]:
    """What stands for the pictures and videos of a message."""
    for image in message.images:
        height, width, _ = image.rgb.shape
        yield f"[picture: {image.name}, {width} x {height}]"
    for video in message.videos:
        yield f"[video: {video.name}, {video.frames} frames]"
