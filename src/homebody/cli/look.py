"""`homebody list` and `homebody show`: suites, their tasks and their prompts."""

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
    TextOrJson,
    app,
    check_format,
    complete_suites,
    prepare_suite,
    progress,
    read_pairs,
)
from homebody.cli.command import OUTPUT, TASKS, Argument, Option
from homebody.cli.printing import say, say_text
from homebody.core import CORRECTED, HomebodyError
from homebody.core.ground.escaping import escape_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from homebody.core import Question, Suite
    from homebody.core.play.conversation import Message

_INDENT = "    "


@app.command("list")
def list_command(
    suite: Annotated[
        str | None,
        Argument(help="A suite, to list its tasks.", metavar="[SUITE]", complete=complete_suites),
    ] = None,
    tasks: OwnTasks = None,
    form: TextOrJson = "text",
) -> None:
    """List suites and their agents, or the tasks of a suite."""
    check_format(form, "text", "json")
    if suite is not None:
        from homebody.suites import get_suite

        chosen = get_suite(suite).of_file(tasks) if tasks else prepare_suite(suite)
        _list_tasks(chosen, form)
        return
    if tasks is not None:
        raise HomebodyError("--tasks was given without a suite", "homebody list SUITE --tasks FILE")
    from homebody.cli.listing import describe_suites, description_lines

    if form == "json":
        say_text(escape_json([record for _, record in describe_suites()]))
        return
    for name, record in describe_suites():
        say(name)
        _say_indented(description_lines(record))


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


def _list_tasks(suite: Suite[Any], form: str) -> None:
    tasks = suite.tasks.load(CORRECTED)
    pairs = [(suite.tasks.identify(task), suite.tasks.describe(task)) for task in tasks]
    if form == "json":
        say_text(escape_json([{"id": name, "description": text} for name, text in pairs]))
        return
    width = max((len(name) for name, _ in pairs), default=0)
    for name, text in pairs:
        say(f"{name:<{width}}  {text}")


@app.command()
def show(
    suite: SuiteName,
    task: Annotated[
        str | None, Argument(help="Id of a task, or a unique prefix of it.", metavar="[TASK]")
    ] = None,
    every: Annotated[
        bool, Option("--all", panel=TASKS, help="Show all tasks, as JSON lines.")
    ] = False,
    out: Annotated[
        Path | None, Option("-o", metavar="FILE", panel=OUTPUT, help="With --all: write this file.")
    ] = None,
    limit: Annotated[
        int | None, Option(min=1, panel=TASKS, help="With --all: only the first tasks.")
    ] = None,
    only: Annotated[
        list[str] | None,
        Option("--task", metavar="ID", panel=TASKS, help="With --all: only this task. Repeatable."),
    ] = None,
    tasks: OwnTasks = None,
    setting: Settings = None,
    driver: DriverName = None,
    solution: Annotated[
        bool, Option("--solution", panel=OUTPUT, help="Print goal, plan and map instead.")
    ] = False,
    form: TextOrJson = "text",
) -> None:
    """Print the prompt of a task, or of all tasks.

    For a task with several steps, the prompt is the first query to the model.
    """
    from homebody.evals.options import Options
    from homebody.evals.prompts import check_prompts, first_questions, prompt_lines, write_prompts
    from homebody.evals.samples import Setup
    from homebody.suites import get_suite

    check_format(form, "text", "json")
    if every == (task is not None):
        raise HomebodyError("show takes a task or --all", f"see: homebody list {suite}")
    if task is not None and (out is not None or limit is not None or only):
        raise HomebodyError("--out, --limit and --task are possible only with --all")
    if solution and (task is None or setting or driver):
        raise HomebodyError("--solution takes a task, and no settings or driver")
    if out is not None:
        check_prompts(out)
    chosen = get_suite(suite).of_file(tasks) if tasks else prepare_suite(suite)
    if solution and task is not None:
        from homebody.cli.solution import solution_of

        parts = solution_of(chosen, chosen.task(task))
        if form == "json":
            say_text(escape_json(dict(parts)))
        else:
            say_text("\n\n".join(f"{heading}\n\n{text}" for heading, text in parts.items()))
        return
    options = Options.of(
        settings=read_pairs(setting, "--set team=single"),
        driver=driver,
        tasks=only if task is None else [task],
    ).validate(chosen, CORRECTED)
    setup = Setup(chosen, options=options)
    if not every and form == "text":
        for question in first_questions(setup, *setup.task_ids):
            _show_question(question)
        return
    names = setup.task_ids[:limit]
    if out is None:
        for line in prompt_lines(setup, names):
            say_text(line)
        return
    with progress(suite) as report:
        write_prompts(out, setup, names, report)


def _show_question(question: Question) -> None:
    texts = [
        part for message in question.messages for part in (message.text, *_media_lines(message))
    ]
    tools = (f"{t.name}: {t.description} {json.dumps(t.parameters)}" for t in question.tools)
    played = [f"[{question.role}]", *texts, "\n".join(tools)]
    say_text("\n\n".join(played if question.role else texts))


def _media_lines(message: Message) -> Iterator[str]:
    """Yield a line for each picture and video of a message."""
    for image in message.images:
        height, width, _ = image.rgb.shape
        yield f"[picture: {image.name}, {width} x {height}]"
    for video in message.videos:
        yield f"[video: {video.name}, {video.frames} frames]"
