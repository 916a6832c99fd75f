"""Tasks of EmbodiedEval from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homebody.cli.app import Interrupted, app, progress
from homebody.cli.house import Quality
from homebody.cli.partnr_runs import EngineName, Workers
from homebody.cli.printing import say
from homebody.core import HomebodyError

embodiedeval_app = typer.Typer(help="Tasks of EmbodiedEval.", no_args_is_help=True)
app.add_typer(embodiedeval_app, name="embodiedeval")


@embodiedeval_app.callback()
def embodiedeval() -> None:
    """Tasks of EmbodiedEval."""


@embodiedeval_app.command()
def pictures(
    out: Annotated[Path, typer.Argument(help="The folder for the shards", metavar="FOLDER")],
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks", metavar="FILE", help="Of a file of tasks; the test set if left out"
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Of the first tasks only")] = None,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="ID", help="Only of this task; repeatable"),
    ] = None,
    views: Annotated[
        str,
        typer.Option(help="all, or plan: those of the shortest runs, and one turn to each side"),
    ] = "all",
    quality: Quality = "fast",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Draw the views of tasks once, in shards; goes on if interrupted.

    Use them with: homebody run embodiedeval.test --set pictures=FOLDER
    """
    from homebody.suites.embodiedeval.picture_sets import make_pictures
    from homebody.suites.embodiedeval.tasks import load, read_tasks

    chosen = load("test") if tasks is None else read_tasks(tasks)
    missing = set(task or ()) - {each.id for each in chosen}
    if missing:
        raise HomebodyError(f"there is no task {min(missing)[:80]!r}")
    wanted = [each for each in chosen if not task or each.id in task][:limit]
    try:
        with progress() as report:
            manifest = make_pictures(
                *(out, wanted),
                quality=quality,
                which=views,
                engine=engine,
                workers=workers,
                progress=report,
            )
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; the same command goes on") from error
    files = list(out.glob("*.tar"))
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    say(f"{manifest}: tasks {len(wanted)}, shards {len(files)}, {megabytes:,.1f} MB")
