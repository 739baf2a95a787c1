"""The guard: who somebody is, where a request comes from, how much of it there may be.

A browser is known by a random token in a cookie. The server keeps only its SHA-256, and logs neither.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from spellheist.core.game import Refused

COOKIE = "spellheist"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
AGE = 400 * 24 * 3600  # seconds that a cookie lasts
LARGEST_BODY = 128 * 1024

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooOften(Refused):
    """Somebody asks more often than anybody needs to."""


class TooLarge(Refused):
    """More was sent than anybody needs to."""


class Foreign(Refused):
    """The request does not come from our own page."""


class Bucket:
    """So many requests at once for each key, then so many a second."""

    def __init__(self, burst: float, rate: float, factor: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.burst, self.rate, self.clock = burst * factor, rate * factor, clock
        self.filled: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> None:
        """Refuses when the bucket of this key is empty."""
        if not self.burst:
            return
        now = self.clock()
        level, at = self.filled.get(key, (self.burst, now))
        level = min(self.burst, level + (now - at) * self.rate)
        if level < 1:
            self.filled[key] = level, now
            raise TooOften("That was too often in a short time; wait a moment.")
        self.filled[key] = level - 1, now
        if len(self.filled) > 10_000:
            self.forget(now)

    def forget(self, now: float) -> None:
        """Drop the keys whose bucket is full again."""
        full = self.burst / self.rate
        self.filled = {key: (level, at) for key, (level, at) in self.filled.items() if now - at < full}


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def token_of(connection: HTTPConnection) -> str:
    """The token in the cookie, or nothing."""
    token = connection.cookies.get(COOKIE, "")
    return token if TOKEN.fullmatch(token) else ""


def new_token() -> str:
    return secrets.token_urlsafe(32)


def set_token(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(COOKIE, token, max_age=AGE, httponly=True, samesite="lax", secure=secure, path="/")


def address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "nowhere"


def from_own_page(headers: Headers, public_url: str) -> None:
    """Refuses a request whose Origin is not the address under which it was sent, or our public one."""
    origin = headers.get("origin", "")
    if not origin or origin == "null":
        raise Foreign("Requests that change something must come from the page itself.")
    parts = urlsplit(origin)
    own = urlsplit(public_url)
    if parts.netloc != headers.get("host") and (parts.scheme, parts.netloc) != (own.scheme, own.netloc):
        raise Foreign("Requests that change something must come from the page itself.")


async def body_of(request: Request) -> bytes:
    """The body of a request, up to a limit."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise TooLarge(f"A request has at most {LARGEST_BODY // 1024} KiB.")
        parts.append(part)
    return b"".join(parts)


def through_proxy(websocket: HTTPConnection) -> bool:
    """Does the connection come from a proxy on this machine? Anybody can send the header: it is believed from here only."""
    peer = websocket.scope["extensions"]["spellheist.socket"].transport.get_extra_info("peername")
    here = not peer or isinstance(peer, str) or peer[0] in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    return here and "x-forwarded-for" in websocket.headers
