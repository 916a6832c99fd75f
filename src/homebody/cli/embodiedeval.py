"""Tasks of EmbodiedEval from the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homebody.cli.app import app, progress, writable
from homebody.cli.partnr_runs import EngineName, Workers
from homebody.cli.printing import say
from homebody.core import HomebodyError

embodiedeval_app = typer.Typer(help="Make tasks of EmbodiedEval.", no_args_is_help=True)
app.add_typer(embodiedeval_app, name="embodiedeval")


@embodiedeval_app.callback()
def embodiedeval() -> None:
    """Make tasks of EmbodiedEval."""


@embodiedeval_app.command()
def generate(
    out: Annotated[
        Path, typer.Argument(help="A .jsonl or .jsonl.gz file to write", metavar="FILE")
    ],
    split: Annotated[str, typer.Option(help="test or train: no two share a scene")] = "test",
    scenes: Annotated[int, typer.Option(min=1, help="Of how many scenes")] = 144,
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes other tasks")] = 0,
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Make tasks, as many of each category as the paper has, each with its shortest run.

    Run them with: homebody run embodiedeval.test --tasks FILE
    """
    from homebody.authoring.embodiedeval.generate import generate as make
    from homebody.core.files import write_whole
    from homebody.suites.embodiedeval.tasks import encode_tasks

    if not out.name.endswith((".jsonl", ".jsonl.gz")):
        raise HomebodyError(f"{out} is no .jsonl or .jsonl.gz file", f"name it {out.stem}.jsonl")
    writable(out.parent)
    with progress() as report:
        made = make(split, seed=seed, count=scenes, engine=engine, workers=workers, progress=report)
    write_whole(out, encode_tasks(made, packed=out.suffix == ".gz"))
    say(f"{out}: {len(made)} tasks in {len({task.scene.seed for task in made})} scenes")
