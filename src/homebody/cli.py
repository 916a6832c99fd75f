"""The command line. Everything heavy is imported by the command that needs it."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.core import Progress, Protocol, Suite
    from homebody.results.table import Format, Row

app = typer.Typer(
    help="Evaluate embodied decision making in homes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
data_app = typer.Typer(help="Fetch, show and audit the published data.", no_args_is_help=True)
app.add_typer(data_app, name="data")

SuiteName = Annotated[str, typer.Argument(help="A suite, see: homebody list", metavar="SUITE")]
ProtocolName = Annotated[
    str, typer.Option("--protocol", "-p", help="corrected (as the paper defines) or published")
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="Also write DIR/<model>/summary.json and samples.jsonl"),
]
FormatName = Annotated[str, typer.Option("--format", "-f", help="table, json, csv or markdown")]


def main() -> None:
    """Run the command line: a user's mistake is one line and exit code 2."""
    try:
        code = app(standalone_mode=False)  # an int where a command was ended early
        sys.stdout.flush()
    except HomebodyError as error:
        _fail(str(error), error.hint)
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt as error:
        print(f"homebody: {error or 'interrupted'}", file=sys.stderr)
        sys.exit(130)
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
        raise
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, hint: str) -> None:
    one_line = " ".join(message.split())
    print(f"homebody: {one_line}" + (f" ({hint})" if hint else ""), file=sys.stderr)
    sys.exit(2)


