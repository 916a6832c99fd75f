"""`homebody serve`: programs play, by the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from homebody.cli.app import DriverName, Settings, SuiteName, app, prepare_suite, read_pairs
from homebody.cli.command import Option
from homebody.cli.play import assign_seats
from homebody.cli.printing import note
from homebody.core import HomebodyError


@app.command()
def serve(
    suite: SuiteName,
    mcp: Annotated[bool, Option("--mcp", help="As tools of the Model Context Protocol")] = False,
    task: Annotated[str | None, Option("--task", help="Id of the task; else the first")] = None,
    role: Annotated[
        str | None, Option("--role", "-r", help="Whom the client plays; else the last role")
    ] = None,
    partner: Annotated[
        str | None,
        Option(
            "--partner",
            help="Who plays the other roles: expert, random, idle or a model's name; else expert",
        ),
    ] = None,
    settings: Settings = None,
    driver: DriverName = None,
    seed: Annotated[int, Option("--seed", help="Of all that is random")] = 0,
    port: Annotated[
        int | None,
        Option("--port", help="For HTTP on this machine; standard input and output if not"),
    ] = None,
    record: Annotated[
        Path | None, Option("--record", metavar="DIR", help="Where what is played is kept")
    ] = None,
) -> None:
    """Have a program play a task, by tools (MCP)."""
    if not mcp:
        raise HomebodyError("serve what?", "--mcp; for people and an HTTP API: homebody play")
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
        raise HomebodyError("a client plays one role", "have others played by --partner expert")
    setup = Setup(suite, seats, task, chosen, seed, driver=driver or "")
    serve_game(setup, record, port, note)
