"""Who may do what: tokens, where requests come from, how large and how many they are.

Everything here is about what comes before anything of a game is touched.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

MAX_BODY: Final = 16_384
"""Bytes of a request's body, and of a message over a WebSocket."""
MAX_TOKEN: Final = 100
"""Characters of what is looked at as a token."""
RATE: Final = 20.0
"""Requests in a second that a token may make in the long run."""
BURST: Final = 60.0
"""Requests that it may make at once."""
LOCAL: Final = ("127.0.0.1", "localhost", "::1")
"""Names of this machine for itself."""
HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": "default-src 'self'; img-src 'self' blob: data:;"
    " style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'self';"
    " frame-ancestors 'none'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""What every answer tells a browser to see to."""


def new_token() -> str:
    """A token that nobody can guess: 192 bits."""
    return secrets.token_urlsafe(24)


def bearer(header: str) -> str:
    """The token of an ``Authorization`` header; empty if it has none."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" and len(token) <= MAX_TOKEN else ""


def is_same(token: str, secret: str) -> bool:
    """Whether a token is the secret one; how long that takes tells nothing of it."""
    return secrets.compare_digest(token.encode(), secret.encode())


def host_name(host: str) -> str:
    """The name in a ``Host`` header, without the port; empty if it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_our_host(host: str, names: frozenset[str]) -> bool:
    """Whether a request was meant for this server: a page of somebody else's whose name was made
    to lead here has that name in its requests."""
    return "*" in names or host_name(host) in names


def is_our_origin(origin: str | None, host: str) -> bool:
    """Whether a request that changes something, or a WebSocket, is from a page of this server, or
    from no browser at all."""
    if origin is None:
        return True
    try:
        url = urlsplit(origin)
        return url.scheme in ("http", "https") and url.netloc.lower() == host.lower()
    except ValueError:
        return False


class RateLimits:
    """How often each of many may come: :data:`RATE` times a second, :data:`BURST` at once.

    Args:
        most: How many are remembered; of more, those that came long ago are forgotten.
    """

    def __init__(self, most: int = 10_000) -> None:
        self._left: dict[str, tuple[float, float]] = {}  # who -> how often, as of when
        self._most = most

    def allow(self, who: str) -> bool:
        """Whether one may come now, which counts."""
        now = time.monotonic()
        left, then = self._left.pop(who, (BURST, now))
        left = min(BURST, left + (now - then) * RATE)
        self._left[who] = (left - 1 if left >= 1 else left), now
        if len(self._left) > self._most:
            del self._left[next(iter(self._left))]
        return left >= 1


def digest(token: str) -> str:
    """What is kept of a token, and found by: nothing of it can be told from how long that takes."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class RefusedError(Exception):
    """What was asked cannot be done now; it would be no mistake at another time.

    Attributes:
        advice: What to do about it.
    """

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
