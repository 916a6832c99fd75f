"""What a role is told as it happens, over a WebSocket: the newest, whenever it has changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import orjson
from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape
from homebody.web.access import RateLimits, RefusedError
from homebody.web.game_thread import Stage
from homebody.web.request_bodies import Act

FIRST: Final = 10.0
"""Seconds in which a WebSocket has to say whose it is."""
SLOW: Final = 20.0
"""Seconds after which a client that does not read what it is sent is cut off."""
ALIVE: Final = 20.0
"""Seconds after which a game is told that who plays a role is still connected."""
MAX_LIVE: Final = 4
"""WebSockets of one token."""
NOT_THERE: Final = "there is no such thing"


class Live:
    """Talks over WebSockets: tells roles what is so, and has them act.

    Args:
        stage: Where their games are played.
        rates: How often who has a token may act.
    """

    def __init__(self, stage: Stage, rates: RateLimits) -> None:
        self._stage, self._rates = stage, rates
        self._open: Counter[str] = Counter()  # WebSockets of each token

    async def talk(self, socket: WebSocket) -> None:
        """Talk over a new WebSocket until it is closed."""
        await socket.accept()
        try:
            first = await asyncio.wait_for(socket.receive_text(), FIRST)
            opened = orjson.loads(first)
            token, since = str(opened["token"]), int(opened.get("since", -1))
        except (TimeoutError, ValueError, KeyError, TypeError, AttributeError):
            return await socket.close(4400, "the first message is a token and since")
        except WebSocketDisconnect:
            return None
        stage = self._stage
        found = await stage.play(token, lambda game, role: role) if stage.has_token(token) else None
        if found is None:
            return await socket.close(4404, NOT_THERE)
        if self._open[token] >= MAX_LIVE:
            return await socket.close(4429, "there are enough connections of this role")
        self._open[token] += 1
        try:
            await self._talk(socket, token, found[0], since)
        finally:
            self._open[token] -= 1
            if not self._open[token]:
                del self._open[token]
        return None

    async def _talk(self, socket: WebSocket, token: str, session: str, since: int) -> None:
        with self._stage.watching(session) as changed:
            telling = asyncio.create_task(self._send_updates(socket, token, changed, since))
            hearing = asyncio.create_task(self._receive_acts(socket, token))
            done, pending = await asyncio.wait(
                (telling, hearing), return_when=asyncio.FIRST_COMPLETED
            )
            for task in pending:
                task.cancel()
            await asyncio.gather(*pending, return_exceptions=True)
            for task in done:
                error = task.exception()
                if isinstance(error, HomebodyError):  # its journal cannot be read or written
                    await socket.close(1011, escape(str(error), 100))
                elif error is not None and not isinstance(
                    error, WebSocketDisconnect | TimeoutError
                ):
                    raise error

    async def _send_updates(
        self, socket: WebSocket, token: str, changed: asyncio.Event, since: int
    ) -> None:
        """Tell what is so whenever it has changed: the newest, whatever came between."""
        told: tuple[object, ...] = (since,)
        while True:
            changed.clear()
            done = await self._stage.play(token, lambda game, role: game.seat(role))
            if done is None:
                return
            now = _version(done[1])
            if now[: len(told)] != told:
                text = orjson.dumps({"seat": done[1]}).decode()
                await asyncio.wait_for(socket.send_text(text), SLOW)
            told = now
            with suppress(TimeoutError):  # whoever is connected is there, though nothing happens
                await asyncio.wait_for(changed.wait(), ALIVE)

    async def _receive_acts(self, socket: WebSocket, token: str) -> None:
        while True:
            message = await socket.receive_text()
            if not self._rates.allow(token):
                return await socket.close(4429, "too many messages")
            try:
                body = Act.model_validate(orjson.loads(message)["act"])
            except (ValueError, KeyError, TypeError):
                return await socket.close(4400, "a message is an act")
            reply = await self._act(token, body)
            await asyncio.wait_for(socket.send_text(orjson.dumps(reply).decode()), SLOW)

    async def _act(self, token: str, body: Act) -> dict[str, Any]:
        try:
            done = await self._stage.play(
                token,
                lambda game, role: game.act(role, body.action_input(), body.id, body.revision),
            )
        except HomebodyError as error:
            return {"id": body.id, "error": str(error), "advice": error.hint}
        except RefusedError as error:
            return {"id": body.id, "error": str(error), "advice": error.advice}
        if done is None:
            return {"id": body.id, "error": NOT_THERE, "advice": ""}
        return {"id": body.id, "reply": done[1]}


def _version(seat: Mapping[str, Any]) -> tuple[object, ...]:
    """What is new of what a role is told, if it is told it again."""
    others = ((other["here"], other["thinking"] is None) for other in seat["others"])
    return seat["revision"], *others
