"""`homebody embodiedeval`: make, render and score EmbodiedEval tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import (
    EngineName,
    FormatName,
    Interrupted,
    ProtocolName,
    WithReference,
    Workers,
    app,
    make_out_folder,
    note_unscored,
    print_rows,
    progress,
    read_format,
)
from homebody.cli.command import OUTPUT, TASKS, Argument, Exit, Option
from homebody.cli.house import Quality
from homebody.cli.printing import say
from homebody.core import HomebodyError

embodiedeval_app = app.group(
    "embodiedeval", help="Make tasks, render their views, score recorded runs."
)


@embodiedeval_app.command()
def generate(
    out: Annotated[Path, Argument(help="The .jsonl or .jsonl.gz file to write.", metavar="FILE")],
    split: Annotated[
        str, Option(metavar="NAME", panel=TASKS, help="test or train; they share no scene.")
    ] = "test",
    scenes: Annotated[int, Option(min=1, panel=TASKS, help="Number of scenes.")] = 144,
    seed: Annotated[int, Option(min=0, panel=TASKS, help="Seed of the tasks.")] = 0,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make tasks with the paper's number per category, each with its shortest solution.

    Run them with: homebody run embodiedeval.test --tasks FILE
    """
    from homebody.authoring.embodiedeval.generate import generate as make
    from homebody.core.ground.files import write_whole
    from homebody.suites.embodiedeval.tasks import encode_tasks

    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise HomebodyError(f"{out} is not a .jsonl or .jsonl.gz file", f"name it {out.stem}.jsonl")
    make_out_folder(out.parent)
    with progress() as report:
        made = make(split, seed=seed, count=scenes, engine=engine, workers=workers, progress=report)
    write_whole(out, encode_tasks(made, packed=out.suffix == ".gz"))
    say(f"{out}: {len(made)} tasks in {len({task.scene.seed for task in made})} scenes")


@embodiedeval_app.command()
def pictures(
    out: Annotated[Path, Argument(help="The folder of shards to write.", metavar="FOLDER")],
    tasks: Annotated[
        Path | None,
        Option(
            metavar="FILE", panel=TASKS, help="Use the tasks of this file. The test set if omitted."
        ),
    ] = None,
    limit: Annotated[int | None, Option(min=1, panel=TASKS, help="Only the first tasks.")] = None,
    task: Annotated[
        list[str] | None, Option(metavar="ID", panel=TASKS, help="Only this task. Repeatable.")
    ] = None,
    views: Annotated[
        str,
        Option(
            metavar="NAME",
            panel=OUTPUT,
            help="Render all views, or those along the shortest solutions (plan).",
        ),
    ] = "all",
    quality: Quality = "fast",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Render the views of tasks in shards; resume if interrupted.

    Use them with: homebody run embodiedeval.test --set pictures=FOLDER
    """
    from homebody.suites.embodiedeval.picture_sets import make_pictures
    from homebody.suites.embodiedeval.tasks import load, read_tasks

    chosen = load("test") if tasks is None else read_tasks(tasks)
    missing = set(task or ()) - {each.id for each in chosen}
    if missing:
        raise HomebodyError(f"unknown task: {min(missing)[:80]!r}")
    wanted = [each for each in chosen if not task or each.id in task][:limit]
    try:
        with progress() as report:
            manifest = make_pictures(
                out,
                wanted,
                quality=quality,
                which=views,
                engine=engine,
                workers=workers,
                progress=report,
            )
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; run the same command to resume") from error
    files = list(out.glob("*.tar"))
    megabytes = sum(path.stat().st_size for path in files) / 1e6
    say(f"{manifest}: tasks {len(wanted)}, shards {len(files)}, {megabytes:,.1f} MB")


@embodiedeval_app.command()
def score(
    folders: Annotated[
        list[Path],
        Argument(help="Results of the published code (traj0000, ...).", metavar="FOLDER"),
    ],
    people: Annotated[
        Path | None, Option(metavar="DIR", help="Folder of people's runs, the reference of SPL.")
    ] = None,
    protocol: ProtocolName = "corrected",
    form: FormatName = "table",
    reference: WithReference = False,
) -> None:
    """Score runs that the published code recorded, one row per folder."""
    from homebody.core import SampleError, Score
    from homebody.results.rows import make_row
    from homebody.suites import get_suite
    from homebody.suites.embodiedeval.recorded import score_runs

    suite, table_form = get_suite("embodiedeval.test"), read_format(form)
    rules = suite.protocol(protocol)
    rows, failed = [], {}
    for folder in folders:
        scored = list(score_runs(folder, rules, people))
        errors = [each for each in scored if isinstance(each, SampleError)]
        scores = [each for each in scored if isinstance(each, Score)]
        failed[folder.name] = errors
        rows.append(make_row(folder.name, suite, scores, errors))
    print_rows(rows, suite, rules, table_form, reference=reference)
    if note_unscored(failed):
        raise Exit(1)
