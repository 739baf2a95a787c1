"""Visitors: who somebody is, where a request comes from, how much of it there may be.

A browser is known by a random token in a cookie. The server keeps only its SHA-256, and logs neither.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from typing import NamedTuple

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response

from spellheist.core.refused import Refused
from spellheist.server.rate_limits import is_loopback, network

COOKIE = "spellheist"
HOST_COOKIE = "__Host-spellheist"  # its name behind https, where no other host of the domain can set it
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
AGE = 400 * 24 * 3600  # seconds that a cookie lasts
DIGITS = tuple("0123456789")
LARGEST_BODY = 128 * 1024

PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip")  # by a proxy

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class TooLarge(Refused):
    """More was sent than anybody needs to."""


class TooSlow(Refused):
    """Something did not come in time."""


class SignedOut(Refused):
    """This browser was somebody until it was signed out."""

    def __init__(self) -> None:
        super().__init__("This browser was signed out. A link for another device signs it in again.")


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


class Visitor(NamedTuple):
    """Who is at the other end. This is decided once for each request and socket, by `people`; nobody else reads cookies."""

    token: str = ""  # what seats are held by: the id of a person; empty for somebody unknown
    key: str = ""  # the browser's own token
    device: str = ""  # its hash
    ended: bool = False  # somebody unknown who was somebody before

    @property
    def known(self) -> bool:
        return bool(self.token)


def visitor_with(key: str) -> Visitor:
    """Somebody who is known by this token alone."""
    return Visitor(hashed(key), key, hashed(key))


def key_of(connection: HTTPConnection) -> str:
    """The token in the cookie, or nothing."""
    cookies = connection.cookies
    keys = (cookies.get(HOST_COOKIE, ""), cookies.get(COOKIE, ""))
    return next((key for key in keys if TOKEN.fullmatch(key)), "")


def seat_of(connection: HTTPConnection) -> str | int | None:
    """The seat that an address asks for, or the word that it has in its place; None where it asks for none. Seats
    have one digit, so there is one spelling of each, and an address that names two is refused."""
    seats = connection.query_params.getlist("seat")
    if len(seats) > 1:
        raise Refused("An address names one seat at most.")
    if not seats or not seats[0]:
        return None
    return int(seats[0]) if seats[0] in DIGITS else seats[0]


def new_token() -> str:
    return secrets.token_urlsafe(32)


def set_token(response: Response, token: str, secure: bool) -> None:
    name = HOST_COOKIE if secure else COOKIE
    response.set_cookie(name, token, max_age=AGE, httponly=True, samesite="lax", secure=secure, path="/")
    if secure:  # as earlier versions named it: it would be believed again when the other one is gone
        response.delete_cookie(COOKIE, path="/", secure=True, httponly=True, samesite="lax")


def address(connection: HTTPConnection) -> str:
    """The address that limits count for. A proxy on this machine has said it (the last that it did not say of itself, so
    nobody can choose one by sending the header), else it is the other end of the connection."""
    return network(connection.client.host[:50]) if connection.client else "nowhere"


def for_operators(request: Request, token: str) -> bool:
    """Does the operator ask: with the token, or at this machine without a proxy between?"""
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token and secrets.compare_digest(given.encode(), token.encode()):
        return True
    peer = request.scope.get("state", {}).get("peer", "")
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    passed_on = any(name in request.headers for name in PASSED_ON)
    return is_loopback(peer) and not passed_on and (host == "localhost" or is_loopback(host.strip("[]")))


async def body_of(request: Request, seconds: float | None = None) -> bytes:
    """The body of a request, up to a limit, in so much time."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds or None):
            async for part in request.stream():
                size += len(part)
                if size > LARGEST_BODY:
                    raise TooLarge(f"A request may have at most {LARGEST_BODY // 1024} KiB.")
                parts.append(part)
    except TimeoutError:
        raise TooSlow("The request did not arrive in time.") from None
    except ClientDisconnect:
        raise Refused("The request ended too early.") from None
    return b"".join(parts)


def through_proxy(websocket: HTTPConnection) -> bool:
    """Does the connection come from a proxy on this machine? Anybody can send the header: it is believed from here only."""
    try:
        peer = websocket.scope["extensions"]["spellheist.socket"].transport.get_extra_info("peername")
    except (OSError, ValueError, AttributeError):  # the line has just gone, which uvloop says in several ways
        peer = None
    here = not peer or isinstance(peer, str) or peer[0] in ("127.0.0.1", "::1", "::ffff:127.0.0.1")
    return here and "x-forwarded-for" in websocket.headers
