"""`homebody check`: test whether a suite keeps the rules that homebody requires of every suite."""

from __future__ import annotations

from typing import Annotated

from homebody.cli.app import (
    Settings,
    SuiteName,
    app,
    check_format,
    complete_words,
    progress,
    read_pairs,
)
from homebody.cli.command import OUTPUT, TASKS, Exit, Option
from homebody.cli.printing import say_text
from homebody.core.ground.escaping import escape_json


@app.command()
def check(
    suite: SuiteName,
    tasks: Annotated[int, Option(min=1, panel=TASKS, help="Number of tasks to try.")] = 4,
    settings: Settings = None,
    seed: Annotated[int, Option(min=0, help="Seed of everything random.")] = 0,
    form: Annotated[
        str,
        Option(
            "--format",
            "-f",
            metavar="FORMAT",
            panel=OUTPUT,
            complete=complete_words("table", "json"),
            help="Print as table or json.",
        ),
    ] = "table",
) -> None:
    """Check that a suite keeps homebody's rules; exit code 1 if not."""
    from homebody.api import check_suite

    check_format(form, "table", "json")
    chosen = None if settings is None else read_pairs(settings, "--set team=single")
    with progress(suite) as report:
        found = check_suite(suite, tasks=tasks, seed=seed, settings=chosen, progress=report)
    say_text(str(found) if form == "table" else escape_json(found.record))
    if not found.passed:
        raise Exit(1)
