"""`homebody submit`: make a submission of runs, and score submissions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import (
    app,
    make_out_folder,
    note_unscored,
    prepare_suite,
    print_rows,
    read_format,
)
from homebody.cli.command import OUTPUT, TASKS, Argument, Exit, Option
from homebody.cli.printing import note, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.results.submission_checks import CheckedOutputs

_NAMED = 5
"""Maximum number of tasks that a line names."""


@app.command()
def submit(
    benchmark: Annotated[
        str, Argument(help="eai, partnr, embodiedeval, or one suite.", metavar="BENCHMARK")
    ],
    runs: Annotated[
        list[Path],
        Argument(help="Files or folders that homebody run --out wrote.", metavar="RUNS..."),
    ],
    out: Annotated[Path, Option("-o", panel=OUTPUT, help="The .zip file to write.")],
    model: Annotated[
        str | None,
        Option(
            metavar="NAME", panel=TASKS, help="Read only this model's outputs: NAME_outputs.json."
        ),
    ] = None,
    epoch: Annotated[
        int, Option(min=1, panel=TASKS, help="Submit the outputs of this epoch, from 1.")
    ] = 1,
    partial: Annotated[
        bool, Option(panel=OUTPUT, help="Write the submission even if outputs are missing.")
    ] = False,
) -> None:
    """Package the outputs of runs as a submission; refuse if any are missing."""
    from homebody.results.submission_checks import check
    from homebody.results.submission_writing import find_runs, find_submitted_suites, write

    if out.suffix != ".zip":
        raise HomebodyError(f"{out} is not a .zip file", f"name it {out.stem}.zip")
    suites = find_submitted_suites(benchmark)
    files = find_runs(runs, suites, model)
    parts = []
    for suite in suites:
        if suite.name in files or not partial:
            prepare_suite(suite.name, scoring=True)
            parts.append(check(suite, files.get(suite.name), epoch))
    for part in parts:
        _print_part(part, epoch)
    if not all(part.is_complete for part in parts) and not partial:
        raise HomebodyError(
            f"nothing was written: {sum(not p.is_complete for p in parts)} of {len(parts)} files"
            " are incomplete",
            "--partial writes them anyway",
        )
    write(out, parts)
    say(f"{out}: {sum(len(part.answers) for part in parts):,} outputs in {len(parts)} files")


def _print_part(part: CheckedOutputs, epoch: int) -> None:
    """Print a part's size and defects."""
    submission = part.suite.published.submission
    assert submission is not None
    say(f"{submission.file}: {len(part.answers)} of {part.tasks}")
    if part.epochs > 1:
        say(f"  up to {part.epochs} outputs per task: number {epoch} is used (--epoch)")
    if part.missing:
        say(f"  missing: {_list_some(part.missing)}")
    if part.wrong:
        say(f"  not outputs of a task: {_list_some(part.wrong)}")
    for trouble, tasks in sorted(part.troubles.items()):
        say(f"  {trouble}: {_list_some(tasks)}")


def _list_some(names: Sequence[str]) -> str:
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
    """Score a submission and print a table per suite."""
    from homebody.results.outputs import safe_name
    from homebody.results.record import check_place
    from homebody.results.rows import make_row
    from homebody.results.scoring import score_outputs
    from homebody.results.submission_reading import read_submission
    from homebody.results.writing import write_results
    from homebody.suites import get_suite

    name, table_form = safe_name(path.stem or path.resolve().name), read_format(form)
    made = {"bounds": bounds} if bounds else {}
    outputs = read_submission(path)
    for suite in outputs:
        get_suite(suite).with_bounds(bounds)
        get_suite(suite).protocol(protocol)
        if out is not None:
            check_place(out / suite / name, suite, protocol, made)
    make_out_folder(out)
    failed = False
    for suite, given in outputs.items():
        chosen = prepare_suite(suite, scoring=True).with_bounds(bounds)
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
        failed |= note_unscored({name: scored.errors})
        if out is not None:
            folder = out / suite / name
            write_results(folder, chosen, scored.scores, rules, scored.errors, run=made)
    if failed:
        raise Exit(1)
