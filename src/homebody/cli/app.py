"""What the commands share: the application, options, progress and tables.

Everything heavy is imported by the command that needs it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from homebody.cli.command import Argument, Group, Option
from homebody.cli.printing import note, say_text
from homebody.core import CORRECTED, STRICT, HomebodyError
from homebody.core.ground.escaping import escape

if TYPE_CHECKING:
    from homebody.core import Progress, Protocol, SampleError, Suite
    from homebody.results.outputs import Output
    from homebody.results.rows import Row
    from homebody.results.table import Format

T = TypeVar("T")
app = Group(
    "homebody",
    help="Evaluate embodied decision making in homes.",
    context_settings={"help_option_names": ["-h", "--help"]},
    modules={
        name: " ".join(f"homebody.cli.{module}" for module in modules.split())
        for name, modules in {
            "compare": "compare",
            "check": "check",
            "new-suite": "new_suite",
            "list": "look",
            "show": "look",
            "play": "play",
            "report": "report",
            "results": "results",
            "run": "run",
            "submit": "submit",
            "score": "score",
            "serve": "serve",
            "view": "view",
            "analyse": "analyse",
            "data": "data",
            "house": "house house_exchange house_pictures",
            "embodiedeval": "embodiedeval",
            "etplan": "etplan",
            "partnr": "partnr",
            "study": "study",
        }.items()
    },
)

SuiteName = Annotated[str, Argument(help="A suite, see: homebody list", metavar="SUITE")]
ProtocolName = Annotated[
    str,
    Option("--protocol", "-p", help="corrected (as the paper defines), published or strict"),
]
Strict = Annotated[
    bool,
    Option("--strict", help="An answer off format is an error: --protocol strict"),
]
OutFolder = Annotated[
    Path | None,
    Option("--out", "-o", help="Also write DIR/<model>/summary.json and samples.jsonl"),
]
FormatName = Annotated[str, Option("--format", "-f", help="table, json, csv or markdown")]
WithReference = Annotated[
    bool, Option("--reference", help="Also show the models that the paper reports")
]
Bounds = Annotated[
    list[str] | None,
    Option(
        "--bound",
        metavar="NAME=N",
        help="Bound of the work for one output; see: homebody list; repeatable",
    ),
]
Settings = Annotated[
    list[str] | None,
    Option(
        "--set",
        metavar="NAME=VALUE",
        help="How tasks are set; see: homebody list; repeatable",
    ),
]
OwnTasks = Annotated[
    Path | None,
    Option(
        "--tasks", metavar="FILE", help="Tasks of a file that you made, in place of the suite's"
    ),
]
EngineName = Annotated[
    str, Option(help="pool (processes of this machine), ray or serial", metavar="ENGINE")
]
Workers = Annotated[
    int | None, Option(help="Processes; as many as cores if left out", min=1, max=1024)
]
DriverName = Annotated[
    str | None,
    Option("--driver", help="How models are asked that play: react, tools or options"),
]


class Interrupted(Exception):
    """Ctrl-C, with what to say of it; Typer says nothing."""


def prepared(name: str | Suite[Any], *, scoring: bool = False) -> Suite[Any]:
    """A suite whose data is here, and for ``scoring`` all else that it needs."""
    from homebody.suites import get_suite

    suite = get_suite(name)
    if scoring:
        suite.scoring.require()
    with progress() as report:
        suite.tasks.prepare(report)
    return suite


@contextlib.contextmanager
def progress() -> Iterator[Progress]:
    """Shows long work on standard error; nothing for work that is done at once."""
    bar: Any = None
    tasks: dict[str, Any] = {}

    def report(what: str, done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            words = TextColumn("{task.description}", markup=False)
            columns = (words, BarColumn(), TimeElapsedColumn())
            console = Console(stderr=True)
            bar = Progress(
                *columns, console=console, transient=True, disable=not console.is_terminal
            )
            bar.start()
        if what not in tasks:
            tasks[what] = bar.add_task(escape(what, 60), total=total or None)
        bar.update(tasks[what], completed=done, total=total or None)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()


def protocol_name(protocol: str, strict: bool) -> str:
    """The protocol that is meant. Raises HomebodyError if ``--strict`` is said of another."""
    if strict and protocol not in (CORRECTED.name, STRICT.name):
        raise HomebodyError(
            f"--strict is --protocol {STRICT.name}, and so not {protocol!r}", "give one of them"
        )
    return STRICT.name if strict else protocol


def bounds_of(written: Sequence[str] | None) -> dict[str, float]:
    """``["nodes=20000"]`` as numbers by name. Raises HomebodyError if it is none."""
    bounds = {}
    for text in written or ():
        name, _, number = text.partition("=")
        try:
            bounds[name.strip()] = float(number)
        except ValueError:
            raise HomebodyError(
                f"{text!r} is no bound", "for example: --bound nodes=20000"
            ) from None
    return bounds


def pairs_of(written: Sequence[str] | None, example: str) -> dict[str, str]:
    """``["team=single"]`` as values by name. Raises HomebodyError if it is none."""
    pairs = {}
    for text in written or ():
        name, mark, value = text.partition("=")
        if not mark or not name.strip() or not value.strip():
            raise HomebodyError(f"{text!r} is no NAME=VALUE", f"for example: {example}")
        pairs[name.strip()] = value.strip()
    return pairs


def writable(out: Path | None) -> None:
    """Make the folder of results, before anything is asked or scored.

    Raises:
        HomebodyError: it cannot be written.
    """
    if out is None:
        return
    from homebody.core.ground.files import make_folder

    make_folder(out)


def outputs_at(path: Path, suite: str) -> dict[str, Path]:
    """The files of outputs that are meant, by model; says so if results beside one are of others.

    Raises:
        HomebodyError: there are none.
    """
    from homebody.results.outputs import find_outputs, results_of
    from homebody.results.record import are_others

    files = find_outputs(path, suite)
    for file in files.values():
        if are_others(file, results_of(file)):
            note(f"the results in {results_of(file)} are of other outputs than {file}")
    return files


def outputs_in(file: Path, suite: str) -> list[Output | SampleError]:
    """What a file holds.

    Raises:
        HomebodyError: it cannot be read or is empty, or a run wrote it for another suite.
    """
    from homebody.results.outputs import read_outputs, results_of
    from homebody.results.record import check_suite

    outputs = read_outputs(file)
    if not outputs:
        raise HomebodyError(f"{file} holds no outputs")
    check_suite(file, results_of(file), suite)
    return outputs


def of_each(
    files: Mapping[str, Path], judge: Callable[[Path], T], refused: list[HomebodyError]
) -> Iterator[tuple[str, T]]:
    """What comes of each file, by model. One that is none costs the others nothing: it is told,
    and its error is added to those ``refused``.

    Raises:
        HomebodyError: nothing came of any.
    """
    for name, file in files.items():
        try:
            judged = judge(file)
        except HomebodyError as error:
            refused.append(error)
        else:
            yield name, judged
    nothing = len(refused) == len(files)
    for told in refused[nothing:]:
        note(told.advice)
    if nothing:
        raise refused[0]


def tell_unscored(errors: Mapping[str, Sequence[SampleError]]) -> bool:
    """Say which models have outputs without a score, and why; whether one has."""
    from homebody.results.rows import failed_note

    for name, unscored in errors.items():
        if unscored:
            note(f"{name}: {failed_note(unscored)}")
    return any(errors.values())


def output_format(name: str) -> Format:
    """The format of that name.

    Raises:
        HomebodyError: there is no such format.
    """
    from homebody.results.table import Format

    if name not in list(Format):
        raise HomebodyError(f"there is no format {name!r}", f"choose one of: {', '.join(Format)}")
    return Format(name)


def print_rows(
    rows: Sequence[Row],
    suite: Suite[Any],
    protocol: Protocol,
    form: Format,
    *,
    reference: bool = False,
) -> None:
    """Print models' numbers, with ``reference`` among the published ones, and say which tasks are
    in none."""
    from homebody.results.table import Format, render
    from homebody.results.terminal import print_table

    shown_rows = with_published(rows, suite, protocol) if reference else rows
    if form is Format.TABLE:
        print_table(shown_rows, suite, protocol)
    else:
        say_text(render(shown_rows, suite, protocol, form))
    for text, of in _left_out(rows, protocol).items():
        note(text if len(of) == len(rows) else f"{', '.join(of)}: {text}")


def _left_out(rows: Sequence[Row], protocol: Protocol) -> dict[str, list[str]]:
    """What is to be said of tasks that are in no number -> of which rows."""
    from homebody.results.rows import left_out_note

    notes: dict[str, list[str]] = {}
    for row in rows:
        if text := left_out_note(row, protocol):
            notes.setdefault(text, []).append(row.name)
    return notes


def with_published(rows: Sequence[Row], suite: Suite[Any], protocol: Protocol) -> Sequence[Row]:
    """Rows among those of the paper that has figures about a suite, ranked."""
    from homebody.results.reference import among, paper_of

    ranked = among(rows, suite)
    paper = paper_of(suite.name)
    if len(ranked) == len(rows):
        note(f"there are no published figures for {suite.name}")
    elif paper is not None and paper.note:
        note(paper.note)
    elif protocol.name != "published":
        note(
            "the published figures were made with the published evaluator;"
            " --protocol published compares like with like"
        )
    return ranked
