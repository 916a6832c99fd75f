"""`homebody report`: one HTML file about runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import app, progress, read_pairs
from homebody.cli.command import OUTPUT, TASKS, Argument, Option
from homebody.cli.printing import note, remark
from homebody.cli.viewed import Viewed
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from homebody.core import Suite

Runs = Annotated[
    list[Path] | None,
    Argument(
        help="Folders of results (as given to --out), folders that contain them, or logs (*.eval;"
        " *.jsonl for agents).",
        metavar="RUN...",
    ),
]
LogDir = Annotated[
    Path,
    Option(
        metavar="DIR",
        envvar="INSPECT_LOG_DIR",
        panel=TASKS,
        help="Folder with the logs of these runs, which contain the conversations.",
    ),
]
OwnTasksOf = Annotated[
    list[str] | None,
    Option(
        metavar="SUITE=FILE",
        panel=TASKS,
        help="Use the tasks of this file for a suite. Repeatable.",
    ),
]
Replays = Annotated[
    int,
    Option(
        min=0,
        panel=OUTPUT,
        help="Samples per run to replay step by step in a file or folder;"
        " homebody view without --static replays all.",
    ),
]
Published = Annotated[
    bool, Option(panel=OUTPUT, help="Also show the papers' results for suites without a run.")
]


def read_suites(tasks: Sequence[str] | None) -> dict[str, Suite[Any]]:
    """Return suites by name, each with the tasks of its file.

    Raises:
        HomebodyError: There is no such suite, or a file cannot be read.
    """
    from homebody.suites import get_suite

    files = read_pairs(tasks, "--tasks embodiedeval.test=own.jsonl")
    return {name: get_suite(name).of_file(Path(file)) for name, file in files.items()}


@app.command("report")
def report_command(
    runs: Runs = None,
    out: Annotated[
        Path, Option("-o", metavar="FILE", panel=OUTPUT, help="The HTML file to write.")
    ] = Path("report.html"),
    samples: Annotated[
        int, Option(min=0, panel=OUTPUT, help="Samples per run to show in detail, failures first.")
    ] = 100,
    task: Annotated[
        list[str] | None,
        Option(
            metavar="ID", panel=OUTPUT, help="Show only this task's samples in detail. Repeatable."
        ),
    ] = None,
    replays: Replays = 3,
    log_dir: LogDir = Path("logs"),
    tasks: OwnTasksOf = None,
    published: Published = False,
    title: Annotated[str, Option(panel=OUTPUT, help="Title of the page.")] = "",
) -> None:
    """Write one HTML file about runs.

    It has tables, errors, difficulty, abilities and samples, and needs no network.
    """
    from homebody.core.ground.files import make_folder, write_whole
    from homebody.results.viewing.documents import Documents
    from homebody.results.viewing.page import whole_page

    found, wrong = Viewed(runs or [Path()], log_dir, read_suites(tasks)).read()
    for error in wrong:
        note(error.advice)
    if not found:
        raise HomebodyError("none of these runs can be shown")
    make_folder(out.absolute().parent)
    documents = Documents(tuple(found), title, papers=published)
    chosen = list(documents.select_samples(samples, task or ()))
    if task and not chosen:
        raise HomebodyError(f"these runs have no sample of {', '.join(task)[:200]}")
    with progress() as report:

        def report_each() -> Iterator[list[tuple[str, Any]]]:
            for number, each in enumerate(documents.details(chosen, replays), 1):
                yield each
                report("writing samples", number, len(chosen))

        page = whole_page(documents.all_of_runs(), report_each(), title)
    write_whole(out, page)
    of = sum(len(run.records) for run in found)
    remark(
        f"{out}: {len(found)} runs, {of} samples, {len(chosen)} of them in detail,"
        f" {len(page) / 1e6:.1f} MB"
    )
