"""Limits on the number of connections and on their idle time.

When there are too many, the oldest connection without a request is closed, then the oldest idle
one. Requests in progress and WebSockets are never closed.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any, Final

import uvicorn

from homebody.core import HomebodyError
from homebody.web.access import MAX_BODY

MAX_CONNECTIONS: Final = 2_000
PATIENCE: Final = 10.0
"""Seconds within which a request must be complete."""
SPARE_FILES: Final = 200
"""Number of file descriptors that a server needs besides its connections."""


class Connection:
    """uvicorn's protocol with a deadline for its request."""

    def __init__(self, inner: Any, gate: Gate) -> None:
        self.inner = inner
        self.gate = gate
        self.answering = 0
        self.has_asked = False
        self._deadline: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Count the new connection and wait for its request."""
        self.transport = transport
        peer = transport.get_extra_info("peername") or (self,)  # absent if already closed
        self.client = tuple(peer[:2])  # the key in ASGI scopes
        self.since = asyncio.get_running_loop().time()
        self.inner.connection_made(transport)
        self._expect()
        self.gate.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.leave()
        self.inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass data to uvicorn, and set a deadline for the rest of the request."""
        self.inner.data_received(data)
        if not self.answering and not self.transport.is_closing():
            self._expect()

    def _expect(self) -> None:
        if self._deadline is None:
            self._deadline = asyncio.get_running_loop().call_later(PATIENCE, self.end)

    def stop_waiting(self) -> None:
        """Cancel the deadline: the application has the request."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def leave(self) -> None:
        """Stop counting the connection, and cancel its deadline."""
        self.stop_waiting()
        self.gate.connections.pop(self.client, None)

    def end(self) -> None:
        """Close the connection."""
        self.leave()
        self.transport.abort()


class Gate:
    """An ASGI application behind a limit of ``most`` connections."""

    def __init__(self, app: Any, most: int) -> None:
        self.app = app
        self.most = most
        self.connections: dict[tuple[Any, ...], Connection] = {}
        plain = uvicorn.Config(app, http="h11")
        plain.load()
        self._inner = plain.http_protocol_class

    def protocol(self, **own: Any) -> Connection:
        """Return the protocol of a new connection, as uvicorn makes them."""
        return Connection(self._inner(**own), self)

    def add(self, connection: Connection) -> None:
        """Count a connection; if there are too many, close the least valuable one."""
        self.connections[connection.client] = connection
        if len(self.connections) <= self.most:
            return
        idle = [each for each in self.connections.values() if not each.answering]
        if idle:
            min(idle, key=lambda each: (each.has_asked, each.since)).end()

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        """Mark a connection as busy during its request. WebSockets are no longer limited."""
        connection = self.connections.get(scope.get("client") or ())
        if connection is None:
            await self.app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            connection.leave()
        connection.stop_waiting()
        connection.has_asked = True
        connection.answering += 1
        try:
            await self.app(scope, receive, send)
        finally:
            connection.answering -= 1


def listen(host: str, port: int) -> socket.socket:
    """Return a socket at an address (port 0: a free one); raise HomebodyError if it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise HomebodyError(
            f"cannot listen at {host}:{port}: {error.strerror or error}",
            "another server may use it: choose another --port",
        ) from error


def make_server(app: Any) -> uvicorn.Server:
    """Return a server with the limits on connections and messages; run it with sockets."""
    gate = Gate(app, _most_connections())
    return uvicorn.Server(
        uvicorn.Config(
            gate,
            http=gate.protocol,  # type: ignore[arg-type]  # called like a class
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


def _most_connections() -> int:
    """Return the number of connections that this process may have, and raise its limit."""
    try:
        import resource
    except ImportError:  # pragma: no cover - not on Windows
        return MAX_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS + SPARE_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(20, min(MAX_CONNECTIONS, soft - SPARE_FILES))
