"""What who plays a role can ask and do, over HTTP: with its token alone."""

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
from homebody.web.observation_json import encode_png
from homebody.web.request_bodies import Act, Meshes, Token, Written
from homebody.web.scene_json import join_meshes

T = TypeVar("T")
BYTES: Final = "application/octet-stream"


def _json(value: Any) -> Response:
    return Response(orjson.dumps(value), media_type="application/json")


def seat_api(stage: Stage, prefix: str) -> APIRouter:
    """What is served to roles, at a place."""
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
        """What the role is told now. With ``here=false`` whoever plays it only looks, and has not
        come by that: nothing begins before all have."""
        return _json(await play(token, lambda game, role: game.seat(role, here)))

    @api.get("/options")
    async def options(token: Token, words: Annotated[str, Query(max_length=200)]) -> Response:
        """What the role can do that has all of these words in it, also what is in no list: the
        first 60."""
        return _json(await play(token, lambda game, role: game.find(role, words.split())))

    @api.get("/image/{number}")
    async def image(number: int, token: Token) -> Response:
        """A picture of what the role sees now, as PNG."""
        seen = await play(token, lambda game, role: game.image(role, number))
        if seen is None:
            raise HTTPException(404)
        return Response(await asyncio.to_thread(encode_png, seen), media_type="image/png")

    @api.get("/scene")
    async def scene(
        token: Token, since: int = -1, of: Annotated[str, Query(max_length=100)] = ""
    ) -> Response:
        """What the role knows of a world with geometry, in 3-D: ``eye``, ``shell``, ``things`` and
        ``agents``; only its revision, if that is ``since``. With ``of``, what that partner knows,
        where the role may see it."""
        told = await play(
            token,
            lambda game, role: (
                {"revision": since} if game.revision == since else game.scene(role, of)
            ),
        )
        if told is None:
            raise HTTPException(404)
        return _json(told)

    async def draw(token: str, names: Sequence[str]) -> list[bytes]:
        makers = await play(token, lambda game, role: game.meshes(role, names))
        if makers is None:
            raise HTTPException(404)
        return await asyncio.to_thread(lambda: [make() for make in makers])

    @api.get("/mesh/{name}")
    async def mesh(name: str, token: Token) -> Response:
        """A mesh of a solid that the role was told of."""
        (made,) = await draw(token, [name])
        return Response(made, media_type=BYTES)

    @api.post("/meshes")
    async def meshes(body: Meshes, token: Token) -> Response:
        """Several meshes, one after the other, each after the number of its bytes."""
        return Response(join_meshes(await draw(token, body.names)), media_type=BYTES)

    @api.post("/act")
    async def act(body: Act, token: Token) -> Response:
        """Have the role do something."""
        return _json(
            await play(
                token,
                lambda game, role: game.act(role, body.action_input(), body.id, body.revision),
            )
        )

    @api.post("/message")
    async def message(body: Written, token: Token) -> Response:
        """Write to the others, where that is possible."""
        return _json(await play(token, lambda game, role: game.write(role, body.text, body.id)))

    @api.get("/result")
    async def result(token: Token) -> Response:
        """How it went, after the end."""
        return _json(await play(token, lambda game, role: game.result()))

    live = Live(stage, rates)

    @api.websocket("/live")
    async def talk(socket: WebSocket) -> None:
        """Tell the role what is so whenever it has changed, and have it act."""
        await live.talk(socket)

    return api
