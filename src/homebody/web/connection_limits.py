"""Connections: how many there are, and how long one may be there without asking for anything.

When there are too many, room is made at the cost of those that have asked for nothing yet, the
oldest first; then of those that nothing is done for at the moment, whose clients just connect
again. Requests that are being answered, and WebSockets, are left alone.
"""

from __future__ import annotations

import asyncio
import socket
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from homebody.core import HomebodyError
from homebody.web.access import MAX_BODY

MAX_CONNECTIONS: Final = 2_000
PATIENCE: Final = 10.0
"""Seconds in which a request has to be there, once a connection is or the request has begun."""
SPARE_FILES: Final = 200
"""Files that a server needs besides those of connections."""


class BoundedProtocol(H11Protocol):
    """HTTP over a connection that has to be good for something."""

    most = MAX_CONNECTIONS
    is_http = True
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A connection is there: count it, and wait for its request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self.since = self.loop.time()
        self._expect()
        if len(self.connections) > self.most:
            _make_room([each for each in self.connections if isinstance(each, BoundedProtocol)])

    def connection_lost(self, exc: Exception | None) -> None:
        """A connection is gone."""
        self._expected()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A part of a request is there: the rest has to be, soon."""
        super().data_received(data)
        if self.is_http and self.is_idle and not self.transport.is_closing():
            self._expect()
        else:
            self._expected()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """It is a WebSocket from now on, and no more of this class."""
        self.is_http = False
        super().handle_websocket_upgrade(event)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(PATIENCE, self._too_slow)

    def _expected(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if self.is_idle:
            self.transport.abort()


def _make_room(connections: list[BoundedProtocol]) -> None:
    """End the connection that is worth least."""
    idle = [each for each in connections if each.is_idle and not each.transport.is_closing()]
    if idle:
        worst = min(idle, key=lambda each: (each.cycle is not None, each.since))
        worst.transport.abort()


def listen(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 for any that is free. Raises HomebodyError if that cannot be
    had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise HomebodyError(
            f"cannot listen at {host}:{port}: {error.strerror or error}",
            "another server may be there: give another --port",
        ) from error


def make_server(app: Any) -> uvicorn.Server:
    """A server for an application, with the bounds of connections and messages that there are; it
    is run with the sockets that it shall listen at."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=_bounded(),
            ws="websockets-sansio",
            log_level="error",
            access_log=False,
            server_header=False,
            ws_max_size=MAX_BODY,
            ws_max_queue=8,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            ws_per_message_deflate=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=3,
            proxy_headers=False,
        )
    )


def _bounded() -> type[BoundedProtocol]:
    """With as many connections as this process may have, of those that it could need."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on Windows
        return BoundedProtocol
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + SPARE_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    most = max(20, min(MAX_CONNECTIONS, soft - SPARE_FILES))
    return type("BoundedProtocol", (BoundedProtocol,), {"most": most})
