"""The server: the HTTP API of games, what is told live, and the page.

All of ``/api/v1`` is JSON. Who plays a role has a token of it, and says so in each request:
``Authorization: Bearer TOKEN``. An error is ``{"error": sentence, "advice": sentence}``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

import orjson
from fastapi import APIRouter, Depends, FastAPI, Header, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect

from homebody._version import __version__
from homebody.core import CORRECTED, HomebodyError, ToolCall
from homebody.core.session import Said
from homebody.core.shown import shown
from homebody.suites import get_suite
from homebody.web.access import LOCAL, RateLimits, bearer, is_same
from homebody.web.games import MAX_MESSAGE, HostedGame, Refused
from homebody.web.guard import Guard, page_of
from homebody.web.journal import MAX_SAID
from homebody.web.lobby import Lobby
from homebody.web.registry import Games
from homebody.web.scene_json import MAX_MESHES, several
from homebody.web.stage import Stage

T = TypeVar("T")
API: Final = "/api/v1"
PAGE: Final = Path(__file__).parent / "page"
FIRST: Final = 10.0
"""Seconds in which a WebSocket has to say whose it is."""
SLOW: Final = 20.0
"""Seconds after which a client that does not read what it is sent is cut off."""
ALIVE: Final = 20.0
"""Seconds after which a game is told that who plays a role is still connected."""
MAX_LIVE: Final = 4
"""WebSockets of one token."""
BYTES: Final = "application/octet-stream"
NOT_THERE: Final = "there is no such thing"


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Call(_Body):
    """A call of a tool."""

    name: Annotated[str, Field(max_length=100)]
    arguments: dict[Annotated[str, Field(max_length=100)], str | None] = {}


class Act(_Body):
    """Something to be done. The same id again does nothing, and gives the same reply."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    said: Annotated[str, Field(max_length=MAX_SAID)] | int | Call = Field(
        description="an action as it is written, Name[argument, ...]; the number of an option, from"
        " 0; or a call of a tool"
    )
    revision: int | None = Field(
        None, description="what was known when this was decided: refused if it is so no more"
    )

    def meant(self) -> Said:
        """What is said, as sessions take it."""
        said = self.said
        return ToolCall(said.name, said.arguments) if isinstance(said, Call) else said


class Written(_Body):
    """Something that is written to the others. The same id again does nothing."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    text: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE)]


class Meshes(_Body):
    """Meshes that are asked for."""

    names: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MAX_MESHES)]


class NewSession(_Body):
    """A game to be made."""

    suite: Annotated[str, Field(max_length=100)]
    task: Annotated[str, Field(max_length=300)] | None = None
    settings: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=300)]] = (
        Field(default={}, max_length=50)
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    seats: dict[Annotated[str, Field(max_length=100)], Annotated[str, Field(max_length=200)]] = (
        Field(max_length=10, description="role -> person, expert, random, idle, or a model's name")
    )
    chat: bool = Field(False, description="whether persons can write to each other")


class Made(_Body):
    """A game that was made: its name, and the tokens of the roles that persons play."""

    session: str
    seats: dict[str, str]


def _error(status: int, error: str, advice: str = "") -> JSONResponse:
    return JSONResponse({"error": shown(error, 500), "advice": shown(advice, 500)}, status)


def _json(value: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, media_type="application/json")


def make_app(
    games: Games,
    host_token: str,
    hosts: frozenset[str] = frozenset(LOCAL),
    lobby: Lobby | None = None,
    routers: Callable[[Stage], Sequence[APIRouter]] = lambda stage: (),
    page: Path = PAGE,
) -> FastAPI:
    """The server's application.

    Args:
        games: What is played.
        host_token: Of whoever may make games.
        hosts: Names by which the server is called; ``*`` for any.
        lobby: Where people are paired, if there is one.
        routers: What else is served, such as studies.
        page: Folder of the page.
    """
    stage = Stage(games)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        tidying = asyncio.create_task(stage.keep_house())
        yield
        tidying.cancel()
        await stage.close()

    app = FastAPI(
        title="homebody play",
        version=__version__,
        description="Play the tasks of suites: sessions that are observed and acted in.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,  # its page is from somebody else's server
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.stage = stage
    _handle_errors(app)
    app.include_router(_host_api(stage, host_token))
    app.include_router(_seat_api(stage))
    for router in (*([_lobby_api(stage, lobby)] if lobby else []), *routers(stage)):
        app.include_router(router)
    if page.is_dir():
        app.mount("/", page_of(page))
    app.add_middleware(Guard, hosts=hosts)
    return app


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(HomebodyError)
    async def mistake(request: Request, error: HomebodyError) -> Response:
        return _error(422, str(error), error.hint)

    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return _error(409, str(error), error.advice)

    @app.exception_handler(HTTPException)
    async def status(request: Request, error: HTTPException) -> Response:
        text = NOT_THERE if error.status_code == 404 else str(error.detail)
        return _error(error.status_code, text)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:200]
        return _error(422, f"{where}: {first['msg']}", f"see {API}/openapi.json")

    @app.exception_handler(Exception)
    async def bug(request: Request, error: Exception) -> Response:
        return _error(500, "something went wrong here", "try again; nothing was lost")


def _token(authorization: Annotated[str, Header()] = "") -> str:
    return bearer(authorization)


Token = Annotated[str, Depends(_token)]


def _host_api(stage: Stage, host_token: str) -> APIRouter:
    api = APIRouter(prefix=API)

    told: list[dict[str, Any]] = []  # once somebody has asked

    @api.get("/suites")
    async def suites() -> list[dict[str, Any]]:
        """The suites that are served."""
        if not told:
            told[:] = await stage.work(lambda games: [_suite_json(name) for name in games.served])
        return told

    @api.post("/sessions", status_code=201)
    async def create(new: NewSession, token: Token) -> Made:
        """Make a game; for who has the host's token."""
        if not is_same(token, host_token):
            raise HTTPException(404)
        game, tokens = await stage.work(
            lambda games: games.create(
                new.suite, new.seats, new.task, new.settings, new.seed, chat=new.chat
            )
        )
        return Made(session=game.header.session, seats=tokens)

    return api


