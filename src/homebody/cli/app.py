"""The application object, and the code that commands share: options, completion, progress and
tables.

Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import click

from homebody.cli.command import OUTPUT, PLAY, PROMPT, TASKS, Argument, Group, Option
from homebody.cli.printing import is_terminal, note, remark, say_text
from homebody.core import CORRECTED, STRICT, HomebodyError
from homebody.core.ground.escaping import escape

if TYPE_CHECKING:
    from homebody.core import Progress, Protocol, SampleError, Suite
    from homebody.results.outputs import Output
    from homebody.results.rows import Row
    from homebody.results.table import Format

T = TypeVar("T")
LINE_INTERVAL: Final = 30.0
"""Seconds between two lines of progress if standard error is not a terminal."""
app = Group(
    "homebody",
    help="Evaluate embodied decision making in homes.",
    context_settings={"help_option_names": ["-h", "--help"]},
    modules={
        "compare": "homebody.cli.compare",
        "check": "homebody.cli.check",
        "new-suite": "homebody.cli.new_suite",
        "list": "homebody.cli.look",
        "show": "homebody.cli.look",
        "play": "homebody.cli.play",
        "report": "homebody.cli.report",
        "results": "homebody.cli.results",
        "run": "homebody.cli.run",
        "submit": "homebody.cli.submit",
        "score": "homebody.cli.score",
        "serve": "homebody.cli.serve",
        "view": "homebody.cli.view",
        "analyse": "homebody.cli.analyse",
        "data": "homebody.cli.data",
        "house": "homebody.cli.house homebody.cli.house_exchange homebody.cli.house_pictures",
        "embodiedeval": "homebody.cli.embodiedeval",
        "etplan": "homebody.cli.etplan",
        "partnr": "homebody.cli.partnr",
        "study": "homebody.cli.study",
        "completion": "homebody.cli.completion",
        "docs": "homebody.cli.docs",
    },
)


def complete_suites(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[str]:
    """Return the names of suites that a shell completes."""
    from homebody.suites import list_suites

    return [name for name in list_suites() if name.startswith(beginning)]


def _chosen_suites(context: click.Context) -> Sequence[Suite[Any]]:
    """Return the suites on the command line before the word to complete."""
    from homebody.suites import get_suite, list_members

    # click leaves arguments unparsed where an option still lacks its value
    name = context.params.get("suite") or next(iter(context.args), None)
    try:
        return () if name is None else list_members(name) or (get_suite(name),)
    except HomebodyError:
        return ()


def complete_agents(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[str]:
    """Return the agents of the suite on the command line."""
    agents = dict.fromkeys(name for suite in _chosen_suites(context) for name in suite.agents)
    return [name for name in agents if name.startswith(beginning)]


def complete_protocols(
    context: click.Context, parameter: click.Parameter, beginning: str
) -> list[str]:
    """Return the protocols of the suite on the command line; without a suite, the usual
    protocols."""
    suites = _chosen_suites(context)
    known = dict.fromkeys(name for suite in suites for name in suite.scoring.protocols)
    names = known or ("corrected", "published", "strict")
    return [name for name in names if name.startswith(beginning)]


def complete_words(
    *words: str,
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return a function that always offers a shell the same words."""
    return lambda context, parameter, beginning: [w for w in words if w.startswith(beginning)]


SuiteName = Annotated[
    str,
    Argument(
        help="The suite; homebody list names them.", metavar="SUITE", complete=complete_suites
    ),
]
ProtocolName = Annotated[
    str,
    Option(
        "-p",
        metavar="NAME",
        panel=TASKS,
        complete=complete_protocols,
        help="corrected: by the paper's definitions; published: like the published evaluator;"
        " strict: also reject outputs in the wrong format.",
    ),
]
Strict = Annotated[bool, Option(panel=TASKS, help="Short for --protocol strict.")]
OutFolder = Annotated[
    Path | None,
    Option("-o", metavar="DIR", panel=OUTPUT, help="Also write the results to DIR/<model>/."),
]
FormatName = Annotated[
    str,
    Option(
        "--format",
        "-f",
        metavar="FORMAT",
        panel=OUTPUT,
        complete=complete_words("table", "json", "csv", "markdown"),
        help="Print as table, json, csv or markdown.",
    ),
]
TextOrJson = Annotated[
    str,
    Option(
        "--format",
        "-f",
        metavar="FORMAT",
        panel=OUTPUT,
        complete=complete_words("text", "json"),
        help="Print as text or json.",
    ),
]
WithReference = Annotated[bool, Option(panel=OUTPUT, help="Also show the paper's results.")]
Bounds = Annotated[
    list[str] | None,
    Option(
        metavar="NAME=N",
        panel=TASKS,
        help="Limit the work for one output; homebody list names the limits. Repeatable.",
    ),
]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="NAME=VALUE",
        panel=TASKS,
        help="Change a setting of the tasks; homebody list names them. Repeatable.",
    ),
]
OwnTasks = Annotated[
    Path | None,
    Option(metavar="FILE", panel=TASKS, help="Use the tasks of this file instead of the suite's."),
]
EngineName = Annotated[
    str,
    Option(
        metavar="ENGINE",
        complete=complete_words("pool", "ray", "serial"),
        help="Run in processes of this machine (pool), on Ray (ray) or in this process (serial).",
    ),
]
Workers = Annotated[
    int | None, Option(help="Number of processes. All cores if omitted.", min=1, max=1024)
]
DriverName = Annotated[
    str | None,
    Option(
        metavar="NAME",
        panel=PROMPT,
        complete=complete_words("react", "tools", "options"),
        help="Query format for a model that plays: react, tools or options.",
    ),
]
RandomSeed = Annotated[int, Option(help="Seed of everything random.")]
Host = Annotated[str, Option(metavar="ADDRESS", help="Address to listen on.")]
Port = Annotated[int, Option(help="Port to listen on.")]
AllowedHosts = Annotated[
    list[str] | None,
    Option(
        "--allow-host", metavar="NAME", help="Accept requests to this host name, too. Repeatable."
    ),
]
Pace = Annotated[
    float, Option(min=0.1, panel=PLAY, help="World seconds that pass per second of thinking.")
]


