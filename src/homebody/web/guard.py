"""Checks on every request before the application: origin, host, size, time and headers."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Final

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homebody.core.ground.nesting import TooDeep, check_depth
from homebody.web.access import HEADERS, MAX_BODY, is_our_host, is_our_origin

PATIENCE: Final = 10.0
"""Seconds within which a request's body must be complete."""
MAX_NESTING: Final = 20


class Guard:
    """ASGI middleware that lets permitted requests through.

    Args:
        app: The application behind it.
        hosts: Names of the server.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if not is_our_host(host, self._hosts):
            return await _refuse(scope, send, 421, "this server does not have this name")
        if changes and not is_our_origin(headers.get("origin"), host):
            return await _refuse(scope, send, 403, "requests from other sites' pages are refused")
        if scope["type"] == "websocket":
            return await self._app(scope, receive, send)
        try:
            body = await asyncio.wait_for(_read(headers, receive), PATIENCE)
            check_depth(body, MAX_NESTING)
        except TooDeep as error:
            return await _refuse(scope, send, 400, str(error))
        except ValueError as error:
            return await _refuse(scope, send, 413, str(error))
        except TimeoutError:
            return await _refuse(scope, send, 408, "the request took too long")
        except _Gone:
            return None
        sent = False

        async def receive_again() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        is_api = scope["path"].startswith("/api/")

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                to = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    to[name] = value
                if is_api:
                    to["cache-control"] = "no-store"
            await send(message)

        await self._app(scope, receive_again, send_marked)
        return None


class _Gone(Exception):
    """The client disconnected."""


async def _read(headers: Headers, receive: Receive) -> bytes:
    """Return the whole body; raise ValueError if it is too large."""
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length[:12]) > MAX_BODY:
        raise ValueError(f"a request has at most {MAX_BODY} bytes")
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Gone
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            raise ValueError(f"a request has at most {MAX_BODY} bytes")
        if not message.get("more_body", False):
            return bytes(body)


async def _refuse(scope: Scope, send: Send, status: int, error: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4403})
        return
    body = orjson.dumps({"error": error, "advice": ""})
    headers: list[Any] = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def page_of(folder: Path) -> StaticFiles:
    """Serve the files of a page, and the files that pages with houses share."""
    shared = ("homebody.worlds.house", "browser")
    return StaticFiles(directory=folder, packages=[shared], html=True)