def _lobby_api(stage: Stage, lobby: Lobby) -> APIRouter:
    api = APIRouter(prefix=f"{API}/lobby")

    @api.post("", status_code=201)
    async def enter(token: Token) -> dict[str, str]:
        """Wait for others; for who has the lobby's token."""
        if not is_same(token, lobby.token):
            raise HTTPException(404)
        return {"ticket": await stage.work(lambda games: lobby.enter())}

    @api.get("")
    async def look(token: Token) -> dict[str, Any]:
        """Whether there are enough: asked with the ticket, every second or so."""
        told = await stage.work(lambda games: lobby.look(token))
        if told is None:
            raise HTTPException(404)
        return told

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


def _version(seat: dict[str, Any]) -> tuple[object, ...]:
    """What is new of what a role is told, if it is told it again."""
    others = ((other["here"], other["thinking"] is None) for other in seat["others"])
    return seat["revision"], *others


def _seat_api(stage: Stage) -> APIRouter:
    api = APIRouter(prefix=f"{API}/seat")
    rates = RateLimits()
    live_count: dict[str, int] = {}

    async def played(token: str, do: Callable[[HostedGame, str], T]) -> T:
        if not stage.knows(token):
            raise HTTPException(404)
        if not rates.allows(token):
            raise HTTPException(429, "too many requests: wait a second")
        done = await stage.play(token, do)
        if done is None:
            raise HTTPException(404)
        return done[1]

    @api.get("")
    async def seat(token: Token) -> Response:
        """What the role is told now."""
        return _json(await played(token, lambda game, role: game.seat(role)))

    @api.get("/image/{number}")
    async def image(number: int, token: Token) -> Response:
        """A picture of what the role sees now, as PNG."""
        data = await played(token, lambda game, role: game.image(role, number))
        if data is None:
            raise HTTPException(404)
        return Response(data, media_type="image/png")

    @api.get("/scene")
    async def scene(token: Token, since: int = -1) -> Response:
        """What the role knows of a world with geometry, in 3-D: ``eye``, ``shell``, ``things`` and
        ``agents``; only its revision, if that is ``since``."""
        told = await played(
            token,
            lambda game, role: {"revision": since} if game.revision == since else game.scene(role),
        )
        if told is None:
            raise HTTPException(404)
        return _json(told)

    async def drawn(token: str, names: Sequence[str]) -> list[bytes]:
        makers = await played(token, lambda game, role: game.meshes(role, names))
        if makers is None:
            raise HTTPException(404)
        return await asyncio.to_thread(lambda: [make() for make in makers])

    @api.get("/mesh/{name}")
    async def mesh(name: str, token: Token) -> Response:
        """A mesh of a solid that the role was told of."""
        (made,) = await drawn(token, [name])
        return Response(made, media_type=BYTES)

    @api.post("/meshes")
    async def meshes(body: Meshes, token: Token) -> Response:
        """Several meshes, one after the other, each after the number of its bytes."""
        return Response(several(await drawn(token, body.names)), media_type=BYTES)

    @api.post("/act")
    async def act(body: Act, token: Token) -> Response:
        """Have the role do something."""
        return _json(
            await played(
                token, lambda game, role: game.act(role, body.meant(), body.id, body.revision)
            )
        )

    @api.post("/message")
    async def message(body: Written, token: Token) -> Response:
        """Write to the others, where that is possible."""
        return _json(await played(token, lambda game, role: game.write(role, body.text, body.id)))

    @api.get("/result")
    async def result(token: Token) -> Response:
        """How it went, after the end."""
        return _json(await played(token, lambda game, role: game.result()))

    @api.websocket("/live")
    async def live(socket: WebSocket) -> None:
        await socket.accept()
        try:
            first = await asyncio.wait_for(socket.receive_text(), FIRST)
            opened = orjson.loads(first)
            token, since = str(opened["token"]), int(opened.get("since", -1))
        except (TimeoutError, ValueError, KeyError, TypeError, AttributeError):
            return await socket.close(4400, "the first message is a token and since")
        except WebSocketDisconnect:
            return None
        found = await stage.play(token, lambda game, role: role) if stage.knows(token) else None
        if found is None:
            return await socket.close(4404, NOT_THERE)
        if live_count.get(token, 0) >= MAX_LIVE:
            return await socket.close(4429, "there are enough connections of this role")
        live_count[token] = live_count.get(token, 0) + 1
        try:
            await _talk(socket, token, found[0], since)
        finally:
            live_count[token] -= 1
            if not live_count[token]:
                del live_count[token]
        return None

    async def _talk(socket: WebSocket, token: str, session: str, since: int) -> None:
        with stage.watching(session) as changed:
            telling = asyncio.create_task(_tell(socket, token, changed, since))
            hearing = asyncio.create_task(_hear(socket, token))
            done, pending = await asyncio.wait(
                (telling, hearing), return_when=asyncio.FIRST_COMPLETED
            )
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                error = task.exception()
                if isinstance(error, HomebodyError):  # its journal cannot be read or written
                    await socket.close(1011, shown(str(error), 100))
                elif error is not None and not isinstance(
                    error, WebSocketDisconnect | TimeoutError
                ):
                    raise error

    async def _tell(socket: WebSocket, token: str, changed: asyncio.Event, since: int) -> None:
        """Tell what is so whenever it has changed: the newest, whatever came between."""
        told: tuple[object, ...] = (since,)
        while True:
            changed.clear()
            done = await stage.play(token, lambda game, role: game.seat(role))
            if done is None:
                return
            now = _version(done[1])
            if now[: len(told)] != told:
                text = orjson.dumps({"seat": done[1]}).decode()
                await asyncio.wait_for(socket.send_text(text), SLOW)
            told = now
            with suppress(TimeoutError):  # whoever is connected is there, though nothing happens
                await asyncio.wait_for(changed.wait(), ALIVE)

    async def _hear(socket: WebSocket, token: str) -> None:
        while True:
            message = await socket.receive_text()
            if not rates.allows(token):
                return await socket.close(4429, "too many messages")
            try:
                body = Act.model_validate(orjson.loads(message)["act"])
            except (ValueError, KeyError, TypeError):
                return await socket.close(4400, "a message is an act")
            reply = await _acted(token, body)
            await asyncio.wait_for(socket.send_text(orjson.dumps(reply).decode()), SLOW)

    async def _acted(token: str, body: Act) -> dict[str, Any]:
        try:
            done = await stage.play(
                token, lambda game, role: game.act(role, body.meant(), body.id, body.revision)
            )
        except HomebodyError as error:
            return {"id": body.id, "error": str(error), "advice": error.hint}
        except Refused as error:
            return {"id": body.id, "error": str(error), "advice": error.advice}
        if done is None:
            return {"id": body.id, "error": NOT_THERE, "advice": ""}
        return {"id": body.id, "reply": done[1]}

    return api