class Interrupted(Exception):
    """Raised on Ctrl-C with the message to show."""


def prepare_suite(name: str | Suite[Any], *, scoring: bool = False) -> Suite[Any]:
    """Return a suite with its data fetched; with ``scoring``, check all that scoring needs."""
    from homebody.suites import get_suite

    suite = get_suite(name)
    if scoring:
        suite.scoring.require()
    with progress(suite.name) as report:
        suite.tasks.prepare(report)
    return suite


@contextlib.contextmanager
def progress(subject: str = "") -> Iterator[Progress]:
    """Show long work on standard error.

    On a terminal this is a bar with count, rate and time left. Elsewhere a line is printed at
    most every :data:`LINE_INTERVAL` seconds.

    Args:
        subject: Shown before each activity, such as the name of the suite.
    """
    bars: Any = None
    tasks: dict[str, Any] = {}
    first: dict[str, tuple[float, int]] = {}
    printed_at = time.monotonic()

    def report(activity: str, done: int, total: int) -> None:
        nonlocal bars, printed_at
        now = time.monotonic()
        began_at, done_before = first.setdefault(activity, (now, done))
        pace = describe_pace(done, total, done - done_before, now - began_at)
        name = escape(f"{subject}: {activity}" if subject else activity, 60)
        if not is_terminal():
            if now - printed_at >= LINE_INTERVAL:
                printed_at = now
                remark(f"{name}: {pace}" if pace else name)
            return
        if bars is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            bars = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=20),
                TextColumn("{task.fields[pace]}", markup=False),
                console=Console(stderr=True),
                transient=True,
            )
            bars.start()
        if activity not in tasks:
            tasks[activity] = bars.add_task(name, total=total or None, pace=pace)
        bars.update(tasks[activity], completed=done, total=total or None, pace=pace)

    try:
        yield report
    finally:
        if bars is not None:
            bars.stop()


def describe_pace(done: int, total: int, recent: int, seconds: float) -> str:
    """Return count, rate and time left: ``12 of 50, 2.0/s, 0:00:19 left``.

    Args:
        done: Steps done.
        total: Steps in all; 0 if unknown.
        recent: Steps done in the last ``seconds``.
        seconds: How long these took.
    """
    parts = [f"{done:,} of {total:,}" if total else f"{done:,}"] if total or done else []
    rate = recent / seconds if seconds > 0 else 0.0
    if rate > 0:
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
        if total:
            parts.append(f"{timedelta(seconds=round((total - done) / rate))} left")
    return ", ".join(parts)


def check_format(name: str, *known: str) -> None:
    """Raise HomebodyError if a format is unknown."""
    if name not in known:
        raise HomebodyError(f"unknown format: {name!r}", f"choose one of: {', '.join(known)}")


def resolve_protocol(protocol: str, strict: bool) -> str:
    """Return the protocol's name. Raises HomebodyError if ``--strict`` contradicts it."""
    if strict and protocol not in (CORRECTED.name, STRICT.name):
        raise HomebodyError(
            f"--strict means --protocol {STRICT.name}, which contradicts {protocol!r}",
            "give only one of them",
        )
    return STRICT.name if strict else protocol


def read_bounds(written: Sequence[str] | None) -> dict[str, float]:
    """Read ``["nodes=20000"]`` as numbers by name. Raises HomebodyError if it is malformed."""
    bounds = {}
    for text in written or ():
        name, _, number = text.partition("=")
        try:
            bounds[name.strip()] = float(number)
        except ValueError:
            raise HomebodyError(
                f"{text!r} is not NAME=N", "for example: --bound nodes=20000"
            ) from None
    return bounds


