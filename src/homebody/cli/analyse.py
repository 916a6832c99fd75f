"""Looking closer at results: against difficulty, by category, by operator."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from homebody.cli.app import (
    FormatName,
    ProtocolName,
    SuiteName,
    app,
    output_format,
    prepared,
    progress,
)

analyse_app = typer.Typer(help="Look closer at results.", no_args_is_help=True)
app.add_typer(analyse_app, name="analyse")

Outputs = Annotated[
    Path, typer.Argument(help="<model>_outputs.json, or a folder of them", metavar="PATH")
]


@analyse_app.command()
def difficulty(
    suite: SuiteName,
    path: Outputs,
    protocol: ProtocolName = "corrected",
    metric: Annotated[
        str, typer.Option(help="What is correlated: success, progress ...")
    ] = "success",
    plot: Annotated[
        Path | None, typer.Option(help="Draw success against difficulty (.png, .svg or .pdf)")
    ] = None,
    plot_actions: Annotated[
        Path | None, typer.Option(help="Draw success by action and goal (.png, .svg or .pdf)")
    ] = None,
    form: FormatName = "table",
) -> None:
    """Success against number of goals, length of the plan and number of objects."""
    from homebody.results import plot as figures
    from homebody.results.difficulty import difficulty as measure
    from homebody.results.difficulty import render_difficulty
    from homebody.results.outputs import find_outputs, read_outputs, score_outputs

    form_ = output_format(form)
    chosen = prepared(suite)
    rules = chosen.protocol(protocol)
    tasks = chosen.load(rules)
    models = {
        name: measure(
            chosen, score_outputs(chosen, read_outputs(file), rules), tasks, metric=metric
        )
        for name, file in find_outputs(path, suite).items()
    }
    if plot is not None:
        figures.plot_difficulty(models, plot)
    if plot_actions is not None:
        figures.plot_actions(models, plot_actions)
    print(render_difficulty(models, form_))


@analyse_app.command()
def categories(form: FormatName = "table") -> None:
    """The task categories: ours, the official ones and those of the paper's table 25."""
    from homebody.data import eai
    from homebody.results.table import render_records
    from homebody.suites.eai.categories import report, report_records

    form_ = output_format(form)
    with progress() as told:
        eai.fetch(progress=told)
    print(render_records(report_records(report()), form_))


@analyse_app.command()
def sensitivity(
    path: Outputs,
    protocol: ProtocolName = "corrected",
    workers: Annotated[int, typer.Option(min=1, help="Planner processes at a time")] = 4,
    form: FormatName = "table",
) -> None:
    """Transition modeling: share of tasks that stay solvable with one operator predicted."""
    from homebody.results.outputs import find_outputs, read_outputs
    from homebody.results.table import render_records
    from homebody.suites.eai.sensitivity import records
    from homebody.suites.eai.sensitivity import sensitivity as measure

    form_ = output_format(form)
    suite = "eai.virtualhome.transition_modeling"
    rules = prepared(suite).protocol(protocol)
    rows = []
    for name, file in find_outputs(path, suite).items():
        outputs = [(output.identifier, output.text) for output in read_outputs(file)]
        rows += [
            {"model": name, **row} for row in records(measure(outputs, rules, workers=workers))
        ]
    print(render_records(rows, form_))
