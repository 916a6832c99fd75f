"""`homebody report`: runs as one page that can be kept and sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import app, progress, read_pairs
from homebody.cli.command import Argument, Option
from homebody.cli.printing import note, remark
from homebody.cli.viewed import Viewed
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from homebody.core import Suite

Runs = Annotated[
    list[Path] | None,
    Argument(
        help="What --out named of run or score, a folder in it or of several such folders; or logs"
        " (*.eval; of agents, *.jsonl)",
        metavar="RUN...",
    ),
]
LogDir = Annotated[
    Path,
    Option(
        "--log-dir",
        envvar="INSPECT_LOG_DIR",
        help="Logs of these runs, which have what was asked and said",
    ),
]
OwnTasksOf = Annotated[
    list[str] | None,
    Option("--tasks", metavar="SUITE=FILE", help="The tasks that a suite was given; repeatable"),
]
Replays = Annotated[
    int,
    Option(
        "--replays",
        min=0,
        help="Of each run that was played, samples to play again step by step, in pictures where a"
        " suite has some (in a file or folder; live, all are)",
    ),
]
Published = Annotated[
    bool,
    Option("--published", help="Also tables of papers on suites of which there is no run"),
]


def read_suites(tasks: Sequence[str] | None) -> dict[str, Suite[Any]]:
    """The suites that have the tasks of files. Raises HomebodyError if there is no such suite, or
    a file is none."""
    from homebody.suites import get_suite

    files = read_pairs(tasks, "--tasks embodiedeval.test=own.jsonl")
    return {name: get_suite(name).of_file(Path(file)) for name, file in files.items()}


@app.command("report")
def report_command(
    runs: Runs = None,
    out: Annotated[Path, Option("--out", "-o", help="The page", metavar="FILE")] = Path(
        "report.html"
    ),
    samples: Annotated[
        int,
        Option(
            "--samples",
            min=0,
            help="Of each run, that are shown with all details: those that failed first",
        ),
    ] = 100,
    task: Annotated[
        list[str] | None,
        Option("--task", metavar="ID", help="Details of this task's samples; repeatable"),
    ] = None,
    replays: Replays = 3,
    log_dir: LogDir = Path("logs"),
    tasks: OwnTasksOf = None,
    published: Published = False,
    title: Annotated[str, Option("--title", help="What the page is called")] = "",
) -> None:
    """Make one HTML file of runs.

    It has their tables, errors, difficulty, abilities and samples, and needs no
    network and no other file.
    """
    from homebody.core.ground.files import make_folder, write_whole
    from homebody.results.viewing.documents import Documents
    from homebody.results.viewing.page import whole_page

    found, wrong = Viewed(runs or [Path()], log_dir, read_suites(tasks)).read()
    for error in wrong:
        note(error.advice)
    if not found:
        raise HomebodyError("there is no run that can be shown")
    make_folder(out.absolute().parent)
    documents = Documents(tuple(found), title, papers=published)
    chosen = list(documents.select_samples(samples, task or ()))
    if task and not chosen:
        raise HomebodyError(f"there is no sample of {', '.join(task)[:200]}")
    with progress() as told:

        def report_each() -> Iterator[list[tuple[str, Any]]]:
            for number, each in enumerate(documents.details(chosen, replays), 1):
                yield each
                told("writing samples", number, len(chosen))

        page = whole_page(documents.all_of_runs(), report_each(), title)
    write_whole(out, page)
    of = sum(len(run.records) for run in found)
    remark(
        f"{out}: {len(found)} runs, {of} samples, {len(chosen)} of them in detail,"
        f" {len(page) / 1e6:.1f} MB"
    )