def read_pairs(written: Sequence[str] | None, example: str) -> dict[str, str]:
    """Read ``["team=single"]`` as values by name. Raises HomebodyError if it is malformed."""
    pairs = {}
    for text in written or ():
        name, mark, value = text.partition("=")
        if not mark or not name.strip() or not value.strip():
            raise HomebodyError(f"{text!r} is not NAME=VALUE", f"for example: {example}")
        pairs[name.strip()] = value.strip()
    return pairs


def make_out_folder(out: Path | None) -> None:
    """Make the folder of results before any work. Raises HomebodyError if it cannot be made."""
    if out is None:
        return
    from homebody.core.ground.files import make_folder

    make_folder(out)


def find_output_files(path: Path, suite: str) -> dict[str, Path]:
    """Find the files of outputs, by model. Print a note if the results beside a file belong to
    other outputs.

    Raises:
        HomebodyError: No outputs were found.
    """
    from homebody.results.outputs import find_outputs, results_folder
    from homebody.results.prompt_versions import prompt_versions_note
    from homebody.results.record import is_mismatched, read_record

    files = find_outputs(path, suite)
    runs = []
    for name, file in files.items():
        if is_mismatched(file, results_folder(file)):
            note(f"the results in {results_folder(file)} were not computed from {file}")
        with contextlib.suppress(HomebodyError):  # outputs may have no run.json
            runs.append((name, read_record(results_folder(file)).run))
    if text := prompt_versions_note(runs):
        note(text)
    return files


def read_suite_outputs(file: Path, suite: str) -> list[Output | SampleError]:
    """Read a file of outputs.

    Raises:
        HomebodyError: It cannot be read or is empty, or a run wrote it for another suite.
    """
    from homebody.results.outputs import read_outputs, results_folder
    from homebody.results.record import check_suite

    outputs = read_outputs(file)
    if not outputs:
        raise HomebodyError(f"{file} has no outputs")
    check_suite(file, results_folder(file), suite)
    return outputs


def judge_each(
    files: Mapping[str, Path], judge: Callable[[Path], T], refused: list[HomebodyError]
) -> Iterator[tuple[str, T]]:
    """Judge each file and yield the result by model.

    A file that cannot be read does not stop the others: its error is noted and appended to
    ``refused``.

    Raises:
        HomebodyError: No file could be judged.
    """
    for name, file in files.items():
        try:
            judged = judge(file)
        except HomebodyError as error:
            refused.append(error)
        else:
            yield name, judged
    all_failed = len(refused) == len(files)
    for problem in refused[all_failed:]:
        note(problem.advice)
    if all_failed:
        raise refused[0]


def note_unscored(errors: Mapping[str, Sequence[SampleError]]) -> bool:
    """Print a note for each model that has outputs without a score, with the reasons. Return
    whether there is such a model."""
    from homebody.results.rows import failed_note

    for name, unscored in errors.items():
        if unscored:
            note(f"{name}: {failed_note(unscored)}")
    return any(errors.values())


def read_format(name: str) -> Format:
    """Return the format of that name. Raises HomebodyError if it does not exist."""
    from homebody.results.table import Format

    check_format(name, *Format)
    return Format(name)


def print_rows(
    rows: Sequence[Row],
    suite: Suite[Any],
    protocol: Protocol,
    form: Format,
    *,
    reference: bool = False,
) -> None:
    """Print a row for each model, and notes on excluded tasks.

    With ``reference``, the rows include the published models.
    """
    from homebody.results.table import Format, render
    from homebody.results.terminal import print_table

    shown_rows = add_published(rows, suite, protocol) if reference else rows
    if form is Format.TABLE:
        print_table(shown_rows, suite, protocol)
    else:
        say_text(render(shown_rows, suite, protocol, form))
    for text, of in _excluded_notes(rows, protocol).items():
        note(text if len(of) == len(rows) else f"{', '.join(of)}: {text}")


def _excluded_notes(rows: Sequence[Row], protocol: Protocol) -> dict[str, list[str]]:
    """Return a mapping from notes on excluded tasks to the rows that they are about."""
    from homebody.results.rows import excluded_note

    notes: dict[str, list[str]] = {}
    for row in rows:
        if text := excluded_note(row, protocol):
            notes.setdefault(text, []).append(row.name)
    return notes


def add_published(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol) -> Sequence[Row]:
    """Return the rows and the rows that the suite's paper reports, ranked together."""
    from homebody.results.reference import among, paper_of

    ranked = among(rows, suite)
    paper = paper_of(suite.name)
    if len(ranked) == len(rows):
        note(f"there are no published figures for {suite.name}")
    elif paper is not None and paper.note:
        note(paper.note)
    elif protocol.name != "published":
        note(
            "the published figures come from the published evaluator; use --protocol published to"
            " compare with them"
        )
    return ranked
