"""`homebody results`: the origin, samples and precision of saved results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import FormatName, app, read_format
from homebody.cli.command import OUTPUT, TASKS, Argument, Exit, Option
from homebody.cli.printing import note, say, say_text
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.results.record import RunRecord
    from homebody.results.samples import SampledRun

Runs = Annotated[
    list[Path],
    Argument(
        help="Folders of results (as given to --out), or folders that contain them.",
        metavar="DIR...",
    ),
]


@app.command()
def results(
    paths: Runs,
    samples: Annotated[bool, Option(panel=OUTPUT, help="List every sample.")] = False,
    where: Annotated[
        list[str] | None,
        Option(
            metavar="FILTER",
            panel=TASKS,
            help="Only matching samples: success=false, suite=eai.*, seconds>10, explanation~door."
            " Repeatable.",
        ),
    ] = None,
    stats: Annotated[
        bool, Option(panel=OUTPUT, help="Show confidence intervals and detectable differences.")
    ] = False,
    sql: Annotated[
        str | None,
        Option(metavar="QUERY", panel=OUTPUT, help="Run a DuckDB query on the table `samples`."),
    ] = None,
    form: FormatName = "table",
) -> None:
    """Show how runs were made, or filter their samples.

    Without options, print the model, options and versions of each run.
    The exit code is 1 if files do not belong together or run.json is missing.
    """
    from homebody.results.filters import as_word
    from homebody.results.samples import find_result_folders
    from homebody.results.store import query
    from homebody.results.table import render_records

    read_format(form)
    if sql is not None:
        columns, rows = query(list(find_result_folders(paths)), sql)
        records = [
            {name: as_word(cell) for name, cell in zip(columns, row, strict=True)} for row in rows
        ]
        say_text(render_records(records, read_format(form)))
    elif stats:
        _print_stats(_runs(paths), form)
    elif samples or where or form != "table":
        _print_samples(_runs(paths), where or (), samples, form)
    else:
        _print_runs(list(find_result_folders(paths)))


def _runs(paths: Sequence[Path]) -> list[SampledRun]:
    """Read the runs in folders; note runs of a suite with different prompt versions."""
    from homebody.results.prompt_versions import prompt_versions_note
    from homebody.results.samples import find_result_folders, read_run

    runs = [read_run(folder) for folder in find_result_folders(list(paths))]
    for suite in dict.fromkeys(run.about.suite for run in runs):
        own = [(run.name, run.about.run) for run in runs if run.about.suite == suite]
        if text := prompt_versions_note(own):
            note(f"{suite}: {text}")
    return runs


def _print_stats(runs: Sequence[SampledRun], form: str) -> None:
    from homebody.results.reliability import reliability
    from homebody.results.table import render_records

    records = [
        {"run": run.name, "suite": run.about.suite, **row}
        for run in runs
        for row in reliability(run)
    ]
    say_text(render_records(records, read_format(form)))


def _print_samples(
    runs: Sequence[SampledRun], where: Sequence[str], samples: bool, form: str
) -> None:
    """Print matching samples or, without ``samples``, one summary row per run."""
    from homebody.results.filters import read_filter, rows_of, words_of
    from homebody.results.table import render_records

    wanted = [read_filter(text) for text in where]
    if samples:
        records = [words_of(row) for row in rows_of(runs, wanted)]
    else:
        records = []
        for run in runs:
            rows = rows_of([run], wanted)
            if rows:
                records.append(_summarise(run, rows))
    say_text(render_records(records, read_format(form)))


def _summarise(run: SampledRun, rows: Sequence[Mapping[str, object]]) -> dict[str, str]:
    """Return counts, success and usage of samples as one row."""

    def column(name: str) -> list[float]:
        cells = (row.get(name) for row in rows)
        return [float(cell) for cell in cells if isinstance(cell, bool | int | float)]

    judged = column("success")
    return {
        "run": run.name,
        "suite": run.about.suite,
        "protocol": run.about.protocol,
        "model": run.model,
        "samples": str(len(rows)),
        "unscored": str(sum(bool(row.get("error")) for row in rows)),
        "success": f"{100 * sum(judged) / len(judged):.1f}" if judged else "",
        **{
            name: f"{sum(column(name)):.6g}" if column(name) else ""
            for name in ("input_tokens", "output_tokens", "seconds", "cost")
        },
        "homebody": run.about.homebody,
    }


def _print_runs(folders: Sequence[Path]) -> None:
    from homebody.results.record import find_mismatches, read_record

    problems = 0
    for folder in folders:
        try:
            record = read_record(folder)
        except HomebodyError as error:
            problems += 1
            note(f"{error} ({error.hint})" if error.hint else str(error))
            continue
        say(*_run_lines(folder, record))
        if others := find_mismatches(folder, record):
            problems += 1
            note(
                f"files in {folder} are not from the run that run.json describes, as after a"
                f" kill or a full disk: {', '.join(others)}; run or score again with --out"
            )
    if problems:
        raise Exit(1)


def _run_lines(folder: Path, record: RunRecord) -> Iterator[str]:
    unscored = f", {record.unscored} of them unscored" if record.unscored else ""
    yield f"{folder}: {record.suite}, {record.protocol}, {record.samples} samples{unscored}"
    yield f"    homebody {record.homebody}" + (
        f", {record.distribution}" if record.distribution else ""
    )
    yield f"    data: {_pairs(record.data)}"
    own = ("suite", "protocol", "version", "distribution", "data")
    rest = {name: value for name, value in record.run.items() if name not in own}
    yield f"    run: {_pairs({name: value for name, value in rest.items() if value is not None})}"


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "not stated"
