"""Runs the server as a process. It starts with one game and creates more on request."""

from __future__ import annotations

import gc
import hashlib
import hmac
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Final

from fastapi import APIRouter

from homebody.core import CORRECTED, HomebodyError
from homebody.core.ground.files import lock_file, make_folder, write_whole
from homebody.core.ground.seeds import generator, shuffle
from homebody.evals.checks import check_model, need_inspect
from homebody.web.access import LOCAL, digest, new_token
from homebody.web.connection_limits import listen, make_server
from homebody.web.game_journal import SUFFIX, read_journal
from homebody.web.game_setup import Setup
from homebody.web.game_thread import Stage
from homebody.web.lobby import Lobby
from homebody.web.partners import is_model
from homebody.web.registry import SESSIONS, Games
from homebody.web.server import make_app
from homebody.web.studies.api import study_api
from homebody.web.studies.assignment import assign
from homebody.web.studies.participants import Try, read_lines
from homebody.web.studies.running import RunningStudy, participant_file, seat_token
from homebody.web.studies.study import Study

ANYWHERE: Final = ("0.0.0.0", "::", "")
"""Addresses that stand for all addresses of this machine."""
HOST_TOKEN: Final = "host-token"
"""Name of the file with the token required to create games, so that links stay the same."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Names and folder of a server.

    Attributes:
        host: Address to listen at.
        port: Port to listen at; 0 for a free one.
        names: Other names of the server; links have the first.
        pace: World seconds that pass per second of thinking.
        record: Folder in which everything is stored.
        host_token: Token required to create games; empty to use the token in the folder.
    """

    host: str
    port: int
    names: tuple[str, ...]
    pace: float
    record: Path
    host_token: str = ""


@dataclass(frozen=True, slots=True)
class Links:
    """Links reported when the server is ready.

    Attributes:
        seats: Role of a person -> link.
        lobby: Link for everybody else.
        wrong: Errors of stored games that cannot be read.
    """

    seats: Mapping[str, str]
    lobby: str
    wrong: tuple[HomebodyError, ...]


@dataclass(frozen=True, slots=True)
class _OpenServer:
    """A server that listens but does not answer requests yet."""

    games: Games
    wrong: tuple[HomebodyError, ...]
    host_token: str
    url: str
    names: frozenset[str]
    sock: socket

    def run(
        self,
        lobby: Lobby | None = None,
        routers: Callable[[Stage], Sequence[APIRouter]] = lambda stage: (),
    ) -> None:
        _collect_garbage_rarely()
        app = make_app(self.games, self.host_token, self.names, lobby, routers)
        make_server(app).run(sockets=[self.sock])


def _collect_garbage_rarely() -> None:
    """Make full garbage collections rare. With 50 games, each collection stops all players for 0.3
    s."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 5)


def serve(setup: Setup, where: ServerOptions, tell: Callable[[Links], object]) -> None:
    """Serve until interrupted.

    Args:
        setup: The task and the players of the first game and of the lobby's games.
        where: Address and folder of the server.
        tell: Called when the server is ready.

    Raises:
        HomebodyError: Another server uses the folder, the address is taken, no host name is given
            for an address that needs one, or a model cannot be queried.
    """
    _check_models(setup.seats.values())
    with _open_server(setup.suite, where) as opened:
        lobby = _make_lobby(opened.games, setup, opened.host_token)
        _, tokens = opened.games.create(setup)
        seats = {role: f"{opened.url}#{token}" for role, token in tokens.items()}
        tell(Links(seats, f"{opened.url}#lobby={lobby.token}", opened.wrong))
        opened.run(lobby)


def serve_study(
    study: Study, where: ServerOptions, tell: Callable[[dict[int, str]], object]
) -> None:
    """Serve a study until interrupted; ``tell`` receives the links. Errors as in :func:`serve`."""
    _check_models(kind for condition in study.conditions for kind in condition.seats.values())
    with _open_server(study.suite, where) as opened:
        running = RunningStudy(study, opened.games, where.record, opened.host_token)
        members = [member for group in running.groups for member in group.members]
        tell({member: f"{opened.url}#study={running.token(member)}" for member in members})
        opened.run(routers=lambda stage: [study_api(stage, running)])


def delete_participant(study: Study, record: Path, number: int) -> int:
    """Remove all stored data of a participant. Return the number of the participant's games.

    Raises HomebodyError if the study is being served, or there is no such participant.
    """
    with lock_file(record / ".lock", f"first stop the server that uses {record}"):
        file = participant_file(record, number)
        if not file.exists():
            raise HomebodyError(f"nothing is stored of participant {number}")
        games = Games(record, (study.suite,), 1.0)
        sessions = {line.session for line in read_lines(file) if isinstance(line, Try)}
        tokens = {digest(token) for token in _participant_tokens(study, record, number)}
        for path in (record / SESSIONS).glob(f"*{SUFFIX}"):  # also unfinished ones
            header, _ = read_journal(path)
            if tokens & set(header.digests.values()):
                sessions.add(header.session)
        for session in sessions:
            games.forget(session)
        games.close()
        file.unlink()
    return len(sessions)


def _participant_tokens(study: Study, record: Path, number: int) -> Iterator[str]:
    """Return the tokens of all games that a participant can have played."""
    secret = _keep_token(record / HOST_TOKEN)
    group = next((group for group in assign(study) if number in group.members), None)
    for item in range(len(group.items) if group is not None else 0):
        for count in range(1, study.tries + 1):
            yield seat_token(secret, number, item, count)


def _check_models(kinds: Iterable[str]) -> None:
    for kind in filter(is_model, kinds):
        need_inspect()
        check_model(kind)


@contextmanager
def _open_server(suite: str, where: ServerOptions) -> Iterator[_OpenServer]:
    """Lock a server's folder, listen at its address and load the stored games."""
    if where.host in ANYWHERE and not where.names:
        raise HomebodyError(
            "a server that listens at all addresses needs a name for its links",
            "for example: --allow-host 192.168.1.20",
        )
    make_folder(where.record)
    with (
        lock_file(where.record / ".lock", f"another server uses {where.record}"),
        listen(where.host, where.port) as sock,
    ):
        games = Games(where.record, (suite,), where.pace)
        wrong = tuple(games.load())
        name = where.names[0] if where.host in ANYWHERE else where.host
        yield _OpenServer(
            games,
            wrong,
            where.host_token or _keep_token(where.record / HOST_TOKEN),
            f"http://{f'[{name}]' if ':' in name else name}:{sock.getsockname()[1]}/",
            frozenset({*LOCAL, name, *where.names}),
            sock,
        )


def _make_lobby(games: Games, setup: Setup, host_token: str) -> Lobby:
    """Return the lobby. Its token is derived from the host's token; the order of tasks depends on
    the seed."""
    suite = games.suite(setup.suite)
    tasks = [suite.tasks.identify(task) for task in suite.tasks.load(CORRECTED)]
    order = generator(f"lobby {setup.seed}")
    mixed = shuffle(order, tasks) if setup.task is None else [setup.task]
    token = hmac.new(host_token.encode(), b"lobby", hashlib.sha256).hexdigest()[:48]
    return Lobby(games, token, setup, mixed)


def _keep_token(path: Path) -> str:
    """Return the token in a file, created if needed. Only its owner may read it."""
    if path.is_file():
        kept = path.read_text("utf-8").strip()
        if kept:
            return kept
    token = new_token()
    write_whole(path, "")
    os.chmod(path, 0o600)
    write_whole(path, token)
    return token
