"""The server: HTTP API of games, live updates and the page.

All of ``/api/v1`` is JSON. Each request of a player has the token of its role:
``Authorization: Bearer TOKEN``. An error is ``{"error": sentence, "advice": sentence}``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from homebody._version import __version__
from homebody.core import CORRECTED, HomebodyError
from homebody.core.ground.escaping import escape
from homebody.suites import get_suite
from homebody.web.access import LOCAL, RefusedError, is_same
from homebody.web.game_thread import Stage
from homebody.web.guard import Guard, page_of
from homebody.web.live import NOT_THERE
from homebody.web.lobby import Lobby
from homebody.web.registry import Games
from homebody.web.request_bodies import Made, NewSession, Token
from homebody.web.seat_api import seat_api

API: Final = "/api/v1"
PAGE: Final = Path(__file__).parent / "page"


def _error(handle_status: int, error: str, advice: str = "") -> JSONResponse:
    return JSONResponse({"error": escape(error, 500), "advice": escape(advice, 500)}, handle_status)


def make_app(
    games: Games,
    host_token: str,
    hosts: frozenset[str] = frozenset(LOCAL),
    lobby: Lobby | None = None,
    routers: Callable[[Stage], Sequence[APIRouter]] = lambda stage: (),
    page: Path = PAGE,
) -> FastAPI:
    """Return the server's application.

    Args:
        games: The games.
        host_token: Token required to create games.
        hosts: Names of the server; ``*`` for any.
        lobby: Lobby that pairs people, if any.
        routers: Makes further routes, such as those of studies.
        page: Folder of the page.
    """
    stage = Stage(games)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(stage.tidy_periodically())
        yield
        tidying.cancel()
        await stage.close()

    app = FastAPI(
        title="homebody play",
        version=__version__,
        description="Play the tasks of suites in sessions.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page loads from another server
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.stage = stage
    _handle_errors(app)
    app.include_router(_host_api(stage, host_token))
    app.include_router(seat_api(stage, f"{API}/seat"))
    for router in (*([_lobby_api(stage, lobby)] if lobby else []), *routers(stage)):
        app.include_router(router)
    if page.is_dir():
        app.mount("/", page_of(page))
    app.add_middleware(Guard, hosts=hosts)
    return app


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(HomebodyError)
    async def handle_mistake(request: Request, error: HomebodyError) -> Response:
        return _error(422, str(error), error.hint)

    @app.exception_handler(RefusedError)
    async def handle_refused(request: Request, error: RefusedError) -> Response:
        return _error(409, str(error), error.advice)

    @app.exception_handler(HTTPException)
    async def handle_status(request: Request, error: HTTPException) -> Response:
        text = NOT_THERE if error.status_code == 404 else str(error.detail)
        return _error(error.status_code, text)

    @app.exception_handler(RequestValidationError)
    async def handle_malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:200]
        return _error(422, f"{where}: {first['msg']}", f"see {API}/openapi.json")

    @app.exception_handler(Exception)
    async def handle_bug(request: Request, error: Exception) -> Response:
        return _error(500, "the server failed", "try again; nothing was lost")


def _host_api(stage: Stage, host_token: str) -> APIRouter:
    api = APIRouter(prefix=API)

    cached: list[dict[str, Any]] = []  # filled by the first request

    @api.get("/suites")
    async def suites() -> list[dict[str, Any]]:
        """Return the suites that are served."""
        if not cached:
            cached[:] = await stage.work(lambda games: [_suite_json(name) for name in games.served])
        return cached

    @api.post("/sessions", status_code=201)
    async def create(new: NewSession, token: Token) -> Made:
        """Create a game; requires the host's token."""
        if not is_same(token, host_token):
            raise HTTPException(404)
        game, tokens = await stage.work(lambda games: games.create(new.setup()))
        return Made(session=game.header.session, seats=tokens)

    return api


def _lobby_api(stage: Stage, lobby: Lobby) -> APIRouter:
    api = APIRouter(prefix=f"{API}/lobby")

    @api.post("", status_code=201)
    async def enter(token: Token) -> dict[str, str]:
        """Wait for others; requires the lobby's token."""
        if not is_same(token, lobby.token):
            raise HTTPException(404)
        return {"ticket": await stage.work(lambda games: lobby.enter())}

    @api.get("")
    async def look(token: Token) -> dict[str, Any]:
        """Return how many are waiting; poll it with the ticket, about once a second."""
        ticket = await stage.work(lambda games: lobby.look(token))
        if ticket is None:
            raise HTTPException(404)
        return ticket

    return api


def _suite_json(name: str) -> dict[str, Any]:
    suite = get_suite(name)
    playing = suite.playing
    assert playing is not None
    return {
        "suite": name,
        "title": suite.title,
        "tasks": len(suite.tasks.load(CORRECTED)),
        "roles": list(playing.roles),
        "partners": list(playing.policies),
        "settings": {key: list(values) for key, values in playing.settings.items()},
    }
