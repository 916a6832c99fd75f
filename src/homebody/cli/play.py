"""`homebody play`: play in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import (
    AllowedHosts,
    DriverName,
    Host,
    Pace,
    Port,
    RandomSeed,
    Settings,
    SuiteName,
    app,
    prepare_suite,
    read_pairs,
)
from homebody.cli.command import OUTPUT, PLAY, TASKS, Option
from homebody.cli.printing import note, say
from homebody.core import CORRECTED, HomebodyError

if TYPE_CHECKING:
    from homebody.core import Suite


@app.command()
def play(
    suite: SuiteName,
    task: Annotated[
        str | None, Option(metavar="ID", panel=TASKS, help="Id of the task. The first if omitted.")
    ] = None,
    role: Annotated[
        str | None, Option("-r", metavar="ROLE", panel=PLAY, help="Your role. The last if omitted.")
    ] = None,
    partner: Annotated[
        str | None,
        Option(
            metavar="NAME",
            panel=PLAY,
            help="Player of the other roles: person, a policy such as expert, or a model. In PARTNR"
            " fair if omitted; elsewhere the suite's expert or oracle.",
        ),
    ] = None,
    settings: Settings = None,
    driver: DriverName = None,
    seed: RandomSeed = 0,
    host: Host = "127.0.0.1",
    port: Port = 8765,
    allow: AllowedHosts = None,
    pace: Pace = 1.0,
    chat: Annotated[bool, Option(panel=PLAY, help="Let people write to each other.")] = False,
    partners_view: Annotated[
        bool, Option(panel=PLAY, help="Show people what their partners see and do.")
    ] = False,
    record: Annotated[
        Path, Option(metavar="DIR", panel=OUTPUT, help="Folder of recorded games.")
    ] = Path("play"),
    host_token: Annotated[
        str,
        Option(
            metavar="TOKEN", envvar="HOMEBODY_HOST_TOKEN", help="Token required to create games."
        ),
    ] = "",
) -> None:
    """Play a task in a browser, alone or with others."""
    try:
        from homebody.web.game_setup import Setup
        from homebody.web.serving import Links, ServerOptions, serve
    except ImportError as error:
        raise HomebodyError(
            f"play needs a web server that cannot be imported: {error}",
            "pip install 'homebody[web]'",
        ) from error

    chosen = read_pairs(settings, "--set team=single")
    seats = assign_seats(prepare_suite(suite), chosen, role, partner)

    def tell(links: Links) -> None:
        for error in links.wrong:
            note(error.advice)
        for seat, link in links.seats.items():
            say(f"{seat}: {link}")
        for seat, player in seats.items():
            if seat not in links.seats:
                note(f"{seat} is played by {player}")
        say(f"lobby for others: {links.lobby}")
        note(f"games are recorded in {record}; Ctrl-C stops the server")

    where = ServerOptions(host, port, tuple(allow or ()), pace, record, host_token)
    setup = Setup(suite, seats, task, chosen, seed, chat, driver or "", partners_view)
    serve(setup, where, tell)


def assign_seats(
    suite: Suite[Any], settings: dict[str, str], role: str | None, partner: str | None
) -> dict[str, str]:
    """Return role -> player. Raises HomebodyError if there is no such role."""
    playing = suite.playing
    if playing is None:
        raise HomebodyError(f"{suite.name} is not played", "see: homebody list")
    playing.check(settings)
    first = suite.tasks.load(CORRECTED)[0]
    roles = playing.start(first, playing.drop_defaults(settings), 0, CORRECTED).roles
    mine = role or roles[-1]
    if mine not in roles:
        raise HomebodyError(f"unknown role: {mine[:40]!r}", f"choose one of: {', '.join(roles)}")
    other = partner or suite.usual_partner
    return {each: "person" if each == mine else other for each in roles}
