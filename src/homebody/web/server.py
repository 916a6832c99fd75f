"""The server: HTTP API of games, live updates and the page.

All requests and replies of ``/api/v1`` are JSON. Each request of a player has the token of its
role: ``Authorization: Bearer TOKEN``. An error is ``{"error": sentence, "advice": sentence}``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from homebody._version import __version__
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape
from homebody.web.access import LOCAL, RefusedError
from homebody.web.game_thread import Stage
from homebody.web.guard import Guard, page_of
from homebody.web.host_api import host_api, lobby_api
from homebody.web.live import NOT_THERE
from homebody.web.lobby import Lobby
from homebody.web.registry import Games
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
    app.include_router(host_api(stage, API, host_token))
    app.include_router(seat_api(stage, f"{API}/seat"))
    for router in (*([lobby_api(stage, f"{API}/lobby", lobby)] if lobby else []), *routers(stage)):
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
