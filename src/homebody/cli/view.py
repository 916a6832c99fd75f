"""`homebody view`: show runs in a browser, or write them as a folder for any web host."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import Host, app, progress
from homebody.cli.command import OUTPUT, Option
from homebody.cli.printing import note, remark, say
from homebody.cli.report import LogDir, OwnTasksOf, Published, Replays, Runs, read_suites
from homebody.cli.viewed import Viewed
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.results.viewing.documents import Documents


@app.command()
def view(
    runs: Runs = None,
    static: Annotated[
        Path | None,
        Option(
            metavar="DIR", panel=OUTPUT, help="Write a folder for any web host instead of serving."
        ),
    ] = None,
    replays: Replays = 3,
    log_dir: LogDir = Path("logs"),
    tasks: OwnTasksOf = None,
    published: Published = False,
    title: Annotated[str, Option(panel=OUTPUT, help="Title of the page.")] = "",
    host: Host = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65_535, help="Port to listen on; 0 for any.")] = 7_575,
) -> None:
    """Show runs in a browser, including runs in progress."""
    from homebody.results.viewing.documents import Documents

    viewed = Viewed(runs or [Path()], log_dir, read_suites(tasks))

    def read() -> Documents:
        found, wrong = viewed.read()
        for error in wrong:
            note(error.advice)
        return Documents(tuple(found), title, papers=published, live=static is None)

    if static is not None:
        _write(static, read(), replays)
        return
    try:
        from homebody.web.viewing import Current, serve_view
    except ImportError as error:
        raise HomebodyError(
            f"view needs a library that cannot be imported: {error}",
            "pip install 'homebody[web]', or write a folder with --static DIR",
        ) from error
    serve_view(Current(read, viewed.stamp), host, port, lambda url: say(f"{url} (Ctrl-C ends it)"))


def _write(folder: Path, documents: Documents, replays: int) -> None:
    from homebody.results.viewing.page import write_folder

    if (folder / "index.html").exists() and not (folder / "data" / "runs.json").exists():
        raise HomebodyError(f"{folder} contains another page", "give another folder")
    samples = [(run.id, number) for run in documents.runs for number in range(len(run.records))]
    with progress() as report:

        def report_each() -> Iterator[tuple[str, Any]]:
            for number, each in enumerate(documents.details(samples, replays), 1):
                yield from each
                report("writing samples", number, len(samples))

        size = write_folder(folder, chain(documents.all_of_runs(), report_each()))
    remark(f"{folder}: {len(documents.runs)} runs, {len(samples)} samples, {size / 1e6:.1f} MB")
