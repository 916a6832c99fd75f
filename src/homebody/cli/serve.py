"""`homebody serve`: let programs play over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import (
    DriverName,
    RandomSeed,
    Settings,
    SuiteName,
    app,
    prepare_suite,
    read_pairs,
)
from homebody.cli.command import OUTPUT, PLAY, TASKS, Option
from homebody.cli.play import assign_seats
from homebody.cli.printing import note
from homebody.core import HomebodyError


@app.command()
def serve(
    suite: SuiteName,
    mcp: Annotated[bool, Option(help="Serve tools of the Model Context Protocol.")] = False,
    task: Annotated[
        str | None, Option(metavar="ID", panel=TASKS, help="Id of the task. The first if omitted.")
    ] = None,
    role: Annotated[
        str | None,
        Option("-r", metavar="ROLE", panel=PLAY, help="The client's role. The last if omitted."),
    ] = None,
    partner: Annotated[
        str | None,
        Option(
            metavar="NAME",
            panel=PLAY,
            help="Player of the other roles: a policy such as expert, or a model. In PARTNR fair if"
            " omitted; elsewhere the suite's expert or oracle.",
        ),
    ] = None,
    settings: Settings = None,
    driver: DriverName = None,
    seed: RandomSeed = 0,
    port: Annotated[
        int | None, Option(help="Serve HTTP at this port. Standard input and output if omitted.")
    ] = None,
    record: Annotated[
        Path | None, Option(metavar="DIR", panel=OUTPUT, help="Folder of recorded games.")
    ] = None,
) -> None:
    """Let a program play a task through tools (MCP)."""
    if not mcp:
        raise HomebodyError("give --mcp", "for people and an HTTP API: homebody play")
    try:
        from homebody.web.game_setup import Setup
        from homebody.web.mcp import serve as serve_game
    except ImportError as error:
        raise HomebodyError(
            f"this needs a library that cannot be imported: {error}",
            "pip install 'homebody[mcp]'",
        ) from error

    chosen = read_pairs(settings, "--set team=single")
    seats = assign_seats(prepare_suite(suite), chosen, role, partner)
    if sum(kind == "person" for kind in seats.values()) != 1:
        raise HomebodyError(
            "a client plays exactly one role", "let --partner expert play the others"
        )
    setup = Setup(suite, seats, task, chosen, seed, driver=driver or "")
    serve_game(setup, record, port, note)
