"""`homebody check`: whether a suite keeps to what homebody assumes of every suite."""

from __future__ import annotations

from typing import Annotated

from homebody.cli.app import Settings, SuiteName, app, pairs_of, progress
from homebody.cli.command import Exit, Option
from homebody.cli.printing import say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape_json


@app.command()
def check(
    suite: SuiteName,
    tasks: Annotated[int, Option("--tasks", min=1, help="How many tasks are tried")] = 4,
    settings: Settings = None,
    seed: Annotated[int, Option("--seed", min=0, help="Of all that is random")] = 0,
    form: Annotated[str, Option("--format", "-f", help="table or json")] = "table",
) -> None:
    """Check whether a suite keeps to what is assumed of every suite; exit code 1 if not."""
    from homebody.api import check_suite

    if form not in ("table", "json"):
        raise HomebodyError(f"there is no format {form!r}", "choose one of: table, json")
    chosen = None if settings is None else pairs_of(settings, "--set team=single")
    with progress() as report:
        found = check_suite(suite, tasks=tasks, seed=seed, settings=chosen, progress=report)
    say_text(str(found) if form == "table" else escape_json(found.record))
    if not found.passed:
        raise Exit(1)
