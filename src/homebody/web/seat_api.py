"""The HTTP API of a role; each request needs the role's token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, TypeVar

import orjson
from fastapi import APIRouter, Query, Response, WebSocket
from starlette.exceptions import HTTPException

from homebody.web.access import RateLimits
from homebody.web.game_thread import Stage
from homebody.web.hosted_game import HostedGame
from homebody.web.live import Live
from homebody.web.request_bodies import Act, Meshes, Token, Written
from homebody.web.scene_json import join_meshes

T = TypeVar("T")
BYTES: Final = "application/octet-stream"


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")


def seat_api(stage: Stage, prefix: str) -> APIRouter:
    """Return the routes of roles below a prefix."""
    api = APIRouter(prefix=prefix)
    rates = RateLimits()

    async def play(token: str, do: Callable[[HostedGame, str], T]) -> T:
        if not stage.has_token(token):
            raise HTTPException(404)
        if not rates.allow(token):
            raise HTTPException(429, "too many requests: wait a second")
        done = await stage.play(token, do)
        if done is None:
            raise HTTPException(404)
        return done[1]

    @api.get("")
    async def seat(token: Token, here: bool = True) -> Response:
        """Return the observation of the role.

        With ``here=false``, the player observes without joining. A game begins when all players
        have joined.
        """
        return _json(await play(token, lambda game, role: game.seat(role, here)))

    @api.get("/options")
    async def options(token: Token, words: Annotated[str, Query(max_length=200)]) -> Response:
        """Return up to 60 options that contain all of these words, also unlisted ones."""
        return _json(await play(token, lambda game, role: game.find(role, words.split())))

    @api.get("/image/{number}")
    async def image(number: int, token: Token) -> Response:
        """Return a picture of the role's current view, as PNG."""
        seen = await play(token, lambda game, role: game.image(role, number))
        if seen is None:
            raise HTTPException(404)
        return Response(await asyncio.to_thread(seen.png, fast=True), media_type="image/png")

    @api.get("/scene")
    async def scene(
        token: Token, since: int = -1, of: Annotated[str, Query(max_length=100)] = ""
    ) -> Response:
        """Return the role's 3D knowledge of a world with geometry.

        The result has ``eye``, ``shell``, ``things`` and ``agents``. If the revision equals
        ``since``, it has only the revision. With ``of``, it is the knowledge of that partner, if
        the role may see it.
        """
        known = await play(
            token,
            lambda game, role: (
                {"revision": since} if game.revision == since else game.scene(role, of)
            ),
        )
        if known is None:
            raise HTTPException(404)
        return _json(known)

    async def draw(token: str, names: Sequence[str]) -> list[bytes]:
        makers = await play(token, lambda game, role: game.meshes(role, names))
        if makers is None:
            raise HTTPException(404)
        return await asyncio.to_thread(lambda: [make() for make in makers])

    @api.get("/mesh/{name}")
    async def mesh(name: str, token: Token) -> Response:
        """Return a mesh of a solid in the role's scene."""
        (made,) = await draw(token, [name])
        return Response(made, media_type=BYTES)

    @api.post("/meshes")
    async def meshes(body: Meshes, token: Token) -> Response:
        """Return several meshes one after the other, each after its size in bytes."""
        return Response(join_meshes(await draw(token, body.names)), media_type=BYTES)

    @api.post("/act")
    async def act(body: Act, token: Token) -> Response:
        """Let the role act."""
        return _json(
            await play(
                token,
                lambda game, role: game.act(role, body.action_input(), body.id, body.revision),
            )
        )

    @api.post("/message")
    async def message(body: Written, token: Token) -> Response:
        """Write to the other players, if there is a chat."""
        return _json(await play(token, lambda game, role: game.write(role, body.text, body.id)))

    @api.get("/result")
    async def result(token: Token) -> Response:
        """Return the result after the end."""
        return _json(await play(token, lambda game, role: game.result()))

    live = Live(stage, rates)

    @api.websocket("/live")
    async def talk(socket: WebSocket) -> None:
        """Send the observation whenever it changes, and receive actions."""
        await live.talk(socket)

    return api