def _version(value: bool) -> None:
    if value:
        from homebody import __version__

        print(f"homebody {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command("list")
def list_command(
    suite: Annotated[
        str | None, typer.Argument(help="A suite, to list its tasks", metavar="[SUITE]")
    ] = None,
) -> None:
    """List suites and their agents, or the tasks of a suite."""
    from homebody.suites import SUITES, get_suite

    if suite is None:
        for name in SUITES:
            found = get_suite(name)
            print(f"{name}\n    {found.title}\n    agents: {', '.join(found.agents)}")
        return
    from homebody.core import CORRECTED

    found = _prepared(suite)
    for task in found.load(CORRECTED):
        print(found.describe(task))


@app.command()
def show(suite: SuiteName, task: Annotated[str, typer.Argument(help="A task's id")]) -> None:
    """Print the prompt of a task, as a model gets it."""
    from homebody.core import CORRECTED

    chosen = _prepared(suite)
    for found in chosen.load(CORRECTED):
        if chosen.identify(found) == task:
            print(chosen.prompt(found))
            return
    raise HomebodyError(f"{suite} has no task {task!r}", f"see: homebody list {suite}")


@app.command()
def run(
    suite: SuiteName,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Inspect model, e.g. openai/gpt-4o; repeatable"),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option("--agent", "-a", help="oracle, random or empty; repeatable"),
    ] = None,
    protocol: ProtocolName = "corrected",
    limit: Annotated[
        int | None, typer.Option(min=1, help="First tasks only (they are grouped by kind)")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Times each task is asked")] = 1,
    temperature: Annotated[float, typer.Option(min=0.0, help="Sampling temperature")] = 0.0,
    max_connections: Annotated[int | None, typer.Option(min=1, help="Requests at a time")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random agent")] = 0,
    log_dir: Annotated[Path, typer.Option(help="Where Inspect logs go")] = Path("logs"),
    out: OutFolder = None,
    form: FormatName = "table",
) -> None:
    """Run models or agents on a suite; an interrupted run goes on where it stopped."""
    from homebody.results.outputs import SUFFIX, Output, write_outputs, write_results
    from homebody.results.table import make_row
    from homebody.suites import get_suite

    if not model and not agent:
        raise HomebodyError(
            "nothing to run", "give --model openai/gpt-4o, or --agent oracle for a run without one"
        )
    rules, form_ = get_suite(suite).protocol(protocol), _format(form)
    chosen = _prepared(suite)
    from homebody import evals

    rows: list[Row] = []
    everyone = [*((a, True) for a in agent or ()), *((m, False) for m in model or ())]
    try:
        for name, is_agent in everyone:
            with _progress() as report:
                result = evals.run(
                    suite,
                    model=None if is_agent else name,
                    agent=name if is_agent else None,
                    protocol=protocol,
                    limit=limit,
                    epochs=epochs,
                    temperature=temperature,
                    max_connections=max_connections,
                    seed=seed,
                    log_dir=log_dir,
                    progress=report,
                )
            rows.append(make_row(name, chosen, result.scores))
            if out is not None:
                folder = name.replace("/", "_")
                write_results(out / folder, chosen, result.scores, rules)
                write_outputs(out / f"{folder}{SUFFIX}", itertools.starmap(Output, result.outputs))
    finally:  # what is finished is shown, even if a later model fails
        if rows:
            _print(rows, chosen, rules, form_)
        if rows and len(rows) < len(everyone):
            done = ", ".join(row.name for row in rows)
            print(f"note: finished: {done}; leave out to run only the others", file=sys.stderr)


@app.command()
def score(
    suite: SuiteName,
    path: Annotated[
        Path, typer.Argument(help="<model>_outputs.json, or a folder of them", metavar="PATH")
    ],
    protocol: ProtocolName = "corrected",
    out: OutFolder = None,
    form: FormatName = "table",
) -> None:
    """Score existing outputs, in the published format."""
    from homebody.results.outputs import find_outputs, read_outputs, score_outputs, write_results
    from homebody.results.table import make_row
    from homebody.suites import get_suite

    rules, form_ = get_suite(suite).protocol(protocol), _format(form)
    files = find_outputs(path, suite)
    chosen = _prepared(suite)
    rows = []
    asked = {}
    for name, file in files.items():
        scores = score_outputs(chosen, read_outputs(file), rules)
        asked[name] = len({found.identifier for found in scores})
        rows.append(make_row(name, chosen, scores))
        if out is not None:
            write_results(out / name, chosen, scores, rules)
    _print(rows, chosen, rules, form_)
    every = len(chosen.load(rules))
    for name, count in asked.items():
        if count < every:
            print(f"note: {name} has outputs for {count} of {every} tasks", file=sys.stderr)


@data_app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A data set: eai", metavar="DATASET")],
    wheel: Annotated[Path | None, typer.Option(help="The official wheel, if it is at hand")] = None,
    force: Annotated[bool, typer.Option("--force", help="Build it again")] = False,
) -> None:
    """Download a published data set, check it and store it."""
    eai = _data_set(name)
    with _progress() as report:
        folder = eai.fetch(wheel, force=force, progress=report)
    print(folder)


@data_app.command()
def status() -> None:
    """Say which data is here."""
    from homebody.data import eai
    from homebody.data.cache import cache_dir, read_manifest

    print(f"data directory: {cache_dir()}")
    if eai.is_ready():
        size = sum(file.stat().st_size for file in eai.folder().iterdir())
        manifest = read_manifest(eai.folder()) or {}
        tasks = manifest.get("tasks")
        print(f"eai: ready, {tasks} VirtualHome tasks, {size / 1e6:.1f} MB ({eai.REQUIREMENT})")
    else:
        print("eai: not here, or not whole (homebody data fetch eai)")


@data_app.command()
def audit(
    name: Annotated[str, typer.Argument(help="A data set: eai", metavar="DATASET")],
    form: FormatName = "table",
) -> None:
    """List the tasks whose own ground truth does not do what it should."""
    _data_set(name)
    form_ = _format(form)
    from homebody.results.table import render_records
    from homebody.suites.eai.audit import audit as find

    with _progress() as report:
        _data_set(name).fetch(progress=report)
    print(render_records([asdict(finding) for finding in find()], form_))


def _data_set(name: str) -> ModuleType:
    from homebody.data import eai

    if name != "eai":
        raise HomebodyError(f"there is no data set {name!r}", "choose: eai")
    return eai


def _prepared(name: str) -> Suite[Any]:
    """A suite whose data is here."""
    from homebody.suites import get_suite

    suite = get_suite(name)
    with _progress() as report:
        suite.prepare(report)
    return suite


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """Shows long work on standard error; nothing for work that is done at once."""
    bar: Any = None
    tasks: dict[str, Any] = {}

    def report(what: str, done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            console = Console(stderr=True)
            bar = Progress(
                *columns, console=console, transient=True, disable=not console.is_terminal
            )
            bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(what, total=total or None)
        bar.update(tasks[what], completed=done, total=total or None)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()


def _format(name: str) -> Format:
    from homebody.results.table import Format

    if name not in list(Format):
        raise HomebodyError(f"there is no format {name!r}", f"choose one of: {', '.join(Format)}")
    return Format(name)


def _print(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol, form: Format) -> None:
    from homebody.results.table import Format, print_table, render

    if form is Format.TABLE:
        print_table(rows, suite, protocol)
    else:
        print(render(rows, suite, protocol, form))
