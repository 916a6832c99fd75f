"""`homebody analyse`: results by difficulty, category and operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from homebody.cli.app import (
    Bounds,
    FormatName,
    ProtocolName,
    SuiteName,
    app,
    find_output_files,
    judge_each,
    note_unscored,
    prepare_suite,
    progress,
    read_bounds,
    read_format,
    read_suite_outputs,
)
from homebody.cli.command import OUTPUT, Argument, Exit, Option
from homebody.cli.printing import note, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape_json

if TYPE_CHECKING:
    from homebody.core import SampleError
    from homebody.results.table import Format

analyse_app = app.group("analyse", help="Analyse results, and the categories of tasks.")

Outputs = Annotated[
    Path, Argument(help="A <model>_outputs.json, or a folder of them.", metavar="PATH")
]


@analyse_app.command()
def difficulty(
    suite: SuiteName,
    path: Outputs,
    protocol: ProtocolName = "corrected",
    metric: Annotated[
        str, Option(metavar="NAME", help="Metric to correlate, such as success.")
    ] = "success",
    plot: Annotated[
        Path | None,
        Option(panel=OUTPUT, help="Plot success against difficulty (.png, .svg or .pdf)."),
    ] = None,
    plot_actions: Annotated[
        Path | None,
        Option(panel=OUTPUT, help="Plot success by action and goal (.png, .svg or .pdf)."),
    ] = None,
    form: FormatName = "table",
    bound: Bounds = None,
) -> None:
    """Correlate success with the number of goals, plan length and number of objects."""
    from homebody.results import plot as figures
    from homebody.results.difficulty import demands_of
    from homebody.results.difficulty import difficulty as measure
    from homebody.results.difficulty_tables import render_difficulty
    from homebody.results.scoring import score_outputs
    from homebody.suites import get_suite

    form_ = read_format(form)
    rules, bounds = get_suite(suite).protocol(protocol), read_bounds(bound)
    demands_of(get_suite(suite).with_bounds(bounds))
    files = find_output_files(path, suite)
    for figure in filter(None, (plot, plot_actions)):
        figures.check_figure(figure)
    chosen = prepare_suite(suite, scoring=True).with_bounds(bounds)
    tasks = chosen.tasks.load(rules)
    refused: list[HomebodyError] = []
    scored = dict(
        judge_each(
            files,
            lambda file: score_outputs(chosen, read_suite_outputs(file, suite), rules),
            refused,
        )
    )
    models = {
        name: measure(chosen, outputs.scores, tasks, metric=metric)
        for name, outputs in scored.items()
    }
    if plot is not None:
        figures.plot_difficulty(models, plot)
    if plot_actions is not None:
        figures.plot_actions(models, plot_actions)
    say_text(render_difficulty(models, form_))
    if note_unscored({name: outputs.errors for name, outputs in scored.items()}) or refused:
        raise Exit(1)


@analyse_app.command()
def categories(
    dataset: Annotated[
        str, Option(metavar="NAME", help="virtualhome or behavior.")
    ] = "virtualhome",
    form: FormatName = "table",
) -> None:
    """Compare categorizations of tasks: homebody's, the official one and the paper's table 25.

    This needs no results.
    """
    from homebody.data import behavior, eai
    from homebody.suites.eai.transition_modeling.categories import (
        CORPORA,
        report,
        report_records,
    )

    form_ = read_format(form)
    fetch = {"virtualhome": eai.fetch, "behavior": behavior.fetch}.get(dataset)
    if fetch is None:
        raise HomebodyError(
            f"unknown data set: {dataset!r}", f"choose one of: {', '.join(CORPORA)}"
        )
    with progress() as show:
        fetch(progress=show)
    comparison = report(CORPORA[dataset])
    say_text(_render(report_records(comparison), form_))
    if comparison.differing:
        note(
            f"homebody's and the official categories agree for {comparison.agreeing} of"
            f" {comparison.tasks} tasks, and differ for: {', '.join(comparison.differing)}"
        )


@analyse_app.command()
def sensitivity(
    path: Outputs,
    suite: Annotated[
        str, Option(metavar="NAME", help="The transition modeling suite of a data set.")
    ] = "eai.virtualhome.transition_modeling",
    protocol: ProtocolName = "corrected",
    workers: Annotated[int, Option(min=1, max=1024, help="Number of planner processes.")] = 4,
    form: FormatName = "table",
) -> None:
    """Transition modeling: replace one annotated operator by the predicted one; share solved."""
    from homebody.results.scoring import match_tasks
    from homebody.suites import list_suites
    from homebody.suites.eai.transition_modeling.sensitivity import records
    from homebody.suites.eai.transition_modeling.sensitivity import sensitivity as measure

    form_ = read_format(form)
    known = [name for name in list_suites() if name.endswith(".transition_modeling")]
    if suite not in known:
        raise HomebodyError(f"{suite} has no operators", f"choose one of: {', '.join(known)}")
    files = find_output_files(path, suite)
    chosen = prepare_suite(suite, scoring=True)
    rules = chosen.protocol(protocol)
    every = len(chosen.tasks.load(rules))
    rows: list[Record] = []
    errors: dict[str, Sequence[SampleError]] = {}
    refused: list[HomebodyError] = []
    known_of = judge_each(
        files, lambda file: match_tasks(chosen, read_suite_outputs(file, suite), rules), refused
    )
    for name, (answered, errors[name]) in known_of:
        outputs = [(chosen.tasks.identify(task), output.text) for task, output in answered]
        operator_sensitivity = measure(chosen, outputs, rules, workers=workers)
        rows += [{"model": name, **row} for row in records(chosen, operator_sensitivity)]
        if len(answers := dict(outputs)) < every:
            note(f"{name} has outputs for {len(answers)} of {every} tasks")
        if again := len(outputs) - len(answers):
            note(f"{name} has {again} duplicate outputs; the last one for each task counts")
    say_text(_render(rows, form_))
    if note_unscored(errors) or refused:
        raise Exit(1)


Record: TypeAlias = dict[str, str | int | float | None]


def _render(records: Sequence[Mapping[str, str | float | None]], form: Format) -> str:
    """Render records, in JSON with numbers, otherwise as text with ``-`` for missing values."""
    from homebody.results.table import Format, render_records

    if form is Format.JSON:
        return escape_json(records)

    def text(value: str | float | None) -> str:
        return "-" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)

    return render_records([{key: text(v) for key, v in row.items()} for row in records], form)
