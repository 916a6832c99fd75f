"""Submissions: made of runs, and scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import app, output_format, prepared, print_rows, tell_unscored, writable
from homebody.cli.command import Argument, Exit, Option
from homebody.cli.printing import note, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.results.submission_writing import CheckedOutputs

_NAMED = 5
"""Most tasks that are named of those that something is said of."""


@app.command()
def submit(
    benchmark: Annotated[
        str, Argument(help="eai, partnr, embodiedeval, or one suite", metavar="BENCHMARK")
    ],
    runs: Annotated[
        list[Path],
        Argument(help="What homebody run --out wrote: files or folders", metavar="RUNS..."),
    ],
    out: Annotated[Path, Option("--out", "-o", help="The .zip file to write")],
    model: Annotated[
        str | None, Option(help="Only outputs of this name: <model>_outputs.json")
    ] = None,
    epoch: Annotated[
        int, Option(min=1, help="Which output, where a task was asked several times")
    ] = 1,
    partial: Annotated[
        bool, Option("--partial", help="Write what is there, though something is missing")
    ] = False,
) -> None:
    """Make a submission of runs, if all of it is there."""
    from homebody.results.submission_writing import check, find_runs, handed_in, write

    if out.suffix != ".zip":
        raise HomebodyError(f"{out} is no .zip file", f"name it {out.stem}.zip")
    suites = handed_in(benchmark)
    files = find_runs(runs, suites, model)
    parts = []
    for suite in suites:
        if suite.name in files or not partial:
            prepared(suite.name, scoring=True)
            parts.append(check(suite, files.get(suite.name), epoch))
    for part in parts:
        _tell(part, epoch)
    if not all(part.whole for part in parts) and not partial:
        raise HomebodyError(
            f"nothing was written: {sum(not part.whole for part in parts)} of {len(parts)} files"
            " are not whole",
            "--partial writes what is there",
        )
    write(out, parts)
    say(f"{out}: {sum(len(part.answers) for part in parts):,} outputs in {len(parts)} files")


def _tell(part: CheckedOutputs, epoch: int) -> None:
    """A line of a part, and what is to be known of it."""
    submission = part.suite.published.submission
    assert submission is not None
    say(f"{submission.file}: {len(part.answers)} of {part.tasks}")
    if part.epochs > 1:
        say(f"  up to {part.epochs} outputs of a task: number {epoch} of each is taken (--epoch)")
    if part.missing:
        say(f"  missing: {_some(part.missing)}")
    if part.wrong:
        say(f"  no output of a task: {_some(part.wrong)}")
    for trouble, tasks in sorted(part.troubles.items()):
        say(f"  {trouble}: {_some(tasks)}")


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{len(names):,} ({', '.join(name[:60] for name in names[:_NAMED])}{more})"


def score_submission(
    path: Path,
    protocol: str,
    out: Path | None,
    form: str,
    *,
    reference: bool,
    bounds: Mapping[str, float],
) -> None:
    """Score all that is in a submission: a table for each suite."""
    from homebody.results.outputs import safe_name
    from homebody.results.record import check_place
    from homebody.results.rows import make_row
    from homebody.results.scoring import score_outputs
    from homebody.results.submission_reading import read_submission
    from homebody.results.writing import write_results
    from homebody.suites import get_suite

    name, table_form = safe_name(path.stem or path.resolve().name), output_format(form)
    made = {"bounds": bounds} if bounds else {}
    outputs = read_submission(path)
    for suite in outputs:
        get_suite(suite).with_bounds(bounds)
        get_suite(suite).protocol(protocol)
        if out is not None:
            check_place(out / suite / name, suite, protocol, made)
    writable(out)
    failed = False
    for suite, given in outputs.items():
        chosen = prepared(suite, scoring=True).with_bounds(bounds)
        rules = chosen.protocol(protocol)
        every = len(chosen.tasks.load(rules))
        try:
            scored = score_outputs(chosen, given, rules)
        except HomebodyError as error:
            note(f"{suite}: {error.advice}")
            failed = True
            continue
        row = make_row(name, chosen, scored.scores, scored.errors)
        print_rows([row], chosen, rules, table_form, reference=reference)
        answered = len({score.identifier for score in scored.scores})
        if answered < every:
            note(f"{suite}: {name} has outputs for {answered} of {every} tasks")
        failed |= tell_unscored({name: scored.errors})
        if out is not None:
            folder = out / suite / name
            write_results(folder, chosen, scored.scores, rules, scored.errors, run=made)
    if failed:
        raise Exit(1)
