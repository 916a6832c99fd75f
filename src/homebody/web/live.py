"""Live updates of a role over a WebSocket: the newest observation whenever it changes."""

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
"""Seconds within which a WebSocket must send its token."""
SLOW: Final = 20.0
"""Seconds after which a client that does not read is disconnected."""
ALIVE: Final = 20.0
"""Seconds between two notes to a game that its player is still connected."""
MAX_LIVE: Final = 4
"""Maximum number of WebSockets per token."""
NOT_THERE: Final = "not found: check the link"


class Live:
    """Sends observations to roles over WebSockets and receives their actions.

    Args:
        stage: Plays their games.
        rates: Limits the actions of each token.
    """

    def __init__(self, stage: Stage, rates: RateLimits) -> None:
        self._stage, self._rates = stage, rates
        self._open: Counter[str] = Counter()  # WebSockets of each token

    async def talk(self, socket: WebSocket) -> None:
        """Serve a new WebSocket until it is closed."""
        await socket.accept()
        try:
            first = await asyncio.wait_for(socket.receive_text(), FIRST)
            opened = orjson.loads(first)
            token, since = str(opened["token"]), int(opened.get("since", -1))
        except (TimeoutError, ValueError, KeyError, TypeError, AttributeError):
            return await socket.close(4400, "the first message must be a token and since")
        except WebSocketDisconnect:
            return None
        stage = self._stage
        found = await stage.play(token, lambda game, role: role) if stage.has_token(token) else None
        if found is None:
            return await socket.close(4404, NOT_THERE)
        if self._open[token] >= MAX_LIVE:
            return await socket.close(4429, "this role has too many connections")
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
            sending = asyncio.create_task(self._send_updates(socket, token, changed, since))
            receiving = asyncio.create_task(self._receive_acts(socket, token))
            done, pending = await asyncio.wait(
                (sending, receiving), return_when=asyncio.FIRST_COMPLETED
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
        """Send the newest observation whenever it changes."""
        sent: tuple[object, ...] = (since,)
        while True:
            changed.clear()
            done = await self._stage.play(token, lambda game, role: game.seat(role))
            if done is None:
                return
            now = _version(done[1])
            if now[: len(sent)] != sent:
                text = orjson.dumps({"seat": done[1]}).decode()
                await asyncio.wait_for(socket.send_text(text), SLOW)
            sent = now
            with suppress(TimeoutError):  # a connected player is present though nothing happens
                await asyncio.wait_for(changed.wait(), ALIVE)

    async def _receive_acts(self, socket: WebSocket, token: str) -> None:
        while True:
            message = await socket.receive_text()
            if not self._rates.allow(token):
                return await socket.close(4429, "too many messages")
            try:
                body = Act.model_validate(orjson.loads(message)["act"])
            except (ValueError, KeyError, TypeError):
                return await socket.close(4400, "a message must be an act")
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
    """Return the key of an observation. An observation is sent again only if the key changes."""
    others = ((other["here"], other["thinking"] is None) for other in seat["others"])
    return seat["revision"], *others
