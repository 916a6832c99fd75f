"""Two runs, or two protocols of one, beside each other."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import FormatName, app, output_format, prepared
from homebody.cli.command import Argument, Option
from homebody.cli.printing import note, say, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape, escape_json

if TYPE_CHECKING:
    from homebody.results.samples import SampledRun


@app.command()
def compare(
    first: Annotated[
        Path, Argument(help="A: a folder of results, as --out writes them", metavar="A")
    ],
    second: Annotated[
        Path | None, Argument(help="B: another of the same suite", metavar="B")
    ] = None,
    protocols: Annotated[
        str | None,
        Option(metavar="P,Q", help="In place of B: judge A's outputs by two, corrected,published"),
    ] = None,
    show: Annotated[int, Option(min=0, help="Tasks that are shown with explanations")] = 5,
    form: FormatName = "table",
) -> None:
    """Compare two runs task by task, or two protocols of one.

    What differs, and whether that is more than chance.
    """
    output_format(form)
    if (second is None) == (protocols is None):
        raise HomebodyError("what is compared are two runs, or one with --protocols P,Q")
    if protocols is not None:
        _compare_protocols(_run_at(first), protocols, show, form)
    elif second is not None:
        _compare_runs(_run_at(first), _run_at(second), show, form)


def _run_at(path: Path) -> SampledRun:
    """The only run of a folder. Raises HomebodyError if there is none or are several."""
    from homebody.results.samples import read_run, result_folders

    found = list(result_folders([path]))
    if len(found) > 1:
        names = ", ".join(str(folder) for folder in found[:5])
        raise HomebodyError(f"{path} has several runs", f"name one of them: {names}")
    return read_run(found[0])


def _compare_runs(first: SampledRun, second: SampledRun, show: int, form: str) -> None:
    from homebody.results.comparison_records import comparison_lines, difference_record
    from homebody.results.run_comparisons import compare as compared
    from homebody.results.table import Format, render_records

    found = compared(first.compared, second.compared)
    if output_format(form) is Format.TABLE:
        say(*comparison_lines(found, show))
    else:
        records = [difference_record(each) for each in found.differences]
        say_text(render_records(records, output_format(form)))
    for warning in found.warnings:
        note(warning)


def _compare_protocols(run: SampledRun, protocols: str, show: int, form: str) -> None:
    from homebody.results.comparison_records import rejudged_lines
    from homebody.results.outputs import read_outputs
    from homebody.results.run_comparisons import rejudged
    from homebody.results.scoring import of_tasks
    from homebody.results.table import Format, render_records

    names = [name.strip() for name in protocols.split(",")]
    if len(names) != 2:
        raise HomebodyError(
            f"{protocols[:80]!r} are not two protocols", "as in corrected,published"
        )
    suite = prepared(run.about.suite, scoring=True)
    first, second = (suite.protocol(name) for name in names)
    file = run.folder.resolve().parent / Path(run.about.outputs.get("file", "")).name
    if not run.about.outputs or not file.is_file():
        raise HomebodyError(f"the outputs of {run.folder} are not beside it")
    known, _ = of_tasks(suite, read_outputs(file), first)
    outputs = [(suite.tasks.identify(task), each.epoch, each.text) for task, each in known]
    found = rejudged(suite, outputs, first, second)
    if output_format(form) is Format.TABLE:
        say(f"{run.about.suite}, {escape(run.name, 40)}")
        say(*rejudged_lines(found, names, len(outputs), show))
    elif output_format(form) is Format.JSON:
        say_text(escape_json([asdict(each) for each in found]))
    else:
        records = [{key: escape(value) for key, value in asdict(each).items()} for each in found]
        say_text(render_records(records, output_format(form)))
