"""Two runs, or two protocols of one, beside each other."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homebody.cli.app import FormatName, app, output_format, prepared
from homebody.cli.printing import note, say, say_text
from homebody.core import HomebodyError
from homebody.core.shown import shown, shown_json

if TYPE_CHECKING:
    from homebody.results.comparison import Comparison, Rejudged
    from homebody.results.samples import SampledRun

MAX_WHY = 300
"""Characters of an explanation."""


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(help="A: a folder of results, as --out writes them")],
    second: Annotated[
        Path | None, typer.Argument(help="B: another of the same suite; without --protocols")
    ] = None,
    protocols: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Judge A's outputs by two protocols: corrected,published"),
    ] = None,
    show: Annotated[int, typer.Option(min=0, help="Tasks that are shown with explanations")] = 5,
    form: FormatName = "table",
) -> None:
    """Compare two runs task by task: what differs, and whether that is more than chance."""
    from homebody.results.samples import read_run, result_folders

    def run_at(path: Path) -> SampledRun:
        found = list(result_folders([path]))
        if len(found) > 1:
            names = ", ".join(str(folder) for folder in found[:5])
            raise HomebodyError(f"{path} has several runs", f"name one of them: {names}")
        return read_run(found[0])

    output_format(form)
    if (second is None) == (protocols is None):
        raise HomebodyError("what is compared are two runs, or one with --protocols A,B")
    if second is None:
        assert protocols is not None
        _compare_protocols(run_at(first), protocols, show, form)
        return
    from homebody.results.comparison import compare as compared

    _tell(compared(run_at(first), run_at(second)), show, form)


def _tell(found: Comparison, show: int, form: str) -> None:
    from homebody.results.table import Format, render_records

    a, b = (shown(name, 40) for name in found.names)
    records = [
        {
            "metric": each.metric,
            "A": f"{100 * each.first:.1f}",
            "B": f"{100 * each.second:.1f}",
            "B - A": f"{100 * each.of_pairs.mean:+.1f}",
            "95 %": "-"
            if math.isnan(each.of_pairs.low)
            else f"{100 * each.of_pairs.low:+.1f} to {100 * each.of_pairs.high:+.1f}",
            "p (Holm)": "-" if math.isnan(each.p) else f"{each.p:.3g}",
            "": "*" if each.is_sure else "",
        }
        for each in found.differences
    ]
    if output_format(form) is not Format.TABLE:
        say_text(render_records(records, output_format(form)))
        return
    tasks = found.differences[0].of_pairs.number
    say(f"{found.suite}, A: {a}, B: {b}; {tasks} tasks in {found.clusters} clusters, in %")
    say_text(render_records(records, Format.TABLE).rpartition("\n")[0])
    say(
        f"{found.metric}: B does better at {len(found.won)} tasks, A at {len(found.lost)};"
        f" {found.ties} are as good in both"
    )
    for what, changes in (("A did better", found.lost), ("B did better", found.won)):
        if changes[:show]:
            say(f"Where {what}:")
        for change in changes[:show]:
            say(f"  {change.task}: {100 * change.first:.0f} -> {100 * change.second:.0f}")
            for side, why in (("A", change.why_first), ("B", change.why_second)):
                say(f"    {side}: {shown(why or '-', MAX_WHY)}")
    for warning in found.warnings:
        note(warning)


def _compare_protocols(run: SampledRun, protocols: str, show: int, form: str) -> None:
    from homebody.results.comparison import rejudged
    from homebody.results.outputs import Output, read_outputs
    from homebody.results.scoring import of_tasks
    from homebody.results.table import Format

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
    outputs = [
        (suite.tasks.identify(task), each.epoch, each.text)
        for task, each in known
        if isinstance(each, Output)
    ]
    found = rejudged(suite, outputs, first, second)
    if output_format(form) is Format.JSON:
        say_text(shown_json([_record(each) for each in found]))
        return
    a, b = names
    won = sum(each.second for each in found)
    say(f"{run.about.suite}, {shown(run.name, 40)}, A: {a}, B: {b}; {len(outputs)} outputs")
    say(f"{len(found)} verdicts differ: {won} succeed under B alone, {len(found) - won} under A")
    by_quirk = Counter(quirk for each in found for quirk in each.quirks)
    for quirk, count in by_quirk.most_common():
        say(f"  {quirk}: {count} by itself")
    together = sum(not each.quirks for each in found)
    if together:
        say(f"  several together: {together}")
    for each in found[:show]:
        quirks = ", ".join(each.quirks) or "several together"
        verdicts = f"{_verdict(each.first)} -> {_verdict(each.second)}"
        say(f"{each.task}, {each.epoch}: {verdicts} ({quirks})")
        for side, why in (("A", each.why_first), ("B", each.why_second)):
            say(f"    {side}: {shown(why or '-', MAX_WHY)}")


def _verdict(success: bool) -> str:
    return "success" if success else "failure"


def _record(each: Rejudged) -> dict[str, object]:
    return {
        "task": each.task,
        "epoch": each.epoch,
        "A": each.first,
        "B": each.second,
        "quirks": list(each.quirks),
        "why A": each.why_first,
        "why B": each.why_second,
    }
