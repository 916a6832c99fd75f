"""Access control before any game is touched: tokens, origins, hosts, sizes and rates."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

MAX_BODY: Final = 16_384
"""Maximum bytes of a request body and of a WebSocket message."""
MAX_TOKEN: Final = 100
"""Maximum characters of a token; longer ones are ignored."""
RATE: Final = 20.0
"""Sustained requests per second of one token."""
BURST: Final = 60.0
"""Requests that a token may make at once."""
LOCAL: Final = ("127.0.0.1", "localhost", "::1")
"""Names by which this machine reaches itself."""
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob: data:;"
    " style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Security headers of every response."""


def new_token() -> str:
    """Return a token that nobody can guess (192 bits)."""
    return secrets.token_urlsafe(24)


def bearer(header: str) -> str:
    """Return the token of an ``Authorization`` header, or ``""`` if it has none."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" and len(token) <= MAX_TOKEN else ""


def is_same(token: str, secret: str) -> bool:
    """Return whether a token is the secret one, in constant time."""
    return secrets.compare_digest(token.encode(), secret.encode())


def host_name(host: str) -> str:
    """Return the name in a ``Host`` header without the port, or ``""`` if it is invalid."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_our_host(host: str, names: frozenset[str]) -> bool:
    """Return whether a request names this server (a defence against DNS rebinding)."""
    return "*" in names or host_name(host) in names


def is_our_origin(origin: str | None, host: str) -> bool:
    """Return whether a request comes from a page of this server, or not from a browser."""
    if origin is None:
        return True
    try:
        url = urlsplit(origin)
        return url.scheme in ("http", "https") and url.netloc.lower() == host.lower()
    except ValueError:
        return False


class RateLimits:
    """A rate limit per client: :data:`RATE` requests a second, :data:`BURST` at once.

    Args:
        most: Maximum number of clients remembered; the oldest are forgotten.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._left: dict[str, tuple[float, float]] = {}  # client -> requests left, and when
        self._most = most

    def allow(self, who: str) -> bool:
        """Count a request and return whether it is allowed now."""
        now = time.monotonic()
        left, then = self._left.pop(who, (BURST, now))
        left = min(BURST, left + (now - then) * RATE)
        self._left[who] = (left - 1 if left >= 1 else left), now
        if len(self._left) > self._most:
            del self._left[next(iter(self._left))]
        return left >= 1


def digest(token: str) -> str:
    """Return the SHA-256 of a token. It is stored and looked up instead of the token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class RefusedError(Exception):
    """A request that is impossible now but would be valid at another time.

    Attributes:
        advice: Advice on what to do.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
