"""`homebody study`: studies with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import (
    AllowedHosts,
    FormatName,
    Host,
    Pace,
    Port,
    app,
    prepare_suite,
    read_format,
)
from homebody.cli.command import OUTPUT, Argument, Option
from homebody.cli.printing import note, say, say_text
from homebody.core import HomebodyError

study_app = app.group("study", help="Run studies with people.")

StudyFile = Annotated[Path, Argument(help="The file of the study.", metavar="FILE")]
Record = Annotated[Path, Option(metavar="DIR", panel=OUTPUT, help="Folder of recorded games.")]


def _need_web() -> None:
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise HomebodyError(
            f"study needs a web server that cannot be imported: {error}",
            "pip install 'homebody[web]'",
        ) from error


@study_app.command()
def check(file: StudyFile) -> None:
    """Check that a study can be played; show who plays what, in which order."""
    from homebody.web.studies.assignment import assign
    from homebody.web.studies.study import read_study

    study = read_study(file)
    groups = assign(study)
    said = sum(len(group.members) for group in groups)
    say(f"{study.title}: {said} participants, {len(groups)} groups")
    for group in groups:
        members = ", ".join(map(str, group.members))
        items = ", ".join(f"{item.task} ({item.condition.name})" for item in group.items)
        say(f"{members}: {items}")
    if said < study.participants:
        note(f"{study.participants - said} participants fit no group and get no link")


@study_app.command()
def serve(
    file: StudyFile,
    record: Record = Path("study"),
    host: Host = "127.0.0.1",
    port: Port = 8765,
    allow: AllowedHosts = None,
    pace: Pace = 1.0,
) -> None:
    """Serve a study; print a permanent link for each participant."""
    _need_web()
    from homebody.web.serving import ServerOptions, serve_study
    from homebody.web.studies.study import read_study

    study = read_study(file)
    prepare_suite(study.suite)

    def tell(links: dict[int, str]) -> None:
        for number, link in links.items():
            say(f"participant {number}: {link}")
        note(f"games are recorded in {record}; Ctrl-C stops the server")

    serve_study(study, ServerOptions(host, port, tuple(allow or ()), pace, record), tell)


@study_app.command()
def results(
    file: StudyFile,
    record: Record = Path("study"),
    format: FormatName = "table",
    out: Annotated[
        Path | None,
        Option(
            "-o",
            metavar="DIR",
            panel=OUTPUT,
            help="Also write DIR/<condition>_outputs.json for homebody score.",
        ),
    ] = None,
) -> None:
    """Show the results of a study, one row per try of each participant."""
    from homebody.results.table import render_records
    from homebody.web.studies.results import result_rows, write_study_outputs
    from homebody.web.studies.study import read_study

    form = read_format(format)
    study = read_study(file)
    prepare_suite(study.suite)
    say_text(render_records(result_rows(study, record), form))
    if out is not None:
        for written in write_study_outputs(study, record, out):
            note(f"written: {written}")


@study_app.command()
def delete(
    file: StudyFile,
    participant: Annotated[int, Argument(help="Number of the participant.")],
    record: Record = Path("study"),
) -> None:
    """Delete all data of a participant, including the games played."""
    from homebody.web.serving import delete_participant
    from homebody.web.studies.study import read_study

    study = read_study(file)
    count = delete_participant(study, record, participant)
    say(f"removed participant {participant} and {count} games")
