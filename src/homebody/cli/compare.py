"""`homebody compare`: two runs, or one run under two protocols."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import FormatName, app, prepare_suite, read_format
from homebody.cli.command import OUTPUT, Argument, Option
from homebody.cli.printing import note, say, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape, escape_json

if TYPE_CHECKING:
    from homebody.results.samples import SampledRun


@app.command()
def compare(
    first: Annotated[Path, Argument(help="A folder of results, as --out writes it.", metavar="A")],
    second: Annotated[
        Path | None, Argument(help="Another folder of the same suite.", metavar="B")
    ] = None,
    protocols: Annotated[
        str | None,
        Option(
            metavar="P,Q",
            help="Instead of B: judge A by two protocols, such as corrected,published.",
        ),
    ] = None,
    show: Annotated[int, Option(min=0, panel=OUTPUT, help="Tasks to show with explanations.")] = 5,
    form: FormatName = "table",
) -> None:
    """Compare two runs, or one run under two protocols.

    Shows which metrics and tasks differ, and whether that is more than chance.
    """
    read_format(form)
    if (second is None) == (protocols is None):
        raise HomebodyError("compare takes two runs, or one run with --protocols P,Q")
    if protocols is not None:
        _compare_protocols(_read_only_run(first), protocols, show, form)
    elif second is not None:
        _compare_runs(_read_only_run(first), _read_only_run(second), show, form)


def _read_only_run(path: Path) -> SampledRun:
    """Read the only run in a folder. Raises HomebodyError unless it has exactly one."""
    from homebody.results.samples import find_result_folders, read_run

    found = list(find_result_folders([path]))
    if len(found) > 1:
        names = ", ".join(str(folder) for folder in found[:5])
        raise HomebodyError(f"{path} has several runs", f"name one of them: {names}")
    return read_run(found[0])


def _compare_runs(first: SampledRun, second: SampledRun, show: int, form: str) -> None:
    from homebody.results.comparison_records import comparison_lines, difference_record
    from homebody.results.run_comparisons import compare as compare_runs
    from homebody.results.table import Format, render_records

    found = compare_runs(first.comparable, second.comparable)
    if read_format(form) is Format.TABLE:
        say(*comparison_lines(found, show))
    else:
        records = [difference_record(each) for each in found.differences]
        say_text(render_records(records, read_format(form)))
    for warning in found.warnings:
        note(warning)


def _compare_protocols(run: SampledRun, protocols: str, show: int, form: str) -> None:
    from homebody.results.comparison_records import rejudged_lines
    from homebody.results.outputs import read_outputs
    from homebody.results.run_comparisons import rejudge
    from homebody.results.scoring import match_tasks
    from homebody.results.table import Format, render_records

    names = [name.strip() for name in protocols.split(",")]
    if len(names) != 2:
        raise HomebodyError(
            f"{protocols[:80]!r} is not two protocols", "for example: corrected,published"
        )
    suite = prepare_suite(run.about.suite, scoring=True)
    first, second = (suite.protocol(name) for name in names)
    file = run.folder.resolve().parent / Path(run.about.outputs.get("file", "")).name
    if not run.about.outputs or not file.is_file():
        raise HomebodyError(f"{run.folder} has no file of outputs beside it")
    known, _ = match_tasks(suite, read_outputs(file), first)
    outputs = [(suite.tasks.identify(task), each.epoch, each.text) for task, each in known]
    found = rejudge(suite, outputs, first, second)
    if read_format(form) is Format.TABLE:
        say(f"{run.about.suite}, {escape(run.name, 40)}")
        say(*rejudged_lines(found, names, len(outputs), show))
    elif read_format(form) is Format.JSON:
        say_text(escape_json([asdict(each) for each in found]))
    else:
        records = [{key: escape(value) for key, value in asdict(each).items()} for each in found]
        say_text(render_records(records, read_format(form)))
