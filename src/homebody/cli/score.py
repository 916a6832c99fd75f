"""`homebody score`: score files of outputs, or submissions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import (
    Bounds,
    FormatName,
    OutFolder,
    ProtocolName,
    Strict,
    WithReference,
    app,
    complete_suites,
    find_output_files,
    judge_each,
    make_out_folder,
    note_unscored,
    prepare_suite,
    print_rows,
    read_bounds,
    read_format,
    read_suite_outputs,
    resolve_protocol,
)
from homebody.cli.command import Argument, Exit
from homebody.cli.printing import note
from homebody.cli.submit import score_submission
from homebody.core import HomebodyError


@app.command()
def score(
    suite: Annotated[
        str,
        Argument(
            help="The suite, or a submission, which needs no PATH.",
            metavar="SUITE|SUBMISSION",
            complete=complete_suites,
        ),
    ],
    path: Annotated[
        Path | None, Argument(help="A <model>_outputs.json, or a folder of them.", metavar="PATH")
    ] = None,
    protocol: ProtocolName = "corrected",
    strict: Strict = False,
    out: OutFolder = None,
    form: FormatName = "table",
    reference: WithReference = False,
    bound: Bounds = None,
) -> None:
    """Score outputs in the published format, or a submission."""
    from homebody.results.record import check_place
    from homebody.results.rows import make_row
    from homebody.results.scoring import ScoredOutputs, score_outputs
    from homebody.results.writing import write_results
    from homebody.suites import get_suite

    protocol = resolve_protocol(protocol, strict)
    if path is None:
        given = Path(suite)
        if not given.exists():
            hint = f"to score outputs: homebody score {suite} PATH"
            raise HomebodyError(f"{suite} is not a submission file, and no PATH is given", hint)
        score_submission(given, protocol, out, form, reference=reference, bounds=read_bounds(bound))
        return
    rules, form_ = get_suite(suite).protocol(protocol), read_format(form)
    bounds = read_bounds(bound)
    get_suite(suite).with_bounds(bounds)
    make_out_folder(out)
    files = find_output_files(path, suite)
    chosen = prepare_suite(suite, scoring=True).with_bounds(bounds)
    made = {"bounds": bounds} if bounds else {}
    if out is not None:
        for name in files:
            check_place(out / name, suite, protocol, made)
    rows = []
    every = {chosen.tasks.identify(task) for task in chosen.tasks.load(rules)}
    answered = {}
    failed = {}
    refused: list[HomebodyError] = []

    def judge(file: Path) -> ScoredOutputs:
        return score_outputs(chosen, read_suite_outputs(file, suite), rules)

    for name, scored in judge_each(files, judge, refused):
        ids = {score.identifier for score in scored.scores}
        answered[name] = len(every & (ids | {error.identifier for error in scored.errors}))
        failed[name] = scored.errors
        rows.append(make_row(name, chosen, scored.scores, scored.errors))
        if out is not None:
            write_results(
                out / name,
                chosen,
                scored.scores,
                rules,
                scored.errors,
                run=made,
                outputs=files[name],
            )
    print_rows(rows, chosen, rules, form_, reference=reference)
    for name, count in answered.items():
        if count < len(every):
            note(f"{name} has outputs for {count} of {len(every)} tasks")
    if note_unscored(failed) or refused:
        raise Exit(1)
