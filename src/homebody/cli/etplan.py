"""Tasks of ET-Plan-Bench from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homebody.cli.app import app, progress, writable
from homebody.cli.partnr_runs import EngineName, Workers
from homebody.cli.printing import say

etplan_app = typer.Typer(help="Make tasks of ET-Plan-Bench.", no_args_is_help=True)
app.add_typer(etplan_app, name="etplan")


@etplan_app.command()
def generate(
    out: Annotated[
        Path, typer.Argument(help="A .jsonl or .jsonl.gz file to write", metavar="FILE")
    ],
    split: Annotated[str, typer.Option(help="train, val or test: no two share a home")] = "test",
    tasks: Annotated[int, typer.Option(help="How many of each row")] = 200,
    seed: Annotated[int, typer.Option(help="Another seed makes other tasks")] = 0,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make tasks for all rows, each with its shortest plan, that were carried out."""
    from homebody.authoring.etplan.make import generate as make
    from homebody.core.files import write_whole
    from homebody.suites.etplan.tasks import encode_lines

    writable(out.parent)
    with progress() as report:
        made = make(split, tasks, seed=seed, engine=engine, workers=workers, progress=report)
    write_whole(out, encode_lines(made, packed=out.suffix == ".gz"))
    say(f"{out}: {len(made)} tasks of {split}")


@etplan_app.command()
def samples(
    tasks: Annotated[
        Path, typer.Argument(help="A file that homebody etplan generate made", metavar="TASKS")
    ],
    out: Annotated[Path, typer.Argument(help="A .jsonl file to write", metavar="FILE")],
) -> None:
    """Make data for fine-tuning: what the pipeline asks in tasks of one split, and the answers of
    who knows the home, as chats; how many there are of each row."""
    from homebody.core.files import read_bounded, write_whole
    from homebody.suites.etplan import training
    from homebody.suites.etplan.tasks import MAX_BYTES, decode_lines

    writable(out.parent)
    asked = decode_lines(read_bounded(tasks, MAX_BYTES))
    split = training.split_of(asked)
    made: list[training.Sample] = []
    with progress() as report:
        for number, task in enumerate(asked):
            report("playing", number, len(asked))
            made += training.samples(task)
    write_whole(out, b"".join(sample.line() for sample in made))
    counts = training.statistics(made)
    for row, about in counts.items():
        pairs = about.total() - about["plan"]
        tried = sum(task.row == row for task in asked)
        say(f"{row}: {pairs} questions and {about['plan']} plans of {tried} tasks")
    total = sum(about.total() - about["plan"] for about in counts.values())
    say(f"{out}: {total} questions of {split}")
