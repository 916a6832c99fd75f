"""`homebody play`: people play, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import DriverName, Settings, SuiteName, app, pairs_of, prepared
from homebody.cli.command import Option
from homebody.cli.printing import note, say
from homebody.core import CORRECTED, HomebodyError

if TYPE_CHECKING:
    from homebody.core import Suite


@app.command()
def play(
    suite: SuiteName,
    task: Annotated[str | None, Option("--task", help="Id of the task; else the first")] = None,
    role: Annotated[
        str | None, Option("--role", "-r", help="Whom you play; else the last of its roles")
    ] = None,
    partner: Annotated[
        str | None,
        Option(
            "--partner",
            help="Who plays the other roles: person, expert, random, idle or a model's name;"
            " else expert, where there is one",
        ),
    ] = None,
    settings: Settings = None,
    driver: DriverName = None,
    seed: Annotated[int, Option("--seed", help="Of all that is random")] = 0,
    host: Annotated[str, Option("--host", help="Address to listen at")] = "127.0.0.1",
    port: Annotated[int, Option("--port", help="Port to listen at")] = 8765,
    allow: Annotated[
        list[str] | None,
        Option("--allow-host", help="Another name of this server; repeatable"),
    ] = None,
    pace: Annotated[
        float,
        Option("--pace", help="Seconds of the world that pass in one of those who think", min=0.1),
    ] = 1.0,
    chat: Annotated[
        bool, Option("--chat", help="People who play together can write to each other")
    ] = False,
    partners_view: Annotated[
        bool, Option("--partners-view", help="People see what their partners see and do")
    ] = False,
    record: Annotated[
        Path, Option("--record", metavar="DIR", help="Where all that is played is kept")
    ] = Path("play"),
    host_token: Annotated[
        str,
        Option("--host-token", envvar="HOMEBODY_HOST_TOKEN", help="Of who may make games"),
    ] = "",
) -> None:
    """Play a task in a browser, alone or together."""
    try:
        from homebody.web.game_setup import Setup
        from homebody.web.serving import Links, Listening, serve
    except ImportError as error:
        raise HomebodyError(
            f"playing needs a web server, which cannot be imported: {error}",
            "pip install 'homebody[web]'",
        ) from error

    chosen = pairs_of(settings, "--set team=single")
    seats = seats_of(prepared(suite), chosen, role, partner)

    def tell(links: Links) -> None:
        for error in links.wrong:
            note(error.advice)
        for seat, link in links.seats.items():
            say(f"{seat}: {link}")
        say(f"all others who want to play: {links.lobby}")
        note(f"all that is played is kept in {record}; Ctrl-C stops the server")

    where = Listening(host, port, tuple(allow or ()), pace, record, host_token)
    setup = Setup(suite, seats, task, chosen, seed, chat, driver or "", partners_view)
    serve(setup, where, tell)


def seats_of(
    suite: Suite[Any], settings: dict[str, str], role: str | None, partner: str | None
) -> dict[str, str]:
    """Role -> who plays it. Raises HomebodyError if there is no such role."""
    playing = suite.playing
    if playing is None:
        raise HomebodyError(f"{suite.name} is not played", "see: homebody list")
    playing.check(settings)
    first = suite.tasks.load(CORRECTED)[0]
    roles = playing.start(first, playing.drop_defaults(settings), 0, CORRECTED).roles
    mine = role or roles[-1]
    if mine not in roles:
        raise HomebodyError(f"there is no {mine[:40]!r}", f"there are: {', '.join(roles)}")
    other = partner or ("expert" if "expert" in playing.policies else "idle")
    return {each: "person" if each == mine else other for each in roles}
