"""Runs to be looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homebody.cli.app import ProtocolName, SuiteName, app, outputs_in, prepared, progress
from homebody.cli.printing import remark
from homebody.core import HomebodyError

LOGS = (".eval", ".jsonl")
"""What the names of logs, and of the journals of agents, end in."""


@app.command("report")
def report_command(
    suite: SuiteName,
    path: Annotated[
        Path,
        typer.Argument(
            help="A log of a run (*.eval; of an agent, *.jsonl), or <model>_outputs.json, which"
            " lacks what models said",
            metavar="FILE",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The page", metavar="FILE")] = Path(
        "report.html"
    ),
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="First episodes only")] = 20,
    task: Annotated[
        list[str] | None,
        typer.Option("--task", metavar="ID", help="Only episodes of this task; repeatable"),
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option("--tasks", metavar="FILE", help="The file of tasks, if the run was given one"),
    ] = None,
    width: Annotated[int, typer.Option(min=32, max=1_024, help="Of pictures, pixels")] = 320,
    protocol: ProtocolName = "corrected",
) -> None:
    """Show runs step by step, in pictures, as one HTML file.

    What was seen is drawn again, as nothing of it is kept.
    """
    from homebody.core.files import make_folder, write_whole
    from homebody.evals.logs import recordings_from_log
    from homebody.results.outputs import Output
    from homebody.results.report import Recording, chosen, report
    from homebody.suites import get_suite

    if tasks is not None:
        of = get_suite(suite).of_file(tasks)
        of.scoring.require()
    else:
        of = prepared(suite, scoring=True)
    rules = of.protocol(protocol)
    if path.suffix in LOGS:
        kept = recordings_from_log(path)
    else:
        kept = [
            Recording(each.identifier, each.epoch, each.text)
            for each in outputs_in(path, suite)
            if isinstance(each, Output)
        ]
    if not kept:
        raise HomebodyError(f"{path} has no episodes")
    make_folder(out.absolute().parent)
    episodes = chosen(kept, task or (), limit)
    with progress() as told:
        page = report(
            of,
            episodes,
            rules,
            of=len(kept),
            source=path.name,
            width=width,
            progress=told,
        )
    write_whole(out, page)
    plural = "s" * (len(episodes) != 1)
    remark(f"{out}: {len(episodes)} episode{plural}, {len(page) / 1e6:.1f} MB")
